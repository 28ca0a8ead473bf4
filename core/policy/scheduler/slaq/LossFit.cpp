// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/slaq/LossFit.h"

#include "base/Roots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace trainyard {

namespace loss_fit {

/// The samples that count, x from 0 on with a mean distance of 1, and their weights.
struct Window {
    std::vector<double> x, y, weight;
    double origin = 0, scale = 1, least = 0, greatest = 0;
    bool even = true; ///< x = 0, 1, 2 …

    Window(std::span<const LossSample> samples, const LossFitOptions& options) {
        samples = samples.last(std::min(samples.size(), options.window));
        if (samples.empty()) return;
        origin = samples.front().update;
        if (samples.size() > 1)
            scale = std::max(1e-300, (samples.back().update - origin) / static_cast<double>(samples.size() - 1));
        least = greatest = samples.front().loss;
        double w = 1;
        for (std::size_t i = samples.size(); i-- > 0; w *= options.decay) weight.push_back(w);
        std::reverse(weight.begin(), weight.end());
        for (const LossSample& s : samples) {
            x.push_back((s.update - origin) / scale);
            y.push_back(s.loss);
            least = std::min(least, s.loss);
            greatest = std::max(greatest, s.loss);
            even = even && std::abs(x.back() - static_cast<double>(x.size() - 1)) < 1e-9;
        }
    }
    double range() const { return greatest - least; }
    bool isFlat() const { return x.size() < 3 || range() <= 1e-12 * std::max(std::abs(least), std::abs(greatest)); }
    LossFit begin(LossFamily family) const {
        return {.family = family, .origin = origin, .scale = scale, .asymptote = y.empty() ? 0 : y.back()};
    }
};

double orEndless(double error) { return std::isfinite(error) ? error : std::numeric_limits<double>::infinity(); }

/// For a given μ, A and d are a weighted regression on e = μ^x. Fills the fit, its error too.
void regress(const Window& w, double mu, const std::optional<double>& pinned, std::vector<double>& e, LossFit& fit) {
    fit.mu = mu;
    const double rate = std::log(mu);
    double n = 0, e1 = 0, e2 = 0, y1 = 0, ey = 0, power = 1;
    for (std::size_t i = 0; i < w.x.size(); ++i, power *= mu) {
        e[i] = w.even ? power : std::exp(w.x[i] * rate);
        const double y = w.y[i] - w.least, k = w.weight[i], ke = k * e[i];
        n += k;
        e1 += ke;
        e2 += ke * e[i];
        y1 += k * y;
        ey += ke * y;
    }
    double d = 0;
    if (pinned) {
        d = *pinned - w.least;
        fit.amplitude = std::max(0.0, (ey - d * e1) / e2);
    } else {
        const double det = n * e2 - e1 * e1;
        fit.amplitude = det > 0 ? std::max(0.0, (n * ey - e1 * y1) / det) : 0;
        d = (y1 - fit.amplitude * e1) / n;
        if (d < -w.range()) { // further than the data can tell
            d = -w.range();
            fit.amplitude = std::max(0.0, (ey - d * e1) / e2);
        }
    }
    fit.asymptote = w.least + d;
    fit.error = 0;
    for (std::size_t i = 0; i < w.x.size(); ++i) {
        const double r = fit.amplitude * e[i] + d - (w.y[i] - w.least);
        fit.error += w.weight[i] * r * r;
    }
    fit.error = orEndless(fit.error);
}

using Three = std::array<double, 3>;

/// Solves the rows and columns of a symmetric system that `subset` names; false: singular.
bool solve(const std::array<Three, 3>& m, const Three& right, unsigned subset, Three& out) {
    std::array<int, 3> index{};
    int n = 0;
    for (int j = 0; j < 3; ++j)
        if (subset >> j & 1) index[static_cast<std::size_t>(n++)] = j;
    double a[3][4];
    for (int r = 0; r < n; ++r) {
        for (int c = 0; c < n; ++c)
            a[r][c] = m[static_cast<std::size_t>(index[static_cast<std::size_t>(r)])]
                       [static_cast<std::size_t>(index[static_cast<std::size_t>(c)])];
        a[r][n] = right[static_cast<std::size_t>(index[static_cast<std::size_t>(r)])];
    }
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int r = k + 1; r < n; ++r)
            if (std::abs(a[r][k]) > std::abs(a[pivot][k])) pivot = r;
        if (!(std::abs(a[pivot][k]) > 1e-300)) return false;
        std::swap(a[k], a[pivot]);
        for (int r = 0; r < n; ++r) {
            if (r == k) continue;
            const double factor = a[r][k] / a[k][k];
            for (int c = k; c <= n; ++c) a[r][c] -= factor * a[k][c];
        }
    }
    out = {};
    for (int k = 0; k < n; ++k) out[static_cast<std::size_t>(index[static_cast<std::size_t>(k)])] = a[k][n] / a[k][k];
    return true;
}

