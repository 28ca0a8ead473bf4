// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Gradients of layers and networks against central differences.
#include "base/Random.h"
#include "learning/nets/Matrix.h"

#include <cmath>
#include <functional>
#include <numeric>
#include <span>

namespace trainyard::test {

using M = nets::Matrix<double>;

inline M drawn(std::size_t rows, std::size_t columns, RandomStream& random) {
    M out(rows, columns);
    for (double& v : out.numbers) v = random.normal();
    return out;
}

/// Σ c · y, so that ∂/∂y = c.
inline double product(const M& c, const M& y) {
    return std::inner_product(c.numbers.begin(), c.numbers.end(), y.numbers.begin(), 0.0);
}

/// Of any differentiable function of numbers in place, by central differences.
inline std::vector<double> differences(std::span<double> numbers, const std::function<double()>& function) {
    std::vector<double> out;
    for (double& number : numbers) {
        const double v = number, h = 1e-6;
        number = v + h;
        const double above = function();
        number = v - h;
        const double below = function();
        number = v;
        out.push_back((above - below) / (2 * h));
    }
    return out;
}

inline bool agree(std::span<const double> a, std::span<const double> b) {
    if (a.size() != b.size() || a.empty()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::abs(a[i] - b[i]) > 1e-6 * (1 + std::abs(a[i]))) return false;
    return true;
}

} // namespace trainyard::test
