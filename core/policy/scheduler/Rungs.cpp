// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/Rungs.h"

#include "base/Format.h"
#include "policy/Compatibility.h"
#include "policy/scheduler/JobStart.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {

constexpr std::size_t shownAtRung = 16;

const LossEvaluation* lossRuleOf(const Job& job) {
    if (const auto* trained = std::get_if<TrainedWork>(&job.work)) return &trained->evaluation;
    const auto* analytic = std::get_if<AnalyticWork>(&job.work);
    return analytic ? &analytic->evaluation : nullptr;
}

/// Numbers that sort.
double sortableLoss(double loss) {
    constexpr double most = std::numeric_limits<double>::max();
    return std::isnan(loss) ? most : std::clamp(loss, -most, most);
}

/// As generators name jobs: what comes before the number.
std::string_view withoutNumber(std::string_view key) {
    while (!key.empty() && key.back() >= '0' && key.back() <= '9') key.remove_suffix(1);
    return key;
}

} // namespace

std::optional<PolicyWarning> Rungs::noneReached(const Job& job, const ParamValues& given) {
    const Rules rules{.grace = compatibility::numberOf(given, "grace", Rules{}.grace)};
    if (compatibility::numberOf(given, "rungs", Rules{}.most) < 1) return std::nullopt;
    if (const LossEvaluation* evaluation = lossRuleOf(job)) {
        const auto every = static_cast<double>(evaluation->everyIterations);
        if (!job.stop.iterations && every > 0) return std::nullopt;
        const double first = std::ceil(Rungs(rules).updatesOf(0) / every) * every;
        if (every > 0 && first < static_cast<double>(*job.stop.iterations)) return std::nullopt;
    }
    return PolicyWarning{
        {TRAINYARD_TEXT(
             "\"grace\" is {0}: no job has a loss evaluated at so many updates or more before its end, so that none "
             "ends early"),
         {formatNumber(rules.grace)}},
        "grace"};
}

double Rungs::updatesOf(int rung) const {
    const double exact = m_rules.grace * std::pow(m_rules.eta, rung);
    return std::max(1.0, std::ceil(exact * (1 - 1e-12))); // 10·4² is not 160.00000000000003
}

std::size_t Rungs::keptOf(std::size_t n) const {
    return std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(n) / m_rules.eta * (1 + 1e-12)));
}

bool Rungs::areCompared(const Job& a, const Job& b) const {
    if (m_rules.compare == "all") return true;
    if (m_rules.compare == "name") return withoutNumber(a.key) == withoutNumber(b.key);
    if (const auto* x = std::get_if<TrainedWork>(&a.work)) {
        const auto* y = std::get_if<TrainedWork>(&b.work);
        return y && x->model.id == y->model.id && x->dataset == y->dataset;
    }
    const auto *x = std::get_if<AnalyticWork>(&a.work), *y = std::get_if<AnalyticWork>(&b.work);
    return x && y && x->samples == y->samples && x->parameterBytes == y->parameterBytes;
}

std::optional<std::size_t> Rungs::groupOf(const SchedulerView& view, JobId id) {
    const std::size_t jobs = view.workload().jobs.size();
    m_groupOf.resize(jobs);
    m_asked.resize(jobs);
    if (m_asked[id.index()]) return m_groupOf[id.index()];
    m_asked[id.index()] = 1;
    const Job& job = view.workload().job(id);
    if (job.kind() == JobKind::graph) return std::nullopt;
    const auto first = std::find_if(m_groups.begin(), m_groups.end(),
                                    [&](JobId other) { return areCompared(job, view.workload().job(other)); });
    const auto group = static_cast<std::size_t>(first - m_groups.begin());
    if (first == m_groups.end()) m_groups.push_back(id);
    m_recorded.resize(m_groups.size());
    return m_groupOf[id.index()] = group;
}

std::uint64_t Rungs::nextUpdate(const SchedulerView& view, JobId id) const {
    const int next = id.index() < m_next.size() ? m_next[id.index()] : 0;
    const LossEvaluation* evaluation = lossRuleOf(view.workload().job(id));
    if (next >= m_rules.most || !evaluation || evaluation->everyIterations <= 0) return 0;
    const auto every = static_cast<double>(evaluation->everyIterations);
    const double at = std::ceil(updatesOf(next) / every) * every;
    return at < 1e15 ? static_cast<std::uint64_t>(at) : 0;
}

