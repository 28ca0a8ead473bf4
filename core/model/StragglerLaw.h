// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How a machine strays from its nominal speed. A task's compute time is
//   nominal × samples × factor(draw) × persistentFactor × (burst factor at that time),
// and each upload waits `delay` seconds extra before it leaves. Draws are keyed by job, worker and task number, bursts by
// wall-clock bin, so that every policy meets the same noise.
#include "base/Distribution.h"
#include "base/SimTime.h"

#include <deque>
#include <optional>

namespace trainyard {

/// Two-state Markov chain over bins of fixed length: normal ↔ slow.
struct Burst {
    double enter = 0.01; ///< P(normal → slow) per bin
    double leave = 0.1;  ///< P(slow → normal) per bin
    double factor = 5;   ///< compute time is multiplied by this while slow
    double binSeconds = 1;

    /// Long-run share of slow bins; 0 if it never enters.
    double stationaryShare() const { return enter > 0 ? enter / (enter + leave) : 0; }
    Problems check(const std::string& pointer) const;
    friend bool operator==(const Burst&, const Burst&) = default;
};

struct StragglerLaw {
    Distribution factor;         ///< of the compute time; constant 1 = no noise
    double persistentFactor = 1; ///< > 1: this machine is always slower
    std::optional<Burst> burst;
    std::optional<Distribution> delay; ///< extra seconds per upload (communication noise)

    /// Ranges violated in any part; keys as in files: factor, persistent_factor, burst, delay.
    Problems check(const std::string& pointer) const;
    friend bool operator==(const StragglerLaw&, const StragglerLaw&) = default;
};

/// The burst chain of one machine, begun in its stationary law. The state of bin b is a pure function of (seed, machine, b),
/// whatever was asked before. Kept as the bins at which the state changes, drawn forward as far as asked: the length of a
/// stay is geometric, one variate each. Not for use by several threads at once.
class BurstChain {
public:
    BurstChain(const Burst& burst, std::uint64_t seed, std::uint32_t machine);
    double factorAt(SimTime t);
    bool slow(std::uint64_t bin);

private:
    void drawStay();

    Burst m_burst;
    std::int64_t m_binNs;
    RandomStream m_random;
    bool m_firstSlow;
    std::deque<std::uint64_t>
        m_ends; ///< first bin after each stay, which alternate between normal and slow; there may be very many
};

} // namespace trainyard
