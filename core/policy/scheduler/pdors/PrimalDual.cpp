// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/pdors/PrimalDual.h"

#include "policy/scheduler/JobStart.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

} // namespace

std::vector<SeriesInfo> PrimalDual::series() {
    return {
        {"candidate_utility", "Utility of a schedule", "", "The job's utility if it ends in a slot.", "slot", ""},
        {"candidate_cost", "Cost of a schedule", "", "The cost of the cheapest schedule that ends in a slot.", "slot",
         ""},
        {"payoff", "Payoff", "", "Utility less cost of the best schedule; 0: the job is rejected.", "slot", ""},
        {"price", "Price", "", "Price of a unit of the most expensive resource of a machine in a slot.", "machine",
         "slot"},
        {"lowest_price", "Lowest price", "", "L, the price of a resource of which nothing is reserved.", "", ""},
        {"highest_price", "Highest price", "", "U, the price of a fully reserved resource, of the most expensive one.",
         "", ""},
        {"mended_draws", "Repaired draws", "", "Rounded placements that had to be repaired for this job.", "", ""},
        {"without_placement", "Not rounded", "", "Linear programs of this job for which rounding found no placement.",
         "", ""},
        {"behind", "Behind", "jobs", "Jobs that ran outside their reservations.", "", ""},
        {"unfinishable", "Cannot end", "jobs",
         "Jobs so far that could not have ended in time even alone on all machines.", "", ""},
        {"repaired_placements", "Placed without a program", "",
         "Linear programs of this job that could not be solved numerically: tasks were placed where they cost least.",
         "", ""},
        {"flat_prices", "Flat prices", "", "1: by its factors, span or floor L would be above some U; it is that U.",
         "", ""},
        {"coarse_search", "Coarse search", "",
         "1: the exact search over slots would have taken too much memory or time for this job; quanta were counted.",
         "", ""},
    };
}

PrimalDual::PrimalDual(std::string id, PrimalDualParams params, bool split)
    : m_id(std::move(id)), m_params(std::move(params)),
      m_promises({m_params.slotSeconds, m_params.horizon, m_params.rolling}), m_split(split) {}

void PrimalDual::decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                        SchedulingDecisions& decisions) {
    m_promises.follow(view, context.now, since);
    m_shapes.resize(view.state().jobs().size());
    if (m_bounds.empty()) {
        makeBounds();
        if (m_params.bounds == "hindsight")
            for (std::size_t j = 0; j < m_shapes.size(); ++j) learnBounds(context, view, JobId(j));
    }
    std::erase_if(m_refused, [&](JobId job) { return view.state().job(job).phase != JobPhase::waiting; });
    const bool due = m_promises.isDue();
    if (due && m_params.reoptimize) reoptimize(context, view);
    bool promised = false;
    for (const JobId job : view.jobsIn(JobPhase::waiting)) {
        if (m_promises.has(job)) continue;
        const bool again = m_refused.contains(job);
        if (!again) m_shapes[job.index()].reset(); // a graph job has been partitioned since it was known to come
        if (again && !due) continue;
        if (!again && m_params.bounds == "history") learnBounds(context, view, job);
        promised |= consider(context, view, job, decisions);
    }
    if (due)
        m_promises.apply(context, view, decisions);
    else if (promised)
        m_promises.wakeForNextSlot(decisions);
    if (due && !m_refused.empty() && m_promises.jobs().empty()) m_promises.wakeForNextSlot(decisions);
    if (m_promises.behind() != m_behind) context.note(behind, m_behind = m_promises.behind());
}

const SlotJobShape& PrimalDual::shapeOf(const SchedulerView& view, JobId job) {
    auto& shape = m_shapes[job.index()];
    if (!shape) shape = slotJobShape(view, job, m_params.slotSeconds);
    return *shape;
}

/// From the first slot that can still be promised, or of a job still to come, that begins after its arrival.
SlotJob PrimalDual::present(const SchedulerView& view, JobId job) {
    const SimTime arrival = view.workload().job(job).arrival;
    const auto onArrival = static_cast<std::int64_t>(std::ceil(arrival.toSeconds() / m_params.slotSeconds - 1e-9));
    const std::int64_t first = std::max(m_promises.base() + m_promises.firstFree(), onArrival);
    const auto relative =
        static_cast<int>(std::min<std::int64_t>(first - m_promises.base(), m_promises.times().horizon));
    SlotJob out = slotJob(view, job, shapeOf(view, job), relative, m_promises.begin(first), m_params.slotSeconds);
    out.samples *= 1 + m_params.margin;
    return out;
}

