#pragma once
// How long it takes until k workers have answered, against k: for the workers as placed, for each of their
// laws, and for well-known laws of the same mean. Computed beside the window's thread.
#include "analysis/ResponseTimes.h"
#include "waiting/ChartArea.h"
#include "waiting/ComputedElsewhere.h"
#include "waiting/WaitingPainter.h"

namespace trainyard {

class AnswerTimePainter final : public WaitingPainter {
public:
    QString title() const override;
    QString id() const override { return QStringLiteral("response-times"); }
    QString axisTitle(const LaneInput& input) const override;
    QString horizontalTitle(const LaneInput& input) const override;
    QString meaning(const LaneInput& input) const override;
    void paint(LaneCanvas& canvas, const LaneInput& input) override;
    bool unfinished() const override { return m_store.busy(); }
    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override;
    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const override;

protected:
    QString whyEmpty(const RunFold& run, JobId job, const LaneInput& input) const override;

private:
    using Key = std::pair<std::uint32_t, double>; ///< job, β
    using Curves = std::vector<ResponseTimeCurve>;
    Key keyOf(const LaneInput& input) const;
    /// Null while they are computed; `wait`: computes them here.
    const Curves* curvesOf(const LaneInput& input, bool wait) const;
    const Curves* known(const LaneInput& input) const;
    const Curves* latest(const LaneInput& input) const;
    ChartArea areaOf(const LaneCanvas& canvas, const Curves& curves) const;
    void paintMeasured(LaneCanvas& canvas, const LaneInput& input, const ChartArea& area) const;

    mutable ComputedElsewhere<Key, Curves> m_store;
    mutable std::weak_ptr<const Workload> m_workload; ///< what is stored is of its jobs
};

} // namespace trainyard
