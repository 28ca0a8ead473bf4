// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Measuring how long decisions take: they are made and carried out at every size. How long is not judged.
#include "base/Result.h"
#include "run/studies/SlaqTimes.h"
#include "support/TestMain.h"

using namespace trainyard;

class tst_SlaqTimes : public QObject {
    Q_OBJECT
private slots:
    void decisionsAreCarriedOut_data();
    void decisionsAreCarriedOut();
    void nothingIsNotTimed();
};

void tst_SlaqTimes::decisionsAreCarriedOut_data() {
    QTest::addColumn<int>("jobs");
    QTest::addColumn<int>("cores");
    QTest::addColumn<int>("threads");
    QTest::newRow("one") << 1 << 1 << 1;
    QTest::newRow("four cores a job") << 24 << 96 << 2;
    QTest::newRow("a smaller last machine") << 10 << 70 << 1;
    QTest::newRow("jobs that wait") << 50 << 40 << 2;
}

/// An InvariantError says that a job has no core though one is free, or that a machine holds more than it can.
void tst_SlaqTimes::decisionsAreCarriedOut() {
    QFETCH(int, jobs);
    QFETCH(int, cores);
    QFETCH(int, threads);
    const double seconds = study::slaqDecisionSeconds(static_cast<std::size_t>(jobs), cores, threads);
    QVERIFY(seconds > 0 && seconds < 600);
}

void tst_SlaqTimes::nothingIsNotTimed() {
    QVERIFY_EXCEPTION_THROWN(study::slaqDecisionSeconds(0, 4, 1), InvariantError);
    QVERIFY_EXCEPTION_THROWN(study::slaqDecisionSeconds(4, 0, 1), InvariantError);
}

TRAINYARD_TEST(tst_SlaqTimes)
#include "tst_SlaqTimes.moc"