void PrimalDual::makeBounds() {
    const SlotCluster& cluster = m_promises.ledger().cluster();
    if (!m_split) {
        m_bounds.emplace_back(cluster);
        return;
    }
    using Demands = PriceBoundsFold::Demands;
    SlotCluster half[2] = {cluster, cluster};
    for (SlotCluster& h : half) h.machines = 0, h.capacity.clear();
    for (std::size_t m = 0; m < cluster.machines; ++m) {
        m_kinds.push_back(m < (cluster.machines + 1) / 2 ? 0 : 1);
        SlotCluster& own = half[m_kinds.back()];
        ++own.machines;
        for (std::size_t r = 0; r < cluster.resources; ++r) own.capacity.push_back(cluster.of(m, r));
    }
    m_bounds.emplace_back(half[0], Demands::workers, 4);
    m_bounds.emplace_back(half[1], Demands::servers, 4);
}

void PrimalDual::learnBounds(const PolicyContext& context, const SchedulerView& view, JobId job) {
    if (!shapeOf(view, job).plannable) return;
    SlotJob as = present(view, job);
    if (m_split) as.localRate = as.remoteRate;
    if (m_params.rolling) as.arrival = 0; // every job is planned for the whole horizon from its arrival on
    for (PriceBoundsFold& bounds : m_bounds) bounds.add(m_promises.ledger().cluster(), as, m_kinds);
    const bool wasFlat = std::exchange(m_flat, false);
    const SlotPrices prices = pricesNow();
    if (m_flat != wasFlat) context.note(flatPrices, m_flat ? 1 : 0);
    double low = endless, high = -endless;
    for (std::size_t h = 0; h < m_promises.ledger().cluster().machines; ++h) {
        const PriceBounds& bounds = prices.boundsOf(h);
        low = std::min(low, bounds.logLow);
        high = std::max(high, *std::max_element(bounds.logHigh.begin(), bounds.logHigh.end()));
    }
    if (low == m_low && high == m_high) return;
    context.note(lowestPrice, std::exp(m_low = low) * ResourceVector::unit);
    context.note(highestPrice, std::exp(m_high = high) * ResourceVector::unit);
}

SlotPrices PrimalDual::pricesNow() {
    // What has arrived until now would go on to arrive: it has to fit into as much of the slots.
    const double share = m_params.bounds == "hindsight"
                             ? 1.0
                             : static_cast<double>(m_promises.base() + m_promises.firstFree() + 1) / m_params.horizon;
    std::vector<PriceBounds> all;
    for (const PriceBoundsFold& fold : m_bounds) { // where no job can end, none has a schedule that prices could be of
        PriceBounds bounds = fold.bounds().value_or(PriceBounds{0, std::vector<double>(m_promises.resources(), 0.0)});
        bounds.logLow += std::log(m_params.lowFactor);
        double highest = -endless, least = endless;
        for (double& high : bounds.logHigh) {
            high += std::log(m_params.highFactor);
            if (!std::isfinite(high)) continue;
            highest = std::max(highest, high);
            least = std::min(least, high);
        }
        if (m_params.span > 0) bounds.logLow = std::max(bounds.logLow, highest - m_params.span);
        if (m_params.floor > 0)
            bounds.logLow = std::max(bounds.logLow, fold.logCriticalWorth(share) + std::log(m_params.floor));
        m_flat = m_flat || bounds.logLow > least;
        bounds.logLow = std::min(bounds.logLow, least); // else prices would fall
        all.push_back(std::move(bounds));
    }
    return {m_promises.ledger(), std::move(all), m_kinds};
}

