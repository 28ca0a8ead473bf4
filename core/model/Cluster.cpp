// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/Cluster.h"

#include <algorithm>

namespace trainyard {

MachineId Cluster::machine(std::string_view key) const {
    const auto it = std::find_if(machines.begin(), machines.end(), [&](const auto& m) { return m.key == key; });
    return it == machines.end() ? MachineId{} : MachineId(static_cast<std::size_t>(it - machines.begin()));
}

double Cluster::speed(MachineId id) const {
    const auto& key = machines[id.index()].device;
    const auto it = std::find_if(devices.begin(), devices.end(), [&](const auto& d) { return d.key == key; });
    return it == devices.end() ? 1.0 : it->speed;
}

ResourceVector Cluster::totalCapacity() const {
    ResourceVector total;
    for (const auto& m : machines) total += m.capacity;
    return total;
}

} // namespace trainyard
