// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Views of single gradients say why there are none: not yet, or never, because updates are computed as a whole.
#include "analysis/View.h"
#include "support/IndexedRun.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

using namespace trainyard;

class tst_EmptyViews : public QObject {
    Q_OBJECT
private slots:
    void withoutGradients_data();
    void withoutGradients();
};

void tst_EmptyViews::withoutGradients_data() {
    QTest::addColumn<QByteArray>("view");
    for (const char* view : {"iteration", "k-and-load", "response-times", "staleness", "participation"})
        QTest::newRow(view) << QByteArray(view);
}

void tst_EmptyViews::withoutGradients() {
    QFETCH(QByteArray, view);
    Scenario scenario = test::starScenario(3);
    scenario.jobs = {test::analyticJob()};
    const auto why = [&](NetworkModel network, double horizon) {
        scenario.network = network;
        scenario.horizonSeconds = horizon;
        RunIndex index(test::sourceOfRun(scenario));
        index.update();
        const Picture picture =
            wholePicture(*findView(view.constData()), {.run = index, .job = JobId(std::size_t{0}), .at = index.head()});
        return std::get<Chart>(picture).empty.pattern;
    };
    const std::string never = why(NetworkModel::rate, 1000);
    QVERIFY2(never.find("single gradients") != std::string::npos, never.c_str());
    QVERIFY(never.find("Press play") == std::string::npos);
    QCOMPARE(why(NetworkModel::flow, 1000), std::string());
    const std::string notYet = why(NetworkModel::rate, 1e-3);
    if (view != "iteration") QVERIFY2(notYet.find("Press play") != std::string::npos, notYet.c_str());
}

TRAINYARD_TEST(tst_EmptyViews)
#include "tst_EmptyViews.moc"
