// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What views read of the updates of a job: iterations, choices and errors, response times, staleness,
// participation; against the log, the explanations, and the golden values of the canonical scenario.
#include "analysis/IterationBars.h"
#include "analysis/UpdateValues.h"
#include "support/BusyRun.h"
#include "support/IndexedRun.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>

using namespace trainyard;

class tst_UpdateValues : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void finishLineIsTheKthAnswer();
    void iterationHoldsAllWork();
    void lateGradientsBelongToTheirIteration();
    void linesAreThePolicysOwn();
    void errorIsCarriedToTheNextChoice();
    void kAndLoadAreThoseChosen();
    void responseTimesAreTheGoldenOnes();
    void responseTimesOfUnlikeMachines();
    void stalenessHasItsExactMean_data();
    void stalenessHasItsExactMean();
    void participationCountsTheLog();

private:
    const RunIndex& adaptive();
    std::unique_ptr<RunIndex> m_adaptive;
};

namespace update_values_test {

RunIndex folded(RunSource run) {
    RunIndex index(std::move(run));
    index.update();
    return index;
}

RunSource busyData(const test::BusyRun& run) {
    return {.scenario = run.scenario, .seed = 11, .workload = run.workload, .log = run.log};
}

} // namespace update_values_test

using namespace update_values_test;

const RunIndex& tst_UpdateValues::adaptive() {
    if (!m_adaptive) m_adaptive = std::make_unique<RunIndex>(folded(test::stragglerSource("adaptive-load-exact", 12)));
    return *m_adaptive;
}

// The arrivals of a round, sorted: the k-th of them is where the line is, and where the update begins.
void tst_UpdateValues::finishLineIsTheKthAnswer() {
    const RunIndex& fold = adaptive();
    const EventLog& log = *adaptive().source().log;
    const JobId job(std::size_t{0});
    const UpdateLog& updates = fold.jobs()[0].updates;
    QVERIFY(updates.size() > 100);
    std::size_t several = 0;
    for (std::size_t u = 0; u < updates.size(); ++u) {
        std::vector<SimTime> arrivals;
        for (std::size_t i = u > 0 ? updates.position(u - 1) : 0; i < updates.position(u); ++i)
            if (log[i].type == EventType::gradientArrived) arrivals.push_back(log[i].time);
        std::sort(arrivals.begin(), arrivals.end());
        const std::size_t k = updates.gradientsOf(u);
        several += k > 1;
        const IterationBars iteration = iterationAt(fold, job, timeOfUpdate(fold, job, u));
        QCOMPARE(iteration.update, u);
        QCOMPARE(iteration.used, static_cast<int>(k));
        QCOMPARE(iteration.lastNeeded, arrivals.at(k - 1));
    }
    QVERIFY(several > 3);
}

// Every worker has one bar in a round: k used, the others cancelled at the line, in order of time.
void tst_UpdateValues::iterationHoldsAllWork() {
    const RunIndex& fold = adaptive();
    const JobId job(std::size_t{0});
    const std::size_t last = fold.jobs()[0].updates.size() - 2;
    const IterationBars iteration = iterationAt(fold, job, timeOfUpdate(fold, job, last));
    QCOMPARE(iteration.bars.size(), std::size_t{50});
    int used = 0, cancelled = 0;
    for (const TaskBar& bar : iteration.bars) {
        used += bar.fate == TaskBar::Fate::used;
        cancelled += bar.fate == TaskBar::Fate::cancelled;
        QVERIFY(bar.pull <= bar.compute && bar.compute < bar.end);
        QVERIFY(bar.start() >= iteration.from && bar.end <= iteration.to);
        if (bar.fate == TaskBar::Fate::used) QVERIFY(bar.push >= bar.compute && bar.end <= iteration.lastNeeded);
        if (bar.fate == TaskBar::Fate::cancelled) QCOMPARE(bar.end, iteration.to);
    }
    QCOMPARE(used, iteration.used);
    QCOMPARE(cancelled, 50 - used);
    QCOMPARE(iteration.byArrival.size(), std::size_t{50});
    SimTime before;
    for (int place = 1; place <= used; ++place)
        for (const TaskBar& bar : iteration.bars)
            if (bar.worker == iteration.byArrival[static_cast<std::size_t>(place - 1)]) {
                QCOMPARE(bar.place, place);
                QVERIFY(bar.end >= before);
                before = bar.end;
            }
}

