// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every registered policy and every test double in real time: random scenarios with failing machines and
// links, a twentieth as long as those of the simulation. Run under ThreadSanitizer, too.
#include "base/Result.h"
#include "conformance/DrawnParameters.h"
#include "engine/Executor.h"
#include "support/TaskAccounts.h"
#include "support/TestMain.h"

#include <chrono>

using namespace trainyard;
using namespace trainyard::test;

namespace {

constexpr double shortening = 20;

void shorten(SimTime& time) { time.ns /= static_cast<std::int64_t>(shortening); }

/// The same, a twentieth as long; links as slow beside the computation as before.
Scenario shortened(Scenario scenario) {
    for (Job& job : scenario.jobs) {
        shorten(job.arrival);
        if (auto* work = std::get_if<TrainedWork>(&job.work)) {
            work->secondsPerSample /= shortening;
            work->secondsPerUpdate /= shortening;
        } else if (auto* formulas = std::get_if<AnalyticWork>(&job.work)) {
            formulas->secondsPerSample /= shortening;
            formulas->secondsPerUpdate /= shortening;
            formulas->parameterBytes /= shortening;
        } else {
            for (auto& operation : std::get<GraphWork>(job.work).graph.operations) {
                operation.forwardSeconds /= shortening;
                operation.backwardSeconds /= shortening;
            }
        }
    }
    for (NamedGraph& named : scenario.graphs) named.timeFactor /= shortening;
    // A job whose machine a graph job has taken waits for the next round.
    Choice& scheduler = scenario.policies.scheduler;
    if (conformanceRegistry().find(PolicyFamily::scheduler, scheduler.id)->schema.find("round_s"))
        scheduler.parameters["round_s"] = 1.0;
    for (Fault& fault : scenario.faults) {
        fault.atSeconds /= shortening;
        if (fault.repairAfterSeconds) *fault.repairAfterSeconds /= shortening;
    }
    return scenario;
}

/// A run that has not ended by then never will.
const SimTime patience = SimTime::seconds(120);

} // namespace

class tst_ExecutedConformance : public QObject {
    Q_OBJECT
private slots:
    void endsAndLosesNoJob_data();
    void endsAndLosesNoJob();
    void drawnParameters_data();
    void drawnParameters();
};

void tst_ExecutedConformance::endsAndLosesNoJob_data() {
    QTest::addColumn<int>("family");
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("seed");
    for (const auto family : allFamilies)
        for (const auto* info : conformanceRegistry().list(family)) {
            // Where keys are, most can go wrong.
            for (int seed = 1; seed <= (family == PolicyFamily::parameters ? 6 : 1); ++seed)
                QTest::addRow("%s %s seed %d", std::string(familyName(family)).c_str(), info->id.c_str(), seed)
                    << static_cast<int>(family) << QString::fromStdString(info->id) << seed;
        }
}

