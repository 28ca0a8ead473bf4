// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Names of machines at the rows of a lane: below another of the same rack, without the rack's name; long ones without what
// all have in common. Used by the painters of Gantt and straggler strip, one per picture.
#include "canvas/ClusterLayout.h"
#include "session/ShownIndex.h"
#include "theme/SharedParts.h"

#include <optional>

namespace trainyard {

class RowNames {
public:
    explicit RowNames(const ShownIndex& run) : m_run(run) {}

    /// Of the next row that has a label.
    QString next(MachineId id) {
        const Machine& machine = m_run.workload().machine(id);
        const bool told = !machine.rack.empty() && machine.rack == m_rack;
        m_rack = machine.rack;
        if (told) return ClusterLayout::labelOf(m_run.workload().cluster, machine.name, machine.key, machine.rack);
        if (!m_shared) m_shared = sharedParts();
        return QString::fromStdString(m_shared->without(m_run.machineName(id)));
    }

private:
    SharedParts sharedParts() const {
        std::vector<std::string> names;
        for (std::size_t m = 0; m < m_run.machines().size(); ++m) names.push_back(m_run.machineName(MachineId(m)));
        return SharedParts::of(names);
    }

    const ShownIndex& m_run;
    std::string m_rack; ///< of the row above
    std::optional<SharedParts> m_shared;
};

} // namespace trainyard
