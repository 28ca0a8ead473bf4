// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/nups/NupsTasks.h"

#include "analysis/QualityCourse.h"
#include "scenario/KeyedModels.h"
#include "scenario/ScenarioChecks.h"
#include "studies/nups/NupsStudy.h"

#include <cmath>

namespace trainyard::study {

Result<std::shared_ptr<const Scenario>> taskScenario(const StudyRequest& request, const NupsTask& task,
                                                     const TaskSettings& settings) {
    const auto shipped = loadScenario(request, task.scenario);
    if (!shipped) return shipped.problems();
    auto scenario = std::make_shared<Scenario>(**shipped);
    setMachines(scenario->cluster, settings.nodes, static_cast<double>(settings.threads));
    Job& job = scenario->jobs.front();
    const auto workers = static_cast<int>(settings.nodes * settings.threads);
    job.workers = {workers, workers};
    KeyedAccess& access = *std::get<AnalyticWork>(job.work).keyed;
    if (settings.lookAhead > 0) access.lookAhead = settings.lookAhead;
    if (settings.epochs > 0) job.stop.epochs = settings.epochs;
    access.task->sampling = settings.sampling;
    access.watchedRanks.clear();
    scenario->variants.clear();
    scenario->policies.parameters = settings.parameters;
    scenario->policies.synchronization = settings.synchronization;
    if (Problems problems = validateScenario(*scenario, *request.registry); hasErrors(problems)) return problems;
    return std::shared_ptr<const Scenario>(std::move(scenario));
}

std::shared_ptr<const KeyRanks> keysOf(const StudyRequest& request, const NupsTask& task) {
    const auto scenario = taskScenario(request, task, {.parameters = {"static", {}}});
    if (!scenario) return nullptr;
    const auto workload = withKeyedModels(**scenario, expandWorkload(**scenario, 1), 1);
    return workload ? (*workload)->jobs.front().keyedAccess()->ranks : nullptr;
}

std::vector<std::optional<TaskResult>> runTasks(const StudyRequest& request, const std::vector<TaskRun>& runs,
                                                StudyReport& report, bool mayFail) {
    std::vector<StudyRun> made;
    for (const TaskRun& run : runs) {
        auto scenario = taskScenario(request, *run.task, run.settings);
        if (!scenario) {
            report.problems.insert(report.problems.end(), scenario.problems().begin(), scenario.problems().end());
            return std::vector<std::optional<TaskResult>>(runs.size());
        }
        const NupsTask* task = run.task;
        made.push_back(
            {.scenario = std::move(*scenario), .seed = run.seed, .further = [task](const RunOutcome& outcome) {
                 RunIndex index({.workload = outcome.workload, .log = outcome.log});
                 index.update();
                 const auto reached =
                     index.fold<QualityCourse>().secondsTo(JobId(std::size_t{0}), task->quality, task->target);
                 return reached ? std::map<std::string, double>{{"to_quality_s", *reached}}
                                : std::map<std::string, double>{};
             }});
    }
    StudyReport unsaid;
    const auto outcomes = simulateAll(request, made, {}, mayFail ? unsaid : report);
    report.stopped = report.stopped || unsaid.stopped;
    std::vector<std::optional<TaskResult>> out(runs.size());
    for (std::size_t n = 0; n < runs.size(); ++n) {
        const auto& metrics = outcomes[n].metrics;
        if (!outcomes[n].done || metrics.at("finished_jobs") < 1) continue; // it diverged
        const double epochs = made[n].scenario->jobs.front().stop.epochs.value_or(1);
        out[n] = {.epochSeconds = metrics.at("makespan_s") / epochs,
                  .toQuality = metrics.contains("to_quality_s") ? metrics.at("to_quality_s") : NAN,
                  .quality = metrics.at(std::string("final_") + runs[n].task->quality),
                  .metrics = metrics};
    }
    return out;
}

} // namespace trainyard::study
