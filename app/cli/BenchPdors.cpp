// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a decision of pdors costs when a job arrives, and a whole run of it: the workload of `reproduce pdors`, rate model,
// explanations off.
#include "Bench.h"
#include "engine/Simulation.h"
#include "studies/pdors/PdorsWorkload.h"

#include <algorithm>
#include <ctime>

namespace trainyard::cli {

namespace bench_pdors {

using Times = std::vector<double>; ///< processor seconds of the calls in which one job arrived

/// Another scheduler, with a watch on its calls.
class Timed final : public Scheduler {
public:
    Timed(std::unique_ptr<Scheduler> inner, std::shared_ptr<Times> times)
        : m_inner(std::move(inner)), m_times(std::move(times)) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Timed>(m_inner->clone(), m_times); }
    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                SchedulingDecisions& decisions) override {
        const auto arrived =
            std::count_if(since.begin(), since.end(), [](const Event& e) { return e.type == EventType::jobArrived; });
        const std::clock_t start = std::clock();
        m_inner->decide(context, view, since, decisions);
        // The first call also sees the whole workload, for the bounds of the prices.
        if (arrived == 1 && !m_first) m_times->push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
        m_first = false;
    }

private:
    std::unique_ptr<Scheduler> m_inner;
    std::shared_ptr<Times> m_times;
    bool m_first = true;
};

struct Measured {
    double arrival = 0, run = 0; ///< seconds: the median of one arrival, and the run without its making
};

/// Jobs come one at a time, evenly over `over` slots, never as a slot begins.
Measured measured(int jobs, int machines, int over, bool rolling) {
    study::PdorsWorkload workload{.jobs = jobs, .machines = machines};
    auto scenario = std::make_shared<Scenario>(study::pdorsScenario(workload, 1));
    for (std::size_t j = 0; j < scenario->jobs.size(); ++j)
        scenario->jobs[j].arrival =
            SimTime::seconds((static_cast<double>(j) + 0.37) * over * study::pdorsSlotSeconds / jobs);
    scenario->horizonSeconds = (over + workload.horizon) * study::pdorsSlotSeconds;
    scenario->policies.scheduler = {"timed", {}};
    const auto times = std::make_shared<Times>();
    Registry registry = Registry::builtin();
    const Choice pdors{"pdors",
                       {{"slot_s", study::pdorsSlotSeconds},
                        {"horizon", std::int64_t{workload.horizon}},
                        {"margin", study::pdorsMargin},
                        {"rolling", rolling}}};
    SchedulerEntry entry;
    entry.id = "timed";
    entry.make = [times, pdors, inner = registry](const ParamValues&) {
        return std::make_unique<Timed>(inner.makeScheduler(pdors), times);
    };
    registry.schedulers.push_back(std::move(entry));
    auto made =
        Simulation::create({.scenario = scenario, .registry = std::make_shared<const Registry>(std::move(registry))});
    const std::clock_t start = std::clock();
    while (made.value()->step()) {}
    const double run = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::sort(times->begin(), times->end());
    return {times->empty() ? 0 : (*times)[times->size() / 2], run};
}

} // namespace bench_pdors

void addPdorsBenchmarks(Measures& measures) {
    using namespace bench_pdors;
    addCase(measures, "pdors_arrival_s", "s",
            "one job's decision on arrival, median: 100 machines, 20 slots, 4 resources, rounding",
            [] { return measured(100, 100, 10, false).arrival; });
    addCase(measures, "pdors_arrival_1k_s", "s", "the same with 1,000 machines",
            [] { return measured(30, 1'000, 10, false).arrival; });
    addCase(measures, "pdors_1000_jobs_s", "s", "a whole run of 1,000 jobs on 100 machines, 20 slots ahead",
            [] { return measured(1'000, 100, 200, true).run; });
}

} // namespace trainyard::cli
