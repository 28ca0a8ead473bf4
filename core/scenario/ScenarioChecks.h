// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Checks what a scenario means: references, sizes, policies, models. Collects problems with JSON pointers;
// the structure has been checked before. Internal to scenario/ (validateScenario). Time grows with the jobs and with the machines, not
// with their product: what depends on both is checked once for all jobs that are alike in it, and texts are made of problems alone.
#include "planning/FreeCapacity.h"
#include "scenario/Scenario.h"
#include "scenario/Suggest.h"

#include <array>
#include <set>
#include <span>

namespace trainyard {

/// Ids that something may refer to.
class KnownIds {
public:
    KnownIds(std::vector<std::string> ids = {}) : m_ids(std::move(ids)), m_sorted(m_ids.begin(), m_ids.end()) {}
    const std::vector<std::string>& inOrder() const { return m_ids; }
    bool contains(const std::string& id) const { return m_sorted.contains(id); }

private:
    std::vector<std::string> m_ids;
    std::set<std::string> m_sorted;
};

/// Of a choice among those that there are. `unknown`: a text of {0} = id and {1} = what it may be meant for.
template <class Info>
Problems choiceProblems(const std::vector<Info>& known, const Choice& choice, const char* code, const char* unknown,
                        const std::string& pointer) {
    const auto it = std::find_if(known.begin(), known.end(), [&](const Info& info) { return info.id == choice.id; });
    if (it != known.end()) return it->schema.check(choice.parameters, pointer + "/parameters");
    std::vector<std::string> ids;
    for (const auto& info : known) ids.push_back(info.id);
    const std::string near = nearestWord(choice.id, ids);
    return {{.code = code,
             .message = {unknown, {choice.id, near.empty() ? joinWords(ids, 20) : "\"" + near + "\""}},
             .pointer = pointer + "/id"}};
}

class ScenarioChecks {
public:
    ScenarioChecks(const Scenario& scenario, const Registry& registry) : m_scenario(scenario), m_registry(registry) {}

    Problems check();

private:
    // ClusterChecks.cpp
    void checkCluster();
    void checkNodes();
    void checkLinks();
    void checkFaults();
    void findIslands();
    // JobChecks.cpp
    void checkJobs();
    /// `draws`: of a template; null: it is a job.
    void checkJob(const Job& job, const std::string& pointer, const FieldLaws* draws, const GraphPool* pool = nullptr);
    void checkTemplates(const JobGenerator& generator, const std::string& pointer);
    void checkWork(const Job& job, const std::string& pointer);
    void checkBatch(const TrainedWork& work, int workers, const std::string& pointer);
    void checkDivision(const Job& job, const std::string& pointer, bool drawsWorkers);
    void checkHorizon();
    void checkAnalytic(const AnalyticWork& work, const std::string& pointer);
    void checkServers(const Job& job, const std::string& pointer, bool drawsWorkers);
    void checkCurves();
    void checkStop(const Job& job, const std::string& pointer, const FieldLaws* draws);
    void checkDraws(const FieldLaws& draws, std::span<const Job* const> jobs, const std::string& pointer);
    void checkPolicies(const Job& job, const std::string& pointer);
    void checkScheduler(const Job& job, const FieldLaws* draws);
    void checkLossTarget(const Job& job, const std::string& pointer);
    void checkUpdateTimes(const Job& job, const std::string& pointer);
    // GraphChecks.cpp
    void checkRamp();
    void checkServersAlike(std::size_t servers);
    void checkGraphs();
    void checkGraph(const ComputationGraph& graph, const std::string& pointer);
    /// `pool`: it is the template of jobs that draw from it.
    void checkGraphJob(const Job& job, const std::string& pointer, const GraphPool* pool);
    void checkDegrees(const Job& job, const std::string& pointer, const GraphPool* pool);
    void checkMemory(const ComputationGraph& graph, int degree, const std::string& pointer);
    void checkPool(const JobGenerator& generator, const std::string& pointer);
    // KeyedChecks.cpp
    void checkKeyed(const Job& job, const std::string& pointer);
    void checkKeyedTask(const Job& job, const std::string& pointer);
    void checkKeyedMemory(const Job& job, const std::string& pointer);
    void checkKeyedTaskMemory(const KeyedAccess& access, int machines, const std::string& pointer);
    void checkKeyedLatency();
    // FitChecks.cpp
    void checkFit(const Job& job, const std::string& pointer, bool drawsWorkers);
    bool placeable(const Job& job, int workers, int servers);
    std::optional<Problem> unfit(const Job& job, bool drawsWorkers);
    std::optional<Problem> unreachable(const Job& job) const;
    // TailChecks.cpp
    void findHeavyTails();
    void checkTails(const Job& job, const Choice& synchronization, const std::string& pointer);
    // RateChecks.cpp
    void checkBursts(const ResourceVector& workerDemand);
    void checkConstantTimes(const Job& job, const Choice& synchronization, const std::string& place);
    void checkRate(const Job& job, const Choice& synchronization, const std::string& pointer);
    // ShardChecks.cpp
    /// Two machines that have room for a worker, and of which one is always faster.
    using Pair = std::pair<std::size_t, std::size_t>;
    std::optional<Pair> unlikeMachines(const ResourceVector& workerDemand);
    void checkShards(const Job& job, const Choice& synchronization, const std::string& pointer);
    // OrderChecks.cpp
    void checkOrder(const Job& job, const Choice& synchronization, const std::string& pointer);
    // ScenarioChecks.cpp
    void checkChoices();
    void checkExpectations();

