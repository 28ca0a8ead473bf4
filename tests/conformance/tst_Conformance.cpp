// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What every policy must keep: every job ends, nothing is used twice or lost, its parameters are what it declares.
#include "conformance/ConformanceRows.h"
#include "support/TaskAccounts.h"

using namespace trainyard;
using namespace trainyard::test;

class tst_Conformance : public QObject {
    Q_OBJECT
private slots:
    void scenariosMeetWhatTheyShould();
    void undeclaredNotesAreCaught();
    void endsAndLosesNoJob_data() { policiesAndSeeds(20); }
    void endsAndLosesNoJob();
    void parametersRoundTrip_data() { policiesAndSeeds(1); }
    void parametersRoundTrip();
};

void tst_Conformance::scenariosMeetWhatTheyShould() {
    // The properties below mean little if the scenarios are tame: over all rows each of these must happen.
    std::map<EventType, int> counts;
    for (const auto family : allFamilies)
        for (const auto* info : conformanceRegistry().list(family))
            for (std::uint64_t seed = 1; seed <= 8; ++seed) {
                const auto simulation = simulationOf(scenarioWith(family, info->id, seed));
                QVERIFY(simulation && runOut(*simulation));
                const EventLog& log = simulation->log();
                for (std::size_t i = 0; i < log.size(); ++i) ++counts[log[i].type];
            }
    for (const auto type :
         {EventType::jobResized, EventType::jobPreempted, EventType::jobRejected, EventType::jobRestored,
          EventType::jobPartitioned, EventType::taskCancelled, EventType::workerBlocked, EventType::checkpointDone,
          EventType::linkLoad, EventType::linkCarried, EventType::machineFailed, EventType::linkFailed,
          EventType::keyLocated, EventType::schedulerWoken, EventType::reserved, EventType::note,
          EventType::batchChanged}) {
        QVERIFY2(counts[type] > 0, std::string(eventName(type)).c_str());
        qInfo("%s: %d", std::string(eventName(type)).c_str(), counts[type]);
    }
}

// Two of four notes are of series that the policies do not have.
void tst_Conformance::undeclaredNotesAreCaught() {
    Scenario scenario = conformanceScenario(1);
    scenario.policies.scheduler.id = "test-epoch-planner";
    scenario.policies.synchronization.id = "async";
    scenario.jobs[0].synchronization.id = "adaptive-k";
    Workload workload;
    workload.cluster = scenario.cluster;
    workload.jobs = scenario.jobs;
    EventLog log;
    log.append(events::note({}, {PolicyFamily::scheduler, 1}, 0, 0, 1));
    log.append(events::note({}, {PolicyFamily::scheduler, 2}, 0, 0, 1));
    log.append(events::note(JobId(std::size_t{0}), {PolicyFamily::synchronization, 4}, 0, 0, 1));
    log.append(events::note(JobId(std::size_t{1}), {PolicyFamily::synchronization, 0}, 0, 0, 1));
    const auto errors = undeclaredNotes(scenario, log, workload);
    QCOMPARE(errors.size(), std::size_t{2});
    QCOMPARE(errors[0], std::string("event 1 is a note of series 2, which \"test-epoch-planner\" does not declare"));
    QCOMPARE(errors[1], std::string("event 3 is a note of series 0, which \"async\" does not declare"));
}

