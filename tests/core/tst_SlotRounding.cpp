// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The linear relaxation of a slot's placement by decomposition against GLPK, and its randomized rounding: the constraints it
// keeps, what mending costs, and the closed forms of G.
#include "policy/scheduler/pdors/RoundedSlotSolver.h"
#include "support/TestMain.h"

#include <cmath>
#include <random>

using namespace trainyard;

namespace {

struct RandomSlot {
    SlotCluster cluster;
    SlotJob job;
    std::optional<SlotLedger> ledger;
    SlotOffer offer;
};

/// Machines of a few kinds, partly promised to others, at costs between 0.1 and 10; some down, some alike.
RandomSlot randomSlot(unsigned seed, int mostMachines) {
    std::mt19937 random(seed);
    const auto whole = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
    const auto real = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
    RandomSlot out;
    const int machines = whole(1, mostMachines), resources = whole(1, 4), kinds = whole(1, 6);
    out.cluster = {1, static_cast<std::size_t>(machines), static_cast<std::size_t>(resources), {}};
    for (int r = 0; r < resources; ++r) {
        out.job.workerDemand.push_back(whole(0, 3));
        out.job.serverDemand.push_back(r == 0 ? 1 : whole(0, 2));
    }
    out.job.batch = whole(1, 60);
    out.job.workersPerServer = whole(1, 8);
    struct Kind {
        std::vector<double> capacity;
        double worker, server;
    };
    std::vector<Kind> all;
    for (int k = 0; k < kinds; ++k) {
        Kind kind{{}, std::pow(10, real(-1, 1)), std::pow(10, real(-1, 1))};
        for (int r = 0; r < resources; ++r) kind.capacity.push_back(real(0, 20));
        all.push_back(kind);
    }
    std::vector<std::size_t> down;
    for (int h = 0; h < machines; ++h) {
        const Kind& kind = all[static_cast<std::size_t>(whole(0, kinds - 1))];
        out.cluster.capacity.insert(out.cluster.capacity.end(), kind.capacity.begin(), kind.capacity.end());
        out.offer.workerCost.push_back(kind.worker);
        out.offer.serverCost.push_back(kind.server);
        if (whole(0, 9) == 0) down.push_back(static_cast<std::size_t>(h));
    }
    out.ledger.emplace(out.cluster);
    for (const std::size_t h : down) out.ledger->setUp(h, false);
    return out;
}

SlotOffer offerOf(RandomSlot& slot) {
    slot.offer.ledger = &*slot.ledger;
    slot.offer.job = &slot.job;
    return slot.offer;
}

bool near(double a, double b, double relative) {
    return std::abs(a - b) <= relative * std::max({1e-300, std::abs(a), std::abs(b)});
}

} // namespace

class tst_SlotRounding : public QObject {
    Q_OBJECT
private slots:
    void decompositionEqualsTheWholeProgram();
    void integerOptimumLiesBetween();
    void gainsAsInClosedForm();
    void mendedDrawsKeepAllConstraints();
    void drawsAreUnbiased();
    void jobsWithoutServers();
};

// 1,500 random programs: as feasible as GLPK finds them, of equal value, and within every machine's room.
void tst_SlotRounding::decompositionEqualsTheWholeProgram() {
    int optimal = 0, infeasible = 0;
    for (unsigned seed = 1; seed <= 500; ++seed) {
        RandomSlot slot = randomSlot(seed, 40);
        const SlotOffer offer = offerOf(slot);
        SlotRelaxation relaxation(offer, slot.job.batch);
        std::mt19937 random(seed);
        for (int i = 0; i < 3; ++i) {
            const int workers = std::uniform_int_distribution(1, slot.job.batch)(random);
            const auto solution = relaxation.solve(workers, slot.job.serversFor(workers));
            LpSolver reference(relaxedProgram(offer, workers));
            const LpSolution expected = reference.solve();
            const QByteArray where = QByteArray::number(seed);
            QVERIFY2(solution.status != SlotRelaxation::Status::failed, where);
            const bool isOptimal = solution.status == SlotRelaxation::Status::optimal;
            QVERIFY2(isOptimal == (expected.status == LpSolution::Status::optimal), where);
            ++(isOptimal ? optimal : infeasible);
            if (!isOptimal) continue;
            QVERIFY2(near(solution.tasks.cost, expected.value, 1e-9), where);
            double w = 0, s = 0;
            for (const auto& on : solution.tasks.on) {
                w += on.workers;
                s += on.servers;
                QVERIFY2(slot.ledger->isUp(on.machine), where);
                for (std::size_t r = 0; r < slot.cluster.resources; ++r)
                    QVERIFY2(on.workers * slot.job.workerDemand[r] + on.servers * slot.job.serverDemand[r] <=
                                 slot.cluster.of(on.machine, r) * (1 + 1e-9) + 1e-9,
                             where);
            }
            QVERIFY2(w >= workers * (1 - 1e-9) && s >= slot.job.serversFor(workers) * (1 - 1e-9), where);
        }
    }
    QVERIFY(optimal > 500 && infeasible > 100);
}

