// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Bad input: each kind is refused with line, pointer and a text that says what would be right.
#include "learning/DataSet.h"
#include "scenario/ProblemPlaces.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <ctime>

using namespace trainyard;

namespace {

const char* const head = "{\"format\": \"trainyard-scenario\", \"version\": 1,\n";
const char* const cluster =
    "\"cluster\": {\"resources\": [\"cpu\"], \"machines\": [{\"id\": \"m1\", \"capacity\": {\"cpu\": 4}}]}";

QString textsOf(const Problems& problems) {
    QStringList out;
    for (const auto& problem : problems) out += QString::fromStdString(problem.text());
    return out.join("\n");
}

QString problemsOf(const std::string& text) {
    const auto result = parseScenario(text, "f.json");
    return result.ok() && result.problems().empty() ? QString() : textsOf(result.problems());
}

/// A scenario whose second line holds these members, the cluster in the third.
std::string with(const std::string& members) { return head + members + ",\n" + cluster + "}"; }
std::string withJob(const std::string& members) {
    return with("\"jobs\": [{\"id\": \"j\", \"kind\": \"analytic\", \"stop\": {\"iterations\": 1}, " + members + "}]");
}

} // namespace

class tst_ScenarioReader : public QObject {
    Q_OBJECT
private slots:
    void acceptsTheSmallest();
    void refusesWhatIsNoJson_data();
    void refusesWhatIsNoJson();
    void refusesWhatIsNoScenario_data();
    void refusesWhatIsNoScenario();
    void refusesWrongMembers_data();
    void refusesWrongMembers();
    void reportsEverythingAtOnce();
    void judgesTheRestOfABrokenFile();
    void refusesDeepNestingWithoutRecursion();
    void refusesControlCharacters();
    void writesNoControlCharacters();
    void refusesTooManyValues();
    void refusesLargeFilesUnread();
    void namesFilesThatCannotBeRead();
    void linesAreThoseOfTheFile();
    void sayWhatARunWouldRefuse();
    void unknownKindsSayNothingFurther();
    void longListsOfProblemsAreCut();
    void manyUnknownNames();
};

void tst_ScenarioReader::acceptsTheSmallest() {
    QCOMPARE(problemsOf(std::string(head) + cluster + "}"), QString());
    QCOMPARE(problemsOf("\xEF\xBB\xBF" + std::string(head) + cluster + "}"),
             QString()); // a byte order mark is harmless
}

void tst_ScenarioReader::refusesWhatIsNoJson_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const QByteArray& text, const char* expected) {
        QTest::newRow(name) << text << expected;
    };
    row("empty", "", "f.json:1: the file is empty; a scenario begins with {");
    row("only blanks", " \n\n", "f.json:1: the file is empty; a scenario begins with {");
    row("no JSON", "hello", "f.json:1: this is not valid JSON: value - invalid literal; last read: 'h'");
    row("truncated", "{\"format\": \"trainyard-scenario\",\n \"cluster\": {\n  \"resources\": [\"cpu\"\n\n",
        "f.json:3: /cluster/resources/1: the file ends too early: the bracket opened in line 3 is never "
        "closed");
    row("truncated in a text", "{\n\"title\": \"abc",
        "f.json:2: /title: the file ends too early: the bracket opened in line 1 is never closed");
    row("trailing comma", "{\"jobs\": [1,\n2,\n]}", "f.json:3: /jobs/2: remove the comma before ]");
    row("single quotes", "{\n'jobs': []}", "f.json:2: texts and keys must be in double quotes, not single quotes");
    row("comment", "{\n// hello\n}", "f.json:2: JSON has no comments; put remarks into \"notes\"");
    row("two documents", "{}\n{}", "f.json:2: this is not valid JSON: value - unexpected '{'; expected end of input");
    row("invalid UTF-8", "{\n\"title\": \"a\xFFz\"}",
        "f.json:2: byte 14 (value 255) is not valid UTF-8; save the file as UTF-8");
    row("overlong UTF-8", "{\"a\": \"\xC0\xAF\"}",
        "f.json:1: byte 8 (value 192) is not valid UTF-8; save the file as UTF-8");
    row("surrogate in UTF-8", "\"\xED\xA0\x80\"",
        "f.json:1: byte 2 (value 237) is not valid UTF-8; save the file as UTF-8");
}

