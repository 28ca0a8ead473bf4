// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Test double of the scheduler family: re-plans everything every epoch, at random: numbers of workers within their bounds,
// machines with room, servers that stay or move, jobs that are stopped to wait, other batches. Epochs get longer, so that jobs that begin
// again every time come to an end. Tells what it does by notes, and what it means to do next by reservations.
#include "base/Result.h"
#include "planning/TaskPlacer.h"
#include "policy/Registry.h"

namespace trainyard::test {

struct EpochPlannerParams {
    double epochSeconds = 0.4;
    double stayProbability = 0.6;
};

class EpochPlanner final : public Scheduler {
public:
    explicit EpochPlanner(EpochPlannerParams params) : m_params(params) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<EpochPlanner>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event>,
                SchedulingDecisions& decisions) override {
        std::vector<JobId> jobs;
        for (const JobId job : view.jobsIn(JobPhase::running)) jobs.push_back(job);
        for (const JobId job : view.jobsIn(JobPhase::waiting)) jobs.push_back(job);
        if (jobs.empty()) return;
        if (context.now < m_next) return decisions.wakeAt(m_next);
        for (std::size_t i = jobs.size(); i > 1; --i) std::swap(jobs[i - 1], jobs[context.random.below(i)]);
        FreeCapacity free = FreeCapacity::whole(view.state());
        std::vector<Allotment> plan;
        for (const JobId job : jobs) {
            plan.push_back({job, planned(context, view, job, free)});
            if (view.workload().job(job).kind() != JobKind::graph && context.random.below(4) == 0)
                plan.back().batch = 1 + static_cast<int>(context.random.below(16));
        }
        explain(context, plan);
        const auto epoch = static_cast<std::uint32_t>(++m_calls);
        for (const Allotment& a : plan) {
            context.note(0, static_cast<double>(a.placement.workers.size()), epoch, 0, a.job);
            for (const MachineId m : a.placement.workers) decisions.reserve(a.job, TaskRole::worker, m, epoch + 1, 1);
        }
        context.note(1, static_cast<double>(jobs.size()));
        decisions.replan(std::move(plan));
        m_next = context.now + Duration::seconds(m_params.epochSeconds * (1 + 0.1 * static_cast<double>(m_calls)));
        decisions.wakeAt(m_next);
    }

    static SchedulerEntry entry() {
        using P = EpochPlannerParams;
        PolicyInfo info{
            .id = "test-epoch-planner", .label = "Epoch planner", .summary = "Re-plans everything every epoch."};
        info.series = {{"workers", "Workers", "", "Workers that a job is given.", "call", ""},
                       {"jobs", "Jobs", "", "Jobs that are planned.", "", ""}};
        return policyEntry<Scheduler, EpochPlanner, P>(
            std::move(info),
            field(&P::epochSeconds, "epoch", "Epoch", {0.05, 10}, "s", "How often everything is planned."),
            field(&P::stayProbability, "stay", "Staying", {0, 1}, "", "How probably a job keeps its servers."));
    }

private:
    Placement planned(const PolicyContext& context, const SchedulerView& view, JobId id, FreeCapacity& free) const {
        const Job& job = view.workload().job(id);
        const Bounds bounds = view.workers(id);
        const Placement& held = view.state().job(id).placement;
        const int range = bounds.maximum - bounds.minimum;
        const int wanted =
            bounds.minimum + static_cast<int>(context.random.below(static_cast<std::uint64_t>(range) + 1));
        const bool stays = !held.empty() && context.random.unit() < m_params.stayProbability;
        for (int n = wanted; n >= bounds.minimum; --n) {
            if (stays)
                if (auto placement = around(held, job, n, job.serversFor(n, bounds), free)) return *placement;
            const auto strategy = context.random.below(2) == 0 ? PlacingStrategy::pack : PlacingStrategy::spread;
            if (auto placement = placeTasks(view.workload(), job, n, job.serversFor(n, bounds), free, strategy))
                return *placement;
        }
        return {};
    }

    /// The servers where they are, some of the workers too.
    static std::optional<Placement> around(const Placement& held, const Job& job, int workers, int servers,
                                           FreeCapacity& free) {
        if (held.servers.size() != static_cast<std::size_t>(servers)) return std::nullopt;
        Placement out{.workers = {}, .servers = held.servers};
        {
            const FreeCapacity::Scratch trial(free);
            for (const MachineId m : held.servers) {
                if (!free.isUp(m) || !job.serverDemand.fitsIn(free.of(m))) return std::nullopt;
                free.take(m, job.serverDemand);
            }
            const auto add = [&](MachineId m) {
                if (!m.valid() || !free.isUp(m) || !job.workerDemand.fitsIn(free.of(m))) return;
                if (out.workers.size() == static_cast<std::size_t>(workers)) return;
                free.take(m, job.workerDemand);
                out.workers.push_back(m);
            };
            for (std::size_t w = held.workers.size(); w-- > 0;)
                if (w != 0 || held.workers.size() == 1)
                    add(held.workers[w]); // the first of several goes: numbers get gaps
            for (std::size_t m = 0; m < free.machineCount(); ++m)
                for (int i = 0; i < workers; ++i) add(MachineId(m));
            if (out.workers.size() < static_cast<std::size_t>(workers)) return std::nullopt;
        }
        takeTasks(job, out, free);
        return out;
    }

    static void explain(const PolicyContext& context, const std::vector<Allotment>& plan) {
        Explanation why{.family = PolicyFamily::scheduler, .policy = "test-epoch-planner"};
        why.summary = {"{0} jobs are planned anew", {std::to_string(plan.size())}};
        why.rule = Rule::everyFeasible;
        for (const Allotment& a : plan) {
            if (!a.placement.empty()) why.chosen.push_back(why.candidates.size());
            why.candidates.push_back({.label = std::to_string(a.job.value),
                                      .checks = {{"placed", a.placement.empty() ? 0.0 : 1.0, Comparison::atLeast, 1}},
                                      .numbers = {}});
        }
        context.explain(std::move(why));
    }

    EpochPlannerParams m_params;
    std::uint64_t m_calls = 0;
    SimTime m_next;
};

} // namespace trainyard::test
