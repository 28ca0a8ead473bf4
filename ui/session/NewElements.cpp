// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/NewElements.h"

#include "scenario/Fragment.h"
#include "scenario/References.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace new_elements {

using Kind = EntityRef::Kind;

template <class Items>
std::set<std::string> keysIn(const Items& items) {
    std::set<std::string> keys;
    for (const auto& item : items) keys.insert(item.key);
    return keys;
}

template <class Items>
EntityRef lastOf(Kind kind, const Items& items) {
    return {kind, items.size() - 1};
}

/// Demands that several tasks of one machine leave room for.
ResourceVector smallDemand(const Cluster& cluster) {
    ResourceVector demand;
    for (std::size_t r = 0; r < cluster.resourceNames.size(); ++r) {
        double most = 0;
        for (const Machine& machine : cluster.machines) most = std::max(most, machine.capacity.amount(r));
        if (most <= 0) continue;
        demand.set(r, most >= 2 ? 1 : most / 2);
        break; // of the first resource there is: more would only be in the way
    }
    return demand;
}

Job jobOf(JobKind kind, const Cluster& cluster) {
    Job job;
    job.workerDemand = job.serverDemand = smallDemand(cluster);
    job.workers = {2, 2};
    switch (kind) {
    case JobKind::trained: {
        TrainedWork work;
        work.model = {"softmax", {}};
        work.dataset = {"digits", {}};
        work.optimizer = {"sgd", {}};
        work.evaluation.everyIterations = 5;
        job.stop.iterations = 100;
        job.work = work;
        break;
    }
    case JobKind::analytic:
        job.work = AnalyticWork{};
        job.stop.iterations = 200;
        break;
    case JobKind::graph: {
        GraphWork work;
        for (const char* name : {"input", "left", "right", "output"})
            work.graph.operations.push_back({name, 0.01, 0.02, 1e6, 4e6});
        work.graph.dependencies = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
        work.deadlineFraction = 4;
        job.work = work;
        job.workers = {1, 1};
        job.servers = {0, 0};
        break;
    }
    }
    return job;
}

bool isRefused(const Scenario& s, const Registry& registry, const std::string& pointer) {
    for (const Problem& problem : validateScenario(s, registry))
        if (problem.severity == Severity::error && problem.pointer.starts_with(pointer)) return true;
    return false;
}

/// A single task needs no room for others, and no links.
void makeSingle(Job& job) {
    job.workers = {1, 1};
    job.servers = {0, 0};
}

void appendJob(Scenario& s, JobKind kind, const Registry& registry) {
    Job job = jobOf(kind, s.cluster);
    job.key = freeKey("job-1", keysIn(s.jobs));
    s.jobs.push_back(job);
    const std::string pointer = pointerTo(lastOf(Kind::job, s.jobs));
    if (isRefused(s, registry, pointer)) makeSingle(s.jobs.back());
}

void appendLink(Scenario& s) {
    std::vector<std::string> nodes;
    for (const Switch& node : s.cluster.switches) nodes.push_back(node.key);
    for (const Machine& machine : s.cluster.machines) nodes.push_back(machine.key);
    std::set<std::pair<std::string, std::string>> joined;
    for (const Link& link : s.cluster.links) joined.emplace(link.from, link.to), joined.emplace(link.to, link.from);
    Link link;
    if (!s.cluster.links.empty()) link = s.cluster.links.back();
    link.from.clear(), link.to.clear();
    for (std::size_t b = nodes.size(); b-- > 0 && link.from.empty();) // the newest node first
        for (std::size_t a = 0; a < b; ++a)
            if (!joined.contains({nodes[a], nodes[b]})) {
                link.from = nodes[b], link.to = nodes[a];
                break;
            }
    const std::string key = link.derivedKey();
    link.key = keysIn(s.cluster.links).contains(key) ? freeKey("link-1", keysIn(s.cluster.links)) : key;
    s.cluster.links.push_back(link);
}

