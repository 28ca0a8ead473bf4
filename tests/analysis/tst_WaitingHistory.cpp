// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Histories of jobs and machines count workers as the index of the run does, whether they are made at once or as the log grows.
#include "analysis/EntityHistory.h"
#include "engine/Simulation.h"
#include "support/RandomScenario.h"
#include "support/TestMain.h"

#include <algorithm>

using namespace trainyard;

class tst_WaitingHistory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void countsAreThoseOfTheIndex();
};

namespace {

using Curve = EntityHistory::Curve;
using Kind = EntityHistory::Kind;

/// ∫ of a curve over the run; worker seconds.
double sumOf(const EntityHistory& fold, Curve::What what, SimTime end) {
    for (const Curve& curve : fold.curves())
        if (curve.what == what) return curve.series.integral(end.toSeconds());
    return 0;
}

double secondsOf(const IntervalTrack& track, SimTime end, std::initializer_list<WorkerPhase> phases) {
    if (track.empty()) return 0;
    const auto sums = track.sumsUntil(end, track.indexAt(end));
    double out = 0;
    for (const WorkerPhase phase : phases) out += static_cast<double>(sums[static_cast<std::size_t>(phase)]) * 1e-9;
    return out;
}

} // namespace

void tst_WaitingHistory::countsAreThoseOfTheIndex() {
    const auto registry = std::make_shared<const Registry>(Registry::builtin());
    double waited = 0, served = 0;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        Scenario scenario = test::randomScenario(seed, {.runnable = true, .registry = registry.get()});
        const bool keyed =
            std::ranges::any_of(scenario.jobs, [](const Job& job) { return job.keyedAccess() != nullptr; });
        scenario.policies.synchronization = {seed % 2 == 0 && !keyed ? "full-sync" : "ssp", {}};
        for (Job& job : scenario.jobs) {
            job.synchronization = {};
            const double seconds = 0.01 * static_cast<double>(seed % 3);
            if (auto* work = std::get_if<TrainedWork>(&job.work)) work->secondsPerUpdate = seconds;
            if (auto* work = std::get_if<AnalyticWork>(&job.work)) work->secondsPerUpdate = seconds;
        }
        auto made = Simulation::create({.scenario = std::make_shared<const Scenario>(scenario),
                                        .registry = registry,
                                        .resources = ResourcePaths::find({}),
                                        .seed = seed,
                                        .threads = 1});
        if (!made) continue; // it may not be valid with another time of updates
        Simulation& simulation = **made;
        for (int i = 0; i < 5000 && simulation.step(); ++i) {}
        const SimTime end = simulation.state().now();
        const RunSource run{.scenario = nullptr,
                            .workload = simulation.workload(),
                            .log = {std::shared_ptr<const void>(), &simulation.log()}};
        RunIndex index(run);
        index.update();
        for (std::size_t j = 0; j < run.workload->jobs.size(); ++j) {
            EntityHistory atOnce(run, Kind::job, run.workload->jobs[j].key), grown = atOnce;
            const std::size_t size = run.log->size();
            atOnce.carryOn(*run.log, 0, size, RunIndex::everything);
            for (std::size_t at = 0; at < size;) at = grown.carryOn(*run.log, at, size, 7);
            double waiting = 0, computing = 0;
            for (const WorkerHistory& worker : index.jobs()[j].workers) {
                waiting += secondsOf(worker.track, end, {WorkerPhase::waiting, WorkerPhase::blocked});
                computing += secondsOf(worker.track, end, {WorkerPhase::computing, WorkerPhase::discarded});
                served += secondsOf(worker.track, end, {WorkerPhase::updating});
            }
            waited += waiting;
            for (const EntityHistory* fold : {&atOnce, &grown}) {
                const double is = sumOf(*fold, Curve::What::waiting, end),
                             busy = sumOf(*fold, Curve::What::computing, end);
                QVERIFY2(
                    std::abs(is - waiting) <= 1e-6 * std::max(1.0, waiting),
                    qPrintable(QStringLiteral("seed %1: waits %2 s, in the index %3").arg(seed).arg(is).arg(waiting)));
                QVERIFY2(std::abs(busy - computing) <= 1e-6 * std::max(1.0, computing),
                         qPrintable(QStringLiteral("seed %1: %2 s, %3").arg(seed).arg(busy).arg(computing)));
            }
        }
        for (std::size_t m = 0; m < run.workload->cluster.machines.size(); ++m) {
            EntityHistory fold(run, Kind::machine, run.workload->cluster.machines[m].key);
            fold.carryOn(*run.log, 0, run.log->size(), RunIndex::everything);
            double computing = 0;
            for (const SlotHistory& slot : index.machines()[m].slotLanes)
                for (const SlotHistory::Stay& stay : slot.stays) {
                    if (stay.role != TaskRole::worker) continue;
                    const IntervalTrack& track = index.jobs()[stay.job].workers[stay.index].track;
                    const SimTime until = std::min(stay.end, end);
                    const std::initializer_list<WorkerPhase> busy{WorkerPhase::computing, WorkerPhase::discarded};
                    const auto before = [&](SimTime t) {
                        const auto sums = track.sumsUntil(t, track.indexAt(t));
                        double out = 0;
                        for (const WorkerPhase phase : busy)
                            out += static_cast<double>(sums[static_cast<std::size_t>(phase)]) * 1e-9;
                        return out;
                    };
                    computing += before(until) - before(stay.start);
                }
            const double is = sumOf(fold, Curve::What::busyTasks, end);
            QVERIFY2(
                std::abs(is - computing) <= 1e-6 * std::max(1.0, computing),
                qPrintable(QStringLiteral("seed %1, machine %2: %3 s, %4").arg(seed).arg(m).arg(is).arg(computing)));
        }
    }
    qInfo("%g s of waiting for others, %g s for servers", waited, served);
    QVERIFY(waited > 0 && served > 0);
}

TRAINYARD_TEST(tst_WaitingHistory)
#include "tst_WaitingHistory.moc"
