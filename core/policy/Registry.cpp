// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/Registry.h"

#include "base/Format.h"
#include "base/Result.h"
#include "policy/Builtin.h"
#include "policy/Compatibility.h"
#include "policy/keys/KeyedService.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

template <class Entry>
const Entry* findEntry(const std::vector<Entry>& entries, std::string_view id) {
    const auto it = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.id == id; });
    return it == entries.end() ? nullptr : &*it;
}

template <class Entry>
auto makeFrom(const std::vector<Entry>& entries, const Choice& choice) {
    const Entry* entry = findEntry(entries, choice.id);
    require(entry != nullptr, "a policy was made that is not registered");
    return entry->make(entry->schema.complete(choice.parameters));
}

} // namespace

Registry Registry::builtin() {
#define TRAINYARD_ENTRY(name) builtin::name(),
    return {.schedulers = {TRAINYARD_SCHEDULERS(TRAINYARD_ENTRY)},
            .synchronizations = {TRAINYARD_SYNCHRONIZATIONS(TRAINYARD_ENTRY)},
            .parameters = {TRAINYARD_PARAMETERS(TRAINYARD_ENTRY)},
            .partitioners = {TRAINYARD_PARTITIONERS(TRAINYARD_ENTRY)}};
#undef TRAINYARD_ENTRY
}

namespace {

/// Calls `visit` with the entries of the family.
template <class Visit>
auto withEntries(const Registry& registry, PolicyFamily family, Visit visit) {
    switch (family) {
    case PolicyFamily::scheduler: return visit(registry.schedulers);
    case PolicyFamily::synchronization: return visit(registry.synchronizations);
    case PolicyFamily::parameters: return visit(registry.parameters);
    case PolicyFamily::partitioner: break;
    }
    return visit(registry.partitioners);
}

} // namespace

std::vector<const PolicyInfo*> Registry::list(PolicyFamily family) const {
    return withEntries(*this, family, [](const auto& entries) {
        std::vector<const PolicyInfo*> out;
        for (const auto& e : entries) out.push_back(&e);
        return out;
    });
}

const PolicyInfo* Registry::find(PolicyFamily family, std::string_view id) const {
    return withEntries(*this, family,
                       [id](const auto& entries) -> const PolicyInfo* { return findEntry(entries, id); });
}

Problems Registry::check(PolicyFamily family, const Choice& choice, const std::string& pointer) const {
    if (const PolicyInfo* info = find(family, choice.id))
        return info->schema.check(choice.parameters, pointer + "/parameters");
    std::string known;
    for (const PolicyInfo* info : list(family)) known += (known.empty() ? "" : ", ") + info->id;
    return {{.code = "unknown-policy",
             .message = {TRAINYARD_TEXT("there is no {0} policy \"{1}\"; known are {2}"),
                         {std::string(familyName(family)), choice.id, known}},
             .pointer = pointer + "/id"}};
}

std::unique_ptr<Scheduler> Registry::makeScheduler(const Choice& choice) const { return makeFrom(schedulers, choice); }
std::unique_ptr<Synchronization> Registry::makeSynchronization(const Choice& choice) const {
    return makeFrom(synchronizations, choice);
}
std::unique_ptr<ParameterPolicy> Registry::makeParameters(const Choice& choice) const {
    return makeFrom(parameters, choice);
}
std::unique_ptr<Partitioner> Registry::makePartitioner(const Choice& choice, const PolicyFiles& files) const {
    const PartitionerEntry* entry = findEntry(partitioners, choice.id);
    if (!entry || !entry->makeWithFiles) return makeFrom(partitioners, choice);
    return entry->makeWithFiles(entry->schema.complete(choice.parameters), files);
}

std::optional<Text> Registry::incompatible(const Job& job, const Choice& synchronization,
                                           const Choice& parameters) const {
    using namespace compatibility;
    if (job.kind() == JobKind::graph) return std::nullopt; // consults neither family
    const PolicyInfo* info = find(PolicyFamily::synchronization, synchronization.id);
    if (auto why = keysAreNotServed(*this, job, synchronization, parameters)) return why;
    if (const PolicyInfo* store = find(PolicyFamily::parameters, parameters.id); store && store->incompatible)
        if (auto why = store->incompatible(job, parameters.parameters)) return why;
    if (info && info->incompatible)
        if (auto why = info->incompatible(job, synchronization.parameters)) return why;
    const double load = numberOf(synchronization.parameters, "load", 1);
    if (std::lround(load * batchOf(job)) >= 1) return std::nullopt;
    return Text{TRAINYARD_TEXT("a load of {0} of a batch of {1} leaves no sample to compute; it must be at least {2}"),
                {formatNumber(load), std::to_string(batchOf(job)), formatNumber(0.5 / batchOf(job), 4)}};
}

std::optional<PolicyWarning> Registry::compatibilityWarning(const Job& job, const Choice& synchronization) const {
    const PolicyInfo* info = find(PolicyFamily::synchronization, synchronization.id);
    if (!info || !info->compatibilityWarning || job.kind() == JobKind::graph) return std::nullopt;
    return info->compatibilityWarning(job, synchronization.parameters);
}

} // namespace trainyard
