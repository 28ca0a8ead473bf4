#pragma once
// Whose gradients the updates were made of: a bar per worker, beside the equal share. Workers that are always
// slow hardly take part; where their data differ, the result leans towards the others'.
#include "waiting/ChartArea.h"
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
    const Kept& valuesOf(const LaneInput& input) const;
    ChartArea areaOf(const LaneCanvas& canvas, const LaneInput& input) const;

    mutable Kept m_kept;
};

} // namespace trainyard
