// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the members aux, a, b and value of each type of event mean, as data: exports name their fields by it,
// and the published schema (docs/format/events.schema.json) and docs/format/events.md are checked against it.
#include "model/Workload.h"
#include "record/Event.h"

#include <string>
#include <vector>

namespace trainyard {

enum class FieldKind {
    none,
    number,       ///< written as a number
    worker,       ///< index; written as everywhere: "w1" is the first
    task,         ///< index of a worker or, by the event's role, a server: "w1", "s1"
    count,        ///< a and b together: Event::count()
    norm,         ///< packed, see record/GradientNorm.h; written as a number, or nothing where unknown
    machine,      ///< index; written as the machine's key
    link,         ///< index; written as the link's key
    directedLink, ///< 2·index, + 1 for the way back; written as the link's key and "forward" or "back"
    role,
    preemptReason,
    finishReason,
    failReason,
    rejectReason,
    family,
    command,    ///< written as a word
    keyCounter, ///< written as a word
    keyMessage, ///< the same
    series,     ///< packed, see NoteSeries; written as its family and number: "scheduler 0"
};

struct FieldMeaning {
    const char* name = ""; ///< snake_case, with its unit
    FieldKind kind = FieldKind::none;
};

struct EventMeaning {
    EventType type = EventType::runStarted;
    bool ofJob = false;
    FieldMeaning aux, a, b, value;
    const char* summary = "";
};

const std::vector<EventMeaning>& eventMeanings();
const EventMeaning& eventMeaning(EventType type);

/// The words of a kind that is written as one; empty for the others.
const std::vector<std::string>& fieldWords(FieldKind kind);
/// One member as text: a number, a word, or the key of what it names.
std::string fieldText(FieldKind kind, std::uint32_t member, const Workload& workload);
/// The same of a member of this event, whose role decides what a task is.
std::string fieldText(FieldKind kind, const Event& event, std::uint32_t member, const Workload& workload);
/// A whole event in a line, without its time: "task-placed j1: role worker, task w1, machine m2".
std::string eventText(const Event& event, const Workload& workload);
/// "m1--s1 forward"
std::string directedLinkName(std::uint32_t directed, const Cluster& cluster);
std::string linkName(std::uint32_t link, const Cluster& cluster);

} // namespace trainyard