// By hand: six workers, five fastest; the fourth is slow, its gradient comes in a later round and is dropped.
void tst_UpdateValues::lateGradientsBelongToTheirIteration() {
    const RunIndex fold = folded(busyData(test::BusyRunWriter(8).write()));
    const JobId job(std::size_t{0});
    bool dropped = false;
    for (std::size_t u = 0; u < 8; ++u) {
        const IterationBars iteration = iterationAt(fold, job, timeOfUpdate(fold, job, u));
        QCOMPARE(iteration.used, 5);
        for (const TaskBar& bar : iteration.bars) {
            if (bar.worker != 3) QVERIFY(bar.start() >= iteration.from);
            if (bar.fate != TaskBar::Fate::dropped) continue;
            dropped = true;
            QCOMPARE(bar.worker, 3u);
            QVERIFY(bar.start() < iteration.from); // begun in a round before
            QVERIFY(bar.end > iteration.from && bar.end <= iteration.to);
        }
    }
    QVERIFY(dropped);
    QCOMPARE(iterationAt(fold, job, SimTime::seconds(1e6)).update, std::size_t{7});
    QCOMPARE(iterationAt(fold, job, SimTime{}).update, std::size_t{0});
}

// What is noted is what the explanations list, one by one: the same options and numbers, found independently of each other.
void tst_UpdateValues::linesAreThePolicysOwn() {
    const auto& choices = adaptive().fold<RateChoices>().of(JobId(std::size_t{0}));
    std::size_t seen = 0;
    const auto& explanations = *adaptive().source().explanations;
    for (std::size_t i = 0; i < explanations.size(); ++i) {
        const Explanation& why = *explanations.at(i);
        if (why.criterion != "rate") continue;
        QVERIFY(seen < choices.size());
        const RateChoice& choice = *choices[seen++].choice;
        QCOMPARE(choice.at, why.time);
        for (std::size_t c = 0; c < why.candidates.size(); ++c) { // of all those noted, the ones that decide
            const auto& numbers = why.candidates[c].numbers;
            if (numbers.empty()) continue;
            const auto found = std::find_if(choice.options.begin(), choice.options.end(), [&](const RateOption& o) {
                return o.waitFor == numbers.at(4).value && o.load == numbers.at(5).value;
            });
            QVERIFY(found != choice.options.end());
            const RateOption& option = *found;
            if (why.chosen == std::vector{c}) QVERIFY(&option == &choice.options[choice.chosen]);
            QCOMPARE(numbers[0].name, std::string("rate"));
            QVERIFY(std::abs(option.line.at(choice.error) - numbers[0].value) <=
                    1e-9 * option.line.slope * std::max(choice.error, option.floor));
            const double noted[] = {option.cost, option.floor, option.line.slope};
            for (std::size_t n = 0; n < 3; ++n) QCOMPARE(numbers.at(n + 1).value, noted[n]);
        }
        QVERIFY(choice.options.size() >= why.candidates.size());
        // The envelope is on top everywhere, and the choice on top at the error.
        for (double error = 6000; error > 1e-3; error *= 0.7) {
            const double top = choice.options[choice.envelope[stepAt(choice.envelope, error)].line].line.at(error);
            for (const RateOption& option : choice.options)
                QVERIFY(option.line.at(error) <= top + 1e-12 * std::abs(top));
        }
        for (const RateOption& option : choice.options)
            QVERIFY(option.line.at(choice.error) <=
                    choice.options[choice.chosen].line.at(choice.error) + 1e-9 * option.line.slope * choice.error);
    }
    QVERIFY(seen > 5);
    QCOMPARE(choices.size(), seen);
}

