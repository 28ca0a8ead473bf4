// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "record/EventMeanings.h"

#include "base/Format.h"
#include "model/Placement.h"
#include "record/GradientNorm.h"
#include "record/KeyCounters.h"
#include "record/KeyMessageType.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard {

namespace {

using K = FieldKind;
using T = EventType;

constexpr FieldMeaning noField{};
constexpr FieldMeaning workerField{"worker", K::worker};
constexpr FieldMeaning taskField{"task", K::task};
constexpr FieldMeaning iterationField{"task", K::number}; // of the worker, from 1
constexpr FieldMeaning updateField{"update", K::count};

std::vector<EventMeaning> jobEvents() {
    return {
        {T::runStarted, false, {}, {}, {}, {}, "The run begins."},
        {T::jobArrived, true, {}, {}, {}, {}, "A job arrives and waits."},
        {T::taskPlaced, true, {"role", K::role}, taskField, {"machine", K::machine}, {}, "A task takes its resources."},
        {T::taskRemoved,
         true,
         {"role", K::role},
         taskField,
         {"machine", K::machine},
         {},
         "A task releases its resources."},
        {T::jobStarted,
         true,
         {},
         {"workers", K::number},
         {"servers", K::number},
         {"waited_s", K::number},
         "A waiting job begins to run."},
        {T::jobResized,
         true,
         {},
         {"workers", K::number},
         {"servers", K::number},
         {},
         "A running job gets another placement or batch."},
        {T::jobPreempted,
         true,
         {"reason", K::preemptReason},
         {"update_kept", K::number},
         {"updates_lost", K::number},
         {"samples_lost", K::number},
         "A running job goes back to waiting."},
        {T::jobRejected,
         true,
         {"reason", K::rejectReason},
         {},
         {},
         {},
         "A policy rejects the job; of one that is admitted at once, why it is blocked."},
        {T::jobFinished,
         true,
         {"reason", K::finishReason},
         updateField,
         {},
         {"loss", K::number},
         "A stopping condition is met; loss is the last evaluated one."},
        {T::jobFailed, true, {"reason", K::failReason}, {}, {}, {}, "The job ends without a result."},
    };
}

std::vector<EventMeaning> taskEvents() {
    return {
        {T::pullStarted,
         true,
         {},
         workerField,
         iterationField,
         {"bytes", K::number},
         "A worker begins to read parameters."},
        {T::computeStarted,
         true,
         {},
         workerField,
         iterationField,
         {"samples", K::number},
         "A worker begins to compute."},
        {T::pushStarted,
         true,
         {},
         workerField,
         iterationField,
         {"bytes", K::number},
         "A worker begins to send its gradient."},
        {T::gradientArrived,
         true,
         {},
         workerField,
         iterationField,
         {"staleness", K::number},
         "A gradient has reached the servers; staleness counts the updates since the servers read its parameters."},
        {T::gradientUsed,
         true,
         {},
         workerField,
         iterationField,
         {"weight", K::number},
         "A gradient is used in an update."},
        {T::gradientDropped,
         true,
         {},
         workerField,
         iterationField,
         {"samples", K::number},
         "A gradient that has arrived is discarded."},
        {T::taskCancelled,
         true,
         {},
         workerField,
         iterationField,
         {"done", K::number},
         "A task is cancelled; done is the completed share of its computation, 0…1."},
        {T::workerBlocked, true, {}, workerField, {}, {}, "Synchronization blocks a worker."},
        {T::updateApplied, true, {}, updateField, {}, {"samples", K::number}, "The servers have applied an update."},
        {T::lossEvaluated,
         true,
         {"gradient_norm", K::norm},
         updateField,
         {},
         {"loss", K::number},
         "The loss after an update is evaluated; with the Euclidean norm of the gradient that "
         "the update applied."},
        {T::checkpointStarted, true, {}, updateField, {}, {"bytes", K::number}, "A checkpoint is sent to the storage."},
        {T::checkpointDone, true, {}, updateField, {}, {}, "A checkpoint is stored."},
        {T::jobRestored, true, {}, updateField, {}, {"bytes", K::number}, "A job continues from saved parameters."},
    };
}

std::vector<EventMeaning> clusterEvents() {
    return {
        {T::linkLoad,
         false,
         {},
         {"link", K::directedLink},
         {},
         {"bytes_per_s", K::number},
         "The load of a link from now on."},
        {T::linkCarried,
         true,
         {},
         {"link", K::directedLink},
         {},
         {"bytes", K::number},
         "Bytes over a link that its load does not include: of a job at this instant (rate "
         "model), or missing from the reported loads (flow model)."},
        {T::machineFailed, false, {}, {"machine", K::machine}, {}, {}, "A machine goes down."},
        {T::machineRepaired, false, {}, {"machine", K::machine}, {}, {}, "A machine is up again."},
        {T::linkFailed, false, {}, {"link", K::link}, {}, {}, "A link goes down."},
        {T::linkRepaired, false, {}, {"link", K::link}, {}, {}, "A link is up again."},
        {T::schedulerWoken, false, {}, {}, {}, {}, "A wake-up that the scheduler requested."},
        {T::decision,
         true,
         {"family", K::family},
         {"explanation", K::number},
         {},
         {},
         "A policy has decided; explanation is the index in explanations.json. Without a job: "
         "about several."},
        {T::command,
         false,
         {"kind", K::command},
         {"a", K::number},
         {"b", K::number},
         {"value", K::number},
         "The user intervened in the run."},
        {T::keyLocated, true, {}, {"key", K::number}, {"node", K::number}, {}, "A parameter key has moved to a node."},
        {T::messageSent,
         true,
         {"kind", K::number},
         {"from", K::number},
         {"to", K::number},
         {"bytes", K::number},
         "A message between parameter nodes that belongs to no pull or push of a worker."},
        {T::jobPartitioned,
         true,
         {},
         {"degree", K::number},
         {},
         {"expected_s", K::number},
         "A graph job's degree of partitioning is chosen."},
        {T::runFinished, false, {}, {}, {}, {}, "The run ends."},
        {T::reserved,
         true,
         {"role", K::role},
         {"machine", K::machine},
         {"slot", K::number},
         {"tasks", K::number},
         "A scheduler reserves tasks of a job on a machine in a slot."},
        {T::note,
         true,
         {"series", K::series},
         {"first", K::number},
         {"second", K::number},
         {"value", K::number},
         "A value of a series that a policy declares. Without a job: about several."},
        {T::batchChanged,
         true,
         {},
         {"samples", K::number},
         {},
         {},
         "A scheduler changes a job's batch: tasks that begin from then on use it."},
        {T::noiseMeasured,
         true,
         {},
         {"update", K::count},
         {},
         {"noise_scale", K::number},
         "The noise scale of a job's gradients, in samples, as measured so far."},
        {T::keysCounted,
         true,
         {"counter", K::keyCounter},
         {"node", K::number},
         {"bucket", K::number},
         {"count", K::number},
         "What a node of a keyed job has counted since the last such event."},
        {T::keyMessage,
         true,
         {"type", K::keyMessage},
         {"key", K::number},
         {"nodes", K::number},
         {"received_after_s", K::number},
         "A message about a watched key of a keyed job is sent; nodes is 65536 × sender + receiver."},
        {T::qualityEvaluated,
         true,
         {"quality", K::number},
         updateField,
         {},
         {"value", K::number},
         "A figure of how good a keyed model is on examples that are not trained on; quality counts from 0 in the "
         "list of its qualities."},
    };
}

} // namespace

