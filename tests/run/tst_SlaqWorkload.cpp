// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The workload of the study "slaq": what it says of its curves, its arrivals and its load, and that one run of it is what its
// arithmetic says.
#include "run/Headless.h"
#include "studies/slaq/SlaqWorkload.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>

using namespace trainyard;

class tst_SlaqWorkload : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void shapesAreWhatTheySay();
    void arrivalsAndLoadAreThoseAskedFor();
    void jobsEndAt99Percent();
};

// Of exact curves: 1/k has falling ratios of losses beyond the limit, a geometric series a constant one; S-shaped: there is a later
// drop that is greater than an earlier one.
void tst_SlaqWorkload::shapesAreWhatTheySay() {
    RandomStream random(5, Purpose::test);
    for (int i = 0; i < 50; ++i) {
        for (const auto shape : {study::CurveShape::sublinear, study::CurveShape::linear, study::CurveShape::sShaped}) {
            const RecordedCurve curve = study::drawnCurve(shape, random);
            const auto& loss = curve.losses;
            QVERIFY(loss.size() == curve.updates.size() && loss.size() > 60 && loss.size() < 302);
            double early = loss[1] - loss[2], greatest = 0;
            for (std::size_t k = 1; k < loss.size(); ++k) {
                QVERIFY(shape == study::CurveShape::sShaped ? loss[k] <= loss[k - 1] : loss[k] < loss[k - 1]);
                if (k > 5) greatest = std::max(greatest, loss[k - 1] - loss[k]);
            }
            const double ratio = (loss[2] - loss[3]) / early, later = (loss[31] - loss[32]) / (loss[30] - loss[31]);
            if (shape == study::CurveShape::linear) QVERIFY(std::abs(ratio - later) < 1e-6);
            if (shape == study::CurveShape::sublinear) QVERIFY(later > ratio + 0.01);
            QVERIFY(shape == study::CurveShape::sShaped ? greatest > loss[4] - loss[5] : greatest < loss[4] - loss[5]);
        }
        const RecordedCurve noisy = study::drawnCurve(study::CurveShape::noisy, random);
        QVERIFY(!std::is_sorted(noisy.losses.rbegin(), noisy.losses.rend()));
    }
}

// 4,000 jobs: the mean gap of 15 s and the mean cost have relative standard errors of 1/√4000 = 1.6 % and √(e^0.64 − 1)/√4000 = 1.5 %;
// 5 of them.
void tst_SlaqWorkload::arrivalsAndLoadAreThoseAskedFor() {
    const Scenario scenario = study::slaqScenario({.jobs = 4000, .load = 2}, 3);
    double work = 0;
    for (const Job& job : scenario.jobs)
        work += std::get<AnalyticWork>(job.work).law->dividedSeconds * static_cast<double>(*job.stop.iterations);
    const double gap = scenario.jobs.back().arrival.toSeconds() / 3999;
    QVERIFY2(std::abs(gap / 15 - 1) < 0.08, qPrintable(QString::number(gap)));
    const double load = work / 4000 / (640 * 15.0);
    QVERIFY2(std::abs(load / 2 - 1) < 0.08, qPrintable(QString::number(load)));
    QVERIFY(study::slaqScenario({.jobs = 20}, 3) == study::slaqScenario({.jobs = 20}, 3));
}

// Of every job 99 % of the drop are seen, and the last loss is the first that is so low: its time to 99 % is its completion time.
void tst_SlaqWorkload::jobsEndAt99Percent() {
    const auto registry = std::make_shared<const Registry>(Registry::builtin());
    Scenario scenario = study::slaqScenario({.jobs = 12, .machines = 2, .coresPerMachine = 8}, 1);
    scenario.policies.scheduler = {"fair", {}};
    auto outcome = simulateOnce({.scenario = std::make_shared<const Scenario>(scenario),
                                 .registry = registry,
                                 .resources = {},
                                 .seed = 1,
                                 .threads = 1},
                                {});
    for (const auto& p : outcome.problems()) qWarning("%s", p.text().c_str());
    QVERIFY(outcome.ok());
    for (const auto& job : outcome.value().metrics.jobs) {
        QVERIFY(job.contains("jct_s") && job.contains("time_to_99_s"));
        QCOMPARE(job.at("time_to_99_s"), job.at("jct_s"));
        QVERIFY(job.at("time_to_90_s") < job.at("time_to_99_s"));
    }
}

TRAINYARD_TEST(tst_SlaqWorkload)
#include "tst_SlaqWorkload.moc"
