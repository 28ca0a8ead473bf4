// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// tetris: multi-resource packing. Of the jobs that fit, the one starts whose demand is best aligned with what is free, less a
// penalty for work still to do; its tasks go where they are aligned best. After the idea of Grandl et al., Multi-resource packing
// for cluster schedulers, SIGCOMM 2014; the formulas are those of the help page.
#include "policy/Builtin.h"
#include "policy/scheduler/AloneSpeeds.h"
#include "policy/scheduler/Refusals.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

struct TetrisParams {
    double epsilon = 1;
    std::string placing = "align";
    std::string size = "as-many-as-fit";
};

/// Σ (demand / capacity) · (free / capacity) over the resources that the machine has.
double alignment(const ResourceVector& demand, const ResourceVector& free, const ResourceVector& capacity) {
    double sum = 0;
    for (std::size_t r = 0; r < demand.size(); ++r)
        if (capacity.micro(r) > 0) sum += demand.amount(r) / capacity.amount(r) * (free.amount(r) / capacity.amount(r));
    return sum;
}

/// The machine that a task is aligned with best, the first of equals; invalid: it fits on none.
std::pair<MachineId, double> bestAligned(const Workload& workload, const ResourceVector& demand, FreeCapacity& free) {
    MachineId best;
    double most = 0;
    for (const auto& [key, group] : free.groups()) {
        if (!demand.fitsIn(key.free)) continue;
        const MachineId machine(*group.machines.begin());
        const double here = alignment(demand, key.free, workload.machine(machine).capacity);
        if (best.valid() && (here < most || (here == most && best < machine))) continue;
        best = machine;
        most = here;
    }
    return {best, most};
}

/// Task by task, workers first; `free` is reduced, or untouched if they do not all fit.
std::optional<Placement> placeAligned(const Workload& workload, const Job& job, int workers, int servers,
                                      FreeCapacity& free) {
    Placement out;
    const auto place = [&](std::vector<MachineId>& tasks, int count, const ResourceVector& demand) {
        for (int i = 0; i < count; ++i) {
            const MachineId machine = bestAligned(workload, demand, free).first;
            if (!machine.valid()) return false;
            free.take(machine, demand);
            tasks.push_back(machine);
        }
        return true;
    };
    if (place(out.workers, workers, job.workerDemand) && place(out.servers, servers, job.serverDemand)) return out;
    giveTasks(job, out, free);
    return std::nullopt;
}

class Tetris final : public Scheduler {
public:
    explicit Tetris(TetrisParams params)
        : m_params(std::move(params)), m_alone(placingStrategy(m_params.placing), m_params.size) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Tetris>(*this); }

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                SchedulingDecisions& decisions) override {
        m_alone.follow(view, since);
        std::vector<JobId> left(view.jobsIn(JobPhase::waiting).begin(), view.jobsIn(JobPhase::waiting).end());
        while (!left.empty()) {
            const std::vector<Scored> order = ranked(view, left);
            std::optional<Placement> placement;
            std::size_t tried = 0;
            for (; tried < order.size() && !placement; ++tried) placement = place(view, order[tried].job);
            if (!placement) return refuseAll(context, view, left);
            explain(context, view, order, tried - 1, *placement);
            const JobId job = order[tried - 1].job;
            decisions.start(job, std::move(*placement));
            std::erase(left, job);
        }
    }

