// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/NoiseScale.h"

#include <algorithm>

namespace trainyard {

void NoiseScale::add(std::size_t workers, double samples, double meanSquaredNorm, double squaredNormOfMean) {
    const auto n = static_cast<double>(workers);
    // E|mean of n|² = |G|² + tr Σ/(n·samples), E|one|² = |G|² + tr Σ/samples
    const double noise = (meanSquaredNorm - squaredNormOfMean) * samples * n / (n - 1);
    const double signal = (n * squaredNormOfMean - meanSquaredNorm) / (n - 1);
    m_noise = decay * m_noise + noise;
    m_signal = decay * m_signal + signal;
    ++m_updates;
}

std::optional<double> NoiseScale::value() const {
    if (m_updates < leastUpdates) return std::nullopt;
    if (m_noise <= 0) return 0;
    return m_signal * most <= m_noise ? most : std::min(most, m_noise / m_signal);
}

} // namespace trainyard