ScheduleChoice PrimalDual::choose(const PolicyContext& context, const SlotPrices& prices, const SlotJob& job) {
    const SearchOptions options{m_params.state == "quanta" ? SearchState::quanta : SearchState::counts,
                                m_params.quanta};
    if (m_split) {
        SplitSlotSolver solver(m_kinds);
        return chooseSchedule(m_promises.ledger(), prices, job, solver, options);
    }
    if (m_params.solver == "exact") {
        ExactSlotSolver solver;
        return chooseSchedule(m_promises.ledger(), prices, job, solver, options);
    }
    const RoundingGuard guard = m_params.guard == "capacity" ? RoundingGuard::capacity
                                : m_params.guard == "tasks"  ? RoundingGuard::tasks
                                                             : RoundingGuard::none;
    RoundedSlotSolver solver({guard, m_params.gain, m_params.failure, m_params.draws, m_params.repair}, context.random);
    ScheduleChoice choice = chooseSchedule(m_promises.ledger(), prices, job, solver, options);
    m_counts = solver.counts();
    return choice;
}

/// Whether it is promised something. If not, it is refused, for good unless it may be weighed again.
bool PrimalDual::consider(const PolicyContext& context, const SchedulerView& view, JobId job,
                          SchedulingDecisions& decisions) {
    const SlotJob as = present(view, job);
    const SlotPrices prices = pricesNow();
    ScheduleChoice choice;
    m_counts = {};
    if (shapeOf(view, job).plannable && as.arrival < m_promises.times().horizon) choice = choose(context, prices, as);
    if (choice.candidates.empty() && couldNeverEnd(as)) context.note(unfinishable, ++m_unfinishable, 0, 0, job);
    note(context, job, choice);
    explain(context, view, job, as, choice);
    if (!choice.schedule) {
        if (!m_params.retry || choice.candidates.empty())
            decisions.reject(job);
        else
            m_refused.insert(job);
        return false;
    }
    m_refused.erase(job);
    m_promises.promise(job, as, *choice.schedule);
    const auto base = static_cast<std::uint32_t>(m_promises.base());
    for (const auto& [slot, tasks] : choice.schedule->bySlot)
        for (const auto& on : tasks.on) {
            const auto at = base + static_cast<std::uint32_t>(slot);
            if (on.workers > 0) decisions.reserve(job, TaskRole::worker, MachineId(on.machine), at, on.workers);
            if (on.servers > 0) decisions.reserve(job, TaskRole::server, MachineId(on.machine), at, on.servers);
        }
    notePrices(context, prices, *choice.schedule);
    return true;
}

void PrimalDual::note(const PolicyContext& context, JobId job, const ScheduleChoice& choice) const {
    const auto base = static_cast<std::uint32_t>(m_promises.base());
    for (const CandidateSchedule& c : choice.candidates) {
        const auto slot = base + static_cast<std::uint32_t>(c.completion);
        context.note(candidateUtility, c.utility, slot, 0, job);
        context.note(candidateCost, c.cost, slot, 0, job);
    }
    context.note(payoff, choice.schedule ? choice.best.payoff() : 0.0,
                 base + static_cast<std::uint32_t>(choice.schedule ? choice.best.completion : 0), 0, job);
    if (choice.coarse) context.note(coarseSearch, 1, 0, 0, job);
    for (const auto& [series, count] : {std::pair(mended, m_counts.mended),
                                        {withoutPlacement, m_counts.withoutPlacement},
                                        {repairedPlacements, m_counts.repaired}})
        if (count > 0) context.note(series, static_cast<double>(count), 0, 0, job);
}

void PrimalDual::notePrices(const PolicyContext& context, const SlotPrices& prices,
                            const SlotSchedule& schedule) const {
    if (!context.notes) return;
    for (const auto& [slot, tasks] : schedule.bySlot)
        for (const auto& on : tasks.on) {
            double most = -endless;
            const auto& high = prices.boundsOf(on.machine).logHigh;
            for (std::size_t r = 0; r < high.size(); ++r)
                if (std::isfinite(high[r])) most = std::max(most, prices.logPrice(slot, on.machine, r));
            context.note(price, std::exp(most) * ResourceVector::unit, static_cast<std::uint32_t>(on.machine),
                         static_cast<std::uint32_t>(m_promises.base() + slot));
        }
}

