// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// dorm: utilization under limits of unfairness and of change. At every arrival and end an integer program says how many workers each
// job gets; running jobs keep their tasks, and what comes is placed. After Sun et al., Dorm, SMARTCOMP 2017 (arXiv 1704.06738), whose
// formulation is recalled, not read; see the help page for what was settled here.
#include "policy/Builtin.h"
#include "policy/scheduler/JobStart.h"
#include "policy/scheduler/Refusals.h"
#include "policy/scheduler/fair/UtilizationProgram.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace trainyard {

namespace {

struct DormParams {
    double theta1 = 0.2, theta2 = 0.1;
    double gap = 0.01;
    int nodes = 1000;
    std::string placing = "pack";
};

enum DormSeries : std::uint16_t { dormUtilization, dormUnfairness, dormChanged, dormGap, dormKept };

class Dorm final : public Scheduler {
public:
    explicit Dorm(DormParams params) : m_params(std::move(params)) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Dorm>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                SchedulingDecisions& decisions) override {
        const bool changed = std::any_of(since.begin(), since.end(), [](const Event& e) {
            return e.type != EventType::lossEvaluated && e.type != EventType::jobStarted &&
                   e.type != EventType::jobResized;
        });
        if (m_began && !changed) return;
        m_began = true;
        FreeCapacity room = FreeCapacity::whole(view.state());
        const std::vector<Member> members = membersOf(context, view, room);
        if (members.empty()) return;
        const Agreed agreed = agree(context, view, members, room.total());
        if (agreed.counts.empty()) return keepAll(context, view, members, agreed);
        carryOut(context, view, members, agreed, room, decisions);
    }

private:
    struct Member {
        JobId id;
        Bounds bounds;
        Placement held; ///< on machines that are up; empty: it waits
        bool runs() const { return !held.workers.empty(); }
    };
    struct Agreed {
        std::vector<int> counts, fair; ///< workers, by member; counts empty: the program has no solution
        UtilizationLimits limits;
        UtilizationPlan plan, fairPlan; ///< the one carried out, and that of the fair counts
    };

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

    /// Running jobs, then waiting ones in order of arrival as far as all have room for their minima in the empty cluster.
    std::vector<Member> membersOf(const PolicyContext& context, const SchedulerView& view, FreeCapacity& plan) {
        const FreeCapacity::Scratch scratch(plan);
        std::vector<Member> out;
        for (const JobId id : view.jobsIn(JobPhase::running)) {
            const Job& job = view.workload().job(id);
            Member member{id, view.workers(id), {}};
            for (const auto role : {&Placement::workers, &Placement::servers})
                for (const MachineId m : view.state().job(id).placement.*role)
                    if (m.valid() && plan.isUp(m)) (member.held.*role).push_back(m);
            takeTasks(job, firstTasks(job, member.held, member.bounds.minimum, member.bounds), plan);
            out.push_back(std::move(member));
        }
        for (const JobId id : view.jobsIn(JobPhase::waiting)) {
            const Job& job = view.workload().job(id);
            const Member member{id, view.workers(id), {}};
            const int least = member.bounds.minimum, servers = serversBeside(member, job, least);
            if (placeTasks(view.workload(), job, least, servers, plan, placingStrategy(m_params.placing)))
                out.push_back(member);
            else
                m_refusals.tried(context, view, id, least, servers, "dorm");
        }
        return out;
    }

    static UtilizationJob programmed(const SchedulerView& view, const Member& member, const ResourceVector& whole) {
        const Job& job = view.workload().job(member.id);
        UtilizationJob out{.worker = {},
                           .server = {},
                           .workers = member.bounds,
                           .servers = serversBeside(member, job, member.bounds.minimum),
                           .workersPerServer = job.workersPerServer,
                           .before = std::nullopt};
        if (member.runs()) out.before = static_cast<int>(member.held.workers.size());
        for (std::size_t r = 0; r < whole.size(); ++r) {
            if (whole.micro(r) <= 0) continue;
            out.worker.push_back(job.workerDemand.amount(r) / whole.amount(r));
            out.server.push_back(job.serverDemand.amount(r) / whole.amount(r));
        }
        return out;
    }