void appendMachine(Scenario& s) {
    Machine machine;
    if (!s.cluster.machines.empty()) {
        machine = s.cluster.machines.back();
        machine.name.clear();
        machine.straggler = {};
        if (machine.position) machine.position = Position{machine.position->x + 160, machine.position->y};
    } else {
        if (s.cluster.resourceNames.empty()) s.cluster.resourceNames = {"cpu"};
        machine.capacity.set(0, 4);
    }
    machine.key = freeKey(machine.key.empty() ? "m1" : machine.key, nodeKeysOf(s.cluster));
    s.cluster.machines.push_back(machine);
}

void appendGenerator(Scenario& s, const Registry& registry) {
    JobGenerator generator;
    generator.key = freeKey("stream-1", keysIn(s.generators));
    generator.count = 10;
    generator.meanInterarrivalSeconds = 30;
    generator.job = jobOf(JobKind::analytic, s.cluster);
    s.generators.push_back(generator);
    if (isRefused(s, registry, pointerTo(lastOf(Kind::generator, s.generators)))) makeSingle(s.generators.back().job);
}

template <class Items>
void appendNamed(Items& items, const char* wanted, const std::set<std::string>& taken) {
    auto& item = items.emplace_back();
    item.key = freeKey(wanted, taken);
}

/// One more of `items` like the one at `index`, under another key.
template <class Items>
EntityRef copyOf(Kind kind, Items& items, std::size_t index, const std::set<std::string>& taken) {
    auto copy = items[index];
    copy.key = freeKey(copy.key, taken);
    items.push_back(std::move(copy));
    return lastOf(kind, items);
}

void copyLinks(Cluster& cluster, const std::string& from, const std::string& to) {
    const auto links = cluster.links;
    for (Link link : links) {
        if (link.from != from && link.to != from) continue;
        const bool derived = link.key == link.derivedKey();
        if (link.from == from) link.from = to;
        if (link.to == from) link.to = to;
        link.key = derived ? link.derivedKey() : freeKey(link.key, keysIn(cluster.links));
        cluster.links.push_back(std::move(link));
    }
}

template <class Node>
void stepAside(Node& node) {
    node.name.clear();
    if (node.position) node.position = Position{node.position->x + 32, node.position->y + 32};
}

EntityRef duplicate(Scenario& s, EntityRef element) {
    Cluster& cluster = s.cluster;
    const std::size_t i = element.index;
    switch (element.kind) {
    case Kind::machine: {
        const EntityRef copy = copyOf(element.kind, cluster.machines, i, nodeKeysOf(cluster));
        stepAside(cluster.machines.back());
        copyLinks(cluster, cluster.machines[i].key, cluster.machines.back().key);
        return copy;
    }
    case Kind::switchNode: {
        const EntityRef copy = copyOf(element.kind, cluster.switches, i, nodeKeysOf(cluster));
        stepAside(cluster.switches.back());
        copyLinks(cluster, cluster.switches[i].key, cluster.switches.back().key);
        return copy;
    }
    case Kind::link: return copyOf(element.kind, cluster.links, i, keysIn(cluster.links));
    case Kind::rack: return copyOf(element.kind, cluster.racks, i, keysIn(cluster.racks));
    case Kind::device: return copyOf(element.kind, cluster.devices, i, keysIn(cluster.devices));
    case Kind::job: return copyOf(element.kind, s.jobs, i, keysIn(s.jobs));
    case Kind::generator: return copyOf(element.kind, s.generators, i, keysIn(s.generators));
    case Kind::fault: s.faults.push_back(Fault(s.faults[i])); return lastOf(element.kind, s.faults);
    case Kind::variant:
    case Kind::settings:
    case Kind::cluster: break;
    }
    return element;
}

QString addText(Kind kind) {
    switch (kind) {
    case Kind::machine: return ScenarioModel::tr("Add machine");
    case Kind::link: return ScenarioModel::tr("Add link");
    case Kind::switchNode: return ScenarioModel::tr("Add switch");
    case Kind::rack: return ScenarioModel::tr("Add rack");
    case Kind::device: return ScenarioModel::tr("Add device");
    case Kind::job: return ScenarioModel::tr("Add job");
    case Kind::generator: return ScenarioModel::tr("Add generator");
    case Kind::fault: return ScenarioModel::tr("Add fault");
    case Kind::variant:
    case Kind::settings:
    case Kind::cluster: break;
    }
    return {};
}

} // namespace new_elements

