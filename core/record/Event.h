// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One thing that happened in a run: 32 bytes, plain. The log of these is the run; ClusterState, metrics and every view are
// folds of it. The table below is the schema (docs/format/events.md); types are append-only, their numbers go to disk.
#include "base/Ids.h"
#include "base/SimTime.h"

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace trainyard {

// clang-format off
enum class EventType : std::uint16_t {
    //                 job  aux             a              b              value
    runStarted = 1, //  -   -               -              -              -
    jobArrived,     //  J   -               -              -              -
    taskPlaced,     //  J   TaskRole        task index     machine        -
    taskRemoved,    //  J   TaskRole        task index     machine        -
    jobStarted,     //  J   -               workers        servers        seconds spent waiting so far
    jobResized,     //  J   -               workers        servers        -
    jobPreempted,   //  J   PreemptReason   update kept    updates lost   samples of the updates lost
    jobRejected,    //  J   RejectReason    -              -              -
    jobFinished,    //  J   FinishReason    updates (lo)   updates (hi)   last evaluated loss
    jobFailed,      //  J   FailReason      -              -              -
    pullStarted,    //  J   -               worker         task number    bytes
    computeStarted, //  J   -               worker         task number    samples
    pushStarted,    //  J   -               worker         task number    bytes
    gradientArrived,//  J   -               worker         task number    staleness (updates since the read)
    gradientUsed,   //  J   -               worker         task number    weight
    gradientDropped,//  J   -               worker         task number    samples thrown away
    taskCancelled,  //  J   -               worker         task number    share of the computation done, 0…1
    workerBlocked,  //  J   -               worker         -              - (synchronization makes it wait)
    updateApplied,  //  J   -               update (lo)    update (hi)    samples used
    lossEvaluated,  //  J   gradient norm   update (lo)    update (hi)    loss (the norm packed: GradientNorm.h; 0: not known)
    checkpointStarted, // J -               update (lo)    update (hi)    bytes
    checkpointDone, //  J   -               update (lo)    update (hi)    -
    jobRestored,    //  J   -               update (lo)    update (hi)    bytes
    linkLoad,       //  -   -               directed link  -              bytes/s from now on
    linkCarried,    //  J   -               directed link  -              bytes (rate model: accounted at once)
    machineFailed,  //  -   -               machine        -              -
    machineRepaired,//  -   -               machine        -              -
    linkFailed,     //  -   -               link           -              -
    linkRepaired,   //  -   -               link           -              -
    schedulerWoken, //  -   -               -              -              -
    decision,       //  J/- PolicyFamily    explanation    -              -
    command,        //  -   CommandKind     argument       argument       value (interactive runs replay from these)
    keyLocated,     //  J   -               key            node           - (a parameter moved; parameter policies)
    messageSent,    //  J   message kind    from node      to node        bytes
    jobPartitioned, //  J   -               degree         -              expected seconds
    runFinished,    //  -   -               -              -              -
    reserved,       //  J   TaskRole        machine        slot           tasks promised to it there and then
    note,           //  J/- series          first index    second index   value (of a series that a policy declares)
    batchChanged,   //  J   -               samples        -              - (of tasks that begin from then on)
    noiseMeasured,  //  J   -               update (lo)    update (hi)    noise scale of its gradients, in samples
    keysCounted,    //  J   KeyCounter      node           bucket or type how many since the last such event (keyed jobs)
    keyMessage,     //  J   KeyMessageType  key            from, to       seconds until it is received (of a watched key; 16 bits a node)
    qualityEvaluated, // J  quality         update (lo)    update (hi)    value (number of the quality among those of the keyed model)
};
// clang-format on

enum class PreemptReason : std::uint16_t { policy, machineFailure, linkFailure };
enum class FinishReason : std::uint16_t { iterations, epochs, loss, seconds, steps, stopped };
/// policy: a scheduler or partitioner refuses a job that could have waited. Of a job that is admitted at once, why it is blocked: no degree meets
/// the deadline even on the empty cluster, none has a free block, those that have one are too slow, or another degree would have done.
enum class RejectReason : std::uint16_t { policy, impossible, noBlock, tooSlow, byChoice };
enum class FailReason : std::uint16_t { killed, diverged, stuck };
enum class CommandKind : std::uint16_t { failMachine, repairMachine, failLink, repairLink, killJob };
enum class PolicyFamily : std::uint16_t { scheduler, synchronization, parameters, partitioner };
std::string_view familyName(PolicyFamily family);

/// Which series of numbers a note belongs to: by its position in what the policy of a family declares (PolicyInfo::series).
/// Packed into an event's aux.
struct NoteSeries {
    static constexpr std::uint16_t most = 0x0fff; ///< greatest number
    PolicyFamily family = PolicyFamily::scheduler;
    std::uint16_t number = 0;
    std::uint16_t packed() const {
        return static_cast<std::uint16_t>(static_cast<unsigned>(family) << 12 | (number & most));
    }
    static NoteSeries unpacked(std::uint16_t aux) {
        return {static_cast<PolicyFamily>(aux >> 12), static_cast<std::uint16_t>(aux & most)};
    }
    friend bool operator==(const NoteSeries&, const NoteSeries&) = default;
};

struct Event {
    SimTime time;
    EventType type = EventType::runStarted;
    std::uint16_t aux = 0;
    std::uint32_t job = JobId::none;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    double value = 0;

    JobId jobId() const {
        JobId id;
        id.value = job;
        return id;
    }
    /// a and b as one 64-bit count (update numbers).
    std::uint64_t count() const { return (static_cast<std::uint64_t>(b) << 32) | a; }
    friend bool operator==(const Event&, const Event&) = default;
};
static_assert(sizeof(Event) == 32 && std::is_trivially_copyable_v<Event>);

/// "job-arrived", … as in NDJSON and CSV.
std::string_view eventName(EventType type);

} // namespace trainyard
