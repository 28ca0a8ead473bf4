// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A keyed job in virtual time, as a copyable value: its nodes run one after the other in windows no longer than the least latency, in
// which no node can hear of another. Where windows are cut changes nothing: what happens at a node happens in order of time, and
// messages that arrive at one instant are taken in order of sender. It runs from one quiet point to the next: workers have done
// their share, all messages are delivered, all replicas are equal. SimulationCore drives it (KeyedProgress.cpp).
#include "engine/keyed/KeyedWork.h"

#include <functional>
#include <optional>

namespace trainyard {

struct KeyedSetup {
    JobId job;
    const Job& spec;
    const Placement& placement;
    KeyPlan plan;
    KeyedPace pace = {};
    std::shared_ptr<const KeyRanks> keys;
    std::shared_ptr<const KeyedSnapshot> saved; ///< null: from the start
    std::uint64_t seed = 0;                     ///< of the run
    SimTime begin;
    std::function<KeyedRoute(MachineId, MachineId)> route;
    DelayModel* delays = nullptr;
    std::vector<Duration> compute;         ///< by machine: of an iteration, where it does not vary; else negative
    Duration mostWindow = Duration::max(); ///< for tests
    KeyObserver* observer = nullptr;
    /// For tests: another protocol.
    std::function<std::unique_ptr<KeyNode>(std::shared_ptr<const KeyJob>, std::uint32_t)> makeNode = nullptr;
};

class KeyedRun {
public:
    explicit KeyedRun(const KeyedSetup& setup);

    /// A further stretch begins: until workers have done so many iterations together, as evenly as numbers are.
    void goOn(std::uint64_t iterations, SimTime at);
    /// Everything before `until`, or up to the next quiet point.
    void advance(SimTime until, DelayModel& delays);
    /// Since when it is quiet; nothing: it is not yet.
    std::optional<SimTime> quietSince() const { return m_quietSince; }
    /// It is not quiet before; never() if it waits for a route.
    SimTime earliestQuiet() const;
    SimTime next() const;
    /// Workers end the iteration that they are at, and everything is delivered: the state that the job is stopped in. All routes
    /// count as up.
    void settle(DelayModel& delays);
    KeyedSnapshot snapshot() const;
    /// At a quiet point of a job that trains a model: its loss since the last one, and its qualities.
    KeyedEvaluation evaluate();
    void reroute(const std::function<KeyedRoute(MachineId, MachineId)>& route, SimTime now);

    std::uint64_t iterations() const; ///< done by all workers
    std::size_t nodes() const { return m_nodes.size(); }
    KeyedNode& node(std::size_t n) { return m_nodes[n]; }
    const KeyedNode& node(std::size_t n) const { return m_nodes[n]; }
    KeyedWorld& world() { return m_world; }
    const KeyedWorld& world() const { return m_world; }
    const KeyJob& job() const { return *m_job; }
    std::vector<const KeyNode*> protocols() const; ///< by node
    std::uint32_t ownerOf(std::uint32_t key) const { return keyOwner(*m_job, protocols(), key); }
    /// Of the present stretch; messages may be under way.
    bool workersAreDone() const;
    /// Last worker's end of the present stretch, once it is quiet.
    SimTime finishedAt() const;

private:
    void placeWorkers(const KeyedSetup& setup);
    void lookForQuiet();

    std::shared_ptr<const KeyJob> m_job;
    KeyedWorld m_world;
    std::vector<KeyedNode> m_nodes;
    std::size_t m_workers = 0;
    Duration m_window, m_mostWindow;
    std::optional<SimTime> m_quietSince;
    std::optional<SimTime>
        m_roundsFrom; ///< rounds of replicas are aimed at this and multiples of their interval after it
};

} // namespace trainyard
