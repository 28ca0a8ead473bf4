// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The whole input of a study as one value: cluster, jobs, generators, faults, policies and variants, with its
// texts. The file format is docs/format/scenario.md and scenarios/schema.json. Edited only through
// ScenarioModel's commands in the window.
#include "base/DiscreteLaw.h"
#include "base/Distribution.h"
#include "model/Workload.h"
#include "planning/graphs/GraphArrivals.h"
#include "policy/Registry.h"

#include <map>

namespace trainyard {

enum class RunMode { simulate, execute };
/// flow: transfers share links max-min fairly. rate: closed-form transfer times, no contention between
/// transfers.
enum class NetworkModel { flow, rate };

struct PolicySet {
    Choice scheduler{"fifo", {}};
    Choice synchronization{"full-sync", {}};
    Choice parameters{"static", {}};
    Choice partitioner{"none", {}};
    const Choice& of(PolicyFamily family) const;
    Choice& of(PolicyFamily family);
    friend bool operator==(const PolicySet&, const PolicySet&) = default;
};

/// A named choice for one family, usable with --vary and in the window's pickers.
struct Variant {
    std::string name, title;
    PolicyFamily family = PolicyFamily::synchronization;
    Choice choice;
    friend bool operator==(const Variant&, const Variant&) = default;
};

/// Laws of members of a job, drawn per job; keys: drawnQuantities().
using FieldLaws = std::map<std::string, Distribution>;

/// One of several templates of a generator.
struct JobTemplate {
    double weight = 1; ///< of all templates' weights: how often a job is like it
    Job job;           ///< its arrival is ignored
    FieldLaws draws;   ///< instead of those of the generator
    friend bool operator==(const JobTemplate&, const JobTemplate&) = default;
};

/// A computation graph that jobs name.
struct NamedGraph {
    std::string key;
    ComputationGraph graph;
    std::string shipped = {}; ///< id of one that ships (planning/graphs/ShippedGraphs.h); empty: `graph`
    double timeFactor = 1;    ///< multiplies its times
    friend bool operator==(const NamedGraph&, const NamedGraph&) = default;
};

/// What jobs that name it run: the one that ships or its own, with its times multiplied. Of no operations where the id is unknown.
ComputationGraph computationOf(const NamedGraph& graph);

/// What the graph jobs of a generator draw: each its graph and its deadline from a pool, without replacement; a pool that is empty is filled
/// again with the same (planning/graphs/GraphArrivals.h).
struct GraphPool {
    std::vector<std::string> graphs; ///< ids of the scenario's graphs; empty: all of them
    int copies = 1;                  ///< of each graph in the pool
    DiscreteLaw deadlines{{1}, {1}}; ///< of β, drawn once for each entry of the pool
    friend bool operator==(const GraphPool&, const GraphPool&) = default;
};

/// Makes jobs from a template, or from one of several: keys "<key>-1", "<key>-2", …
struct JobGenerator {
    enum class Arrivals { poisson, fixed, trace };
    std::string key;
    Arrivals arrivals = Arrivals::poisson;
    int count = 1;
    double startSeconds = 0;
    double meanInterarrivalSeconds = 60; ///< poisson: mean; fixed: the gap
    std::vector<double> arrivalSeconds;  ///< trace
    Job job;                             ///< template; its arrival is ignored
    double jobWeight = 1;                ///< of that one, where there are others
    std::vector<JobTemplate> others;
    FieldLaws draws; ///< whatever the template, as far as its jobs have the member
    std::optional<GraphPool> pool;
    friend bool operator==(const JobGenerator&, const JobGenerator&) = default;
};

struct Fault {
    enum class Target { machine, link };
    Target target = Target::machine;
    std::string key;                          ///< machine or link; empty with `meanSecondsBetween` = each of them
    double atSeconds = 0;                     ///< of a single fault
    std::optional<double> repairAfterSeconds; ///< none: stays down
    std::optional<double> meanSecondsBetween; ///< random faults (exponential), repaired after repairAfterSeconds
    friend bool operator==(const Fault&, const Fault&) = default;
};

/// What a test scenario promises: metric → [least, greatest].
struct Expectation {
    std::string metric;
    double minimum = 0, maximum = 0;
    friend bool operator==(const Expectation&, const Expectation&) = default;
};

/// An instant worth a look, for those who are shown the run; no run depends on it.
struct Bookmark {
    double atSeconds = 0;
    std::string name;
    friend bool operator==(const Bookmark&, const Bookmark&) = default;
};

/// Where a run is stopped that would not end in time; what it has done until then is kept. Absent: no such limit, but for memory, which
/// has one of the machine (run/LimitGuard.h).
struct RunLimits {
    std::optional<std::int64_t> events; ///< recorded or processed; exact in simulate
    std::optional<double> wallSeconds;  ///< of preparing and computing: pauses and waits for a pace do not count
    std::optional<double> memoryGigabytes;
    friend bool operator==(const RunLimits&, const RunLimits&) = default;
};

struct Scenario {
    static constexpr int formatVersion = 1;

