// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Factorization of a matrix of which some cells are known, by stochastic gradient descent: cell (i, j) ≈ wᵢ · hⱼ, the loss is
// ½ (cell − wᵢ · hⱼ)² + ½ λ (|wᵢ|² + |hⱼ|²). A worker goes through its rows' cells column by column: rows are its own, and a column is
// needed for a while and then no more.
#include "learning/keyed/Cells.h"
#include "learning/keyed/KeyedModel.h"

namespace trainyard {

struct FactorizationSettings {
    std::uint32_t rank = 16;
    double rate = 0.05, penalty = 0.01;
    double spread = 0.3; ///< standard deviation of initial values
    std::uint64_t seed = 1;
};

/// Keys: rows, then columns. Quality: rmse on the test cells.
std::shared_ptr<const KeyedModel> makeFactorizationModel(std::shared_ptr<const KnownCells> cells,
                                                         const FactorizationSettings& settings);

} // namespace trainyard
