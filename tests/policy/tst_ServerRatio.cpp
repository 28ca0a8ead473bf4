// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Jobs with a fixed number of workers per server under the schedulers that let jobs grow: servers come and go with the workers.
#include "policy/Registry.h"
#include "support/SchedulerDriver.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

class tst_ServerRatio : public QObject {
    Q_OBJECT
private slots:
    void aLoneJobTakesAll_data() { policies(); }
    void aLoneJobTakesAll();
    void serversComeAndGo_data() { policies(); }
    void serversComeAndGo();
    void randomJobsKeepTheirRatio_data() { policies(); }
    void randomJobsKeepTheirRatio();

private:
    static void policies() {
        QTest::addColumn<QString>("id");
        QTest::newRow("fair") << "fair";
        QTest::newRow("drf") << "drf";
    }
};

namespace {

std::unique_ptr<Scheduler> schedulerOf(const QString& id) { return makeScheduler(id.toStdString(), {}); }

/// γ workers per server, each task takes one processor.
Job ratioJob(const std::string& key, double arrival, int gamma, int most = 100) {
    Job job = workerJob(key, arrival, {1}, {1, most});
    job.servers = {1, most};
    job.workersPerServer = gamma;
    job.serverDemand = ResourceVector::of({1});
    return job;
}

std::size_t serversOf(const SchedulerDriver& driver, std::size_t job) {
    return driver.state().jobs()[job].placement.servers.size();
}

} // namespace

void tst_ServerRatio::aLoneJobTakesAll() {
    // 12 processors, γ = 4: 9 workers have ⌈9/4⌉ = 3 servers; 10 would need 13 processors.
    QFETCH(QString, id);
    for (const int machines : {1, 3}) {
        Workload workload;
        workload.cluster.resourceNames = {"cpu"};
        for (int m = 0; m < machines; ++m)
            workload.cluster.machines.push_back(machineWith("m" + std::to_string(m), {12.0 / machines}));
        workload.jobs = {ratioJob("a", 0, 4)};
        SchedulerDriver driver(schedulerOf(id), workload, {1e6});
        driver.step();
        QCOMPARE(driver.workersOf(0), std::size_t{9});
        QCOMPARE(serversOf(driver, 0), std::size_t{3});
        QVERIFY(driver.broken.empty());
    }
}

void tst_ServerRatio::serversComeAndGo() {
    // a alone: 9 + 3 of 12. b comes at 1: 4 + 1 and 4 + 1 take 10; the next worker, a's by arrival, needs a server too: 5 + 2 and
    // 4 + 1. For drf the shares are 5/12 and 5/12 before it. b has 36 updates, 4 a second: until 10. Then a has 9 + 3 again.
    QFETCH(QString, id);
    Workload workload;
    workload.cluster.resourceNames = {"cpu"};
    workload.cluster.machines = {machineWith("m", {12})};
    workload.jobs = {ratioJob("a", 0, 4), ratioJob("b", 1, 4)};
    SchedulerDriver driver(schedulerOf(id), workload, {1e6, 36});
    const auto tasks = [&] {
        return std::vector<std::size_t>{driver.workersOf(0), serversOf(driver, 0), driver.workersOf(1),
                                        serversOf(driver, 1)};
    };
    driver.step();
    QCOMPARE(tasks(), (std::vector<std::size_t>{9, 3, 0, 0}));
    driver.step();
    QCOMPARE(tasks(), (std::vector<std::size_t>{5, 2, 4, 1}));
    driver.step();
    QVERIFY(std::abs(driver.finished[1] - 10) < 1e-6);
    QCOMPARE(tasks(), (std::vector<std::size_t>{9, 3, 0, 0}));
    QVERIFY(driver.broken.empty());
}

void tst_ServerRatio::randomJobsKeepTheirRatio() {
    QFETCH(QString, id);
    for (int seed = 0; seed < 30; ++seed) {
        RandomStream random(std::uint64_t(seed), Purpose::test, 7);
        Workload workload;
        workload.cluster.resourceNames = {"cpu"};
        for (int m = 0; m < 5; ++m)
            workload.cluster.machines.push_back(machineWith("m" + std::to_string(m), {3 + double(random.below(6))}));
        std::vector<double> updates;
        double arrival = 0;
        for (int j = 0; j < 12; ++j) {
            arrival += double(random.below(3));
            workload.jobs.push_back(
                ratioJob("j" + std::to_string(j), arrival, 1 + int(random.below(4)), 2 + int(random.below(12))));
            updates.push_back(5 + double(random.below(60)));
        }
        SchedulerDriver driver(schedulerOf(id), workload, updates);
        for (int i = 0; i < 200; ++i) {
            if (i % 7 == 3) driver.failMachine(std::size_t(i % 4));
            if (i % 7 == 5) driver.repairMachine(std::size_t((i - 2) % 4));
            if (!driver.step()) break;
            for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
                const int workers = int(driver.state().jobs()[j].placement.placedWorkers());
                if (workers > 0)
                    QCOMPARE(int(serversOf(driver, j)), workload.jobs[j].serversFor(workers, workload.jobs[j].workers));
            }
        }
        QVERIFY2(driver.broken.empty(), driver.broken.empty() ? "" : driver.broken.front().c_str());
        for (std::size_t j = 0; j < workload.jobs.size(); ++j) QVERIFY(driver.finished[j] >= 0);
    }
}

TRAINYARD_TEST(tst_ServerRatio)
#include "tst_ServerRatio.moc"
