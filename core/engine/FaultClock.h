// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// When machines and links fail and when they are back: the scenario's faults, single and random ones, and how
// many of them hold a thing down at once. Both modes ask it; each draws random faults from its own stream.
// Copied with a simulation.
#include "base/Random.h"
#include "scenario/Scenario.h"

namespace trainyard {

class FaultClock {
public:
    /// One failure of one machine or link, or its repair.
    struct Turn {
        SimTime at;
        bool repair = false;
        std::uint32_t fault = 0;      ///< position in Scenario::faults
        std::uint32_t target = 0;     ///< MachineId or LinkId
        std::uint32_t occurrence = 0; ///< of a random fault
    };

    /// The scenario outlives the clock.
    FaultClock(const Scenario& scenario, std::uint64_t seed, Purpose stream);

    /// What is known at the start of the run.
    std::vector<Turn> first() const;
    /// True if the target changes now: false while another fault still holds it down.
    bool changes(const Turn& turn);
    /// What follows the turn: the repair of a failure, the next failure after a random one.
    std::optional<Turn> following(const Turn& turn, SimTime now) const;
    /// Random faults go on for ever; a run whose jobs are all over does not wait for them.
    bool isRandom(const Turn& turn) const { return m_scenario->faults[turn.fault].meanSecondsBetween.has_value(); }
    bool ofMachine(const Turn& turn) const { return m_scenario->faults[turn.fault].target == Fault::Target::machine; }

    /// Failures and repairs that a person orders; true if the target changes now.
    bool fail(Fault::Target kind, std::uint32_t target);
    bool repair(Fault::Target kind, std::uint32_t target);

private:
    Turn random(std::uint32_t fault, std::uint32_t target, std::uint32_t occurrence, SimTime now) const;
    std::uint32_t* causes(Fault::Target kind, std::uint32_t target);

    const Scenario* m_scenario;
    std::uint64_t m_seed;
    Purpose m_stream;
    std::vector<std::uint32_t> m_machineDown, m_linkDown; ///< how many causes hold it down
};

} // namespace trainyard