void tst_ExecutedConformance::endsAndLosesNoJob() {
    QFETCH(int, family);
    QFETCH(QString, id);
    QFETCH(int, seed);
    Scenario scenario =
        shortened(scenarioWith(static_cast<PolicyFamily>(family), id.toStdString(), static_cast<std::uint64_t>(seed)));
    // Beside graph jobs that take machines, others may wait for slots and rounds in real time.
    if (static_cast<PolicyFamily>(family) != PolicyFamily::partitioner)
        std::erase_if(scenario.jobs, [&](const Job& job) { return isAdmittedAtOnce(job, scenario.cluster); });
    auto made = Executor::create({.scenario = std::make_shared<const Scenario>(scenario),
                                  .registry = std::make_shared<const Registry>(conformanceRegistry()),
                                  .resources = ResourcePaths::find({}),
                                  .seed = scenario.seed,
                                  .threads = 1});
    QVERIFY(made);
    Executor& executor = *made.value();
    std::stop_source source;
    try {
        executor.run(source.get_token(), [&] {
            if (executor.state().now() > patience) source.request_stop();
        });
    } catch (const InvariantError& error) {
        qWarning("invariant broken at %g s: %s", executor.state().now().toSeconds(), error.what());
        QVERIFY2(false, qPrintable(described(scenario)));
    }
    QVERIFY2(!source.stop_requested(), qPrintable(described(scenario)));
    ClusterState fold(executor.workload());
    for (std::size_t i = 0; i < executor.log().size(); ++i) fold.apply(executor.log()[i]);
    QVERIFY2(fold == executor.state(), qPrintable(described(scenario)));
    for (const auto& error : accountErrors(executor.log(), *executor.workload()))
        QVERIFY2(false, qPrintable(described(scenario) + ": " + QString::fromStdString(error)));
    for (const auto& error : undeclaredNotes(scenario, executor.log(), *executor.workload()))
        QVERIFY2(false, qPrintable(described(scenario) + ": " + QString::fromStdString(error)));
    const std::vector<bool> stopped = stoppedEarly(executor.log(), fold.jobs().size());
    for (std::size_t j = 0; j < fold.jobs().size(); ++j) {
        const auto& job = fold.jobs()[j];
        const bool ended = mayEndIn(job.phase, executor.workload()->jobs[j], *executor.workload(), scenario);
        QVERIFY2(ended, qPrintable(described(scenario) +
                                   QStringLiteral(": job %1 is in phase %2").arg(j).arg(int(job.phase))));
        const auto& stop = executor.workload()->jobs[j].stop;
        if (!stop.iterations || job.phase != JobPhase::finished) continue;
        if (stopped[j])
            QVERIFY(job.updates <= std::uint64_t(*stop.iterations));
        else
            QCOMPARE(job.updates, std::uint64_t(*stop.iterations));
    }
    for (std::size_t m = 0; m < fold.machines().size(); ++m)
        QVERIFY(fold.machines()[m].free == scenario.cluster.machines[m].capacity);
}

void tst_ExecutedConformance::drawnParameters_data() {
    QTest::addColumn<int>("family");
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("seed");
    for (const auto family : allFamilies)
        for (const auto* info : conformanceRegistry().list(family)) {
            for (int seed = 1; seed <= 2; ++seed)
                QTest::addRow("%s %s seed %d", std::string(familyName(family)).c_str(), info->id.c_str(), seed)
                    << static_cast<int>(family) << QString::fromStdString(info->id) << seed;
        }
}

// As simulated (tst_Conformance), for as long as half a second: then it is stopped wherever it is.
void tst_ExecutedConformance::drawnParameters() {
    QFETCH(int, family);
    QFETCH(QString, id);
    QFETCH(int, seed);
    const Scenario scenario =
        shortened(drawnScenario(static_cast<PolicyFamily>(family), id.toStdString(), std::uint64_t(seed)));
    auto made = Executor::create({.scenario = std::make_shared<const Scenario>(scenario),
                                  .registry = std::make_shared<const Registry>(conformanceRegistry()),
                                  .resources = ResourcePaths::find({}),
                                  .seed = scenario.seed,
                                  .threads = 1});
    QVERIFY(made);
    Executor& executor = *made.value();
    const auto started = std::chrono::steady_clock::now(); // nothing may happen for long
    std::stop_source source;
    try {
        executor.run(source.get_token(), [&] {
            if (std::chrono::steady_clock::now() - started > std::chrono::milliseconds(500)) source.request_stop();
        });
    } catch (const InvariantError& error) { QVERIFY2(false, qPrintable(described(scenario) + ": " + error.what())); }
    ClusterState fold(executor.workload());
    for (std::size_t i = 0; i < executor.log().size(); ++i) fold.apply(executor.log()[i]);
    QVERIFY2(fold == executor.state(), qPrintable(described(scenario)));
    for (const auto& error : accountErrors(executor.log(), *executor.workload()))
        QVERIFY2(false, qPrintable(described(scenario) + ": " + QString::fromStdString(error)));
    for (const auto& error : undeclaredNotes(scenario, executor.log(), *executor.workload()))
        QVERIFY2(false, qPrintable(described(scenario) + ": " + QString::fromStdString(error)));
}

TRAINYARD_TEST(tst_ExecutedConformance)
#include "tst_ExecutedConformance.moc"
