// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/keyed/Cells.h"

#include "base/Random.h"
#include "base/Stopped.h"
#include "learning/keyed/AliasTable.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

namespace trainyard {

KnownCells plantCells(const PlantedCells& shape, std::uint64_t seed, const std::stop_token& stop) {
    RandomStream random(seed, Purpose::dataset, 0, 3);
    const auto law = [&](std::uint32_t count) {
        std::vector<double> weights(count);
        for (std::uint32_t n = 0; n < count; ++n) weights[n] = std::pow(n + 1.0, -shape.exponent);
        return AliasTable(weights);
    };
    const auto permuted = [&](std::uint32_t count) {
        std::vector<std::uint32_t> out(count);
        std::iota(out.begin(), out.end(), 0u);
        for (std::size_t i = count; i > 1; --i) std::swap(out[i - 1], out[random.below(i)]);
        return out;
    };
    const AliasTable rowLaw = law(shape.rows), columnLaw = law(shape.columns);
    const auto rows = permuted(shape.rows), columns = permuted(shape.columns);
    const double spread = std::pow(shape.rank, -0.25);
    const auto factors = [&](std::uint32_t count) {
        std::vector<double> out(std::size_t{count} * shape.rank);
        for (double& factor : out) factor = spread * random.normal();
        return out;
    };
    const std::vector<double> left = factors(shape.rows), right = factors(shape.columns);
    KnownCells out{.rows = shape.rows, .columns = shape.columns, .train = {}, .test = {}};
    std::unordered_set<std::uint64_t> drawn;
    for (std::uint64_t tries = 0; drawn.size() < shape.cells && tries < 50ull * shape.cells; ++tries) {
        if (tries % 1024 == 0) throwIfStopped(stop);
        const std::uint32_t row = rows[rowLaw.draw(random)], column = columns[columnLaw.draw(random)];
        if (!drawn.insert(std::uint64_t{column} << 32 | row).second) continue;
        double value = shape.noise * random.normal();
        for (std::uint32_t k = 0; k < shape.rank; ++k)
            value += left[std::size_t{row} * shape.rank + k] * right[std::size_t{column} * shape.rank + k];
        (drawn.size() % 20 == 0 ? out.test : out.train).push_back({row, column, static_cast<float>(value)});
    }
    std::ranges::sort(out.train, [](const Cell& a, const Cell& b) {
        return a.column != b.column ? a.column < b.column : a.row < b.row;
    });
    return out;
}

} // namespace trainyard