void tst_ScenarioReader::refusesWhatIsNoJson() {
    QFETCH(QByteArray, text);
    QFETCH(QString, expected);
    QCOMPARE(problemsOf(text.toStdString()), expected);
}

void tst_ScenarioReader::refusesWhatIsNoScenario_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const QByteArray& text, const char* expected) {
        QTest::newRow(name) << text << expected;
    };
    row("a list", "[]", "f.json:1: a scenario is an object in { }; this is a list in [ ]");
    row("no format", "\n{\"version\": 1}",
        "f.json:2: this is not a Trainyard scenario: the key \"format\" is missing; it begins "
        "with \"format\": \"trainyard-scenario\", \"version\": 1");
    row("another format", "{\"format\":\n\"geojson\"}",
        "f.json:2: /format: this is not a Trainyard scenario: \"format\" must be \"trainyard-scenario\"");
    row("no version", "{\"format\": \"trainyard-scenario\"}",
        "f.json:1: the key \"version\" is missing; the current version is 1");
    row("newer version", "{\"format\": \"trainyard-scenario\",\n\"version\": 2}",
        "f.json:2: /version: the file has version 2, written by a newer Trainyard; this one reads version "
        "1");
    row("huge version", "{\"format\": \"trainyard-scenario\", \"version\": 1e300}",
        "f.json:1: /version: the file has version 1e300, written by a newer Trainyard; this one reads "
        "version 1");
    row("version as text", "{\"format\": \"trainyard-scenario\", \"version\": \"1\"}",
        "f.json:1: /version: \"version\" must be 1");
    row("version 0", "{\"format\": \"trainyard-scenario\", \"version\": 0}",
        "f.json:1: /version: \"version\" must be 1");
    row("negative version", "{\"format\": \"trainyard-scenario\", \"version\": -1}",
        "f.json:1: /version: \"version\" must be 1");
}

void tst_ScenarioReader::refusesWhatIsNoScenario() { refusesWhatIsNoJson(); }

