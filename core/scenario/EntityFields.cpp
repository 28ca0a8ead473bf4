// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/EntityFields.h"

#include "scenario/FieldLister.h"
#include "scenario/FieldReader.h"
#include "scenario/FieldWriter.h"
#include "scenario/References.h"
#include "scenario/ScenarioFields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace trainyard {

namespace {

using Kind = EntityRef::Kind;

struct KindPlace {
    Kind kind;
    const char* list;
};
constexpr std::array<KindPlace, 9> places{{{Kind::device, "/cluster/devices"},
                                           {Kind::rack, "/cluster/racks"},
                                           {Kind::switchNode, "/cluster/switches"},
                                           {Kind::machine, "/cluster/machines"},
                                           {Kind::link, "/cluster/links"},
                                           {Kind::job, "/jobs"},
                                           {Kind::generator, "/generators"},
                                           {Kind::fault, "/faults"},
                                           {Kind::variant, "/variants"}}};

/// Visits the fields of one entity, wherever it is.
void visitEntity(Fields& fields, Scenario& s, EntityRef entity) {
    const std::size_t i = entity.index;
    require(i < entityCount(s, entity.kind), "an entity that the scenario does not have");
    switch (entity.kind) {
    case Kind::settings: return settingsFields(fields, s);
    case Kind::cluster: return clusterBasics(fields, s.cluster);
    case Kind::device: return deviceFields(fields, s.cluster.devices[i]);
    case Kind::rack: return rackFields(fields, s.cluster.racks[i]);
    case Kind::switchNode: return switchFields(fields, s.cluster.switches[i]);
    case Kind::machine: return machineFields(fields, s.cluster.machines[i], s.cluster.resourceNames);
    case Kind::link: return linkFields(fields, s.cluster.links[i]);
    case Kind::job: return jobFields(fields, s.jobs[i], s.cluster.resourceNames, false);
    case Kind::generator: return generatorFields(fields, s.generators[i], s.cluster.resourceNames);
    case Kind::fault: return faultFields(fields, s.faults[i]);
    case Kind::variant: return variantFields(fields, s.variants[i]);
    }
}

/// A scenario with only this entity in it, at index 0, so that visiting it costs and changes nothing else.
Scenario excerpt(const Scenario& s, EntityRef entity) {
    Scenario part;
    part.cluster.resourceNames = s.cluster.resourceNames;
    const std::size_t i = entity.index;
    switch (entity.kind) {
    case Kind::settings: copySettings(s, part); break;
    case Kind::cluster:
        part.cluster.localBandwidth = s.cluster.localBandwidth;
        part.cluster.storage = s.cluster.storage;
        part.cluster.ramp = s.cluster.ramp;
        break;
    case Kind::device: part.cluster.devices = {s.cluster.devices[i]}; break;
    case Kind::rack: part.cluster.racks = {s.cluster.racks[i]}; break;
    case Kind::switchNode: part.cluster.switches = {s.cluster.switches[i]}; break;
    case Kind::machine: part.cluster.machines = {s.cluster.machines[i]}; break;
    case Kind::link: part.cluster.links = {s.cluster.links[i]}; break;
    case Kind::job: part.jobs = {s.jobs[i]}; break;
    case Kind::generator: part.generators = {s.generators[i]}; break;
    case Kind::fault: part.faults = {s.faults[i]}; break;
    case Kind::variant: part.variants = {s.variants[i]}; break;
    }
    return part;
}

/// The same entity, as a value that nothing has been read into.
void clearEntity(Scenario& part, Kind kind) {
    const auto resources = std::move(part.cluster.resourceNames);
    const auto machines = part.cluster.machines.size(), racks = part.cluster.racks.size();
    const auto switches = part.cluster.switches.size(), links = part.cluster.links.size();
    const auto devices = part.cluster.devices.size(), jobs = part.jobs.size();
    const auto generators = part.generators.size(), faults = part.faults.size(), variants = part.variants.size();
    part = {};
    if (kind != Kind::cluster) part.cluster.resourceNames = resources;
    part.cluster.machines.resize(machines), part.cluster.racks.resize(racks);
    part.cluster.switches.resize(switches), part.cluster.links.resize(links);
    part.cluster.devices.resize(devices), part.jobs.resize(jobs);
    part.generators.resize(generators), part.faults.resize(faults), part.variants.resize(variants);
}

void putBack(Scenario& s, EntityRef entity, Scenario& part) {
    const std::size_t i = entity.index;
    switch (entity.kind) {
    case Kind::settings: copySettings(part, s); break;
    case Kind::cluster:
        renameResources(s, part.cluster.resourceNames);
        s.cluster.localBandwidth = part.cluster.localBandwidth;
        s.cluster.storage = part.cluster.storage;
        s.cluster.ramp = part.cluster.ramp;
        break;
    case Kind::device:
        renameDevice(s, s.cluster.devices[i].key, part.cluster.devices[0].key);
        s.cluster.devices[i] = part.cluster.devices[0];
        break;
    case Kind::rack:
        renameRack(s, s.cluster.racks[i].key, part.cluster.racks[0].key);
        s.cluster.racks[i] = part.cluster.racks[0];
        break;
    case Kind::switchNode:
        renameNode(s, s.cluster.switches[i].key, part.cluster.switches[0].key);
        s.cluster.switches[i] = part.cluster.switches[0];
        break;
    case Kind::machine:
        renameNode(s, s.cluster.machines[i].key, part.cluster.machines[0].key);
        s.cluster.machines[i] = part.cluster.machines[0];
        break;
    case Kind::link:
        renameLink(s, s.cluster.links[i].key, part.cluster.links[0].key);
        s.cluster.links[i] = part.cluster.links[0];
        break;
    case Kind::job: s.jobs[i] = part.jobs[0]; break;
    case Kind::generator: s.generators[i] = part.generators[0]; break;
    case Kind::fault: s.faults[i] = part.faults[0]; break;
    case Kind::variant: s.variants[i] = part.variants[0]; break;
    }
}

EntityRef first(Kind kind) { return {kind, 0}; }

JsonNode treeOf(Scenario& part, Kind kind) {
    JsonNode root = JsonNode::object();
    FieldWriter writer(root);
    visitEntity(writer, part, first(kind));
    return root;
}

template <class Items>
std::vector<std::string> keysOf(const Items& items) {
    std::vector<std::string> keys;
    for (const auto& item : items) keys.push_back(item.key);
    return keys;
}

std::vector<std::string> nodeKeys(const Cluster& cluster) {
    auto keys = keysOf(cluster.machines);
    const auto more = keysOf(cluster.switches);
    keys.insert(keys.end(), more.begin(), more.end());
    return keys;
}

/// What a text field that refers to something may say.
std::vector<std::string> suggestions(const Scenario& s, Kind kind, const std::string& path) {
    const auto withAll = [](std::vector<std::string> keys) {
        keys.insert(keys.begin(), "*");
        return keys;
    };
    if (path == "/device") return keysOf(s.cluster.devices);
    if (path.ends_with("/loss_curve/curve")) return keysOf(s.curves);
    if (path.ends_with("/graph_id")) return keysOf(s.graphs);
    if (path == "/rack") return keysOf(s.cluster.racks);
    if (path == "/from" || path == "/to" || path == "/storage") return nodeKeys(s.cluster);
    if (kind == Kind::fault && path == "/machine") return withAll(keysOf(s.cluster.machines));
    if (kind == Kind::fault && path == "/link") return withAll(keysOf(s.cluster.links));
    return {};
}

/// Shorthands written out, so that a member of theirs can be set: 3 is a constant law, "sgd" a choice.
void spellOut(JsonNode& node) {
    JsonNode object = JsonNode::object();
    object.key = node.key;
    if (node.is(JsonNode::Type::number)) {
        object.set("law", JsonNode::string("constant"));
        object.set("value", JsonNode::number(node.text));
    } else if (node.is(JsonNode::Type::string)) {
        object.set("id", JsonNode::string(node.text));
    }
    node = std::move(object);
}

void setInTree(JsonNode& root, const std::vector<std::string>& tokens, std::optional<JsonNode> value) {
    JsonNode* at = &root;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        JsonNode* next = at->find(tokens[i]);
        if (!next) next = &at->set(tokens[i], JsonNode::object());
        if (!next->is(JsonNode::Type::object)) spellOut(*next);
        at = next;
    }
    if (value)
        at->set(tokens.back(), std::move(*value));
    else
        at->erase(tokens.back());
}

