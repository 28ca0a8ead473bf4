// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/pdors/ScheduleSearch.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {

constexpr double noWay = std::numeric_limits<double>::infinity();
constexpr double mostEntries = 4e6; // of a table over slots: 100 MB
constexpr double mostSteps = 4e8;   // to fill it: a second

/// Numbers of workers that a search may ask for in a slot, ascending.
struct Counts {
    std::vector<int> local, spread;
};

/// The cheapest placements of one slot, by number of workers.
struct SlotMenu {
    std::vector<std::optional<PricedTasks>> local, spread; ///< from 0
};

SlotMenu menuOf(const SlotLedger& ledger, const SlotPrices& prices, const SlotJob& job, int slot, SlotSolver& solver,
                const Counts& counts) {
    const SlotOffer offer = slotOffer(ledger, prices, job, slot);
    const auto size = static_cast<std::size_t>(job.batch) + 1;
    SlotMenu menu{std::vector<std::optional<PricedTasks>>(size), std::vector<std::optional<PricedTasks>>(size)};
    for (const int n : counts.local) menu.local[static_cast<std::size_t>(n)] = solver.cheapestLocal(offer, n);
    auto spread = solver.cheapest(offer, counts.spread);
    for (std::size_t i = 0; i < spread.size(); ++i)
        menu.spread[static_cast<std::size_t>(counts.spread[i])] = std::move(spread[i]);
    return menu;
}

/// One way to use a slot, and the step that it makes in the table.
struct Step {
    double cost = noWay;
    const SlotTasks* tasks = nullptr;
};

/// A table of least costs forward over slots, with the way back.
class Table {
public:
    Table(int first, std::size_t states) : m_first(first), m_cost(1, std::vector<double>(states, noWay)) {
        m_cost[0][0] = 0;
    }
    const std::vector<double>& last() const { return m_cost.back(); }
    void add(std::vector<double> cost, std::vector<std::pair<const SlotTasks*, std::size_t>> from) {
        m_cost.push_back(std::move(cost));
        m_from.push_back(std::move(from));
    }
    double cost(int slot, std::size_t state) const {
        return m_cost[static_cast<std::size_t>(slot - m_first) + 1][state];
    }
    SlotSchedule schedule(int slot, std::size_t state) const {
        SlotSchedule out;
        for (; slot >= m_first; --slot) {
            const auto& [tasks, before] = m_from[static_cast<std::size_t>(slot - m_first)][state];
            if (tasks) out.bySlot.push_back({slot, *tasks});
            state = before;
        }
        std::reverse(out.bySlot.begin(), out.bySlot.end());
        return out;
    }

private:
    int m_first;
    std::vector<std::vector<double>> m_cost; ///< before the first slot, then after each
    std::vector<std::vector<std::pair<const SlotTasks*, std::size_t>>> m_from;
};

/// Least cost of having processed so many quanta.
class QuantaSearch {
public:
    QuantaSearch(const SlotJob& job, int quanta)
        : m_job(job), m_quantum(quanta > 0 ? job.samples / quanta : 1),
          m_states(static_cast<std::size_t>(std::ceil(job.samples / m_quantum - 1e-9)) + 1) {}
    std::size_t states() const { return m_states; }
    Counts counts() const {
        Counts out;
        for (std::size_t v = 1; v < m_states; ++v) {
            add(out.local, workersFor(v, m_job.localRate));
            add(out.spread, workersFor(v, m_job.remoteRate));
        }
        return out;
    }

    void extend(Table& table, const SlotMenu& menu) const {
        std::vector<std::pair<std::size_t, Step>> steps; // ascending by quanta
        for (std::size_t v = 1; v < m_states; ++v) {
            Step step;
            consider(step, menu.local, v, m_job.localRate);
            consider(step, menu.spread, v, m_job.remoteRate);
            if (step.tasks) steps.emplace_back(v, step);
        }
        std::vector<double> cost = table.last();
        std::vector<std::pair<const SlotTasks*, std::size_t>> from(m_states);
        for (std::size_t state = 0; state < m_states; ++state) {
            from[state] = {nullptr, state};
            for (const auto& [v, step] : steps) {
                if (v > state) break;
                const double sum = step.cost + table.last()[state - v];
                if (isCheaper(sum, cost[state])) {
                    cost[state] = sum;
                    from[state] = {step.tasks, state - v};
                }
            }
        }
        table.add(std::move(cost), std::move(from));
    }
    std::size_t cheapestEnd(const Table&, int) const { return m_states - 1; }

private:
    double workersFor(std::size_t v, double rate) const {
        return std::max<double>(m_job.fewest, std::ceil(static_cast<double>(v) * m_quantum / rate - 1e-9));
    }
    void add(std::vector<int>& counts, double workers) const {
        if (workers <= m_job.batch && (counts.empty() || workers > counts.back()))
            counts.push_back(static_cast<int>(workers));
    }
    void consider(Step& step, const std::vector<std::optional<PricedTasks>>& menu, std::size_t v, double rate) const {
        const double workers = workersFor(v, rate);
        if (workers >= static_cast<double>(menu.size())) return;
        const auto& tasks = menu[static_cast<std::size_t>(workers)];
        if (tasks && isCheaper(tasks->cost, step.cost)) step = {tasks->cost, &tasks->tasks};
    }

