#pragma once
// One iteration as bars: who answered when, the finish line of the k-th answer, and the work that was
// cancelled when it had come.
#include "analysis/IterationBars.h"
#include "waiting/WaitingPainter.h"

namespace trainyard {

class IterationPainter final : public WaitingPainter {
public:
    QString title() const override;
    QString id() const override { return QStringLiteral("iteration"); }
    QString axisTitle(const LaneInput& input) const override;
    QString horizontalTitle(const LaneInput& input) const override;
    QString meaning(const LaneInput& input) const override;
    void paint(LaneCanvas& canvas, const LaneInput& input) override;
    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override;
    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const override;
    std::optional<double> xOf(const LaneCanvas& canvas, const LaneInput& input, SimTime at) const override;
    double secondsAt(const LaneCanvas& canvas, const LaneInput& input, double x) const override;

    /// Where the k-th answer's line lies; nothing while none has come.
    std::optional<double> finishLine(const LaneCanvas& canvas, const LaneInput& input) const;

private:
    struct Layout;
    /// Of the iteration at the input's instant; kept, since pointer and cursor ask often.
    const IterationBars& bars(const LaneInput& input) const;
    Layout layoutOf(const LaneCanvas& canvas, const LaneInput& input) const;
    void paintBar(LaneCanvas& canvas, const Layout& layout, const TaskBar& bar, std::size_t row) const;
    void paintFinish(LaneCanvas& canvas, const Layout& layout, const IterationBars& iteration) const;
    QString tell(const RunFold& run, JobId job, const IterationBars& iteration, const TaskBar& bar) const;

    struct Kept {
        std::weak_ptr<const EventLog> log; ///< of the run it is of
        JobId job;
        SimTime at;
        std::size_t position = 0;
        IterationBars bars;
    };
    mutable Kept m_kept;
};

} // namespace trainyard
