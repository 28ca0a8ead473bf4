// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Schedulers that go by losses, with epochs far shorter than an update: changes of workers throw away work under way, and yet every
// job gets on and ends.
#include "engine/Simulation.h"
#include "scenario/Scenario.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <random>

using namespace trainyard;
using namespace trainyard::test;

class tst_ShortEpochs : public QObject {
    Q_OBJECT
private slots:
    void everyJobEnds_data();
    void everyJobEnds();
};

namespace {

/// 10/(1 + k/100) and noise that often exceeds what an update gains.
RecordedCurve noisyCurve() {
    std::mt19937 random(1);
    RecordedCurve curve{.key = "noisy", .updates = {}, .losses = {}};
    for (int k = 0; k <= 500; ++k) {
        curve.updates.push_back(k);
        curve.losses.push_back(10 / (1 + k / 100.0) + (k > 0 ? 0.6 * static_cast<double>(random()) / 4294967296.0 : 0));
    }
    return curve;
}

Job job(const std::string& key, double secondsAlone, std::int64_t updates, double restartSeconds,
        NetworkModel network) {
    Job out{.key = key};
    out.workerDemand = ResourceVector::of({1});
    out.workers = {1, 8};
    out.servers = {0, 0};
    out.restartSeconds = restartSeconds;
    out.stop.iterations = updates;
    AnalyticWork work{.samples = 8, .parameterBytes = 0, .batch = 8, .secondsPerSample = secondsAlone / 8};
    work.batchOf = BatchOf::job;
    if (network == NetworkModel::rate)
        work.law = UpdateLaw{.fixedSeconds = 0, .dividedSeconds = secondsAlone, .perWorkerSeconds = 0};
    out.work = work;
    return out;
}

} // namespace

void tst_ShortEpochs::everyJobEnds_data() {
    QTest::addColumn<QByteArray>("scheduler");
    QTest::addColumn<QByteArray>("rule");
    QTest::addColumn<QByteArray>("objective");
    QTest::addColumn<bool>("rate");
    QTest::addColumn<double>("restart");
    for (const bool rate : {false, true})
        for (const double restart : {0.0, 5.0})
            for (const char* rule : {"faithful", "safeguarded"})
                for (const char* objective : {"total", "max-min"})
                    QTest::addRow("slaq %s %s %s %g", rule, objective, rate ? "rate" : "flow", restart)
                        << QByteArray("slaq") << QByteArray(rule) << QByteArray(objective) << rate << restart;
    for (const bool rate : {false, true})
        QTest::addRow("quality-rate %s", rate ? "rate" : "flow")
            << QByteArray("quality-rate") << QByteArray() << QByteArray() << rate << 5.0;
}

// One worker's update takes 120 s in one job, a second in the others; epochs are 0.2 s. All that there is to do takes 342 s of 8 cores
// if nothing is lost.
// The faithful rule does not count what restarts cost.
void tst_ShortEpochs::everyJobEnds() {
    QFETCH(QByteArray, scheduler);
    QFETCH(QByteArray, rule);
    QFETCH(QByteArray, objective);
    QFETCH(bool, rate);
    QFETCH(double, restart);
    Scenario s = starScenario(1);
    s.network = rate ? NetworkModel::rate : NetworkModel::flow;
    s.horizonSeconds = 3000;
    s.cluster.resourceNames = {"cpu"};
    s.cluster.machines[0].capacity = ResourceVector::of({8});
    ParamValues parameters{{"epoch_s", 0.2}};
    if (!rule.isEmpty()) {
        parameters["rule"] = rule.toStdString();
        parameters["objective"] = objective.toStdString();
    }
    s.policies.scheduler = {scheduler.toStdString(), parameters};
    s.curves.push_back(noisyCurve());
    s.jobs = {job("slow", 120, 12, restart, s.network), job("a", 1, 480, restart, s.network),
              job("b", 1.3, 480, restart, s.network)};
    s.jobs[2].arrival = SimTime::seconds(3);
    for (const std::size_t j : {1UL, 2UL})
        std::get<AnalyticWork>(s.jobs[j].work).curve = {.family = LossCurve::Family::recorded, .name = "noisy"};
    auto made = Simulation::create(optionsFor(s, 1));
    for (const auto& p : made.problems()) qWarning("%s", p.text().c_str());
    QVERIFY(made.ok());
    while (made.value()->step()) {}
    const EventLog& log = made.value()->log();
    QCOMPARE(eventsOf(log, EventType::jobFinished).size(), std::size_t{3});
    const double end = log[log.size() - 1].time.toSeconds();
    QVERIFY2(end < 342 * (restart > 0 ? 5 : 2.5), qPrintable(QString::number(end)));
}

TRAINYARD_TEST(tst_ShortEpochs)
#include "tst_ShortEpochs.moc"
