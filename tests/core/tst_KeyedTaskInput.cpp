// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is wrong with keyed jobs that train a model: said with its place, before anything large is made.
#include "engine/Simulation.h"
#include "learning/keyed/KeyedChoices.h"
#include "scenario/RunRequirements.h"
#include "scenario/ScenarioFile.h"
#include "support/KeyedTasks.h"
#include "support/TestMain.h"

#include <cmath>
#include <functional>

using namespace trainyard;
using namespace trainyard::test;

namespace {

using Change = std::function<void(Job&, KeyedTask&)>;

/// "pointer: text" by line of all errors of a small graph task that was changed, from validation and from what a run would refuse.
std::string problemsOf(const Change& change, Choice parameters = {"relocating", {}}) {
    Scenario scenario = taskScenario(smallGraphTask(), 2, 2, std::move(parameters));
    change(scenario.jobs[0], *accessOf(scenario).task);
    Problems problems = validateScenario(scenario, Registry::builtin());
    for (Problem& problem : runRefusals(scenario, ResourcePaths::find({}))) problems.push_back(std::move(problem));
    std::string out;
    for (const Problem& problem : problems)
        if (problem.severity == Severity::error) out += problem.pointer + ": " + problem.message.english() + "\n";
    return out;
}

KeyedAccess& keyedOf(Job& job) { return *std::get<AnalyticWork>(job.work).keyed; }

} // namespace
Q_DECLARE_METATYPE(Change)

class tst_KeyedTaskInput : public QObject {
    Q_OBJECT
private slots:
    void saidWithItsPlace_data();
    void saidWithItsPlace();
    void sizesAreThoseOfTheModel_data();
    void sizesAreThoseOfTheModel();
    void replicasAreCountedAgainstTheModel();
    void levelsThatSchemesKeepTo();
    void aModelThatDivergesFailsItsJob();
};