    std::string title, notes, lookFor;
    std::uint64_t seed = 1;
    RunMode mode = RunMode::simulate;
    NetworkModel network = NetworkModel::flow;
    double horizonSeconds = 1e9; ///< the run ends here at the latest
    RunLimits limits;
    WhyLevel explanations = WhyLevel::decisions;
    std::optional<double> playbackSpeed; ///< seconds of the run in a second on screen; none: by its length
    Cluster cluster;
    std::vector<Job> jobs;
    std::vector<JobGenerator> generators;
    std::vector<Fault> faults;
    PolicySet policies;
    std::vector<Variant> variants;
    std::vector<RecordedCurve> curves;
    std::vector<NamedGraph> graphs;
    std::vector<Bookmark> bookmarks;
    std::vector<Expectation> expect;
    friend bool operator==(const Scenario&, const Scenario&) = default;
};

/// What stands in the scenario itself, not in an entity of it: title, seed, limits, policies, curves …
void copySettings(const Scenario& from, Scenario& to);

/// All jobs, and all templates of generators.
std::vector<const Job*> jobsAndTemplates(const Scenario& scenario);

/// What a generator may have drawn of a job, by its name in `draws`; nullopt: the job has none.
std::optional<double> drawnValue(const Job& job, std::string_view name);

/// Jobs and generated jobs in order of (arrival, key); a pure function of the scenario and the seed. May throw Stopped (base/Stopped.h).
std::shared_ptr<const Workload> expandWorkload(const Scenario& scenario, std::uint64_t seed,
                                               const std::stop_token& stop = {});

/// The graphs that a pool draws from, in its order: those that it names, or all.
std::vector<std::string> graphsOf(const GraphPool& pool, const Scenario& scenario);

/// What a partitioner may expect of the jobs to come that are admitted at once: of the first pool of such jobs, its graphs, its law of β and its
/// arrivals; where there is none, the frequencies of what the workload has, without their order.
struct ExpectedGraphs {
    std::vector<std::shared_ptr<const ComputationGraph>>
        graphs; ///< of that pool, in its order; none: those of all jobs
    GraphWorkload workload;
};
ExpectedGraphs expectedGraphs(const Scenario& scenario, const Workload& workload);

/// Which job or template a job of that workload comes from. The scenario must outlive it.
class JobPlaces {
public:
    JobPlaces(const Scenario& scenario, std::uint64_t seed);
    /// JSON pointer: "/jobs/0", "/generators/1/job", "/generators/1/other_jobs/0/job"; empty: from none of them.
    std::string of(const Job& job) const;

private:
    const Scenario& m_scenario;
    std::uint64_t m_seed;
    std::map<std::string_view, std::size_t> m_jobs, m_generators; ///< by key; of equal ones the first
};

/// What can only be checked with data sets, models and policies at hand: unknown ids, unfit jobs, unreachable
/// machines …
Problems validateScenario(const Scenario& scenario, const Registry& registry);

} // namespace trainyard
