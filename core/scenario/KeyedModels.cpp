// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/KeyedModels.h"

#include "learning/KeyRanks.h"
#include "learning/keyed/KeyedChoices.h"
#include "scenario/ProblemPlaces.h"

#include <algorithm>
#include <deque>
#include <set>

namespace trainyard {

namespace {

class KeyedModels {
public:
    KeyedModels(std::uint64_t seed, const std::stop_token& stop) : m_seed(seed), m_stop(stop) {}
    struct Made {
        Result<std::shared_ptr<const KeyedModel>> model;
        std::shared_ptr<const KeyRanks> ranks;
    };
    const Made& make(const KeyedTask& task) {
        for (const auto& [known, made] : m_made)
            if (known.model == task.model && known.data == task.data) return made;
        auto model = makeKeyedModel(task, m_seed, m_stop);
        auto ranks = model ? std::make_shared<const KeyRanks>((*model)->accesses()) : nullptr;
        m_made.emplace_back(task, Made{std::move(model), std::move(ranks)});
        return m_made.back().second;
    }

private:
    std::uint64_t m_seed;
    const std::stop_token& m_stop;
    std::deque<std::pair<KeyedTask, Made>> m_made; ///< references stay
};

AnalyticWork* taskOf(Job& job) {
    auto* work = std::get_if<AnalyticWork>(&job.work);
    return work && work->access == AccessKind::keyed && work->keyed && work->keyed->task ? work : nullptr;
}

} // namespace

Result<std::shared_ptr<const Workload>> withKeyedModels(const Scenario& scenario,
                                                        std::shared_ptr<const Workload> workload, std::uint64_t seed,
                                                        const std::stop_token& stop) {
    const auto trains = [](const Job& job) { return job.keyedAccess() && job.keyedAccess()->task; };
    if (std::ranges::none_of(workload->jobs, trains)) return workload;
    auto out = std::make_shared<Workload>(*workload);
    KeyedModels models(seed, stop);
    Problems problems;
    std::set<std::string> refused;
    const JobPlaces places(scenario, seed);
    for (Job& job : out->jobs) {
        AnalyticWork* work = taskOf(job);
        if (!work) continue;
        KeyedAccess& access = *work->keyed;
        const auto& [model, ranks] = models.make(*access.task);
        if (!model) {
            for (Problem problem : model.problems()) {
                problem.pointer = places.of(job) + "/keyed/task" + problem.pointer;
                if (refused.insert(problem.pointer).second) problems.push_back(std::move(problem));
            }
            continue;
        }
        access.model = *model;
        access.ranks = ranks;
        access.qualities.clear();
        for (const QualityInfo& quality : findKeyedModel(access.task->model.id)->qualities)
            access.qualities.push_back(quality.id);
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

Job withKeyedSizes(const Job& job) {
    Job out = job;
    AnalyticWork* work = taskOf(out);
    if (!work) return out;
    const auto size = sizeOfKeyedTask(*work->keyed->task);
    if (!size || size->keys > static_cast<double>(KeyedAccess::mostKeys)) return out;
    work->keyed->keys = static_cast<std::int64_t>(size->keys);
    work->keyed->valuesPerKey = static_cast<int>(size->valuesPerKey);
    work->keyed->optimizer = KeyedOptimizer::sgd;
    return out;
}

std::vector<MetricDefinition> metricDefinitionsFor(const Scenario& scenario) {
    std::vector<std::string> qualities;
    for (const Job* job : jobsAndTemplates(scenario)) {
        const KeyedAccess* access = job->keyedAccess();
        const KeyedModelInfo* info = access && access->task ? findKeyedModel(access->task->model.id) : nullptr;
        if (!info) continue;
        for (const QualityInfo& quality : info->qualities)
            if (std::ranges::find(qualities, quality.id) == qualities.end()) qualities.push_back(quality.id);
    }
    return metricDefinitionsFor(scenario.cluster, qualities);
}

} // namespace trainyard