// LP ≤ IP ≤ rounded, for the exact solver and the rounding one; where one finds a placement, the exact one does.
void tst_SlotRounding::integerOptimumLiesBetween() {
    int compared = 0, dearer = 0;
    for (unsigned seed = 1; seed <= 300; ++seed) {
        RandomSlot slot = randomSlot(seed, 5);
        slot.job.batch = std::min(slot.job.batch, 10);
        const SlotOffer offer = offerOf(slot);
        std::vector<int> workers(static_cast<std::size_t>(slot.job.batch));
        for (std::size_t i = 0; i < workers.size(); ++i) workers[i] = static_cast<int>(i) + 1;
        ExactSlotSolver exact;
        RoundedSlotSolver rounding({}, RandomStream(seed, Purpose::test));
        const auto best = exact.cheapest(offer, workers), rounded = rounding.cheapest(offer, workers);
        SlotRelaxation relaxation(offer, slot.job.batch);
        for (std::size_t i = 0; i < workers.size(); ++i) {
            QVERIFY(!rounded[i] || best[i]);
            if (!best[i]) continue;
            const auto relaxed = relaxation.solve(workers[i], slot.job.serversFor(workers[i]));
            QVERIFY(relaxed.status == SlotRelaxation::Status::optimal);
            QVERIFY(relaxed.tasks.cost <= best[i]->cost * (1 + 1e-9));
            if (!rounded[i]) continue;
            QVERIFY(best[i]->cost <= rounded[i]->cost * (1 + 1e-9));
            dearer += rounded[i]->cost > best[i]->cost * (1 + 1e-9);
            ++compared;
        }
    }
    QVERIFY(compared > 500 && dearer > 0);
}

// The table of the brief of arXiv 2108.02917: δ = 0.1, four resources, one row that asks for workers.
void tst_SlotRounding::gainsAsInClosedForm() {
    const double room[] = {1, 2, 5, 18, 50, 100, 200, 1000};
    const double capacity20[] = {.0395, .0734, .1533, .3377, .5111, .6194, .7115, .8583};
    const double capacity100[] = {.0332, .0624, .1333, .3068, .4799, .5916, .6885, .8456};
    const double tasks[] = {8.687, 5.209, 3.031, 1.832, 1.443, 1.297, 1.202, 1.086};
    for (std::size_t i = 0; i < std::size(room); ++i) {
        QVERIFY(std::abs(gainForCapacity(20 * 4 + 1, room[i], 0.1) - capacity20[i]) < 6e-5);
        QVERIFY(std::abs(gainForCapacity(100 * 4 + 1, room[i], 0.1) - capacity100[i]) < 6e-5);
        QVERIFY(std::abs(gainForTasks(1, room[i], 0.1) - tasks[i]) < 6e-4);
    }
}

