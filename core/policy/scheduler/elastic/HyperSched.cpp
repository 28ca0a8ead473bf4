// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// hypersched: trials before a common deadline. Successive halving ends bad trials, each of the others has its least workers, and what is
// left over goes to the best; as the deadline comes near, nobody new starts and few changes pay. After Liaw, Bhardwaj, Dunlap, Zou,
// Gonzalez, Stoica and Tumanov, HyperSched, SoCC 2019: the rules as in the authors' public code (ucbrise/hypersched), as briefed;
// resources/help/hypersched.md says what was settled here.
#include "base/Format.h"
#include "policy/Builtin.h"
#include "policy/scheduler/Refusals.h"
#include "policy/scheduler/Rungs.h"
#include "policy/scheduler/elastic/ElasticPlan.h"
#include "policy/scheduler/elastic/JobOutlooks.h"
#include "policy/scheduler/elastic/LeftOvers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace trainyard {

namespace {

struct HyperSchedParams {
    double deadlineSeconds = 3600;
    std::string atDeadline = "end";
    std::string leftOvers = "uniform";
    double temperature = 0.2, threshold = 1.1;
    double intervalSeconds = 10;
    double grace = 10, eta = 4;
    int rungs = 10;
    std::string compare = "work", placing = "pack";
};

class HyperSched final : public Scheduler {
public:
    explicit HyperSched(HyperSchedParams params)
        : m_params(std::move(params)),
          m_deadline(SimTime::seconds(m_params.deadlineSeconds)), m_rule{.kind = m_params.leftOvers,
                                                                         .temperature = m_params.temperature},
          m_rungs({.grace = m_params.grace, .eta = m_params.eta, .most = m_params.rungs, .compare = m_params.compare}) {
    }
    /// The fits that jobs point to live in one call only.
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<HyperSched>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                SchedulingDecisions& decisions) override {
        follow(view, since);
        m_left = isOver(context) ? 0 : (m_deadline - context.now).toSeconds();
        const bool any = !view.jobsIn(JobPhase::running).empty() || !view.jobsIn(JobPhase::waiting).empty();
        if (any && isOver(context) && m_params.atDeadline == "end") return endAll(context, view, decisions);
        const std::vector<JobId> ending = m_rungs.halve(context, view, since, "hypersched", decisions);
        if (!any) return;
        m_startup = startupSeconds(view);
        ElasticPlan plan(view, placingStrategy(m_params.placing));
        admit(context, view, ending, plan);
        const std::vector<Standing> standings = standingsOf(view, plan);
        plan.grow(divide(plan, standings));
        std::vector<Allotment> changes = plan.changes(ending);
        for (const Allotment& change : changes) explain(context, view, plan, standings, change);
        if (!changes.empty()) decisions.replan(std::move(changes));
        askAgain(context, decisions);
    }

private:
    static constexpr std::size_t shownJobs = 16;

    /// How good a member is, and how fast it would be.
    struct Standing {
        JobOutlook outlook;
        double loss = 0;
        bool hasLoss = false;
        double quality = 0;   ///< 1: the best loss of those it is compared with; 0: the worst, or none yet
        std::size_t rank = 0; ///< 0: the best of all
    };

    /// Of an update, as many as need be with the most workers.
    static double secondsOf(const JobOutlook& outlook, int workers, int servers) {
        const double more = outlook.mostWorkers > 0 ? double(outlook.mostWorkers) / workers : 1;
        return more * outlook.speed->secondsPerUpdate(workers, servers);
    }

    bool isOver(const PolicyContext& context) const { return context.now >= m_deadline; }

    void follow(const SchedulerView& view, std::span<const Event> since) {
        const bool changed = std::any_of(since.begin(), since.end(), [](const Event& event) {
            return event.type >= EventType::machineFailed && event.type <= EventType::linkRepaired;
        });
        if (!changed && m_idle.machineCount() > 0) return;
        m_idle = FreeCapacity::whole(view.state());
        m_outlooks.forget();
    }

    void askAgain(const PolicyContext& context, SchedulingDecisions& decisions) {
        if (!isOver(context)) decisions.wakeAt(m_deadline);
        if (context.now < m_next) return;
        m_next = context.now + Duration::secondsUp(m_params.intervalSeconds);
        decisions.wakeAt(m_next);
    }

