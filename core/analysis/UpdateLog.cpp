// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/UpdateLog.h"

#include <algorithm>

namespace trainyard {

void UpdateLog::arrived(std::uint32_t worker, std::uint32_t task, double staleness) {
    if (m_held.size() <= worker) m_held.resize(worker + 1);
    m_held[worker].push_back({task, static_cast<std::uint32_t>(std::clamp(staleness, 0.0, 4e9)), size()});
}

std::optional<UpdateLog::Held> UpdateLog::take(std::uint32_t worker, std::uint32_t task) {
    if (worker >= m_held.size()) return std::nullopt;
    auto& held = m_held[worker];
    const auto it = std::find_if(held.begin(), held.end(), [&](const Held& h) { return h.task == task; });
    if (it == held.end()) return std::nullopt;
    const Held found = *it;
    held.erase(it);
    return found;
}

void UpdateLog::used(std::uint32_t worker, std::uint32_t task) {
    const auto held = take(worker, task);
    m_used.push_back({worker, held ? held->staleness + static_cast<std::uint32_t>(size() - held->arrivedAt) : 0});
}

void UpdateLog::dropped(std::uint32_t worker, std::uint32_t task) { take(worker, task); }

void UpdateLog::applied(std::size_t position, double samples) {
    m_positions.push_back(position);
    m_samples.push_back(samples);
    m_usedUntil.push_back(m_used.size());
    const std::size_t gradients = gradientsOf(size() - 1);
    const double each = gradients > 0 ? samples / static_cast<double>(gradients) : 0;
    if (m_steps.empty() || m_steps.back().gradients != gradients || m_steps.back().samplesOfEach != each)
        m_steps.push_back({size() - 1, gradients, each});
}

std::size_t UpdateLog::before(std::size_t position) const {
    return static_cast<std::size_t>(std::lower_bound(m_positions.begin(), m_positions.end(), position) -
                                    m_positions.begin());
}

} // namespace trainyard