    void report(const char* code, Text message, std::string pointer, Severity severity = Severity::error);
    void add(Problems problems) { m_problems.insert(m_problems.end(), problems.begin(), problems.end()); }
    /// Reports an empty id or one that `seen` already has.
    void checkId(const std::string& key, std::set<std::string>& seen, const char* what, const std::string& pointer);
    /// Reports a reference to something that is not there.
    void checkReference(const std::string& key, const KnownIds& known, const char* what, const std::string& pointer);
    /// The choice must have passed the registry's check.
    std::shared_ptr<const Synchronization> synchronizationOf(const Choice& choice);

    const Scenario& m_scenario;
    const Registry& m_registry;
    Problems m_problems;
    std::shared_ptr<const Synchronization> m_common; ///< the scenario's own, once it is asked for
    std::optional<PolicyWarning> m_schedulerWarning; ///< of the scheduler, while it holds for every job so far
    bool m_hasUnwarned = false;                      ///< it does not hold for one
    std::set<std::array<int, 3>> m_divided;          ///< batch and bounds of workers: those that divide evenly
    bool m_hasNoRate = false;                        ///< its own, and that has been named
    bool m_isInexact = false;                        ///< its own, and that has been named
    std::optional<bool> m_hasConstantTimes;          ///< all machines, once it is asked for
    KnownIds m_curves, m_graphs;
    std::vector<int> m_degrees; ///< for which the optical network has blocks; none: there is none, or it is not usable
    std::set<std::pair<std::size_t, int>> m_memoryChecked; ///< graphs, at the greatest degree of a job
    std::vector<std::size_t> m_island;                     ///< by machine: which connected part of the network
    bool m_isConnected = true;                             ///< all machines are in one part
    /// The empty cluster, once a job is to be placed in it.
    std::optional<Workload> m_workload;
    FreeCapacity m_free;
    std::map<std::string, std::optional<Problem>> m_checked; ///< jobs of the same shape are checked once
    /// Machines with a law that has no mean, by its tail index.
    struct HeavyTail {
        double index = 0;
        std::size_t machine = 0;
        const char* member = ""; ///< of the machine's straggler law
    };
    std::vector<HeavyTail> m_heavyTails;
    std::set<std::string> m_tailsChecked;                    ///< shapes of jobs
    std::set<std::pair<std::size_t, Severity>> m_tailsNamed; ///< machines
    std::vector<std::size_t> m_bursts;                       ///< machines whose bursts have not been named
    std::set<std::string> m_burstsChecked;                   ///< demands of workers
    std::map<std::string, std::optional<Pair>> m_unlike;     ///< by demand of workers
    std::optional<bool> m_constantTimes;                     ///< of all machines
    std::optional<double> m_narrowest;                       ///< link, bytes per second
    int m_keyedJobs = 0;                                     ///< checked so far
    std::set<std::string> m_ordersChecked;                   ///< synchronizations that have been named
};

/// Equal for equal amounts.
std::string amountsKey(const ResourceVector& amounts);

} // namespace trainyard
