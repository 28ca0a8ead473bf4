#pragma once
// How old the gradients were that updates were made of, as a histogram, beside what theory says of their
// mean.
#include "waiting/ChartArea.h"
#include "waiting/WaitingPainter.h"
#include "waiting/WaitingValues.h"

namespace trainyard {

class StalenessPainter final : public WaitingPainter {
public:
    QString title() const override;
    QString id() const override { return QStringLiteral("staleness"); }
    QString axisTitle(const LaneInput& input) const override;
    QString horizontalTitle(const LaneInput& input) const override;
    QString meaning(const LaneInput& input) const override;
    void paint(LaneCanvas& canvas, const LaneInput& input) override;
    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override;
    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const override;

protected:
    QString whyEmpty(const RunFold& run, JobId job, const LaneInput& input) const override;

private:
    struct Kept {
        std::weak_ptr<const EventLog> log; ///< of the run it is of
        JobId job;
        std::size_t updates = 0;
        StalenessCounts counts;
        std::optional<double> exact;
    };
    const Kept& valuesOf(const LaneInput& input) const;
    ChartArea areaOf(const LaneCanvas& canvas, const LaneInput& input) const;

    mutable Kept m_kept;
};

} // namespace trainyard
