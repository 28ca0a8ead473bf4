// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Small random instances: what jobs promised one after another earn, beside the most that they could have earned together.
#include "studies/pdors/Pdors.h"

#include "base/SampleStatistics.h"
#include "policy/scheduler/pdors/RoundedSlotSolver.h"
#include "policy/scheduler/pdors/ScheduleSearch.h"
#include "studies/pdors/SlotOptimum.h"

#include <algorithm>
#include <cmath>

namespace trainyard::study {

namespace pdors_ratio {

struct Instance {
    SlotCluster cluster;
    std::vector<SlotJob> jobs;
};

/// Four jobs on two machines of two resources, in four slots.
Instance randomInstance(std::uint64_t seed) {
    RandomStream random(seed, Purpose::jobShape);
    const auto whole = [&](int low, int high) {
        return low + static_cast<int>(random.below(static_cast<std::uint64_t>(high - low + 1)));
    };
    const auto real = [&](double low, double high) { return low + (high - low) * random.unit(); };
    Instance out{{4, 2, 2, {}}, {}};
    for (int i = 0; i < 4; ++i) out.cluster.capacity.push_back(6);
    for (int i = 0; i < 4; ++i) {
        SlotJob job;
        job.arrival = i / 2;
        job.samples = whole(4, 10);
        job.batch = whole(3, 6);
        job.workersPerServer = whole(1, 3);
        job.localRate = real(1.2, 2);
        job.remoteRate = job.localRate * real(0.4, 0.9);
        for (int r = 0; r < 2; ++r) {
            job.workerDemand.push_back(whole(1, 3));
            job.serverDemand.push_back(whole(r, 2));
        }
        const double kind = random.unit();
        job.utility = {real(1, 100),
                       kind < 0.1    ? 0
                       : kind < 0.65 ? real(0.01, 1)
                                     : real(4, 6),
                       static_cast<double>(whole(1, 4))};
        out.jobs.push_back(std::move(job));
    }
    return out;
}

struct Earned {
    double optimum = 0, exact = 0, rounded = 0;
};

double promisedUtility(const Instance& instance, SlotSolver& solver) {
    const auto bounds = priceBounds(instance.cluster, instance.jobs);
    if (!bounds) return 0;
    SlotLedger ledger(instance.cluster);
    const SlotPrices prices(ledger, *bounds);
    double utility = 0;
    for (const SlotJob& job : instance.jobs) {
        const auto choice = chooseSchedule(ledger, prices, job, solver);
        if (!choice.schedule) continue;
        ledger.take(job, *choice.schedule);
        utility += choice.best.utility;
    }
    return utility;
}

Earned earned(std::uint64_t seed) {
    const Instance instance = randomInstance(seed);
    ExactSlotSolver exact;
    RoundedSlotSolver rounded({}, RandomStream(seed, Purpose::policy));
    return {offlineOptimumByEnumeration(instance.cluster, instance.jobs), promisedUtility(instance, exact),
            promisedUtility(instance, rounded)};
}

/// Of the instances where something could be earned.
Claim ratioOf(const std::vector<Earned>& all, double Earned::*online, const char* name) {
    std::vector<double> ratios;
    double optimum = 0, sum = 0;
    bool above = false;
    for (const Earned& e : all) {
        above = above || e.*online > e.optimum * (1 + 1e-9);
        if (e.optimum <= 0) continue;
        ratios.push_back(e.*online > 0 ? e.optimum / (e.*online) : INFINITY);
        optimum += e.optimum;
        sum += e.*online;
    }
    std::sort(ratios.begin(), ratios.end());
    const double median = quantileOfSorted(ratios, 0.5);
    return {.id = std::string("ratio/") + name,
            .claim = std::string("What could be earned is 1.0 to 1.4 times what PD-ORS earns (") + name +
                     " placement; median over small instances).",
            .source = "arXiv 2108.02917, as its brief recalls it for 10 jobs in 10 slots, not verified",
            .unit = "1",
            .measured = median,
            .interval = medianInterval(ratios),
            .n = ratios.size(),
            .holds = !above && median >= 1 - 1e-9 && median <= 1.4,
            .finding = "the sums are " + number(optimum) + " and " + number(sum) + ": " + number(optimum / sum) +
                       " times" + (above ? "; an instance earns more than the optimum" : "")};
}

} // namespace pdors_ratio

void pdorsCompetitiveRatio(const StudyRequest& request, StudyReport& report) {
    using namespace pdors_ratio;
    const std::size_t instances = request.quick ? 20 : 100;
    StudyTable table{.name = "pdors-ratio", .columns = {"seed", "optimum", "exact", "rounded"}, .rows = {}};
    std::vector<Earned> all;
    for (std::uint64_t seed = 1; seed <= instances; ++seed) {
        if (request.stop.stop_requested()) {
            report.stopped = true;
            return;
        }
        all.push_back(earned(seed));
        table.rows.push_back(
            {std::to_string(seed), number(all.back().optimum), number(all.back().exact), number(all.back().rounded)});
        if (request.progress) request.progress(all.size(), instances);
    }
    report.claims.push_back(ratioOf(all, &Earned::exact, "exact"));
    report.claims.push_back(ratioOf(all, &Earned::rounded, "rounded"));
    report.tables.push_back(std::move(table));
}

} // namespace trainyard::study
