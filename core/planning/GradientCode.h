// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Gradient codes: m workers compute sums over s + 1 of m groups of data each, so that the sum over all groups
// can be had from any m − s of their messages. Used by the gradient-coding synchronization. Tandon et al.,
// Gradient coding: avoiding stragglers in distributed learning, ICML 2017: any such code needs s + 1 copies
// of everything.
#include "base/Result.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace trainyard {

class GradientCode {
public:
    enum class Kind {
        fractionalRepetition, ///< workers in m/(s+1) teams; all of a team send the sum of the team's groups
        cyclic                ///< worker i: groups i … i + s (mod m) with the coefficients of row i of B
    };
    /// A code of m ≥ 1 workers that tolerates 0 ≤ s < m stragglers. Problems: fractional repetition where s +
    /// 1 does not divide m ("indivisible"), s out of range ("out-of-range").
    static Result<GradientCode> make(Kind kind, int workers, int stragglers);

    int workers() const { return m_workers; }
    int stragglers() const { return m_stragglers; }
    /// (group, coefficient) pairs of one worker's message Σ coefficient × group's gradient.
    std::span<const std::pair<std::uint32_t, double>> row(int worker) const {
        return m_rows[static_cast<std::size_t>(worker)];
    }
    /// Weights a, one per responder, in their order, with Σ a_i row_i = (1, …, 1): the sum of all groups is
    /// Σ a_i message_i. Any m − s responders will do, fewer may (a team's member each). Problems:
    /// "undecodable", naming what is missing or the residual.
    Result<std::vector<double>> decode(std::span<const int> responders) const;
    /// max_j |Σ a_i B_ij − 1|.
    double residual(std::span<const int> responders, std::span<const double> weights) const;

private:
    Result<std::vector<double>> decodeTeams(std::span<const int> responders) const;
    Result<std::vector<double>> decodeCyclic(std::span<const int> responders) const;

    Kind m_kind = Kind::cyclic;
    int m_workers = 1, m_stragglers = 0;
    std::vector<std::vector<std::pair<std::uint32_t, double>>> m_rows;
};

} // namespace trainyard
