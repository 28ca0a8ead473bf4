// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Randomized rounding of one slot's placement: how often plain redrawing finds one, by G and by how many machines are filled, and
// what mending costs. Beside the counts that the brief of arXiv 2108.02917 measured (its section 5.4).
#include "studies/pdors/Pdors.h"

#include "base/SampleStatistics.h"
#include "policy/scheduler/pdors/RoundedSlotSolver.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard::study {

namespace pdors_rounding {

constexpr std::array gains{0.8, 0.9, 1.0, 1.1, 1.2};
constexpr std::size_t countedThere = 20; ///< instances of a row in the brief
constexpr int mostDraws = 2000;
constexpr std::array meanDemand{2.0, 5.5, 17.0, 7.5}; ///< of a worker: accelerators, CPU, memory, storage
/// A resource of a machine is taken up to this share: so that as many machines get full as in the brief, which does not tell.
constexpr double mostTaken = 0.4;

struct Setting {
    int machines;
    double capacity; ///< in mean demands
    int workers;
    std::array<std::size_t, gains.size()> plainThere; ///< placements found in the brief, of 20
    std::size_t mendedThere;
    std::string name() const {
        return std::to_string(machines) + "-machines-" + number(capacity) + "x-" + std::to_string(workers) + "-workers";
    }
};

const std::vector<Setting> settings{{20, 18, 4, {20, 20, 20, 18, 18}, 20}, {20, 18, 10, {1, 10, 19, 10, 3}, 20},
                                    {20, 18, 20, {0, 3, 13, 1, 0}, 20},    {20, 18, 40, {0, 0, 3, 0, 0}, 20},
                                    {20, 3, 10, {0, 0, 0, 0, 0}, 16},      {100, 18, 150, {0, 0, 0, 0, 0}, 20}};

/// A job of the workload's demands (section 3 of the brief) and machines partly taken, at prices between 0 and 1 for all of a
/// resource.
struct Instance {
    SlotJob job;
    std::optional<SlotLedger> ledger;
    SlotOffer offer;
    Instance(const Instance&) = delete;

    Instance(const Setting& setting, std::uint64_t seed) {
        RandomStream random(seed, Purpose::jobShape, static_cast<std::uint64_t>(setting.workers));
        const auto whole = [&](int low, int high) {
            return static_cast<double>(low +
                                       static_cast<int>(random.below(static_cast<std::uint64_t>(high - low + 1))));
        };
        for (const auto& [low, high] : {std::pair(0, 4), {1, 10}, {2, 32}, {5, 10}}) {
            job.workerDemand.push_back(whole(low, high));
            job.serverDemand.push_back(low == 0 ? 0 : whole(low, high));
        }
        job.batch = 200;
        job.workersPerServer = static_cast<int>(whole(1, 10));
        SlotCluster cluster{1, static_cast<std::size_t>(setting.machines), meanDemand.size(), {}};
        for (int h = 0; h < setting.machines; ++h) {
            double worker = 0, server = 0;
            for (std::size_t r = 0; r < meanDemand.size(); ++r) {
                const double capacity = setting.capacity * meanDemand[r], price = random.unit() / capacity;
                cluster.capacity.push_back(capacity * (1 - mostTaken * random.unit()));
                worker += price * job.workerDemand[r];
                server += price * job.serverDemand[r];
            }
            offer.workerCost.push_back(worker);
            offer.serverCost.push_back(server);
        }
        ledger.emplace(std::move(cluster));
        offer.ledger = &*ledger;
        offer.job = &job;
    }
};

struct Measured {
    std::size_t instances = 0, full = 0; ///< machines that the relaxation fills
    std::array<std::size_t, gains.size()> plain{};
    std::size_t mended = 0, exact = 0;
    std::vector<double> mendedCost, exactCost; ///< above that of the relaxation, 1: equal
    bool sandwich = true;                      ///< relaxation ≤ exact ≤ mended
};

std::size_t fullMachines(const Instance& instance, const RelaxedTasks& tasks) {
    return static_cast<std::size_t>(std::count_if(tasks.on.begin(), tasks.on.end(), [&](const auto& on) {
        for (std::size_t r = 0; r < meanDemand.size(); ++r) {
            const double taken = on.workers * instance.job.workerDemand[r] + on.servers * instance.job.serverDemand[r];
            if (taken > 0 && taken >= instance.ledger->cluster().of(on.machine, r) * (1 - slotTolerance)) return true;
        }
        return false;
    }));
}

void measure(const Setting& setting, std::uint64_t seed, Measured& out) {
    const Instance instance(setting, seed);
    SlotRelaxation relaxation(instance.offer, setting.workers);
    const auto relaxed = relaxation.solve(setting.workers, instance.job.serversFor(setting.workers));
    if (relaxed.status != SlotRelaxation::Status::optimal) return;
    ++out.instances;
    out.full += fullMachines(instance, relaxed.tasks);
    const std::array workers{setting.workers};
    const auto solve = [&](RoundingOptions options, std::uint64_t stream) {
        RoundedSlotSolver solver(options, RandomStream(seed, Purpose::policy, stream));
        return solver.cheapest(instance.offer, workers).front();
    };
    for (std::size_t g = 0; g < gains.size(); ++g)
        out.plain[g] += solve({.gain = gains[g], .draws = mostDraws, .repair = false}, g).has_value();
    const auto mended = solve({}, gains.size());
    if (mended) {
        ++out.mended;
        out.mendedCost.push_back(mended->cost / relaxed.tasks.cost);
    }
    if (setting.workers > 40) return; // the exact table grows with the square of workers times servers
    ExactSlotSolver exact;
    if (const auto best = exact.cheapest(instance.offer, workers).front()) {
        ++out.exact;
        out.exactCost.push_back(best->cost / relaxed.tasks.cost);
        out.sandwich = out.sandwich && relaxed.tasks.cost <= best->cost * (1 + 1e-9) &&
                       (!mended || best->cost <= mended->cost * (1 + 1e-9));
    } else {
        out.sandwich = out.sandwich && !mended;
    }
}

/// The least p of the row's counts, times how many they are (Bonferroni).
double againstBrief(const Setting& setting, const Measured& m) {
    double p = fisherTest(m.mended, m.instances, setting.mendedThere, countedThere);
    for (std::size_t g = 0; g < gains.size(); ++g)
        p = std::min(p, fisherTest(m.plain[g], m.instances, setting.plainThere[g], countedThere));
    return std::min(1.0, p * (gains.size() + 1));
}

std::string counts(const Measured& m) {
    std::string out;
    for (std::size_t g = 0; g < gains.size(); ++g) out += (g ? ", " : "") + std::to_string(m.plain[g]);
    return out;
}

} // namespace pdors_rounding

