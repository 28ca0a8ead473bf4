// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/EffectText.h"

#include "model/Workload.h"
#include "record/EventMeanings.h"
#include "tables/EventTableModel.h"
#include "tables/ExplanationText.h"
#include "tables/JobsModel.h"
#include "theme/CoreText.h"

#include <algorithm>
#include <vector>

namespace trainyard {

namespace effect_text {

constexpr int mostMachines = 3;
constexpr std::size_t mostSearched = 10'000; // events of one instant

QString machineName(std::uint32_t machine, const Workload& workload) {
    return shownMachine(&workload, fieldText(FieldKind::machine, machine, workload));
}

/// What happens to one job at one instant.
struct Change {
    Event event;                         ///< what says most of it
    std::vector<std::uint32_t> machines; ///< where tasks are placed, each once
};

/// A start, a resize, a preemption or a rejection says more than the tasks that are placed or removed with it.
int weightOf(EventType type) {
    switch (type) {
    case EventType::jobStarted:
    case EventType::jobResized:
    case EventType::jobPreempted:
    case EventType::jobRejected: return 1;
    default: return 0;
    }
}

Change changeAt(const EventLog& log, std::size_t position) {
    Change change{log[position], {}};
    const auto take = [&](const Event& e) {
        if (e.job != change.event.job) return;
        if (weightOf(e.type) > weightOf(change.event.type) && change.event.type == EventType::taskPlaced)
            change.event = e;
        if (e.type == EventType::taskPlaced && !std::ranges::count(change.machines, e.b))
            change.machines.push_back(e.b);
    };
    const SimTime at = change.event.time;
    std::size_t begin = position;
    while (begin > 0 && position - begin < mostSearched && log[begin - 1].time == at) --begin;
    for (std::size_t i = begin; i < std::min(log.size(), position + mostSearched) && log[i].time == at; ++i)
        take(log[i]);
    return change;
}

/// "Machine 1, Machine 2 and 3 others"
QString machinesText(const Change& change, const Workload& workload) {
    QStringList names;
    const auto count = static_cast<int>(change.machines.size());
    if (count == 0) return {};
    for (int i = 0; i < std::min(count, count > mostMachines + 1 ? mostMachines : mostMachines + 1); ++i)
        names << machineName(change.machines[static_cast<std::size_t>(i)], workload);
    if (count > names.size()) names << EffectText::tr("%n other(s)", nullptr, count - static_cast<int>(names.size()));
    const QString last = names.takeLast(); // names may have commas of their own
    return names.isEmpty() ? last : EffectText::tr("%1 and %2").arg(names.join(QStringLiteral("; ")), last);
}

QString tasksText(const Event& e) {
    const QString workers = EffectText::tr("%n worker(s)", nullptr, static_cast<int>(e.a));
    return e.b == 0 ? workers
                    : EffectText::tr("%1 and %2")
                          .arg(workers, EffectText::tr("%n server(s)", nullptr, static_cast<int>(e.b)));
}

QString taskName(const Event& e, const Workload& workload) {
    const QString number = QString::fromStdString(fieldText(FieldKind::task, e, e.a, workload)).mid(1);
    return (e.aux == static_cast<std::uint16_t>(TaskRole::worker) ? EffectText::tr("worker %1")
                                                                  : EffectText::tr("server %1"))
        .arg(number);
}

} // namespace effect_text

QString EffectText::sentence(const EventLog& log, std::size_t position, const Workload& workload) {
    using namespace effect_text;
    const Change change = changeAt(log, position);
    const Event& e = change.event;
    const QString job = e.job < workload.jobs.size() ? jobName(workload.jobs[e.job]) : tr("a job");
    const QString worker = QString::number(e.a + 1), machines = machinesText(change, workload);
    switch (e.type) {
    case EventType::jobStarted:
        return machines.isEmpty() ? tr("%1 starts with %2.").arg(job, tasksText(e))
                                  : tr("%1 starts on %2 with %3.").arg(job, machines, tasksText(e));
    case EventType::jobResized:
        return machines.isEmpty() ? tr("%1 goes on with %2.").arg(job, tasksText(e))
                                  : tr("%1 goes on with %2; new tasks are on %3.").arg(job, tasksText(e), machines);
    case EventType::taskPlaced:
        return tr("%1: %2 is placed on %3.").arg(job, taskName(e, workload), machineName(e.b, workload));
    case EventType::jobPreempted: return tr("%1 is preempted and waits again.").arg(job);
    case EventType::jobRejected:
        return tr("%1 is rejected (%2).").arg(job, coreText(fieldText(FieldKind::rejectReason, e.aux, workload)));
    case EventType::reserved:
        return tr("%1: %2 on %3 in slot %4 is reserved.")
            .arg(job,
                 e.aux == static_cast<std::uint16_t>(TaskRole::worker)
                     ? tr("%n worker(s)", nullptr, static_cast<int>(e.value))
                     : tr("%n server(s)", nullptr, static_cast<int>(e.value)),
                 machineName(e.a, workload))
            .arg(e.b);
    case EventType::batchChanged:
        return tr("%1 takes batches of %n sample(s).", nullptr, static_cast<int>(e.a)).arg(job);
    case EventType::gradientUsed: return tr("%1 takes the gradient of worker %2 into an update.").arg(job, worker);
    case EventType::gradientDropped: return tr("%1 discards the gradient of worker %2.").arg(job, worker);
    case EventType::taskCancelled: return tr("%1 cancels what worker %2 is computing.").arg(job, worker);
    case EventType::workerBlocked: return tr("Worker %2 of %1 has to wait for others.").arg(job, worker);
    case EventType::keyLocated: return tr("%1: parameter key %2 moves to node %3.").arg(job).arg(e.a).arg(e.b);
    case EventType::jobPartitioned:
        return tr("Operations of %1 are split into up to %n part(s).", nullptr, static_cast<int>(e.a)).arg(job);
    default: return tr("%1: %2").arg(job, eventTypeText(e.type));
    }
}

QString EffectText::whyNot(const EventLog& log, std::size_t position, const Workload& workload) {
    using namespace effect_text;
    const Event e = changeAt(log, position).event;
    const QString job = e.job < workload.jobs.size() ? jobName(workload.jobs[e.job]) : tr("the job");
    switch (e.type) {
    case EventType::taskPlaced:
    case EventType::jobStarted: return tr("Why %1 does not start here").arg(job);
    case EventType::jobResized: return tr("Why %1 is not resized here").arg(job);
    case EventType::jobPreempted: return tr("Why %1 is not preempted here").arg(job);
    case EventType::jobRejected: return tr("Why %1 is not rejected here").arg(job);
    case EventType::reserved: return tr("Why this is not reserved for %1 here").arg(job);
    default: return tr("What was decided about %1 here").arg(job);
    }
}

} // namespace trainyard