/// What each job has coming is chosen anew, at prices without it, where that is worth more.
void PrimalDual::reoptimize(const PolicyContext& context, const SchedulerView& view) {
    const SlotPrices prices = pricesNow();
    for (const JobId job : m_promises.jobs()) {
        const auto held = m_promises.rest(job);
        if (!held) continue;
        const SlotJob as = present(view, job);
        if (as.samples <= 0) continue;
        m_promises.release(job);
        const auto choice = choose(context, prices, as);
        double cost = 0;
        for (const auto& [slot, tasks] : held->bySlot)
            for (const auto& on : tasks.on)
                cost += on.workers * prices.cost(slot, on.machine, as.workerDemand) +
                        on.servers * prices.cost(slot, on.machine, as.serverDemand);
        const bool better = choice.schedule && choice.best.payoff() > as.utilityAt(held->completion()) - cost &&
                            choice.best.utility >= as.utilityAt(held->completion());
        m_promises.promise(job, as, better ? *choice.schedule : *held);
    }
}

void PrimalDual::explain(const PolicyContext& context, const SchedulerView& view, JobId job, const SlotJob& as,
                         const ScheduleChoice& choice) {
    if (!context.explaining()) return;
    Explanation why{.family = PolicyFamily::scheduler, .policy = m_id, .job = job};
    why.rule = Rule::maximum;
    why.criterion = "payoff";
    for (const CandidateSchedule& c : choice.candidates)
        why.candidates.push_back({.label = "slot " + std::to_string(m_promises.base() + c.completion),
                                  .checks = {{"payoff", c.payoff(), Comparison::greater, 0}},
                                  .numbers = {{"payoff", c.payoff()}, {"utility", c.utility}, {"cost", c.cost}}});
    why.chosen = why.evaluate();
    why.summary = refusal(view, job, as, choice);
    if (choice.schedule)
        why.summary = {
            TRAINYARD_TEXT("{0} is promised a schedule that ends in slot {1}: it has the highest payoff (utility "
                           "less cost)"),
            {jobLabel(view, job), std::to_string(m_promises.base() + choice.best.completion)}};
    context.explain(std::move(why));
}

/// Alone on all machines, with the slots that are left.
bool PrimalDual::couldNeverEnd(const SlotJob& as) {
    const SlotCluster& cluster = m_promises.ledger().cluster();
    return as.arrival < cluster.horizon && (as.localRate <= 0 || !canFinish(cluster, as, m_kinds));
}

Text PrimalDual::refusal(const SchedulerView& view, JobId job, const SlotJob& as, const ScheduleChoice& choice) {
    const std::string& label = jobLabel(view, job);
    const int left = m_promises.times().horizon - as.arrival;
    if (!choice.candidates.empty())
        return {TRAINYARD_TEXT("{0} is rejected: every schedule costs at least its utility"), {label}};
    if (left <= 0) return {TRAINYARD_TEXT("{0} is rejected: it arrived after the last planned slot"), {label}};
    if (as.localRate <= 0)
        return {TRAINYARD_TEXT("{0} is rejected: its tasks fit on no machine that is up, or their duration is "
                               "not known"),
                {label}};
    if (couldNeverEnd(as))
        return {TRAINYARD_TEXT("{0} is rejected: even alone on all machines it would not end within the "
                               "remaining {1} {1:slot|slots}"),
                {label, std::to_string(left)}};
    return {TRAINYARD_TEXT("{0} is rejected: beside the reservations of other jobs no schedule ends within the "
                           "remaining {1} {1:slot|slots}"),
            {label, std::to_string(left)}};
}

std::optional<Text> cannotBePlanned(const Job& job) {
    if (job.workerDemand.isZero() && job.serverDemand.isZero())
        return Text{TRAINYARD_TEXT("it prices the resources of tasks, and this job's tasks need none: give it a "
                                   "\"worker_demand\""),
                    {}};
    if (job.kind() == JobKind::graph || job.stop.iterations || job.stop.epochs) return std::nullopt;
    if (job.kind() == JobKind::analytic && job.stop.loss) return std::nullopt;
    return Text{TRAINYARD_TEXT("it plans a job's whole work on arrival, and this job's work is not known: give it "
                               "\"iterations\" or \"epochs\""),
                {}};
}

} // namespace trainyard
