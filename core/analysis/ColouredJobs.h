// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which jobs have colours of their own, wherever they are drawn: all, or of more than 36 the twelve that ask for most work. Hundreds
// would tell nothing apart, but where all jobs are admitted at once or not at all: of these, neighbours in time are told apart.
#include "model/Workload.h"

#include <vector>

namespace trainyard {

class ColouredJobs {
public:
    ColouredJobs() = default; ///< all
    explicit ColouredJobs(const Workload& workload);
    bool has(JobId job) const { return m_has.empty() || m_has[job.index()]; }

private:
    std::vector<bool> m_has; ///< by JobId; empty: all
};

} // namespace trainyard