    /// The deadline is there: what trials have learned is their result; those that wait have come too late.
    void endAll(const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions) const {
        for (const JobPhase phase : {JobPhase::running, JobPhase::waiting})
            for (const JobId id : view.jobsIn(phase)) {
                const bool runs = phase == JobPhase::running;
                runs ? decisions.stop(id) : decisions.reject(id);
                if (!context.explaining()) continue;
                Explanation why{.family = PolicyFamily::scheduler, .policy = "hypersched", .job = id};
                why.summary = {runs ? TRAINYARD_TEXT("{0} ends at the deadline of all trials")
                                    : TRAINYARD_TEXT("{0} is refused: the deadline of all trials has passed"),
                               {jobLabel(view, id)}};
                why.rule = Rule::everyFeasible;
                why.chosen = {0};
                why.candidates.push_back(
                    {.label = jobLabel(view, id),
                     .checks = {{"time_s", context.now.toSeconds(), Comparison::atLeast, m_deadline.toSeconds()}},
                     .numbers = {}});
                context.explain(std::move(why));
            }
    }

    // --- Who takes part

    /// Running trials, then waiting ones in order of arrival until one has no room for its least workers; those too large for all
    /// machines that are up are passed, and so are new ones for which too little time is left, while others run.
    void admit(const PolicyContext& context, const SchedulerView& view, std::span<const JobId> ending,
               ElasticPlan& plan) {
        for (const JobId id : view.jobsIn(JobPhase::running))
            if (std::find(ending.begin(), ending.end(), id) == ending.end()) plan.admit(id);
        const JobSet& waiting = view.jobsIn(JobPhase::waiting);
        std::size_t behind = waiting.size();
        std::optional<Times> times;
        for (const JobId id : waiting) {
            --behind;
            const bool isNew = view.state().job(id).ranSeconds <= 0;
            if (isNew && !isOver(context) && !plan.members().empty()) {
                if (!times) times = timesOf(view, context.now);
                if (comesTooLate(context, view, id, *times)) continue;
            }
            if (plan.admit(id)) continue;
            const Bounds bounds = view.workers(id);
            const int servers = view.workload().job(id).serversFor(bounds.minimum, bounds);
            const bool blocks = plan.couldRun(id);
            m_refusals.tried(context, view, {id, bounds.minimum, servers, &plan.room(), blocks ? behind : 0},
                             "hypersched");
            if (blocks) return;
        }
    }

    /// What is known of how long trials take.
    struct Times {
        double longest = 0;               ///< that a trial has run, in seconds
        std::optional<double> ofAnUpdate; ///< the median over trials; none has made any
    };

    static Times timesOf(const SchedulerView& view, SimTime now) {
        Times out;
        std::vector<double> each;
        for (const JobState& job : view.state().jobs()) {
            const double ran = job.ranUntil(now);
            out.longest = std::max(out.longest, ran);
            if (job.updates > 0 && ran > 0) each.push_back(ran / static_cast<double>(job.updates));
        }
        if (each.empty()) return out;
        const auto middle = each.begin() + static_cast<std::ptrdiff_t>(each.size() / 2);
        std::nth_element(each.begin(), middle, each.end());
        out.ofAnUpdate = *middle;
        return out;
    }

    /// The 90th percentile of what restarts are declared to take, over the trials that have come.
    static double startupSeconds(const SchedulerView& view) {
        std::vector<double> all;
        for (std::size_t j = 0; j < view.state().jobs().size(); ++j)
            if (view.state().jobs()[j].phase != JobPhase::future) all.push_back(view.workload().jobs[j].restartSeconds);
        if (all.empty()) return 0;
        const auto place = static_cast<std::ptrdiff_t>((9 * all.size() + 9) / 10 - 1); // ⌈0.9 n⌉th
        std::nth_element(all.begin(), all.begin() + place, all.end());
        return all[static_cast<std::size_t>(place)];
    }

    bool comesTooLate(const PolicyContext& context, const SchedulerView& view, JobId id, const Times& times) {
        const Bounds bounds = view.workers(id);
        const int servers = view.workload().job(id).serversFor(bounds.minimum, bounds);
        const JobOutlook outlook = m_outlooks.of(view, id, m_idle);
        const double update = times.ofAnUpdate.value_or(secondsOf(outlook, bounds.minimum, servers));
        const double whole = outlook.updates * update;
        const double byLongest = m_params.eta * (times.longest - m_startup);
        if (m_left >= std::min(byLongest, whole)) return false;
        if (!context.explaining() || !m_late.insert(id).second) return true;
        Explanation why{.family = PolicyFamily::scheduler, .policy = "hypersched", .job = id};
        why.summary = {TRAINYARD_TEXT("{0} does not start: {1} s to the deadline are too few for a new trial"),
                       {jobLabel(view, id), formatNumber(m_left, 3)}};
        why.rule = Rule::everyFeasible;
        why.candidates.push_back(
            {.label = jobLabel(view, id),
             .checks = {{"time left_s", m_left, Comparison::atLeast, std::min(byLongest, whole)}},
             .numbers = {{"η·(longest − startup)_s", byLongest}, {"whole trial_s", std::min(whole, 1e300)}}});
        context.refuse(std::move(why));
        return true;
    }

    // --- Which are the best

