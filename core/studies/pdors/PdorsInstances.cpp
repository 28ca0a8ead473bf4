// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/pdors/PdorsInstances.h"

#include "base/WholeFile.h"
#include "policy/scheduler/pdors/ScheduleSearch.h"
#include "scenario/JsonTree.h"
#include "studies/pdors/SlotOptimum.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>

namespace trainyard::study {

namespace pdors_instances {

using Json = nlohmann::ordered_json;

struct Instance {
    Json seed;
    SlotCluster cluster;
    std::vector<SlotJob> jobs;
};

/// Reads members of an object, and says what is wrong with them.
class Members {
public:
    Members(const JsonNode& node, std::string pointer, const std::string& file, Problems& problems)
        : m_node(node), m_pointer(std::move(pointer)), m_file(file), m_problems(problems) {}

    const JsonNode* list(const char* key) {
        const JsonNode* found = m_node.find(key);
        if (found && found->is(JsonNode::Type::array)) return found;
        complain(key, {TRAINYARD_TEXT("a list \"{0}\" is required here"), {key}}, found ? found->line : m_node.line);
        return nullptr;
    }
    double number(const char* key, double least, bool whole = false) {
        const JsonNode* found = m_node.find(key);
        const auto value = found ? numberOf(*found) : std::nullopt;
        if (value && *value >= least && (!whole || *value == std::floor(*value))) return *value;
        complain(key,
                 {whole ? TRAINYARD_TEXT("\"{0}\" must be a whole number, at least {1}")
                        : TRAINYARD_TEXT("\"{0}\" must be a number, at least {1}"),
                  {key, Json(least).dump()}},
                 found ? found->line : m_node.line);
        return least;
    }
    int count(const char* key, int least) { return static_cast<int>(number(key, least, true)); }
    std::vector<double> amounts(const char* key, std::size_t size) {
        const JsonNode* found = list(key);
        return found ? amountsOf(*found, key, size) : std::vector<double>(size, 0);
    }
    /// Of a resource each, none negative; `size` 0: any number of them.
    std::vector<double> amountsOf(const JsonNode& node, const char* key, std::size_t size) {
        std::vector<double> out;
        bool good = node.is(JsonNode::Type::array) && (size == 0 || node.items.size() == size);
        for (const JsonNode& item : node.items) {
            const auto value = numberOf(item);
            good = good && value && *value >= 0;
            out.push_back(value.value_or(0));
        }
        if (!good)
            complain(key, {TRAINYARD_TEXT("\"{0}\" must list a non-negative amount for each resource"), {key}},
                     node.line);
        out.resize(size == 0 ? out.size() : size);
        return out;
    }
    void complain(const char* key, Text message, int line) {
        m_problems.push_back({.code = "bad-instance",
                              .message = std::move(message),
                              .file = m_file,
                              .pointer = m_pointer + "/" + pointerToken(key),
                              .line = line});
    }

private:
    static std::optional<double> numberOf(const JsonNode& node) {
        double value = 0;
        const char* end = node.text.data() + node.text.size();
        if (!node.is(JsonNode::Type::number)) return std::nullopt;
        const auto [at, error] = std::from_chars(node.text.data(), end, value);
        return error == std::errc() && at == end && std::isfinite(value) ? std::optional(value) : std::nullopt;
    }

