// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What keyed jobs need, and what they have no use for.
#include "base/Format.h"
#include "base/Memory.h"
#include "learning/keyed/KeyedChoices.h"
#include "policy/keys/KeySampler.h"
#include "scenario/KeyedModels.h"
#include "scenario/ScenarioChecks.h"

#include <algorithm>

namespace trainyard {

namespace {

/// Bytes that a keyed job takes: its values twice (a checkpoint), a slot per key and machine, ranks and their probabilities.
double bytesOfKeys(const KeyedAccess& access, int machines) {
    return static_cast<double>(access.keys) * (8.0 * static_cast<double>(access.storedPerKey()) + 4.0 * machines + 24);
}

} // namespace

void ScenarioChecks::checkKeyed(const Job& job, const std::string& pointer) {
    const auto* work = std::get_if<AnalyticWork>(&job.work);
    if (!work) return;
    const bool keyed = work->access == AccessKind::keyed;
    if (keyed != work->keyed.has_value()) {
        report(keyed ? "missing-keys" : "unused",
               {keyed ? TRAINYARD_TEXT("a job of \"access\": \"keyed\" needs \"keyed\", which says what its keys are")
                      : TRAINYARD_TEXT("\"keyed\" is of jobs of \"access\": \"keyed\""),
                {}},
               pointer + "/keyed");
        return;
    }
    if (!keyed) return;
    const auto refuse = [&](bool bad, const char* code, const char* why, const char* member) {
        if (bad) report(code, {why, {}}, pointer + member);
    };
    refuse(job.servers != Bounds{0, 0}, "keyed-servers",
           TRAINYARD_TEXT("keyed jobs have no servers: their workers' machines hold the keys; say \"servers\": 0"),
           "/servers");
    refuse(job.onFailure == FailureReaction::shrink, "keyed-shrink",
           TRAINYARD_TEXT("a keyed job that loses a machine loses its keys; say \"on_failure\": \"restart\""),
           "/on_failure");
    refuse(job.stop.loss.has_value() && !work->keyed->task, "keyed-loss",
           TRAINYARD_TEXT("drawn keys have no loss; end the job by iterations, epochs or seconds, or give it a task"),
           "/stop/loss");
    if (work->keyed->task) checkKeyedTask(job, pointer);
    refuse(work->batchOf != BatchOf::worker, "unused",
           TRAINYARD_TEXT("an iteration of a keyed job has a batch of its own; say \"batch_of\": \"worker\""),
           "/batch_of");
    refuse(work->law.has_value(), "unused", TRAINYARD_TEXT("keyed jobs compute by seconds_per_sample"), "/update_law");
    refuse(work->rates.has_value(), "unused", TRAINYARD_TEXT("keyed jobs compute by seconds_per_sample"),
           "/locality_rates");
    const auto& ranks = work->keyed->watchedRanks;
    const Job sized = withKeyedSizes(job);
    const std::int64_t keys = sized.keyedAccess()->keys;
    for (std::size_t i = 0; i < ranks.size(); ++i)
        if (ranks[i] > static_cast<double>(keys))
            report("out-of-range",
                   {TRAINYARD_TEXT("there is no rank {0}; the job has {1} keys"),
                    {formatNumber(ranks[i], 15), std::to_string(keys)}},
                   pointer + "/keyed/watched_ranks/" + std::to_string(i));
    checkKeyedMemory(sized, pointer);
    checkKeyedLatency();
}

namespace {

/// Members that have no meaning where a model is trained, by their names in "keyed".
std::vector<const char*> givenInVain(const KeyedAccess& access) {
    const KeyedAccess fresh;
    std::vector<const char*> out;
    if (access.keys != fresh.keys) out.push_back("keys");
    if (access.valuesPerKey != fresh.valuesPerKey) out.push_back("values_per_key");
    if (access.exponent != fresh.exponent) out.push_back("exponent");
    if (access.permutationSeed != fresh.permutationSeed) out.push_back("permutation_seed");
    if (access.workerSeed != fresh.workerSeed) out.push_back("worker_seed");
    if (access.shiftEvery != fresh.shiftEvery) out.push_back("shift_every");
    if (access.push != fresh.push) out.push_back("push");
    if (access.optimizer != fresh.optimizer) out.push_back("optimizer");
    if (access.step != fresh.step) out.push_back("step");
    return out;
}

} // namespace

void ScenarioChecks::checkKeyedTask(const Job& job, const std::string& pointer) {
    const KeyedAccess& access = *job.keyedAccess();
    const std::string place = pointer + "/keyed/task";
    add(choiceProblems(keyedModels(), access.task->model, "unknown-model",
                       TRAINYARD_TEXT("there is no keyed model \"{0}\"; try {1}"), place + "/keyed_model"));
    add(choiceProblems(keyedDataSets(), access.task->data, "unknown-data-set",
                       TRAINYARD_TEXT("there are no data \"{0}\" for keyed models; try {1}"), place + "/keyed_data"));
    for (const char* member : givenInVain(access))
        report("unused", {TRAINYARD_TEXT("a task has its own; leave \"{0}\" out"), {member}},
               pointer + "/keyed/" + member);
    const KeyedSampling& sampling = access.task->sampling;
    if (sampling.scheme == SamplingScheme::byLevel || conformityOf(sampling.scheme) <= sampling.level) return;
    report("below-level",
           {TRAINYARD_TEXT("this scheme does not keep to the level that is asked for: reuse is bounded, postponed is "
                           "long-term, local and repurposed are non-conform; ask for less, or say \"by-level\""),
            {}},
           place + "/sampling/scheme");
}

void ScenarioChecks::checkKeyedMemory(const Job& job, const std::string& pointer) {
    const KeyedAccess& access = *job.keyedAccess();
    const int machines = std::min(job.workers.maximum, static_cast<int>(m_scenario.cluster.machines.size()));
    if (access.task) return checkKeyedTaskMemory(access, machines, pointer);
    const double bytes = bytesOfKeys(access, machines);
    if (bytes <= memoryOfMachine()) return;
    report("beyond-memory",
           {TRAINYARD_TEXT("{0} keys of {1} values take {2} GB on {3} machines; this machine has {4} GB of memory"),
            {std::to_string(access.keys), std::to_string(access.valuesPerKey), formatNumber(bytes * 1e-9, 3),
             std::to_string(machines), formatNumber(memoryOfMachine() * 1e-9, 3)}},
           pointer + "/keyed/keys");
}

/// With the sizes that the model will have, told before it is made.
void ScenarioChecks::checkKeyedTaskMemory(const KeyedAccess& access, int machines, const std::string& pointer) {
    const auto size = sizeOfKeyedTask(*access.task);
    if (!size || size->keys > static_cast<double>(KeyedAccess::mostKeys)) return; // told elsewhere
    const double bytes = size->bytes + bytesOfKeys(access, machines);
    if (bytes <= memoryOfMachine()) return;
    report(
        "beyond-memory",
        {TRAINYARD_TEXT(
             "{0} keys of {1} values, the data and the model take {2} GB on {3} machines; this machine has {4} GB of "
             "memory"),
         {std::to_string(access.keys), std::to_string(access.valuesPerKey), formatNumber(bytes * 1e-9, 3),
          std::to_string(machines), formatNumber(memoryOfMachine() * 1e-9, 3)}},
        pointer + "/keyed/task/keyed_data/parameters");
}

/// Told once, whatever the number of keyed jobs.
void ScenarioChecks::checkKeyedLatency() {
    constexpr std::int64_t leastNs = 1000; // KeyedRoutes::leastLatency
    if (++m_keyedJobs == 2)
        report("keyed-jobs-apart",
               {TRAINYARD_TEXT(
                    "each keyed job has a network interface and a server thread of its own on a machine: several on "
                    "one machine do not slow each other there"),
                {}},
               "/jobs", Severity::note);
    if (m_keyedJobs > 1) return;
    for (std::size_t l = 0; l < m_scenario.cluster.links.size(); ++l) {
        const Link& link = m_scenario.cluster.links[l];
        const bool direct =
            m_scenario.cluster.machine(link.from).valid() && m_scenario.cluster.machine(link.to).valid();
        if (link.latency.ns >= (direct ? leastNs : leastNs / 2)) continue;
        report(
            "short-latency",
            {TRAINYARD_TEXT("messages of keyed jobs take at least 1 µs from machine to machine, also over this link"),
             {}},
            "/cluster/links/" + std::to_string(l), Severity::warning);
        return;
    }
}

} // namespace trainyard
