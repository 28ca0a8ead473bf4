// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// dsag, local-sgd and gradient-coding against plain training through the engine.
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <functional>
#include <numeric>

using namespace trainyard;

class tst_RemedyTraining : public QObject {
    Q_OBJECT
private slots:
    void twoLocalStepsOfOneWorkerAreTwoUpdates();
    void codedTrainingIsPlainTraining_data();
    void codedTrainingIsPlainTraining();
    void codedStreamsShareTheirBatches();
};

namespace remedy {

/// The loss at the end of a simulated job under a synchronization.
std::vector<double> lossesUnder(const Choice& synchronization, const std::function<void(Scenario&)>& change) {
    Scenario scenario = test::starScenario(6);
    scenario.jobs = {test::trainedJob()};
    scenario.policies.synchronization = synchronization;
    change(scenario);
    auto made = Simulation::create(test::optionsFor(scenario, 5));
    if (!made) return {};
    while ((*made)->step()) {}
    std::vector<double> losses;
    for (const auto& e : test::eventsOf((*made)->log(), EventType::lossEvaluated)) losses.push_back(e.value);
    return losses;
}

} // namespace remedy

using namespace remedy;

void tst_RemedyTraining::twoLocalStepsOfOneWorkerAreTwoUpdates() {
    // Whole batches, one worker: an average of one model after two local steps is what two updates give.
    const auto alone = [](std::int64_t iterations) {
        return [iterations](Scenario& s) {
            s.jobs[0].workers = {1, 1};
            s.jobs[0].stop.iterations = iterations;
            std::get<TrainedWork>(s.jobs[0].work).batch = 600;
        };
    };
    const auto local = lossesUnder({"local-sgd", {{"steps", std::int64_t{2}}}}, alone(10));
    const auto plain = lossesUnder({"full-sync", {}}, alone(20));
    QCOMPARE(local.size(), std::size_t{11});
    QCOMPARE(plain.size(), std::size_t{21});
    for (std::size_t i = 0; i < local.size(); ++i) QVERIFY(std::abs(local[i] - plain[2 * i]) <= 1e-12 * plain[2 * i]);
}

void tst_RemedyTraining::codedTrainingIsPlainTraining_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("workers");
    QTest::newRow("cyclic") << "cyclic" << 5;
    QTest::newRow("repetition") << "fractional-repetition" << 4;
}

void tst_RemedyTraining::codedTrainingIsPlainTraining() {
    // Whole shares of the data: the decoded gradient is the whole gradient, whoever was slow; so are the
    // losses of full-sync.
    QFETCH(QString, code);
    QFETCH(int, workers);
    const auto straggling = [workers](Scenario& s) {
        s.jobs[0].workers = {workers, workers};
        s.jobs[0].workerDemand = s.jobs[0].serverDemand = ResourceVector::of({8});
        std::get<TrainedWork>(s.jobs[0].work).batch = 600;
        for (auto& machine : s.cluster.machines)
            machine.straggler.factor = {.law = Law::pareto, .shape = 1.5, .scale = 0.3};
    };
    const auto coded = lossesUnder({"gradient-coding", {{"code", code.toStdString()}}}, straggling);
    const auto plain = lossesUnder({"full-sync", {}}, straggling);
    QCOMPARE(coded.size(), plain.size());
    QVERIFY(coded.size() > 30);
    for (std::size_t i = 0; i < coded.size(); ++i)
        QVERIFY2(std::abs(coded[i] - plain[i]) <= 1e-9 * plain[i], qPrintable(QString::number(coded[i] - plain[i])));
}

void tst_RemedyTraining::codedStreamsShareTheirBatches() {
    // On a stream every worker must draw the same rows of a partition, or decoding would blow up their
    // differences: with noiseless labels and one step the loss is that of the mean gradient, whichever
    // workers answered.
    const auto stream = [](double slow) {
        return [slow](Scenario& s) {
            auto& work = std::get<TrainedWork>(s.jobs[0].work);
            work.dataset = {"gaussian-stream", {{"features", std::int64_t{4}}, {"distance", 1.0}}};
            s.jobs[0].workers = {4, 4};
            s.jobs[0].stop.iterations = 20;
            s.cluster.machines[0].straggler.persistentFactor = slow;
            s.cluster.machines[3].straggler.persistentFactor = 1.5;
        };
    };
    // Worker 0 is last in one run, worker 3 in the other: the losses agree all the same.
    const auto slow = lossesUnder({"gradient-coding", {}}, stream(50)),
               fast = lossesUnder({"gradient-coding", {}}, stream(1));
    QCOMPARE(slow.size(), std::size_t{21});
    for (std::size_t i = 0; i < slow.size(); ++i)
        QVERIFY2(std::abs(slow[i] - fast[i]) <= 1e-9, qPrintable(QString::number(slow[i] - fast[i])));
    QVERIFY(slow.back() < slow.front());
}

TRAINYARD_TEST(tst_RemedyTraining)
#include "tst_RemedyTraining.moc"
