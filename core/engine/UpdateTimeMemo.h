// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Update times that have been measured (LoneJob.h), by all that they depend on. Runs of one comparison, sweep
// or study share one (SimulationOptions::updateTimes): each answer is a function of its key, so that who asks
// first changes nothing. For several threads at once.
#include "model/Job.h"
#include "planning/UpdateTimes.h"

#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace trainyard {

class UpdateTimeMemo {
public:
    using Key = std::vector<double>;

    /// Stands for the choice of a synchronization in a key.
    double numberOf(const Choice& choice) {
        const std::scoped_lock lock(m_mutex);
        for (std::size_t i = 0; i < m_choices.size(); ++i)
            if (m_choices[i] == choice) return static_cast<double>(i);
        m_choices.push_back(choice);
        return static_cast<double>(m_choices.size() - 1);
    }
    std::optional<UpdateTime> find(const Key& key) const {
        const std::scoped_lock lock(m_mutex);
        const auto it = m_known.find(key);
        return it == m_known.end() ? std::nullopt : std::optional(it->second);
    }
    void keep(Key key, const UpdateTime& time) {
        const std::scoped_lock lock(m_mutex);
        m_known.emplace(std::move(key), time);
    }

private:
    mutable std::mutex m_mutex;
    std::vector<Choice> m_choices;
    std::map<Key, UpdateTime> m_known;
};

} // namespace trainyard
