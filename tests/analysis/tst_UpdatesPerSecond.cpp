// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Updates per second: every update counts once, in the part of the time that holds it.
#include "analysis/View.h"
#include "support/IndexedRun.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;

class tst_UpdatesPerSecond : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyUpdateCountsOnce();
};

void tst_UpdatesPerSecond::everyUpdateCountsOnce() {
    Scenario scenario = test::starScenario(4);
    scenario.jobs = {test::trainedJob()};
    RunIndex run(test::sourceOfRun(std::move(scenario)));
    run.update();
    const auto updates = test::eventsOf(*run.source().log, EventType::updateApplied);
    for (const std::int64_t bins : {2, 7, 100}) {
        const Chart chart = std::get<Chart>(wholePicture(
            *findView("updates-per-second"), {.run = run, .job = {}, .at = run.head(), .options = {{"bins", bins}}}));
        const Series& rate = chart.plots.at(0).series.at(0);
        QCOMPARE(rate.y.size(), static_cast<std::size_t>(bins));
        QCOMPARE(rate.x.size(), rate.y.size() + 1);
        double all = 0;
        for (std::size_t b = 0; b < rate.y.size(); ++b) {
            double within = 0;
            for (const Event& e : updates)
                within +=
                    e.time.toSeconds() >= rate.x[b] && (e.time.toSeconds() < rate.x[b + 1] || b + 1 == rate.y.size());
            const double width = rate.x[b + 1] - rate.x[b];
            QVERIFY(std::abs(rate.y[b] * width - within) < 1e-6);
            all += within;
        }
        QCOMPARE(all, static_cast<double>(updates.size()));
    }
}

TRAINYARD_TEST(tst_UpdatesPerSecond)
#include "tst_UpdatesPerSecond.moc"
