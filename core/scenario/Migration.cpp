#include "scenario/Migration.h"

#include "scenario/Decimal.h"
#include "scenario/Scenario.h"

#include <algorithm>
#include <array>
#include <set>

namespace trainyard {

namespace {

using NodeType = JsonNode::Type;

void renameMember(JsonNode& object, std::string_view from, std::string_view to) {
    if (JsonNode* member = object.find(from); member && !object.find(to)) member->key = std::string(to);
}

/// Multiplies a number by 10^power, keeping what is not a number for the reader to complain about.
void rescaleMember(JsonNode& object, std::string_view from, std::string_view to, int power) {
    renameMember(object, from, to);
    if (JsonNode* member = object.find(to); member && member->is(NodeType::number))
        member->text = Decimal::parse(member->text).value_or(Decimal{}).shifted(power).text();
}

template <class F>
void forEachElement(JsonNode* list, F&& body) {
    if (!list || !list->is(NodeType::array)) return;
    for (auto& element : list->items)
        if (element.is(NodeType::object)) body(element);
}

/// In version 0 a machine named its resources beside its other members; every number that is not a known
/// member is one.
void gatherCapacity(JsonNode& machine, std::vector<std::string>& resources) {
    static constexpr std::array<std::string_view, 3> others{"id", "name", "slowdown"};
    JsonNode capacity = JsonNode::object();
    capacity.line = machine.line;
    std::vector<JsonNode> kept;
    for (auto& member : machine.items) {
        const bool known = std::find(others.begin(), others.end(), member.key) != others.end();
        if (known || !member.is(NodeType::number)) {
            kept.push_back(std::move(member));
            continue;
        }
        if (std::find(resources.begin(), resources.end(), member.key) == resources.end())
            resources.push_back(member.key);
        capacity.items.push_back(std::move(member));
    }
    machine.items = std::move(kept);
    machine.set("capacity", std::move(capacity));
}

void migrateMachines(JsonNode& root) {
    JsonNode* machines = root.find("machines");
    JsonNode cluster = JsonNode::object();
    cluster.line = root.line;
    std::vector<std::string> resources;
    forEachElement(machines, [&](JsonNode& machine) {
        gatherCapacity(machine, resources);
        if (JsonNode* slowdown = machine.find("slowdown")) {
            JsonNode straggler = JsonNode::object();
            straggler.line = slowdown->line;
            straggler.set("slowdown", *slowdown);
            machine.erase("slowdown");
            machine.set("straggler", std::move(straggler));
        }
    });
    JsonNode names = JsonNode::array();
    names.line = machines ? machines->line : root.line;
    for (const auto& name : resources) names.items.push_back(JsonNode::string(name));
    cluster.set("resources", std::move(names));
    forEachElement(root.find("links"), [](JsonNode& link) {
        rescaleMember(link, "bandwidth", "bandwidth_gbps", -3); // Mbit/s
        rescaleMember(link, "latency", "latency_us", 3);        // ms
    });
    for (const char* key : {"machines", "switches", "links"}) {
        if (const JsonNode* list = root.find(key)) cluster.set(key, *list);
        root.erase(key);
    }
    root.set("cluster", std::move(cluster));
}

void migrateJobs(JsonNode& root) {
    forEachElement(root.find("jobs"), [](JsonNode& job) {
        renameMember(job, "arrival", "arrival_s");
        renameMember(job, "ps", "servers");
        if (JsonNode* demand = job.find("demand")) {
            const JsonNode copy = *demand;
            job.erase("demand");
            job.set("worker_demand", copy);
            job.set("server_demand", copy);
        }
        if (JsonNode* iterations = job.find("iterations")) {
            JsonNode stop = JsonNode::object();
            stop.line = iterations->line;
            stop.set("iterations", *iterations);
            job.erase("iterations");
            job.set("stop", std::move(stop));
        }
    });
}

/// Version 0, the form before the first release: flat machines, Mbit/s and ms, one "policy" object of ids.
void migrate0to1(JsonNode& root) {
    renameMember(root, "description", "notes");
    renameMember(root, "policy", "policies");
    migrateMachines(root);
    migrateJobs(root);
    if (JsonNode* version = root.find("version")) version->text = "1";
}

using Step = void (*)(JsonNode&);
constexpr std::array<Step, Scenario::formatVersion> migrationSteps{migrate0to1};

} // namespace

std::optional<int> scenarioVersion(const JsonNode& root, Problems& problems) {
    const auto report = [&](const char* code, Text message, const char* pointer, int line) {
        problems.push_back({.code = code, .message = std::move(message), .pointer = pointer, .line = line});
        return std::nullopt;
    };
    if (!root.is(NodeType::object))
        return report(
            "not-a-scenario",
            {TRAINYARD_TEXT("a scenario is an object in {1}; this is {0}"), {describeType(root.type), "{ }"}},
            "", root.line);
    const JsonNode* format = root.find("format");
    if (!format)
        return report("not-a-scenario",
                      {TRAINYARD_TEXT("this is no Trainyard scenario: the key \"format\" is missing; it "
                                      "begins with \"format\": \"trainyard-scenario\", \"version\": {0}"),
                       {std::to_string(Scenario::formatVersion)}},
                      "", root.line);
    if (!format->is(NodeType::string) || format->text != "trainyard-scenario")
        return report(
            "not-a-scenario",
            {TRAINYARD_TEXT("this is no Trainyard scenario: \"format\" must be \"trainyard-scenario\""), {}},
            "/format", format->line);
    const JsonNode* version = root.find("version");
    if (!version)
        return report("missing-key",
                      {TRAINYARD_TEXT("the key \"version\" is missing; the current version is {0}"),
                       {std::to_string(Scenario::formatVersion)}},
                      "", root.line);
    const auto decimal = version->is(NodeType::number) ? Decimal::parse(version->text) : std::nullopt;
    if (!decimal || !decimal->isWhole() || decimal->negative)
        return report("unknown-version",
                      {TRAINYARD_TEXT("\"version\" must be a whole number from 0 to {0}"),
                       {std::to_string(Scenario::formatVersion)}},
                      "/version", version->line);
    const auto number = decimal->toInteger().value_or(Scenario::formatVersion + 1);
    if (number > Scenario::formatVersion)
        return report(
            "unknown-version",
            {TRAINYARD_TEXT(
                 "the file has version {0}, written by a newer Trainyard; this one reads versions up to {1}"),
             {version->text.substr(0, 40), std::to_string(Scenario::formatVersion)}},
            "/version", version->line);
    return static_cast<int>(number);
}

void migrateScenario(JsonNode& root, int version) {
    for (int v = version; v < Scenario::formatVersion; ++v) migrationSteps[static_cast<std::size_t>(v)](root);
}

} // namespace trainyard
