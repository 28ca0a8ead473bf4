// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/partitioner/DegreeChoice.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace trainyard {

namespace {

const char* remarkOn(OptionState state) {
    switch (state) {
    case OptionState::inTime: return "";
    case OptionState::late: return ": late";
    case OptionState::noBlock: return ": no block free";
    case OptionState::tooFewFree: return ": too few servers free";
    case OptionState::impossible: return ": no block on the empty cluster";
    }
    return "";
}

const char* sentenceOf(BlockedReason reason) {
    switch (reason) {
    case BlockedReason::impossible:
        return TRAINYARD_TEXT("blocked: no number of parts meets the deadline even on the empty cluster");
    case BlockedReason::noBlock:
        return TRAINYARD_TEXT("blocked: for no number of parts is there a free block of servers");
    case BlockedReason::tooSlow: return TRAINYARD_TEXT("blocked: with each free block the deadline is missed");
    default: return TRAINYARD_TEXT("blocked by choice: some number of parts has a free block and meets the deadline");
    }
}

Candidate candidateOf(const GraphOption& option, const PartitionView& view) {
    Candidate out{.label = std::to_string(option.degree) + (option.degree == 1 ? " part" : " parts"),
                  .numbers = {{"parts", double(option.degree)}}};
    if (std::isfinite(option.seconds))
        out.numbers.push_back({"completion_s", option.seconds}); // else no links lead there now
    out.numbers.push_back({"deadline_s", view.deadlineSeconds()});
    const auto free = view.freeServers();
    if (!free) return out;
    out.label += remarkOn(option.state);
    out.numbers.push_back({"servers", double(std::popcount(option.servers))});
    if (option.allowed) return out;
    if (option.state == OptionState::impossible)
        out.checks.push_back({"blocks on the empty cluster", 0, Comparison::atLeast, 1});
    else // jobs that end at this instant may still count
        out.checks.push_back(
            {"parts", double(option.degree), Comparison::atMost, double(std::min(*free, option.degree - 1))});
    return out;
}

/// The rule has picked an option that blocks the job: that nothing was chosen must follow from the checks.
void addWhatBlocks(Explanation& why, std::size_t picked, const PartitionView& view) {
    for (Candidate& other : why.candidates) // that the rule would pick next
        if (&other != &why.candidates[picked] && other.feasible())
            other.checks.push_back({"chosen", 0, Comparison::atLeast, 1});
    const GraphOption& option = view.options()[picked];
    why.candidates[picked].checks.push_back(option.placeable() ? Check{"in time", 0, Comparison::atLeast, 1}
                                                               : Check{"free blocks", 0, Comparison::atLeast, 1});
    why.chosen = why.evaluate();
}

/// "gets 4 parts on m1, m2, m9, m10: always 4 parts"; of a job that is queued the machines are not known yet.
Text outcomeText(const GraphOption& option, const PartitionView& view, const Text& reason) {
    const std::string parts = std::to_string(option.degree) + (option.degree == 1 ? " part" : " parts");
    const auto& machines = view.state().workload().cluster.machines;
    std::string list;
    for (std::size_t m = 0; m < std::min<std::size_t>(machines.size(), OpticalNetwork::mostServers); ++m)
        if ((option.servers >> m) & 1) list += (list.empty() ? "" : ", ") + machines[m].key;
    if (list.empty()) return {TRAINYARD_TEXT("gets {0}: {1}"), {parts, reason.english()}};
    return {TRAINYARD_TEXT("gets {0} on {1}: {2}"), {parts, list, reason.english()}};
}

} // namespace

Explanation degreeExplanation(std::string policy, const PartitionView& view) {
    Explanation why{.family = PolicyFamily::partitioner, .policy = std::move(policy), .job = view.job()};
    for (const GraphOption& option : view.options()) why.candidates.push_back(candidateOf(option, view));
    return why;
}

std::optional<int> chooseDegree(const PolicyContext& context, const PartitionView& view, Explanation why, Text chosen) {
    why.chosen = why.evaluate();
    const GraphOption* option = why.chosen.empty() ? nullptr : &view.options()[why.chosen.front()];
    if (context.explaining()) {
        if (view.freeServers() && (!option || option->state != OptionState::inTime)) {
            why.summary = {sentenceOf(view.reason()), {}};
            if (option) addWhatBlocks(why, why.chosen.front(), view);
        } else if (option)
            why.summary = outcomeText(*option, view, chosen);
        else if (view.options().empty())
            why.summary = {TRAINYARD_TEXT("rejected: the job's bounds and the free machines allow no degree"), {}};
        else
            why.summary = {TRAINYARD_TEXT("rejected: this policy accepts none of the allowed degrees"), {}};
        context.explain(std::move(why));
    }
    return option ? std::optional(option->degree) : std::nullopt;
}

} // namespace trainyard
