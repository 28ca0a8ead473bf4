// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// themis: turns by hand, as shares change with what jobs have done and how long they have waited; the worst ratio beside that
// of gavel. What it has in common with gavel is tested there.
#include "support/SchedulerDriver.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

class tst_Themis : public QObject {
    Q_OBJECT
private slots:
    void turnsByHand();
    void whatWasDoneAloneCounts();
    void aloneUsesTheFastestKind();
    void worstRatioIsNoGreaterThanByEqualShares();

private:
    static std::unique_ptr<Scheduler> scheduler(const std::string& id, double round) {
        return makeScheduler(id, {{"round_s", round}});
    }
    static bool near(double a, double b) { return std::abs(a - b) < 1e-6; }
};

// One machine that holds one job, rounds of 10 s, two jobs of 20 updates of a second each, from 0 s on: with half of the machine each would
// take 40 s. At 0 s ρ is equal with half of the time each, and the first in line runs, a. At 10 s a has done 10, which isolated took
// 20 s: ρ_a = (10 + 10/x)/(20 + 20), ρ_b = (10 + 20/(1 − x))/40, equal at x = 1/3: b. At 20 s again half each, and both have had half;
// but a was due 0.5·10 + 10/3 = 8.3 s so far and had 10, b was due 11.7 s: b, until 30 s, then a until 40 s.
void tst_Themis::turnsByHand() {
    SchedulerDriver d(scheduler("themis", 10), onMachines({1}, {workerJob("a", 0, {1}), workerJob("b", 0, {1})}),
                      {20, 20});
    d.run();
    QCOMPARE(firstBroken(d), "");
    QVERIFY2(near(d.finished[0], 40) && near(d.finished[1], 30),
             qPrintable(QStringLiteral("%1 %2").arg(d.finished[0]).arg(d.finished[1])));
    std::vector<std::size_t> started;
    for (const auto& decision : d.decisions)
        if (decision.kind == SchedulingDecision::Kind::start) started.push_back(decision.job.index());
    QCOMPARE(started, (std::vector<std::size_t>{0, 1, 0})); // b goes on at 20 s
}

// Rounds of 1 s. b, of 50 updates, arrives when a has run alone for 50 s of 100, which is what that would have taken alone:
// ρ_a = (50 + 50/x)/(50 + 50/0.5), ρ_b = (50/(1 − x))/(50/0.5), equal where 2x² + 3x − 2 = 0: x = 1/2. Both have ρ = 1 and go on with
// half of the time each, as long as both run: until 150 s, but for a round or two.
void tst_Themis::whatWasDoneAloneCounts() {
    SchedulerDriver d(scheduler("themis", 1), onMachines({1}, {workerJob("a", 0, {1}), workerJob("b", 50, {1})}),
                      {100, 50});
    d.run();
    QCOMPARE(firstBroken(d), "");
    QVERIFY2(std::abs(d.finished[0] - 150) < 3 && std::abs(d.finished[1] - 150) < 3,
             qPrintable(QStringLiteral("%1 %2").arg(d.finished[0]).arg(d.finished[1])));
}

// Two kinds of machines, each with room for one job: an update takes 1 s on the first, 3 s on the second. A lone job uses the first all the
// time, as it would with the cluster for itself: ρ = 1 at every round (with half of the time on each kind it would be 2/3).
void tst_Themis::aloneUsesTheFastestKind() {
    SchedulerDriver d(scheduler("themis", 5), onMachines({1, 2}, {workerJob("a", 0, {1})}), {20});
    d.secondsPer = [](JobId, const Placement& p) {
        return p.workers.empty() ? INFINITY : p.workers[0] == MachineId(std::size_t{0}) ? 1.0 : 3.0;
    };
    std::vector<Event> notes;
    d.notes = &notes;
    d.run();
    QCOMPARE(firstBroken(d), "");
    QVERIFY(near(d.finished[0], 20));
    int ratios = 0;
    for (const Event& note : notes)
        if (NoteSeries::unpacked(note.aux).number == 0 && note.job != JobId::none) {
            QVERIFY2(std::abs(note.value - 1) < 1e-3, qPrintable(QString::number(note.value)));
            ++ratios;
        }
    QVERIFY(ratios >= 4);
}

// Four jobs of unlike lengths that arrive one after the other on one machine. The worst (time to the end)/(4 · length) is no greater than with
// equal shares of the time (gavel), up to a few rounds of 1 s of 200 s and more.
void tst_Themis::worstRatioIsNoGreaterThanByEqualShares() {
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        double worst[2];
        for (const bool themis : {false, true}) {
            RandomStream random(seed, Purpose::test, 96);
            std::vector<Job> jobs;
            std::vector<double> updates;
            for (int j = 0; j < 4; ++j) {
                jobs.push_back(workerJob("j" + std::to_string(j), 10 * j * random.unit(), {1}));
                updates.push_back(50 + double(random.below(100)));
            }
            std::stable_sort(jobs.begin(), jobs.end(),
                             [](const Job& a, const Job& b) { return a.arrival < b.arrival; });
            SchedulerDriver d(scheduler(themis ? "themis" : "gavel", 1), onMachines({1}, jobs), updates);
            d.run();
            QCOMPARE(firstBroken(d), "");
            worst[themis] = 0;
            for (std::size_t j = 0; j < 4; ++j)
                worst[themis] =
                    std::max(worst[themis], (d.finished[j] - jobs[j].arrival.toSeconds()) / (4 * updates[j]));
        }
        QVERIFY2(worst[1] <= worst[0] + 0.05,
                 qPrintable(QStringLiteral("%1: %2 %3").arg(seed).arg(worst[1]).arg(worst[0])));
    }
}

TRAINYARD_TEST(tst_Themis)
#include "tst_Themis.moc"
