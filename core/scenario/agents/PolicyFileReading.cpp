// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/agents/PolicyFileReading.h"

#include "learning/keyed/KeyedChoices.h"
#include "learning/keyed/KeyedData.h"
#include "scenario/agents/AgentFile.h"

namespace trainyard {

namespace {

/// One problem of the parameter, which tells the first of the file.
Problem ofParameter(const Problem& problem, const std::string& pointer) {
    if (problem.file.empty()) return {.code = problem.code, .message = problem.message, .pointer = pointer};
    Problem inner = problem;
    inner.pointer = problem.pointer;
    return {.code = problem.code,
            .message = {TRAINYARD_TEXT("the agent cannot be used: {0}"), {inner.text()}},
            .pointer = pointer};
}

class PolicyFileReader {
public:
    PolicyFileReader(const Scenario& scenario, const Registry& registry, const ResourcePaths& resources)
        : m_scenario(scenario), m_registry(registry), m_resources(resources) {}

    /// Nothing for a job that has no choice of its own.
    void read(const Choice& choice, const std::string& pointer) {
        const PolicyInfo* info = m_registry.find(PolicyFamily::partitioner, choice.id);
        if (!info || hasErrors(info->schema.check(choice.parameters))) return;
        const ParamValues values = info->schema.complete(choice.parameters);
        bool complete = true;
        for (const ParamField& field : info->schema.fields()) {
            if (field.type != ParamType::file) continue;
            complete =
                load(std::get<std::string>(values.at(field.key)), pointer + "/parameters/" + pointerToken(field.key)) &&
                complete;
        }
        if (!complete || !info->unsuited) return;
        if (auto why = info->unsuited(values, m_files, m_scenario.cluster))
            m_problems.push_back({.code = "unsuited-file", .message = std::move(*why), .pointer = pointer});
    }
    Result<PolicyFiles> take() && {
        if (hasErrors(m_problems)) return std::move(m_problems);
        return std::move(m_files);
    }

private:
    bool load(const std::string& name, const std::string& pointer) {
        if (m_files.agents.contains(name)) return true;
        const auto path = agentPath(name, m_resources);
        auto agent = path ? readAgent(*path) : Result<std::shared_ptr<const DegreeAgent>>(path.problems());
        if (agent)
            m_files.agents.emplace(name, std::move(*agent));
        else
            m_problems.push_back(ofParameter(agent.problems().front(), pointer));
        return agent.ok();
    }

    const Scenario& m_scenario;
    const Registry& m_registry;
    const ResourcePaths& m_resources;
    PolicyFiles m_files;
    Problems m_problems;
};

} // namespace

Result<PolicyFiles> readPolicyFiles(const Scenario& scenario, const Registry& registry,
                                    const ResourcePaths& resources) {
    PolicyFileReader reader(scenario, registry, resources);
    reader.read(scenario.policies.partitioner, "/policies/partitioner");
    for (std::size_t j = 0; j < scenario.jobs.size(); ++j)
        reader.read(scenario.jobs[j].partitioner, "/jobs/" + std::to_string(j) + "/partitioner");
    for (std::size_t g = 0; g < scenario.generators.size(); ++g) {
        const std::string pointer = "/generators/" + std::to_string(g);
        reader.read(scenario.generators[g].job.partitioner, pointer + "/job/partitioner");
        for (std::size_t o = 0; o < scenario.generators[g].others.size(); ++o)
            reader.read(scenario.generators[g].others[o].job.partitioner,
                        pointer + "/other_jobs/" + std::to_string(o) + "/job/partitioner");
    }
    return std::move(reader).take();
}

Scenario withFileDigests(const Scenario& scenario, const Registry& registry, const ResourcePaths& resources) {
    Scenario out = scenario;
    if (const auto files = readPolicyFiles(scenario, registry, resources)) // else its runs will say so
        for (const auto& [name, agent] : files->agents) out.notes += "\n" + name + " " + agent->digest;
    for (const Job* job : jobsAndTemplates(scenario)) {
        if (!job->keyedAccess() || !job->keyedAccess()->task) continue;
        for (const std::string& file : keyedDataFiles(*job->keyedAccess()->task))
            if (const auto summary = readKeyedSummary(file))
                out.notes += "\n" + file + " " + std::to_string(summary->checksum);
    }
    return out;
}

} // namespace trainyard
