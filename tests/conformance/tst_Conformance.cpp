// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every registered policy and every test double through the properties all must have, on random scenarios in
// which the other families' policies are drawn too. A failing row is named after the policy and the seed.
#include "base/Result.h"
#include "conformance/DrawnParameters.h"
#include "engine/Simulation.h"
#include "support/TaskAccounts.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

class tst_Conformance : public QObject {
    Q_OBJECT
private slots:
    void scenariosMeetWhatTheyShould();
    void undeclaredNotesAreCaught();
    void endsAndLosesNoJob_data() { policiesAndSeeds(20); }
    void endsAndLosesNoJob();
    void sameSeedSameDigest_data() { policiesAndSeeds(6); }
    void sameSeedSameDigest();
    void cloneContinuesWithAnEqualSuffix_data() { policiesAndSeeds(12); }
    void cloneContinuesWithAnEqualSuffix();
    void explanationsGiveTheirChoice_data() { policiesAndSeeds(8); }
    void explanationsGiveTheirChoice();
    void explainingChangesNothing_data() { policiesAndSeeds(2); }
    void explainingChangesNothing();
    void parametersRoundTrip_data() { policiesAndSeeds(1); }
    void parametersRoundTrip();
    void drawnParameters_data() { policiesAndSeeds(6); }
    void drawnParameters();

private:
    static void policiesAndSeeds(int seeds);
};

namespace {

Scenario scenarioOfRow() {
    const auto family = static_cast<PolicyFamily>(*static_cast<int*>(QTest::qData("family", qMetaTypeId<int>())));
    const auto id = static_cast<QString*>(QTest::qData("id", qMetaTypeId<QString>()))->toStdString();
    const auto seed = std::uint64_t(*static_cast<int*>(QTest::qData("seed", qMetaTypeId<int>())));
    return scenarioWith(family, id, seed);
}

std::unique_ptr<Simulation> simulationOf(const Scenario& scenario) {
    auto made = Simulation::create({.scenario = std::make_shared<const Scenario>(scenario),
                                    .registry = std::make_shared<const Registry>(conformanceRegistry()),
                                    .resources = {},
                                    .seed = scenario.seed,
                                    .threads = 1});
    for (const auto& p : made.problems()) qWarning("%s", p.text().c_str());
    return made ? std::move(made).value() : nullptr;
}

constexpr int mostEvents = 400000;

/// Steps to the end; false if there is none in sight. A broken invariant is printed.
bool runOut(Simulation& simulation) {
    try {
        for (int i = 0; i < mostEvents; ++i)
            if (!simulation.step()) return true;
    } catch (const InvariantError& error) {
        qWarning("invariant broken at %g s: %s", simulation.state().now().toSeconds(), error.what());
    }
    return false;
}

} // namespace

