// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The least value of a function of one variable over an interval: for fits that are linear once one parameter is given.
#include <algorithm>
#include <limits>
#include <utility>

namespace trainyard {

/// Where f is least over [low, high]: the best of `scan` ≥ 2 equally spaced values, then golden section between its neighbours, to
/// 1e-7 or 48 steps. The least of all if f falls and then rises between these neighbours.
template <class F>
double leastPoint(double low, double high, int scan, const F& f) {
    double best = low, value = std::numeric_limits<double>::infinity();
    const double step = (high - low) / (scan - 1);
    for (int i = 0; i < scan; ++i)
        if (const double v = f(low + i * step); v < value) {
            value = v;
            best = low + i * step;
        }
    double a = std::max(low, best - step), b = std::min(high, best + step);
    constexpr double ratio = 0.6180339887498949;
    double p = b - ratio * (b - a), q = a + ratio * (b - a), fp = f(p), fq = f(q);
    for (int i = 0; i < 48 && b - a > 1e-7; ++i) {
        if (fp < fq) {
            b = q;
            q = p;
            fq = fp;
            fp = f(p = b - ratio * (b - a));
        } else {
            a = p;
            p = q;
            fp = fq;
            fq = f(q = a + ratio * (b - a));
        }
    }
    for (const auto& [at, v] : {std::pair(p, fp), {q, fq}})
        if (v < value) {
            value = v;
            best = at;
        }
    return best;
}

} // namespace trainyard
