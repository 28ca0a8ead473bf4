// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What stands around the fields of a form: values as text and back, pictures of laws, arrivals and data, and
// the elements that its buttons add.
#include "forms/DataPreview.h"
#include "forms/FieldText.h"
#include "forms/GeneratorPreview.h"
#include "forms/LawPreview.h"
#include "session/NewElements.h"
#include "support/TestMain.h"

using namespace trainyard;

namespace {

using Kind = EntityRef::Kind;
const QString starterFile = QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/start/one-slow-worker.json");

struct Document {
    ScenarioModel document{std::make_shared<const Registry>(Registry::builtin())};
    Document() {
        if (!document.open(starterFile)) qFatal("no starter scenario");
    }
    const Scenario& scenario() { return document.scenario(); }
};

} // namespace

class tst_FormPreviews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textsRoundTrip_data();
    void textsRoundTrip();
    void lawPreviewSaysMeans();
    void generatorPreviewShowsWhatIsDrawn();
    void dataPreviewShowsDigits();
    void newElementsCanRun_data();
    void newElementsCanRun();
};

void tst_FormPreviews::textsRoundTrip_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("json"); // empty: refused
    using F = FieldInfo::Kind;
    const auto row = [](const char* name, F kind, const char* typed, const char* json) {
        QTest::newRow(name) << static_cast<int>(kind) << QString::fromUtf8(typed) << QString::fromUtf8(json);
    };
    row("whole", F::integer, " 12 ", "12");
    row("whole, large", F::integer, "18446744073709551615", "18446744073709551615");
    row("whole, by exponent", F::integer, "1e3", "1000");
    row("no whole", F::integer, "2.5", "");
    row("number", F::number, "1e-3", "0.001");
    row("with its unit", F::number, "2.5 s", "2.5");
    row("no number", F::number, "two", "");
    row("not finite", F::number, "inf", "");
    row("fixed", F::bounds, "4", "4");
    row("range", F::bounds, "2 – 8", "{\"min\": 2, \"max\": 8}");
    row("range in words", F::bounds, "2 to 8", "{\"min\": 2, \"max\": 8}");
    row("no range", F::bounds, "2–", "");
    row("pair", F::pair, "3, 4.5", "[3, 4.5]");
    row("three are no pair", F::pair, "3, 4, 5", "");
    row("numbers", F::numbers, "1 2;3", "[1, 2, 3]");
    row("text", F::text, "a \"b\"", "\"a \\\"b\\\"\"");
    row("names", F::texts, "cpu, gpu", "[\"cpu\", \"gpu\"]");
    row("on", F::flag, "yes", "true");
    row("word", F::word, "POISSON", "\"poisson\"");
    row("no word", F::word, "sometimes", "");
    row("list", F::list, "[[0, 1]]", "[[0, 1]]");
    row("broken list", F::list, "[[0, 1]", "");
}

void tst_FormPreviews::textsRoundTrip() {
    QFETCH(int, kind);
    QFETCH(QString, typed);
    QFETCH(QString, json);
    FieldInfo field{.kind = static_cast<FieldInfo::Kind>(kind), .unit = "s"};
    field.words = {"poisson", "fixed"};
    const TypedValue value = typedValue(field, typed);
    QCOMPARE(value.ok(), !json.isEmpty());
    QCOMPARE(QString::fromStdString(value.json), json);
    if (!value.ok()) return;
    const TypedValue again = typedValue(field, fieldText(field, value.json));
    QVERIFY2(again.ok(), qPrintable(again.problem));
    QCOMPARE(again.json, value.json);
}

void tst_FormPreviews::lawPreviewSaysMeans() {
    Document f;
    f.document.setField({{Kind::machine, 0}}, "/straggler/factor", R"({"law": "exponential", "mean": 2})");
    LawPreview preview("/straggler/factor");
    static_cast<FormPreview&>(preview).show(f.scenario(), {Kind::machine, 0});
    // Four workers: 2·(1/4) and 2·(1 + 1/2 + 1/3 + 1/4) = 4.17.
    QVERIFY2(preview.text().contains(QStringLiteral("Of 4 workers the fastest takes 0.5, the slowest 4.17")),
             qPrintable(preview.text()));
    QVERIFY(preview.text().contains(QStringLiteral("Mean 2,")));
}

