// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// slaq where updates take other times than it is told to expect: from three numbers of workers on it goes by what was timed.
#include "policy/scheduler/slaq/QualityScheduler.h"
#include "support/SchedulerDriver.h"
#include "support/TestMain.h"

using namespace trainyard;
using test::machineWith;
using test::SchedulerDriver;
using test::workerJob;

class tst_LearntTimes : public QObject {
    Q_OBJECT
private slots:
    void fewerWorkersThanToldAreFastest();
    void moreWorkersThanToldAreFastest();
};

namespace {

constexpr double unit = 0.02;

/// Seconds of a law with which nothing is as fast as four workers: 0.01 s.
double fastestWithFour(std::size_t workers) {
    const auto a = static_cast<double>(workers);
    return unit * (1 / a + a / 16);
}

double dividedByAll(std::size_t workers) { return unit / static_cast<double>(workers); }

using Law = double (*)(std::size_t workers);

/// One job of 1 to 12 workers on 12 cores. Others, with workers that nobody can take from them, come at 30 s and at 90 s and stay for
/// 30 s: in between the first has the cores for itself.
class LearntTimes {
public:
    LearntTimes(Law told, Law happens, int second, int third)
        : m_driver(test::makeScheduler("slaq", {{"epoch_s", 1.0}}),
                   test::onMachines({12}, {workerJob("a", 0, {1}, {1, 12}), workerJob("b", 30, {1}, {second, second}),
                                           workerJob("c", 90, {1}, {third, third})}),
                   {1e9, 30, 30}) {
        const auto of = [](Law law) {
            return [law](JobId job, const Placement& p) { return job.index() == 0 ? law(p.workers.size()) : 1.0; };
        };
        m_driver.secondsPer = of(happens);
        m_driver.toldSecondsPer = of(told);
        m_driver.lossAt = [](JobId, double updates) { return 1 / (1 + updates / 100); };
        m_driver.notes = &m_notes;
    }

    /// After the decisions until then.
    std::size_t workersAt(double seconds) {
        while (m_driver.now() < SimTime::seconds(seconds) && m_driver.broken.empty() && m_driver.step()) {}
        return m_driver.broken.empty() ? m_driver.workersOf(0) : 0;
    }

    /// Seconds per update that it last noted to expect of the first job.
    double expectedSeconds() const {
        const auto series = qualitySeries();
        double out = 0;
        for (const Event& e : m_notes)
            if (e.job == 0 && series.at(NoteSeries::unpacked(e.aux).number).name == "update_seconds") out = e.value;
        return out;
    }

    const char* broken() const { return firstBroken(m_driver); }

private:
    SchedulerDriver m_driver;
    std::vector<Event> m_notes;
};

bool isNear(double a, double b) { return std::abs(a / b - 1) < 0.03; }

} // namespace

// It is told that all work is divided, so that it takes all cores. Timed with 12 and 6 workers alone, updates are thought to be as much
// longer with any number; the third number, 2, shows that four workers are fastest.
void tst_LearntTimes::fewerWorkersThanToldAreFastest() {
    LearntTimes run(dividedByAll, fastestWithFour, 6, 10);
    QCOMPARE(run.workersAt(1), std::size_t{12});
    QVERIFY(isNear(run.expectedSeconds(), dividedByAll(12)));
    QCOMPARE(run.workersAt(29), std::size_t{12});
    QVERIFY2(isNear(run.expectedSeconds(), fastestWithFour(12)), qPrintable(QString::number(run.expectedSeconds())));
    QCOMPARE(run.workersAt(59), std::size_t{6});
    QCOMPARE(run.workersAt(89), std::size_t{12});
    QCOMPARE(run.workersAt(119), std::size_t{2});
    QVERIFY2(isNear(run.expectedSeconds(), fastestWithFour(2)), qPrintable(QString::number(run.expectedSeconds())));
    QCOMPARE(run.workersAt(150), std::size_t{4});
    QVERIFY2(isNear(run.expectedSeconds(), fastestWithFour(4)), qPrintable(QString::number(run.expectedSeconds())));
    QCOMPARE(run.broken(), "");
}

// It is told that four are fastest, and leaves eight cores idle until it has been timed with 4, 3 and 2.
void tst_LearntTimes::moreWorkersThanToldAreFastest() {
    LearntTimes run(fastestWithFour, dividedByAll, 9, 10);
    QCOMPARE(run.workersAt(29), std::size_t{4});
    QVERIFY2(isNear(run.expectedSeconds(), dividedByAll(4)), qPrintable(QString::number(run.expectedSeconds())));
    QCOMPARE(run.workersAt(59), std::size_t{3});
    QCOMPARE(run.workersAt(89), std::size_t{4});
    QCOMPARE(run.workersAt(119), std::size_t{2});
    QCOMPARE(run.workersAt(150), std::size_t{12});
    QVERIFY2(isNear(run.expectedSeconds(), dividedByAll(12)), qPrintable(QString::number(run.expectedSeconds())));
    QCOMPARE(run.broken(), "");
}

TRAINYARD_TEST(tst_LearntTimes)
#include "tst_LearntTimes.moc"
