// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where the tasks of one job run. Worker i is workers[i]; its index is its identity for batches, streams and charts.
#include "base/Ids.h"

#include <algorithm>
#include <vector>

namespace trainyard {

enum class TaskRole : std::uint8_t { worker, server };

struct Placement {
    std::vector<MachineId> workers; ///< an invalid id: a number that no worker has, whose worker was lost or taken away
    std::vector<MachineId> servers;

    /// Those that have a machine.
    std::size_t placedWorkers() const {
        return static_cast<std::size_t>(
            std::count_if(workers.begin(), workers.end(), [](MachineId m) { return m.valid(); }));
    }
    /// Of the workers that are there: their numbers are lost.
    Placement withoutGaps() const {
        Placement out = *this;
        std::erase_if(out.workers, [](MachineId m) { return !m.valid(); });
        return out;
    }
    bool empty() const { return workers.empty() && servers.empty(); }
    friend bool operator==(const Placement&, const Placement&) = default;
};

} // namespace trainyard