void pdorsRounding(const StudyRequest& request, StudyReport& report) {
    using namespace pdors_rounding;
    const std::size_t instances = request.quick ? 20 : 100;
    StudyTable table{.name = "pdors-rounding",
                     .columns = {"setting", "instances", "full_machines", "exact_cost", "mended", "mended_cost"},
                     .rows = {}};
    for (const double gain : gains) table.columns.push_back("plain_g_" + number(gain));
    std::vector<Measured> all(settings.size());
    std::vector<double> pValues;
    std::size_t done = 0;
    for (std::size_t s = 0; s < settings.size(); ++s) {
        for (std::uint64_t seed = 1; seed <= instances; ++seed) {
            if (request.stop.stop_requested()) {
                report.stopped = true;
                return;
            }
            measure(settings[s], seed, all[s]);
            if (request.progress) request.progress(++done, instances * settings.size());
        }
        const Measured& m = all[s];
        pValues.push_back(againstBrief(settings[s], m));
        table.rows.push_back({settings[s].name(), std::to_string(m.instances),
                              number(static_cast<double>(m.full) / static_cast<double>(m.instances)),
                              number(sampleMean(m.exactCost)), std::to_string(m.mended),
                              number(sampleMean(m.mendedCost))});
        for (const std::size_t found : m.plain) table.rows.back().push_back(std::to_string(found));
        report.claims.push_back(
            {.id = "rounding/" + settings[s].name(),
             .claim = "Redrawing up to 2,000 times and repairing find placements as often as the brief measured.",
             .source = "measured before: the brief of arXiv 2108.02917, section 5.4, 20 instances",
             .unit = "1",
             .expected = static_cast<double>(settings[s].plainThere[2]) / countedThere,
             .measured = static_cast<double>(m.plain[2]) / static_cast<double>(m.instances),
             .interval = shareInterval(m.plain[2], m.instances),
             .n = m.instances,
             .finding = "share with G = 1; by G 0.8 to 1.2: " + counts(m) + " of " + std::to_string(m.instances) +
                        ", repaired " + std::to_string(m.mended) + ", p " + number(pValues.back()) +
                        " (Fisher's exact tests, corrected for six counts)"});
    }
    std::vector<Claim*> judged;
    for (std::size_t i = report.claims.size() - settings.size(); i < report.claims.size(); ++i)
        judged.push_back(&report.claims[i]);
    judgeTogether(judged, pValues, 0.05);
    bool best = true, sandwich = true;
    for (const Measured& m : all) {
        best = best && *std::max_element(m.plain.begin(), m.plain.end()) == m.plain[2];
        sandwich = sandwich && m.sandwich;
    }
    report.claims.push_back({.id = "rounding/best-g",
                             .claim = "No other G finds placements more often than G = 1.",
                             .source = "arXiv 2108.02917, as its brief recalls it, not verified: best near 1",
                             .unit = "1",
                             .measured = static_cast<double>(best),
                             .n = settings.size(),
                             .holds = best,
                             .finding = "of the settings, all or not"});
    report.claims.push_back(
        {.id = "rounding/sandwich",
         .claim = "Relaxation, exact and repaired placement are ever more expensive, in this order.",
         .source = "derived",
         .unit = "1",
         .measured = static_cast<double>(sandwich),
         .n = all[0].exact + all[1].exact + all[2].exact + all[3].exact + all[4].exact,
         .holds = sandwich,
         .finding = "every instance that was solved exactly"});
    report.tables.push_back(std::move(table));
}

} // namespace trainyard::study
