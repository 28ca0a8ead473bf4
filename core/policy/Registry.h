// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The policies there are: one visible list (Builtin.h). A Registry is a value; tests make their own with doubles added.
#include "policy/Parameters.h"
#include "policy/Partitioner.h"
#include "policy/PolicyFiles.h"
#include "policy/PolicyWarning.h"
#include "policy/Scheduler.h"
#include "policy/Synchronization.h"

#include "base/ParamSchema.h"
#include "model/Job.h"

#include <functional>

namespace trainyard {

/// Numbers that a policy notes as time goes on (PolicyContext::note): prices, predicted losses, rates.
struct SeriesInfo {
    std::string name; ///< snake_case, with its unit where it has one
    std::string label;
    std::string unit;          ///< empty: a pure number
    std::string meaning;       ///< one sentence
    std::string first, second; ///< what the two indices number: "machine", "slot"; empty: not used
};

/// What forms, `list`, help pages and the reader need to know of a policy.
struct PolicyInfo {
    std::string id; ///< kebab-case, as in files
    std::string label;
    std::string summary; ///< one sentence: what it does
    std::string source;  ///< paper or origin; empty = common knowledge
    ParamSchema schema;
    /// What the policy says of a job (no graph job) and its parameters as given: why it cannot serve it, and what will not act
    /// as they say; what a scheduler says is told where it holds for every job, graph jobs too. Null: nothing.
    std::function<std::optional<Text>(const Job&, const ParamValues&)> incompatible = nullptr;
    std::function<std::optional<PolicyWarning>(const Job&, const ParamValues&)> compatibilityWarning = nullptr;
    std::vector<SeriesInfo> series = {}; ///< what it notes; a note names one by its position
    /// What is wrong with the files that its parameters name on this cluster, as they were read; null: nothing can be.
    std::function<std::optional<Text>(const ParamValues&, const PolicyFiles&, const Cluster&)> unsuited = nullptr;
    /// A scheduler that decides by losses: it is told them.
    bool goesByLosses = false;
    /// A scheduler that decides by the noise scale of gradients: trained jobs measure theirs.
    bool goesByNoise = false;
};

template <class Interface>
struct PolicyEntry : PolicyInfo {
    std::function<std::unique_ptr<Interface>(const ParamValues&)> make; ///< values have been checked
    /// Of policies with parameters that name files: what they name has been read. Else null.
    std::function<std::unique_ptr<Interface>(const ParamValues&, const PolicyFiles&)> makeWithFiles = nullptr;
};

using SchedulerEntry = PolicyEntry<Scheduler>;
using SynchronizationEntry = PolicyEntry<Synchronization>;
using ParametersEntry = PolicyEntry<ParameterPolicy>;
using PartitionerEntry = PolicyEntry<Partitioner>;

/// entry<Fifo, Fifo::Params>({"fifo", …}, field(…), …): the policy's constructor takes the parameters.
template <class Interface, class Policy, class Params, class... T>
PolicyEntry<Interface> policyEntry(PolicyInfo info, BoundField<Params, T>... fields) {
    auto bound = bindSchema<Params>(std::move(fields)...);
    PolicyEntry<Interface> entry{std::move(info), {}};
    entry.schema = bound.schema;
    entry.make = [read = bound.read](const ParamValues& values) { return std::make_unique<Policy>(read(values)); };
    return entry;
}

/// The same of a policy whose constructor takes the files too.
template <class Interface, class Policy, class Params, class... T>
PolicyEntry<Interface> fileEntry(PolicyInfo info, BoundField<Params, T>... fields) {
    auto bound = bindSchema<Params>(std::move(fields)...);
    PolicyEntry<Interface> entry{std::move(info), {}};
    entry.schema = bound.schema;
    entry.make = [read = bound.read](const ParamValues& values) {
        return std::make_unique<Policy>(read(values), PolicyFiles());
    };
    entry.makeWithFiles = [read = bound.read](const ParamValues& values, const PolicyFiles& files) {
        return std::make_unique<Policy>(read(values), files);
    };
    return entry;
}

struct Registry {
    std::vector<SchedulerEntry> schedulers;
    std::vector<SynchronizationEntry> synchronizations;
    std::vector<ParametersEntry> parameters;
    std::vector<PartitionerEntry> partitioners;

    /// Everything that ships.
    static Registry builtin();
    /// Of any family; nullptr if unknown.
    const PolicyInfo* find(PolicyFamily family, std::string_view id) const;
    std::vector<const PolicyInfo*> list(PolicyFamily family) const;
    /// Problems of a choice: unknown id (with the known ones), parameters.
    Problems check(PolicyFamily family, const Choice& choice, const std::string& pointer) const;

    /// Choices must have passed check().
    std::unique_ptr<Scheduler> makeScheduler(const Choice& choice) const;
    std::unique_ptr<Synchronization> makeSynchronization(const Choice& choice) const;
    std::unique_ptr<ParameterPolicy> makeParameters(const Choice& choice) const;
    std::unique_ptr<Partitioner> makePartitioner(const Choice& choice, const PolicyFiles& files = {}) const;

    /// Why these cannot work together on this job, or nothing (the one place where combinations are refused).
    std::optional<Text> incompatible(const Job& job, const Choice& synchronization, const Choice& parameters) const;
    /// What of a synchronization will not act on this job as its parameters say, or nothing: the run can go on without.
    std::optional<PolicyWarning> compatibilityWarning(const Job& job, const Choice& synchronization) const;
};

} // namespace trainyard