void tst_Conformance::endsAndLosesNoJob() {
    const Scenario scenario = scenarioOfRow();
    const auto simulation = simulationOf(scenario);
    QVERIFY2(simulation && runOut(*simulation), qPrintable(described(scenario)));
    // Fold the log again, looking at every state on the way.
    ClusterState fold(simulation->workload());
    const EventLog& log = simulation->log();
    for (std::size_t i = 0; i < log.size(); ++i) {
        fold.apply(log[i]);
        if (log[i].type != EventType::taskPlaced) continue;
        const auto& machine = fold.machines()[log[i].b];
        QVERIFY2(machine.up && !machine.free.anyNegative(), qPrintable(described(scenario)));
    }
    QVERIFY2(fold == simulation->state(), qPrintable(described(scenario)));
    for (const auto& error : accountErrors(log, *simulation->workload()))
        QVERIFY2(false, qPrintable(described(scenario) + ": " + QString::fromStdString(error)));
    for (const auto& error : undeclaredNotes(scenario, log, *simulation->workload()))
        QVERIFY2(false, qPrintable(described(scenario) + ": " + QString::fromStdString(error)));
    for (std::size_t i = 0; i < log.size(); ++i)
        if (log[i].type == EventType::jobFailed)
            qWarning("job %u failed at %g s, reason %d", log[i].job, log[i].time.toSeconds(), int(log[i].aux));
    const std::vector<bool> stopped = stoppedEarly(log, fold.jobs().size());
    for (std::size_t j = 0; j < fold.jobs().size(); ++j) {
        const auto& job = fold.jobs()[j];
        const bool ended = mayEndIn(job.phase, simulation->workload()->jobs[j], *simulation->workload(), scenario);
        QVERIFY2(ended, qPrintable(described(scenario) +
                                   QStringLiteral(": job %1 is in phase %2").arg(j).arg(int(job.phase))));
        QVERIFY(job.placement.empty());
        if (scenario.jobs.empty() || job.phase != JobPhase::finished) continue;
        const auto& stop = simulation->workload()->jobs[j].stop;
        if (stop.iterations && stopped[j]) QVERIFY(job.updates <= std::uint64_t(*stop.iterations));
        if (stop.iterations && !stopped[j]) QCOMPARE(job.updates, std::uint64_t(*stop.iterations));
    }
    for (std::size_t m = 0; m < fold.machines().size(); ++m)
        QVERIFY(fold.machines()[m].free == scenario.cluster.machines[m].capacity);
}

void tst_Conformance::parametersRoundTrip() {
    QFETCH(int, family);
    QFETCH(QString, id);
    const auto fam = static_cast<PolicyFamily>(family);
    const auto* info = conformanceRegistry().find(fam, id.toStdString());
    const auto makes = [&](const ParamValues& values) {
        const Choice choice{info->id, values};
        if (!conformanceRegistry().check(fam, choice, "/p").empty()) return false;
        switch (fam) {
        case PolicyFamily::scheduler: return conformanceRegistry().makeScheduler(choice)->clone() != nullptr;
        case PolicyFamily::synchronization:
            return conformanceRegistry().makeSynchronization(choice)->clone() != nullptr;
        case PolicyFamily::parameters: return conformanceRegistry().makeParameters(choice) != nullptr;
        case PolicyFamily::partitioner: return conformanceRegistry().makePartitioner(choice)->clone() != nullptr;
        }
        return false;
    };
    const ParamValues defaults = info->schema.complete({});
    QCOMPARE(defaults.size(), info->schema.fields().size());
    QVERIFY(makes({}) && makes(defaults));
    QVERIFY(info->schema.complete(defaults) == defaults);
    for (const auto& field : info->schema.fields()) {
        const auto with = [&](ParamValue value) {
            ParamValues values = defaults;
            values[field.key] = std::move(value);
            return values;
        };
        switch (field.type) {
        case ParamType::boolean: QVERIFY(makes(with(true)) && makes(with(false))); break;
        case ParamType::choice:
            for (const auto& word : field.choices) QVERIFY(makes(with(word)));
            QVERIFY(!makes(with(std::string("no such word"))));
            break;
        case ParamType::file: // what it names is read, and refused, by others
            for (const auto& name : field.choices) QVERIFY(makes(with(name)));
            QVERIFY(makes(with(std::string("own/agent.json"))) && !makes(with(std::string())));
            break;
        case ParamType::integer:
            QVERIFY(makes(with(std::int64_t(field.minimum))) && makes(with(std::int64_t(field.maximum))));
            QVERIFY(!makes(with(std::int64_t(field.minimum) - 1)) && !makes(with(0.5)));
            break;
        case ParamType::real:
            QVERIFY(makes(with(field.minimum)) && makes(with(field.maximum)) && !makes(with(field.maximum * 2 + 1)));
        }
    }
    QVERIFY(!makes({{"no_such_parameter", true}}));
}

TRAINYARD_TEST(tst_Conformance)
#include "tst_Conformance.moc"
