// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What an adaptive synchronization has to know of the loss and of the noise of its gradients: fixed by the
// user, or estimated from the gradients of the run. Used by AdaptiveRounds.
#include "planning/StepEnvelope.h"
#include "policy/Synchronization.h"

#include <optional>

namespace trainyard {

class LossEstimate {
public:
    /// Of `fixed`, what is 0 is estimated.
    explicit LossEstimate(const LossConstants& fixed) : m_fixed(fixed) {}

    /// The gradients of a round at the present parameters, each the mean of so many samples, when the error
    /// is about `error` (0: unknown). Does nothing without gradients (analytic jobs).
    void observe(const TrainingView& view, std::span<const HeldGradient> gradients, double samples, double error);
    /// Everything that a plan needs is fixed or has been observed.
    bool complete() const { return isFixed() || m_curvature.has_value(); }
    /// Whether nothing has to be observed.
    bool isFixed() const { return m_fixed.smoothness > 0 && m_fixed.convexity > 0 && m_fixed.noise > 0; }
    /// Only if complete(). Estimated from the first gradients: L = c = ‖∇F‖²/(2e), and M as if all their
    /// variance came from the gradient; after that σ² is what the variance has in excess of M‖∇F‖², which
    /// shows as the error falls.
    LossConstants constants() const;
    /// Of the gradients observed last, together.
    const std::vector<double>& gradient() const { return m_mean; }

private:
    LossConstants m_fixed;
    std::vector<double> m_mean, m_lastMean;
    double m_lastSamples = 0;
    std::optional<double> m_curvature;
    double m_growth = 0;
    double m_excess = 0; ///< running mean of the variance less M‖∇F‖²
};

} // namespace trainyard
