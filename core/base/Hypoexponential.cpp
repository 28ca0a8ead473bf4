// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/Hypoexponential.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace trainyard {

namespace {

/// S = e^{−at} + a (e^{−at} − e^{−bt}) / (b − a) with rates a ≤ b, written so that a = b (Erlang) is no
/// special case.
double survivalOfTwo(double mean1, double mean2, double x) {
    const double a = 1 / std::max(mean1, mean2), b = 1 / std::min(mean1, mean2);
    const double d = (b - a) * x;
    const double ratio = d > 0 ? -std::expm1(-d) / d : 1.0;
    return std::exp(-a * x) * (1 + a * x * ratio);
}

/// Upper triangular, row-major; only entries on and above the diagonal are kept up to date.
using Triangular = std::vector<double>;

/// Entries on and next to the diagonal in closed form: with them exact, rounding does not double with every
/// squaring.
void pin(Triangular& m, std::span<const double> means, double tau) {
    const std::size_t n = means.size();
    for (std::size_t i = 0; i < n; ++i) {
        m[i * n + i] = std::exp(-tau / means[i]);
        if (i + 1 == n) break;
        const double slow = 1 / std::max(means[i], means[i + 1]), fast = 1 / std::min(means[i], means[i + 1]);
        const double d = (fast - slow) * tau;
        m[i * n + i + 1] = tau / means[i] * std::exp(-slow * tau) * (d > 0 ? -std::expm1(-d) / d : 1.0);
    }
}

Triangular squared(const Triangular& m, std::size_t n) {
    Triangular out(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = i; k < n; ++k)
            for (std::size_t j = k; j < n; ++j) out[i * n + j] += m[i * n + k] * m[k * n + j];
    return out;
}

/// exp(Qτ) of the chain 1 → 2 → … → n → absorbed by uniformisation, for Λτ ≤ 1: a series of non-negative
/// matrices.
Triangular transitions(std::span<const double> means, double fastest, double tau) {
    const std::size_t n = means.size();
    Triangular out(n * n, 0.0), power(n * n, 0.0), next(n * n);
    for (std::size_t i = 0; i < n; ++i) power[i * n + i] = 1;
    const double steps = fastest * tau;
    double weight = std::exp(-steps);
    for (int term = 0; term < 24; ++term) {
        for (std::size_t i = 0; i < n * n; ++i) out[i] += weight * power[i];
        std::fill(next.begin(), next.end(), 0.0);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = i; k < n; ++k) {
                const double move = 1 / (means[k] * fastest);
                next[i * n + k] += power[i * n + k] * (1 - move);
                if (k + 1 < n) next[i * n + k + 1] += power[i * n + k] * move;
            }
        power.swap(next);
        weight *= steps / (term + 1);
    }
    return out;
}

} // namespace

double hypoexponentialSurvival(std::span<const double> means, double x) {
    if (!(x > 0)) return 1;
    if (std::isinf(x)) return 0;
    const std::size_t n = means.size();
    if (n == 1) return std::exp(-x / means[0]);
    if (n == 2) return survivalOfTwo(means[0], means[1], x);
    // Scaling and squaring: exp(Qx) = exp(Qx/2^s)^(2^s).
    const double fastest = 1 / *std::min_element(means.begin(), means.end());
    const int doublings = std::max(0, static_cast<int>(std::ceil(std::log2(fastest * x))));
    Triangular p = transitions(means, fastest, std::ldexp(x, -doublings));
    pin(p, means, std::ldexp(x, -doublings));
    for (int left = doublings; left-- > 0;) {
        p = squared(p, n);
        pin(p, means, std::ldexp(x, -left));
    }
    double survival = 0;
    for (std::size_t j = 0; j < n; ++j) survival += p[j];
    return std::min(survival, 1.0);
}

} // namespace trainyard
