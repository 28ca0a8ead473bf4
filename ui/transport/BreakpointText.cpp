// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "transport/BreakpointText.h"

#include "base/Format.h"
#include "theme/TimeText.h"

#include <QCoreApplication>

namespace trainyard {

namespace until_text {

QString jobName(JobId id, const Workload* workload) {
    if (!workload || !id.valid() || id.index() >= workload->jobs.size())
        return QCoreApplication::translate("BreakpointText", "?");
    const Job& job = workload->job(id);
    return QString::fromStdString(job.name.empty() ? job.key : job.name);
}

} // namespace until_text

QString breakpointText(const Breakpoint& until, const Workload* workload) {
    const QString job = until_text::jobName(until.job, workload);
    switch (until.kind) {
    case Breakpoint::Kind::time: return clockText(until.time);
    case Breakpoint::Kind::jobStarted: return QCoreApplication::translate("BreakpointText", "job %1 starts").arg(job);
    case Breakpoint::Kind::jobEnded: return QCoreApplication::translate("BreakpointText", "job %1 ends").arg(job);
    case Breakpoint::Kind::lossAtMost:
        return QCoreApplication::translate("BreakpointText", "the loss of job %1 is at most %2")
            .arg(job, QString::fromStdString(formatNumber(until.loss, 6)));
    case Breakpoint::Kind::jobsWaiting:
        return until.jobs == 1
                   ? QCoreApplication::translate("BreakpointText", "a job waits")
                   : QCoreApplication::translate("BreakpointText", "%n or more jobs wait", nullptr, until.jobs);
    case Breakpoint::Kind::failure: return QCoreApplication::translate("BreakpointText", "something fails");
    case Breakpoint::Kind::decision:
        return QCoreApplication::translate("BreakpointText", "a policy decides about job %1").arg(job);
    }
    return {};
}

QString untilOverText(const Breakpoint& until, bool reached, SimTime at, const Workload* workload) {
    const QString what = breakpointText(until, workload);
    if (until.kind == Breakpoint::Kind::time)
        return reached ? QCoreApplication::translate("BreakpointText", "Paused at %1, as requested.").arg(what)
                       : QCoreApplication::translate("BreakpointText", "The run ended at %1, before %2.")
                             .arg(clockText(at), what);
    return reached ? QCoreApplication::translate("BreakpointText", "Paused at %1: %2.").arg(clockText(at), what)
                   : QCoreApplication::translate("BreakpointText",
                                                 "Never reached: “%1” did not happen before the run ended at %2.")
                         .arg(what, clockText(at));
}

} // namespace trainyard
