// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a keyed job counts while it runs: events of type keysCounted hold how many there were at a node since the last such event.
// Numbers go to disk; append only.
#include <cstdint>

namespace trainyard {

enum class KeyCounter : std::uint16_t {
    localPulls,   ///< of keys that the node had; by bucket of ranks
    remotePulls,  ///< for which a request was sent; by bucket
    waitingPulls, ///< of keys under way to the node; by bucket
    localPushes,
    remotePushes,
    waitingPushes,
    messages,         ///< sent; by KeyMessageType
    messageBytes,     ///< the same
    serverSeconds,    ///< of the node's server thread
    sendingSeconds,   ///< of its network interface
    receivingSeconds, ///< the same
    keysReceived,     ///< keys that have come to stay
    replicaRounds,    ///< ended
    keysHeld,         ///< keys that have come less those that have gone; by bucket; at the start those that are here
    replicaStaleness, ///< seconds from an addition to a replica until this node saw it; the longest, not a sum
    deliverySeconds, ///< of messages to the node: from sending until its server thread, or the worker that waits, takes them up
    copySeconds, ///< Σ over copies and replicas at the node: the time that it has held them
    copyAge, ///< Σ over refreshes of copies and replicas: seconds since the values that are replaced left their owner
    copyRefreshes, ///< their number; by bucket of ages
    sampleDispersion, ///< of what the node's workers have sampled so far, in the mean (policy/keys/KeySampler.h); not a sum
};
inline constexpr std::size_t keyCounters = 20;

/// Ages of copies below 1 µs are bucket 0, below √10 µs bucket 1, below 10 µs bucket 2, and so on by half decades; the last is open.
constexpr std::size_t copyAgeBuckets = 16;
constexpr std::uint32_t copyAgeBucket(std::int64_t ns) {
    std::uint32_t bucket = 0;
    for (std::int64_t decade = 1'000; bucket + 1 < copyAgeBuckets; decade *= 10) {
        if (ns < decade) return bucket;
        if (ns * 1'000 < decade * 3'162) return bucket + 1; // √10, rounded
        bucket += 2;
    }
    return copyAgeBuckets - 1;
}

/// Ranks 1 … 9 are bucket 0, 10 … 99 bucket 1, and so on. `rank`: from 0.
constexpr std::uint32_t rankBucket(std::uint32_t rank) {
    std::uint32_t bucket = 0;
    for (std::uint64_t limit = 9; rank >= limit; limit = 10 * limit + 9) ++bucket;
    return bucket;
}
inline constexpr std::size_t rankBuckets = 10;
/// In the place of a node: a replica at every node.
inline constexpr std::uint32_t everyNode = 0xffffffffu;

} // namespace trainyard
