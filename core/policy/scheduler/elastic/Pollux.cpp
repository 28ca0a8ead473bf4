// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// pollux: workers and batches by goodput, updates per second times what an update is worth at its batch. After Qiao, Choe, Subramanya,
// Neiswanger, Ho, Zhang, Ganger and Xing, Pollux: co-adaptive cluster scheduling for goodput-optimized deep learning, OSDI 2021, and its
// public implementation. What is this program's is said in resources/help/pollux.md.
#include "base/Format.h"
#include "planning/ConcaveEnvelope.h"
#include "planning/GainAllocation.h"
#include "planning/ScalingLaw.h"
#include "policy/Builtin.h"
#include "policy/scheduler/Refusals.h"
#include "policy/scheduler/elastic/ElasticPlan.h"
#include "policy/scheduler/elastic/EvenPlacing.h"
#include "policy/scheduler/elastic/Goodput.h"
#include "policy/scheduler/elastic/JobOutlooks.h"

#include <algorithm>
#include <cmath>
#include <queue>

namespace trainyard {

namespace {

struct PolluxParams {
    double intervalSeconds = 60;
    double fairness = -1;
    double mostBatch = 32;
    double restartFactor = 0.9;
    std::string placing = "pack";
};

enum PolluxSeries : std::uint16_t { goodputSeries, speedupSeries, batchSeries, efficiencySeries };

class Pollux final : public Scheduler {
public:
    explicit Pollux(PolluxParams params) : m_params(std::move(params)) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Pollux>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                SchedulingDecisions& decisions) override {
        follow(view, since);
        ElasticPlan plan(view, placingStrategy(m_params.placing));
        admit(context, view, plan);
        if (plan.members().empty()) return;
        const std::vector<Sharing> jobs = outlooks(view, plan);
        plan.grow(divide(plan, jobs));
        carryOut(context, view, plan, jobs, decisions);
        if (context.now < m_next) return;
        m_next = context.now + Duration::secondsUp(m_params.intervalSeconds);
        decisions.wakeAt(m_next);
    }

private:
    static constexpr std::size_t shownJobs = 16;
    static constexpr int mostExact = 4'000'000; ///< jobs · workers², some milliseconds

    /// A member of the plan: how fast it comes ahead, and what workers are worth to it.
    struct Sharing {
        Goodput goodput;
        std::vector<double> values; ///< by workers, from the least number on
        ConcaveEnvelope worth;      ///< above them
        double base = 0;            ///< goodput with the least number
        double speedup(int workers) const { return base > 0 ? goodput.best(workers) / base : 0; }
    };

    void follow(const SchedulerView& view, std::span<const Event> since) {
        const bool changed = std::any_of(since.begin(), since.end(), [](const Event& event) {
            return event.type >= EventType::machineFailed && event.type <= EventType::linkRepaired;
        });
        if (!changed && m_idle.machineCount() > 0) return;
        m_idle = FreeCapacity::whole(view.state());
        m_laws.assign(view.workload().jobs.size(), std::nullopt);
    }

    /// In order of arrival, whoever has room for its least number beside those before it.
    void admit(const PolicyContext& context, const SchedulerView& view, ElasticPlan& plan) {
        std::vector<JobId> order;
        for (const JobPhase phase : {JobPhase::running, JobPhase::waiting})
            for (const JobId id : view.jobsIn(phase)) order.push_back(id);
        std::sort(order.begin(), order.end());
        for (const JobId id : order) {
            if (plan.admit(id) || !context.explaining()) continue;
            const Bounds bounds = view.workers(id);
            const int servers = view.workload().job(id).serversFor(bounds.minimum, bounds);
            m_refusals.tried(context, view, {id, bounds.minimum, servers, &plan.room()}, "pollux");
        }
    }

    // --- How fast each comes ahead

    /// Whether a larger batch brings the job to its end sooner: it ends by its loss, and what an update is worth grows with the batch.
    static bool choosesBatch(const Job& job) {
        if (!job.stop.loss) return false;
        if (const auto* work = std::get_if<TrainedWork>(&job.work))
            return work->batchOf == BatchOf::job && work->stepWithBatch != StepWithBatch::same;
        const auto* work = std::get_if<AnalyticWork>(&job.work);
        return work && work->noiseScale > 0;
    }

