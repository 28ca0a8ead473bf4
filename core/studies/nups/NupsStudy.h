// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// NuPS: the zipf loop over keys under static homes, relocation, and relocation with replicas of frequent keys.
#include "scenario/Scenario.h"
#include "studies/Reproduction.h"

#include <array>

namespace trainyard::study {

/// The zipf loop as it is asked for: each worker draws a key, reads it, adds to it, `operations` times.
struct ZipfSettings {
    std::int64_t nodes = 4, threads = 1, keys = 100'000, operations = 20'000;
    double exponent = 1.1;
    std::uint64_t permutationSeed = 5, workerSeed = 1234;
    std::string manager = "static"; ///< static, relocating, nups or adaptive
    std::int64_t replicate = 1000;  ///< of nups: the most frequent keys
    std::int64_t lookAhead = 64, localizeEvery = 16;
    std::int64_t shiftEvery = 0; ///< of a worker's iterations; 0: the same keys stay frequent
    double latencyUs = 80;       ///< one way
    double computeUs = 0;        ///< per iteration
};

/// What is compared.
struct KeyManagement {
    const char* manager;
    std::int64_t replicas;
};
inline constexpr std::array<KeyManagement, 4> keyManagements{
    {{"static", 0}, {"relocating", 0}, {"nups", 86}, {"nups", 1000}}};

/// "nodes=4,manager=nups,replicate=86": what is left out has its default. Problems name the setting and what would be right.
Result<ZipfSettings> zipfSettings(const std::string& text);
/// The shipped scenario scenarios/papers/nups/zipf.json with these.
Result<std::shared_ptr<const Scenario>> zipfScenario(const StudyRequest& request, const ZipfSettings& settings);
/// Runs it; JSON with its counters. Writes scenario.json into the directory of the request.
Result<std::string> runZipf(const StudyRequest& request, const std::string& settings);
/// `reproduce nups --triples FILE`: as JSON. `file`: as `trainyard-cli import triples` makes it, in the working directory or below.
Result<std::string> runTriples(const StudyRequest& request, const std::string& file);

/// So many machines like the first one, each linked as that one is.
void setMachines(Cluster& cluster, std::int64_t count, double capacity);

/// Metrics of the loop; empty where it cannot be run, which the report says.
std::map<std::string, double> zipfMetrics(const StudyRequest& request, const ZipfSettings& settings,
                                          StudyReport& report);
/// What is in use most, of the busiest machine, and the share of the time: "server thread", "sending", "receiving", or "workers", by
/// what they read, add and compute. Where it is far from 1, latency sets the pace: workers wait for answers that nothing holds up.
std::pair<std::string, double> busiestResource(const std::map<std::string, double>& metrics,
                                               const ZipfSettings& settings);

/// Messages per iteration under each policy.
void nupsMessages(const StudyRequest& request, StudyReport& report);
/// Iterations per second of each policy on 1 to 16 machines, by what an iteration computes.
void nupsScaling(const StudyRequest& request, StudyReport& report);
/// Iterations per second of nups over static, by latency, size and replicas.
void nupsRatios(const StudyRequest& request, StudyReport& report);
/// The loop on threads, beside virtual time.
void nupsExecuted(const StudyRequest& request, StudyReport& report);

Study nups();

} // namespace trainyard::study
