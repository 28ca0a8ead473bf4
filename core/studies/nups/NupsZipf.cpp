// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/nups/NupsStudy.h"

#include "base/Format.h"
#include "run/Headless.h"
#include "run/files/AtomicFile.h"
#include "scenario/ScenarioChecks.h"
#include "scenario/ScenarioFile.h"
#include "studies/StudyRuns.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <chrono>
#include <cmath>
#include <functional>

namespace trainyard::study {

namespace {

Problem badSetting(const std::string& name, const std::string& given, const std::string& right) {
    return {.code = "bad-setting",
            .message = {TRAINYARD_TEXT("--zipf {0}={1}: {2} would be right"), {name, given, right}}};
}

template <class T>
bool parse(const std::string& text, T& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

/// How each setting is read; the text says what would be right, and is empty where it was.
using Reader = std::function<std::string(const std::string&)>;

Reader whole(std::int64_t& into, std::int64_t least, std::int64_t most) {
    return [&into, least, most](const std::string& text) -> std::string {
        std::int64_t value = 0;
        if (!parse(text, value) || value < least || value > most)
            return "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
        into = value;
        return {};
    };
}

Reader seed(std::uint64_t& into) {
    return [&into](const std::string& text) -> std::string {
        std::uint64_t value = 0;
        if (!parse(text, value)) return "a whole number from 0 on";
        into = value;
        return {};
    };
}

Reader real(double& into, double most) {
    return [&into, most](const std::string& text) -> std::string {
        double value = 0;
        if (!parse(text, value) || !(value >= 0 && value <= most)) return "a number from 0 to " + formatNumber(most);
        into = value;
        return {};
    };
}

Reader manager(std::string& into) {
    return [&into](const std::string& text) -> std::string {
        if (text != "static" && text != "relocating" && text != "nups" && text != "adaptive")
            return "static, relocating, nups or adaptive";
        into = text;
        return {};
    };
}

std::map<std::string, Reader> readersOf(ZipfSettings& s) {
    return {{"nodes", whole(s.nodes, 1, 1024)},
            {"threads", whole(s.threads, 1, 1024)},
            {"keys", whole(s.keys, 1, KeyedAccess::mostKeys)},
            {"operations", whole(s.operations, 1, 1'000'000'000)},
            {"exponent", real(s.exponent, 20)},
            {"permutation_seed", seed(s.permutationSeed)},
            {"worker_seed", seed(s.workerSeed)},
            {"manager", manager(s.manager)},
            {"replicate", whole(s.replicate, 0, KeyedAccess::mostKeys)},
            {"lookahead", whole(s.lookAhead, 0, 100'000)},
            {"shift_every", whole(s.shiftEvery, 0, 1'000'000'000)},
            {"localize_every", whole(s.localizeEvery, 1, 100'000)},
            {"latency_us", real(s.latencyUs, 1e9)},
            {"compute_us", real(s.computeUs, 1e9)}};
}

nlohmann::ordered_json countersOf(const std::map<std::string, double>& metrics) {
    nlohmann::ordered_json out;
    const auto value = [&](const std::string& name) {
        const auto it = metrics.find(name);
        return it == metrics.end() ? 0.0 : it->second;
    };
    const auto count = [&](const std::string& name) { return static_cast<std::uint64_t>(std::llround(value(name))); };
    for (const char* name :
         {"remote_pulls", "pulls_not_local", "messages", "bytes_sent", "replica_messages", "replica_bytes"})
        out[name] = count(name);
    for (const auto& [type, name] : {std::pair("pull-request", "pull_requests"),
                                     {"pull-answer", "pull_answers"},
                                     {"push", "pushes"},
                                     {"push-answer", "push_answers"},
                                     {"localize", "localize_messages"},
                                     {"hand-over", "hand_over_messages"},
                                     {"transfer", "transfer_messages"},
                                     {"replica-delta", "replica_messages"}})
        out["messages_by_type"][type] = count(name);
    out["iterations_per_s"] = value("iterations_per_s");
    return out;
}

} // namespace

void setMachines(Cluster& cluster, std::int64_t count, double capacity) {
    const Machine machine = cluster.machines.front();
    Link link = cluster.links.front();
    link.key.clear();
    cluster.machines.clear();
    cluster.links.clear();
    for (std::int64_t n = 0; n < count; ++n) {
        Machine& made = cluster.machines.emplace_back(machine);
        made.key = "m" + std::to_string(n + 1);
        made.capacity.set(0, capacity);
        made.position = Position{static_cast<double>(n) * 120, 160};
        link.from = made.key;
        link.key = link.derivedKey();
        cluster.links.push_back(link);
    }
}

Result<ZipfSettings> zipfSettings(const std::string& text) {
    ZipfSettings settings;
    const auto readers = readersOf(settings);
    Problems problems;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const std::string word = text.substr(at, comma - at);
        at = comma + 1;
        const std::size_t sign = std::min(word.find('='), word.size());
        const std::string name = word.substr(0, sign),
                          value = sign < word.size() ? word.substr(sign + 1) : std::string();
        const auto reader = readers.find(name);
        std::string names;
        for (const auto& [known, unused] : readers) names += (names.empty() ? "" : ", ") + known;
        if (reader == readers.end())
            problems.push_back(badSetting(name, value, "one of " + names));
        else if (const std::string right = reader->second(value); !right.empty())
            problems.push_back(badSetting(name, value, right));
    }
    if (!problems.empty()) return problems;
    return settings;
}

Result<std::shared_ptr<const Scenario>> zipfScenario(const StudyRequest& request, const ZipfSettings& settings) {
    const auto shipped = loadScenario(request, "papers/nups/zipf.json");
    if (!shipped) return shipped.problems();
    auto scenario = std::make_shared<Scenario>(**shipped);
    setMachines(scenario->cluster, settings.nodes, static_cast<double>(settings.threads));
    for (Link& link : scenario->cluster.links)
        link.latency = Duration::nanoseconds(std::llround(settings.latencyUs * 500)); // over two links
    Job& job = scenario->jobs.front();
    const std::int64_t workers = settings.nodes * settings.threads;
    job.workers = {static_cast<int>(workers), static_cast<int>(workers)};
    job.stop = {.iterations = workers * settings.operations};
    auto& work = std::get<AnalyticWork>(job.work);
    work.samples = static_cast<double>(workers * settings.operations);
    work.secondsPerSample = settings.computeUs * 1e-6;
    KeyedAccess& access = *work.keyed;
    access.keys = settings.keys;
    access.exponent = settings.exponent;
    access.permutationSeed = settings.permutationSeed;
    access.workerSeed = settings.workerSeed;
    access.lookAhead = static_cast<int>(settings.lookAhead);
    access.localizeEvery = static_cast<int>(settings.localizeEvery);
    access.shiftEvery = settings.shiftEvery;
    access.watchedRanks.clear();
    scenario->variants.clear();
    scenario->policies.parameters = {settings.manager, {}};
    if (settings.manager == "nups")
        scenario->policies.parameters.parameters = {{"rule", std::string("most-frequent")},
                                                    {"replicate", settings.replicate}};
    if (Problems problems = validateScenario(*scenario, *request.registry); hasErrors(problems)) return problems;
    return std::shared_ptr<const Scenario>(std::move(scenario));
}

Result<std::string> runZipf(const StudyRequest& request, const std::string& text) {
    const auto settings = zipfSettings(text);
    if (!settings) return settings.problems();
    const auto scenario = zipfScenario(request, *settings);
    if (!scenario) return scenario.problems();
    if (!request.out.empty())
        if (Problems problems = replaceFile(request.out / "scenario.json", writeScenario(**scenario));
            !problems.empty())
            return problems;
    const auto begin = std::chrono::steady_clock::now();
    auto outcome = simulateOnce({.scenario = *scenario,
                                 .registry = request.registry,
                                 .resources = request.resources,
                                 .seed = (*scenario)->seed,
                                 .threads = request.threads},
                                request.stop);
    if (!outcome) return outcome.problems();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    auto out = countersOf(outcome->metrics.values);
    out["wall_iterations_per_s"] = outcome->metrics.values.at("updates") / wall.count();
    out["digest"] = outcome->digest;
    return out.dump(2);
}

} // namespace trainyard::study
