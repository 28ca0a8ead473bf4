// slaq: workers go where the predicted loss falls most. Every epoch a curve is fitted to the losses of each job, and workers are given one
// by one to the job whose normalised loss one more would lower most. After Zhang, Stafman et al., SLAQ: Quality-Driven Scheduling for
// Distributed Machine Learning, SoCC 2017, of which only the opening was at hand: resources/help/slaq.md says what was settled here.
#include "planning/GainAllocation.h"
#include "planning/ScalingLaw.h"
#include "policy/Builtin.h"
#include "policy/scheduler/LossGains.h"
#include "policy/scheduler/Placing.h"
#include "policy/scheduler/Refusals.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace trainyard {

namespace {

struct SlaqParams {
    std::string rule = "safeguarded", objective = "total", curve = "better";
    double epochSeconds = 3, decay = 0.8;
    int window = 50;
    double floor = 0.9, minShare = 0.25, hysteresis = 1;
    std::string placing = "pack";
};

enum SlaqSeries : std::uint16_t { slaqPredictedLoss, slaqMarginalGain, slaqGreatestChange, slaqUpdateSeconds };

class Slaq final : public Scheduler {
public:
    explicit Slaq(SlaqParams params) : m_params(std::move(params)) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Slaq>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event>,
                SchedulingDecisions& decisions) override {
        m_jobs.resize(view.state().jobs().size());
        FreeCapacity room = FreeCapacity::whole(view.state());
        const std::vector<Member> members = membersOf(context, view, room);
        if (members.empty()) return;
        learn(context, view, members);
        const std::vector<int> workers = allocate(view, members, room);
        note(context, members, workers);
        const bool runs = carryOut(context, view, members, workers, room, decisions);
        if (runs && context.now >= m_next) {
            m_next = context.now + Duration::secondsUp(m_params.epochSeconds);
            decisions.wakeAt(m_next);
        }
    }

private:
    static constexpr std::size_t shownJobs = 16;

    /// A job that has workers now, or can have them.
    struct Member {
        JobId id;
        Bounds bounds;
        Placement held; ///< on machines that are up; empty: it waits
        bool runs() const { return !held.workers.empty(); }
    };
    struct Timed {
        double seconds = 0, updates = 0;
    };
    /// What is known of a job.
    struct Known {
        LossGains gains;
        UpdateLaw law;
        std::vector<ScalingSample> expected; ///< by the delay model, for few workers
        std::map<int, Timed> timed;          ///< in this run, by workers
        int workers = 0;                     ///< since `since`
        SimTime since;
        LossPoint timedTo; ///< updates were timed to here
        bool timing = false;
    };

    bool safeguarded() const { return m_params.rule == "safeguarded"; }
    Known& known(const Member& member) { return m_jobs[member.id.index()]; }
    const Known& known(const Member& member) const { return m_jobs[member.id.index()]; }

    // --- Who takes part

    static Placement firstTasks(const Job& job, const Placement& held, int workers, const Bounds& bounds) {
        Placement out = held;
        out.workers.resize(std::min(out.workers.size(), static_cast<std::size_t>(workers)));
        if (job.workersPerServer)
            out.servers.resize(std::min(out.servers.size(), static_cast<std::size_t>(job.serversFor(
                                                                static_cast<int>(out.workers.size()), bounds))));
        return out;
    }

    /// Servers beside so many workers; where they do not grow with them, as many as it has, or the least.
    static int serversBeside(const Member& member, const Job& job, int workers) {
        if (job.workersPerServer) return job.serversFor(workers, member.bounds);
        return member.runs() ? static_cast<int>(member.held.servers.size()) : job.servers.minimum;
    }

    PlacingStrategy placing() const { return placingStrategy(m_params.placing); }