    const SlotJob& m_job;
    double m_quantum;
    std::size_t m_states;
};

/// Least cost of having had so many worker-slots on one machine, and so many on several.
class CountsSearch {
public:
    explicit CountsSearch(const SlotJob& job)
        : m_job(job), m_local(1 + static_cast<std::size_t>(std::ceil(job.samples / job.localRate - 1e-9))),
          m_spread(1 + static_cast<std::size_t>(std::ceil(job.samples / job.remoteRate - 1e-9))) {}
    /// Whether the table over so many slots would take too much memory or time.
    bool isTooLarge(int slots) const {
        const double entries = static_cast<double>(m_local) * static_cast<double>(m_spread) * slots;
        return entries > mostEntries || entries * 2 * m_job.batch > mostSteps;
    }
    std::size_t states() const { return m_local * m_spread; }
    Counts counts() const {
        Counts out;
        for (int n = m_job.fewest; n <= m_job.batch; ++n) out.local.push_back(n);
        return {out.local, out.local};
    }

    void extend(Table& table, const SlotMenu& menu) const {
        std::vector<double> cost = table.last();
        std::vector<std::pair<const SlotTasks*, std::size_t>> from(states());
        for (std::size_t state = 0; state < states(); ++state) from[state] = {nullptr, state};
        const auto take = [&](const std::vector<std::optional<PricedTasks>>& tasks, bool local) {
            for (std::size_t n = 1; n < tasks.size(); ++n) {
                if (!tasks[n]) continue;
                for (std::size_t a = 0; a < m_local; ++a)
                    for (std::size_t b = 0; b < m_spread; ++b) {
                        const double sum = table.last()[a * m_spread + b] + tasks[n]->cost;
                        const std::size_t x = local ? std::min(a + n, m_local - 1) : a;
                        const std::size_t y = local ? b : std::min(b + n, m_spread - 1);
                        if (!isCheaper(sum, cost[x * m_spread + y])) continue;
                        cost[x * m_spread + y] = sum;
                        from[x * m_spread + y] = {&tasks[n]->tasks, a * m_spread + b};
                    }
            }
        };
        take(menu.local, true);
        take(menu.spread, false);
        table.add(std::move(cost), std::move(from));
    }
    std::size_t cheapestEnd(const Table& table, int slot) const {
        std::size_t best = 0; // no samples: never an end
        double least = noWay;
        for (std::size_t a = 0; a < m_local; ++a)
            for (std::size_t b = 0; b < m_spread; ++b) {
                const double done =
                    static_cast<double>(a) * m_job.localRate + static_cast<double>(b) * m_job.remoteRate;
                if (done < m_job.samples * (1 - slotTolerance) || !isCheaper(table.cost(slot, a * m_spread + b), least))
                    continue;
                best = a * m_spread + b;
                least = table.cost(slot, best);
            }
        return best;
    }

private:
    const SlotJob& m_job;
    std::size_t m_local, m_spread;
};

template <class Search>
ScheduleChoice choose(const Search& search, const SlotLedger& ledger, const SlotPrices& prices, const SlotJob& job,
                      SlotSolver& solver) {
    ScheduleChoice out;
    Table table(job.arrival, search.states());
    const Counts counts = search.counts();
    std::vector<SlotMenu> menus(static_cast<std::size_t>(std::max(0, ledger.cluster().horizon - job.arrival)));
    for (int slot = job.arrival; slot < ledger.cluster().horizon; ++slot) {
        SlotMenu& menu = menus[static_cast<std::size_t>(slot - job.arrival)];
        menu = menuOf(ledger, prices, job, slot, solver, counts);
        search.extend(table, menu);
        const std::size_t end = search.cheapestEnd(table, slot);
        if (end == 0 || table.cost(slot, end) == noWay) continue;
        const CandidateSchedule candidate{slot, job.utilityAt(slot), table.cost(slot, end)};
        out.candidates.push_back(candidate);
        if (candidate.payoff() <= 0 || (out.schedule && candidate.payoff() <= out.best.payoff())) continue;
        out.best = candidate;
        out.schedule = table.schedule(slot, end);
    }
    return out;
}

} // namespace

ScheduleChoice chooseSchedule(const SlotLedger& ledger, const SlotPrices& prices, const SlotJob& job,
                              SlotSolver& solver, const SearchOptions& options) {
    const bool exact = options.state == SearchState::counts;
    if (const CountsSearch search(job); exact && !search.isTooLarge(ledger.cluster().horizon - job.arrival))
        return choose(search, ledger, prices, job, solver);
    ScheduleChoice choice = choose(QuantaSearch(job, options.quanta), ledger, prices, job, solver);
    choice.coarse = exact;
    return choice;
}

} // namespace trainyard
