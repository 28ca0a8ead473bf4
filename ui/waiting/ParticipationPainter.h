#pragma once
// Whose gradients the updates were made of: a bar per worker, beside the equal share. Workers that are always
// slow hardly take part; where their data differ, the result leans towards the others': how much above the
// least loss it ends so is computed beside the window's thread.
#include "analysis/ShardBias.h"
#include "waiting/ChartArea.h"
#include "waiting/ComputedElsewhere.h"
#include "waiting/WaitingPainter.h"

namespace trainyard {

class ParticipationPainter final : public WaitingPainter {
public:
    QString title() const override;
    QString id() const override { return QStringLiteral("participation"); }
    QString axisTitle(const LaneInput& input) const override;
    QString horizontalTitle(const LaneInput& input) const override;
    QString meaning(const LaneInput& input) const override;
    void paint(LaneCanvas& canvas, const LaneInput& input) override;
    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override;
    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const override;
    bool unfinished() const override { return m_risks.busy(); }

protected:
    QString whyEmpty(const RunFold& run, JobId job, const LaneInput& input) const override;

private:
    struct Kept {
        std::weak_ptr<const EventLog> log; ///< of the run it is of
        JobId job;
        std::size_t updates = 0;
        std::vector<std::size_t> counts;
        std::size_t total = 0, most = 0, least = 0;
        double equal() const {
            return counts.empty() ? 0 : static_cast<double>(total) / static_cast<double>(counts.size());
        }
        double share(std::size_t worker) const {
            return total > 0 ? static_cast<double>(counts[worker]) / static_cast<double>(total) : 0;
        }
    };
    using Key = std::pair<std::uint32_t, std::size_t>; ///< job, updates
    using Risk = std::optional<ShardRisk>;
    const Kept& valuesOf(const LaneInput& input) const;
    ChartArea areaOf(const LaneCanvas& canvas, const LaneInput& input) const;
    static ShardWeights weightsOf(const LaneInput& input, const Kept& values);
    /// Whether the result leans towards some workers' data, and not by chance.
    static bool leans(const LaneInput& input, const Kept& values);
    /// Null while it is computed; `wait`: computes it here. Of the shares of now, or of a little before.
    const Risk* riskOf(const LaneInput& input, bool wait) const;
    std::vector<LegendEntry> riskEntries(const Theme& theme, const LaneInput& input) const;

    mutable Kept m_kept;
    mutable ComputedElsewhere<Key, Risk> m_risks;
    mutable std::map<std::uint32_t, std::shared_ptr<const ShardBias>> m_biases; ///< by job
    mutable std::weak_ptr<const Workload> m_workload; ///< what is known of risks is of its jobs
};

} // namespace trainyard
