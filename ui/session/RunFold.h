// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The index of one run and the run it is of, as lanes, views and exports are given them. Owned by RunFolds (per run shown) and
// by the figure export; all others only read it.
#include "analysis/RunIndex.h"
#include "session/RunData.h"

namespace trainyard {

class RunFold : public RunIndex {
public:
    explicit RunFold(RunData run) : RunIndex(sourceOf(run)), m_run(std::move(run)) {}
    const RunData& run() const { return m_run; }
    /// Of more than 36 jobs the twelve that ask for most work have colours of their own: hundreds would tell nothing apart.
    bool isColoured(JobId job) const { return m_coloured.empty() || m_coloured[job.index()]; }

private:
    static std::vector<bool> colouredOf(const Workload& workload);
    RunData m_run;
    std::vector<bool> m_coloured = colouredOf(workload());
};

} // namespace trainyard