void tst_KeyedTaskInput::saidWithItsPlace_data() {
    QTest::addColumn<Change>("change");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("said");
    const auto row = [](const char* name, Change change, const char* place, const char* said) {
        QTest::newRow(name) << std::move(change) << QStringLiteral("/jobs/0/keyed") + place << said;
    };
    const std::int64_t million = 1'000'000;
    row(
        "unknown model", [](Job&, KeyedTask& task) { task.model.id = "complexx"; }, "/task/keyed_model/id", "complex");
    row(
        "unknown data", [](Job&, KeyedTask& task) { task.data.id = "graph"; }, "/task/keyed_data/id", "planted-graph");
    row(
        "parameter of the model", [](Job&, KeyedTask& task) { task.model.parameters["rank"] = std::int64_t{3}; },
        "/task/keyed_model/parameters/rank", "");
    row(
        "out of range", [](Job&, KeyedTask& task) { task.data.parameters["entities"] = std::int64_t{1}; },
        "/task/keyed_data/parameters/entities", "10");
    row(
        "data of another kind",
        [](Job&, KeyedTask& task) {
            task.data = {"planted-text", {}};
        },
        "/task/keyed_data/id", "needs facts");
    row(
        "text for a matrix",
        [](Job&, KeyedTask& task) {
            task = {.model = {"factorization", {}}, .data = {"planted-text", {}}};
        },
        "/task/keyed_data/id", "needs cells");
    row(
        "a scheme below its level",
        [](Job&, KeyedTask& task) { task.sampling = {.level = Conformity::conform, .scheme = SamplingScheme::reuse}; },
        "/task/sampling/scheme", "by-level");
    row(
        "keys that the model has", [](Job& job, KeyedTask&) { keyedOf(job).keys = 17; }, "/keys", "leave \"keys\" out");
    row(
        "a rank beyond the model's", [](Job& job, KeyedTask&) { keyedOf(job).watchedRanks = {213}; },
        "/watched_ranks/0", "212 keys");
    row(
        "facts beyond memory",
        [](Job&, KeyedTask& task) {
            task.data.parameters = {{"facts", 100 * std::int64_t{1'000'000}},
                                    {"entities", 10 * std::int64_t{1'000'000}}};
            task.model.parameters["dimension"] = std::int64_t{10'000};
        },
        "/task/keyed_data/parameters", "GB");
    row(
        "text beyond memory",
        [=](Job&, KeyedTask& task) {
            task = {.model = {"word-vectors", {}},
                    .data = {"planted-text", {{"sentences", 100 * million}, {"length", std::int64_t{1000}}}}};
        },
        "/task/keyed_data/parameters", "GB");
    row(
        "cells beyond memory",
        [=](Job&, KeyedTask& task) {
            task = {.model = {"factorization", {{"rank", std::int64_t{10'000}}}},
                    .data = {"planted-matrix", {{"rows", 100 * million}, {"columns", 100 * million}}}};
        },
        "/task/keyed_data/parameters", "GB");
    row(
        "more words than keys are possible",
        [](Job&, KeyedTask& task) {
            task = {.model = {"word-vectors", {}},
                    .data = {"planted-text",
                             {{"topics", std::int64_t{10'000}},
                              {"stems", std::int64_t{100'000}},
                              {"forms", std::int64_t{100}}}}};
        },
        "/task/keyed_data/parameters", "200000000000");
    row(
        "more cells than the matrix has",
        [](Job&, KeyedTask& task) {
            task = {
                .model = {"factorization", {}},
                .data = {"planted-matrix",
                         {{"rows", std::int64_t{30}}, {"columns", std::int64_t{40}}, {"cells", std::int64_t{1201}}}}};
        },
        "/task/keyed_data/parameters/cells", "30 × 40");
    row(
        "no example is left",
        [](Job&, KeyedTask& task) {
            task = {.model = {"word-vectors", {{"subsample", 1e-12}}},
                    .data = {"planted-text", {{"sentences", std::int64_t{10}}, {"length", std::int64_t{2}}}}};
        },
        "/task/keyed_data/parameters", "no example");
}

void tst_KeyedTaskInput::saidWithItsPlace() {
    QFETCH(Change, change);
    QFETCH(QString, place);
    QFETCH(QString, said);
    const std::string problems = problemsOf(change);
    QVERIFY2(problems.find(place.toStdString() + ": ") != std::string::npos, problems.c_str());
    QVERIFY2(problems.find(said.toStdString()) != std::string::npos, problems.c_str());
    QCOMPARE(problemsOf([](Job&, KeyedTask&) {}), std::string());
}

void tst_KeyedTaskInput::sizesAreThoseOfTheModel_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("data");
    for (const KeyedModelInfo& model : keyedModels())
        for (const KeyedDataInfo& data : keyedDataSets())
            QTest::addRow("%s of %s", model.id.c_str(), data.id.c_str())
                << QString::fromStdString(model.id) << QString::fromStdString(data.id);
}

void tst_KeyedTaskInput::sizesAreThoseOfTheModel() {
    QFETCH(QString, model);
    QFETCH(QString, data);
    const KeyedTask task{.model = {model.toStdString(), {}}, .data = {data.toStdString(), {}}};
    const auto size = sizeOfKeyedTask(task);
    const auto made = makeKeyedModel(task, 1);
    QCOMPARE(size.ok(), made.ok());
    if (!made) return;
    QCOMPARE(size->keys, static_cast<double>((*made)->keys()));
    QCOMPARE(size->valuesPerKey, static_cast<double>((*made)->valuesPerKey()));
    QVERIFY(size->bytes > 8.0 * (*made)->examples()); // at least two numbers each
}

// The job says nothing of how many keys its model has.
void tst_KeyedTaskInput::replicasAreCountedAgainstTheModel() {
    const auto nups = [](std::int64_t count) {
        return Choice{"nups", {{"rule", std::string("most-frequent")}, {"replicate", count}}};
    };
    const auto none = [](Job&, KeyedTask&) {};
    QCOMPARE(problemsOf(none, nups(212)), std::string());
    const std::string problems = problemsOf(none, nups(213));
    QVERIFY2(problems.find("/jobs/0: ") != std::string::npos && problems.find("212") != std::string::npos,
             problems.c_str());
}

void tst_KeyedTaskInput::levelsThatSchemesKeepTo() {
    using S = SamplingScheme;
    const std::vector<std::pair<S, Conformity>> best{
        {S::independent, Conformity::conform}, {S::preLocalized, Conformity::conform},
        {S::reuse, Conformity::bounded},       {S::postponed, Conformity::longTerm},
        {S::local, Conformity::nonConform},    {S::repurposed, Conformity::nonConform}};
    for (const auto& [scheme, keeps] : best)
        for (const auto level :
             {Conformity::conform, Conformity::bounded, Conformity::longTerm, Conformity::nonConform}) {
            const std::string problems =
                problemsOf([&, s = scheme](Job&, KeyedTask& task) { task.sampling = {.level = level, .scheme = s}; });
            QCOMPARE(problems.empty(), level >= keeps);
        }
}

void tst_KeyedTaskInput::aModelThatDivergesFailsItsJob() {
    Scenario scenario = taskScenario(smallMatrixTask(), 2, 5);
    accessOf(scenario).task->model.parameters["rate"] = 5.0;
    auto simulation = Simulation::create(optionsFor(scenario, 1));
    QVERIFY(simulation);
    while ((*simulation)->step()) {}
    const auto failures = eventsOf((*simulation)->log(), EventType::jobFailed);
    QCOMPARE(failures.size(), std::size_t{1});
    QCOMPARE(failures[0].aux, static_cast<std::uint16_t>(FailReason::diverged));
    for (const auto type : {EventType::lossEvaluated, EventType::qualityEvaluated})
        for (const Event& event : eventsOf((*simulation)->log(), type)) QVERIFY(std::isfinite(event.value));
    ClusterState fold((*simulation)->workload());
    const EventLog& log = (*simulation)->log();
    for (std::size_t i = 0; i < log.size(); ++i) fold.apply(log[i]);
    QVERIFY(fold == (*simulation)->state());
}

TRAINYARD_TEST(tst_KeyedTaskInput)
#include "tst_KeyedTaskInput.moc"