    /// Running jobs, then waiting ones in order of arrival, until one has no room for its minimum beside those of the others: nobody
    /// passes it, so that it waits for ends only. Jobs that are too large for all machines that are up are passed.
    std::vector<Member> membersOf(const PolicyContext& context, const SchedulerView& view, FreeCapacity& room) {
        const FreeCapacity::Scratch scratch(room);
        std::vector<Member> out;
        for (const JobId id : view.jobsIn(JobPhase::running)) {
            Member member{id, view.workers(id), {}};
            for (const auto role : {&Placement::workers, &Placement::servers})
                for (const MachineId m : view.state().job(id).placement.*role)
                    if (m.valid() && room.isUp(m)) (member.held.*role).push_back(m);
            const Job& job = view.workload().job(id);
            takeTasks(job, firstTasks(job, member.held, member.bounds.minimum, member.bounds), room);
            out.push_back(std::move(member));
        }
        const JobSet& waiting = view.jobsIn(JobPhase::waiting);
        std::size_t behind = waiting.size();
        for (const JobId id : waiting) {
            const Job& job = view.workload().job(id);
            const Member member{id, view.workers(id), {}};
            const int least = member.bounds.minimum, servers = serversBeside(member, job, least);
            --behind;
            if (placeTasks(view.workload(), job, least, servers, room, placing())) {
                out.push_back(member);
                continue;
            }
            FreeCapacity idle = FreeCapacity::whole(view.state());
            const bool blocks = placeTasks(view.workload(), job, least, servers, idle, placing()).has_value();
            m_refusals.tried(context, view, {id, least, servers, &room, blocks ? behind : 0}, "slaq");
            if (blocks) break;
        }
        return out;
    }

    // --- What is known of them

    /// Each member's own part, perhaps on several threads.
    void learn(const PolicyContext& context, const SchedulerView& view, const std::vector<Member>& members) {
        std::optional<FreeCapacity> idle; // made only where somebody is new
        for (const Member& member : members) {
            if (!known(member).expected.empty()) continue;
            if (!idle) idle = FreeCapacity::whole(view.state());
            expect(view, member, *idle);
        }
        const LossGains::Rules rules{.curve = m_params.curve,
                                     .decay = m_params.decay,
                                     .window = m_params.window,
                                     .floor = safeguarded() ? m_params.floor : 0};
        context.forEach(members.size(), [&](std::size_t i) {
            const Member& member = members[i];
            const Job& job = view.workload().job(member.id);
            Known& now = known(member);
            time(view.losses(member.id), member, job, context.now, now);
            now.gains.follow(view.losses(member.id), rules, job.finalLoss);
            now.law = lawOf(now);
        });
    }

    /// Seconds per update by the delay model, for the least number of workers and its doubles, packed on idle machines.
    void expect(const SchedulerView& view, const Member& member, FreeCapacity& idle) {
        const Job& job = view.workload().job(member.id);
        auto& expected = known(member).expected;
        for (int n = member.bounds.minimum; n <= member.bounds.maximum && expected.size() < 4; n *= 2) {
            const FreeCapacity::Scratch scratch(idle);
            const auto placement =
                placeTasks(view.workload(), job, n, job.serversFor(n, member.bounds), idle, placing());
            if (!placement) break;
            expected.push_back({n, view.speed().secondsPerUpdate(member.id, *placement), 1});
        }
        if (expected.empty()) expected.push_back({member.bounds.minimum, 1, 1});
    }

    /// Updates since it has had these workers, from the second loss on: the first may be of the time in which it began again.
    static void time(std::span<const LossPoint> losses, const Member& member, const Job& job, SimTime now,
                     Known& known) {
        const auto workers = static_cast<int>(member.held.workers.size());
        if (workers != known.workers) {
            known.workers = workers;
            known.since = now + Duration::seconds(workers > 0 ? job.restartSeconds : 0);
            known.timing = false;
            return;
        }
        if (workers == 0 || losses.empty()) return;
        if (!known.timing) {
            const auto first = std::upper_bound(losses.begin(), losses.end(), known.since,
                                                [](SimTime t, const LossPoint& p) { return t < p.time; });
            if (first == losses.end()) return;
            known.timedTo = *first;
            known.timing = true;
        }
        const LossPoint& last = losses.back();
        if (last.time > known.timedTo.time && last.update > known.timedTo.update) {
            Timed& timed = known.timed[workers];
            timed.seconds += (last.time - known.timedTo.time).toSeconds();
            timed.updates += static_cast<double>(last.update - known.timedTo.update);
        }
        known.timedTo = last;
    }

