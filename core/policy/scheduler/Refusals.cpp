// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/Refusals.h"

#include <algorithm>

namespace trainyard {

namespace refusals {

constexpr std::size_t mostMachines = 16; // that an explanation lists
constexpr std::size_t together = static_cast<std::size_t>(-1);

/// The first resource of which less is free than all tasks ask for, or that they do not fit on the machines together.
std::size_t failing(const ResourceVector& demand, const ResourceVector& total) {
    for (std::size_t r = 0; r < demand.size(); ++r)
        if (demand.micro(r) > total.micro(r)) return r;
    return together;
}

/// The machine for a worker: its checks, and for how many workers it has room.
Candidate machineFor(const SchedulerView& view, const Job& job, const FreeCapacity& capacity, MachineId id) {
    const auto& names = view.workload().cluster.resourceNames;
    const MachineState& machine = view.state().machine(id);
    const ResourceVector& free = capacity.of(id);
    Candidate out{.label = view.workload().machine(id).key};
    for (std::size_t r = 0; r < job.workerDemand.size(); ++r)
        if (job.workerDemand.micro(r) > 0)
            out.checks.push_back({"free " + (r < names.size() ? names[r] : std::to_string(r)),
                                  job.workerDemand.amount(r), Comparison::atMost, free.amount(r)});
    if (!machine.up) out.checks.push_back({"up", 0, Comparison::atLeast, 1});
    const std::int64_t room = machine.up ? job.workerDemand.copiesIn(free, job.workers.maximum) : 0;
    out.numbers = {{"room for workers", static_cast<double>(room)}};
    return out;
}

} // namespace refusals

using namespace refusals;

void Refusals::tried(const PolicyContext& context, const SchedulerView& view, const Attempt& attempt,
                     const std::string& policy) {
    if (!context.explaining()) return;
    const Job& what = view.workload().job(attempt.job);
    const ResourceVector demand = what.workerDemand.times(attempt.workers) + what.serverDemand.times(attempt.servers);
    const std::size_t constraint = failing(demand, attempt.free->total());
    const auto [last, isNew] = m_last.try_emplace(attempt.job, constraint);
    if (!isNew && last->second == constraint) return;
    last->second = constraint;
    record(context, view, attempt, policy);
}

void Refusals::record(const PolicyContext& context, const SchedulerView& view, const Attempt& attempt,
                      const std::string& policy) const {
    const auto& [job, workers, servers, free, behind] = attempt;
    const Job& what = view.workload().job(job);
    Explanation why{.family = PolicyFamily::scheduler, .policy = policy, .job = job};
    const std::string name = jobLabel(view, job), count = std::to_string(workers);
    why.summary =
        behind == 0
            ? Text{TRAINYARD_TEXT("{0} does not fit with {1} {1:worker|workers}"), {name, count}}
            : Text{TRAINYARD_TEXT("{0} does not fit with {1} {1:worker|workers}; jobs that wait behind it: {2}"),
                   {name, count, std::to_string(behind)}};
    why.rule = Rule::everyFeasible; // of tasks: none, since the first candidate, all of them together, fails
    Candidate all{.label = name,
                  .checks = fitChecks(view, job, workers, servers, *free, false),
                  .numbers = {{"workers", double(workers)}}};
    why.candidates.push_back(std::move(all));
    std::vector<Candidate> machines;
    for (std::size_t m = 0; m < view.workload().cluster.machines.size(); ++m)
        machines.push_back(machineFor(view, what, *free, MachineId(m)));
    const std::size_t shown = std::min(machines.size(), mostMachines);
    std::stable_sort(machines.begin(), machines.end(),
                     [](const Candidate& a, const Candidate& b) { return a.numbers[0].value > b.numbers[0].value; });
    machines.erase(machines.begin() + static_cast<std::ptrdiff_t>(shown), machines.end());
    for (Candidate& machine : machines) {
        if (machine.feasible()) why.chosen.push_back(why.candidates.size());
        why.candidates.push_back(std::move(machine));
    }
    context.refuse(std::move(why));
}

} // namespace trainyard
