// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// quality-rate: workers go where they bring most quality per unit of work ahead. Like slaq, but what workers are worth is read from the
// whole way to the end of a job, not from the next epoch: the concave envelope of the predicted quality looks beyond a plateau, and
// quality counts halvings of what is left of the loss, so that the last percent is worth something too. Trainyard's own rule.
#include "planning/ConcaveEnvelope.h"
#include "policy/Builtin.h"
#include "policy/scheduler/slaq/QualityFields.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace trainyard {

namespace {

struct QualityRateParams : QualityRules {
    double lastPart = 0.3, lastPartScale = 0.01, margin = 0.2;
    bool believesLimits = true, believesTargets = true;
};

QualityRules withoutFloor(QualityRules rules) {
    rules.floor = 0;
    return rules;
}

class QualityRate final : public QualityScheduler {
public:
    explicit QualityRate(const QualityRateParams& params)
        : QualityScheduler("quality-rate", withoutFloor(params)), m_lastPart(params.lastPart),
          m_scale(params.lastPartScale), m_margin(params.margin), m_believesLimits(params.believesLimits),
          m_believesTargets(params.believesTargets) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<QualityRate>(*this); }

private:
    /// Until four losses are known, what is left is assumed to shrink by this factor per update.
    static constexpr double youngRatio = 0.9;
    static constexpr double unlimitedUpdates =
        100;                          ///< looked ahead where no limit is declared, or as many as were done
    static constexpr int points = 24; ///< of the way ahead, in geometric steps

    void prepareAll(std::size_t jobs) override { m_ahead.assign(jobs, {}); }
    void prepare(const SchedulerView& view, const QualityJob& member, std::size_t index) override {
        const Job& job = view.workload().job(member.id);
        const PredictedGains& known = gains(member);
        const auto done = static_cast<double>(known.last().update);
        const bool limited = m_believesLimits && job.stop.iterations;
        const double left = std::max(1.0, limited ? static_cast<double>(*job.stop.iterations) - done
                                                  : std::max(done, unlimitedUpdates));
        const std::optional<double> declared = declaredEnd(job, known);
        const double end = declared ? *declared : predictedEnd(known, left), whole = known.greatest() - end;
        ConcaveEnvelope& ahead = m_ahead[index];
        ahead.add(0, 0);
        const bool young = known.isYoung() || !known.hasLosses();
        if (!young && !(whole > 0)) return; // constant losses: nothing is known to come
        const double now = whole > 0 ? std::clamp((known.last().loss - end) / whole, 0.0, 1.0) : 1;
        for (int i = 0; i < points; ++i) {
            const double x = std::pow(left, static_cast<double>(i) / (points - 1));
            double then =
                young ? now * std::pow(youngRatio, x) : now - (known.last().loss - known.lossAfter(x)) / whole;
            if (limited) then = std::min(then, now * (1 - std::min(1.0, x / left))); // it has to come there by then
            if (!young && !(limited && declared)) then = std::min(then, now / (1 + x / std::max(done, 1.0)));
            ahead.add(x, missing(now) - missing(std::clamp(then, 0.0, now)));
        }
    }

    /// The loss at which the job is said to end, if it is below what was seen.
    std::optional<double> declaredEnd(const Job& job, const PredictedGains& known) const {
        if (m_believesTargets && job.stop.loss && *job.stop.loss < known.greatest()) return job.stop.loss;
        if (job.finalLoss && *job.finalLoss < known.least()) return job.finalLoss;
        return std::nullopt;
    }

    /// As predicted, with a margin below the least seen that leaves room for what no curve foresees.
    double predictedEnd(const PredictedGains& known, double left) const {
        const double range = known.greatest() - known.least();
        if (known.isYoung()) return known.least() - range;
        return std::min(known.lossAfter(left), known.least() - m_margin * range);
    }

    /// What quality still lacks where the share r of the drop is left: 1 + lastPart for r = 1, 0 for 0.
    double missing(double r) const { return r + m_lastPart * std::log1p(r / m_scale) / std::log1p(1 / m_scale); }

    double worth(const QualityJob&, std::size_t index, double updates) const override {
        return m_ahead[index].at(updates);
    }

    double m_lastPart, m_scale, m_margin;
    bool m_believesLimits, m_believesTargets;
    std::vector<ConcaveEnvelope> m_ahead; ///< quality by updates ahead, of the jobs present
};

} // namespace

SchedulerEntry builtin::qualityRate() {
    using namespace quality_fields;
    using P = QualityRateParams;
    PolicyInfo info{.id = "quality-rate",
                    .label = "Most quality per work ahead",
                    .summary =
                        "Every epoch, workers go one by one to the job that gains most quality per unit of work on "
                        "its way to the end.",
                    .source = "Trainyard"};
    info.series = qualitySeries();
    info.goesByLosses = true;
    return policyEntry<Scheduler, QualityRate, P>(
        std::move(info),
        field(&P::lastPart, "last_part", "Worth of the last part", {0, 10}, "",
              "What halving the rest of the loss again and again is worth, beside its share of the drop.")
            .usual(2)
            .effect("Jobs near their end get more, so that they end earlier."),
        field(&P::lastPartScale, "last_part_scale", "Scale of the last part", {1e-6, 1}, "",
              "Below this share of the drop, what is left no longer counts by halvings.")
            .logarithmic(),
        field(&P::margin, "margin", "Margin of predictions", {0, 1}, "",
              "Jobs without a target are thought to fall by this share of their drop below the least loss seen."),
        flag(&P::believesLimits, "believe_limits", "Believe limits",
             "Whether a job with a limit of iterations is thought to reach its end by then at least."),
        flag(&P::believesTargets, "believe_targets", "Believe targets",
             "Whether a job is thought to end at its target loss; else where its losses lead."),
        curve<P>(), epoch<P>(), decay<P>(), window<P>(),
        leastShare<P>("Of what an equal division gives, each job gets so much at least."), hysteresis<P>(),
        placingField<P>(&P::placing));
}

} // namespace trainyard
