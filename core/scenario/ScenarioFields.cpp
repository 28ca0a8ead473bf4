// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/ScenarioFields.h"

#include <array>

namespace trainyard {

namespace {

constexpr std::array<const char*, 2> modeWords{"simulate", "execute"};
constexpr std::array<const char*, 2> networkWords{"flow", "rate"};
constexpr std::array<const char*, 3> whyWords{"off", "decisions", "full"};
constexpr std::array<const char*, 3> arrivalWords{"poisson", "fixed", "trace"};
constexpr std::array<const char*, 4> familyWords{"scheduler", "synchronization", "parameters", "partitioner"};
constexpr std::array<const char*, 15> drawWords{"workers",         "batch",
                                                "samples",         "epochs",
                                                "iterations",      "seconds_per_sample",
                                                "parameter_bytes", "workers_per_server",
                                                "weight",          "deadline_s",
                                                "theta1",          "theta2_per_s",
                                                "theta3_s",        "local_per_s",
                                                "remote_per_s"};

void drawFields(Fields& f, FieldLaws& draws, const char* help) {
    f.object({"draws", help}, "draws", [&] {
        for (const char* name : drawWords) {
            const auto it = draws.find(name);
            Distribution law = it == draws.end() ? Distribution{} : it->second;
            if (f.distribution({name, "Law of this member of the job"}, law, it != draws.end())) draws[name] = law;
        }
    });
}

} // namespace

void generatorFields(Fields& f, JobGenerator& generator, const std::vector<std::string>& resources) {
    using Arrivals = JobGenerator::Arrivals;
    const NumberRule time{.maximum = 9e9, .fallback = 0, .unit = "s"};
    const NumberRule gap{.maximum = 1e9, .fallback = 60, .unit = "s"};
    const IntegerRule number{.minimum = 0, .maximum = 1'000'000, .fallback = 1};
    const NumberRule weight{.maximum = 1e9, .fallback = 1, .aboveMinimum = true};
    f.text({"id", "Unique among generators; jobs are called ID-1, ID-2, …", true}, generator.key);
    f.word(
        {"arrivals", "poisson: exponential inter-arrival times; fixed: equal ones; trace: listed arrival times", true},
        generator.arrivals, arrivalWords, Arrivals::poisson);
    f.alternative("arrivals", "poisson", generator.arrivals == Arrivals::poisson, [&] {
        f.count({"count", "How many jobs"}, generator.count, number);
        f.number({"mean_gap_s", "Mean time between arrivals"}, generator.meanInterarrivalSeconds, gap);
    });
    f.alternative("arrivals", "fixed", generator.arrivals == Arrivals::fixed, [&] {
        f.count({"count", "How many jobs"}, generator.count, number);
        f.number({"gap_s", "Time between arrivals"}, generator.meanInterarrivalSeconds, gap);
    });
    f.alternative("arrivals", "trace", generator.arrivals == Arrivals::trace, [&] {
        f.numbers({"arrival_times_s", "When each job arrives, counted from start_s", true}, generator.arrivalSeconds,
                  time);
    });
    f.optionalObject(
        {"pool",
         "Its jobs, of kind graph, draw graph and deadline from a pool without replacement; the first arrives at "
         "start_s"},
        "graph-pool", generator.pool, [&](GraphPool& pool) {
            f.texts({"graphs", "Ids of the scenario's graphs; left out = all of them"}, pool.graphs);
            f.count({"copies", "Of each graph in the pool; an empty pool is filled again with the same"}, pool.copies,
                    {.minimum = 1, .maximum = 100'000, .fallback = 1});
            f.numbers({"deadline_fractions", "Values of β, ascending", true}, pool.deadlines.values,
                      {.maximum = 1, .aboveMinimum = true});
            f.numbers({"probabilities", "Of each of these values; together 1", true}, pool.deadlines.probabilities,
                      {.maximum = 1});
        });
    f.number({"start_s", "Start of the arrivals"}, generator.startSeconds, time);
    f.object({"job", "Template of every job: as in jobs, without id and arrival_s", true}, "job-template",
             [&] { jobFields(f, generator.job, resources, true); });
    f.number({"job_weight", "Weight of that template, relative to the weights of other_jobs"}, generator.jobWeight,
             weight);
    f.list({"other_jobs", "Other templates: each job follows one of them or job, drawn by their weights"},
           "weighted-template", generator.others, [&](JobTemplate& other) {
               f.number({"weight", "Relative frequency of this template"}, other.weight, weight);
               f.object({"job", "Template of such a job: as in jobs, without id and arrival_s", true}, "job-template",
                        [&] { jobFields(f, other.job, resources, true); });
               drawFields(f, other.draws, "Laws for such jobs, instead of those of the generator");
           });
    drawFields(f, generator.draws,
               "Quantities drawn for each job that has them, whatever its template; whole numbers are rounded and kept "
               "at 1 or more");
}

void faultFields(Fields& f, Fault& fault) {
    const std::string shown = f.reading() ? "" : fault.key.empty() ? "*" : fault.key;
    const bool onLink = fault.target == Fault::Target::link;
    std::string machine = onLink ? "" : shown, link = onLink ? shown : "";
    f.text({"machine", "Id of the machine that fails, or \"*\" for each of them"}, machine);
    f.text({"link", "Id of the link that fails, or \"*\" for each of them"}, link);
    f.number({"at_s", "Time of the failure"}, fault.atSeconds, {.maximum = 9e9, .unit = "s"});
    f.optionalNumber({"mean_between_s", "Mean time between repeated failures (exponential)"}, fault.meanSecondsBetween,
                     {.maximum = 1e12, .unit = "s", .aboveMinimum = true});
    f.optionalNumber({"repair_after_s", "Time until it is repaired; left out = never"}, fault.repairAfterSeconds,
                     {.maximum = 1e12, .unit = "s"});
    const bool complete = machine.empty() != link.empty();
    fault.target = link.empty() ? Fault::Target::machine : Fault::Target::link;
    fault.key = link.empty() ? machine : link;
    if (fault.key == "*") fault.key.clear();
    if (!complete)
        f.complain("", "one-of",
                   {TRAINYARD_TEXT("a fault needs either \"machine\" or \"link\": the id of one, or \"*\""), {}});
}

void variantFields(Fields& f, Variant& variant) {
    f.text({"name", "Unique among variants; what --vary takes", true}, variant.name);
    f.text({"title", "Shown instead of the name"}, variant.title);
    f.word({"family", "Which policy family it is for", true}, variant.family, familyWords,
           PolicyFamily::synchronization);
    f.text({"id", "The policy; see trainyard-cli list FAMILY", true}, variant.choice.id);
    f.parameters({"parameters", "Its parameters that differ from their defaults"}, variant.choice.parameters);
}

void bookmarkFields(Fields& f, Bookmark& bookmark) {
    f.number({"at_s", "The instant, in simulated time", true}, bookmark.atSeconds, {.maximum = 9e9, .unit = "s"});
    f.text({"name", "What to see at this instant"}, bookmark.name);
}

namespace {

void expectFields(Fields& f, std::vector<Expectation>& expect) {
    std::vector<std::tuple<std::string, double, double>> ranges;
    for (const auto& e : expect) ranges.emplace_back(e.metric, e.minimum, e.maximum);
    f.ranges({"expect", "Expected metrics of a test scenario: metric → [minimum, maximum]; see trainyard-cli "
                        "list metrics"},
             ranges);
    expect.clear();
    for (const auto& [metric, least, greatest] : ranges) expect.push_back({metric, least, greatest});
}

void policyFields(Fields& f, PolicySet& policies) {
    f.choice({"scheduler", "Which job gets which machines, when (default fifo)"}, policies.scheduler, true);
    f.choice({"synchronization", "Which workers an update waits for (default full-sync)"}, policies.synchronization,
             true);
    f.choice({"parameters", "Where parameters live (default static)"}, policies.parameters, true);
    f.choice({"partitioner", "Into how many parts graph jobs are split (default none)"}, policies.partitioner, true);
}

} // namespace

std::span<const char* const> drawnQuantities() { return drawWords; }

namespace {

void limitFields(Fields& f, RunLimits& limits) {
    f.optionalInteger({"events", "Events recorded or processed"}, limits.events,
                      {.minimum = 1, .maximum = 1'000'000'000'000});
    f.optionalNumber({"wall_s", "Real time of computing, without pauses"}, limits.wallSeconds,
                     {.maximum = 1e9, .unit = "s", .aboveMinimum = true});
    f.optionalNumber({"memory_gb", "Memory of the program (default: three quarters of the machine's)"},
                     limits.memoryGigabytes, {.maximum = 1e6, .unit = "GB", .aboveMinimum = true});
}

void headFields(Fields& f, Scenario& s) {
    f.text({"title", "Title"}, s.title);
    f.text({"notes", "Description of the scenario", false, true}, s.notes);
    f.text({"look_for", "What to look for when it runs", false, true}, s.lookFor);
    f.wholeSeed({"seed", "Seed of every random number"}, s.seed, 1);
    f.word({"mode", "simulate: virtual time; execute: threads in real time"}, s.mode, modeWords, RunMode::simulate);
    f.word({"network", "flow: transfers share links fairly; rate: jobs do not share bandwidth, and analytic "
                       "jobs advance by expected times, for large studies"},
           s.network, networkWords, NetworkModel::flow);
    f.number({"horizon_s", "The run ends here at the latest"}, s.horizonSeconds,
             {.maximum = 9e9, .fallback = 1e9, .unit = "s", .aboveMinimum = true});
    f.object({"limits", "A run that reaches one of them is stopped; what it has done is kept"}, "limits",
             [&] { limitFields(f, s.limits); });
    f.word({"explanations", "Level of detail of explanations"}, s.explanations, whyWords, WhyLevel::decisions);
    f.optionalNumber({"playback_speed", "Seconds of the run in a second on screen (default: by its length)"},
                     s.playbackSpeed, {.minimum = 0.01, .maximum = 1e5});
}

void curveFields(Fields& f, Scenario& s) {
    f.list({"curves", "Recorded loss curves, for analytic jobs"}, "curve", s.curves, [&](RecordedCurve& curve) {
        f.text({"id", "Unique among curves", true}, curve.key);
        f.numbers({"updates", "Numbers of updates, from 0 on, rising", true}, curve.updates, {.maximum = 1e15});
        f.numbers({"losses", "The loss after each of them", true}, curve.losses, {.minimum = -1e15, .maximum = 1e15});
    });
}

} // namespace

void namedGraphFields(Fields& f, Scenario& s) {
    f.list({"graphs", "Computation graphs that jobs name by graph_id"}, "named-graph", s.graphs,
           [&](NamedGraph& named) {
               f.text({"id", "Unique among graphs", true}, named.key);
               f.text({"shipped",
                       "A graph that ships with Trainyard, instead of operations of its own: alexnet, vgg16, resnet18, "
                       "resnet50, squeezenet, gnmt, transformer or mlp"},
                      named.shipped);
               f.number({"time_factor", "Multiplies the times of all operations"}, named.timeFactor,
                        {.maximum = 1e6, .fallback = 1, .aboveMinimum = true});
               if (named.shipped.empty() || f.describing()) computationFields(f, named.graph, false);
           });
}

void settingsFields(Fields& f, Scenario& s) {
    headFields(f, s);
    f.object({"policies", "One policy per family"}, "policies", [&] { policyFields(f, s.policies); });
    curveFields(f, s);
    namedGraphFields(f, s);
    expectFields(f, s.expect);
}

void scenarioFields(Fields& f, Scenario& s) {
    headFields(f, s);
    f.object({"cluster", "Machines and network", true}, "cluster", [&] { clusterFields(f, s.cluster); });
    f.list({"jobs", "Jobs"}, "job", s.jobs, [&](Job& job) { jobFields(f, job, s.cluster.resourceNames, false); });
    f.list({"generators", "Generators of many similar jobs"}, "generator", s.generators,
           [&](JobGenerator& generator) { generatorFields(f, generator, s.cluster.resourceNames); });
    f.list({"faults", "Failures of machines and links"}, "fault", s.faults,
           [&](Fault& fault) { faultFields(f, fault); });
    f.object({"policies", "One policy per family"}, "policies", [&] { policyFields(f, s.policies); });
    f.list({"variants", "Named policies for comparisons"}, "variant", s.variants,
           [&](Variant& variant) { variantFields(f, variant); });
    curveFields(f, s);
    namedGraphFields(f, s);
    f.list({"bookmarks", "Named instants of interest; no effect on results"}, "bookmark", s.bookmarks,
           [&](Bookmark& bookmark) { bookmarkFields(f, bookmark); });
    expectFields(f, s.expect);
}

} // namespace trainyard
