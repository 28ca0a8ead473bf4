// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Judges what a scenario means: references, sizes, policies, models. Collects problems with JSON pointers;
// the structure has been judged before. Internal to scenario/ (validateScenario).
#include "scenario/Scenario.h"

#include <set>
#include <span>

namespace trainyard {

class ScenarioJudge {
public:
    ScenarioJudge(const Scenario& scenario, const Registry& registry) : m_scenario(scenario), m_registry(registry) {}

    Problems judge();

private:
    // ClusterJudgement.cpp
    void judgeCluster();
    void judgeNodes();
    void judgeLinks();
    void judgeFaults();
    void findIslands();
    // JobJudgement.cpp
    void judgeJobs();
    /// `draws`: of a template; null: it is a job.
    void judgeJob(const Job& job, const std::string& pointer, const FieldLaws* draws);
    void judgeTemplates(const JobGenerator& generator, const std::string& pointer);
    void judgeWork(const Job& job, const std::string& pointer);
    void judgeBatch(const TrainedWork& work, int workers, const std::string& pointer);
    void judgeAnalytic(const AnalyticWork& work, const std::string& pointer);
    void judgeServers(const Job& job, const std::string& pointer, bool drawsWorkers);
    void judgeCurves();
    void judgeGraph(const GraphWork& work, const std::string& pointer);
    void judgeStop(const Job& job, const std::string& pointer, const FieldLaws* draws);
    void judgeDraws(const FieldLaws& draws, std::span<const Job* const> jobs, const std::string& pointer);
    void judgePolicies(const Job& job, const std::string& pointer);
    // FitJudgement.cpp
    void judgeFit(const Job& job, const std::string& pointer, bool drawsWorkers);
    std::optional<Problem> unfit(const Job& job, bool drawsWorkers) const;
    std::optional<Problem> unreachable(const Job& job) const;
    // TailJudgement.cpp
    void judgeTails(const Job& job, const Choice& synchronization, const std::string& pointer);
    // RateJudgement.cpp
    void judgeRate(const Job& job, const Choice& synchronization, const std::string& pointer);
    // ShardJudgement.cpp
    void judgeShards(const Job& job, const Choice& synchronization, const std::string& pointer);
    // ScenarioJudge.cpp
    void judgeChoices();
    void judgeExpectations();

    void report(const char* code, Text message, std::string pointer, Severity severity = Severity::error);
    void add(Problems problems) { m_problems.insert(m_problems.end(), problems.begin(), problems.end()); }
    /// Reports an empty id or one that `seen` already has.
    void judgeId(const std::string& key, std::set<std::string>& seen, const char* what, const std::string& pointer);
    /// Reports a reference to something that is not there.
    void judgeReference(const std::string& key, const std::vector<std::string>& known, const char* what,
                        const std::string& pointer);

    const Scenario& m_scenario;
    const Registry& m_registry;
    Problems m_problems;
    std::vector<std::size_t> m_island;   ///< by machine: which connected part of the network
    std::set<std::string> m_ratesJudged; ///< machines whose bursts the rate model refuses and that have been named
    std::set<std::string> m_tailsJudged; ///< laws without a mean that have been named
    std::map<std::string, std::optional<Problem>> m_judged; ///< jobs of the same shape are judged once
};

} // namespace trainyard