    /// Of what was timed, where it was with three numbers of workers; else the expected one, as much faster or slower as was timed.
    static UpdateLaw lawOf(const Known& known) {
        std::vector<ScalingSample> samples;
        for (const auto& [workers, timed] : known.timed)
            samples.push_back({workers, timed.seconds / timed.updates, timed.updates});
        if (samples.size() >= 3) return fitScaling(samples);
        UpdateLaw law = fitScaling(known.expected);
        double took = 0, expected = 0;
        for (const ScalingSample& s : samples) {
            took += s.weight * s.seconds;
            expected += s.weight * law.at(s.workers);
        }
        if (expected > 0) {
            law.fixedSeconds *= took / expected;
            law.dividedSeconds *= took / expected;
            law.perWorkerSeconds *= took / expected;
        }
        return law;
    }

    // --- How many workers each gets

    /// Updates, fractions too, in an epoch.
    double updatesWith(const Member& member, int workers) const {
        const double seconds = known(member).law.at(workers);
        return seconds > 0 ? m_params.epochSeconds / seconds : 0;
    }
    double worth(const Member& member, int workers) const {
        return known(member).gains.gain(updatesWith(member, workers));
    }
    double marginalGain(const Member& member, int workers) const {
        return worth(member, workers + 1) - worth(member, workers);
    }

    /// Whether all ask for the same for a worker: then workers are counted, else shares of the cluster's scarcest resource.
    static bool areAlike(const SchedulerView& view, const std::vector<Member>& members) {
        const ResourceVector& first = view.workload().job(members[0].id).workerDemand;
        return std::all_of(members.begin(), members.end(),
                           [&](const Member& m) { return view.workload().job(m.id).workerDemand == first; });
    }

    std::vector<int> allocate(const SchedulerView& view, const std::vector<Member>& members, FreeCapacity& room) {
        const FreeCapacity::Scratch scratch(room);
        const ResourceVector whole = room.total();
        for (const Member& member : members) takeServers(view, member, room);
        const bool alike = areAlike(view, members);
        std::int64_t budget = alike ? 0 : 1'000'000;
        if (alike)
            for (const auto& [key, group] : room.groups())
                budget += view.workload().job(members[0].id).workerDemand.copiesIn(key.free, 1'000'000) *
                          static_cast<std::int64_t>(group.machines.size());
        std::vector<AllocationLimits> limits;
        std::int64_t least = 0;
        for (const Member& member : members) {
            const double share = dominantShare(view.workload().job(member.id).workerDemand, whole);
            const auto cost = alike ? 1 : std::max<std::int64_t>(1, std::llround(share * 1e6));
            const int fastest = fastestWorkers(known(member).law, member.bounds.minimum, member.bounds.maximum);
            limits.push_back({member.bounds.minimum, std::max(member.bounds.minimum, fastest), cost});
            least += limits.back().minimum * cost;
        }
        budget = std::max(budget, least);
        if (safeguarded()) raiseMinima(budget, least, limits);
        std::vector<int> workers = allocateByGain(limits, budget, gainOf(members));
        return keepsBetter(members, limits, workers, budget) ? heldBy(members) : workers;
    }

    static void takeServers(const SchedulerView& view, const Member& member, FreeCapacity& room) {
        const Job& job = view.workload().job(member.id);
        Placement servers{.workers = {}, .servers = member.held.servers};
        if (member.runs()) takeTasks(job, servers, room);
    }