void appendElement(Scenario& s, EntityRef::Kind kind, const Registry& registry) {
    using Kind = EntityRef::Kind;
    switch (kind) {
    case Kind::machine: return new_elements::appendMachine(s);
    case Kind::link: return new_elements::appendLink(s);
    case Kind::switchNode: return new_elements::appendNamed(s.cluster.switches, "switch-1", nodeKeysOf(s.cluster));
    case Kind::rack: return new_elements::appendNamed(s.cluster.racks, "rack-1", new_elements::keysIn(s.cluster.racks));
    case Kind::device:
        return new_elements::appendNamed(s.cluster.devices, "device-1", new_elements::keysIn(s.cluster.devices));
    case Kind::job:
        return new_elements::appendJob(s, s.jobs.empty() ? JobKind::trained : s.jobs.back().kind(), registry);
    case Kind::generator: return new_elements::appendGenerator(s, registry);
    case Kind::fault:
        s.faults.push_back({.key = s.cluster.machines.empty() ? std::string() : s.cluster.machines.front().key,
                            .atSeconds = 10,
                            .repairAfterSeconds = 10});
        return;
    case Kind::variant:
    case Kind::settings:
    case Kind::cluster: break;
    }
}

EntityRef addElement(ScenarioModel& document, EntityRef::Kind kind) {
    document.change(new_elements::addText(kind), [&](Scenario& s) { appendElement(s, kind, document.registry()); });
    return {kind, entityCount(document.scenario(), kind) - 1};
}

std::vector<JobKindText> jobKinds() {
    return {
        {JobKind::trained, QCoreApplication::translate("JobKind", "Trained job"),
         QCoreApplication::translate("JobKind",
                                     "A real model on real data: gradients are computed, losses are measured")},
        {JobKind::analytic, QCoreApplication::translate("JobKind", "Analytic job"),
         QCoreApplication::translate("JobKind", "Times and loss by formulas: for large workloads and recorded curves")},
        {JobKind::graph, QCoreApplication::translate("JobKind", "Graph job"),
         QCoreApplication::translate(
             "JobKind", "A graph of operations with a deadline: a partitioner chooses how each is split")}};
}

EntityRef addJob(ScenarioModel& document, JobKind kind) {
    document.change(ScenarioModel::tr("Add job"),
                    [&](Scenario& s) { new_elements::appendJob(s, kind, document.registry()); });
    return new_elements::lastOf(EntityRef::Kind::job, document.scenario().jobs);
}

EntityRef addFault(ScenarioModel& document, const std::string& target, double atSeconds) {
    document.change(ScenarioModel::tr("Add fault"), [&](Scenario& s) {
        appendElement(s, EntityRef::Kind::fault, document.registry());
        Fault& fault = s.faults.back();
        if (!target.empty()) fault.key = target;
        const bool isLink =
            new_elements::keysIn(s.cluster.links).contains(target) && !s.cluster.machine(target).valid();
        fault.target = isLink ? Fault::Target::link : Fault::Target::machine;
        fault.atSeconds = atSeconds;
        fault.repairAfterSeconds = std::max(1.0, std::round(atSeconds / 10));
    });
    return new_elements::lastOf(EntityRef::Kind::fault, document.scenario().faults);
}

std::vector<EntityRef> duplicateElements(ScenarioModel& document, const std::vector<EntityRef>& elements) {
    std::vector<EntityRef> copies;
    document.change(elements.size() == 1 ? ScenarioModel::tr("Duplicate")
                                         : ScenarioModel::tr("Duplicate %n items", nullptr, elements.size()),
                    [&](Scenario& s) {
                        for (const EntityRef& element : elements)
                            if (element.index < entityCount(s, element.kind))
                                copies.push_back(new_elements::duplicate(s, element));
                    });
    return copies;
}

} // namespace trainyard