/// Whether the value set could not be taken; the rest is for validation to say.
bool isRefusal(const Problem& problem, const std::string& path) {
    static constexpr std::array<std::string_view, 6> refusals{
        "wrong-type", "unknown-word", "unknown-key", "unknown-resource", "unknown-operation", "ambiguous-operation"};
    return problem.pointer.starts_with(path) &&
           std::find(refusals.begin(), refusals.end(), problem.code) != refusals.end();
}

} // namespace

std::size_t entityCount(const Scenario& s, Kind kind) {
    switch (kind) {
    case Kind::settings:
    case Kind::cluster: return 1;
    case Kind::device: return s.cluster.devices.size();
    case Kind::rack: return s.cluster.racks.size();
    case Kind::switchNode: return s.cluster.switches.size();
    case Kind::machine: return s.cluster.machines.size();
    case Kind::link: return s.cluster.links.size();
    case Kind::job: return s.jobs.size();
    case Kind::generator: return s.generators.size();
    case Kind::fault: return s.faults.size();
    case Kind::variant: return s.variants.size();
    }
    return 0;
}

std::string pointerTo(EntityRef entity) {
    if (entity.kind == Kind::settings) return {};
    if (entity.kind == Kind::cluster) return "/cluster";
    for (const auto& place : places)
        if (place.kind == entity.kind) return std::string(place.list) + "/" + std::to_string(entity.index);
    return {};
}

