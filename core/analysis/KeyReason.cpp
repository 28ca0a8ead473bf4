// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/KeyReason.h"

#include "analysis/KeyShares.h"
#include "analysis/PictureParts.h"
#include "analysis/PolicyNotes.h"
#include "base/Format.h"
#include "learning/KeyRanks.h"
#include "policy/Registry.h"

#include <algorithm>

namespace trainyard {

namespace key_reason {

constexpr std::size_t lastMoves = 5;

std::optional<std::uint32_t> keyOf(const RunIndex& run, JobId job, std::uint64_t rank, std::int64_t mostKeys) {
    const auto& followed = run.fold<KeyedCourse>().followed(job);
    if (rank <= followed.size()) return followed[rank - 1].key;
    const KeyedAccess& access = *run.workload().job(job).keyedAccess();
    if (access.ranks) return access.ranks->keyAt(static_cast<std::uint32_t>(rank - 1));
    if (access.keys > mostKeys) return std::nullopt;
    return KeyRanks(static_cast<std::uint32_t>(access.keys), access.exponent, access.permutationSeed)
        .keyAt(static_cast<std::uint32_t>(rank - 1));
}

Text ruleFor(const KeyPlan& plan, const KeyReason& key) {
    const std::string times = groupedText(key.timesMean, 4);
    const bool replicated = key.technique == KeyTechnique::replicated;
    if (key.ofStart && plan.replication && plan.replication->timesMean > 0)
        return {replicated
                    ? TRAINYARD_TEXT("at the start drawn {0} × as often as the mean of all keys, more than {1} ×: "
                                     "it has replicas")
                    : TRAINYARD_TEXT("at the start drawn {0} × as often as the mean of all keys, not more than "
                                     "{1} ×: it relocates"),
                {times, formatNumber(plan.replication->timesMean)}};
    if (key.ofStart && plan.replication)
        return {replicated ? TRAINYARD_TEXT("the {0} keys that are most frequent at the start have replicas throughout")
                           : TRAINYARD_TEXT(
                                 "only the {0} keys that are most frequent at the start have replicas; it relocates"),
                {groupedText(static_cast<double>(plan.replication->count), 15)}};
    if (plan.replication && plan.replication->timesMean > 0)
        return {replicated
                    ? TRAINYARD_TEXT("drawn {0} × as often as the mean of all keys, more than {1} ×: it has replicas")
                    : TRAINYARD_TEXT("drawn {0} × as often as the mean of all keys, not more than {1} ×: it relocates"),
                {times, formatNumber(plan.replication->timesMean)}};
    if (plan.replication)
        return {replicated
                    ? TRAINYARD_TEXT("the {0} most frequent keys have replicas; this one has rank {1}")
                    : TRAINYARD_TEXT("the {0} most frequent keys have replicas; this one has rank {1} and relocates"),
                {groupedText(static_cast<double>(plan.replication->count), 15), std::to_string(key.rank)}};
    if (plan.adapts)
        return {TRAINYARD_TEXT(
                    "a key moves to the machine that will use it next; where several will, the others hold copies"),
                {}};
    if (plan.relocates) return {TRAINYARD_TEXT("every key moves to the machine that will use it next"), {}};
    return {TRAINYARD_TEXT("no key moves: each stays at its home"), {}};
}

/// Moves to a node: transfers of a watched key as long as messages are logged, else what is logged of the most frequent ones.
void follow(const RunIndex& run, JobId job, SimTime at, KeyReason& key) {
    const KeyedCourse& course = run.fold<KeyedCourse>();
    for (const auto& message : course.messages(job))
        if (key.key == message.key) {
            key.byMessages = true;
            if (message.type == KeyMessageType::transfer && message.received <= at)
                key.moves.push_back({message.received, message.to});
        }
    bool later = false; // moves after the last message that was logged
    const SimTime known = key.byMessages ? course.messages(job).back().sent : SimTime{};
    if (key.rank <= course.followed(job).size())
        for (const auto& place : course.followed(job)[key.rank - 1].places) {
            if (place.since > at || (key.byMessages && place.since <= known)) continue;
            if (key.byMessages && (key.moves.empty() ? key.home : key.moves.back().to) == place.node) continue;
            key.moves.push_back({place.since, place.node});
            later = key.byMessages;
        }
    if (!key.moves.empty())
        key.owner = key.moves.back().to;
    else if (key.byMessages || key.technique == KeyTechnique::fixed)
        key.owner = key.home;
    if (!key.byMessages && !key.moves.empty()) key.moves.erase(key.moves.begin()); // where it was at the start
    key.byMessages = key.byMessages && !later;
}

} // namespace key_reason

std::optional<KeyPlan> keyPlanOf(const RunIndex& run, JobId job) {
    if (!run.source().scenario) return std::nullopt;
    const Job& spec = run.workload().job(job);
    const Choice& choice = spec.parameters.id.empty() ? run.source().scenario->policies.parameters : spec.parameters;
    const Registry registry = Registry::builtin();
    if (!registry.find(PolicyFamily::parameters, choice.id) ||
        !registry.check(PolicyFamily::parameters, choice, {}).empty())
        return std::nullopt;
    return registry.makeParameters(choice)->keyPlan();
}

std::optional<KeyReason> keyReason(const RunIndex& run, JobId job, std::uint64_t rank, SimTime at,
                                   std::int64_t mostKeys) {
    const KeyedAccess* access = run.workload().job(job).keyedAccess();
    if (!access || rank < 1 || rank > static_cast<std::uint64_t>(access->keys)) return std::nullopt;
    const auto plan = keyPlanOf(run, job);
    if (!plan) return std::nullopt;
    const auto keys = static_cast<std::uint64_t>(access->keys);
    const std::size_t nodes = nodesOf(run, job).size();
    KeyReason out{.rank = rank, .key = key_reason::keyOf(run, job, rank, mostKeys), .rule = {}};
    out.ofStart = access->shiftEvery > 0;
    out.share = KeyShares(*access).of(rank, rank);
    out.timesMean = out.share * static_cast<double>(keys);
    if (plan->relocates) out.technique = KeyTechnique::relocating;
    if (const auto& replication = plan->replication; replication && nodes > 1)
        if (replication->timesMean > 0 ? out.timesMean > replication->timesMean
                                       : rank <= static_cast<std::uint64_t>(replication->count))
            out.technique = KeyTechnique::replicated;
    out.rule = key_reason::ruleFor(*plan, out);
    if (out.technique == KeyTechnique::replicated) {
        out.owner = everyNode;
        return out;
    }
    if (out.key && nodes > 0)
        out.home =
            KeyHomes(plan->homes, static_cast<std::uint32_t>(keys), static_cast<std::uint32_t>(nodes)).of(*out.key);
    key_reason::follow(run, job, at, out);
    return out;
}

std::vector<Text> KeyReason::text(const RunIndex& run, JobId job) const {
    const auto nodes = nodesOf(run, job);
    std::vector<Text> out;
    const std::string times = groupedText(timesMean, 4), percent = formatNumber(100 * share, 3);
    if (ofStart)
        out.push_back(
            {key ? TRAINYARD_TEXT(
                       "key {1} had rank {0} at the start; frequent keys change, and how often it is drawn now is "
                       "not logged")
                 : TRAINYARD_TEXT(
                       "the key had rank {0} at the start; frequent keys change, and how often it is drawn now is "
                       "not logged"),
             {std::to_string(rank), key ? std::to_string(*key) : std::string()}});
    else
        out.push_back(key ? Text{TRAINYARD_TEXT("rank {0} is key {1}: {2} % of all draws, {3} × the mean"),
                                 {std::to_string(rank), std::to_string(*key), percent, times}}
                          : Text{TRAINYARD_TEXT("rank {0}: {1} % of all draws, {2} × the mean"),
                                 {std::to_string(rank), percent, times}});
    out.push_back(rule);
    if (technique == KeyTechnique::replicated) {
        out.push_back(
            {TRAINYARD_TEXT("every machine reads and adds to a replica of its own; rounds make them equal"), {}});
        return out;
    }
    const std::string at = home ? nodeName(run, nodes, *home) : "?";
    if (!owner) {
        out.push_back(
            {TRAINYARD_TEXT(
                 "its home is {0}; where it is now is logged only of the most frequent keys and of those that "
                 "the job watches"),
             {at}});
        return out;
    }
    out.push_back(moves.empty() && *owner == home ? Text{TRAINYARD_TEXT("it is at its home, {0}"), {at}}
                                                  : Text{TRAINYARD_TEXT("it is at {0}; its home, {1}, knows that"),
                                                         {nodeName(run, nodes, *owner), at}});
    if (technique == KeyTechnique::fixed) return out;
    if (moves.empty()) {
        out.push_back({TRAINYARD_TEXT("it has not moved so far"), {}});
        return out;
    }
    std::string list;
    const std::size_t first = moves.size() - std::min(moves.size(), key_reason::lastMoves);
    for (std::size_t m = first; m < moves.size(); ++m)
        list += (list.empty() ? "" : ", ") + nodeName(run, nodes, moves[m].to) + " (" +
                quantityText(moves[m].at.toSeconds(), "s", 4) + ")";
    out.push_back(
        {byMessages ? TRAINYARD_TEXT("it has moved {0} {0:time|times}; last to {1}")
                    : TRAINYARD_TEXT("it was seen to move {0} {0:time|times}, at the ends of intervals; last to {1}"),
         {std::to_string(moves.size()), list}});
    return out;
}

} // namespace trainyard
