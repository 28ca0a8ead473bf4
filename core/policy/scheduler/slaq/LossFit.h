// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Curves fitted to the losses of a job so far, to predict those to come: the two families of SLAQ (SoCC 2017, as its brief recalls
// them), fitted by variable projection instead of four parameters at once, which often fails.
#include <optional>
#include <span>

namespace trainyard {

struct LossSample {
    double update = 0, loss = 0;
};

enum class LossFamily {
    flat,      ///< the losses do not differ
    sublinear, ///< 1/(a x² + b x + c) + d, a, b, c ≥ 0: gradient methods, O(1/k)
    linear,    ///< A μ^x + d, A ≥ 0, 0 < μ < 1: Newton-like methods and EM, O(μ^k)
};

struct LossFit {
    LossFamily family = LossFamily::flat;
    double origin = 0, scale = 1;   ///< x = (update − origin)/scale
    double a = 0, b = 0, c = 0;     ///< sublinear
    double amplitude = 0, mu = 0.5; ///< linear: A and μ
    double asymptote = 0;           ///< d
    double error = 0;               ///< weighted sum of squared residuals

    double at(double update) const;
};

struct LossFitOptions {
    double decay = 0.8;                   ///< weight of a sample ρ^age, the newest 1
    std::size_t window = 50;              ///< newest samples that count
    std::optional<double> asymptote = {}; ///< known or hinted; below all losses, else it is not used
};

/// Ascending by update, finite losses. Fewer than three samples, or losses that differ by less than 1e-12 of their size: flat at the
/// newest. The asymptote lies at most one range of the losses seen below their least: data cannot tell more.
LossFit fitSublinear(std::span<const LossSample> samples, const LossFitOptions& options);
LossFit fitLinear(std::span<const LossSample> samples, const LossFitOptions& options);
/// The one of the smaller error.
LossFit fitLosses(std::span<const LossSample> samples, const LossFitOptions& options);

} // namespace trainyard
