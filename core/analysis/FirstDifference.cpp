// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/FirstDifference.h"

#include <algorithm>
#include <tuple>
#include <vector>

namespace trainyard {

std::optional<PolicyFamily> decidedBy(const Event& event) {
    switch (event.type) {
    case EventType::taskPlaced:
    case EventType::jobStarted:
    case EventType::jobResized:
    case EventType::jobRejected:
    case EventType::reserved:
    case EventType::batchChanged: return PolicyFamily::scheduler;
    case EventType::jobPreempted:
        if (event.aux == static_cast<std::uint16_t>(PreemptReason::policy)) return PolicyFamily::scheduler;
        return std::nullopt;
    case EventType::gradientUsed:
    case EventType::gradientDropped:
    case EventType::taskCancelled:
    case EventType::workerBlocked: return PolicyFamily::synchronization;
    case EventType::keyLocated: return PolicyFamily::parameters;
    case EventType::jobPartitioned: return PolicyFamily::partitioner;
    default: return std::nullopt;
    }
}

namespace {

/// What is compared. Values follow from times, but for the weight that a policy gives to a gradient.
auto keyOf(const Event& e) {
    return std::tuple(e.type, e.aux, e.job, e.a, e.b, e.type == EventType::gradientUsed ? e.value : 0.0);
}

/// A scheduler's effects bring others about at the same instant: a job that is preempted has its tasks cancelled.
auto rankOf(const EventLog& log, std::size_t at) { return std::pair(*decidedBy(log[at]), at); }

/// The one to tell of; none of none.
std::optional<std::size_t> foremost(const EventLog& log, const std::vector<std::size_t>& group) {
    if (group.empty()) return std::nullopt;
    return std::ranges::min(group, {}, [&](std::size_t at) { return rankOf(log, at); });
}

struct Effects {
    const EventLog& log;
    std::size_t end = log.size(), next = 0;