    static double noiseScaleOf(const SchedulerView& view, JobId id) {
        const auto* analytic = std::get_if<AnalyticWork>(&view.workload().job(id).work);
        return analytic ? analytic->noiseScale : view.state().job(id).noiseScale.value_or(0);
    }

    /// Profiled on the idle cluster with a few numbers of workers, with the declared batch and with twice as many samples.
    const Goodput& lawOf(const SchedulerView& view, JobId id) {
        std::optional<Goodput>& known = m_laws[id.index()];
        if (known) return *known;
        const Job& job = view.workload().job(id);
        const int declared = job.declaredBatch();
        const bool chooses = choosesBatch(job);
        std::vector<ScalingSample> other, batched;
        Bounds bounds = view.workers(id);
        bounds.maximum =
            std::max(bounds.minimum, static_cast<int>(job.workerDemand.copiesIn(m_idle.total(), bounds.maximum)));
        for (const auto& [workers, servers] : JobOutlooks::profiledCounts(job, bounds)) {
            const FreeCapacity::Scratch scratch(m_idle);
            const auto placement = placeEvenly(view.workload(), job, workers, servers, m_idle, m_idle.total());
            if (!placement) continue;
            const double once = view.speed().secondsPerUpdate(id, *placement, declared);
            const double more =
                chooses ? std::max(0.0, view.speed().secondsPerUpdate(id, *placement, 2 * declared) - once) : 0;
            other.push_back({workers, std::max(0.0, once - more), 1});
            batched.push_back({workers, more, 1});
        }
        known = Goodput{.other = fitScaling(other), .batched = fitScaling(batched), .declared = declared};
        known->most = chooses ? static_cast<int>(std::min<double>(mostBatch, declared * m_params.mostBatch)) : declared;
        return *known;
    }

    /// v(s) = (s^p − 1)/p of a speed-up s, ln s for p = 0: its sum is greatest where the p-mean is.
    double valueOf(double speedup) const {
        const double p = m_params.fairness;
        if (!(speedup > 0)) return 0;
        return p == 0 ? std::log(speedup) : (std::pow(speedup, p) - 1) / p;
    }

    std::vector<Sharing> outlooks(const SchedulerView& view, const ElasticPlan& plan) {
        std::vector<Sharing> out;
        for (const ElasticPlan::Member& member : plan.members()) {
            Sharing sharing{.goodput = lawOf(view, member.id), .values = {}, .worth = {}};
            sharing.goodput.noiseScale = choosesBatch(plan.job(member)) ? noiseScaleOf(view, member.id) : 0;
            sharing.base = sharing.goodput.best(member.bounds.minimum);
            if (!std::isfinite(sharing.base)) sharing.base = 0;
            for (int n = member.bounds.minimum; n <= member.bounds.maximum; ++n) {
                const bool stays = !member.runs() || n == member.heldWorkers();
                const double value = valueOf(sharing.speedup(n) * (stays ? 1 : m_params.restartFactor));
                sharing.values.push_back(plan.job(member).weight * value);
                sharing.worth.add(n, sharing.values.back());
            }
            out.push_back(std::move(sharing));
        }
        return out;
    }

    // --- How many workers each gets

    static double gainOf(const Sharing& job, int workers) { return job.worth.at(workers + 1) - job.worth.at(workers); }

    static std::vector<int> divide(ElasticPlan& plan, const std::vector<Sharing>& jobs) {
        const auto exact = divideExactly(plan, jobs);
        return exact.empty() ? divideOneByOne(plan, jobs) : exact;
    }

    /// Where all ask for the same for a worker and they are few enough for the dynamic programme; else nothing.
    static std::vector<int> divideExactly(ElasticPlan& plan, const std::vector<Sharing>& jobs) {
        const auto& members = plan.members();
        const ResourceVector& demand = plan.job(members[0]).workerDemand;
        std::int64_t budget = 0;
        std::vector<AllocationLimits> limits;
        for (const ElasticPlan::Member& member : members) {
            if (!(plan.job(member).workerDemand == demand) || plan.job(member).workersPerServer) return {};
            limits.push_back({member.bounds.minimum, member.bounds.maximum, 1});
            budget += member.bounds.minimum;
        }
        for (const auto& [key, group] : plan.room().groups())
            budget += demand.copiesIn(key.free, mostExact) * static_cast<std::int64_t>(group.machines.size());
        if (static_cast<double>(budget) * static_cast<double>(budget) * static_cast<double>(jobs.size()) > mostExact)
            return {};
        return exactAllocation(limits, static_cast<int>(budget), [&](std::size_t j, int workers) {
            return jobs[j].values[static_cast<std::size_t>(workers - members[j].bounds.minimum)];
        });
    }

