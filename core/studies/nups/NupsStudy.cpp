// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Messages per iteration and ratios of the zipf loop. The counts expected are those of independent event simulations of the same
// loop and of the authors' code; the paper's abstract claims "up to one order of magnitude".
#include "studies/nups/NupsStudy.h"

#include "studies/StudyRuns.h"
#include "studies/nups/NupsTasks.h"

#include "base/Format.h"

#include <cmath>

namespace trainyard::study {

namespace {

constexpr double tolerance = 0.12; ///< of messages per iteration; independent simulations differ by as much

double perIteration(const std::map<std::string, double>& metrics) {
    return metrics.contains("messages") ? metrics.at("messages") / metrics.at("updates") : NAN;
}

Claim messagesClaim(const std::string& id, const std::string& what, double expected, double measured) {
    Claim claim{.id = "zipf/" + id + "/messages",
                .claim = "Messages per iteration of the zipf loop, 4 machines, 20,000 iterations each, " + what,
                .source = "measured before: two independent event simulations, and the authors' code",
                .unit = "1",
                .expected = expected};
    if (std::isnan(measured)) return claim;
    claim.measured = measured;
    claim.n = 1;
    claim.holds = std::abs(measured / expected - 1) <= tolerance;
    claim.finding = "within 12 %: independent simulations of the same loop differ by as much";
    return claim;
}

} // namespace

std::map<std::string, double> zipfMetrics(const StudyRequest& request, const ZipfSettings& settings,
                                          StudyReport& report) {
    const auto scenario = zipfScenario(request, settings);
    if (!scenario) {
        report.problems.insert(report.problems.end(), scenario.problems().begin(), scenario.problems().end());
        return {};
    }
    const auto outcomes = simulateAll(request, {{.scenario = *scenario, .seed = (*scenario)->seed}}, {}, report);
    return !outcomes.empty() && outcomes.front().done ? outcomes.front().metrics : std::map<std::string, double>{};
}

std::pair<std::string, double> busiestResource(const std::map<std::string, double>& metrics,
                                               const ZipfSettings& settings) {
    const auto of = [&](const char* name) {
        const auto it = metrics.find(name);
        return it == metrics.end() ? 0.0 : it->second;
    };
    const KeyedCosts costs;
    const double workers = static_cast<double>(settings.nodes * settings.threads);
    const double own =
        of("local_pulls") * (costs.pullSeconds + costs.pushSeconds) + of("updates") * settings.computeUs * 1e-6;
    const double time = of("iterations_per_s") > 0 ? of("updates") / of("iterations_per_s") : 0;
    std::pair<std::string, double> out{"workers", time > 0 ? own / (time * workers) : 0};
    for (const auto& [name, metric] :
         {std::pair("server thread", "server_thread_use"), {"sending", "sending_use"}, {"receiving", "receiving_use"}})
        if (of(metric) > out.second) out = {name, of(metric)};
    return out;
}

void nupsMessages(const StudyRequest& request, StudyReport& report) {
    StudyTable table{
        "nups-messages", {"policy", "replicas", "messages_per_iteration", "remote_pulls", "iterations_per_s"}, {}};
    const auto measure = [&](const std::string& manager, std::int64_t replicas) {
        auto metrics = zipfMetrics(request, {.manager = manager, .replicate = replicas}, report);
        const double messages = perIteration(metrics);
        table.rows.push_back({manager, manager == "nups" ? std::to_string(replicas) : "", number(messages),
                              number(metrics["remote_pulls"]), number(metrics["iterations_per_s"])});
        return std::pair(messages, metrics["remote_pulls"]);
    };
    const auto [messages, remote] = measure("static", 0);
    Claim golden{.id = "zipf/static/remote-pulls",
                 .claim = "Remote pulls of the zipf loop with static homes, 4 machines, 20,000 iterations each",
                 .source = "derived: counted by a program of its own from the same draws",
                 .unit = "1",
                 .expected = 59'965};
    if (!std::isnan(messages)) {
        golden.measured = remote;
        golden.n = 1;
        golden.holds = remote == 59'965;
        golden.finding = "exact: every draw is defined to the bit";
    }
    report.claims.push_back(std::move(golden));
    report.claims.push_back(messagesClaim("relocating", "keys relocate", 2.2, measure("relocating", 0).first));
    report.claims.push_back(
        messagesClaim("nups-86", "and the 86 most frequent keys have replicas", 0.53, measure("nups", 86).first));
    report.claims.push_back(messagesClaim("nups-1000", "and the 1,000 most frequent keys have replicas", 0.30,
                                          measure("nups", 1000).first));
    report.tables.push_back(std::move(table));
}

void nupsRatios(const StudyRequest& request, StudyReport& report) {
    StudyTable table{"nups-ratios",
                     {"nodes", "threads", "latency_us", "replicas", "static_per_s", "static_busiest", "static_use",
                      "nups_per_s", "nups_busiest", "nups_use", "ratio"},
                     {}};
    for (const auto& [nodes, threads] : {std::pair<std::int64_t, std::int64_t>{4, 1}, {16, 8}})
        for (const double latency : {5.0, 20.0, 80.0}) {
            if (request.quick && (nodes > 4 || latency < 80)) continue;
            ZipfSettings settings{.nodes = nodes, .threads = threads, .latencyUs = latency};
            auto ofStatic = zipfMetrics(request, settings, report);
            const double base = ofStatic["iterations_per_s"];
            const auto busiestStatic = busiestResource(ofStatic, settings);
            for (const std::int64_t replicas : {86, 1000}) {
                settings.manager = "nups";
                settings.replicate = replicas;
                auto ofNups = zipfMetrics(request, settings, report);
                const double rate = ofNups["iterations_per_s"];
                const double ratio = base > 0 ? rate / base : NAN;
                const auto busiest = busiestResource(ofNups, settings);
                table.rows.push_back({std::to_string(nodes), std::to_string(threads), number(latency),
                                      std::to_string(replicas), number(base), busiestStatic.first,
                                      number(busiestStatic.second), number(rate), busiest.first, number(busiest.second),
                                      number(ratio)});
                if (latency != 80 || (nodes == 16 && replicas == 86)) continue;
                Claim claim{
                    .id = "zipf/ratio/" + std::to_string(nodes) + "x" + std::to_string(threads) + "-" +
                          std::to_string(replicas),
                    .claim = "Iterations per second over those with static homes, " + std::to_string(nodes) +
                             " machines of " + std::to_string(threads) + ", 80 µs, " + std::to_string(replicas) +
                             " replicas: at least ten times",
                    .source =
                        "Renz-Wieland et al. 2022, abstract: up to one order of magnitude; the loop is not theirs",
                    .unit = "1"};
                if (!std::isnan(ratio)) {
                    claim.measured = ratio;
                    claim.n = 1;
                    claim.holds = ratio >= 10;
                    claim.finding = "virtual time, one run: it has no other draws";
                }
                report.claims.push_back(std::move(claim));
            }
        }
    report.tables.push_back(std::move(table));
}

Study nups() {
    return {
        .id = "nups",
        .title = "NuPS",
        .summary =
            "Where keys that are drawn by a power law live: static homes, relocation, replicas of the frequent ones. "
            "Messages per iteration and iterations per second of a loop over keys; times per epoch and to a quality of "
            "three tasks that are trained, also under a policy that follows intents.",
        .parts = {{"messages", nupsMessages},
                  {"ratios", nupsRatios},
                  {"scaling", nupsScaling},
                  {"skew", nupsSkew},
                  {"tasks", nupsTaskTimes},
                  {"task-scaling", nupsTaskScaling},
                  {"management", nupsManagement},
                  {"grid", nupsGrid},
                  {"moving-keys", nupsMovingKeys},
                  {"sampling", nupsSampling},
                  {"executed", nupsExecuted},
                  {"tasks-executed", nupsTasksExecuted}},
        .questions = {{.name = "zipf",
                       .help =
                           "Run the zipf loop with these settings instead: nodes=,threads=,keys=,operations=,"
                           "exponent=,permutation_seed=,worker_seed=,manager=,replicate=,lookahead=,localize_every=,"
                           "shift_every=,latency_us=,compute_us=",
                       .answer = runZipf,
                       .value = "SETTINGS"},
                      {.name = "triples",
                       .help = "Train embeddings of these triples instead (of trainyard-cli import triples): their "
                               "quality on one machine and on four, beside a published one where there is one",
                       .answer = runTriples}}};
}

} // namespace trainyard::study
