// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// States of one run kept every so often, so that any instant can be shown again by folding a short piece of
// the log. The run thread adds, any thread asks. Their number and their bytes are bounded: when there are too many, every
// second one is forgotten and the spacing doubles. Used by RunSession; a finished record's views make their
// own.
#include "record/ClusterState.h"
#include "record/EventLog.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace trainyard {

class Keyframes {
public:
    static constexpr std::size_t firstSpacing = 65536; ///< events
    static constexpr std::size_t mostKept = 256;
    static constexpr std::size_t mostBytes = std::size_t{128} << 20; ///< of all states kept

    explicit Keyframes(std::shared_ptr<const Workload> workload, std::size_t memoryLimit = mostBytes);

    /// Keeps a copy if the log has grown by the spacing since the last one. `state` is the fold of [0,
    /// position).
    void offer(std::size_t position, const ClusterState& state);
    /// The state after all events up to and including t (those of the log's size at the call).
    std::shared_ptr<const ClusterState> stateAt(const EventLog& log, SimTime t) const;
    std::size_t count() const;

private:
    struct Entry {
        std::size_t position = 0, bytes = 0;
        std::shared_ptr<const ClusterState> state;
    };

    mutable std::mutex m_mutex;
    std::vector<Entry> m_entries; ///< ascending; the first is position 0
    std::size_t m_spacing = firstSpacing;
    const std::size_t m_memoryLimit;
    mutable Entry m_last; ///< of the latest question: scrubbing asks for neighbours
};

} // namespace trainyard
