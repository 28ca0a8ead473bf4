// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/GradientCode.h"

#include "base/Format.h"
#include "base/Random.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace gradient_code {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Rows = std::vector<std::vector<std::pair<std::uint32_t, double>>>;

constexpr double worstResidual = 1e-6;
constexpr int candidates = 64;

/// Row i of B: 1 at i, and at i+1 … i+s (mod m) what makes it orthogonal to the rows of H, an s × m Gaussian
/// matrix whose rows add up to 0, so that the all-ones vector is orthogonal to them, too. Empty where a solve
/// fails. s is at least 1.
Rows cyclicRows(int m, int s, std::uint32_t number) {
    RandomStream random(0, Purpose::policy, 0x636f6465, number); // the code is no part of a run's randomness
    Matrix h(s, m);
    for (int r = 0; r < s; ++r) {
        double sum = 0;
        for (int c = 0; c + 1 < m; ++c) sum += h(r, c) = random.normal();
        h(r, m - 1) = -sum;
    }
    Rows rows;
    for (int i = 0; i < m; ++i) {
        std::vector<std::pair<std::uint32_t, double>> row{{static_cast<std::uint32_t>(i), 1.0}};
        Matrix block(s, s);
        for (int j = 0; j < s; ++j) block.col(j) = h.col((i + 1 + j) % m);
        const Vector rest = block.fullPivLu().solve(-h.col(i));
        if (!rest.allFinite()) return {};
        for (int j = 0; j < s; ++j) row.emplace_back(static_cast<std::uint32_t>((i + 1 + j) % m), rest[j]);
        rows.push_back(std::move(row));
    }
    return rows;
}

double greatestCoefficient(const Rows& rows) {
    double greatest = 0;
    for (const auto& row : rows)
        for (const auto& [group, coefficient] : row) greatest = std::max(greatest, std::abs(coefficient));
    return greatest;
}

/// Rounding errors grow with the coefficients: the tamest of several codes is taken.
Rows bestCyclicRows(int m, int s) {
    Rows best;
    if (s == 0) { // nothing to solve: each worker has its own part alone
        for (int i = 0; i < m; ++i) best.push_back({{static_cast<std::uint32_t>(i), 1.0}});
        return best;
    }
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t c = 0; c < candidates; ++c) {
        Rows rows = cyclicRows(m, s, c);
        if (rows.empty()) continue;
        if (const double size = greatestCoefficient(rows); size < least) {
            least = size;
            best = std::move(rows);
        }
    }
    require(!best.empty(), "no cyclic code could be made");
    return best;
}

Problem undecodable(const char* pattern, std::vector<std::string> arguments) {
    return {.code = "undecodable", .message = {pattern, std::move(arguments)}};
}

} // namespace gradient_code

using namespace gradient_code;

Result<GradientCode> GradientCode::make(Kind kind, int workers, int stragglers) {
    if (workers < 1 || stragglers < 0 || stragglers >= workers)
        return Problem{
            .code = "out-of-range",
            .message = {
                TRAINYARD_TEXT("a code of {0} {0:worker|workers} tolerates 0 to {1} {1:straggler|stragglers}, not {2}"),
                {std::to_string(workers), std::to_string(std::max(0, workers - 1)), std::to_string(stragglers)}}};
    GradientCode code;
    code.m_kind = kind;
    code.m_workers = workers;
    code.m_stragglers = stragglers;
    if (kind == Kind::cyclic) {
        code.m_rows = bestCyclicRows(workers, stragglers);
        return code;
    }
    const int team = stragglers + 1;
    if (workers % team != 0)
        return Problem{
            .code = "indivisible",
            .message = {
                TRAINYARD_TEXT("fractional repetition makes teams of {0} {0:worker|workers}, which do not divide {1} "
                               "evenly; choose a number of workers that is a multiple of {0}, or the "
                               "cyclic code"),
                {std::to_string(team), std::to_string(workers)}}};
    for (int w = 0; w < workers; ++w) {
        auto& row = code.m_rows.emplace_back();
        for (int j = 0; j < team; ++j) row.emplace_back(static_cast<std::uint32_t>(w / team * team + j), 1.0);
    }
    return code;
}

Result<std::vector<double>> GradientCode::decode(std::span<const int> responders) const {
    for (const int r : responders)
        require(r >= 0 && r < m_workers, "a response of a worker that is not part of the code");
    return m_kind == Kind::cyclic ? decodeCyclic(responders) : decodeTeams(responders);
}

Result<std::vector<double>> GradientCode::decodeTeams(std::span<const int> responders) const {
    const int team = m_stragglers + 1;
    std::vector<bool> covered(static_cast<std::size_t>(m_workers / team), false);
    std::vector<double> weights(responders.size(), 0.0);
    for (std::size_t i = 0; i < responders.size(); ++i) {
        const auto t = static_cast<std::size_t>(responders[i] / team);
        if (!covered[t]) weights[i] = 1;
        covered[t] = true;
    }
    const auto missing = std::count(covered.begin(), covered.end(), false);
    if (missing > 0)
        return undecodable(TRAINYARD_TEXT("{0} of {1} teams have not answered"),
                           {std::to_string(missing), std::to_string(covered.size())});
    return weights;
}

Result<std::vector<double>> GradientCode::decodeCyclic(std::span<const int> responders) const {
    const auto count = static_cast<Eigen::Index>(responders.size());
    if (count < m_workers - m_stragglers)
        return undecodable(
            TRAINYARD_TEXT("{0} of {1} {1:worker|workers} have answered; {2} are needed"),
            {std::to_string(count), std::to_string(m_workers), std::to_string(m_workers - m_stragglers)});
    // Σ a_i row_i = 1: m equations. Columns scaled to length 1, solved by QR, and refined once with the
    // residual.
    Matrix rowsOf = Matrix::Zero(m_workers, count);
    Vector scale(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        for (const auto& [group, coefficient] : row(responders[static_cast<std::size_t>(i)]))
            rowsOf(group, i) = coefficient;
        scale[i] = 1 / rowsOf.col(i).norm();
        rowsOf.col(i) *= scale[i];
    }
    const Eigen::ColPivHouseholderQR<Matrix> qr(rowsOf);
    const Vector ones = Vector::Ones(m_workers);
    Vector a = qr.solve(ones);
    a += qr.solve(ones - rowsOf * a);
    std::vector<double> weights(responders.size());
    for (Eigen::Index i = 0; i < count; ++i) weights[static_cast<std::size_t>(i)] = a[i] * scale[i];
    const double error = residual(responders, weights);
    if (!(error < worstResidual))
        return undecodable(TRAINYARD_TEXT("the answers of {0} {0:worker|workers} leave a residual of {1}"),
                           {std::to_string(count), formatNumber(error, 3)});
    return weights;
}

double GradientCode::residual(std::span<const int> responders, std::span<const double> weights) const {
    std::vector<double> sum(static_cast<std::size_t>(m_workers), -1.0);
    for (std::size_t i = 0; i < responders.size(); ++i)
        for (const auto& [group, coefficient] : row(responders[i])) sum[group] += weights[i] * coefficient;
    double worst = 0;
    for (const double x : sum)
        worst = std::isnan(x) ? std::numeric_limits<double>::infinity() : std::max(worst, std::abs(x));
    return worst;
}

} // namespace trainyard
