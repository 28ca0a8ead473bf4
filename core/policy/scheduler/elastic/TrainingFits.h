// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How fast a job goes with so many workers and servers, and how its loss falls, fitted to what was measured: the two models of
// Optimus (Peng et al., EuroSys 2018). All coefficients are non-negative (NonNegativeFit).
#include <array>
#include <optional>
#include <span>

namespace trainyard {

/// A measured pace.
struct SpeedPoint {
    int workers = 1;
    int servers = 1; ///< 0: parameters are spread over the workers, which counts as a server on each
    double secondsPerUpdate = 0;
};

/// Synchronous: seconds per update T = a·M/w + b + c·w/p + d·w + e·p with w workers, p servers and M samples per update.
/// Asynchronous: each worker on its own, T = (a + b·w/p + c·w + d·p)/w. The paper gives 1/T.
struct SpeedFit {
    enum class Form { synchronous, asynchronous };
    Form form = Form::synchronous;
    double batch = 1;                     ///< M
    std::array<double, 5> coefficients{}; ///< a, b, …; the last is 0 where asynchronous
    double relativeError = 0;             ///< root mean square, of the points, relative to each
    double secondsPerUpdate(int workers, int servers) const;
};

/// Least squares of the relative errors. The paper wants at least five points (synchronous) or four; fewer are fitted too, and
/// then say nothing of coefficients whose terms they do not tell apart. Points are positive and finite, one at least.
SpeedFit fitSpeed(std::span<const SpeedPoint> points, double batch, SpeedFit::Form form);
/// The form that fits better; synchronous where both fit alike (errors within 1e-6).
SpeedFit fitSpeed(std::span<const SpeedPoint> points, double batch);

/// Loss after k updates: l(k) = 1/(a·k + b) + c with a, b, c ≥ 0.
struct LossHyperbola {
    double a = 0, b = 1, c = 0;
    double at(double updates) const { return 1 / (a * updates + b) + c; }
    /// The least k ≥ 0 with l(k) ≤ loss; infinity if there is none.
    double updatesUntil(double loss) const;
};

/// Weighted least squares, later points weighing more: the points in order are cut into thirds, whose standard errors are taken as
/// 1, 1/4 and 1/16. For given c, 1/(l − c) = a·k + b is fitted (errors scaled back to those of l to first order); c by search
/// between 0 and the least loss. nullopt: fewer than 3 points, losses that are not positive or do not fall.
std::optional<LossHyperbola> fitLossHyperbola(std::span<const double> updates, std::span<const double> losses);

} // namespace trainyard
