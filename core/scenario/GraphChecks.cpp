// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Computation graphs, the optical network that they may be admitted to, and pools that they are drawn from.
#include "base/Format.h"
#include "planning/graphs/ServerBlocks.h"
#include "planning/graphs/ShippedGraphs.h"
#include "planning/graphs/SplitGraph.h"
#include "scenario/ScenarioChecks.h"
#include "scenario/Suggest.h"

#include <algorithm>

namespace trainyard {

namespace {

constexpr double leastStep = 1e-9; ///< seconds: what the clock counts

} // namespace

void ScenarioChecks::checkRamp() {
    const Cluster& cluster = m_scenario.cluster;
    if (!cluster.ramp) return;
    const OpticalNetwork& ramp = *cluster.ramp;
    const std::int64_t servers = std::int64_t{ramp.groups} * ramp.racks * ramp.servers;
    const std::size_t before = m_problems.size();
    if (servers > OpticalNetwork::mostServers)
        report(
            "too-many-servers",
            {TRAINYARD_TEXT("{0} groups × {1} racks × {2} servers are {3} servers; an optical network has at most {4}"),
             {std::to_string(ramp.groups), std::to_string(ramp.racks), std::to_string(ramp.servers),
              std::to_string(servers), std::to_string(OpticalNetwork::mostServers)}},
            "/cluster/ramp/servers");
    if (ramp.racks > ramp.groups)
        report(
            "too-many-racks",
            {TRAINYARD_TEXT("a group has {0} racks, and there are {1} groups; racks must be at most as many as groups"),
             {std::to_string(ramp.racks), std::to_string(ramp.groups)}},
            "/cluster/ramp/racks");
    if (servers > static_cast<std::int64_t>(cluster.machines.size()))
        report("too-few-machines",
               {TRAINYARD_TEXT(
                    "the network has {0} servers and the cluster {1} machines; its first machines are the servers, "
                    "so that it needs at least as many"),
                {std::to_string(servers), std::to_string(cluster.machines.size())}},
               "/cluster/ramp");
    if (m_problems.size() > before || servers < 1) return;
    const ServerBlocks blocks(ramp);
    for (int d = 1; d <= servers; d += d == 1 ? 1 : 2)
        if (!blocks.blocks(d).empty()) m_degrees.push_back(d);
    const auto jobs = jobsAndTemplates(m_scenario);
    if (std::ranges::any_of(jobs, [&](const Job* job) { return isAdmittedAtOnce(*job, cluster); }))
        checkServersAlike(static_cast<std::size_t>(servers));
}

/// What the look-ahead takes for granted.
void ScenarioChecks::checkServersAlike(std::size_t servers) {
    const Cluster& cluster = m_scenario.cluster;
    const Machine& first = cluster.machines.front();
    for (std::size_t m = 0; m < servers; ++m) {
        const Machine& machine = cluster.machines[m];
        const auto differs = [&](const char* member, const char* message) {
            report("servers-differ", {message, {machine.key, first.key}},
                   "/cluster/machines/" + std::to_string(m) + "/" + member);
        };
        if (amountsKey(machine.capacity) != amountsKey(first.capacity))
            return differs("capacity",
                           TRAINYARD_TEXT("jobs that are admitted at once take whole servers, which must be alike: "
                                          "\"{0}\" has another capacity than \"{1}\""));
        if (cluster.speed(MachineId(m)) != cluster.speed(MachineId(0)))
            return differs("device",
                           TRAINYARD_TEXT("times of jobs that are admitted at once hold for servers that are alike: "
                                          "\"{0}\" has another speed than \"{1}\""));
        if (!(machine.straggler == StragglerLaw{}))
            return differs("straggler",
                           TRAINYARD_TEXT("times of jobs that are admitted at once are exact: \"{0}\", one of their "
                                          "servers, cannot straggle"));
    }
}

void ScenarioChecks::checkGraphs() {
    std::set<std::string> keys;
    std::vector<std::string> ids;
    for (const NamedGraph& graph : m_scenario.graphs) ids.push_back(graph.key);
    m_graphs = KnownIds(std::move(ids));
    std::vector<std::string> shippedIds;
    for (const ShippedGraph& graph : shippedGraphs()) shippedIds.push_back(graph.id);
    const KnownIds known(std::move(shippedIds));
    for (std::size_t i = 0; i < m_scenario.graphs.size(); ++i) {
        const std::string pointer = "/graphs/" + std::to_string(i);
        const NamedGraph& named = m_scenario.graphs[i];
        checkId(named.key, keys, TRAINYARD_TEXT("graph"), pointer + "/id");
        if (named.shipped.empty())
            checkGraph(named.graph, pointer);
        else
            checkReference(named.shipped, known, TRAINYARD_TEXT("shipped graph"), pointer + "/shipped");
        const ComputationGraph timed = computationOf(named); // alone it takes time
        if (named.timeFactor != 1 && !timed.operations.empty() && timed.sequentialSeconds() < leastStep)
            report("out-of-range",
                   {TRAINYARD_TEXT("with this factor all operations together take less than a nanosecond"), {}},
                   pointer + "/time_factor");
    }
}

void ScenarioChecks::checkGraph(const ComputationGraph& graph, const std::string& pointer) {
    const std::size_t operations = graph.operations.size(), dependencies = graph.dependencies.size();
    if (operations == 0) {
        report("too-few", {TRAINYARD_TEXT("a graph needs at least one operation"), {}}, pointer + "/operations");
        return;
    }
    if (operations > ComputationGraph::mostOperations || dependencies > ComputationGraph::mostDependencies) {
        report("too-large",
               {TRAINYARD_TEXT("the graph has {0} operations and {1} dependencies; at most {2} and {3} are allowed"),
                {std::to_string(operations), std::to_string(dependencies),
                 std::to_string(ComputationGraph::mostOperations), std::to_string(ComputationGraph::mostDependencies)}},
               pointer + (operations > ComputationGraph::mostOperations ? "/operations" : "/dependencies"));
        return;
    }
    if (graph.output && *graph.output >= operations)
        report(
            "unknown-operation",
            {TRAINYARD_TEXT("there is no such operation; there are {0}, counted from 0"), {std::to_string(operations)}},
            pointer + "/output");
    for (std::size_t i = 0; i < dependencies; ++i) {
        const auto& dependency = graph.dependencies[i];
        if (dependency.from < operations && dependency.to < operations) continue;
        report(
            "unknown-operation",
            {TRAINYARD_TEXT("there is no such operation; there are {0}, counted from 0"), {std::to_string(operations)}},
            pointer + "/dependencies/" + std::to_string(i));
        return;
    }
    if (graph.topologicalOrder().empty())
        report(
            "cycle",
            {TRAINYARD_TEXT("the dependencies form a cycle; every operation must come after those that it depends on"),
             {}},
            pointer + "/dependencies");
    else if (!(graph.sequentialSeconds() >= leastStep))
        report("out-of-range",
               {TRAINYARD_TEXT("all operations together take less than a nanosecond; give at least one a greater "
                               "\"forward_s\""),
                {}},
               pointer + "/operations");
}

void ScenarioChecks::checkGraphJob(const Job& job, const std::string& pointer, const GraphPool* pool) {
    const auto& work = std::get<GraphWork>(job.work);
    if (pool) {
        if (!work.name.empty() || !work.graph.operations.empty())
            report("unused", {TRAINYARD_TEXT("graphs come from the pool; that of the template is not used"), {}},
                   pointer + (work.name.empty() ? "/graph" : "/graph_id"), Severity::warning);
    } else if (!work.name.empty()) {
        checkReference(work.name, m_graphs, TRAINYARD_TEXT("graph"), pointer + "/graph_id");
    } else {
        checkGraph(work.graph, pointer + "/graph");
    }
    if (work.admission != Admission::immediate) return;
    if (!m_scenario.cluster.ramp) {
        report("no-ramp",
               {TRAINYARD_TEXT("the cluster has no \"ramp\", so that the job waits for the scheduler like others"), {}},
               pointer + "/admission", Severity::warning);
        return;
    }
    if (!pool && work.deadlineFraction > 1)
        report("out-of-range",
               {TRAINYARD_TEXT(
                    "β is {0}; the deadline of a job that is admitted at once is a share of its sequential time, "
                    "above 0 and at most 1"),
                {formatNumber(work.deadlineFraction)}},
               pointer + "/deadline_fraction");
    checkDegrees(job, pointer, pool);
}

void ScenarioChecks::checkDegrees(const Job& job, const std::string& pointer, const GraphPool* pool) {
    if (m_degrees.empty()) return; // the network's own problems are told
    const auto& work = std::get<GraphWork>(job.work);
    const OpticalNetwork& ramp = *m_scenario.cluster.ramp;
    if (job.workers.minimum > ramp.serverCount()) {
        report("degree-too-large",
               {TRAINYARD_TEXT("each operation is to have at least {0} parts, but the network has {1} servers"),
                {std::to_string(job.workers.minimum), std::to_string(ramp.serverCount())}},
               pointer + "/workers");
        return;
    }
    int most = 0;
    std::vector<std::string> known;
    for (const int degree : m_degrees) {
        known.push_back(std::to_string(degree));
        if (degree >= job.workers.minimum && degree <= job.workers.maximum) most = degree;
    }
    if (most == 0) {
        report("no-block",
               {TRAINYARD_TEXT("the network has no block of {0} to {1} servers; it has some of {2}"),
                {std::to_string(job.workers.minimum), std::to_string(job.workers.maximum), joinWords(known, 40)}},
               pointer + "/workers");
        return;
    }
    if (!pool && work.name.empty()) return checkMemory(work.graph, most, pointer + "/graph");
    const std::vector<std::string> names = pool ? graphsOf(*pool, m_scenario) : std::vector<std::string>{work.name};
    for (std::size_t i = 0; i < m_scenario.graphs.size(); ++i)
        if (std::ranges::find(names, m_scenario.graphs[i].key) != names.end() &&
            m_memoryChecked.insert({i, most}).second)
            checkMemory(computationOf(m_scenario.graphs[i]), most, "/graphs/" + std::to_string(i));
}

/// An operation needs its memory twice, for its forward and its backward part on the same server.
void ScenarioChecks::checkMemory(const ComputationGraph& graph, int degree, const std::string& pointer) {
    const OpticalNetwork& ramp = *m_scenario.cluster.ramp;
    const GraphSetting setting = GraphSetting::of(ramp);
    for (std::size_t v = 0; v < graph.operations.size(); ++v) {
        const Operation& op = graph.operations[v];
        const int parts = partsOf(op, degree, setting);
        const double needed = 2 * (op.activationBytes + op.parameterBytes) / parts;
        if (needed <= ramp.memoryBytes) continue;
        report("operation-too-large",
               {TRAINYARD_TEXT(
                    "split into at most {0} parts, operation \"{1}\" needs {2} bytes on each server, which has {3}"),
                {std::to_string(parts), op.name.empty() ? std::to_string(v) : op.name, formatNumber(needed),
                 formatNumber(ramp.memoryBytes)}},
               pointer + "/operations/" + std::to_string(v));
        return;
    }
}

void ScenarioChecks::checkPool(const JobGenerator& generator, const std::string& pointer) {
    const GraphPool& pool = *generator.pool;
    if (generator.job.kind() != JobKind::graph)
        report("pool-without-graphs",
               {TRAINYARD_TEXT("only jobs of kind \"graph\" can be drawn from a pool of graphs"), {}},
               pointer + "/job/kind");
    if (!generator.others.empty())
        report("two-ways", {TRAINYARD_TEXT("jobs of a pool follow one template; leave out the others"), {}},
               pointer + "/other_jobs");
    for (std::size_t i = 0; i < pool.graphs.size(); ++i)
        checkReference(pool.graphs[i], m_graphs, TRAINYARD_TEXT("graph"),
                       pointer + "/pool/graphs/" + std::to_string(i));
    if (graphsOf(pool, m_scenario).empty())
        report("too-few", {TRAINYARD_TEXT("the scenario has no graphs to draw from; add some to \"graphs\""), {}},
               pointer + "/pool");
    add(pool.deadlines.check(pointer + "/pool/deadline_fractions"));
}

} // namespace trainyard