private:
    static constexpr std::size_t shownAtMost = 32;
    struct Scored {
        JobId job;
        double score = 0, alignment = 0, work = 0;
    };

    /// Jobs of whom a worker fits on some machine, the best first.
    std::vector<Scored> ranked(const SchedulerView& view, const std::vector<JobId>& jobs) {
        std::vector<Scored> out;
        std::vector<std::pair<ResourceVector, double>>
            known; // jobs ask for few different amounts; negative: it fits nowhere
        for (const JobId id : jobs) {
            const ResourceVector& demand = view.workload().job(id).workerDemand;
            auto it = std::find_if(known.begin(), known.end(), [&](const auto& k) { return k.first == demand; });
            if (it == known.end()) {
                const auto [machine, most] = bestAligned(view.workload(), demand, view.free());
                it = known.insert(known.end(), {demand, machine.valid() ? most : -1.0});
            }
            if (it->second >= 0) out.push_back({id, 0, it->second, workOf(view, id)});
        }
        double aligned = 0, work = 0, finite = 0;
        for (const Scored& s : out) {
            aligned += s.alignment / static_cast<double>(out.size());
            if (s.work >= AloneSpeeds::unknownSeconds) continue;
            work += s.work;
            ++finite;
        }
        const double scale = work > 0 ? m_params.epsilon * aligned / (work / finite) : 0;
        for (Scored& s : out) s.score = s.alignment - scale * s.work;
        std::sort(out.begin(), out.end(), [](const Scored& a, const Scored& b) {
            return a.score != b.score ? a.score > b.score : a.job < b.job;
        });
        return out;
    }

    /// Shares of the whole cluster's resources, added up, × the seconds for which it would hold them if it were alone.
    double workOf(const SchedulerView& view, JobId id) {
        const double seconds = m_alone.remainingSeconds(view, id);
        const int workers = m_alone.workers(view, id);
        if (workers == 0 || seconds >= AloneSpeeds::unknownSeconds) return AloneSpeeds::unknownSeconds;
        const Job& job = view.workload().job(id);
        const int servers = job.serversFor(workers, view.workers(id));
        double shares = 0;
        const ResourceVector& whole = m_alone.capacity();
        for (std::size_t r = 0; r < whole.size(); ++r)
            if (whole.micro(r) > 0)
                shares +=
                    (job.workerDemand.amount(r) * workers + job.serverDemand.amount(r) * servers) / whole.amount(r);
        return std::min(AloneSpeeds::unknownSeconds, seconds * shares);
    }

    std::optional<Placement> place(const SchedulerView& view, JobId id) const {
        FreeCapacity& free = view.free();
        if (m_params.placing != "align")
            return placeJob(view, id, free, placingStrategy(m_params.placing), m_params.size);
        const Job& job = view.workload().job(id);
        const Bounds bounds = view.workers(id);
        const int least = leastWorkers(view, id);
        std::int64_t room = 0; // for workers
        for (const auto& [key, group] : free.groups())
            room +=
                job.workerDemand.copiesIn(key.free, bounds.maximum) * static_cast<std::int64_t>(group.machines.size());
        const int most = m_params.size == "minimum" ? bounds.minimum
                                                    : static_cast<int>(std::min<std::int64_t>(bounds.maximum, room));
        for (int n = most; n >= least; --n)
            if (auto placement = placeAligned(view.workload(), job, n, job.serversFor(n, bounds), free))
                return placement;
        return std::nullopt;
    }

    int leastWorkers(const SchedulerView& view, JobId id) const {
        const Bounds bounds = view.workers(id);
        return m_params.size == "maximum" ? bounds.maximum : bounds.minimum;
    }

    void refuseAll(const PolicyContext& context, const SchedulerView& view, const std::vector<JobId>& jobs) {
        if (!context.explaining()) return;
        for (const JobId id : jobs) {
            const int least = leastWorkers(view, id);
            m_refusals.tried(context, view, id, least, view.workload().job(id).serversFor(least, view.workers(id)),
                             "tetris");
        }
    }

    /// Those of a better score do not fit as a whole.
    void explain(const PolicyContext& context, const SchedulerView& view, const std::vector<Scored>& order,
                 std::size_t chosen, const Placement& placement) const {
        if (!context.explaining()) return;
        const JobId id = order[chosen].job;
        giveTasks(view.workload().job(id), placement, view.free());
        Explanation why{.family = PolicyFamily::scheduler, .policy = "tetris", .job = id};
        why.summary = {TRAINYARD_TEXT("{0} fits what is free best: workers {1}, on {2}"),
                       {jobLabel(view, id), std::to_string(placement.workers.size()), machineList(view, placement)}};
        why.rule = Rule::maximum;
        why.criterion = "score";
        const std::size_t first = chosen > shownAtMost ? chosen - shownAtMost : 0;
        for (std::size_t i = first; i < std::min(order.size(), chosen + shownAtMost); ++i) {
            const Scored& s = order[i];
            Candidate candidate{
                .label = jobLabel(view, s.job),
                .numbers = {{"score", s.score}, {"alignment", s.alignment}, {"remaining_work_s", s.work}}};
            const int workers = i == chosen ? static_cast<int>(placement.workers.size()) : leastWorkers(view, s.job);
            if (i <= chosen)
                candidate.checks =
                    fitChecks(view, s.job, workers, view.workload().job(s.job).serversFor(workers, view.workers(s.job)),
                              view.free(), i == chosen);
            if (i == chosen) why.chosen = {why.candidates.size()};
            why.candidates.push_back(std::move(candidate));
        }
        takeTasks(view.workload().job(id), placement, view.free());
        context.explain(std::move(why));
    }

    TetrisParams m_params;
    AloneSpeeds m_alone;
    Refusals m_refusals;
};

} // namespace

SchedulerEntry builtin::tetris() {
    using P = TetrisParams;
    return policyEntry<Scheduler, Tetris, P>(
        {.id = "tetris",
         .label = "Packing by alignment (Tetris)",
         .summary =
             "The job starts whose demand is best aligned with what is free, less a penalty for work still to do.",
         .source = "After Grandl et al., SIGCOMM 2014"},
        field(&P::epsilon, "epsilon", "Weight of remaining work", {0, 1e6}, "",
              "ε: how much the work that a job has still to do counts against it; 0: alignment alone.")
            .usual(4)
            .effect("Short jobs come earlier, and machines are packed less well."),
        choice(
            &P::placing, "placing", "Placing", {"align", "pack", "spread", "rack"},
            "Onto which machines: where each task is aligned best, the fewest, the emptiest, or the fewest within one rack."),
        sizeField(&P::size));
}

} // namespace trainyard