std::pair<EntityRef, std::string> entityAt(const Scenario& scenario, const std::string& pointer) {
    for (const auto& place : places) {
        const std::string prefix = std::string(place.list) + "/";
        if (!pointer.starts_with(prefix)) continue;
        std::size_t index = 0;
        const char* end = pointer.data() + pointer.size();
        const auto read = std::from_chars(pointer.data() + prefix.size(), end, index);
        const bool zeros = pointer[prefix.size()] == '0' && read.ptr > pointer.data() + prefix.size() + 1;
        if (read.ec != std::errc{} || zeros || index >= entityCount(scenario, place.kind)) break;
        return {{place.kind, index}, std::string(read.ptr, end)};
    }
    constexpr std::string_view cluster = "/cluster";
    if (pointer.starts_with(cluster)) return {{Kind::cluster, 0}, pointer.substr(cluster.size())};
    return {{Kind::settings, 0}, pointer};
}

std::vector<FieldInfo> fieldsOf(const Scenario& scenario, EntityRef entity) {
    Scenario part = excerpt(scenario, entity);
    const JsonNode written = treeOf(part, entity.kind);
    FieldLister lister(written);
    visitEntity(lister, part, first(entity.kind));
    auto fields = lister.take();
    for (auto& field : fields)
        if (field.kind == FieldInfo::Kind::text) field.words = suggestions(scenario, entity.kind, field.path);
    return fields;
}

Problems setField(Scenario& scenario, EntityRef entity, const std::string& path, const std::string& json) {
    const auto tokens = splitPointer(path);
    require(tokens && !tokens->empty(), "a field has a path");
    std::optional<JsonNode> value;
    if (!json.empty()) {
        ParsedJson parsed = parseJson(json);
        for (auto& problem : parsed.problems) problem.pointer = pointerTo(entity) + path, problem.line = 0;
        if (!parsed.root || !parsed.problems.empty()) return parsed.problems;
        value = std::move(parsed.root);
    }
    Scenario part = excerpt(scenario, entity);
    JsonNode tree = treeOf(part, entity.kind);
    setInTree(tree, *tokens, std::move(value));
    clearEntity(part, entity.kind);
    Problems problems;
    FieldReader reader(tree, problems, true);
    visitEntity(reader, part, first(entity.kind));
    reader.finish();
    Problems refused;
    for (auto& problem : problems)
        if (isRefusal(problem, path)) {
            problem.pointer = pointerTo(entity) + problem.pointer;
            problem.line = 0;
            refused.push_back(std::move(problem));
        }
    if (!refused.empty()) return refused;
    putBack(scenario, entity, part);
    return {};
}

} // namespace trainyard