    /// min_share of what an equal division would give, as far as all of them fit.
    void raiseMinima(std::int64_t budget, std::int64_t least, std::vector<AllocationLimits>& limits) const {
        for (AllocationLimits& l : limits) {
            const double equal =
                static_cast<double>(budget) / static_cast<double>(limits.size()) / static_cast<double>(l.cost);
            const int wanted = std::min(l.maximum, static_cast<int>(m_params.minShare * equal));
            const std::int64_t more = (wanted - l.minimum) * l.cost;
            if (more <= 0 || least + more > budget) continue;
            l.minimum = wanted;
            least += more;
        }
    }

    std::function<double(std::size_t, int)> gainOf(const std::vector<Member>& members) const {
        if (m_params.objective == "total")
            return [this, &members](std::size_t j, int workers) { return marginalGain(members[j], workers); };
        return [this, &members](std::size_t j, int workers) {
            if (!(marginalGain(members[j], workers) > 1e-12)) return 0.0;
            return known(members[j]).gains.normalisedLossAfter(updatesWith(members[j], workers));
        };
    }

    static std::vector<int> heldBy(const std::vector<Member>& members) {
        std::vector<int> out;
        for (const Member& m : members) out.push_back(static_cast<int>(m.held.workers.size()));
        return out;
    }

    /// Whether what all hold uses the budget as well and is worth more than the new allocation, less `hysteresis`.
    bool keepsBetter(const std::vector<Member>& members, const std::vector<AllocationLimits>& limits,
                     const std::vector<int>& workers, std::int64_t budget) const {
        if (m_params.hysteresis <= 1) return false;
        const std::vector<int> held = heldBy(members);
        std::int64_t used = 0, wouldUse = 0;
        double now = 0, then = 0;
        for (std::size_t j = 0; j < members.size(); ++j) {
            if (held[j] < limits[j].minimum) return false;
            used += held[j] * limits[j].cost;
            wouldUse += workers[j] * limits[j].cost;
            now += worth(members[j], held[j]);
            then += worth(members[j], workers[j]);
        }
        return used >= std::min(wouldUse, budget) && then <= m_params.hysteresis * now;
    }

    void note(const PolicyContext& context, const std::vector<Member>& members, const std::vector<int>& workers) const {
        if (!context.notes || context.now < m_next) return; // once an epoch
        for (std::size_t j = 0; j < members.size(); ++j) {
            const Known& now = known(members[j]);
            const double ahead = workers[j] > 0 ? updatesWith(members[j], workers[j]) : 0;
            const double reached = std::min(4e9, static_cast<double>(now.gains.last().update) + ahead);
            context.note(slaqMarginalGain, marginalGain(members[j], std::max(1, workers[j])), 0, 0, members[j].id);
            context.note(slaqUpdateSeconds, now.law.at(std::max(1, workers[j])), 0, 0, members[j].id);
            if (now.gains.isYoung()) continue;
            context.note(slaqPredictedLoss, now.gains.lossAfter(ahead), static_cast<std::uint32_t>(reached), 0,
                         members[j].id);
            context.note(slaqGreatestChange, now.gains.greatestChange(), 0, 0, members[j].id);
        }
    }

    // --- Where they go

    /// First the minima, as membersOf() found them to fit; then running jobs keep what they hold beyond them where there is room, so
    /// that nobody's tasks stand in the way of a job that starts; then all get what they lack. Whether any job runs then.
    bool carryOut(const PolicyContext& context, const SchedulerView& view, const std::vector<Member>& members,
                  const std::vector<int>& workers, FreeCapacity& room, SchedulingDecisions& decisions) {
        std::vector<Placement> placements;
        for (const Member& member : members) {
            const Job& job = view.workload().job(member.id);
            const int least = member.bounds.minimum;
            placements.push_back(firstTasks(job, member.held, least, member.bounds));
            if (member.runs())
                takeTasks(job, placements.back(), room);
            else if (auto start =
                         placeTasks(view.workload(), job, least, serversBeside(member, job, least), room, placing()))
                placements.back() = std::move(*start);
        }
        for (std::size_t j = 0; j < members.size(); ++j)
            if (members[j].runs())
                keep(view.workload().job(members[j].id), members[j], workers[j], placements[j], room);
        for (const bool growing : {false, true}) // those that start need room for their minima at once
            for (std::size_t j = 0; j < members.size(); ++j)
                if (members[j].runs() == growing && workers[j] > static_cast<int>(placements[j].workers.size()))
                    grow(view, members[j], workers[j], placements[j], room);
        std::vector<Allotment> plan;
        bool runs = false;
        for (std::size_t j = 0; j < members.size(); ++j) {
            runs = runs || !placements[j].workers.empty();
            if (placements[j] == members[j].held) continue;
            explain(context, view, members, workers, j, placements[j]);
            plan.push_back({members[j].id, placements[j]});
        }
        if (!plan.empty()) decisions.replan(std::move(plan));
        return runs;
    }

