// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/keyed/AliasTable.h"

#include "base/Result.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

AliasTable::AliasTable(std::span<const double> weights) : m_cells(weights.size()) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    require(sum > 0 && std::isfinite(sum), "a distribution without mass");
    const auto count = static_cast<double>(weights.size());
    std::vector<double> scaled(weights.size());
    std::vector<std::uint32_t> small, large;
    for (std::uint32_t i = 0; i < weights.size(); ++i) {
        scaled[i] = weights[i] / sum * count;
        (scaled[i] < 1 ? small : large).push_back(i);
    }
    const auto set = [&](std::uint32_t cell, double share, std::uint32_t alias) {
        const double threshold = std::clamp(share * 0x1p32, 0.0, 0x1p32 - 1);
        m_cells[cell] = {static_cast<std::uint32_t>(threshold), cell, alias};
    };
    while (!small.empty() && !large.empty()) {
        const std::uint32_t less = small.back(), more = large.back();
        small.pop_back();
        set(less, scaled[less], more);
        scaled[more] -= 1 - scaled[less];
        if (scaled[more] >= 1) continue;
        large.pop_back();
        small.push_back(more);
    }
    for (const auto* rest : {&small, &large}) // 1 but for rounding
        for (const std::uint32_t cell : *rest) set(cell, 1, cell);
}

} // namespace trainyard