void tst_FormPreviews::generatorPreviewShowsWhatIsDrawn() {
    Document f;
    ScenarioModel& document = f.document;
    addElement(document, Kind::generator);
    document.setField({{Kind::generator, 0}}, "/count", "40");
    document.setField({{Kind::generator, 0}}, "/draws/workers", R"({"law": "uniform", "low": 1, "high": 2})");
    // The very jobs of the run.
    const auto drawn = drawnJobs(f.scenario(), 0, 1000);
    const auto workload = expandWorkload(f.scenario(), f.scenario().seed);
    QCOMPARE(drawn.size(), std::size_t{40});
    for (const Job& job : drawn)
        QVERIFY(std::any_of(workload->jobs.begin(), workload->jobs.end(), [&](const Job& other) {
            return other.key == job.key && other.arrival == job.arrival && other.workers == job.workers;
        }));
    ArrivalsPreview arrivals;
    static_cast<FormPreview&>(arrivals).show(f.scenario(), {Kind::generator, 0});
    QVERIFY2(arrivals.text().contains(QStringLiteral("40 jobs")), qPrintable(arrivals.text()));
    SizesPreview sizes("workers");
    static_cast<FormPreview&>(sizes).show(f.scenario(), {Kind::generator, 0});
    QVERIFY2(sizes.text().contains(QStringLiteral("mean 1.")), qPrintable(sizes.text()));
    // Of a pool of graphs: deadlines of 10 to 100 %, all alike likely.
    QVERIFY(document.open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/pacml/corrected-busy.json")));
    QCOMPARE(drawnJobs(f.scenario(), 0, 2000).size(), std::size_t{1001});
    SizesPreview deadlines(poolDeadlines);
    static_cast<FormPreview&>(deadlines).show(f.scenario(), {Kind::generator, 0});
    QVERIFY2(deadlines.text().contains(QStringLiteral("mean 0.5")), qPrintable(deadlines.text()));
}

void tst_FormPreviews::dataPreviewShowsDigits() {
    Document f;
    DataPreview preview(ResourcePaths::find(QCoreApplication::applicationFilePath().toStdString()));
    static_cast<FormPreview&>(preview).show(f.scenario(), {Kind::job, 0});
    QTRY_VERIFY2(preview.text().contains(QStringLiteral("64 features")), qPrintable(preview.text()));
    QVERIFY(preview.text().contains(QStringLiteral("10 classes")));
    QVERIFY(preview.text().contains(QStringLiteral("650 parameters"))); // 10 · (64 + 1)
    QCOMPARE(preview.pictures().size(), 10);
    QCOMPARE(preview.pictures().first().size(), QSize(8, 8));
}

void tst_FormPreviews::newElementsCanRun_data() {
    QTest::addColumn<int>("machines");
    QTest::newRow("one machine") << 1;
    QTest::newRow("two, not yet linked") << 2;
    QTest::newRow("the starter") << 0;
}

// What a button adds can run at once, also on a cluster that has just been begun.
void tst_FormPreviews::newElementsCanRun() {
    QFETCH(int, machines);
    ScenarioModel document(std::make_shared<const Registry>(Registry::builtin()));
    if (machines == 0)
        QVERIFY(document.open(starterFile));
    else
        document.replace({}, {}, false);
    for (int i = 0; i < machines; ++i) addElement(document, Kind::machine);
    const Scenario before = document.scenario();
    for (const JobKind kind : {JobKind::trained, JobKind::analytic, JobKind::graph}) {
        const EntityRef job = addJob(document, kind);
        QCOMPARE(document.scenario().jobs[job.index].kind(), kind);
        QVERIFY2(document.validate(), document.problems().empty() ? "" : document.problems().front().text().c_str());
    }
    for (const Kind kind : {Kind::generator, Kind::fault, Kind::device, Kind::rack}) {
        const EntityRef added = addElement(document, kind);
        QVERIFY2(document.validate(), document.problems().empty() ? "" : document.problems().front().text().c_str());
        const auto copies = duplicateElements(document, {added});
        QCOMPARE(copies.size(), std::size_t{1});
        QVERIFY2(document.validate(), document.problems().empty() ? "" : document.problems().front().text().c_str());
    }
    const auto machine = duplicateElements(document, {{Kind::machine, 0}});
    if (machines == 0) QVERIFY(document.validate()); // the copy is linked as the first is
    QCOMPARE(machine.front().index, document.scenario().cluster.machines.size() - 1);
    while (document.undoStack().canUndo() && !(document.scenario() == before)) document.undoStack().undo();
    QVERIFY(document.scenario() == before);
}

TRAINYARD_TEST(tst_FormPreviews)
#include "tst_FormPreviews.moc"