const std::vector<EventMeaning>& eventMeanings() {
    static const std::vector<EventMeaning> all = [] {
        std::vector<EventMeaning> list;
        for (const auto& group : {jobEvents(), taskEvents(), clusterEvents()})
            list.insert(list.end(), group.begin(), group.end());
        return list;
    }();
    return all;
}

const EventMeaning& eventMeaning(EventType type) {
    // In order of number, from 1.
    const auto& all = eventMeanings();
    const auto i = static_cast<std::size_t>(type);
    return all[i >= 1 && i <= all.size() ? i - 1 : 0];
}

const std::vector<std::string>& fieldWords(FieldKind kind) {
    static const std::vector<std::string> none;
    static const std::vector<std::string> roles{"worker", "server"};
    static const std::vector<std::string> preemptReasons{"policy", "machine-failure", "link-failure"};
    static const std::vector<std::string> finishReasons{"iterations", "epochs", "loss", "seconds", "steps", "stopped"};
    static const std::vector<std::string> failReasons{"killed", "diverged", "stuck"};
    static const std::vector<std::string> rejectReasons{"policy", "impossible", "no-block", "too-slow", "by-choice"};
    static const std::vector<std::string> families{"scheduler", "synchronization", "parameters", "partitioner"};
    static const std::vector<std::string> commands{"fail-machine", "repair-machine", "fail-link", "repair-link",
                                                   "kill-job"};
    static constexpr auto counterNames = std::to_array<const char*>(
        {"local-pulls",       "remote-pulls",  "waiting-pulls",  "local-pushes",   "remote-pushes",
         "waiting-pushes",    "messages",      "message-bytes",  "server-seconds", "sending-seconds",
         "receiving-seconds", "keys-received", "replica-rounds", "keys-held",      "replica-staleness",
         "delivery-seconds",  "copy-seconds",  "copy-age",       "copy-refreshes", "sample-dispersion"});
    static_assert(counterNames.size() == keyCounters);
    static const std::vector<std::string> counters(counterNames.begin(), counterNames.end());
    static constexpr auto messageNames = std::to_array<const char*>(
        {"pull-request", "pull-answer", "push", "push-answer", "localize", "hand-over", "transfer", "replica-delta",
         "clock", "intent", "intent-end", "replicate", "copy", "refresh", "refreshed"});
    static_assert(messageNames.size() == keyMessageTypes);
    static const std::vector<std::string> messages(messageNames.begin(), messageNames.end());
    switch (kind) {
    case K::role: return roles;
    case K::preemptReason: return preemptReasons;
    case K::finishReason: return finishReasons;
    case K::failReason: return failReasons;
    case K::rejectReason: return rejectReasons;
    case K::family: return families;
    case K::command: return commands;
    case K::keyCounter: return counters;
    case K::keyMessage: return messages;
    default: return none;
    }
}

