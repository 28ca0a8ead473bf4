// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/PairDecision.h"

#include "base/PartitionPoint.h"
#include "compare/EffectText.h"
#include "compare/RunPair.h"
#include "tables/ExplanationText.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"

namespace trainyard {

namespace pair_decision {

QString sentence(const QString& text) {
    return QStringLiteral("<p style='margin:2px 0'>%1</p>").arg(text.toHtmlEscaped());
}

QString muted(const QString& text) {
    return QStringLiteral("<p style='color:%1; margin:2px 0'>%2</p>").arg(Theme::current().muted.name(), text);
}

/// What decides such an effect in that run.
QString deciderOf(const PolicyEffect& effect, const RunData& run) {
    std::string own; // what the job chose for itself
    if (effect.event.job < run.workload->jobs.size()) {
        const Job& job = run.workload->jobs[effect.event.job];
        if (effect.family == PolicyFamily::synchronization) own = job.synchronization.id;
        if (effect.family == PolicyFamily::parameters) own = job.parameters.id;
        if (effect.family == PolicyFamily::partitioner) own = job.partitioner.id;
    }
    if (own.empty() && run.scenario) own = run.scenario->policies.of(effect.family).id;
    return policyText(effect.family, own);
}

/// The last decision not later than t; null: there is none. Decisions are in order of time.
const Explanation* lastDecision(const ExplanationLog& log, SimTime t) {
    const std::size_t after =
        partitionPoint(std::size_t{0}, log.size(), [&](std::size_t i) { return log[i].time <= t; });
    return after > 0 ? log.at(after - 1) : nullptr;
}

/// There is little room: what is known of a job follows in one paragraph.
QString reasons(const Explanation& e, const RunData& run) {
    return explanationHtml(e, run.workload.get(), QStringLiteral(" · "));
}

/// What the run did where the two part, and why it did not do what the other did.
QString differenceHtml(const RunPair& pair, std::size_t side) {
    const RunData& run = pair.run(side);
    const FirstDifference& first = *pair.firstDifference();
    const auto &effect = first.sides[side], &other = first.sides[1 - side];
    const auto isThere = [&](const std::optional<PolicyEffect>& e) { return e && e->event.time == first.at; };
    QString does;
    if (effect) {
        does = isThere(effect) ? QString()
                               : muted(PairDecision::tr("What it does next, at %1").arg(clockText(effect->event.time)));
        does += sentence(EffectText::sentence(*run.log, effect->position, *run.workload));
        does += effect->explanation && run.explanations
                    ? reasons((*run.explanations)[*effect->explanation], run)
                    : muted(PairDecision::tr("%1 does so by its rule; no decision is recorded.")
                                .arg(deciderOf(*effect, run).toHtmlEscaped()));
    }
    QString why;
    if (isThere(other) && !(isThere(effect) && effect->event.job == other->event.job)) {
        const RunData& others = pair.run(1 - side);
        why = sentence(EffectText::whyNot(*others.log, other->position, *others.workload));
        const Explanation* told = run.explanations ? whyNotTheSame(first, side, *run.explanations) : nullptr;
        if (told && told->job.valid() && told->job.value != other->event.job)
            why += sentence(PairDecision::tr("Nothing was decided about it. The last job that could not start:"));
        why += told ? reasons(*told, run)
                    : muted(PairDecision::tr("%1 recorded no decision about it up to here.")
                                .arg(deciderOf(*other, run).toHtmlEscaped()));
    }
    if (!effect && why.isEmpty()) why = sentence(PairDecision::tr("This run does nothing more."));
    return muted(PairDecision::tr("First difference")) + (isThere(effect) ? does + why : why + does);
}

} // namespace pair_decision

using namespace pair_decision;

QString PairDecision::html(const RunPair& pair, std::size_t side) {
    const RunData& run = pair.run(side);
    const SimTime now = pair.shownTime();
    if (pair.firstDifference() && pair.axis().cursor() == pair.firstDifference()->at) return differenceHtml(pair, side);
    const Explanation* last = run.explanations ? lastDecision(*run.explanations, now) : nullptr;
    return last ? reasons(*last, run) : muted(tr("No decision yet."));
}

} // namespace trainyard
