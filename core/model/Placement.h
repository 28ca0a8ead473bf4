#pragma once
// Where the tasks of one job run. Worker i is workers[i]; its index is its identity for batches, streams and charts.
#include "base/Ids.h"

#include <vector>

namespace trainyard {

enum class TaskRole : std::uint8_t { worker, server };

struct Placement {
    std::vector<MachineId> workers;
    std::vector<MachineId> servers;

    bool empty() const { return workers.empty() && servers.empty(); }
    friend bool operator==(const Placement&, const Placement&) = default;
};

} // namespace trainyard