// With constants given the policy's error is its model's: carried over from one choice, update by update, it
// is the error at the next.
void tst_UpdateValues::errorIsCarriedToTheNextChoice() {
    const RunIndex& fold = adaptive();
    const JobId job(std::size_t{0});
    std::vector<std::shared_ptr<const RateChoice>> choices;
    for (const auto& made : fold.fold<RateChoices>().of(job)) choices.push_back(made.choice);
    QVERIFY(choices.size() > 5);
    QCOMPARE(choices[0]->error, 5000.0);
    for (std::size_t i = 1; i < choices.size(); ++i) {
        const ChoiceNow before = choiceAt(fold, job, SimTime{choices[i]->at.ns - 1});
        QCOMPARE(before.choice, choices[i - 1]);
        // The update that the choice was made in counts as done already.
        const double carried = before.choice->errorAfter(before.updatesSince + 1);
        QVERIFY2(std::abs(carried - choices[i]->error) <= 1e-9 * carried,
                 qPrintable(QStringLiteral("%1: %2 is not %3").arg(i).arg(carried).arg(choices[i]->error)));
        QCOMPARE(choiceAt(fold, job, choices[i]->at).error, choices[i]->error);
        QVERIFY(choices[i]->error < choices[i - 1]->error);
    }
}

void tst_UpdateValues::kAndLoadAreThoseChosen() {
    const RunIndex& fold = adaptive();
    const JobId job(std::size_t{0});
    const UpdateLog& updates = fold.jobs()[0].updates;
    std::size_t compared = 0;
    for (const auto& made : fold.fold<RateChoices>().of(job)) {
        const std::size_t next = made.updates + (made.inRound ? 1 : 0);
        if (next >= updates.size()) continue;
        const RateOption& option = made.choice->options[made.choice->chosen];
        QCOMPARE(updates.gradientsOf(next), static_cast<std::size_t>(option.waitFor));
        // Samples are whole: at most half of one apart.
        QVERIFY(std::abs(loadOfUpdate(fold, job, next) - option.load) <= 0.5 / 40 + 1e-12);
        ++compared;
    }
    QVERIFY(compared > 5);
    // The steps tell the same as the updates one by one.
    for (std::size_t u = 0, s = 0; u < updates.size(); ++u) {
        if (s + 1 < updates.steps().size() && updates.steps()[s + 1].update == u) ++s;
        QCOMPARE(updates.gradientsOf(u), updates.steps()[s].gradients);
    }
}

// E[C + βP]_(k:50), both exponential of mean 0.5 s: the golden values of the canonical scenario.
void tst_UpdateValues::responseTimesAreTheGoldenOnes() {
    const RunIndex& fold = adaptive();
    const ResponseInputs placed = responseInputs(fold, JobId(std::size_t{0}));
    QCOMPARE(placed.placement.workers.size(), std::size_t{50});
    const auto curves = responseTimeCurves(adaptive().source().workload, JobId(std::size_t{0}), placed.placement,
                                           placed.messageBytes, {1, 0.1});
    QCOMPARE(curves.size(), std::size_t{5}); // two loads, three references
    const auto mean = [&](std::size_t curve, std::size_t k) { return curves[curve].means.at(k - 1); };
    const std::tuple<std::size_t, std::size_t, double> golden[] = {{0, 1, .09543},   {0, 10, .40542}, {0, 25, .82846},
                                                                   {0, 50, 3.24797}, {1, 1, .03217},  {1, 50, 2.30228}};
    for (const auto& [curve, k, seconds] : golden) QVERIFY(std::abs(mean(curve, k) - seconds) < 6e-6);
    // References have the mean of a whole batch, 1 s: μ_k of Exp(1), and x_m Γ(51)Γ(50.5 − …) of Pareto α
    // = 2.
    QCOMPARE(mean(2, 7), 1.0);
    QVERIFY(std::abs(mean(3, 10) - 0.2206622994) < 1e-6);
    QVERIFY(std::abs(mean(4, 10) - .55867) < 1e-5);
    QVERIFY(std::abs(mean(4, 50) - 6.28226) < 1e-4);
}

