// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a job declares of itself, as formulas: recorded curves, utilities, servers and batches by the number of workers.
#include "model/Job.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;

class tst_Job : public QObject {
    Q_OBJECT
private slots:
    void recordedCurvesAreStraightBetweenTheirPoints();
    void theFirstLowLossIsFound();
    void utilitiesCountSlots();
    void serversAndBatchesGoByWorkers();
};

namespace {

const RecordedCurve curve{"c", {0, 10, 30, 40}, {4, 2, 3, 1}};

} // namespace

void tst_Job::recordedCurvesAreStraightBetweenTheirPoints() {
    for (const auto& [at, loss] :
         {std::pair(0.0, 4.0), {5.0, 3.0}, {10.0, 2.0}, {20.0, 2.5}, {35.0, 2.0}, {40.0, 1.0}, {1e9, 1.0}})
        QCOMPARE(curve.at(at), loss);
}

// Against looking at every multiple; the curve falls, rises and falls again.
void tst_Job::theFirstLowLossIsFound() {
    for (const double every : {1.0, 3.0, 7.0})
        for (const double from : {0.0, 8.0, 11.0, 33.0, 50.0})
            for (const double loss : {4.5, 3.0, 2.2, 1.5, 1.0, 0.5}) {
                double slow = INFINITY;
                for (double u = std::ceil(from / every) * every; u < 200; u += every)
                    if (curve.at(u) <= loss + 1e-12) {
                        slow = u;
                        break;
                    }
                QVERIFY2(curve.firstAtMost(loss, from, every) == slow,
                         qPrintable(QStringLiteral("every %1 from %2 loss %3").arg(every).arg(from).arg(loss)));
            }
}

void tst_Job::utilitiesCountSlots() {
    const Utility plain{.theta1 = 10, .theta2 = 0.5, .theta3 = 8},
        inSlots{.theta1 = 10, .theta2 = 0.5, .theta3 = 8, .slotSeconds = 60};
    QCOMPARE(plain.at(8), 5.0);
    QCOMPARE(inSlots.at(60 * 8), 5.0);
    QCOMPARE(inSlots.at(60 * 7 + 1), 5.0); // rounded up
    for (const double d : {0.0, 3.0, 8.0, 40.0}) QVERIFY(std::abs(plain.logAt(d) - std::log(plain.at(d))) < 1e-12);
    QCOMPARE(plain.at(1e5), 0.0); // too small for a number; its logarithm is not
    QVERIFY(std::abs(plain.logAt(1e5) - (std::log(10) - 0.5 * (1e5 - 8))) < 1e-6);
}

void tst_Job::serversAndBatchesGoByWorkers() {
    Job job;
    job.workers = {1, 9};
    job.servers = {1, 5};
    QCOMPARE(job.serversFor(9, job.workers), 5); // in proportion
    QCOMPARE(job.serversFor(5, job.workers), 3);
    job.workersPerServer = 4;
    for (const auto& [workers, servers] : {std::pair(1, 1), {4, 1}, {5, 2}, {8, 2}, {9, 3}})
        QCOMPARE(job.serversFor(workers, job.workers), servers);
    AnalyticWork work;
    work.batch = 100;
    job.work = work;
    QCOMPARE(job.taskSamples(8), 100);
    std::get<AnalyticWork>(job.work).batchOf = BatchOf::job;
    QCOMPARE(job.taskSamples(8), 13); // to whole samples
    QCOMPARE(job.taskSamples(1000), 1);
}

TRAINYARD_TEST(tst_Job)
#include "tst_Job.moc"
