// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/ViewChoice.h"

#include "analysis/RunIndex.h"

namespace trainyard {

bool concernsRun(const View& view, const RunIndex* run) {
    if (!run || !view.concerns) return true;
    for (std::size_t j = 0; j < run->jobs().size(); ++j)
        if (view.concerns(*run, JobId(j))) return true;
    return false;
}

JobId jobOfKey(const Workload& workload, const QString& key) {
    for (std::size_t j = 0; j < workload.jobs.size(); ++j)
        if (QString::fromStdString(workload.jobs[j].key) == key) return JobId(j);
    return {};
}

QString jobShownBy(const View& view, const RunIndex& run, JobId wanted) {
    if (view.scope != View::Scope::job || run.workload().jobs.size() < 2) return {};
    const JobId job = run.jobWithWorkers(wanted);
    return job.valid() ? QString::fromStdString(run.jobName(job)) : QString();
}

} // namespace trainyard