    /// Of the tasks that it holds, up to `count` workers and the servers that go with them.
    static void keep(const Job& job, const Member& member, int count, Placement& placement, FreeCapacity& room) {
        const auto take = [&room](MachineId machine, const ResourceVector& demand) {
            if (!demand.fitsIn(room.of(machine))) return false;
            room.take(machine, demand);
            return true;
        };
        const Placement& held = member.held;
        for (std::size_t w = placement.workers.size(); w < held.workers.size(); ++w) {
            const auto n = static_cast<int>(placement.workers.size()) + 1;
            if (n > count) return;
            if (!take(held.workers[w], job.workerDemand)) continue;
            const std::size_t server = placement.servers.size();
            if (static_cast<int>(server) < serversBeside(member, job, n)) {
                if (server >= held.servers.size() || !take(held.servers[server], job.serverDemand)) {
                    room.give(held.workers[w], job.workerDemand);
                    return;
                }
                placement.servers.push_back(held.servers[server]);
            }
            placement.workers.push_back(held.workers[w]);
        }
    }

    /// Up to `count` workers, or as many as there is room for on single machines.
    void grow(const SchedulerView& view, const Member& member, int count, Placement& placement,
              FreeCapacity& room) const {
        const Job& job = view.workload().job(member.id);
        const auto from = static_cast<int>(placement.workers.size());
        std::int64_t fit = 0;
        for (const auto& [key, group] : room.groups())
            fit += job.workerDemand.copiesIn(key.free, count) * static_cast<std::int64_t>(group.machines.size());
        const int most = static_cast<int>(std::min<std::int64_t>(count, from + fit));
        for (int n = most; n > from; --n) {
            const int servers = serversBeside(member, job, n) - static_cast<int>(placement.servers.size());
            const auto more = placeTasks(view.workload(), job, n - from, std::max(0, servers), room, placing());
            if (!more) continue;
            placement.workers.insert(placement.workers.end(), more->workers.begin(), more->workers.end());
            placement.servers.insert(placement.servers.end(), more->servers.begin(), more->servers.end());
            return;
        }
    }