    /// Again and again one more to the job to which it is worth most per share of the cluster that it takes, as long as that gains.
    static std::vector<int> divideOneByOne(ElasticPlan& plan, const std::vector<Sharing>& jobs) {
        struct Best {
            double gain;
            std::size_t job;
            bool operator<(const Best& b) const { return gain != b.gain ? gain < b.gain : job > b.job; }
        };
        const auto& members = plan.members();
        ResourceVector left = plan.room().total();
        const ResourceVector whole = left;
        std::vector<int> workers;
        std::priority_queue<Best> heap;
        const auto offer = [&](std::size_t j) {
            const double gain = gainOf(jobs[j], workers[j]);
            if (workers[j] >= members[j].bounds.maximum || !(gain > 0)) return;
            const double share = dominantShare(plan.oneMore(members[j], workers[j]), whole);
            heap.push({gain / std::max(1e-12, share), j});
        };
        for (std::size_t j = 0; j < members.size(); ++j) {
            workers.push_back(members[j].bounds.minimum);
            offer(j);
        }
        while (!heap.empty()) {
            const std::size_t j = heap.top().job;
            heap.pop();
            const ResourceVector demand = plan.oneMore(members[j], workers[j]);
            if (!demand.fitsIn(left)) continue;
            left -= demand;
            ++workers[j];
            offer(j);
        }
        return workers;
    }

    void carryOut(const PolicyContext& context, const SchedulerView& view, const ElasticPlan& plan,
                  const std::vector<Sharing>& jobs, SchedulingDecisions& decisions) const {
        std::vector<Allotment> changes = plan.changes();
        std::vector<std::uint8_t> named(view.workload().jobs.size(), 0);
        for (const Allotment& change : changes) named[change.job.index()] = 1;
        for (std::size_t j = 0; j < jobs.size(); ++j) {
            const ElasticPlan::Member& member = plan.members()[j];
            if (member.workers() < member.bounds.minimum) continue;
            const int batch = jobs[j].goodput.bestBatch(member.workers());
            note(context, member, jobs[j], batch);
            if (!choosesBatch(plan.job(member))) continue;
            const int now = view.state().job(member.id).batch;
            if (batch == (now > 0 ? now : jobs[j].goodput.declared)) continue;
            if (!named[member.id.index()]) changes.push_back({member.id, member.placement});
            const auto at =
                std::find_if(changes.begin(), changes.end(), [&](const Allotment& a) { return a.job == member.id; });
            at->batch = batch;
        }
        for (const Allotment& change : changes) explain(context, view, plan, jobs, change);
        if (!changes.empty()) decisions.replan(std::move(changes));
    }

    static void note(const PolicyContext& context, const ElasticPlan::Member& member, const Sharing& job, int batch) {
        const int workers = member.workers();
        context.note(goodputSeries, job.goodput.at(workers, batch), 0, 0, member.id);
        context.note(speedupSeries, job.speedup(workers), 0, 0, member.id);
        context.note(batchSeries, batch, 0, 0, member.id);
        context.note(efficiencySeries,
                     batchGain(batch, job.goodput.declared, job.goodput.noiseScale) * job.goodput.declared / batch, 0,
                     0, member.id);
    }

    // --- Explanations