std::string linkName(std::uint32_t link, const Cluster& cluster) {
    if (link >= cluster.links.size()) return std::to_string(link);
    const Link& spec = cluster.links[link];
    return spec.key.empty() ? spec.derivedKey() : spec.key;
}

std::string directedLinkName(std::uint32_t directed, const Cluster& cluster) {
    return linkName(directed / 2, cluster) + (directed % 2 == 0 ? " forward" : " back");
}

std::string fieldText(FieldKind kind, std::uint32_t member, const Workload& workload) {
    const Cluster& cluster = workload.cluster;
    switch (kind) {
    case K::none: return {};
    case K::machine: return member < cluster.machines.size() ? cluster.machines[member].key : std::to_string(member);
    case K::worker:
    case K::task: return "w" + std::to_string(member + 1);
    case K::link: return linkName(member, cluster);
    case K::directedLink: return directedLinkName(member, cluster);
    case K::norm: {
        const double norm = gradientNormOf(static_cast<std::uint16_t>(member));
        return std::isfinite(norm) ? formatNumber(norm, 4) : std::string();
    }
    case K::series: {
        const NoteSeries series = NoteSeries::unpacked(static_cast<std::uint16_t>(member));
        return std::string(familyName(series.family)) + " " + std::to_string(series.number);
    }
    default: break;
    }
    const auto& words = fieldWords(kind);
    return member < words.size() ? words[member] : std::to_string(member);
}

std::string fieldText(FieldKind kind, const Event& event, std::uint32_t member, const Workload& workload) {
    if (kind == K::task && event.aux == static_cast<std::uint16_t>(TaskRole::server))
        return "s" + std::to_string(member + 1);
    return fieldText(kind, member, workload);
}

std::string eventText(const Event& event, const Workload& workload) {
    const EventMeaning& meaning = eventMeaning(event.type);
    std::string text(eventName(event.type));
    if (event.job < workload.jobs.size()) text += " " + workload.job(event.jobId()).key;
    std::string_view separator = ": ";
    const auto add = [&](const FieldMeaning& field, const std::string& written) {
        text += std::string(separator) + field.name + " " + written;
        separator = ", ";
    };
    for (const auto& [field, member] :
         {std::pair(meaning.aux, std::uint32_t{event.aux}), {meaning.a, event.a}, {meaning.b, event.b}})
        if (field.kind == K::count)
            add(field, std::to_string(event.count()));
        else if (field.kind != K::none)
            add(field, fieldText(field.kind, event, member, workload));
    if (meaning.value.kind != K::none) add(meaning.value, formatNumber(event.value));
    return text;
}

} // namespace trainyard