void tst_ScenarioReader::refusesWrongMembers_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const std::string& text, const char* expected) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << expected;
    };
    row("unknown key", with("\"sede\": 4"), "f.json:2: /sede: there is no key \"sede\" here; did you mean \"seed\"?");
    row("key far from any", withJob("\"checkpoint\": {\"zzzzzz\": 1}"),
        "f.json:2: /jobs/0/checkpoint/zzzzzz: there is no key \"zzzzzz\" here; known are every_iterations");
    row("key of another kind", withJob("\"model\": \"softmax\""), nullptr);
    row("repeated key",
        "{\"format\": \"trainyard-scenario\", \"version\": 1,\n\"seed\": 1,\n\"seed\": 2,\n" + std::string(cluster) +
            "}",
        "f.json:3: /seed: the key \"seed\" is given twice; the first is in line 2. Keep one");
    row("repeated key in a list",
        with("\"variants\": [{\"name\": \"a\", \"family\": \"scheduler\", \"id\": \"fifo\",\n\"name\": "
             "\"b\"}]"),
        "f.json:3: /variants/0/name: the key \"name\" is given twice; the first is in line 2. Keep one");
    row("missing key", std::string(head) + "\"seed\": 3}",
        "f.json:1: the key \"cluster\" is missing (Machines and network)");
    row("wrong type", with("\"title\": 4"), "f.json:2: /title: \"title\" must be text in quotes; this is a number");
    row("null", with("\"seed\": null"),
        "f.json:2: /seed: \"seed\" must be a whole number; for the default, leave the key out");
    row("element of wrong type", with("\"jobs\": [3]"),
        "f.json:2: /jobs/0: \"0\" must be an object in { }; this is a number");
    row("negative", withJob("\"weight\": -1"), "f.json:2: /jobs/0/weight: \"weight\" is -1; it must be greater than 0");
    row("a law below zero", withJob("\"batch_of\": \"job\",\n\"update_law\": {\"fixed_s\": -1, \"divided_s\": 1}"),
        "f.json:3: /jobs/0/update_law/fixed_s: \"fixed_s\" is -1; it must be at least 0 s");
    row("a law of nothing", withJob("\"batch_of\": \"job\",\n\"update_law\": {\"divided_s\": 0}"),
        "f.json:3: /jobs/0/update_law/divided_s: \"divided_s\" is 0; it must be greater than 0 s");
    row("a rate of nothing", withJob("\"locality_rates\": {\"local_per_s\": 0, \"remote_per_s\": 1}"),
        "f.json:2: /jobs/0/locality_rates/local_per_s: \"local_per_s\" is 0; it must be greater than 0 1/s");
    row("no workers per server", withJob("\"workers_per_server\": 0"),
        "f.json:2: /jobs/0/workers_per_server: \"workers_per_server\" is 0; it must be at least 1");
    row("parts of workers per server", withJob("\"workers_per_server\": 1.5"),
        "f.json:2: /jobs/0/workers_per_server: \"workers_per_server\" must be a whole number; this is 1.5");
    row("a deadline before the arrival", withJob("\"deadline_s\": -3"),
        "f.json:2: /jobs/0/deadline_s: \"deadline_s\" is -3; it must be greater than 0 s");
    row("a recorded loss that is none", with("\"curves\": [{\"id\": \"c\", \"updates\": [0],\n\"losses\": [null]}]"),
        "f.json:3: /curves/0/losses/0: \"losses\" must be a number; for the default, leave the key out");
    row("a template without weight",
        with("\"generators\": [{\"id\": \"g\", \"arrivals\": \"fixed\", \"job\": {\"kind\": \"analytic\"}, "
             "\"other_jobs\": [\n{\"weight\": 0, \"job\": {\"kind\": \"analytic\"}}]}]"),
        "f.json:3: /generators/0/other_jobs/0/weight: \"weight\" is 0; it must be greater than 0");
    row("another template without a job",
        with("\"generators\": [{\"id\": \"g\", \"arrivals\": \"fixed\", \"job\": {\"kind\": \"analytic\"}, "
             "\"other_jobs\": [\n{\"weight\": 2}]}]"),
        "f.json:3: /generators/0/other_jobs/0: the key \"job\" is missing (Template of such a "
        "job: as in jobs, without id and arrival_s)");
    row("too large", with("\"horizon_s\": 1e10"),
        "f.json:2: /horizon_s: \"horizon_s\" is 1e10; it must be at most 9e9 s");
    row("a fraction", withJob("\"batch\": 2.5"),
        "f.json:2: /jobs/0/batch: \"batch\" must be a whole number; this is 2.5");
    row("seed beyond 64 bits", with("\"seed\": 18446744073709551616"),
        "f.json:2: /seed: \"seed\" is 18446744073709551616; it must be a whole number from 0 to "
        "18446744073709551615, without exponent");
    row("overflow", with("\"horizon_s\": 1e999"),
        "f.json:2: /horizon_s: 1e999 is too large; the maximum is about 1.8e308\nf.json:2: "
        "/horizon_s: \"horizon_s\" is 0; it must be greater than 0 s");
    row("overflow in a list", with("\"expect\": {\"a\": [0, 1e999]}"),
        "f.json:2: /expect/a/1: 1e999 is too large; the maximum is about 1.8e308");
    row("NaN", with("\"generators\": [NaN]"), nullptr);
    row("NaN in a number", withJob("\"arrival_s\": NaN"),
        "f.json:2: /jobs/0/arrival_s: NaN is not a valid JSON number; write a finite number, "
        "or leave the key out");
    row("nan", withJob("\"arrival_s\": nan"),
        "f.json:2: /jobs/0/arrival_s: nan is not a valid JSON number; write a finite number, "
        "or leave the key out");
    row("-Infinity", withJob("\"arrival_s\": -Infinity"),
        "f.json:2: /jobs/0/arrival_s: -Infinity is not a valid JSON number; write a finite "
        "number, or leave the key out");
    row("unknown word", with("\"mode\": \"simulated\""),
        "f.json:2: /mode: \"mode\" is \"simulated\"; did you mean \"simulate\"? It must be one of simulate, "
        "execute");
    row("unknown resource", withJob("\"worker_demand\": {\"gpu\": 1}"),
        "f.json:2: /jobs/0/worker_demand/gpu: the cluster has no resource \"gpu\"; /cluster/resources lists "
        "cpu");
    row("bounds reversed", withJob("\"workers\": {\"min\": 4, \"max\": 2}"),
        "f.json:2: /jobs/0/workers/min: \"min\" is 4 and \"max\" is 2; \"min\" must be at most \"max\"");
    row("bounds of wrong type", withJob("\"workers\": \"four\""),
        "f.json:2: /jobs/0/workers: \"workers\" must be a whole number or an object in { }; this is text in "
        "quotes");
    row("no workers", withJob("\"workers\": 0"), "f.json:2: /jobs/0/workers: \"workers\" is 0; it must be at least 1");
    row("law without its number",
        with("\"generators\": [{\"id\": \"g\", \"arrivals\": \"fixed\", \"job\": {\"kind\": \"analytic\"}, "
             "\"draws\": {\"batch\": {\"law\": \"pareto\", \"shape\": 2}}}]"),
        "f.json:2: /generators/0/draws/batch: the key \"scale\" is missing (Minimum.)");
    row("law with another's number",
        with("\"generators\": [{\"id\": \"g\", \"job\": {\"kind\": \"analytic\"}, "
             "\"draws\": {\"batch\": {\"law\": \"exponential\", \"mean\": 2, \"shape\": 2}}}]"),
        nullptr);
    row("uniform reversed",
        with("\"generators\": [{\"id\": \"g\", \"job\": {\"kind\": \"analytic\"}, "
             "\"draws\": {\"batch\": {\"law\": \"uniform\", \"low\": 3, \"high\": 2}}}]"),
        nullptr);
    row("fault of nothing", with("\"faults\": [{\"at_s\": 3}]"),
        "f.json:2: /faults/0: a fault needs either \"machine\" or \"link\": the id of one, or \"*\"");
    row("bookmark without its time", with("\"bookmarks\": [{\"name\": \"x\"}]"),
        "f.json:2: /bookmarks/0: the key \"at_s\" is missing (The instant, in simulated time)");
    row("bookmark before the start", with("\"bookmarks\": [{\"at_s\": 1},\n{\"at_s\": -1}]"),
        "f.json:3: /bookmarks/1/at_s: \"at_s\" is -1; it must be at least 0 s");
    row("bookmark with a number for a name", with("\"bookmarks\": [{\"at_s\": 1, \"name\": 2}]"),
        "f.json:2: /bookmarks/0/name: \"name\" must be text in quotes; this is a number");
    row("bookmarks as an object", with("\"bookmarks\": {\"at_s\": 1}"),
        "f.json:2: /bookmarks: \"bookmarks\" must be a list in [ ]; this is an object in { }");
    row("a pair of three", with("\"expect\": {\"a\": [1, 2, 3]}"),
        "f.json:2: /expect/a: \"a\" must be a list of two numbers, such as [0, 1]; this is a list in [ ]");
    row("parameter that is a list",
        with("\"policies\": {\"scheduler\": {\"id\": \"fifo\", \"parameters\": {\"k\": []}}}"),
        "f.json:2: /policies/scheduler/parameters/k: \"k\" must be a number, a text or true or false; this "
        "is a list in [ ]");
    row("dependency on nothing",
        with("\"jobs\": [{\"id\": \"j\", \"kind\": \"graph\", \"graph\": {\"operations\": [{\"name\": "
             "\"a\"}, {\"name\": \"b\"}], "
             "\"dependencies\": [[\"a\", \"c\"], [0, 2], [0, 1]]}}]"),
        "f.json:2: /jobs/0/graph/dependencies/0/1: there is no operation \"c\"; there are 2, counted from 0\n"
        "f.json:2: /jobs/0/graph/dependencies/1/1: there is no operation 2; there are 2, counted from 0");
}

