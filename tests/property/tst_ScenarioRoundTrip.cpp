// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What was written is read back: as values, and to the byte.
#include "scenario/ScenarioFile.h"
#include "support/RandomScenario.h"
#include "support/TestMain.h"

#include <QDir>
#include <QFile>

#include <clocale>
#include <locale>

using namespace trainyard;

class tst_ScenarioRoundTrip : public QObject {
    Q_OBJECT
private slots:
    void writtenScenariosAreReadBack();
    void objectsOfDefaultsAreKept();
    void runnableScenariosAreAccepted();
    void textsWithoutWhitespaceMeanTheSame();
    void everySetValueKeepsTheRest();
    void localeChangesNothing();
};

static std::string firstProblem(const Problems& problems) { return problems.empty() ? "" : problems.front().text(); }

void tst_ScenarioRoundTrip::writtenScenariosAreReadBack() {
    for (std::uint64_t seed = 0; seed < 800; ++seed) {
        const Scenario scenario = test::randomScenario(seed, {.machines = 8, .jobs = 6});
        const std::string text = writeScenario(scenario);
        const auto again = parseScenario(text, "random.json");
        QVERIFY2(again.ok(), (std::to_string(seed) + " " + firstProblem(again.problems())).c_str());
        QVERIFY2(again->scenario == scenario, (std::to_string(seed) + "\n" + text).c_str());
        QVERIFY2(writeScenario(again->scenario) == text, std::to_string(seed).c_str());
        QVERIFY(again->isCanonical());
    }
}

// An object that is there with nothing but defaults means another thing than none.
void tst_ScenarioRoundTrip::objectsOfDefaultsAreKept() {
    Scenario scenario = test::randomScenario(1, {.machines = 8, .jobs = 6});
    scenario.cluster.machines.front().straggler.burst.emplace();
    Job& job = scenario.jobs.front();
    AnalyticWork work;
    work.access = AccessKind::keyed;
    work.keyed.emplace();
    job.work = work;
    job.utility.emplace();
    const std::string text = writeScenario(scenario);
    const auto again = parseScenario(text, "defaults.json");
    if (again.ok()) {
        QVERIFY2(again->scenario == scenario, text.c_str());
    } else { // values that must be given may have no default that is allowed; but nothing is missing
        for (const Problem& problem : again.problems()) QVERIFY2(problem.code != "missing", problem.text().c_str());
    }
    QVERIFY(text.find("\"keyed\": {}") != std::string::npos);
}

void tst_ScenarioRoundTrip::runnableScenariosAreAccepted() {
    const Registry registry = Registry::builtin();
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Scenario scenario = test::randomScenario(seed, {.runnable = true});
        const Problems problems = validateScenario(scenario, registry);
        QVERIFY2(!hasErrors(problems), (std::to_string(seed) + " " + firstProblem(problems)).c_str());
    }
}

/// The same document with other whitespace: not canonical, but equal.
void tst_ScenarioRoundTrip::textsWithoutWhitespaceMeanTheSame() {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Scenario scenario = test::randomScenario(seed);
        std::string spaced;
        bool quoted = false, escaped = false;
        for (const char c : writeScenario(scenario)) {
            if (c == '"' && !escaped) quoted = !quoted;
            escaped = quoted && c == '\\' && !escaped;
            if (quoted || (c != ' ' && c != '\n')) spaced += c;
            if (!quoted && c == ',') spaced += "\r\n\t";
        }
        const auto again = parseScenario(spaced, "spaced.json");
        QVERIFY2(again.ok(), firstProblem(again.problems()).c_str());
        QVERIFY(again->scenario == scenario);
        QVERIFY(!again->isCanonical());
    }
}

void tst_ScenarioRoundTrip::everySetValueKeepsTheRest() {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Scenario scenario = test::randomScenario(seed);
        const auto changed = setValue(scenario, "/jobs/0/weight", "2.75");
        QVERIFY2(changed.ok(), firstProblem(changed.problems()).c_str());
        scenario.jobs[0].weight = 2.75;
        QVERIFY(*changed == scenario);
    }
}

namespace {
/// What a German locale does to streams, for machines where none is installed.
struct CommaNumbers : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};
} // namespace

void tst_ScenarioRoundTrip::localeChangesNothing() {
    const Scenario scenario = test::randomScenario(5);
    const std::string text = writeScenario(scenario);
    const std::locale before = std::locale::global(std::locale(std::locale(), new CommaNumbers));
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "zh_CN.UTF-8", "fr_FR.UTF-8"})
        if (std::setlocale(LC_NUMERIC, name)) break;
    const std::string again = writeScenario(scenario);
    const auto read = parseScenario(text, "x.json");
    const std::string problem =
        parseScenario(
            R"({"format": "trainyard-scenario", "version": 1, "horizon_s": -1234567.5, "cluster": {"resources": [], "machines": []}})",
            "x.json")
            .problems()
            .at(0)
            .text();
    std::locale::global(before);
    std::setlocale(LC_NUMERIC, "C");
    QVERIFY(again == text);
    QVERIFY(read.ok() && read->scenario == scenario);
    QCOMPARE(QString::fromStdString(problem),
             QString("x.json:1: /horizon_s: \"horizon_s\" is -1234567.5; it must be greater than 0 s"));
}

TRAINYARD_TEST(tst_ScenarioRoundTrip)
#include "tst_ScenarioRoundTrip.moc"
