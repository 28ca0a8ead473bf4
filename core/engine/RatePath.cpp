// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/RatePath.h"

#include "base/Distribution.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace rate_path {

/// Blocks are single updates at first, then a sixteenth of what has been done: some 200 for a million
/// updates, and the last one, of which only a part may be needed, carries little of the variance.
constexpr double growth = 16;

/// In the place of a worker: blocks of updates draw from the job's stream of compute times.
constexpr std::uint32_t noWorker = 0xffffffffu;

double endOfBlock(double begin) { return begin + std::max(1.0, std::floor(begin / growth)); }

/// Quantile of the gamma law of mean 1 and this variance. From shape 10 on by Wilson and Hilferty, The
/// distribution of chi-square, PNAS 1931: its mean is right to 1e-4 there.
double gammaQuantile(double variance, double p) {
    const double shape = 1 / variance;
    if (shape < 10) return Distribution{.law = Law::gamma, .mean = 1, .shape = shape}.quantile(p);
    const double root = 1 - 1 / (9 * shape) + normalQuantile(p) / (3 * std::sqrt(shape));
    return std::max(0.0, root * root * root);
}

} // namespace rate_path

RatePath::RatePath(SimTime since, double updates, double goal, double mostSeconds, const UpdateTime& update,
                   std::uint64_t seed, JobId job)
    : m_since(since), m_goal(std::max(goal, updates)), m_expected(update.seconds) {
    using namespace rate_path;
    if (!(update.variance > 0) || !std::isfinite(update.seconds)) {
        m_pieces.push_back({updates, 0, update.seconds});
        return;
    }
    double seconds = 0;
    std::uint32_t block = 0;
    for (double begin = 0; begin < m_goal && seconds <= mostSeconds; begin = endOfBlock(begin), ++block) {
        const double end = endOfBlock(begin), from = std::max(begin, updates);
        if (end <= updates) continue;
        RandomStream random(seed, Purpose::compute, entityOf(job.value, noWorker), block);
        const double variance = update.variance / (update.seconds * update.seconds * (end - begin));
        const double pace = update.seconds * gammaQuantile(variance, random.unit());
        m_pieces.push_back({from, seconds, pace});
        seconds += (end - from) * pace;
    }
    if (m_pieces.empty()) m_pieces.push_back({updates, 0, update.seconds});
}

double RatePath::updatesAt(SimTime t) const {
    const double seconds = std::max(0.0, (t - m_since).toSeconds());
    const auto above = std::upper_bound(m_pieces.begin(), m_pieces.end(), seconds,
                                        [](double s, const Piece& p) { return s < p.seconds; });
    const Piece& piece = above == m_pieces.begin() ? m_pieces.front() : *(above - 1);
    const double end = above == m_pieces.end() ? m_goal : std::min(m_goal, above->updates);
    const double inside = piece.pace > 0 ? (seconds - piece.seconds) / piece.pace : end;
    return std::min(end, piece.updates + inside);
}

SimTime RatePath::timeOf(double updates) const {
    if (updates > m_goal) return SimTime::never();
    const auto above = std::upper_bound(m_pieces.begin(), m_pieces.end(), updates,
                                        [](double u, const Piece& p) { return u < p.updates; });
    const Piece& piece = above == m_pieces.begin() ? m_pieces.front() : *(above - 1);
    const double left = updates - piece.updates;
    if (left <= 0) return m_since + Duration::seconds(piece.seconds);
    const double seconds = piece.seconds + left * piece.pace;
    return std::isfinite(seconds) ? m_since + Duration::seconds(seconds) : SimTime::never();
}

} // namespace trainyard