    Agreed agree(const PolicyContext& context, const SchedulerView& view, const std::vector<Member>& members,
                 const ResourceVector& whole) const {
        std::vector<UtilizationJob> jobs;
        int running = 0;
        for (const Member& member : members) {
            jobs.push_back(programmed(view, member, whole));
            running += member.runs();
        }
        Agreed out;
        const auto resources = static_cast<double>(jobs[0].worker.size());
        out.limits.unfairness = std::ceil(m_params.theta1 * 2 * resources - 1e-9);
        out.limits.changes = static_cast<int>(std::ceil(m_params.theta2 * running - 1e-9));
        out.fair = dominantFairCounts(jobs);
        out.plan = bestUtilization(jobs, out.fair, out.limits, {.gap = m_params.gap, .nodes = m_params.nodes});
        for (std::size_t j = 0; j < jobs.size(); ++j) {
            out.fairPlan.utilization += jobs[j].utilization(out.fair[j]);
            out.fairPlan.changed += jobs[j].before && *jobs[j].before != out.fair[j];
        }
        out.counts = out.plan.workers;
        // The search may have stopped at something worse than the fair counts.
        if (out.fairPlan.changed <= out.limits.changes &&
            (out.counts.empty() || out.plan.utilization < out.fairPlan.utilization)) {
            out.counts = out.fair;
            out.fairPlan.bound = out.plan.bound;
            out.plan = out.fairPlan;
        }
        note(context, out);
        return out;
    }

    static void note(const PolicyContext& context, const Agreed& agreed) {
        context.note(dormKept, agreed.counts.empty() ? 1 : 0);
        if (agreed.counts.empty()) return;
        context.note(dormUtilization, agreed.plan.utilization);
        context.note(dormUnfairness, agreed.plan.unfairness);
        context.note(dormChanged, agreed.plan.changed);
        const double above = std::max(0.0, agreed.plan.bound - agreed.plan.utilization);
        context.note(dormGap, agreed.plan.bound > 0 ? above / agreed.plan.bound : 0);
    }

    void carryOut(const PolicyContext& context, const SchedulerView& view, const std::vector<Member>& members,
                  const Agreed& agreed, FreeCapacity& room, SchedulingDecisions& decisions) {
        std::vector<Placement> placements;
        for (std::size_t j = 0; j < members.size(); ++j) {
            const Job& job = view.workload().job(members[j].id);
            placements.push_back(firstTasks(job, members[j].held, agreed.counts[j], members[j].bounds));
            takeTasks(job, placements.back(), room);
        }
        for (const bool growing : {false, true}) // those who start need room for all they have at once
            for (std::size_t j = 0; j < members.size(); ++j)
                if (members[j].runs() == growing) grow(view, members[j], agreed.counts[j], placements[j], room);
        std::vector<Allotment> plan;
        for (std::size_t j = 0; j < members.size(); ++j) {
            const Member& member = members[j];
            if (!member.runs() && placements[j].workers.empty()) {
                const Job& job = view.workload().job(member.id);
                const int least = member.bounds.minimum;
                m_refusals.tried(context, view, member.id, least, serversBeside(member, job, least), "dorm");
                continue;
            }
            if (placements[j] == member.held) continue;
            explain(context, view, members, agreed, j, placements[j]);
            plan.push_back({member.id, placements[j]});
        }
        if (!plan.empty()) decisions.replan(std::move(plan));
    }

    /// Up to `count` workers, or as many as there is room for on single machines.
    void grow(const SchedulerView& view, const Member& member, int count, Placement& placement,
              FreeCapacity& room) const {
        const Job& job = view.workload().job(member.id);
        const int from = static_cast<int>(placement.workers.size());
        const int least = member.runs() ? from + 1 : member.bounds.minimum;
        for (int n = count; n >= least; --n) {
            const int servers = serversBeside(member, job, n) - static_cast<int>(placement.servers.size());
            const auto more = placeTasks(view.workload(), job, n - from, std::max(0, servers), room,
                                         placingStrategy(m_params.placing));
            if (!more) continue;
            placement.workers.insert(placement.workers.end(), more->workers.begin(), more->workers.end());
            placement.servers.insert(placement.servers.end(), more->servers.begin(), more->servers.end());
            return;
        }
    }

    // --- Explanations

