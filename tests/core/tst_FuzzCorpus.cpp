// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The fuzzer's corpus and the shipped scenarios, replayed and spoiled in simple ways, in the normal build.
#include "fuzz/RecordFuzz.h"
#include "support/RandomScenario.h"
#include "support/TestMain.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <nlohmann/json.hpp>
#include <set>

using namespace trainyard;

namespace {

/// The reason why the fuzzer would stop at these bytes, or nothing.
std::string findingIn(std::string_view bytes, const Registry& registry) {
    const test::FuzzInput input(bytes);
    QTemporaryFile file;
    if (!file.open() || file.write(input.file.data(), static_cast<qint64>(input.file.size())) < 0 || !file.flush())
        return "no temporary file";
    try {
        test::checkInput(input, file.fileName().toStdString(), registry);
    } catch (const std::exception& error) { return error.what(); }
    return {};
}

} // namespace

class tst_FuzzCorpus : public QObject {
    Q_OBJECT
private slots:
    void corpusHolds_data();
    void corpusHolds();
    void spoiledScenariosAreAnswered();
    void everythingHasEachField();
    void eachFieldSpoiled();
    void filesOfRunsHold_data();
    void filesOfRunsHold();
    void unusualJsonIsAnswered();
    void spoiledRunsAreAnswered();
};

void tst_FuzzCorpus::corpusHolds_data() {
    QTest::addColumn<QString>("path");
    for (const char* folder : {"tests/fuzz/corpus", "scenarios/start", "scenarios/tests"}) {
        QDirIterator it(QString(TRAINYARD_SOURCE_DIR "/") + folder, QDir::Files);
        while (it.hasNext()) {
            const QString path = it.next();
            QTest::newRow(qPrintable(path.section('/', -2))) << path;
        }
    }
}

void tst_FuzzCorpus::corpusHolds() {
    QFETCH(QString, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string bytes = file.readAll().toStdString();
    QCOMPARE(findingIn(bytes, Registry::builtin()), std::string());
}

/// Random scenarios, cut short, with bytes changed, removed or doubled.
void tst_FuzzCorpus::spoiledScenariosAreAnswered() {
    const Registry registry = Registry::builtin();
    RandomStream random(1, Purpose::test);
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const bool generators = seed % 8 == 0; // some make a million jobs
        std::string text =
            writeScenario(test::randomScenario(seed, {.machines = 3, .jobs = 2, .generators = generators}));
        const auto place = [&] { return static_cast<std::size_t>(random.below(text.size())); };
        switch (random.below(4)) {
        case 0: text.resize(place()); break;
        case 1: text[place()] = static_cast<char>(random.below(256)); break;
        case 2: text.erase(place(), 1 + random.below(5)); break;
        default: text.insert(place(), text.substr(place(), 1 + random.below(60))); break;
        }
        if (const std::string finding = findingIn(text, registry); !finding.empty())
            QFAIL((std::to_string(seed) + ": " + finding + "\n" + text).c_str());
    }
}