    std::vector<Standing> standingsOf(const SchedulerView& view, const ElasticPlan& plan) {
        const auto& members = plan.members();
        std::vector<Standing> out(members.size());
        struct Span {
            double least = 0, greatest = 0;
            bool any = false;
        };
        std::vector<Span> spans;
        std::vector<std::size_t> groups(members.size());
        for (std::size_t j = 0; j < members.size(); ++j) {
            const auto losses = view.losses(members[j].id);
            const auto group = m_rungs.groupOf(view, members[j].id);
            out[j].outlook = m_outlooks.of(view, members[j].id, m_idle);
            out[j].hasLoss = group && !losses.empty() && std::isfinite(losses.back().loss);
            if (!out[j].hasLoss) continue;
            out[j].loss = losses.back().loss;
            groups[j] = *group;
            if (spans.size() <= *group) spans.resize(*group + 1);
            Span& span = spans[*group];
            span.least = span.any ? std::min(span.least, out[j].loss) : out[j].loss;
            span.greatest = span.any ? std::max(span.greatest, out[j].loss) : out[j].loss;
            span.any = true;
        }
        for (std::size_t j = 0; j < members.size(); ++j) {
            if (!out[j].hasLoss) continue;
            const Span& span = spans[groups[j]];
            const double range = span.greatest - span.least;
            out[j].quality = range > 0 && std::isfinite(range) ? (span.greatest - out[j].loss) / range : 1;
        }
        rank(members, out);
        return out;
    }

    /// The best first; among equals those with a loss, then in order of arrival.
    static void rank(const std::vector<ElasticPlan::Member>& members, std::vector<Standing>& standings) {
        std::vector<std::size_t> order(standings.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const Standing &x = standings[a], &y = standings[b];
            if (x.quality != y.quality) return x.quality > y.quality;
            return x.hasLoss != y.hasLoss ? x.hasLoss : members[a].id < members[b].id;
        });
        for (std::size_t i = 0; i < order.size(); ++i) standings[order[i]].rank = i;
    }

    // --- How many workers each gets

    /// Who grows must gain by it in the time that is left; what nobody takes stays with those who have it.
    std::vector<int> divide(ElasticPlan& plan, const std::vector<Standing>& standings) const {
        const auto& members = plan.members();
        const ResourceVector whole = plan.room().total();
        ResourceVector left = whole;
        const auto takeOneMore = [&](std::size_t j, int workers) {
            const ResourceVector demand = plan.oneMore(members[j], workers);
            const bool fits = demand.fitsIn(left);
            if (fits) left -= demand;
            return fits;
        };
        std::vector<Trial> trials;
        for (std::size_t j = 0; j < members.size(); ++j)
            trials.push_back(
                {standings[j].quality, standings[j].rank, members[j].bounds.minimum, members[j].bounds.maximum});
        std::vector<int> out = dealLeftOvers(m_rule, trials, takeOneMore);
        left = whole;
        for (std::size_t j = 0; j < members.size(); ++j) {
            const ElasticPlan::Member& member = members[j];
            const int held = std::max(member.heldWorkers(), member.bounds.minimum);
            if (member.runs() && out[j] > held && !pays(plan, member, standings[j].outlook, held, out[j]))
                out[j] = held;
            for (int n = member.bounds.minimum; n < out[j]; ++n) left -= plan.oneMore(member, n);
        }
        std::vector<std::size_t> best(members.size());
        for (std::size_t j = 0; j < members.size(); ++j) best[standings[j].rank] = j;
        for (const std::size_t j : best)
            while (out[j] < members[j].heldWorkers() && takeOneMore(j, out[j])) ++out[j];
        return out;
    }

    /// f(n')·(left − startup) against f(n)·left.
    bool pays(const ElasticPlan& plan, const ElasticPlan::Member& member, const JobOutlook& outlook, int from,
              int to) const {
        const auto seconds = [&](int n) { return secondsOf(outlook, n, plan.serversBeside(member, n)); };
        const double before = seconds(from), after = seconds(to);
        if (!(before > 0) || !(after > 0)) return false;
        const double useful = m_left > 0 ? std::max(0.0, m_left - m_startup) / m_left : 1; // no deadline any more
        return before / after * useful > m_params.threshold;
    }

    // --- Explanations

    /// The job, and the best others.
    void explain(const PolicyContext& context, const SchedulerView& view, const ElasticPlan& plan,
                 const std::vector<Standing>& standings, const Allotment& change) const {
        if (!context.explaining()) return;
        Explanation why{.family = PolicyFamily::scheduler, .policy = "hypersched", .job = change.job};
        const bool runs = view.state().job(change.job).phase == JobPhase::running;
        why.summary = {
            runs ? TRAINYARD_TEXT("{0} now has {1} {1:worker|workers}, {3} s before the deadline, on {2}")
                 : TRAINYARD_TEXT("{0} starts with {1} {1:worker|workers}, {3} s before the deadline, on {2}"),
            {jobLabel(view, change.job), std::to_string(change.placement.workers.size()),
             machineList(view, change.placement), formatNumber(m_left, 3)}};
        why.rule = Rule::everyFeasible;
        std::vector<std::pair<std::size_t, std::size_t>> shown; // the job itself, then by rank
        for (std::size_t j = 0; j < plan.members().size(); ++j)
            shown.push_back({plan.members()[j].id == change.job ? 0 : standings[j].rank + 1, j});
        std::sort(shown.begin(), shown.end());
        shown.resize(std::min(shown.size(), shownJobs));
        for (const auto& [place, j] : shown) {
            const ElasticPlan::Member& member = plan.members()[j];
            why.chosen.push_back(why.candidates.size());
            why.candidates.push_back(
                {.label = jobLabel(view, member.id),
                 .checks = {{"workers", double(member.workers()), Comparison::atLeast,
                             double(std::min(member.workers(), member.bounds.minimum))}},
                 .numbers = {{"rank", double(standings[j].rank + 1)},
                             {"loss", standings[j].loss},
                             {"quality", standings[j].quality},
                             {"seconds per update", secondsOf(standings[j].outlook, member.workers(),
                                                              plan.serversBeside(member, member.workers()))}}});
        }
        context.explain(std::move(why));
    }

    HyperSchedParams m_params;
    SimTime m_deadline, m_next; ///< m_next: the next interval
    LeftOverRule m_rule;
    Rungs m_rungs;
    JobOutlooks m_outlooks{0, 0};
    Refusals m_refusals;
    std::set<JobId> m_late; ///< told why they do not start
    FreeCapacity m_idle;    ///< the machines that are up, empty
    double m_left = 0;      ///< seconds to the deadline, in this call
    double m_startup = 0;   ///< seconds that a restart takes, in this call
};

} // namespace

