// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Every policy that ships and every test double, and a random scenario around one of them.
#include "conformance/ConformanceScenario.h"
#include "policy/Registry.h"
#include "record/ClusterState.h"
#include "record/EventLog.h"
#include "support/EpochPlanner.h"
#include "support/GradientSignSync.h"
#include "support/LossReadingScheduler.h"
#include "support/RelocatingStore.h"
#include "support/SlotPlanner.h"
#include "support/SuitedAgents.h"

#include <QString>

namespace trainyard::test {

inline const Registry& conformanceRegistry() {
    static const Registry registry = [] {
        Registry r = Registry::builtin();
        r.schedulers.push_back(SlotPlanner::entry());
        r.schedulers.push_back(LossReadingScheduler::entry());
        r.schedulers.push_back(EpochPlanner::entry());
        r.synchronizations.push_back(GradientSignSync::entry());
        r.parameters.push_back(RelocatingStore::entry());
        return r;
    }();
    return registry;
}

inline constexpr PolicyFamily allFamilies[] = {PolicyFamily::scheduler, PolicyFamily::synchronization,
                                               PolicyFamily::parameters, PolicyFamily::partitioner};

/// Whether only keyed jobs can have their parameters kept so.
inline bool servesKeyedOnly(const PolicyInfo& parameters) {
    const auto plan = conformanceRegistry().makeParameters({parameters.id, {}})->keyPlan();
    return plan && (plan->relocates || plan->replication || plan->caches);
}

/// One policy in its family, drawn ones in the others.
inline Scenario scenarioWith(PolicyFamily family, const std::string& id, std::uint64_t seed) {
    Scenario scenario = conformanceScenario(seed);
    RandomStream random(seed, Purpose::test, 78, static_cast<std::uint32_t>(family));
    for (const auto other : allFamilies) {
        const auto list = conformanceRegistry().list(other);
        scenario.policies.of(other) = {other == family ? id : list[random.below(list.size())]->id, {}};
    }
    const Choice& parameters = scenario.policies.parameters;
    const PolicyInfo* info = conformanceRegistry().find(PolicyFamily::parameters, parameters.id);
    const bool serves = conformanceRegistry().makeParameters(parameters)->keyPlan().has_value();
    for (Job& job : scenario.jobs) {
        if (job.kind() == JobKind::graph || !serves) continue;
        if (servesKeyedOnly(*info) || random.below(4) == 0) makeKeyed(job, seed);
        if (job.keyedAccess() && conformanceRegistry().incompatible(job, job.synchronization, parameters))
            job.synchronization = {"ssp", {}}; // copies need its bound
    }
    suitAgents(scenario, conformanceRegistry());
    return scenario;
}

/// Notes of series that no policy declares.
inline std::vector<std::string> undeclaredNotes(const Scenario& scenario, const EventLog& log,
                                                const Workload& workload) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < log.size(); ++i) {
        if (log[i].type != EventType::note) continue;
        const NoteSeries series = NoteSeries::unpacked(log[i].aux);
        const Job* job = log[i].job == JobId::none ? nullptr : &workload.job(log[i].jobId());
        const Choice* own = !job                                             ? nullptr
                            : series.family == PolicyFamily::synchronization ? &job->synchronization
                            : series.family == PolicyFamily::partitioner     ? &job->partitioner
                                                                             : nullptr;
        const Choice& choice = own && !own->id.empty() ? *own : scenario.policies.of(series.family);
        const PolicyInfo* info = conformanceRegistry().find(series.family, choice.id);
        if (!info || series.number >= info->series.size())
            out.push_back("event " + std::to_string(i) + " is a note of series " + std::to_string(series.number) +
                          ", which \"" + choice.id + "\" does not declare");
    }
    return out;
}

/// By job: whether a scheduler has ended it before its own rule did.
inline std::vector<bool> stoppedEarly(const EventLog& log, std::size_t jobs) {
    std::vector<bool> out(jobs, false);
    for (std::size_t i = 0; i < log.size(); ++i)
        if (log[i].type == EventType::jobFinished && log[i].aux == static_cast<std::uint16_t>(FinishReason::stopped))
            out[log[i].job] = true;
    return out;
}

/// Whether a job may be in this phase when its run is over.
inline bool mayEndIn(JobPhase phase, const Job& job, const Workload& workload, const Scenario& scenario) {
    const std::string &scheduler = scenario.policies.scheduler.id, &partitioner = scenario.policies.partitioner.id;
    const bool atOnce = workload.admitsAtOnce(job);
    if (phase == JobPhase::failed) return atOnce && !scenario.faults.empty(); // it has lost a server
    if (phase != JobPhase::rejected) return phase == JobPhase::finished;
    const PolicyInfo* info = conformanceRegistry().find(PolicyFamily::scheduler, scheduler);
    const bool takesAll = partitioner == "max" || partitioner == "random" || partitioner == "acceptable-jct";
    return atOnce || (job.kind() == JobKind::graph && !takesAll) || info->schema.find("slot_s") ||
           scheduler == "test-slot-planner"; // who plans in slots may refuse
}

inline QString described(const Scenario& s) {
    QString out = QStringLiteral("seed %1").arg(s.seed);
    for (const auto family : allFamilies) {
        const Choice& choice = s.policies.of(family);
        out += QStringLiteral(", %1 %2").arg(QString::fromStdString(std::string(familyName(family))),
                                             QString::fromStdString(choice.id));
        for (const auto& [key, value] : choice.parameters)
            out += QStringLiteral(" %1=%2").arg(QString::fromStdString(key), QString::fromStdString(toString(value)));
    }
    return out;
}

} // namespace trainyard::test
