// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/fair/FillingCall.h"

#include "base/Format.h"

#include <algorithm>
#include <array>

namespace trainyard {

/// The least on top.
class FillingCall::Heap {
public:
    void push(Growing g) {
        m_items.push_back(g);
        std::push_heap(m_items.begin(), m_items.end(), later);
    }
    Growing pop() {
        std::pop_heap(m_items.begin(), m_items.end(), later);
        const Growing g = m_items.back();
        m_items.pop_back();
        return g;
    }
    bool empty() const { return m_items.empty(); }
    const Growing& top() const { return m_items.front(); }
    void clear() { m_items.clear(); }

private:
    static bool later(const Growing& a, const Growing& b) { return b < a; }
    std::vector<Growing> m_items;
};

const Placement& FillingCall::placementOf(const Claim& claim) const {
    return m_call.view.state().job(claim.job).placement;
}

const ResourceVector& FillingCall::demandOf(const Claim& claim) const {
    return m_call.view.workload().job(claim.job).workerDemand;
}

int FillingCall::serversOf(const Claim& claim, int workers) const {
    if (workers <= 0) return 0;
    const Job& job = m_call.view.workload().job(claim.job);
    return job.workersPerServer ? job.serversFor(workers, claim.bounds) : claim.servers;
}

double FillingCall::shareOf(const Claim& claim, int workers) const {
    return m_call.share(claim.job, workers, serversOf(claim, workers));
}

FillingCall::Growing FillingCall::growing(std::size_t claim) const {
    return {shareOf(m_claims[claim], m_claims[claim].granted), m_claims[claim].job, claim};
}

void FillingCall::takeOne(MachineId machine, const ResourceVector& demand, bool fromSpare) {
    m_plan.take(machine, demand);
    if (fromSpare) return m_spare.take(machine, demand);
    const ResourceVector &plan = m_plan.of(machine), &spare = m_spare.of(machine);
    if (spare.fitsIn(plan)) return;
    ResourceVector least = spare;
    for (std::size_t r = 0; r < least.size(); ++r) least.setMicro(r, std::min(least.micro(r), plan.micro(r)));
    m_spare.set(machine, least);
}

// --- Minima
// --------------------------------------------------------------------------------------------------------------

void FillingCall::addRunning(JobId job, const ProgressiveFilling::Held& held) {
    const Bounds bounds = m_call.view.workers(job);
    const std::size_t kept = std::min(held.workers.size(), static_cast<std::size_t>(bounds.minimum));
    if (kept == held.workers.size() && static_cast<int>(kept) >= bounds.maximum) return;
    Claim claim{.job = job, .held = &held, .bounds = bounds, .kept = kept, .granted = static_cast<int>(kept)};
    claim.servers = static_cast<int>(m_call.view.state().job(job).placement.servers.size());
    claim.keptServers = held.minimum.servers.size();
    m_serversGrow = m_serversGrow || m_call.view.workload().job(job).workersPerServer;
    if (m_call.context.explaining()) claim.steps.push_back({claim.granted, 0, -1, true});
    m_claims.push_back(std::move(claim));
    ++m_running;
}

bool FillingCall::admit(JobId id) {
    const Job& job = m_call.view.workload().job(id);
    const Bounds claimBounds = m_call.view.workers(id);
    Claim claim{.job = id, .bounds = claimBounds, .servers = job.servers.minimum};
    const int workers = claim.bounds.minimum, servers = serversOf(claim, workers);
    m_serversGrow = m_serversGrow || job.workersPerServer;
    const auto place = [&](FreeCapacity& free) {
        const FreeCapacity::Scratch trial(free);
        return placeTasks(m_call.view.workload(), job, workers, servers, free, m_call.strategy);
    };
    auto placement = place(m_spare);
    const bool fromSpare = placement.has_value();
    if (!placement) placement = place(m_plan);
    if (!placement) return false;
    m_planTaken = m_planTaken || !fromSpare;
    for (const MachineId m : placement->workers) takeOne(m, job.workerDemand, fromSpare);
    for (const MachineId m : placement->servers) takeOne(m, job.serverDemand, fromSpare);
    claim.started = std::move(*placement);
    claim.granted = workers;
    if (m_call.context.explaining()) claim.steps.push_back({workers, 0, -1, true});
    m_claims.push_back(std::move(claim));
    return true;
}

// --- One worker more
// -----------------------------------------------------------------------------------------------------

std::vector<MachineId> FillingCall::machinesOf(const Claim& claim) const {
    std::vector<MachineId> out = claim.added;
    out.insert(out.end(), claim.addedServers.begin(), claim.addedServers.end());
    out.insert(out.end(), claim.started.workers.begin(), claim.started.workers.end());
    out.insert(out.end(), claim.started.servers.begin(), claim.started.servers.end());
    if (!claim.running()) return out;
    const Placement& now = placementOf(claim);
    out.insert(out.end(), now.servers.begin(), now.servers.end());
    for (std::size_t i = 0; i < claim.kept; ++i) out.push_back(now.workers[claim.held->workers[i]]);
    return out;
}

bool FillingCall::sharesRack(const Claim& claim, MachineId machine) const {
    const auto& machines = m_call.view.workload().cluster.machines;
    const std::string& rack = machines[machine.index()].rack;
    const auto in = [&](const auto& list) {
        return std::any_of(list.begin(), list.end(),
                           [&](MachineId m) { return m.valid() && machines[m.index()].rack == rack; });
    };
    return in(claim.added) || in(claim.started.workers) || (claim.running() && in(placementOf(claim).workers));
}

/// For one more task of the demand: pack prefers machines that have the job already, then full ones; spread prefers empty
/// ones; rack prefers the racks that have the job, then packs. Ties go to the lower id.
MachineId FillingCall::chooseMachine(const Claim& claim, FreeCapacity& free, const ResourceVector& demand) const {
    if (m_call.strategy == PlacingStrategy::rack) return chooseInRack(claim, free, demand);
    MachineId best;
    double bestShare = 0;
    const auto consider = [&](MachineId machine, double share) {
        if (best.valid() && (share != bestShare ? share > bestShare : machine > best)) return;
        best = machine;
        bestShare = share;
    };
    const bool packs = m_call.strategy == PlacingStrategy::pack;
    if (packs)
        for (const MachineId m : machinesOf(claim))
            if (m.valid() && free.isUp(m) && demand.fitsIn(free.of(m))) consider(m, free.share(m));
    if (best.valid()) return best;
    for (const auto& [key, group] : free.groups())
        if (demand.fitsIn(key.free)) consider(MachineId(*group.machines.begin()), packs ? group.share : -group.share);
    return best;
}

MachineId FillingCall::chooseInRack(const Claim& claim, const FreeCapacity& free, const ResourceVector& demand) const {
    const std::vector<MachineId> own = machinesOf(claim);
    MachineId best;
    std::array<double, 3> bestKey{};
    for (std::size_t m = 0; m < free.machineCount(); ++m) {
        const MachineId id(m);
        if (!free.isUp(id) || !demand.fitsIn(free.of(id))) continue;
        const bool hosts = std::find(own.begin(), own.end(), id) != own.end();
        const std::array<double, 3> key{sharesRack(claim, id) ? 0.0 : 1.0, hosts ? 0.0 : 1.0, free.share(id)};
        if (best.valid() && !(key < bestKey)) continue; // smaller is better
        best = id;
        bestKey = key;
    }
    return best;
}

bool FillingCall::growInSpare(Claim& claim) {
    const MachineId machine = chooseMachine(claim, m_spare, demandOf(claim));
    if (!machine.valid()) return false;
    takeOne(machine, demandOf(claim), true);
    claim.added.push_back(machine);
    return true;
}

/// With the server that goes with it, if it needs one more.
bool FillingCall::grow(Claim& claim) {
    if (serversOf(claim, claim.granted + 1) == serversOf(claim, claim.granted)) return growWorker(claim);
    {
        const FreeCapacity::Scratch plan(m_plan), spare(m_spare);
        const bool taken = m_planTaken;
        const std::size_t hopeless = m_hopeless.size();
        Claim trial = claim;
        const bool both = growServer(trial) && growWorker(trial);
        m_planTaken = taken;
        m_hopeless.resize(hopeless);
        if (!both) return false;
    }
    return growServer(claim) && growWorker(claim);
}

bool FillingCall::growServer(Claim& claim) {
    const ResourceVector& demand = m_call.view.workload().job(claim.job).serverDemand;
    if (claim.addedServers.empty() && claim.keptServers < claim.heldServers()) {
        const MachineId here = claim.held->servers[claim.keptServers];
        if (demand.fitsIn(m_plan.of(here))) {
            takeOne(here, demand, false);
            ++claim.keptServers;
            return true;
        }
    }
    MachineId machine = chooseMachine(claim, m_spare, demand);
    const bool fromSpare = machine.valid();
    if (!fromSpare) machine = chooseMachine(claim, m_plan, demand);
    if (!machine.valid()) return false;
    m_planTaken = m_planTaken || !fromSpare;
    takeOne(machine, demand, fromSpare);
    claim.addedServers.push_back(machine);
    return true;
}

bool FillingCall::growWorker(Claim& claim) {
    const ResourceVector& demand = demandOf(claim);
    if (claim.added.empty() && claim.kept < claim.heldWorkers()) {
        const MachineId here = placementOf(claim).workers[claim.held->workers[claim.kept]];
        if (demand.fitsIn(m_plan.of(here))) {
            takeOne(here, demand, false);
            ++claim.kept;
            return true;
        }
    }
    if (std::find(m_hopeless.begin(), m_hopeless.end(), demand) != m_hopeless.end()) return false;
    if (growInSpare(claim)) return true;
    const MachineId machine = chooseMachine(claim, m_plan, demand);
    if (!machine.valid()) {
        m_hopeless.push_back(demand);
        return false;
    }
    m_planTaken = true;
    takeOne(machine, demand, false);
    claim.added.push_back(machine);
    return true;
}

// --- FillingCall
// -------------------------------------------------------------------------------------------------------------

void FillingCall::fill() {
    Heap heap;
    if (!m_planTaken && !m_serversGrow && !m_call.context.explaining() && fillSpare(heap)) return;
    if (heap.empty())
        for (std::size_t c = 0; c < m_claims.size(); ++c)
            if (canGrow(m_claims[c])) heap.push(growing(c));
    fillPlan(heap);
}

/// As long as others get only what no running task holds, a running job takes back all it has, in whatever order: so it
/// starts from there. False: at the share of the least in `heap`, somebody needs a place that another has not taken back yet.
bool FillingCall::fillSpare(Heap& heap) {
    const auto last = lastToTakeBack();
    for (std::size_t c = 0; c < m_claims.size(); ++c) {
        Claim& claim = m_claims[c];
        if (!canGrow(claim)) continue;
        claim.kept = claim.heldWorkers();
        claim.granted = std::max(claim.granted, static_cast<int>(claim.kept));
        if (canGrow(claim)) heap.push(growing(c));
    }
    while (!heap.empty()) {
        const Growing least = heap.pop();
        Claim& claim = m_claims[least.claim];
        const ResourceVector& demand = demandOf(claim);
        const bool hopeless = std::find(m_hopeless.begin(), m_hopeless.end(), demand) != m_hopeless.end();
        if (!hopeless && growInSpare(claim)) {
            ++claim.granted;
            if (canGrow(claim)) heap.push(growing(least.claim));
            continue;
        }
        if (last && least < *last) {
            takeBack(least);
            heap.clear();
            for (std::size_t c = 0; c < m_claims.size(); ++c)
                if (canGrow(m_claims[c])) heap.push(growing(c));
            return false;
        }
        if (!hopeless) m_hopeless.push_back(demand);
        if (m_call.stopAtFirstMisfit) return true;
    }
    return true;
}

/// The last worker that a running job takes back: from which share, and who.
std::optional<FillingCall::Growing> FillingCall::lastToTakeBack() const {
    std::optional<Growing> last;
    for (std::size_t c = 0; c < m_running; ++c) {
        const Claim& claim = m_claims[c];
        if (!canGrow(claim) || claim.kept >= claim.heldWorkers()) continue;
        const Growing here{shareOf(claim, static_cast<int>(claim.heldWorkers()) - 1), claim.job, c};
        if (!last || *last < here) last = here;
    }
    return last;
}

/// Back to the plan as it was when it was the turn of `until`: running jobs have only taken back what they had to before.
void FillingCall::takeBack(const Growing& until) {
    for (std::size_t c = 0; c < m_running; ++c) {
        Claim& claim = m_claims[c];
        if (claim.held->workers.empty()) continue;
        const std::size_t minimum = std::min(claim.heldWorkers(), static_cast<std::size_t>(claim.bounds.minimum));
        const Placement& now = placementOf(claim);
        claim.kept = minimum;
        for (; claim.kept < claim.heldWorkers(); ++claim.kept) {
            if (claim.added.empty() && !(Growing{shareOf(claim, static_cast<int>(claim.kept)), claim.job, c} < until))
                break;
            m_plan.take(now.workers[claim.held->workers[claim.kept]], demandOf(claim));
        }
        claim.granted = static_cast<int>(claim.kept + claim.added.size());
    }
}

void FillingCall::fillPlan(Heap& heap) {
    while (!heap.empty()) {
        const Growing least = heap.pop();
        const double others = heap.empty() ? -1 : heap.top().share;
        Claim& claim = m_claims[least.claim];
        const Step step{claim.granted + 1, least.share, others, grow(claim)};
        if (m_call.context.explaining()) claim.steps.push_back(step);
        if (step.placed)
            ++claim.granted;
        else if (m_call.stopAtFirstMisfit)
            return;
        if (step.placed && canGrow(claim)) heap.push(growing(least.claim));
    }
}

// --- Decisions
// -----------------------------------------------------------------------------------------------------------

/// All tasks of a job's plan.
Placement FillingCall::planned(const Claim& claim) const {
    Placement out = claim.started;
    if (claim.running()) {
        const Placement& now = placementOf(claim);
        const bool grow = m_call.view.workload().job(claim.job).workersPerServer.has_value();
        out.servers = grow ? claim.held->servers : now.servers;
        if (grow) out.servers.resize(claim.keptServers);
        for (std::size_t i = 0; i < claim.kept; ++i) out.workers.push_back(now.workers[claim.held->workers[i]]);
    }
    out.workers.insert(out.workers.end(), claim.added.begin(), claim.added.end());
    out.servers.insert(out.servers.end(), claim.addedServers.begin(), claim.addedServers.end());
    return out;
}

void FillingCall::decide(SchedulingDecisions& decisions) {
    std::vector<Allotment> plan;
    for (Claim& claim : m_claims) {
        const bool changes =
            !claim.running() || claim.kept < claim.heldWorkers() || !claim.added.empty() || !claim.addedServers.empty();
        if (!changes || claim.granted == 0) continue;
        plan.push_back({claim.job, planned(claim)});
        explain(claim);
    }
    if (!plan.empty()) decisions.replan(std::move(plan));
}

void FillingCall::explain(const Claim& claim) const {
    if (!m_call.context.explaining()) return;
    constexpr std::size_t shownAtMost = 64;
    const double share = shareOf(claim, claim.granted);
    Explanation why{.family = PolicyFamily::scheduler, .policy = m_call.policy, .job = claim.job};
    why.summary = {claim.running() ? TRAINYARD_TEXT("{0} now has {1} {1:worker|workers}: its share is {2}")
                                   : TRAINYARD_TEXT("{0} starts with {1} {1:worker|workers}: its share is {2}"),
                   {jobLabel(m_call.view, claim.job), std::to_string(claim.granted), formatNumber(share, 3)}};
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
        why.candidates.push_back({.label = std::to_string(claim.granted + 1) + " workers",
                                  .checks = {{"the job's maximum", double(claim.granted + 1), Comparison::atMost,
                                              double(claim.bounds.maximum)}},
                                  .numbers = {{"workers", double(claim.granted + 1)}, {"share before", share}}});
    m_call.context.explain(std::move(why));
}

} // namespace trainyard