std::optional<RungVerdict> Rungs::take(const SchedulerView& view, JobId job, std::uint64_t update, double loss) {
    const auto group = groupOf(view, job);
    m_next.resize(view.workload().jobs.size());
    int& next = m_next[job.index()];
    int reached = next;
    while (reached < m_rules.most && static_cast<double>(update) >= updatesOf(reached)) ++reached;
    if (!group || reached == next) return std::nullopt;
    next = reached;
    const int rung = reached - 1;
    auto& rungs = m_recorded[*group];
    if (rungs.size() <= static_cast<std::size_t>(rung)) rungs.resize(static_cast<std::size_t>(rung) + 1);
    auto& there = rungs[static_cast<std::size_t>(rung)];
    const Recorded own{sortableLoss(loss), job};
    const auto at = there.insert(std::lower_bound(there.begin(), there.end(), own), own);
    const auto place = static_cast<std::size_t>(at - there.begin());
    RungVerdict out{.job = job, .rung = rung, .update = update, .loss = own.loss, .group = *group};
    out.count = there.size();
    out.kept = keptOf(there.size());
    out.limit = there[out.kept - 1].loss;
    for (std::size_t i = 0; i < there.size(); ++i) {
        if (i >= shownAtRung && i != place) continue;
        out.others.push_back(there[i].job);
        out.theirs.push_back(there[i].loss);
        if (i > place && i >= shownAtRung) break;
    }
    return out;
}

std::vector<RungVerdict> Rungs::follow(const SchedulerView& view, std::span<const Event> since) {
    std::vector<RungVerdict> out;
    for (const Event& event : since)
        if (event.type == EventType::lossEvaluated)
            if (auto verdict = take(view, event.jobId(), event.count(), event.value))
                out.push_back(std::move(*verdict));
    return out;
}

std::vector<SeriesInfo> Rungs::series() {
    return {{"rung_loss", "Loss at a rung", "", "What a job had come to when it reached a rung.", "rung", ""},
            {"rung_limit", "Limit at a rung", "", "The worst loss that went on from there at that time.", "rung", ""}};
}

std::vector<JobId> Rungs::halve(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                                const std::string& policy, SchedulingDecisions& decisions) {
    std::vector<JobId> ending;
    for (const RungVerdict& verdict : follow(view, since)) {
        context.note(0, verdict.loss, static_cast<std::uint32_t>(verdict.rung), 0, verdict.job);
        context.note(1, verdict.limit, static_cast<std::uint32_t>(verdict.rung), 0, verdict.job);
        const bool runs = view.state().job(verdict.job).phase == JobPhase::running;
        if (!runs || std::find(ending.begin(), ending.end(), verdict.job) != ending.end()) continue;
        explain(context, view, verdict, policy);
        if (verdict.goesOn()) continue;
        decisions.stop(verdict.job);
        ending.push_back(verdict.job);
    }
    return ending;
}

void Rungs::explain(const PolicyContext& context, const SchedulerView& view, const RungVerdict& verdict,
                    const std::string& policy) {
    if (!context.explaining()) return;
    Explanation why{.family = PolicyFamily::scheduler, .policy = policy, .job = verdict.job};
    why.summary = {
        verdict.goesOn()
            ? TRAINYARD_TEXT("{0} goes on after {1} {1:update|updates}: its loss is among the best {2} of {3} there")
            : TRAINYARD_TEXT("{0} ends after {1} {1:update|updates}: its loss is not among the best {2} of {3} there"),
        {jobLabel(view, verdict.job), std::to_string(verdict.update), std::to_string(verdict.kept),
         std::to_string(verdict.count)}};
    why.rule = Rule::everyFeasible;
    for (std::size_t i = 0; i < verdict.others.size(); ++i) {
        if (verdict.theirs[i] <= verdict.limit) why.chosen.push_back(i);
        why.candidates.push_back({.label = jobLabel(view, verdict.others[i]),
                                  .checks = {{"loss", verdict.theirs[i], Comparison::atMost, verdict.limit}},
                                  .numbers = {{"rung", double(verdict.rung)}}});
    }
    context.explain(std::move(why));
}

} // namespace trainyard
