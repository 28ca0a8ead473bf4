// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Decides from a trace alone whether what workers read and added is sequentially consistent per key. Shares no code with the protocol.
// Worker w's s-th addition to a key (from 0) adds 1 to value 2w and s to value 2w + 1 of it: so a read says how many additions of each
// worker it has seen, and whether they are its first ones (the sum of their numbers is least then).
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::test {

/// What one worker did, in its order.
struct TracedOperation {
    bool isPush = false;
    std::uint32_t worker = 0, key = 0;
    std::vector<float> values; ///< read
};

/// Nothing, or what is wrong. An order of all operations on a key exists that contains the order of each worker, if: reads see the
/// first additions of each worker; any two of them are comparable; a worker's reads see its own additions, all of them and no
/// others, and never less than before; and who sees an addition sees whatever its worker had seen before it.
inline std::optional<std::string> inconsistency(const std::vector<TracedOperation>& trace, std::size_t workers) {
    using Seen = std::vector<std::uint64_t>;
    struct OfKey {
        std::vector<Seen> reads;
        std::vector<std::uint64_t> pushes;         ///< by worker, so far
        std::vector<Seen> last;                    ///< by worker: what it has read last
        std::vector<std::vector<Seen>> seenBefore; ///< by worker, by addition
    };
    std::map<std::uint32_t, OfKey> keys;
    const auto covers = [](const Seen& a, const Seen& b) {
        for (std::size_t w = 0; w < a.size(); ++w)
            if (a[w] < b[w]) return false;
        return true;
    };
    for (const TracedOperation& operation : trace) {
        OfKey& key = keys[operation.key];
        if (key.pushes.empty()) {
            key.pushes.assign(workers, 0);
            key.last.assign(workers, Seen(workers, 0));
            key.seenBefore.resize(workers);
        }
        if (operation.isPush) {
            key.seenBefore[operation.worker].push_back(key.last[operation.worker]);
            ++key.pushes[operation.worker];
            continue;
        }
        Seen seen(workers);
        for (std::size_t w = 0; w < workers; ++w) {
            seen[w] = static_cast<std::uint64_t>(operation.values[2 * w]);
            const auto numbers = static_cast<std::uint64_t>(operation.values[2 * w + 1]);
            if (numbers != seen[w] * (seen[w] - (seen[w] > 0 ? 1 : 0)) / 2)
                return "a read saw an addition before an earlier one of its worker";
        }
        if (seen[operation.worker] != key.pushes[operation.worker])
            return "a read did not see its own worker's additions";
        if (!covers(seen, key.last[operation.worker])) return "a read saw less than an earlier one of its worker";
        key.last[operation.worker] = seen;
        key.reads.push_back(std::move(seen));
    }
    for (const auto& [number, key] : keys)
        for (std::size_t a = 0; a < key.reads.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b)
                if (!covers(key.reads[a], key.reads[b]) && !covers(key.reads[b], key.reads[a]))
                    return "two reads saw additions in different orders";
            for (std::size_t w = 0; w < workers; ++w) {
                if (key.reads[a][w] > key.pushes[w]) return "a read saw an addition that was never made";
                if (key.reads[a][w] > 0 && !covers(key.reads[a], key.seenBefore[w][key.reads[a][w] - 1]))
                    return "a read saw an addition, but not what its worker had seen before it";
            }
        }
    return std::nullopt;
}

} // namespace trainyard::test
