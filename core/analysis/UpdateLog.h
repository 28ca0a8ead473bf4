// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The parameter updates of one job: where in the log each lies, which gradients it used and how stale these
// were. Filled by RunIndex, event by event; read by the views of waiting.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace trainyard {

struct UsedGradient {
    std::uint32_t worker = 0;
    std::uint32_t staleness = 0; ///< updates between the reading of its parameters and its use
};

class UpdateLog {
public:
    void arrived(std::uint32_t worker, std::uint32_t task, double staleness);
    void used(std::uint32_t worker, std::uint32_t task);
    void dropped(std::uint32_t worker, std::uint32_t task);
    void applied(std::size_t position, double samples);

    std::size_t size() const { return m_positions.size(); }
    /// Of the update's event in the log.
    std::size_t position(std::size_t update) const { return m_positions[update]; }
    double samples(std::size_t update) const { return m_samples[update]; }
    /// Updates whose event lies before this position of the log.
    std::size_t before(std::size_t position) const;
    /// All gradients used, in order; those of an update are [usedBefore(update), usedBefore(update + 1)).
    const std::vector<UsedGradient>& gradients() const { return m_used; }
    std::size_t usedBefore(std::size_t update) const { return update == 0 ? 0 : m_usedUntil[update - 1]; }
    /// How many gradients an update used: the k it waited for.
    std::size_t gradientsOf(std::size_t update) const { return usedBefore(update + 1) - usedBefore(update); }
    /// From this update on, so many gradients and so many samples of each.
    struct Step {
        std::size_t update = 0, gradients = 0;
        double samplesOfEach = 0;
    };
    /// The first update, and each that was made otherwise than the one before.
    const std::vector<Step>& steps() const { return m_steps; }

private:
    struct Held {
        std::uint32_t task, staleness; ///< the latter at its arrival
        std::size_t arrivedAt;         ///< updates before it
    };
    std::optional<Held> take(std::uint32_t worker, std::uint32_t task);

    std::vector<std::size_t> m_positions, m_usedUntil;
    std::vector<double> m_samples;
    std::vector<Step> m_steps;
    std::vector<UsedGradient> m_used;
    std::vector<std::vector<Held>> m_held; ///< by worker: arrived, neither used nor dropped
};

} // namespace trainyard