    /// The job, and those others that would gain most by one worker more.
    static void explain(const PolicyContext& context, const SchedulerView& view, const ElasticPlan& plan,
                        const std::vector<Sharing>& jobs, const Allotment& change) {
        if (!context.explaining()) return;
        Explanation why{.family = PolicyFamily::scheduler, .policy = "pollux", .job = change.job};
        why.rule = Rule::everyFeasible;
        if (change.placement.empty()) {
            why.summary = {TRAINYARD_TEXT("{0} waits again: earlier jobs take the room of its least workers"),
                           {jobLabel(view, change.job)}};
            why.candidates.push_back({.label = jobLabel(view, change.job),
                                      .checks = {{"all tasks placed", 0, Comparison::atLeast, 1}},
                                      .numbers = {}});
            return context.explain(std::move(why));
        }
        std::vector<std::pair<double, std::size_t>> shown; // −gain of one more
        std::size_t own = 0;
        for (std::size_t j = 0; j < jobs.size(); ++j) {
            if (plan.members()[j].id == change.job) own = j;
            shown.push_back({-gainOf(jobs[j], plan.members()[j].workers()), j});
        }
        const bool runs = view.state().job(change.job).phase == JobPhase::running;
        const int batch = jobs[own].goodput.bestBatch(plan.members()[own].workers());
        why.summary = {runs ? TRAINYARD_TEXT("{0} now has {1} {1:worker|workers} and a batch of {2}, on {3}")
                            : TRAINYARD_TEXT("{0} starts with {1} {1:worker|workers} and a batch of {2}, on {3}"),
                       {jobLabel(view, change.job), std::to_string(change.placement.workers.size()),
                        std::to_string(batch), machineList(view, change.placement)}};
        shown[own].first = -INFINITY;
        std::sort(shown.begin(), shown.end());
        shown.resize(std::min(shown.size(), shownJobs));
        for (const auto& [gain, j] : shown) {
            why.chosen.push_back(why.candidates.size());
            why.candidates.push_back(candidateOf(view, plan.members()[j], jobs[j]));
        }
        context.explain(std::move(why));
    }

    static Candidate candidateOf(const SchedulerView& view, const ElasticPlan::Member& member, const Sharing& job) {
        const int workers = member.workers(), batch = job.goodput.bestBatch(workers);
        return {.label = jobLabel(view, member.id),
                .checks = {{"workers", double(workers), Comparison::atLeast,
                            double(std::min(workers, member.bounds.minimum))}},
                .numbers = {{"batch", double(batch)},
                            {"noise scale", job.goodput.noiseScale},
                            {"goodput_per_s", job.base > 0 ? job.goodput.at(workers, batch) : 0},
                            {"speed-up", job.speedup(workers)},
                            {"worth of one more", workers < member.bounds.maximum ? gainOf(job, workers) : 0}}};
    }

    PolluxParams m_params;
    std::vector<std::optional<Goodput>> m_laws; ///< by job
    Refusals m_refusals;
    FreeCapacity m_idle; ///< the machines that are up, empty
    SimTime m_next;      ///< of the next interval
};

} // namespace

SchedulerEntry builtin::pollux() {
    using P = PolluxParams;
    PolicyInfo info{.id = "pollux",
                    .label = "Goodput (Pollux)",
                    .summary = "Chooses workers and batches so that jobs come ahead fastest: throughput times what a "
                               "sample is worth in a batch.",
                    .source = "After Qiao et al., OSDI 2021"};
    info.series = {
        {"goodput", "Goodput", "1/s", "Updates of the declared batch that a job is worth per second.", "", ""},
        {"speedup", "Speed-up of goodput", "", "Goodput, relative to that with the job's least number of workers.", "",
         ""},
        {"batch", "Batch", "samples", "The batch chosen for the job.", "", ""},
        {"efficiency", "Statistical efficiency", "",
         "What a sample is worth in this batch, relative to one in the declared batch.", "", ""}};
    info.goesByNoise = true;
    return policyEntry<Scheduler, Pollux, P>(
        std::move(info),
        field(&P::intervalSeconds, "interval_s", "Interval", {0.1, 86400}, "s",
              "Workers and batches are chosen anew so often, besides at arrivals, ends and failures.")
            .logarithmic()
            .usual(3600)
            .effect("Fewer changes; a noise scale that has changed is found later."),
        field(&P::fairness, "fairness", "Fairness p", {-20, 1}, "",
              "Which mean of the jobs' speed-ups is made greatest: 1 the arithmetic one, 0 the geometric, -1 the "
              "harmonic; less goes by the slowest.")
            .effect("Jobs that scale well get more, the others less."),
        field(&P::mostBatch, "most_batch", "Greatest batch", {1, 1e6}, "", "So many times the declared batch at most.")
            .logarithmic()
            .usual(1024),
        field(&P::restartFactor, "restart_factor", "Worth of a change", {0.01, 1}, "",
              "The speed-up of a running job counts by this factor where it would get another number of workers.")
            .effect("Fewer jobs are resized at 0.5, all that gain at 1."),
        placingField(&P::placing));
}

} // namespace trainyard
