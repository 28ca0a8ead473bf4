#include "policy/scheduler/ProgressiveFilling.h"

#include "base/Format.h"

#include <algorithm>
#include <array>

namespace trainyard {

ProgressiveFilling::ProgressiveFilling(const SchedulerView& view, Share share, PlacingStrategy strategy,
                                       bool stopAtFirstMisfit)
    : m_view(view), m_share(std::move(share)), m_strategy(strategy), m_stop(stopAtFirstMisfit),
      m_spare(view.freeCapacity()) {
    for (std::size_t m = 0; m < m_spare.size(); ++m)
        m_plan.push_back(view.state().machines()[m].up ? view.workload().cluster.machines[m].capacity
                                                       : ResourceVector{});
    for (std::size_t j = 0; j < view.state().jobs().size(); ++j) {
        const JobState& state = view.state().jobs()[j];
        if (state.phase != JobPhase::running && state.phase != JobPhase::waiting) continue;
        Claim claim{
            .job = JobId(j), .running = state.phase == JobPhase::running, .bounds = view.workers(JobId(j))};
        claim.servers = claim.running ? static_cast<int>(state.placement.servers.size())
                                      : view.workload().jobs[j].servers.minimum;
        if (claim.running)
            for (std::uint32_t w = 0; w < state.placement.workers.size(); ++w)
                if (const MachineId m = state.placement.workers[w]; m.valid() && view.state().machine(m).up)
                    claim.held.push_back(w);
        m_claims.push_back(std::move(claim));
    }
}

double ProgressiveFilling::shareOf(const Claim& claim) const {
    return m_share(claim.job, claim.granted, claim.granted > 0 ? claim.servers : 0);
}

void ProgressiveFilling::takeOne(MachineId machine, const ResourceVector& demand, bool fromSpare) {
    ResourceVector &plan = m_plan[machine.index()], &spare = m_spare[machine.index()];
    plan -= demand;
    if (fromSpare) spare -= demand;
    for (std::size_t r = 0; r < spare.size(); ++r) spare.setMicro(r, std::min(spare.micro(r), plan.micro(r)));
}

/// The minimum of a job: a running one keeps it in place; a waiting one is placed as a whole, or gets
/// nothing.
void ProgressiveFilling::admit(Claim& claim) {
    const Job& job = m_view.workload().job(claim.job);
    if (claim.running) {
        const Placement& now = m_view.state().job(claim.job).placement;
        for (MachineId m : now.servers)
            if (m.valid() && m_view.state().machine(m).up) takeOne(m, job.serverDemand, false);
        const auto minimum = std::min(claim.held.size(), static_cast<std::size_t>(claim.bounds.minimum));
        for (std::size_t i = 0; i < minimum; ++i) {
            takeOne(now.workers[claim.held[i]], job.workerDemand, false);
            claim.kept.push_back(claim.held[i]);
        }
        claim.granted = static_cast<int>(minimum);
        claim.growing = claim.granted > 0 && claim.granted < claim.bounds.maximum;
        claim.steps.push_back({claim.granted, 0, -1, true});
        return;
    }
    const int workers = claim.bounds.minimum;
    bool fromSpare = true;
    auto trial = m_spare;
    auto placement = placeTasks(m_view.workload(), job, workers, claim.servers, trial, m_strategy);
    if (!placement) {
        fromSpare = false;
        trial = m_plan;
        placement = placeTasks(m_view.workload(), job, workers, claim.servers, trial, m_strategy);
    }
    claim.steps.push_back({workers, 0, -1, placement.has_value()});
    if (!placement) return;
    for (MachineId m : placement->workers) takeOne(m, job.workerDemand, fromSpare);
    for (MachineId m : placement->servers) takeOne(m, job.serverDemand, fromSpare);
    claim.started = std::move(*placement);
    claim.granted = workers;
    claim.growing = workers < claim.bounds.maximum;
}

bool ProgressiveFilling::hosts(const Claim& claim, MachineId machine) const {
    const auto in = [&](const auto& list) {
        return std::find(list.begin(), list.end(), machine) != list.end();
    };
    const Placement& now = m_view.state().job(claim.job).placement;
    return in(claim.added) || in(claim.started.workers) || in(claim.started.servers) ||
           (claim.running && in(now.servers)) ||
           std::any_of(claim.kept.begin(), claim.kept.end(),
                       [&](auto w) { return now.workers[w] == machine; });
}

bool ProgressiveFilling::sharesRack(const Claim& claim, MachineId machine) const {
    const auto& machines = m_view.workload().cluster.machines;
    const std::string& rack = machines[machine.index()].rack;
    const auto in = [&](const auto& list) {
        return std::any_of(list.begin(), list.end(),
                           [&](MachineId m) { return m.valid() && machines[m.index()].rack == rack; });
    };
    return in(claim.added) || in(claim.started.workers) ||
           (claim.running && in(m_view.state().job(claim.job).placement.workers));
}

/// For one more worker: pack prefers machines that have the job already, then full ones; spread prefers empty
/// ones; rack prefers the racks that have the job, then packs. Ties go to the lower id.
MachineId ProgressiveFilling::chooseMachine(const Claim& claim, std::span<const ResourceVector> free) const {
    const ResourceVector& demand = m_view.workload().job(claim.job).workerDemand;
    MachineId best;
    std::array<double, 3> bestKey{};
    for (std::size_t m = 0; m < free.size(); ++m) {
        if (!m_view.state().machines()[m].up || !demand.fitsIn(free[m])) continue;
        const MachineId id(m);
        const double freeShare = dominantShare(free[m], m_view.workload().cluster.machines[m].capacity);
        std::array<double, 3> key{0, 0, -freeShare}; // smaller is better
        if (m_strategy != PlacingStrategy::spread)
            key = {m_strategy == PlacingStrategy::rack && !sharesRack(claim, id) ? 1.0 : 0.0,
                   hosts(claim, id) ? 0.0 : 1.0, freeShare};
        if (best.valid() && !(key < bestKey)) continue;
        best = id;
        bestKey = key;
    }
    return best;
}

bool ProgressiveFilling::grow(Claim& claim) {
    const ResourceVector& demand = m_view.workload().job(claim.job).workerDemand;
    const auto next = claim.kept.size();
    if (claim.running && claim.added.empty() && next < claim.held.size()) {
        const MachineId here = m_view.state().job(claim.job).placement.workers[claim.held[next]];
        if (demand.fitsIn(m_plan[here.index()])) {
            takeOne(here, demand, false);
            claim.kept.push_back(claim.held[next]);
            return true;
        }
    }
    MachineId machine = chooseMachine(claim, m_spare);
    const bool fromSpare = machine.valid();
    if (!fromSpare) machine = chooseMachine(claim, m_plan);
    if (!machine.valid()) return false;
    takeOne(machine, demand, fromSpare);
    claim.added.push_back(machine);
    return true;
}

void ProgressiveFilling::fill() {
    while (!m_stopped) {
        Claim* least = nullptr;
        double leastShare = 0, secondShare = -1;
        for (Claim& claim : m_claims) {
            if (!claim.growing) continue;
            const double share = shareOf(claim);
            if (!least || share < leastShare) {
                if (least) secondShare = leastShare;
                least = &claim;
                leastShare = share;
            } else if (secondShare < 0 || share < secondShare) {
                secondShare = share;
            }
        }
        if (!least) return;
        Step step{least->granted + 1, leastShare, secondShare, grow(*least)};
        if (step.placed) {
            ++least->granted;
            least->growing = least->granted < least->bounds.maximum;
        } else {
            least->growing = false;
            m_stopped = m_stop;
        }
        least->steps.push_back(step);
    }
}

/// All tasks of a running job's plan. Workers that stay keep their number where the plan is long enough.
Placement ProgressiveFilling::planned(const Claim& claim, bool keptOnly) const {
    if (!claim.running) {
        Placement out = claim.started;
        out.workers.insert(out.workers.end(), claim.added.begin(), claim.added.end());
        return out;
    }
    const Placement& now = m_view.state().job(claim.job).placement;
    Placement out{.workers = {}, .servers = now.servers};
    out.workers.resize(claim.kept.size() + (keptOnly ? 0 : claim.added.size()));
    std::vector<MachineId> rest;
    for (auto w : claim.kept) {
        if (w < out.workers.size())
            out.workers[w] = now.workers[w];
        else
            rest.push_back(now.workers[w]);
    }
    if (!keptOnly) rest.insert(rest.end(), claim.added.begin(), claim.added.end());
    auto next = rest.begin();
    for (MachineId& m : out.workers)
        if (!m.valid()) m = *next++;
    return out;
}

void ProgressiveFilling::decide(const PolicyContext& context, const std::string& policy,
                                SchedulingDecisions& decisions) {
    for (Claim& claim : m_claims)
        if (claim.running) admit(claim);
    for (Claim& claim : m_claims)
        if (!claim.running) admit(claim);
    fill();
    for (const Claim& claim : m_claims) { // what frees room
        if (!claim.running || claim.kept.size() == claim.held.size() || claim.kept.empty()) continue;
        decisions.resize(claim.job, planned(claim, true));
        if (claim.added.empty()) explain(context, policy, claim);
    }
    for (const Claim& claim : m_claims) // what grows, or closes a gap in the numbers of its workers
        if (claim.running && claim.granted > 0 &&
            (!claim.added.empty() ||
             (claim.kept.size() == claim.held.size() &&
              planned(claim, false).workers != m_view.state().job(claim.job).placement.workers))) {
            decisions.resize(claim.job, planned(claim, false));
            explain(context, policy, claim);
        }
    for (const Claim& claim : m_claims)
        if (!claim.running && claim.granted > 0) {
            decisions.start(claim.job, planned(claim, false));
            explain(context, policy, claim);
        }
}

void ProgressiveFilling::explain(const PolicyContext& context, const std::string& policy,
                                 const Claim& claim) const {
    if (!context.explaining()) return;
    constexpr std::size_t shownAtMost = 64;
    Explanation why{.family = PolicyFamily::scheduler, .policy = policy, .job = claim.job};
    why.summary = {
        claim.running ? TRAINYARD_TEXT("{0} now has {1} workers: its share is {2}")
                      : TRAINYARD_TEXT("{0} starts with {1} workers: its share is {2}"),
        {jobLabel(m_view, claim.job), std::to_string(claim.granted), formatNumber(shareOf(claim), 3)}};
    why.rule = Rule::maximum;
    why.criterion = "workers";
    const std::size_t first = claim.steps.size() > shownAtMost ? claim.steps.size() - shownAtMost : 0;
    for (std::size_t i = first; i < claim.steps.size(); ++i) {
        const Step& step = claim.steps[i];
        Candidate candidate{.label = std::to_string(step.workers) + " workers",
                            .checks = {{"placed", step.placed ? 1.0 : 0.0, Comparison::atLeast, 1}},
                            .numbers = {{"workers", double(step.workers)}, {"share before", step.share}}};
        if (step.othersLeast >= 0)
            candidate.checks.push_back({"share before", step.share, Comparison::atMost, step.othersLeast});
        if (step.placed) why.chosen = {why.candidates.size()};
        why.candidates.push_back(std::move(candidate));
    }
    if (claim.granted == claim.bounds.maximum)
        why.candidates.push_back(
            {.label = std::to_string(claim.granted + 1) + " workers",
             .checks = {{"the job's maximum", double(claim.granted + 1), Comparison::atMost,
                         double(claim.bounds.maximum)}},
             .numbers = {{"workers", double(claim.granted + 1)}, {"share before", shareOf(claim)}}});
    context.explain(std::move(why));
}

} // namespace trainyard