namespace {

QByteArray contentsOf(const char* path) {
    QFile file(QStringLiteral(TRAINYARD_SOURCE_DIR "/%1").arg(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

constexpr const char* everything = "tests/fuzz/corpus/everything.json";

/// The names under "properties", anywhere.
void addFields(const nlohmann::json& schema, std::set<std::string>& fields) {
    if (schema.is_object() && schema.contains("properties"))
        for (const auto& [key, of] : schema["properties"].items()) fields.insert(key);
    for (const auto& part : schema)
        if (part.is_structured()) addFields(part, fields);
}

} // namespace

void tst_FuzzCorpus::everythingHasEachField() {
    std::set<std::string> fields;
    addFields(nlohmann::json::parse(contentsOf("scenarios/schema.json").toStdString()), fields);
    QVERIFY(fields.size() > 100);
    const QByteArray whole = contentsOf(everything);
    for (const auto& field : fields) QVERIFY2(whole.contains(("\"" + field + "\":").c_str()), field.c_str());
}

/// The scenario that has every field: each key misspelt in turn, each number out of its range.
void tst_FuzzCorpus::eachFieldSpoiled() {
    const Registry registry = Registry::builtin();
    const QString whole = QString::fromUtf8(contentsOf(everything));
    int spoiled = 0;
    const auto spoil = [&](const char* pattern, const QStringList& others) {
        auto it = QRegularExpression(pattern).globalMatch(whole);
        while (it.hasNext()) {
            const auto match = it.next();
            for (const QString& other : others) {
                QString text = whole;
                text.replace(match.capturedStart(1), match.capturedLength(1), other);
                const std::string finding = findingIn(text.toStdString(), registry);
                QVERIFY2(finding.empty(),
                         qPrintable(match.captured() + " as " + other + ": " + QString::fromStdString(finding)));
                ++spoiled;
            }
        }
    };
    spoil(R"_("(\w+)"\s*:)_", {"misspelt"});
    spoil(R"_([:,\[]\s*(-?[0-9][0-9.e+-]*))_", {"-1", "0", "1e308", "null"});
    QVERIFY2(spoiled > 500, qPrintable(QString::number(spoiled)));
}

namespace {

/// The reason why the fuzzer of that name would stop at these bytes, or nothing.
std::string findingOf(const QString& fuzzer, const test::WholeRun& run, std::string_view bytes) {
    try {
        if (fuzzer == QLatin1String("record"))
            test::checkRecord(run, bytes);
        else if (fuzzer == QLatin1String("events"))
            test::checkEvents(run, bytes);
        else if (fuzzer == QLatin1String("export"))
            test::checkExport(run.directory() / "export", bytes);
        else if (fuzzer == QLatin1String("results"))
            test::checkResults(run.directory() / "results", bytes);
        else if (fuzzer == QLatin1String("trace"))
            test::checkTrace(run.directory() / "trace.csv", bytes);
        else if (fuzzer == QLatin1String("keyed"))
            test::checkKeyedData(run.directory() / "keyed", bytes);
        else if (fuzzer == QLatin1String("agent"))
            test::checkAgent(bytes);
        else
            test::checkTimes(run.directory() / "times.csv", bytes);
    } catch (const std::exception& error) { return error.what(); }
    return {};
}

} // namespace

void tst_FuzzCorpus::filesOfRunsHold_data() {
    QTest::addColumn<QString>("fuzzer");
    QTest::addColumn<QString>("path");
    for (const char* fuzzer : {"record", "events", "times", "export", "results", "trace", "keyed", "agent"}) {
        QDirIterator it(QString(TRAINYARD_SOURCE_DIR "/tests/fuzz/") + fuzzer, QDir::Files);
        QVERIFY2(it.hasNext(), fuzzer);
        while (it.hasNext()) {
            const QString path = it.next();
            QTest::newRow(qPrintable(path.section('/', -2))) << QString(fuzzer) << path;
        }
    }
}

void tst_FuzzCorpus::filesOfRunsHold() {
    QFETCH(QString, fuzzer);
    QFETCH(QString, path);
    QTemporaryDir dir;
    const test::WholeRun run(dir.filePath("run").toStdString());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(findingOf(fuzzer, run, file.readAll().toStdString()), std::string());
}

/// Every JSON that is read, nested up to 300,000 levels, wide and long: by itself, and in place of values of what is right.
void tst_FuzzCorpus::unusualJsonIsAnswered() {
    QTemporaryDir dir;
    const test::WholeRun run(dir.filePath("run").toStdString());
    const Registry registry = Registry::builtin();
    RandomStream random(7, Purpose::test);
    const std::string provenance = provenanceJsonText(*readRecord(run.directory()));
    const std::string metrics = "{\"metrics\": {\"a\": 1}, \"digest\": \"0\", \"doubts\": [], \"losses\": []}";
    const auto answered = [&](const QString& fuzzer, const std::string& text) {
        const std::string finding =
            fuzzer == QLatin1String("scenario") ? findingIn(text, registry) : findingOf(fuzzer, run, text);
        QVERIFY2(finding.empty(), qPrintable(fuzzer + ": " + QString::fromStdString(finding)));
    };
    for (const std::size_t size : {300UL, 20'000UL, 600'000UL})
        for (int round = 0; round < 12; ++round) {
            const auto unusual = [&](const std::string& text) { return test::withUnusualJson(text, random, size); };
            answered("scenario", unusual(run.text(1)));
            for (const int file : {0, 1, 3, 4})
                answered("record", static_cast<char>(file) + unusual(run.text(static_cast<std::size_t>(file))));
            answered("export", static_cast<char>(random.below(5)) + unusual(provenance) + "}");
            answered("results", static_cast<char>(random.below(4)) + unusual(metrics));
            answered("times", "a\n" + test::unusualJson(random, size));
            answered("trace", "0" + test::unusualJson(random, size));
        }
}

/// Each file of a run, with bytes changed, cut short and doubled; its events also under a header that fits.
void tst_FuzzCorpus::spoiledRunsAreAnswered() {
    QTemporaryDir dir;
    const test::WholeRun run(dir.filePath("run").toStdString());
    RandomStream random(3, Purpose::test);
    for (int round = 0; round < 400; ++round) {
        const std::size_t which = random.below(test::WholeRun::files.size());
        std::string bytes = run.text(which);
        const bool asEvents = which == 2 && round % 2;
        if (asEvents) bytes = bytes.substr(24);
        for (std::size_t n = 1 + random.below(4); n > 0 && !bytes.empty(); --n) {
            const std::size_t at = random.below(bytes.size());
            switch (random.below(4)) {
            case 0: bytes[at] = static_cast<char>(random.below(256)); break;
            case 1: bytes.resize(at); break;
            case 2: bytes.insert(at, bytes.substr(at, random.below(64))); break;
            default: bytes.erase(at, random.below(64));
            }
        }
        const std::string first(1, static_cast<char>(asEvents ? 1 : which));
        const std::string finding = findingOf(asEvents ? "events" : "record", run, first + bytes);
        QVERIFY2(finding.empty(), qPrintable(QStringLiteral("round %1: %2").arg(round).arg(finding.c_str())));
    }
    QVERIFY(readRecord(run.directory()).ok()); // nothing of it was left behind
}

TRAINYARD_TEST(tst_FuzzCorpus)
#include "tst_FuzzCorpus.moc"
