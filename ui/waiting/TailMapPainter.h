#pragma once
// Which k is best, over the tail of the computing times and the share of communication: a map for as many
// workers as the job has, at the error of now where that is known. Computed beside the window's thread.
#include "analysis/TailMap.h"
#include "waiting/ComputedElsewhere.h"
#include "waiting/WaitingPainter.h"

namespace trainyard {

class TailMapPainter final : public WaitingPainter {
public:
    QString title() const override;
    QString id() const override { return QStringLiteral("best-k"); }
    QString axisTitle(const LaneInput& input) const override;
    QString horizontalTitle(const LaneInput& input) const override;
    QString meaning(const LaneInput& input) const override;
    void paint(LaneCanvas& canvas, const LaneInput& input) override;
    bool unfinished() const override { return m_known.busy(); }
    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override;
    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const override;

private:
    const TailMap* mapOf(const LaneInput& input, bool wait) const;
    mutable ComputedElsewhere<int, TailMap> m_known; ///< by workers
};

/// How the error of a job falls at an instant, as its policy has told; nothing where it has not.
std::optional<ErrorNow> errorNowAt(const RunFold& run, JobId job, SimTime at);

} // namespace trainyard