    void keepAll(const PolicyContext& context, const SchedulerView& view, const std::vector<Member>& members,
                 const Agreed& agreed) {
        for (const Member& member : members) {
            if (!context.explaining() || member.runs() || !m_told.insert(member.id).second) continue;
            Explanation why{.family = PolicyFamily::scheduler, .policy = "dorm", .job = member.id};
            why.summary = {
                TRAINYARD_TEXT("{0} waits: no plan was found that gives all {1} jobs workers and changes at most {2}"),
                {jobLabel(view, member.id), std::to_string(members.size()), std::to_string(agreed.limits.changes)}};
            why.rule = Rule::everyFeasible;
            why.candidates.push_back({.label = jobLabel(view, member.id),
                                      .checks = {{"a plan within the limits", 0, Comparison::atLeast, 1}},
                                      .numbers = {{"workers", double(member.bounds.minimum)}}});
            context.refuse(std::move(why));
        }
    }

    static void explain(const PolicyContext& context, const SchedulerView& view, const std::vector<Member>& members,
                        const Agreed& agreed, std::size_t j, const Placement& placement) {
        if (!context.explaining()) return;
        Explanation why{.family = PolicyFamily::scheduler, .policy = "dorm", .job = members[j].id};
        why.summary = {
            members[j].runs()
                ? TRAINYARD_TEXT("{0} now has {1} {1:worker|workers} in the plan for {2} {2:job|jobs}, on {3}")
                : TRAINYARD_TEXT("{0} starts with {1} {1:worker|workers} in the plan for {2} {2:job|jobs}, on {3}"),
            {jobLabel(view, members[j].id), std::to_string(placement.workers.size()), std::to_string(members.size()),
             machineList(view, placement)}};
        why.rule = Rule::maximum;
        why.criterion = "utilization";
        const auto candidate = [&](const char* label, const UtilizationPlan& plan, int workers) {
            why.candidates.push_back(
                {.label = label,
                 .checks = {{"unfairness", plan.unfairness, Comparison::atMost, agreed.limits.unfairness + 1e-6},
                            {"running jobs changed", double(plan.changed), Comparison::atMost,
                             double(agreed.limits.changes)}},
                 .numbers = {{"utilization", plan.utilization}, {"workers", double(workers)}}});
        };
        candidate("plan", agreed.plan, agreed.counts[j]);
        candidate("dominant fair shares", agreed.fairPlan, agreed.fair[j]);
        why.chosen = {0};
        context.explain(std::move(why));
    }

    DormParams m_params;
    bool m_began = false;
    Refusals m_refusals;
    std::set<JobId> m_told; ///< jobs of which it has been said that they wait for a plan
};

} // namespace

SchedulerEntry builtin::dorm() {
    using P = DormParams;
    PolicyInfo info{.id = "dorm",
                    .label = "Utilization within fairness (Dorm)",
                    .summary =
                        "An integer program gives jobs workers so that the cluster is used best, near fair shares and "
                        "with few changes.",
                    .source = "After Sun et al., SMARTCOMP 2017"};
    info.series = {
        {"utilization", "Utilization planned", "", "Sum over jobs and resources of the shares planned.", "", ""},
        {"unfairness", "Unfairness planned", "", "Sum over jobs of the distance from the dominant fair share.", "", ""},
        {"changed_jobs", "Running jobs changed", "", "How many running jobs get another number of workers.", "", ""},
        {"gap", "Gap", "", "How far the plan may be from the best one, relative to a bound.", "", ""},
        {"kept", "No plan", "", "1 where the program had no solution and all was kept as it was, else 0.", "", ""}};
    return policyEntry<Scheduler, Dorm, P>(
        std::move(info),
        field(&P::theta1, "theta1", "Unfairness allowed", {0, 1}, "",
              "θ1: distances from the dominant fair shares may add up to ⌈θ1 · 2 · resources⌉."),
        field(&P::theta2, "theta2", "Change allowed", {0, 1}, "",
              "θ2: of the running jobs, ⌈θ2 · jobs⌉ may get another number of workers at a time."),
        field(&P::gap, "gap", "Gap", {0, 1}, "",
              "The search stops at a plan known to be so near the best one, relatively."),
        field(&P::nodes, "nodes", "Nodes", {1, 1e7}, "",
              "The search stops after so many nodes of its tree, with the best plan found so far.")
            .usual(10'000),
        placingField(&P::placing));
}

} // namespace trainyard
