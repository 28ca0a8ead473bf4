// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/FaultClock.h"

namespace trainyard {

FaultClock::FaultClock(const Scenario& scenario, std::uint64_t seed, Purpose stream)
    : m_scenario(&scenario), m_seed(seed), m_stream(stream), m_machineDown(scenario.cluster.machines.size()),
      m_linkDown(scenario.cluster.links.size()) {}

std::vector<FaultClock::Turn> FaultClock::first() const {
    std::vector<Turn> turns;
    const Cluster& cluster = m_scenario->cluster;
    for (std::uint32_t f = 0; f < m_scenario->faults.size(); ++f) {
        const Fault& spec = m_scenario->faults[f];
        const bool machines = spec.target == Fault::Target::machine;
        const std::size_t count = machines ? cluster.machines.size() : cluster.links.size();
        for (std::uint32_t t = 0; t < count; ++t) {
            const std::string& key = machines ? cluster.machines[t].key : cluster.links[t].key;
            if (!spec.key.empty() && key != spec.key) continue;
            turns.push_back(spec.meanSecondsBetween
                                ? random(f, t, 0, SimTime::zero())
                                : Turn{.at = SimTime::seconds(spec.atSeconds), .fault = f, .target = t});
        }
    }
    return turns;
}

FaultClock::Turn FaultClock::random(std::uint32_t fault, std::uint32_t target, std::uint32_t occurrence,
                                    SimTime now) const {
    RandomStream draw(m_seed, m_stream, entityOf(fault, target), occurrence);
    const Distribution gap{.law = Law::exponential, .mean = *m_scenario->faults[fault].meanSecondsBetween};
    return {
        .at = now + Duration::seconds(gap.sample(draw)), .fault = fault, .target = target, .occurrence = occurrence};
}

bool FaultClock::changes(const Turn& turn) {
    const auto kind = m_scenario->faults[turn.fault].target;
    return turn.repair ? repair(kind, turn.target) : fail(kind, turn.target);
}

std::optional<FaultClock::Turn> FaultClock::following(const Turn& turn, SimTime now) const {
    const Fault& spec = m_scenario->faults[turn.fault];
    if (turn.repair) {
        if (!spec.meanSecondsBetween) return std::nullopt;
        return random(turn.fault, turn.target, turn.occurrence + 1, now);
    }
    if (!spec.repairAfterSeconds) return std::nullopt;
    Turn back = turn;
    back.repair = true;
    back.at = now + Duration::seconds(*spec.repairAfterSeconds);
    return back;
}

std::uint32_t* FaultClock::causes(Fault::Target kind, std::uint32_t target) {
    auto& down = kind == Fault::Target::machine ? m_machineDown : m_linkDown;
    return target < down.size() ? &down[target] : nullptr;
}

bool FaultClock::fail(Fault::Target kind, std::uint32_t target) {
    std::uint32_t* count = causes(kind, target);
    return count && (*count)++ == 0;
}

bool FaultClock::repair(Fault::Target kind, std::uint32_t target) {
    std::uint32_t* count = causes(kind, target);
    return count && *count > 0 && --*count == 0;
}

} // namespace trainyard