void tst_UpdateValues::responseTimesOfUnlikeMachines() {
    auto workload = std::make_shared<Workload>(*adaptive().source().workload);
    Machine slow = workload->cluster.machines[0];
    slow.key = "slow";
    slow.name = "Slow";
    slow.straggler.persistentFactor = 3;
    workload->cluster.machines.push_back(slow);
    Link link = workload->cluster.links[0];
    link.from = "slow";
    link.key = "slow--switch";
    workload->cluster.links.push_back(link);
    const MachineId fast(std::size_t{0}), other(workload->cluster.machines.size() - 1);
    const auto curves = responseTimeCurves(workload, JobId(std::size_t{0}), {{fast, fast, fast, other}, {}}, 800, {1});
    QCOMPARE(curves.size(), std::size_t{6}); // as placed, all like each, three references
    QCOMPARE(curves[1].kind, ResponseTimeCurve::Kind::alike);
    QCOMPARE(curves[2].name, std::string("Slow"));
    for (std::size_t k = 0; k < 4; ++k) {
        QVERIFY(curves[1].means[k] < curves[2].means[k]);
        // As placed lies between; sampled, hence 2 %.
        QVERIFY(curves[0].means[k] > 0.98 * curves[1].means[k] && curves[0].means[k] < 1.02 * curves[2].means[k]);
    }
}

void tst_UpdateValues::stalenessHasItsExactMean_data() {
    QTest::addColumn<QString>("policy");
    QTest::addColumn<double>("exact");
    QTest::newRow("rounds") << "fastest-10" << 0.0;
    QTest::newRow("k-async") << "k-async-10" << 40.0 / 10;
    QTest::newRow("k-batch-async") << "k-batch-async-10" << 49.0 / 10;
}

// Of some thousands of gradients, the first updates left out: the sum of staleness over a stretch differs
// from the law only at its ends, by at most n·(updates a worker is behind).
void tst_UpdateValues::stalenessHasItsExactMean() {
    QFETCH(QString, policy);
    QFETCH(double, exact);
    const RunSource run = test::stragglerSource(policy.toStdString(), 40);
    const RunIndex fold = folded(run);
    const JobId job(std::size_t{0});
    const Registry registry = Registry::builtin();
    const auto law = registry.makeSynchronization(run.scenario->policies.synchronization)->exactMeanStaleness(50);
    QVERIFY(law);
    QCOMPARE(*law, exact);
    const std::size_t updates = fold.jobs()[0].updates.size();
    QVERIFY(updates > 60);
    const StalenessCounts counts = stalenessOf(fold, job, 30, updates);
    QVERIFY2(std::abs(counts.mean - exact) <= 0.15 * exact, qPrintable(QString::number(counts.mean)));
    double sum = 0;
    for (const std::size_t count : counts.gradients) sum += static_cast<double>(count);
    QCOMPARE(sum, static_cast<double>(counts.total));
    QVERIFY(!registry.makeSynchronization({"dsag", {}})->exactMeanStaleness(50));
}

void tst_UpdateValues::participationCountsTheLog() {
    const test::BusyRun busy = test::BusyRunWriter(8).write();
    const RunIndex fold = folded(busyData(busy));
    std::vector<std::size_t> counts, expected(6, 0);
    addUsedByWorker(counts, fold, JobId(std::size_t{0}), 0, 8);
    for (std::size_t i = 0; i < busy.log->size(); ++i)
        if ((*busy.log)[i].type == EventType::gradientUsed && (*busy.log)[i].job == 0) ++expected[(*busy.log)[i].a];
    QCOMPARE(counts, expected);
    QCOMPARE(counts[3], std::size_t{0}); // the slow one
}

TRAINYARD_TEST(tst_UpdateValues)
#include "tst_UpdateValues.moc"