/// For a given d, 1/(y − d) = a x² + b x + c is linear: the non-negative coefficients of the least weighted error, of all choices of
/// those that are not zero. Weights w (y − d)⁴ undo the reciprocal (delta method). Fills the fit, its error too.
void reciprocal(const Window& w, double d, LossFit& fit) {
    double s[5] = {}, r[3] = {}, squares = 0;
    const double most = w.x.back() > 0 ? w.x.back() : 1, unit = w.greatest - d; // both of the order of 1 then
    for (std::size_t i = 0; i < w.x.size(); ++i) {
        const double x = w.x[i] / most, above = (w.y[i] - d) / unit, square = above * above;
        const double k = w.weight[i] * square * square, kz = w.weight[i] * square * above;
        const double kx = k * x, kxx = kx * x;
        s[0] += k;
        s[1] += kx;
        s[2] += kxx;
        s[3] += kxx * x;
        s[4] += kxx * x * x;
        r[0] += kz;
        r[1] += kz * x;
        r[2] += kz * x * x;
        squares += w.weight[i] * square;
    }
    const std::array<Three, 3> m{Three{s[4], s[3], s[2]}, Three{s[3], s[2], s[1]}, Three{s[2], s[1], s[0]}};
    const Three right{r[2], r[1], r[0]};
    Three best{};
    double least = std::numeric_limits<double>::infinity();
    for (const unsigned subset : {7u, 6u, 5u, 3u, 4u, 2u, 1u}) {
        Three x;
        if (!solve(m, right, subset, x) || x[0] < 0 || x[1] < 0 || x[2] < 0) continue;
        double error = squares;
        for (std::size_t i = 0; i < 3; ++i) {
            error -= 2 * x[i] * right[i];
            for (std::size_t j = 0; j < 3; ++j) error += x[i] * m[i][j] * x[j];
        }
        if (error < least) {
            least = error;
            best = x;
        }
        if (subset == 7) break; // the best without bounds keeps them
    }
    fit.a = best[0] / (most * most * unit);
    fit.b = best[1] / (most * unit);
    fit.c = best[2] / unit;
    fit.asymptote = d;
    fit.error = 0;
    for (std::size_t i = 0; i < w.x.size(); ++i) {
        const double residual = 1 / std::max(1e-300, (fit.a * w.x[i] + fit.b) * w.x[i] + fit.c) - (w.y[i] - d);
        fit.error += w.weight[i] * residual * residual;
    }
    fit.error = orEndless(fit.error);
}

} // namespace loss_fit

using namespace loss_fit;

double LossFit::at(double update) const {
    const double x = (update - origin) / scale;
    switch (family) {
    case LossFamily::sublinear: return 1 / std::max(1e-300, (a * x + b) * x + c) + asymptote;
    case LossFamily::linear: return amplitude * std::exp(x * std::log(mu)) + asymptote;
    case LossFamily::flat: break;
    }
    return asymptote;
}

LossFit fitSublinear(std::span<const LossSample> samples, const LossFitOptions& options) {
    const Window w(samples, options);
    if (w.isFlat()) return w.begin(LossFamily::flat);
    LossFit fit = w.begin(LossFamily::sublinear);
    if (options.asymptote && *options.asymptote < w.least) {
        reciprocal(w, *options.asymptote, fit);
    } else {
        const auto error = [&](double logDistance) {
            reciprocal(w, w.least - w.range() * std::exp(logDistance), fit);
            return fit.error;
        };
        const double best = leastPoint(std::log(1e-6), 0, 24, error);
        reciprocal(w, w.least - w.range() * std::exp(best), fit);
    }
    return fit;
}

LossFit fitLinear(std::span<const LossSample> samples, const LossFitOptions& options) {
    const Window w(samples, options);
    if (w.isFlat()) return w.begin(LossFamily::flat);
    LossFit fit = w.begin(LossFamily::linear);
    const auto pinned = options.asymptote && *options.asymptote < w.least ? options.asymptote : std::nullopt;
    std::vector<double> powers(w.x.size());
    const auto error = [&](double logRate) { // of 1 − μ
        regress(w, 1 - std::exp(logRate), pinned, powers, fit);
        return fit.error;
    };
    const double best = leastPoint(std::log(1e-4), std::log(0.95), 30, error);
    regress(w, 1 - std::exp(best), pinned, powers, fit);
    return fit;
}

LossFit fitLosses(std::span<const LossSample> samples, const LossFitOptions& options) {
    const LossFit sublinear = fitSublinear(samples, options), linear = fitLinear(samples, options);
    return linear.error < sublinear.error ? linear : sublinear;
}

} // namespace trainyard