// Whatever G: so many workers as asked for, servers for them, no machine too full. Mending finds a placement more often than plain
// redrawing, and most often where there is one.
void tst_SlotRounding::mendedDrawsKeepAllConstraints() {
    int plain = 0, mended = 0, possible = 0;
    for (unsigned seed = 1; seed <= 400; ++seed) {
        RandomSlot slot = randomSlot(seed, 12);
        slot.job.batch = std::min(slot.job.batch, 16);
        const SlotOffer offer = offerOf(slot);
        const std::vector<int> workers{std::max(1, slot.job.batch / 2), slot.job.batch + (slot.job.batch < 2)};
        const double gain = std::array{0.6, 0.9, 1.0, 1.2, 2.0}[seed % 5];
        ExactSlotSolver exact;
        const auto best = exact.cheapest(offer, workers);
        for (const bool repair : {false, true}) {
            RoundedSlotSolver solver({.gain = gain, .draws = 20, .repair = repair}, RandomStream(seed, Purpose::test));
            const auto found = solver.cheapest(offer, workers);
            for (std::size_t i = 0; i < workers.size(); ++i) {
                possible += repair && best[i];
                if (!found[i]) continue;
                ++(repair ? mended : plain);
                QCOMPARE(found[i]->tasks.workers(), workers[i]);
                QCOMPARE(found[i]->tasks.servers(), slot.job.serversFor(workers[i]));
                double cost = 0;
                for (const auto& on : found[i]->tasks.on) {
                    QVERIFY(slot.ledger->fits(0, on.machine, slot.job, on.workers, on.servers));
                    cost += on.workers * offer.workerCost[on.machine] + on.servers * offer.serverCost[on.machine];
                }
                QVERIFY(near(cost, found[i]->cost, 1e-12));
            }
        }
    }
    QVERIFY(plain < mended && mended >= 0.95 * possible);
}

// Three machines of which the cheapest has room for 1.5 workers, and two workers are asked for: in fractions 1.5 there, 0.5 on the
// next. Drawn: 1 or 2 there (2 do not fit), 0 or 1 on the next: one draw is a placement of two workers with probability 1/4.
void tst_SlotRounding::drawsAreUnbiased() {
    RandomSlot slot;
    slot.cluster = {1, 3, 1, {10, 1.5, 10}};
    slot.job.workerDemand = {1};
    slot.job.serverDemand = {0};
    slot.job.batch = 2;
    slot.offer.workerCost = {2, 1, 3};
    slot.offer.serverCost = {1, 2, 3};
    slot.ledger.emplace(slot.cluster);
    const SlotOffer offer = offerOf(slot);
    int placed = 0;
    constexpr int trials = 4000;
    for (int i = 0; i < trials; ++i) {
        RoundedSlotSolver solver({.draws = 1, .repair = false},
                                 RandomStream(static_cast<std::uint64_t>(i), Purpose::test));
        placed += solver.cheapest(offer, std::array{2})[0].has_value();
    }
    // Five standard deviations of a binomial: wrong once in 1.7 million.
    QVERIFY(std::abs(placed - trials / 4.0) < 5 * std::sqrt(trials * 3 / 16.0));
}

// There is no row for servers then, whatever the guard: one machine with room enough takes all workers at the first draw.
void tst_SlotRounding::jobsWithoutServers() {
    RandomSlot slot;
    slot.cluster = {1, 1, 1, {1000}};
    slot.job.workerDemand = {1};
    slot.job.serverDemand = {1};
    slot.job.batch = 40;
    slot.job.servers.assign(41, 0);
    slot.offer.workerCost = slot.offer.serverCost = {1};
    slot.ledger.emplace(slot.cluster);
    const SlotOffer offer = offerOf(slot);
    for (const auto guard : {RoundingGuard::none, RoundingGuard::capacity, RoundingGuard::tasks})
        for (const bool repair : {false, true}) {
            if (guard == RoundingGuard::capacity && !repair) continue; // G < 1: a draw may have too few
            RoundedSlotSolver solver({.guard = guard, .repair = repair}, RandomStream(1, Purpose::test));
            const std::array workers{1, 2, 40};
            const auto found = solver.cheapest(offer, workers);
            for (std::size_t i = 0; i < workers.size(); ++i) {
                QVERIFY2(found[i], qPrintable(QStringLiteral("guard %1, %2 workers").arg(int(guard)).arg(workers[i])));
                QCOMPARE(found[i]->tasks.workers(), workers[i]);
                QCOMPARE(found[i]->tasks.servers(), 0);
            }
        }
}

TRAINYARD_TEST(tst_SlotRounding)
#include "tst_SlotRounding.moc"
