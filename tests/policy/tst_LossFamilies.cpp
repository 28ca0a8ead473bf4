// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Which curve is fitted to whose losses, and the simple rule that fits none.
#include "policy/Registry.h"
#include "policy/scheduler/slaq/PredictedGains.h"
#include "support/SchedulerDriver.h"
#include "support/TestMain.h"

using namespace trainyard;
using test::machineWith;
using test::SchedulerDriver;
using test::workerJob;

class tst_LossFamilies : public QObject {
    Q_OBJECT
private slots:
    void familiesByOptimizer_data();
    void familiesByOptimizer();
    void usersComeFirst();
    void hintsChangeWhatIsPredicted();
    void highestLossFirst();
};

void tst_LossFamilies::familiesByOptimizer_data() {
    QTest::addColumn<QByteArray>("optimizer");
    QTest::addColumn<QByteArray>("family");
    for (const char* id : {"sgd", "momentum", "adagrad", "adam"})
        QTest::newRow(id) << QByteArray(id) << QByteArray("sublinear");
    for (const char* id : {"lbfgs", "em", "alternating"}) QTest::newRow(id) << QByteArray(id) << QByteArray("linear");
    QTest::newRow("boosting") << QByteArray("boosting") << QByteArray("better");
}

void tst_LossFamilies::familiesByOptimizer() {
    QFETCH(QByteArray, optimizer);
    QFETCH(QByteArray, family);
    Job job;
    TrainedWork work;
    work.optimizer = {optimizer.toStdString(), {}};
    job.work = work;
    QCOMPARE(PredictedGains::Rules{.curve = "by-optimizer"}.of(job).curve, family.toStdString());
    QCOMPARE(PredictedGains::Rules{.curve = "better"}.of(job).curve, std::string("better"));
    job.work = AnalyticWork{};
    QCOMPARE(PredictedGains::Rules{.curve = "by-optimizer"}.of(job).curve, std::string("better"));
}

void tst_LossFamilies::usersComeFirst() {
    Job job;
    job.lossFamily = LossFamilyHint::linear;
    for (const char* curve : {"better", "by-optimizer", "sublinear", "linear"})
        QCOMPARE(PredictedGains::Rules{.curve = curve}.of(job).curve, std::string("linear"));
    for (const char* curve : {"last-change", "true"}) // nothing is fitted
        QCOMPARE(PredictedGains::Rules{.curve = curve}.of(job).curve, std::string(curve));
    job.lossFamily = LossFamilyHint::sublinear;
    QCOMPARE(PredictedGains::Rules{.curve = "linear"}.of(job).curve, std::string("sublinear"));
}

// Of two equal jobs one is said to be of the geometric family, which sees an end of 1/(k + 1) that is not there: it gets less.
void tst_LossFamilies::hintsChangeWhatIsPredicted() {
    Workload workload;
    workload.cluster.resourceNames = {"cpu"};
    workload.cluster.machines = {machineWith("m", {9})};
    for (const LossFamilyHint hint : {LossFamilyHint::automatic, LossFamilyHint::linear}) {
        workload.jobs.push_back(workerJob("j" + std::to_string(workload.jobs.size()), 0, {1}, {1, 8}));
        workload.jobs.back().lossFamily = hint;
    }
    SchedulerDriver driver(test::makeScheduler("slaq", {{"epoch_s", 4.0}, {"rule", std::string("faithful")}}), workload,
                           {1e6, 1e6});
    driver.lossAt = [](JobId, double k) { return 1 / (1 + std::floor(k)); };
    for (int i = 0; i < 12; ++i) driver.step();
    QVERIFY2(driver.workersOf(0) > driver.workersOf(1),
             qPrintable(QString("%1 %2").arg(driver.workersOf(0)).arg(driver.workersOf(1))));
    QVERIFY2(driver.broken.empty(), test::firstBroken(driver));
}

// A job that once was at 0.5, and has stood still at 0.95 since, gets all but the one worker of a job that falls.
void tst_LossFamilies::highestLossFirst() {
    Workload workload;
    workload.cluster.resourceNames = {"cpu"};
    workload.cluster.machines = {machineWith("m", {8})};
    for (int j = 0; j < 2; ++j) workload.jobs.push_back(workerJob("j" + std::to_string(j), 0, {1}, {1, 8}));
    const auto after = [&](const char* scheduler) {
        SchedulerDriver driver(
            test::makeScheduler(scheduler, {{"epoch_s", 1.0}, {"min_share", 0.0}, {"curve", std::string("linear")}}),
            workload, {1e6, 1e6});
        driver.lossAt = [](JobId job, double k) {
            return job.value == 0 ? std::pow(0.97, std::floor(k)) : k < 6 ? 1 : k < 12 ? 0.5 : 0.95;
        };
        for (int i = 0; i < 20; ++i) driver.step();
        return driver.broken.empty() ? std::pair(driver.workersOf(0), driver.workersOf(1))
                                     : std::pair(std::size_t{0}, std::size_t{0});
    };
    const auto byLoss = after("max-loss-first"), byGain = after("slaq");
    QCOMPARE(byLoss.first + byLoss.second, std::size_t{8});
    QVERIFY2(byLoss.second == 7, qPrintable(QString::number(byLoss.second)));
    QVERIFY2(byGain.first > byGain.second, qPrintable(QString("%1 %2").arg(byGain.first).arg(byGain.second)));
}

TRAINYARD_TEST(tst_LossFamilies)
#include "tst_LossFamilies.moc"