    /// The job, and those others to which one worker more is worth most.
    void explain(const PolicyContext& context, const SchedulerView& view, const std::vector<Member>& members,
                 const std::vector<int>& workers, std::size_t j, const Placement& placement) const {
        if (!context.explaining()) return;
        std::vector<std::pair<double, std::size_t>> others; // −gain of one more
        for (std::size_t i = 0; i < members.size(); ++i)
            if (i != j && workers[i] > 0) others.push_back({-marginalGain(members[i], workers[i]), i});
        const std::size_t shown = std::min(others.size(), shownJobs);
        std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(shown), others.end());
        others.resize(shown);
        Explanation why{.family = PolicyFamily::scheduler, .policy = "slaq", .job = members[j].id};
        why.summary = {members[j].runs() ? TRAINYARD_TEXT("{0} now has {1} workers of {2} for this epoch, on {3}")
                                         : TRAINYARD_TEXT("{0} starts with {1} workers of {2} for this epoch, on {3}"),
                       {jobLabel(view, members[j].id), std::to_string(placement.workers.size()),
                        std::to_string(std::accumulate(workers.begin(), workers.end(), 0)),
                        machineList(view, placement)}};
        why.rule = Rule::everyFeasible;
        others.insert(others.begin(), {0.0, j});
        for (const auto& [negative, i] : others) {
            const Known& now = known(members[i]);
            const int n = workers[i];
            why.chosen.push_back(why.candidates.size());
            why.candidates.push_back(
                {.label = jobLabel(view, members[i].id),
                 .checks = {{"workers", double(n), Comparison::atLeast, double(members[i].bounds.minimum)}},
                 .numbers = {
                     {"gain of the last worker", n > 1 ? marginalGain(members[i], n - 1) : worth(members[i], 1)},
                     {"gain of one more", marginalGain(members[i], n)},
                     {"predicted loss", now.gains.lossAfter(updatesWith(members[i], n))},
                     {"updates in the epoch", updatesWith(members[i], n)}}});
        }
        context.explain(std::move(why));
    }

    SlaqParams m_params;
    SimTime m_next; ///< when the next epoch begins
    std::vector<Known> m_jobs;
    Refusals m_refusals;
};

std::vector<SeriesInfo> slaqSeries() {
    return {{"predicted_loss", "Predicted loss", "",
             "Loss predicted for the end of the epoch, at the update that the job is expected to reach by then.",
             "update", ""},
            {"marginal_gain", "Gain of one more worker", "",
             "By how much one worker more would lower the job's normalised loss in an epoch.", "", ""},
            {"greatest_change", "Greatest change", "",
             "The greatest fall of the job's loss per update so far, by which its gains are normalised.", "", ""},
            {"update_seconds", "Seconds per update", "s", "Expected with the workers that the job gets.", "", ""}};
}

} // namespace

SchedulerEntry builtin::slaq() {
    using P = SlaqParams;
    PolicyInfo info{.id = "slaq",
                    .label = "SLAQ: quality-driven",
                    .summary = "Every epoch, workers go one by one to the job whose predicted normalised loss one more "
                               "lowers most.",
                    .source = "After Zhang, Stafman et al., SoCC 2017"};
    info.series = slaqSeries();
    info.goesByLosses = true;
    return policyEntry<Scheduler, Slaq, P>(
        std::move(info),
        choice(&P::rule, "rule", "Rule", {"faithful", "safeguarded"},
               "Whether gains are as predicted alone, or never below a floor, with a least share of the workers."),
        choice(&P::objective, "objective", "Objective", {"total", "max-min"},
               "Whether the sum of the jobs' normalised losses is lowered most, or the worst of them."),
        choice(&P::curve, "curve", "Curve", {"better", "sublinear", "linear", "last-change"},
               "What is fitted to losses: the better of two families, O(1/k), O(μ^k), or their last change goes on."),
        field(&P::epochSeconds, "epoch_s", "Epoch", {1e-3, 1e6}, "s", "Workers are divided anew so often.")
            .logarithmic()
            .usual(600)
            .effect("Fewer changes, and longer predictions."),
        field(&P::decay, "decay", "Decay", {0.01, 1}, "",
              "Weight of a loss in the fit, as a share of that of the next one."),
        field(&P::window, "window", "Window", {4, 1000}, "losses", "So many of the newest losses are fitted.")
            .usual(100),
        field(&P::floor, "floor", "Floor of gains", {0, 0.999}, "",
              "Changes are assumed to fall by this factor per update at worst (safeguarded)."),
        field(&P::minShare, "min_share", "Least share", {0, 1}, "",
              "Of what an equal division gives, each job gets so much at least (safeguarded)."),
        field(&P::hysteresis, "hysteresis", "Hysteresis", {1, 10}, "",
              "Running jobs keep what they have unless a new division gains so many times as much.")
            .usual(2),
        choice(&P::placing, "placing", "Placing", placingChoices,
               "Onto which machines: the fewest, the emptiest, or the fewest within one rack."));
}

} // namespace trainyard