void tst_Conformance::policiesAndSeeds(int seeds) {
    QTest::addColumn<int>("family");
    QTest::addColumn<QString>("id");
    QTest::addColumn<int>("seed");
    for (const auto family : allFamilies)
        for (const auto* info : conformanceRegistry().list(family))
            for (int seed = 1; seed <= seeds; ++seed)
                QTest::addRow("%s %s seed %d", std::string(familyName(family)).c_str(), info->id.c_str(), seed)
                    << static_cast<int>(family) << QString::fromStdString(info->id) << seed;
}

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
    for (const auto& error : accountErrors(log))
        QVERIFY2(false, qPrintable(described(scenario) + ": " + QString::fromStdString(error)));
    for (const auto& error : undeclaredNotes(scenario, log, *simulation->workload()))
        QVERIFY2(false, qPrintable(described(scenario) + ": " + QString::fromStdString(error)));
    for (std::size_t i = 0; i < log.size(); ++i)
        if (log[i].type == EventType::jobFailed)
            qWarning("job %u failed at %g s, reason %d", log[i].job, log[i].time.toSeconds(), int(log[i].aux));
    const Registry registry = conformanceRegistry();
    const PolicyInfo* scheduler = registry.find(PolicyFamily::scheduler, scenario.policies.scheduler.id);
    const bool mayReject = scheduler->schema.find("slot_s") || scenario.policies.scheduler.id == "test-slot-planner" ||
                           scenario.policies.partitioner.id == "none"; // who plans in slots may refuse
    const std::vector<bool> stopped = stoppedEarly(log, fold.jobs().size());
    for (std::size_t j = 0; j < fold.jobs().size(); ++j) {
        const auto& job = fold.jobs()[j];
        const bool ended = job.phase == JobPhase::finished || (mayReject && job.phase == JobPhase::rejected);
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

void tst_Conformance::sameSeedSameDigest() {
    // Once alone, once step by step in turns with another run: runs share nothing.
    const Scenario scenario = scenarioOfRow();
    const auto alone = simulationOf(scenario);
    QVERIFY(alone && runOut(*alone));
    Scenario other = scenario;
    other.seed += 1000;
    const auto again = simulationOf(scenario), beside = simulationOf(other);
    for (int i = 0; i < mostEvents && again->step(); ++i) beside->step();
    QVERIFY2(again->log().digest() == alone->log().digest(), qPrintable(described(scenario)));
}

void tst_Conformance::cloneContinuesWithAnEqualSuffix() {
    const Scenario scenario = scenarioOfRow();
    const auto whole = simulationOf(scenario);
    QVERIFY(whole && runOut(*whole));
    RandomStream random(scenario.seed, Purpose::test, 79);
    const auto original = simulationOf(scenario);
    const std::size_t at = random.below(whole->eventsProcessed());
    while (original->eventsProcessed() < at && original->step()) {}
    const auto clone = original->clone();
    const std::size_t prefix = original->log().size();
    for (int i = 0; i < 20; ++i) clone->step(); // in turns, so that anything shared would show
    QVERIFY(runOut(*original));
    QVERIFY(runOut(*clone));
    QVERIFY2(original->log().digest() == whole->log().digest(), qPrintable(described(scenario)));
    QCOMPARE(clone->log().size(), whole->log().size());
    for (std::size_t i = prefix; i < whole->log().size(); ++i)
        QVERIFY2(clone->log()[i] == whole->log()[i],
                 qPrintable(described(scenario) +
                            QStringLiteral(": cloned before event %1, differs at %2").arg(prefix).arg(i)));
    QCOMPARE(clone->explanations().all().size(), whole->explanations().all().size());
}

void tst_Conformance::explanationsGiveTheirChoice() {
    const Scenario scenario = scenarioOfRow();
    const auto simulation = simulationOf(scenario);
    QVERIFY(simulation && runOut(*simulation));
    const auto& all = simulation->explanations().all();
    std::vector<int> decisions(all.size(), 0);
    const EventLog& log = simulation->log();
    for (std::size_t i = 0; i < log.size(); ++i)
        if (log[i].type == EventType::decision) ++decisions.at(log[i].a);
    std::size_t starts = 0, explained = 0;
    for (std::size_t i = 0; i < log.size(); ++i) starts += log[i].type == EventType::jobStarted;
    for (std::size_t e = 0; e < all.size(); ++e) {
        QVERIFY2(all[e].evaluate() == all[e].chosen,
                 qPrintable(described(scenario) + ": " + QString::fromStdString(all[e].summary.english())));
        QCOMPARE(decisions[e], 1);
        QVERIFY(!all[e].summary.empty() && !all[e].policy.empty());
        for (const auto& candidate : all[e].candidates) {
            for (const auto& check : candidate.checks)
                QVERIFY(std::isfinite(check.value) && std::isfinite(check.limit));
            for (const auto& number : candidate.numbers)
                QVERIFY2(std::isfinite(number.value),
                         qPrintable(described(scenario) + ": " + QString::fromStdString(number.name)));
        }
        explained += all[e].family == PolicyFamily::scheduler;
    }
    QVERIFY2(explained > 0 || starts == 0, qPrintable(described(scenario)));
}

void tst_Conformance::explainingChangesNothing() {
    // With explanations off, every event but the decision events is the same.
    Scenario scenario = scenarioOfRow();
    const auto full = simulationOf(scenario);
    scenario.explanations = WhyLevel::off;
    const auto off = simulationOf(scenario);
    QVERIFY(runOut(*full) && runOut(*off));
    std::size_t i = 0;
    for (std::size_t f = 0; f < full->log().size(); ++f) {
        if (full->log()[f].type == EventType::decision) continue;
        QVERIFY2(i < off->log().size() && off->log()[i] == full->log()[f], qPrintable(described(scenario)));
        ++i;
    }
    QCOMPARE(i, off->log().size());
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

// With parameters from anywhere in their ranges a run may take for ever, or nothing of it may succeed; but whatever happens adds
// up, is declared, explained by what was compared, and goes on alike in a clone.
void tst_Conformance::drawnParameters() {
    QFETCH(int, family);
    QFETCH(QString, id);
    QFETCH(int, seed);
    const Scenario scenario =
        drawnScenario(static_cast<PolicyFamily>(family), id.toStdString(), static_cast<std::uint64_t>(seed));
    qInfo("%s", qPrintable(described(scenario)));
    const auto simulation = simulationOf(scenario);
    QVERIFY(simulation);
    RandomStream random(scenario.seed, Purpose::test, 82);
    const std::uint64_t at = random.below(4000);
    std::unique_ptr<Simulation> clone;
    try {
        for (std::uint64_t i = 0; i < 20'000; ++i) {
            if (i == at) clone = simulation->clone();
            if (!simulation->step()) break;
        }
        const auto behind = [&] {
            return simulation->finished() ? !clone->finished()
                                          : clone->eventsProcessed() < simulation->eventsProcessed();
        };
        while (clone && behind()) clone->step();
    } catch (const InvariantError& error) { QVERIFY2(false, qPrintable(described(scenario) + ": " + error.what())); }
    const EventLog& log = simulation->log();
    ClusterState fold(simulation->workload());
    for (std::size_t i = 0; i < log.size(); ++i) {
        fold.apply(log[i]);
        if (log[i].type == EventType::taskPlaced)
            QVERIFY2(!fold.machines()[log[i].b].free.anyNegative(), qPrintable(described(scenario)));
        if (clone) QVERIFY2(i < clone->log().size() && clone->log()[i] == log[i], qPrintable(described(scenario)));
    }
    QVERIFY2(fold == simulation->state(), qPrintable(described(scenario)));
    for (const auto& error : accountErrors(log))
        QVERIFY2(false, qPrintable(described(scenario) + ": " + QString::fromStdString(error)));
    for (const auto& error : undeclaredNotes(scenario, log, *simulation->workload()))
        QVERIFY2(false, qPrintable(described(scenario) + ": " + QString::fromStdString(error)));
    for (const Explanation& why : simulation->explanations().all())
        QVERIFY2(why.evaluate() == why.chosen,
                 qPrintable(described(scenario) + ": " + QString::fromStdString(why.summary.english())));
}

TRAINYARD_TEST(tst_Conformance)
#include "tst_Conformance.moc"
