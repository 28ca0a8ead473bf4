// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What further updates are worth to one job, by its losses so far: the curve fitted to them, the change that it predicts as a share of
// the greatest change seen per update, and what is assumed while there is little to go by. Kept per job by schedulers that go by losses.
#include "policy/Scheduler.h"
#include "policy/scheduler/slaq/LossFit.h"

#include <optional>
#include <string>

namespace trainyard {

class PredictedGains {
public:
    struct Rules {
        /// better, by-optimizer, sublinear, linear, last-change, true (of analytic jobs; else better)
        std::string curve = "better";
        double decay = 0.8; ///< of the weight of a loss with its age
        int window = 50;    ///< newest losses that are fitted
        double floor = 0;   ///< φ < 1 of the least gain Δ·(1 − φ^x)/(1 − φ) assumed; 0: none
        /// The same for one job: where a curve is fitted, it is of the family that the user says it has, else, by optimizer, sublinear
        /// for gradient methods and linear for lbfgs, em and alternating.
        Rules of(const Job& job) const;
    };
    /// Losses that a fit needs; with fewer the changes are assumed to fall by `youngRatio` from update to update.
    static constexpr std::size_t fewestLosses = 4;
    static constexpr double youngRatio = 0.7;

    /// Takes in what is new of a job's losses, all of them so far, and fits the curve anew if anything is. After a return to an earlier
    /// update those beyond it are forgotten. `finalLoss`: where the user says that it ends. `known`: the job's true curve.
    void follow(std::span<const LossPoint> losses, const Rules& rules, std::optional<double> finalLoss,
                const LossCurve* known = nullptr);

    bool hasLosses() const { return m_seen > 0; }
    bool isYoung() const { return !m_true && m_samples.size() < fewestLosses; }
    double least() const { return m_least; }       ///< of all losses; 0 before the first
    double greatest() const { return m_greatest; } ///< likewise
    /// Predicted loss after `ahead` ≥ 0 further updates: at most the last loss, and not more than the range of losses seen below the
    /// least of them. Young: the last loss. By the true curve it may be any below the last.
    double lossAfter(double ahead) const;
    /// Normalised reduction by that many updates: ≥ 0, rising. 1 is the greatest change that one update has made.
    double gain(double ahead) const;
    /// (loss − lowest)/(greatest − lowest) after so many updates, in 0–1; lowest is where the curve is thought to end. Young: 1.
    double normalisedLossAfter(double ahead) const;
    /// Of the losses taken in, the last; at 0 updates if there is none.
    const LossPoint& last() const { return m_last; }
    const LossFit& fit() const { return m_fit; }
    double greatestChange() const { return m_greatestChange; } ///< per update

private:
    void take(const LossPoint& point);

    std::size_t m_seen = 0; ///< losses of the job looked at
    LossPoint m_last;
    std::vector<LossSample> m_samples; ///< the window
    double m_least = 0, m_greatest = 0;
    double m_greatestChange = 0, m_lastChange = 0; ///< falls of the loss per update; not negative
    double m_floor = 0;
    bool m_byLastChange = false;
    std::optional<LossCurve> m_true;
    double m_lowest = 0; ///< no prediction is below it
    LossFit m_fit;
};

} // namespace trainyard
