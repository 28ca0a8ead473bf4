#include "transport/BreakpointText.h"

#include "base/Format.h"
#include "theme/TimeText.h"

#include <QCoreApplication>

namespace trainyard {

namespace until_text {

QString tr(const char* text) {
    return QCoreApplication::translate("BreakpointText", text);
}

QString jobName(JobId id, const Workload* workload) {
    if (!workload || !id.valid() || id.index() >= workload->jobs.size()) return tr("?");
    const Job& job = workload->job(id);
    return QString::fromStdString(job.name.empty() ? job.key : job.name);
}

} // namespace until_text

QString breakpointText(const Breakpoint& until, const Workload* workload) {
    using until_text::tr;
    const QString job = until_text::jobName(until.job, workload);
    switch (until.kind) {
    case Breakpoint::Kind::time:
        return clockText(until.time);
    case Breakpoint::Kind::jobStarted:
        return tr("job %1 starts").arg(job);
    case Breakpoint::Kind::jobEnded:
        return tr("job %1 ends").arg(job);
    case Breakpoint::Kind::lossAtMost:
        return tr("the loss of job %1 is at most %2")
            .arg(job, QString::fromStdString(formatNumber(until.loss, 6)));
    case Breakpoint::Kind::jobsWaiting:
        return counted(until.jobs, tr("a job waits"), tr("%1 or more jobs wait"));
    case Breakpoint::Kind::failure:
        return tr("something fails");
    case Breakpoint::Kind::decision:
        return tr("a policy decides about job %1").arg(job);
    }
    return {};
}

QString untilOverText(const Breakpoint& until, bool reached, SimTime at, const Workload* workload) {
    using until_text::tr;
    const QString what = breakpointText(until, workload);
    if (until.kind == Breakpoint::Kind::time)
        return reached ? tr("Held at %1, as asked.").arg(what)
                       : tr("The run ended at %1, before %2.").arg(clockText(at), what);
    return reached ? tr("Held at %1: %2.").arg(clockText(at), what)
                   : tr("Never reached: “%1” did not come about before the run ended at %2.")
                         .arg(what, clockText(at));
}

} // namespace trainyard
