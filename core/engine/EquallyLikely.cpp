// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/EquallyLikely.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace equally_likely {

constexpr std::size_t finer = 4; ///< quantiles for each value
constexpr std::size_t tableSize = 1024;
constexpr std::size_t tail = 16; ///< so many of the highest values are drawn from the law itself

/// Whether quantiles cost many evaluations each, so that they are better read off the distribution function.
bool quantilesAreDear(const Distribution& d) {
    return d.law == Law::gamma || d.law == Law::bimodal || d.law == Law::hypoexponential;
}

std::vector<double> quantiles(const Distribution& law, std::size_t count) {
    std::vector<double> out(count);
    const auto level = [&](std::size_t i) { return (static_cast<double>(i) + 0.5) / static_cast<double>(count); };
    if (!quantilesAreDear(law)) {
        for (std::size_t i = 0; i < count; ++i) out[i] = law.quantile(level(i));
        return out;
    }
    // The distribution function at points equally far apart in log x, and lines between them.
    constexpr std::size_t points = 4096;
    const double low = std::log(std::max(law.quantile(level(0)), 1e-300)),
                 high = std::log(law.quantile(level(count - 1)));
    double x = std::exp(low), p = law.cdf(x);
    std::size_t i = 0;
    for (std::size_t j = 1; j <= points; ++j) {
        const double nextX = std::exp(low + (high - low) * static_cast<double>(j) / points), nextP = law.cdf(nextX);
        for (; i < count && (level(i) <= nextP || j == points); ++i)
            out[i] = nextP > p ? std::clamp(x + (level(i) - p) / (nextP - p) * (nextX - x), x, nextX) : nextX;
        x = nextX;
        p = nextP;
    }
    return out;
}

} // namespace equally_likely

std::vector<double> equallyLikelyValues(const Distribution& law, std::size_t size) {
    using namespace equally_likely;
    if (law.law == Law::constant) return {law.value};
    const auto fine = quantiles(law, size * finer);
    std::vector<double> out(size, 0.0);
    for (std::size_t i = 0; i < fine.size(); ++i) out[i / finer] += fine[i] / finer;
    // The last piece has no end: its mean is what the others leave of the law's.
    const double rest =
        law.expectation() * static_cast<double>(size) - std::accumulate(out.begin(), out.end() - 1, 0.0);
    if (std::isfinite(rest) && rest > out[size - 2]) out.back() = rest;
    return out;
}

const ValueTable* ValueTables::of(const Distribution& law) {
    using namespace equally_likely;
    for (const auto& table : m_tables)
        if (*table->law == law) return table.get();
    return m_tables.emplace_back(new ValueTable{&law, equallyLikelyValues(law, tableSize)}).get();
}

double BalancedDraws::draw() {
    using namespace equally_likely;
    if (!m_table) return 1;
    const auto& values = m_table->values;
    if (values.size() == 1) return values.front();
    if (m_order.empty()) {
        m_order.resize(values.size());
        std::iota(m_order.begin(), m_order.end(), std::uint16_t{0});
    }
    if (m_next == 0)
        for (std::size_t i = m_order.size(); i-- > 1;) std::swap(m_order[i], m_order[m_random.below(i + 1)]);
    const std::size_t i = m_order[m_next];
    m_next = (m_next + 1) % m_order.size();
    if (i + tail < values.size()) return values[i];
    return m_table->law->quantile((static_cast<double>(i) + m_random.unit()) / static_cast<double>(values.size()));
}

} // namespace trainyard