    std::optional<std::size_t> take() {
        while (next < end && !decidedBy(log[next])) ++next;
        return next < end ? std::optional(next++) : std::nullopt;
    }
    /// All of the next instant that has any, by what is compared and then by position; empty: there is no more.
    std::vector<std::size_t> takeInstant() {
        std::vector<std::size_t> group;
        for (auto at = take(); at; at = take()) {
            if (!group.empty() && log[*at].time != log[group.front()].time) {
                next = *at;
                break;
            }
            group.push_back(*at);
        }
        std::ranges::stable_sort(group, {}, [&](std::size_t at) { return keyOf(log[at]); });
        return group;
    }
};

std::optional<std::uint32_t> explanationOf(const EventLog& log, std::size_t end, std::size_t position,
                                           PolicyFamily family) {
    const Event effect = log[position];
    const auto isBehind = [&](const Event& e, bool ofAllJobs) {
        return e.type == EventType::decision && e.aux == static_cast<std::uint16_t>(family) &&
               (e.job == effect.job || (ofAllJobs && e.job == JobId::none));
    };
    for (const bool ofAllJobs : {false, true}) {
        for (std::size_t i = position; i-- > 0 && log[i].time == effect.time;)
            if (isBehind(log[i], ofAllJobs)) return log[i].a;
        for (std::size_t i = position + 1; i < end && log[i].time == effect.time; ++i)
            if (isBehind(log[i], ofAllJobs)) return log[i].a;
    }
    for (std::size_t i = position; i-- > 0;)
        if (isBehind(log[i], true)) return log[i].a;
    return std::nullopt;
}

std::optional<PolicyEffect> effectAt(const Effects& effects, std::optional<std::size_t> position) {
    if (!position) return std::nullopt;
    const Event event = effects.log[*position];
    const PolicyFamily family = *decidedBy(event);
    return PolicyEffect{*position, event, family, explanationOf(effects.log, effects.end, *position, family)};
}

FirstDifference differenceAt(const Effects& first, std::optional<std::size_t> a, const Effects& second,
                             std::optional<std::size_t> b, std::size_t alike) {
    FirstDifference found{{}, alike, {effectAt(first, a), effectAt(second, b)}};
    found.at = !a ? second.log[*b].time : !b ? first.log[*a].time : std::min(first.log[*a].time, second.log[*b].time);
    return found;
}

std::optional<FirstDifference> inOrder(Effects first, Effects second) {
    for (std::size_t alike = 0;; ++alike) {
        const auto a = first.take(), b = second.take();
        if (!a && !b) return std::nullopt;
        if (!a || !b || keyOf(first.log[*a]) != keyOf(second.log[*b])) return differenceAt(first, a, second, b, alike);
    }
}

/// The foremost of `group` that `other` does not have as often; then of the next instant.
std::optional<std::size_t> foremostOwn(Effects& effects, const std::vector<std::size_t>& group,
                                       const EventLog& otherLog, const std::vector<std::size_t>& other) {
    std::vector<std::size_t> own;
    auto match = other.begin();
    for (const std::size_t at : group) {
        const auto key = keyOf(effects.log[at]);
        while (match != other.end() && keyOf(otherLog[*match]) < key) ++match;
        if (match != other.end() && keyOf(otherLog[*match]) == key)
            ++match;
        else
            own.push_back(at);
    }
    return foremost(effects.log, own.empty() ? effects.takeInstant() : own);
}

std::optional<FirstDifference> byInstant(Effects first, Effects second) {
    for (std::size_t alike = 0;;) {
        auto a = first.takeInstant(), b = second.takeInstant();
        if (a.empty() && b.empty()) return std::nullopt;
        const auto isSame = [&](std::size_t x, std::size_t y) { return keyOf(first.log[x]) == keyOf(second.log[y]); };
        const bool sameInstant = !a.empty() && !b.empty() && first.log[a.front()].time == second.log[b.front()].time;
        if (!sameInstant) return differenceAt(first, foremost(first.log, a), second, foremost(second.log, b), alike);
        if (!std::ranges::equal(a, b, isSame)) {
            const auto ownOfFirst = foremostOwn(first, a, second.log, b),
                       ownOfSecond = foremostOwn(second, b, first.log, a);
            return differenceAt(first, ownOfFirst, second, ownOfSecond, alike);
        }
        alike += a.size();
    }
}

} // namespace

std::optional<FirstDifference> firstDifference(const EventLog& first, const EventLog& second, bool timed) {
    return timed ? byInstant({first}, {second}) : inOrder({first}, {second});
}

const Explanation* whyNotTheSame(const FirstDifference& difference, std::size_t side, const ExplanationLog& told) {
    const auto &own = difference.sides[side], &other = difference.sides[1 - side];
    if (!other || other->event.time != difference.at) return nullptr;
    if (own && own->event.time == difference.at && own->event.job == other->event.job) return nullptr;
    const auto last = [&](std::size_t count, const auto& at) -> const Explanation* {
        for (std::size_t i = count; i-- > 0;)
            if (const Explanation* e = at(i); e->time <= difference.at && e->family == other->family &&
                                              (!e->job.valid() || e->job.value == other->event.job))
                return e;
        return nullptr;
    };
    const Explanation* decision = last(told.size(), [&](std::size_t i) { return told.at(i); });
    const Explanation* refusal = last(told.refusals(), [&](std::size_t i) { return told.refusal(i); });
    if (refusal && (!decision || decision->time <= refusal->time)) return refusal;
    if (decision) return decision;
    // It was not tried: the last that could not start, and has not started since, is before it.
    constexpr std::size_t mostSearched = 100; // each against all decisions
    const std::size_t refusals = told.refusals();
    for (std::size_t i = refusals; i-- > 0 && refusals - i <= mostSearched;) {
        const Explanation& before = *told.refusal(i);
        const auto hasStarted = [&](const Explanation& e) {
            return e.job == before.job && e.time >= before.time && e.time <= difference.at;
        };
        if (before.time <= difference.at && before.family == other->family && std::ranges::none_of(told, hasStarted))
            return &before;
    }
    return nullptr;
}

} // namespace trainyard
