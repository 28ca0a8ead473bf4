#pragma once
// The options of an adaptive synchronization as lines: how fast each lowers the error, at every error, their
// upper envelope, and where the run is on it. Lines and numbers are those of the policy's explanation.
#include "waiting/ChartArea.h"
#include "waiting/WaitingPainter.h"
#include "waiting/WaitingValues.h"

namespace trainyard {

class RatePainter final : public WaitingPainter {
public:
    QString title() const override;
    QString id() const override { return QStringLiteral("rates"); }
    QString axisTitle(const LaneInput& input) const override;
    QString horizontalTitle(const LaneInput& input) const override;
    QString meaning(const LaneInput& input) const override;
    void paint(LaneCanvas& canvas, const LaneInput& input) override;
    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override;
    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const override;

    /// Where the run is: the error now, on the line of the chosen option.
    std::optional<QPointF> marker(const LaneCanvas& canvas, const LaneInput& input) const;
    /// What the vertical axis shows of a rate at an error.
    static double shown(double rate, double error, const LaneInput& input);

protected:
    QString whyEmpty(const RunFold& run, JobId job, const LaneInput& input) const override;

private:
    ChartArea areaOf(const LaneCanvas& canvas, const LaneInput& input, const ChoiceNow& now) const;
    QPolygonF lineOf(const ChartArea& area, const LaneInput& input, const RateLine& line, double from,
                     double to) const;
    void paintEnvelope(LaneCanvas& canvas, const ChartArea& area, const LaneInput& input,
                       const ChoiceNow& now) const;
};

/// Why nothing is known of the rates of a job's options at an instant, and what to do about it; empty if it is.
QString whyNoRates(const RunFold& run, JobId job, const LaneInput& input);
/// "k = 3, β = 0.5"
QString optionText(const RateOption& option);

} // namespace trainyard