SchedulerEntry builtin::hypersched() {
    using P = HyperSchedParams;
    PolicyInfo info{.id = "hypersched",
                    .label = "Trials before a deadline (HyperSched)",
                    .summary = "Bad trials end at rungs, the others have their least workers, and what is left over "
                               "goes to the best as a deadline comes near.",
                    .source = "After Liaw et al., SoCC 2019"};
    info.series = Rungs::series();
    info.goesByLosses = true;
    info.compatibilityWarning = Rungs::noneReached;
    return policyEntry<Scheduler, HyperSched, P>(
        std::move(info),
        field(&P::deadlineSeconds, "deadline_s", "Deadline", {1e-3, 1e9}, "s",
              "Of all trials, from the beginning of the run.")
            .logarithmic()
            .usual(86400)
            .effect("Trials start and change for longer."),
        choice(&P::atDeadline, "at_deadline", "At the deadline", {"end", "go-on"},
               "Whether trials end there, and those that wait are refused, or the run goes on without a deadline."),
        choice(&P::leftOvers, "left_overs", "Left-over workers", leftOverChoices,
               "Go round, the best first; all to the best; or by weights that fall with the loss."),
        field(&P::temperature, "temperature", "Temperature", {0.01, 100}, "",
              "Of the weights: exp(quality/temperature), quality 1 for the least loss and 0 for the greatest.")
            .logarithmic()
            .usual(10)
            .effect("Left-overs are divided more evenly."),
        field(&P::threshold, "threshold", "Threshold of growth", {1, 100}, "",
              "A trial grows only if it gets so many times as much done until the deadline, its restart counted.")
            .usual(3)
            .effect("Fewer changes; workers stay free."),
        field(&P::intervalSeconds, "interval_s", "Interval", {1e-3, 86400}, "s",
              "Losses are looked at and workers divided anew so often, besides at arrivals, ends and failures.")
            .logarithmic()
            .usual(600)
            .effect("Fewer changes; trials end up to so much later."),
        field(&P::grace, "grace", "Grace", {1, 1e9}, "updates", "Updates to the first rung; before it no trial ends.")
            .logarithmic()
            .usual(1000)
            .effect("Trials that start slowly are spared, and bad ones end later."),
        field(&P::eta, "eta", "Reduction", {1.1, 100}, "",
              "η: one of so many trials goes on from a rung, and the next rung is at so many times the updates.")
            .usual(10)
            .effect("More trials end at each rung, and no new ones start longer before the deadline."),
        field(&P::rungs, "rungs", "Rungs", {0, 30}, "", "How many there are; 0: no trial ends before the deadline.")
            .usual(10)
            .effect("Trials are compared later in their course, too."),
        choice(
            &P::compare, "compare", "Compared trials", comparedChoices,
            "Whose losses are compared: jobs of the same model and data, of the same key but for its number, or all."),
        placingField(&P::placing));
}

} // namespace trainyard
