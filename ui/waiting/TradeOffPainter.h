#pragma once
// Time, computation and communication traded against each other: what the whole course to the target would
// cost if samples or messages had a price, and where the policy's own prices are. Computed beside the
// window's thread.
#include "analysis/TradeOffs.h"
#include "waiting/ChartArea.h"
#include "waiting/ComputedElsewhere.h"
#include "waiting/WaitingPainter.h"

namespace trainyard {

class TradeOffPainter final : public WaitingPainter {
public:
    QString title() const override;
    QString id() const override { return QStringLiteral("trade-off"); }
    QString axisTitle(const LaneInput& input) const override;
    QString horizontalTitle(const LaneInput& input) const override;
    QString meaning(const LaneInput& input) const override;
    void paint(LaneCanvas& canvas, const LaneInput& input) override;
    bool unfinished() const override { return m_known.busy(); }
    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override;
    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const override;

protected:
    QString whyEmpty(const RunFold& run, JobId job, const LaneInput& input) const override;

private:
    using Key = std::pair<std::uint32_t, std::uint32_t>; ///< job, the explanation whose model counts
    using Value = std::optional<TradeOffs>;
    /// Null while they are computed; `wait`: computes them here.
    const Value* valueOf(const LaneInput& input, bool wait) const;
    /// The newest there are.
    const TradeOffs* latest(const LaneInput& input) const;
    ChartArea areaOf(const LaneCanvas& canvas, const TradeOffs& offs) const;

    mutable ComputedElsewhere<Key, Value> m_known;
    mutable std::weak_ptr<const Workload> m_workload; ///< what is known is of its jobs
};

/// As of an instant; also for tables.
std::optional<TradeOffs> tradeOffsAt(const RunFold& run, JobId job, SimTime at);

} // namespace trainyard