    const JsonNode& m_node;
    std::string m_pointer;
    const std::string& m_file;
    Problems& m_problems;
};

SlotJob jobOf(Members& members, const JsonNode& node, std::size_t resources) {
    SlotJob job;
    job.arrival = members.count("a", 0);
    job.samples = members.number("E", 0) * members.number("K", 0);
    job.batch = members.count("F", 1);
    job.workersPerServer = members.count("gamma", 1);
    job.workerDemand = members.amounts("alpha", resources);
    job.serverDemand = members.amounts("beta", resources);
    job.utility = {members.number("th1", 0), members.number("th2", 0), members.number("th3", -1e9)};
    const double seconds = members.number("tau", 0), bytes = members.number("g", 0);
    const auto rate = [&](const char* key) {
        return SlotJob::rate(seconds, bytes, members.number(key, 1e-300), job.workersPerServer, job.batch);
    };
    job.localRate = rate("bi");
    job.remoteRate = rate("be");
    bool wants = false;
    for (std::size_t r = 0; r < resources; ++r) wants = wants || job.demandOf(r) > 0;
    if (!wants)
        members.complain("alpha", {TRAINYARD_TEXT("the job needs nothing of any resource: it could have no price"), {}},
                         node.line);
    if (!(job.samples > 0) || !std::isfinite(job.localRate) || !std::isfinite(job.remoteRate))
        members.complain("E", {TRAINYARD_TEXT("the job has no work, or its work takes no time"), {}}, node.line);
    return job;
}

Instance instanceOf(const JsonNode& node, const std::string& pointer, const std::string& file, Problems& problems) {
    Instance out;
    Members members(node, pointer, file, problems);
    out.seed = members.count("seed", 0);
    out.cluster.horizon = members.count("T", 1);
    const JsonNode* machines = members.list("C");
    for (std::size_t h = 0; machines && h < machines->items.size(); ++h) {
        const auto capacity = members.amountsOf(machines->items[h], "C", out.cluster.resources);
        out.cluster.resources = capacity.size();
        out.cluster.capacity.insert(out.cluster.capacity.end(), capacity.begin(), capacity.end());
        ++out.cluster.machines;
    }
    if (machines && (out.cluster.machines == 0 || out.cluster.resources == 0))
        members.complain("C", {TRAINYARD_TEXT("at least one machine with a resource is required"), {}}, machines->line);
    const JsonNode* jobs = members.list("jobs");
    for (std::size_t j = 0; jobs && j < jobs->items.size(); ++j) {
        Members job(jobs->items[j], pointer + "/jobs/" + std::to_string(j), file, problems);
        out.jobs.push_back(jobOf(job, jobs->items[j], out.cluster.resources));
        if (j > 0 && out.jobs[j].arrival < out.jobs[j - 1].arrival)
            job.complain("a", {TRAINYARD_TEXT("jobs must be listed in order of arrival"), {}}, jobs->items[j].line);
    }
    return out;
}

Json allocation(const SlotSchedule& schedule, std::size_t machines) {
    Json out = Json::object();
    for (const auto& [slot, tasks] : schedule.bySlot) {
        std::vector<int> workers(machines, 0), servers(machines, 0);
        for (const auto& on : tasks.on) {
            workers[on.machine] = on.workers;
            servers[on.machine] = on.servers;
        }
        out[std::to_string(slot)] = {workers, servers};
    }
    return out;
}

Json scheduledOnArrival(const Instance& instance, const std::optional<PriceBounds>& bounds) {
    Json schedules = Json::object(), payoffs = Json::object();
    double utility = 0;
    SlotLedger ledger(instance.cluster);
    ExactSlotSolver solver;
    for (std::size_t i = 0; i < instance.jobs.size(); ++i) {
        ScheduleChoice choice;
        if (bounds) choice = chooseSchedule(ledger, SlotPrices(ledger, *bounds), instance.jobs[i], solver);
        payoffs[std::to_string(i)] = choice.schedule ? choice.best.payoff() : 0.0;
        if (!choice.schedule) continue;
        ledger.take(instance.jobs[i], *choice.schedule);
        utility += choice.best.utility;
        schedules[std::to_string(i)] = {{"completion", choice.best.completion},
                                        {"alloc", allocation(*choice.schedule, instance.cluster.machines)}};
    }
    return {{"pdors_exact", utility}, {"schedule", std::move(schedules)}, {"payoff", std::move(payoffs)}};
}

std::optional<Json> solved(const Instance& instance) {
    LpSolver program(offlineProgram(instance.cluster, instance.jobs));
    const LpSolution best = program.solveInteger();
    if (best.status != LpSolution::Status::optimal) return std::nullopt;
    Json out{{"seed", instance.seed},
             {"offline_opt", offlineOptimumByEnumeration(instance.cluster, instance.jobs)},
             {"offline_program", best.value}};
    const auto bounds = priceBounds(instance.cluster, instance.jobs);
    Json high = Json::array();
    for (std::size_t r = 0; bounds && r < instance.cluster.resources; ++r)
        high.push_back(std::isfinite(bounds->logHigh[r]) ? Json(std::exp(bounds->logHigh[r])) : Json());
    out["L"] = bounds ? Json(std::exp(bounds->logLow)) : Json();
    out["U"] = bounds ? high : Json();
    out["mu"] = bounds ? Json(bounds->mu) : Json();
    out.update(scheduledOnArrival(instance, bounds));
    return out;
}

} // namespace pdors_instances

Result<std::string> pdorsInstances(const std::filesystem::path& path, const std::stop_token& stop) {
    using namespace pdors_instances;
    const std::string file = path.string();
    const auto text = readWholeFile(path, JsonLimits::bytes);
    if (!text) return text.problems();
    auto [root, problems] = parseJson(*text);
    for (auto& problem : problems) problem.file = file;
    if (!root || hasErrors(problems)) return problems;
    if (!root->is(JsonNode::Type::array))
        return Problems{
            {.code = "wrong-type",
             .message = {TRAINYARD_TEXT("a list of instances is required, not {0}"), {describeType(root->type)}},
             .file = file,
             .line = root->line}};
    std::vector<Instance> instances;
    for (std::size_t i = 0; i < root->items.size(); ++i)
        instances.push_back(instanceOf(root->items[i], "/" + std::to_string(i), file, problems));
    if (hasErrors(problems)) return problems;
    Json out = Json::array();
    for (std::size_t i = 0; i < instances.size() && !stop.stop_requested(); ++i) {
        auto instance = solved(instances[i]);
        if (!instance)
            return Problems{{.code = "unsolved",
                             .message = {TRAINYARD_TEXT("the integer program of this instance was not solved"), {}},
                             .file = file,
                             .pointer = "/" + std::to_string(i),
                             .line = root->items[i].line}};
        out.push_back(std::move(*instance));
    }
    return out.dump(2);
}

} // namespace trainyard::study
