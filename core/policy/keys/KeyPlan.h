// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How a parameters policy serves keyed jobs, as a value: where keys have their homes, whether they move to where they are used, and
// which of them every node has a replica of. The protocol (KeyNode) and both modes of the engine read it.
#include "learning/KeyRanks.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace trainyard {

struct ReplicationPlan {
    std::int64_t count = 0;     ///< the most frequent keys, where `timesMean` is 0
    double timesMean = 0;       ///< above 0: keys drawn more often than this times the mean over all keys
    double syncsPerSecond = 25; ///< rounds that are aimed at; a round that takes longer delays the next
    bool average = false;       ///< the sum of the nodes' changes is divided by their number
    double clip = 0;            ///< above 0: a change's norm is at most this times the mean norm so far
    double threshold = 0;       ///< changes of a smaller norm wait for a later round
    std::int64_t waitEvery =
        0; ///< above 0: after so many iterations a worker waits until its node has ended two rounds
    friend bool operator==(const ReplicationPlan&, const ReplicationPlan&) = default;
};

/// Copies of what a node has read, under a bound of clocks (CachingNode.h).
struct CachePlan {
    bool eager =
        false; ///< homes send them again as clocks advance; else they are asked for again when they are too old
    friend bool operator==(const CachePlan&, const CachePlan&) = default;
};

struct KeyPlan {
    enum class Homes { range, hash };
    Homes homes = Homes::range;
    bool relocates = false;
    bool adapts = false; ///< by what workers intend to use (AdaptiveNode.h); it relocates, too
    std::optional<ReplicationPlan> replication;
    std::optional<CachePlan> caches = std::nullopt; ///< needs a pace with a bound
    /// Ascending; none with one node, which has every key anyway.
    std::vector<std::uint32_t> replicatedKeys(const KeyRanks& keys, std::size_t nodes) const;
    friend bool operator==(const KeyPlan&, const KeyPlan&) = default;
};

/// How a synchronization paces the workers of a keyed job, whose additions take effect as they come.
struct KeyedPace {
    std::optional<std::uint64_t> bound = std::nullopt; ///< iterations that a worker may be ahead of the slowest
    friend bool operator==(const KeyedPace&, const KeyedPace&) = default;
};

/// Who serves a key at the start, and knows its owner from then on. Ranges have ⌈keys / nodes⌉ keys each, the last fewer.
class KeyHomes {
public:
    KeyHomes(KeyPlan::Homes rule, std::uint32_t keys, std::uint32_t nodes);
    std::uint32_t of(std::uint32_t key) const {
        return m_hashed ? mixed(key) % m_nodes : static_cast<std::uint32_t>(key / m_range);
    }
    /// Keys [first, end) among which are all those of a node.
    std::pair<std::uint32_t, std::uint32_t> candidates(std::uint32_t node, std::uint32_t keys) const {
        if (m_hashed) return {0, keys};
        const auto from = [&](std::uint64_t n) {
            return static_cast<std::uint32_t>(std::min<std::uint64_t>(n * m_range, keys));
        };
        return {from(node), from(node + 1ull)};
    }

private:
    /// Mixes all bits of a key (the finalizer of MurmurHash3, 32 bit).
    static std::uint32_t mixed(std::uint32_t key);
    std::uint32_t m_nodes, m_range;
    bool m_hashed;
};

} // namespace trainyard
