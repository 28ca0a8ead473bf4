#pragma once
// k and β over the course of training, under the loss: on the left against time, on the right against
// updates, so that what is fast in one and slow in the other shows.
#include "waiting/ChartArea.h"
#include "waiting/WaitingPainter.h"

namespace trainyard {

class ChoicePainter final : public WaitingPainter {
public:
    QString title() const override;
    QString id() const override { return QStringLiteral("k-and-load"); }
    QString axisTitle(const LaneInput& input) const override;
    QString horizontalTitle(const LaneInput& input) const override;
    QString meaning(const LaneInput& input) const override;
    void paint(LaneCanvas& canvas, const LaneInput& input) override;
    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override;
    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const override;
    std::optional<double> xOf(const LaneCanvas& canvas, const LaneInput& input, SimTime at) const override;
    double secondsAt(const LaneCanvas& canvas, const LaneInput& input, double x) const override;

protected:
    QString whyEmpty(const RunFold& run, JobId job, const LaneInput& input) const override;

private:
    enum class Across { time, updates };
    /// The three areas of a column, from top to bottom: loss, k, β.
    struct Column {
        Across across = Across::time;
        ChartArea loss, k, load;
    };
    std::vector<Column> columnsOf(const LaneCanvas& canvas, const LaneInput& input) const;
    void paintColumn(LaneCanvas& canvas, const LaneInput& input, const Column& column) const;
    /// Seconds, or updates, at which an update was applied.
    static double across(const LaneInput& input, JobId job, Across which, std::size_t update);
    std::optional<std::size_t> updateAt(const LaneInput& input, const Column& column, double x) const;
};

} // namespace trainyard
