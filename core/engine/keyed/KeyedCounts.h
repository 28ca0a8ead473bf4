// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a node of a keyed job has counted since it was logged, and the events that say so. In both modes.
#include "engine/keyed/KeyedRoutes.h"
#include "engine/keyed/KeyedSnapshot.h"
#include "model/KeyedAccess.h"
#include "policy/keys/KeyNode.h"
#include "record/Events.h"
#include "record/KeyCounters.h"

#include <array>
#include <utility>

namespace trainyard {

struct KeyedCounts {
    std::array<std::array<std::uint64_t, rankBuckets>, 3> pulls{}; ///< local, remote, waiting
    std::array<std::uint64_t, 3> pushes{};
    std::array<std::uint64_t, keyMessageTypes> messages{}, bytes{};
    std::int64_t serverNs = 0, sendingNs = 0, receivingNs = 0, deliveryNs = 0;
    std::uint64_t received = 0, rounds = 0;
    std::array<std::int64_t, rankBuckets> held{}; ///< keys by bucket of ranks, come less gone
    std::int64_t stalenessNs = 0;                 ///< the longest
    std::int64_t copyNs = 0, copyAgeNs = 0;
    std::array<std::uint64_t, copyAgeBuckets> copyRefreshes{}; ///< by age
    double sampleDispersion = 0;                               ///< now, not since it was logged; 0: unknown

    /// So many copies show other values than those of the age before.
    void refresh(std::int64_t ageNs, std::uint64_t copies = 1) {
        copyAgeNs += static_cast<std::int64_t>(copies) * ageNs;
        copyRefreshes[copyAgeBucket(ageNs)] += copies;
    }
};

/// How long a node holds copies, and how old its replicas are.
class CopyTimes {
public:
    /// It holds so many from now on. Instants do not go back.
    void hold(std::size_t copies, SimTime now) {
        m_ns += static_cast<std::int64_t>(m_held) * (now - m_since).ns;
        m_held = copies;
        m_since = now;
    }
    /// Copies × nanoseconds since the last call.
    std::int64_t take(SimTime now) {
        hold(m_held, now);
        return std::exchange(m_ns, 0);
    }
    void beginRound(SimTime now) { m_lastBegan = std::exchange(m_began, now); }
    /// So many replicas show what was collected at the begin of the round, instead of the last one.
    void endRound(std::size_t replicas, SimTime now, KeyedCounts& counts) const {
        if (m_lastBegan == SimTime{}) return; // nothing older was shown
        counts.refresh((now - m_lastBegan).ns, replicas);
    }

private:
    std::size_t m_held = 0;
    std::int64_t m_ns = 0;
    SimTime m_since, m_began, m_lastBegan;
};

/// Without what is 0.
std::vector<Event> countEvents(JobId job, std::uint32_t node, const KeyedCounts& counts);
/// Keys that a node holds, or has got less given away, by bucket of ranks; `node`: everyNode for replicas.
std::vector<Event> heldEvents(JobId job, std::uint32_t node, const std::array<std::int64_t, rankBuckets>& held);
/// Of all nodes.
std::array<std::int64_t, rankBuckets> heldReplicas(const KeyJob& job);
/// Of those that a node has at the start, without replicas.
std::array<std::int64_t, rankBuckets> heldKeys(const KeyNode& node);
/// Loss and qualities after so many iterations.
std::vector<Event> evaluationEvents(JobId job, const KeyedAccess& access, std::uint64_t done,
                                    const KeyedEvaluation& found);
/// Of links that carried something. `bytes`: by pair of nodes, sender first; `links`: of the cluster.
std::vector<Event> byteEvents(JobId job, const KeyedRoutes& routes, const std::vector<std::uint64_t>& bytes,
                              std::size_t links);

} // namespace trainyard
