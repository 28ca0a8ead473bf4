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

    /// The gradients of a round at the present parameters, each the mean of so many samples, where an error
    /// of `expected` is expected (0: unknown). Returns the error by what they say as well: ‖∇F‖²/(2c), which
    /// is told apart from their noise and weighed against the expectation by the variance of both (a Kalman
    /// filter). Where all constants are fixed or there are no gradients (analytic jobs), as expected.
    double observe(const TrainingView& view, std::span<const HeldGradient> gradients, double samples,
                   double expected);
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
    /// Of the last round: the variance of one sample's gradient, and ‖∇F‖² with the variance that it is told
    /// with.
    struct Seen {
        double variance = 0, weight = 0; ///< the weight is the variance's
        double square = 0, squareVariance = 0;
    };
    std::optional<Seen> look(std::span<const HeldGradient> gradients, double samples,
                             double learningRate) const;
    double correct(const Seen& seen, double expected, double learningRate);

    LossConstants m_fixed;
    std::vector<double> m_mean, m_lastMean;
    double m_lastSamples = 0;
    std::optional<double> m_curvature;
    double m_growth = 0;
    double m_excess = 0; ///< running mean of the variance less M‖∇F‖²
    double m_doubt = 0;  ///< variance of the error returned last, relative to its square
};

} // namespace trainyard
