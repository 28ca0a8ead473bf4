// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/KeyedModels.h"

#include "learning/keyed/KeyedChoices.h"
#include "scenario/ProblemPlaces.h"

#include <algorithm>
#include <set>

namespace trainyard {

namespace {

class KeyedModels {
public:
    explicit KeyedModels(std::uint64_t seed) : m_seed(seed) {}
    Result<std::shared_ptr<const KeyedModel>> make(const KeyedTask& task) {
        for (const auto& [known, model] : m_made)
            if (known.model == task.model && known.data == task.data) return model;
        m_made.emplace_back(task, makeKeyedModel(task, m_seed));
        return m_made.back().second;
    }

private:
    std::uint64_t m_seed;
    std::vector<std::pair<KeyedTask, Result<std::shared_ptr<const KeyedModel>>>> m_made;
};

AnalyticWork* taskOf(Job& job) {
    auto* work = std::get_if<AnalyticWork>(&job.work);
    return work && work->access == AccessKind::keyed && work->keyed && work->keyed->task ? work : nullptr;
}

} // namespace

Result<std::shared_ptr<const Workload>> withKeyedModels(const Scenario& scenario,
                                                        std::shared_ptr<const Workload> workload, std::uint64_t seed) {
    const auto trains = [](const Job& job) { return job.keyedAccess() && job.keyedAccess()->task; };
    if (std::ranges::none_of(workload->jobs, trains)) return workload;
    auto out = std::make_shared<Workload>(*workload);
    KeyedModels models(seed);
    Problems problems;
    std::set<std::string> refused;
    const JobPlaces places(scenario, seed);
    for (Job& job : out->jobs) {
        AnalyticWork* work = taskOf(job);
        if (!work) continue;
        KeyedAccess& access = *work->keyed;
        const auto model = models.make(*access.task);
        if (!model) {
            for (Problem problem : model.problems()) {
                problem.pointer = places.of(job) + "/keyed/task" + problem.pointer;
                if (refused.insert(problem.pointer).second) problems.push_back(std::move(problem));
            }
            continue;
        }
        access.model = *model;
        access.keys = (*model)->keys();
        access.valuesPerKey = static_cast<int>((*model)->valuesPerKey());
        access.optimizer = KeyedOptimizer::sgd;
        work->samples = (*model)->examples();
        work->batch = 1;
    }
    if (!problems.empty()) return problems;
    return std::shared_ptr<const Workload>(std::move(out));
}

Problems keyedModelRefusals(const Scenario& scenario, const Workload& workload) {
    const auto isKnown = [](const auto& infos, const Choice& choice) {
        const auto it = std::ranges::find_if(infos, [&](const auto& info) { return info.id == choice.id; });
        return it != infos.end() && !hasErrors(it->schema.check(choice.parameters, {}));
    };
    auto known = std::make_shared<Workload>(workload);
    for (Job& job : known->jobs)
        if (AnalyticWork* work = taskOf(job))
            if (const KeyedTask& task = *work->keyed->task;
                !isKnown(keyedModels(), task.model) || !isKnown(keyedDataSets(), task.data))
                work->keyed->task.reset();
    const auto made = withKeyedModels(scenario, std::move(known), scenario.seed);
    return made ? Problems{} : made.problems();
}

} // namespace trainyard