void tst_ScenarioReader::refusesWrongMembers() {
    QFETCH(QByteArray, text);
    QFETCH(QString, expected);
    const QString found = problemsOf(text.toStdString());
    QVERIFY(!found.isEmpty());
    if (!expected.isNull()) QCOMPARE(found, expected);
}

void tst_ScenarioReader::reportsEverythingAtOnce() {
    const std::string text =
        std::string(head) +
        "\"seed\": -1,\n\"mode\": \"x\",\n\"extra\": 0,\n\"jobs\": [\n{\"id\": \"a\", \"batch\": 3},\n"
        "{\"id\": \"b\", \"kind\": \"analytic\", \"workers\": true, \"batch\": 0}],\n" +
        cluster + "}";
    QCOMPARE(
        problemsOf(text),
        QString(
            "f.json:2: /seed: \"seed\" is -1; it must be a whole number from 0 to 18446744073709551615, "
            "without exponent\n"
            "f.json:3: /mode: \"mode\" is \"x\"; it must be one of simulate, execute\n"
            "f.json:4: /extra: there is no key \"extra\" here; known are format, version, title, notes, "
            "look_for, seed, mode, network, "
            "horizon_s, limits, explanations, playback_speed, cluster, jobs, generators, faults, policies, variants, "
            "curves, graphs, bookmarks, expect\n"
            "f.json:6: /jobs/0: the key \"kind\" is missing (trained: a real model on real data; "
            "analytic: formulas; graph: operations with a deadline)\n"
            "f.json:7: /jobs/1/workers: \"workers\" must be a whole number or an object in { }; this is "
            "true or false\n"
            "f.json:7: /jobs/1/batch: \"batch\" is 0; it must be at least 1"));
}

