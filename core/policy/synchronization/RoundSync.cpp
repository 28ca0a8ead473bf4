// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/synchronization/RoundSync.h"

#include "base/Format.h"
#include "policy/synchronization/Averaging.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

int samplesOfLoad(int batch, double load) { return std::max(1, static_cast<int>(std::lround(batch * load))); }

void RoundSync::begin(const PolicyContext& context, const TrainingView& view, SyncActions& actions) {
    const int before = m_launched;
    m_launched = view.presentWorkers();
    for (std::uint32_t w = 0; w < view.workers.size(); ++w)
        if (view.workers[w].present) actions.assign(w, work(view, w));
    ++m_round;
    m_expired = false;
    if (m_timeout > 0 && m_launched > 0) actions.timer(Duration::seconds(m_timeout), m_round);
    if (m_launched > 0 && m_launched != before && wanted(m_launched) > m_launched)
        explainTarget(context, view, m_launched, m_launched);
}

void RoundSync::onStart(const PolicyContext& context, const TrainingView& view, SyncActions& actions) {
    dropHeld(view, actions);
    m_launched = 0;
    starting(context, view);
    begin(context, view, actions);
}

void RoundSync::onArrival(const PolicyContext& context, const TrainingView& view, const HeldGradient& arrival,
                          SyncActions& actions) {
    // Most arrivals change nothing: told without looking at all that have come.
    const int held = static_cast<int>(view.held.size());
    const bool tooFew = view.busy > 0 && held < std::min(wanted(m_launched), held + view.busy);
    if (tooFew && !m_expired && arrival.readVersion == view.updates) return;
    settle(context, view, actions);
}

void RoundSync::onMembership(const PolicyContext& context, const TrainingView& view, SyncActions& actions) {
    const int obtainable = static_cast<int>(view.held.size()) + view.busy;
    if (obtainable > 0) explainTarget(context, view, m_launched, obtainable);
    settle(context, view, actions);
}

void RoundSync::onTimer(const PolicyContext& context, const TrainingView& view, std::uint32_t tag,
                        SyncActions& actions) {
    if (tag != m_round) return; // of a round that is over
    m_expired = true;
    explainTimeout(context, view, static_cast<int>(view.held.size()), wanted(m_launched));
    settle(context, view, actions);
}

void RoundSync::settle(const PolicyContext& context, const TrainingView& view, SyncActions& actions) {
    const auto fresh = freshGradients(view, actions);
    const int held = static_cast<int>(fresh.size());
    const int obtainable = held + view.busy;
    if (obtainable == 0) {
        begin(context, view, actions);
        return;
    }
    const int target = m_expired ? 1 : std::min(wanted(m_launched), obtainable);
    if (held < target) return;
    explainUpdate(context, view, fresh, target);
    // Cancelled before the update, which may take time at the servers: nothing arrives meanwhile.
    for (std::uint32_t w = 0; w < view.workers.size(); ++w)
        if (view.workers[w].present && view.workers[w].busy) actions.cancel(w);
    auto used = averaged(fresh, 1.0 / held);
    for (auto& gradient : used) gradient.weight = weightOf(gradient.worker, held);
    actions.update(std::move(used));
    roundOver(context, view, fresh);
    begin(context, view, actions);
}

IterationShape RoundSync::shape(int workers) const {
    return {.launched = workers, .waitFor = std::clamp(wanted(workers), 1, std::max(1, workers))};
}

std::optional<UpdateTime> RoundSync::updateTime(const JobTimes& job) const {
    if (m_timeout > 0) return std::nullopt;
    const IterationShape now = shape(static_cast<int>(job.workers.size()));
    const double samples = static_cast<double>(samplesOfLoad(job.batch, now.load)) * now.localSteps;
    return roundTime(job, now.waitFor, {.samples = samples, .steps = now.localSteps});
}

void RoundSync::explainTarget(const PolicyContext& context, const TrainingView& view, int launched,
                              int obtainable) const {
    if (!context.explaining()) return;
    const int asked = wanted(launched);
    Explanation why{.family = PolicyFamily::synchronization, .policy = m_id, .job = view.job};
    why.summary =
        asked > obtainable
            ? Text{TRAINYARD_TEXT(
                       "{0} {0:gradient is|gradients are} required but only {1} can arrive; the update waits for all {1}"),
                   {std::to_string(asked), std::to_string(obtainable)}}
            : Text{TRAINYARD_TEXT(
                       "the update waits for {0} {0:gradient|gradients}; {1} have arrived or can still arrive"),
                   {std::to_string(asked), std::to_string(obtainable)}};
    why.rule = Rule::minimum;
    why.criterion = "gradients";
    why.candidates = {{.label = "wanted", .numbers = {{"gradients", double(asked)}}},
                      {.label = "can arrive", .numbers = {{"gradients", double(obtainable)}}}};
    why.chosen = {asked > obtainable ? std::size_t{1} : std::size_t{0}};
    context.explain(std::move(why));
}

void RoundSync::explainUpdate(const PolicyContext& context, const TrainingView& view,
                              std::span<const HeldGradient> fresh, int target) const {
    if (!explainingFully(context)) return;
    Explanation why{.family = PolicyFamily::synchronization, .policy = m_id, .job = view.job};
    why.summary = {
        TRAINYARD_TEXT("{0} of {1} {1:gradient|gradients} have arrived and {2} suffice: average them, cancel the rest"),
        {std::to_string(fresh.size()), std::to_string(m_launched), std::to_string(target)}};
    why.rule = Rule::everyFeasible;
    for (std::uint32_t w = 0; w < view.workers.size(); ++w) {
        const bool held = std::any_of(fresh.begin(), fresh.end(), [&](const auto& g) { return g.worker == w; });
        if (!view.workers[w].present && !held) continue;
        if (held) why.chosen.push_back(why.candidates.size());
        why.candidates.push_back({.label = "worker " + std::to_string(w),
                                  .checks = {{"gradient held", held ? 1.0 : 0.0, Comparison::atLeast, 1}},
                                  .numbers = {{"task", double(view.workers[w].task)}}});
        for (auto& number : weightNumbers(w, static_cast<int>(fresh.size())))
            why.candidates.back().numbers.push_back(std::move(number));
    }
    context.explain(std::move(why));
}

void RoundSync::explainTimeout(const PolicyContext& context, const TrainingView& view, int held, int wantedNow) const {
    if (!context.explaining()) return;
    Explanation why{.family = PolicyFamily::synchronization, .policy = m_id, .job = view.job};
    why.summary = {
        held > 0 ? TRAINYARD_TEXT("the round has taken {0} s: the {1} {1:gradient|gradients} that have arrived, of {2} "
                                  "required, are used")
                 : TRAINYARD_TEXT("the round has taken {0} s and {1} of {2} {2:gradient|gradients} have arrived: the "
                                  "update will use the first one"),
        {formatNumber(m_timeout), std::to_string(held), std::to_string(wantedNow)}};
    why.candidates = {{.label = "continue with what has arrived",
                       .checks = {{"gradients held", static_cast<double>(held), Comparison::atLeast, 1}}},
                      {.label = "continue with the first that arrives"}};
    why.chosen = {held > 0 ? std::size_t{0} : std::size_t{1}};
    context.explain(std::move(why));
}

} // namespace trainyard
