// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Known cells of a large matrix.
#include <cstdint>
#include <stop_token>
#include <vector>

namespace trainyard {

struct Cell {
    std::uint32_t row = 0, column = 0;
    float value = 0;
};

struct KnownCells {
    std::uint32_t rows = 0, columns = 0;
    std::vector<Cell> train, test; ///< of train: by column, then by row
};

/// Products of normal factors of this rank, with noise; rows and columns are drawn by a power law, and which of them are frequent is permuted.
/// No cell is drawn twice. Factors have variance 1/√rank, so that products have variance 1.
struct PlantedCells {
    std::uint32_t rows = 2000, columns = 200, cells = 60'000, rank = 8;
    double exponent = 1.1, noise = 0.1;
};
KnownCells plantCells(const PlantedCells& shape, std::uint64_t seed, const std::stop_token& stop = {});

} // namespace trainyard