/// Structure and meaning in one list: a repeated key, a number that is none, an unknown policy and an unknown
/// machine.
void tst_ScenarioReader::judgesTheRestOfABrokenFile() {
    QTemporaryDir dir;
    const QString path = dir.filePath("broken.json");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write((std::string(head) +
                "\"seed\": 1, \"seed\": 2,\n\"horizon_s\": Infinity,\n\"policies\": {\"scheduler\": \"fif\"},\n"
                "\"faults\": [{\"machine\": \"m2\", \"at_s\": 1}],\n" +
                cluster + "}")
                   .c_str());
    file.close();
    const auto result = readScenario(path.toStdString(), Registry::builtin());
    QVERIFY(!result.ok());
    QStringList places;
    for (const auto& problem : result.problems())
        places += QString::number(problem.line) + QString::fromStdString(problem.pointer + " " + problem.code);
    QCOMPARE(places, QStringList({"2/seed duplicate-key", "3/horizon_s not-a-number", "3/horizon_s out-of-range",
                                  "4/policies/scheduler/id unknown-policy", "5/faults/0/machine unknown-id"}));
    QVERIFY(QString::fromStdString(result.problems().back().text())
                .endsWith("there is no machine \"m2\"; did you mean \"m1\"?"));
}

void tst_ScenarioReader::refusesDeepNestingWithoutRecursion() {
    const std::string deep(100'000, '[');
    QCOMPARE(problemsOf(deep), QString("f.json:1: nested more than 100 levels deep; scenarios never are"));
    QCOMPARE(problemsOf("{\"a\":\n" + deep + std::string(100'000, ']') + "}"),
             QString("f.json:2: nested more than 100 levels deep; scenarios never are"));
    const std::string fine = std::string(98, '[') + std::string(98, ']');
    QVERIFY(problemsOf(with("\"x\": " + fine)).contains("there is no key \"x\""));
}

/// Titles, names, ids and parameters stand in terminals and pictures; notes may have lines.
void tst_ScenarioReader::refusesControlCharacters() {
    const auto said = [](const char* place, const char* name) {
        return QStringLiteral("%1: \"%2\" has a line break or another control character; it must not")
            .arg(QLatin1String(place), QLatin1String(name));
    };
    for (const char* control : {"\\u001b]0;x\\u0007", "\\n", "\\t", "\\u0000", "\x7f", "\\u009b31m", "\xc2\x9b"}) {
        const std::string text = std::string("\"a") + control + "\"";
        QVERIFY(problemsOf(with("\"title\": " + text)).contains(said("/title", "title")));
        QVERIFY(problemsOf(with("\"bookmarks\": [{\"at_s\": 1, \"name\": " + text + "}]"))
                    .contains(said("/bookmarks/0/name", "name")));
        QVERIFY(
            problemsOf(with("\"policies\": {\"scheduler\": {\"id\": \"fifo\", \"parameters\": {\"x\": " + text + "}}}"))
                .contains(said("/policies/scheduler/parameters/x", "x")));
        QVERIFY(!problemsOf(with("\"notes\": " + text + ", \"look_for\": " + text)).contains("control"));
    }
    QVERIFY(!problemsOf(with("\"title\": \"Zürich, 学习 … 🚆\"")).contains("control"));
}

// What the window let through is not written: a file of this program can be opened again.
void tst_ScenarioReader::writesNoControlCharacters() {
    Scenario scenario;
    scenario.title = "a\tb\x1b[31mc";
    scenario.notes = "a\tb\nc";
    const std::string text = writeScenario(scenario);
    const auto loaded = parseDraft(text, "f.json");
    QVERIFY(loaded.ok());
    QCOMPARE(loaded->scenario.title, std::string("a b [31mc"));
    QCOMPARE(loaded->scenario.notes, scenario.notes);
}

void tst_ScenarioReader::refusesTooManyValues() {
    std::string many = "[0";
    for (int i = 0; i < 2'000'001; ++i) many += ",0";
    QVERIFY(problemsOf(many + "]").contains("more than 2000000 values"));
}

void tst_ScenarioReader::refusesLargeFilesUnread() {
    QTemporaryDir dir;
    const QString path = dir.filePath("large.json");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.resize(200LL << 20)); // sparse: takes no room
    file.close();
    const auto result = readScenario(path.toStdString(), Registry::builtin());
    QVERIFY(!result.ok());
    QCOMPARE(textsOf(result.problems()),
             path + ": the file has 209715200 bytes; a scenario may have at most 67108864 (64 MiB)");
}

void tst_ScenarioReader::namesFilesThatCannotBeRead() {
    QTemporaryDir dir;
    const auto problem = [](const QString& path) {
        return textsOf(readScenario(path.toStdString(), Registry::builtin()).problems());
    };
    QCOMPARE(problem(dir.filePath("none.json")), dir.filePath("none.json") + ": there is no such file");
    QCOMPARE(problem(dir.path()), dir.path() + ": this is a directory, not a scenario file");
    QCOMPARE(problem("/dev/zero"), QString("/dev/zero: this is a pipe or a device, not a file"));
}

/// Values of every type at known lines, with \r\n ends and lines that hold nothing.
void tst_ScenarioReader::linesAreThoseOfTheFile() {
    const auto result = parseScenario(
        "{\r\n\r\n\"format\": \"trainyard-scenario\",\r\n\"version\"\n:\n1\n,\"seed\":\n\n7\n,\n\"notes\"\n: "
        "\"a\\nb\",\n"
        "\"cluster\":\n{\"resources\": [\n\"cpu\"\n], \"machines\": [\n\n{\"id\": \"m\", \"capacity\": "
        "{}}]}}",
        "x");
    QVERIFY2(result.ok(), qPrintable(textsOf(result.problems())));
    const ScenarioText& file = result->file;
    QCOMPARE(file.lineAt("/format"), 3);
    QCOMPARE(file.lineAt("/version"), 6);
    QCOMPARE(file.lineAt("/seed"), 9);
    QCOMPARE(file.lineAt("/notes"), 12);
    QCOMPARE(file.lineAt("/cluster"), 14);
    QCOMPARE(file.lineAt("/cluster/resources"), 14);
    QCOMPARE(file.lineAt("/cluster/machines/0"), 18);
    QCOMPARE(file.lineAt("/cluster/resources/0"), 15);
    QCOMPARE(file.lineAt("/cluster/machines/0/id"), 18);
    QCOMPARE(file.lineAt("/cluster/machines/1"), 0);
    QCOMPARE(file.lineOf("/cluster/machines/1/id"), 16); // of the list, which has no such element
}

void tst_ScenarioReader::longListsOfProblemsAreCut() {
    std::string members = "\"a0\": 0";
    for (int i = 1; i < 5000; ++i) members += ", \"a" + std::to_string(i) + "\": 0";
    const auto result = parseScenario(with(members), "f.json");
    QCOMPARE(result.problems().size(), std::size_t{101});
    QCOMPARE(QString::fromStdString(result.problems().back().text()), QString("f.json: and 4900 more problems"));

    // Of warnings and errors, errors are shown; warnings alone refuse nothing, however many they are.
    const auto judged = [](int warnings, int errors) {
        Problems problems;
        for (int i = 0; i < warnings; ++i)
            problems.push_back({.message = {"w", {}}, .severity = Severity::warning, .pointer = "", .line = 1});
        for (int i = 0; i < errors; ++i) problems.push_back({.message = {"e", {}}, .pointer = "", .line = 2});
        arrangeProblems(problems, "f.json", nullptr);
        return problems;
    };
    QVERIFY(!hasErrors(judged(2000, 0)));
    QCOMPARE(judged(2000, 0).size(), std::size_t{101});
    const Problems mixed = judged(2000, 3);
    QCOMPARE(std::ranges::count(mixed, Severity::error, &Problem::severity), std::ptrdiff_t{3});
    QCOMPARE(mixed[99].message.pattern, std::string("e")); // by line all the same
    QVERIFY(hasErrors(judged(0, 2000)) && judged(0, 2000).back().severity == Severity::error);
}

// Two hundred thousand members that nobody knows, of each object that has names for members: time grows as their number.
void tst_ScenarioReader::manyUnknownNames() {
    const Registry registry = Registry::builtin();
    const auto seconds = [&](int names) { // of this program's computing
        std::string parameters, metrics;
        for (int i = 0; i < names; ++i) {
            parameters += (i ? ", " : "") + ("\"p" + std::to_string(i) + "\": 1");
            metrics += (i ? ", " : "") + ("\"metric_" + std::to_string(i) + "\": [0, 1]");
        }
        const std::string text = std::string(head) + cluster + R"(, "expect": {)" + metrics + R"(},
"jobs": [{"id": "a", "kind": "trained", "optimizer": {"id": "sgd"}, "dataset": {"id": "digits"}, "workers": 1,
  "worker_demand": {"cpu": 1}, "stop": {"iterations": 3}, "model": {"id": "softmax", "parameters": {)" +
                                 parameters + "}}}]}";
        const std::clock_t began = std::clock();
        const auto result = parseScenario(text, "f.json");
        const std::size_t found = result.ok() ? validateScenario(result->scenario, registry).size() : 0;
        return found > std::size_t(names) * 3 / 2 ? static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC
                                                  : INFINITY;
    };
    const double few = seconds(25'000), many = seconds(200'000);
    qInfo("%.2f s, %.2f s", few, many);
    QVERIFY(many < 24 * few); // 8 times as many; all pairs would be 64 times as much
}

// With resources, the reader also finds what a run would refuse: all of it at once, beside what is wrong with the document.
void tst_ScenarioReader::sayWhatARunWouldRefuse() {
    const std::string rest = "\"workers\": 1, \"worker_demand\": {\"cpu\": 1}, \"stop\": {\"iterations\": 3}}";
    const std::string text = std::string(head) + cluster + R"(,
"jobs": [{"id": "a", "kind": "trained", "optimizer": {"id": "sgd"}, "dataset": {"id": "digits"},
  "model": {"id": "matrix-factorization"}, )" +
                             rest + R"(,
 {"id": "b", "kind": "trained", "optimizer": {"id": "sgd"}, "dataset": {"id": "digits"},
  "model": {"id": "logistic-regression", "parameters": {"positive_class": 33}}, "weight": -1, )" +
                             rest + R"(,
 {"id": "c", "kind": "trained", "model": {"id": "softmax"}, "dataset": {"id": "digits"},
  "optimizer": {"id": "boosting"}, )" +
                             rest + R"(,
 {"id": "d", "kind": "trained", "model": {"id": "softmax"}, "optimizer": {"id": "sgd"},
  "dataset": {"id": "digts"}, )" +
                             rest + "]}";
    QTemporaryDir dir;
    const std::string path = dir.filePath("f.json").toStdString();
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text.data(), qint64(text.size())) == qint64(text.size()));
    file.close();
    const ResourcePaths resources = ResourcePaths::find({});
    const auto result = readScenario(path, Registry::builtin(), &resources);
    QVERIFY(!result.ok());
    std::vector<std::string> places;
    for (const Problem& problem : result.problems()) places.push_back(std::to_string(problem.line) + problem.pointer);
    QCOMPARE(places, (std::vector<std::string>{"4/jobs/0/model/id", "6/jobs/1/weight",
                                               "6/jobs/1/model/parameters/positive_class", "8/jobs/2/optimizer/id",
                                               "10/jobs/3/dataset/id"}));
    QCOMPARE(readScenario(path, Registry::builtin()).problems().size(), std::size_t{2}); // the document's own
}

void tst_ScenarioReader::unknownKindsSayNothingFurther() {
    QTemporaryDir dir;
    const std::string path = dir.filePath("f.json").toStdString();
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(
        with("\"jobs\": [{\"id\": \"j\", \"kind\": \"traind\", \"model\": {\"id\": \"softmax\"}, \"dataset\": {\"id\": "
             "\"digits\"}, \"optimizer\": {\"id\": \"sgd\"}}]")));
    file.close();
    QCOMPARE(textsOf(readScenario(path, Registry::builtin()).problems()),
             QString::fromStdString(path) +
                 ":2: /jobs/0/kind: \"kind\" is \"traind\"; did you mean \"trained\"? It must be "
                 "one of trained, analytic, graph");
}

TRAINYARD_TEST(tst_ScenarioReader)
#include "tst_ScenarioReader.moc"
