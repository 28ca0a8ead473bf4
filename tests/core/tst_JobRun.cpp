// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A running job in virtual time, as a value: its timers.
#include "engine/JobRun.h"
#include "support/TestMain.h"

using namespace trainyard;

class tst_JobRun : public QObject {
    Q_OBJECT
private slots:
    void numbersOfTimersAreUsedAgain();
};

// A node that asks for a timer at every message of a long run keeps no memory of those that are over.
void tst_JobRun::numbersOfTimersAreUsedAgain() {
    JobRun run;
    const auto first = run.addTimer(3, 70);
    for (std::uint64_t tag = 0; tag < 1000; ++tag) {
        const auto number = run.addTimer(4, tag);
        QVERIFY(number != first && number < 2);
        QCOMPARE(run.takeTimer(number), (std::pair<NodeIndex, std::uint64_t>{4, tag}));
    }
    QCOMPARE(run.takeTimer(first), (std::pair<NodeIndex, std::uint64_t>{3, 70}));
}

TRAINYARD_TEST(tst_JobRun)
#include "tst_JobRun.moc"
