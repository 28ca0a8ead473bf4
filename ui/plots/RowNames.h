// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Names of machines at the rows of a lane: below another of the same rack, without the rack's name. Used by the painters
// of Gantt and straggler strip, one per picture.
#include "canvas/ClusterLayout.h"
#include "session/RunFold.h"

namespace trainyard {

class RowNames {
public:
    explicit RowNames(const RunFold& run) : m_run(run) {}

    /// Of the next row that has a label.
    QString next(MachineId id) {
        const Machine& machine = m_run.workload().machine(id);
        const bool told = !machine.rack.empty() && machine.rack == m_rack;
        m_rack = machine.rack;
        return told ? ClusterLayout::labelOf(m_run.workload().cluster, machine.name, machine.key, machine.rack)
                    : QString::fromStdString(m_run.machineName(id));
    }

private:
    const RunFold& m_run;
    std::string m_rack; ///< of the row above
};

} // namespace trainyard
