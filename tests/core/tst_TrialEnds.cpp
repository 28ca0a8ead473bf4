// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// asha in whole runs: a trial that is not good enough ends at most interval_s after the loss that says so, and few calls are made for it.
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <cmath>
#include <random>

using namespace trainyard;
using namespace trainyard::test;

class tst_TrialEnds : public QObject {
    Q_OBJECT
private slots:
    void trialsEndInTime_data();
    void trialsEndInTime();
};

namespace {

constexpr double interval = 0.02, grace = 3, eta = 2;

/// Trials of one to three workers, some waiting for others; each evaluates its loss at every so many updates.
Scenario randomTrials(unsigned seed, NetworkModel network) {
    std::mt19937 generator(seed);
    const auto real = [&](double low, double high) { return std::uniform_real_distribution(low, high)(generator); };
    const auto whole = [&](int low, int high) { return std::uniform_int_distribution(low, high)(generator); };
    Scenario scenario = starScenario(2);
    scenario.network = network;
    for (int j = 0; j < 12; ++j) {
        Job job{.key = "t" + std::to_string(j),
                .arrival = SimTime::seconds(j < 4 ? 0 : scenario.jobs.back().arrival.toSeconds() + real(0, 2))};
        const int workers = whole(1, 3);
        job.workers = {workers, workers};
        job.workerDemand = ResourceVector::of({1});
        job.stop.iterations = 60;
        AnalyticWork work{.samples = 8, .parameterBytes = 1e5, .batch = 8, .secondsPerSample = real(0.05, 0.5) / 8};
        work.curve = {.a = real(0.5, 6), .b = real(0.02, 0.6), .c = 0, .p = 1};
        work.evaluation.everyIterations = whole(1, 3);
        job.work = work;
        scenario.jobs.push_back(job);
    }
    scenario.policies.scheduler = {"asha", {{"grace", grace}, {"eta", eta}, {"interval_s", interval}}};
    return scenario;
}

/// Of updates: −1 before the first.
int rungOf(double updates) { return updates < grace ? -1 : static_cast<int>(std::log2(updates / grace) + 1e-9); }

} // namespace

void tst_TrialEnds::trialsEndInTime_data() {
    QTest::addColumn<int>("network");
    QTest::newRow("rate") << static_cast<int>(NetworkModel::rate);
    QTest::newRow("flow") << static_cast<int>(NetworkModel::flow);
}

void tst_TrialEnds::trialsEndInTime() {
    QFETCH(int, network);
    std::size_t ended = 0, rungs = 0, calls = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const Scenario scenario = randomTrials(seed, static_cast<NetworkModel>(network));
        const auto simulation = std::move(Simulation::create(optionsFor(scenario))).value();
        while (simulation->step()) {}
        const EventLog& log = simulation->log();
        std::vector<int> rung(scenario.jobs.size(), -1);
        std::vector<double> reached(scenario.jobs.size());
        for (std::size_t i = 0; i < log.size(); ++i) {
            const Event& event = log[i];
            if (event.type == EventType::lossEvaluated)
                if (const int at = rungOf(static_cast<double>(event.count())); at > rung[event.job]) {
                    rung[event.job] = at;
                    reached[event.job] = event.time.toSeconds();
                    ++rungs;
                }
            if (event.type != EventType::jobFinished || event.aux != static_cast<std::uint16_t>(FinishReason::stopped))
                continue;
            ++ended;
            const double late = event.time.toSeconds() - reached[event.job];
            QVERIFY2(late <= interval + 1e-6,
                     qPrintable(QString("seed %1, job %2: %3 s late").arg(seed).arg(event.job).arg(late)));
        }
        calls += eventsOf(log, EventType::schedulerWoken).size();
    }
    QVERIFY2(ended > 100, qPrintable(QString::number(ended)));
    QVERIFY2(calls <= 3 * rungs, qPrintable(QString("%1 calls for %2 rungs").arg(calls).arg(rungs)));
}

TRAINYARD_TEST(tst_TrialEnds)
#include "tst_TrialEnds.moc"
