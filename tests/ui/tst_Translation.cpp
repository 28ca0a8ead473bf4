// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// In a language where every translated text is in brackets and longer by two fifths, nothing on show is without
// brackets but names, numbers and words of the file format; and nothing is cut off.
#include "canvas/CanvasView.h"
#include "pages/StartPage.h"
#include "record/EventMeanings.h"
#include "record/Metrics.h"
#include "scenario/agents/AgentPlan.h"
#include "shell/ActionList.h"
#include "shell/FileActions.h"
#include "shell/Inspector.h"
#include "shell/MessageBar.h"
#include "shell/Panels.h"
#include "shell/Places.h"
#include "shell/PreferencesDialog.h"
#include "shell/ShortcutsDialog.h"
#include "shell/Tour.h"
#include "support/Patience.h"
#include "support/PseudoTranslator.h"
#include "support/ShownTexts.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "transport/RunUntilDialog.h"
#include "transport/SpeedSlider.h"
#include "transport/TransportBar.h"

#include <QApplication>
#include <QDir>
#include <QDirIterator>
#include <QMenuBar>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QSpinBox>
#include <QStatusBar>

#include <mutex>

using namespace trainyard;

namespace {

/// What stays of a text without everything in brackets, without tags, and without what is no language.
class Remainder {
public:
    explicit Remainder(const Workspace& workspace) {
        const Scenario& s = workspace.document().scenario();
        const auto know = [this](const std::string& name) {
            if (!name.empty()) m_names << QString::fromStdString(name);
        };
        for (const auto* text : {&s.title, &s.notes, &s.lookFor}) know(*text);
        for (const auto& each : s.cluster.machines) know(each.name), know(each.key), know(each.device);
        for (const auto& each : s.cluster.racks) know(each.name), know(each.key);
        for (const auto& each : s.cluster.switches) know(each.name), know(each.key);
        for (const auto& each : s.cluster.links) know(each.key), know(each.from), know(each.to);
        for (const auto& each : s.cluster.devices) know(each.key);
        for (const auto& each : s.cluster.resourceNames) know(each), know("utilization_" + each), know("busy_" + each);
        for (const auto& each : s.jobs) know(each.name), know(each.key);
        for (const auto& each : s.generators) know(each.key);
        for (const auto& each : s.variants) know(each.name), know(each.title);
        for (const QString& path : {workspace.document().filePath(), workspace.document().copiedFrom()})
            for (const QString& file : {path, path.section(u'/', -1)}) know(file.toStdString());
        // Configurations of trainings go by their own titles.
        const QDir agents(QString::fromStdString((workspace.resources().root / "agents").string()));
        for (const QFileInfo& file : agents.entryInfoList({QStringLiteral("*.training.json")}, QDir::Files)) {
            know(file.filePath().toStdString());
            if (const auto plan = readAgentPlan(file.filePath().toStdString())) know(plan->title);
        }
        const auto knowWord = [&](std::string word) {
            know(word);
            std::ranges::replace(word, '-', ' '); // as forms write it
            know(word);
        };
        // Words of the file format: policies and their choices, words and values of fields, words of the event log.
        for (const auto family : {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters,
                                  PolicyFamily::partitioner})
            for (const PolicyInfo* info : workspace.registry().list(family)) {
                know(info->id);
                know(info->source);
                for (const ParamField& field : info->schema.fields()) {
                    know(field.unit);
                    for (const std::string& choice : field.choices) knowWord(choice);
                }
            }
        using Kind = EntityRef::Kind;
        for (const Kind kind : {Kind::settings, Kind::cluster, Kind::device, Kind::rack, Kind::switchNode,
                                Kind::machine, Kind::link, Kind::job, Kind::generator, Kind::fault, Kind::variant})
            for (std::size_t i = 0; i < std::min<std::size_t>(entityCount(s, kind), 8); ++i)
                for (const FieldInfo& field : fieldsOf(s, {kind, i})) {
                    know(field.unit);
                    for (const auto& word : field.words) knowWord(word);
                    if (field.kind == FieldInfo::Kind::word || field.kind == FieldInfo::Kind::text)
                        know(QString::fromStdString(field.value).remove(u'"').toStdString());
                }
        for (const auto kind : {FieldKind::role, FieldKind::preemptReason, FieldKind::finishReason,
                                FieldKind::failReason, FieldKind::family, FieldKind::command})
            for (const auto& word : fieldWords(kind)) know(word);
        for (const MetricDefinition& metric : metricDefinitions()) know(metric.id);
        for (const char* word : {"relu", "tanh", "inverse sqrt"})
            know(word); // choices of the small neural network, of rates
        know("forward");
        know("back");
        m_names.removeIf([](const QString& name) { return name.size() < 2; });
        std::sort(m_names.begin(), m_names.end(),
                  [](const QString& a, const QString& b) { return a.size() > b.size(); });
        QStringList patterns;
        for (const QString& name : m_names) patterns << QRegularExpression::escape(name);
        m_name.setPattern(QStringLiteral("(?<![A-Za-z])(?:%1)(?![A-Za-z])").arg(patterns.join(u'|')));
    }

    QString of(QString text) const {
        // The caption shows the first sentences only.
        for (const QString& name : m_names)
            if (text.size() > 20 && name.contains(text)) return {};
        static const QRegularExpression tags(QStringLiteral("<[^>]*>|&[a-z]+;")),
            innermost(QStringLiteral("\\[[^\\[\\]]*\\]"));
        static const QRegularExpression elided(QStringLiteral("\\[[^\\]]*…$")); // on purpose
        text.remove(tags);
        text.replace(elided, QStringLiteral(" "));
        for (QString before; before != text;) {
            before = text;
            text.replace(innermost, QStringLiteral(" "));
        }
        text.replace(m_name, QStringLiteral(" "));
        QStringList words;
        static const QRegularExpression word(QStringLiteral("[A-Za-z][A-Za-z_-]*[A-Za-z]"));
        for (auto it = word.globalMatch(text); it.hasNext();) {
            const QString found = it.next().captured();
            if (!isNoLanguage(found)) words << found;
        }
        return words.join(u' ');
    }

private:
    static bool isNoLanguage(const QString& word) {
        // Names of this program and of file formats, of keys, and units of the SI.
        static const QSet<QString> known = [] {
            QSet<QString> all;
            for (const char* each :
                 {"Trainyard", "JSON",   "CSV",   "SVG",  "PDF",   "PNG", "Ctrl",     "Shift",  "Alt",
                  "Home",      "End",    "Space", "Left", "Right", "Del", "Ins",      "Return", "Esc",
                  "PgUp",      "PgDown", "Up",    "Down", "ms",    "min", "Gbit",     "bytes",  "MB",
                  "GB",        "kB",     "GiB",   "MiB",  "fps",   "GPL", "simulate", "execute"})
                all.insert(QLatin1String(each));
            return all;
        }();
        static const QRegularExpression id(QStringLiteral("^[a-z]+(-[a-z]+)+$")); // "inverse-sqrt": as in files
        return known.contains(word) || id.match(word).hasMatch();
    }

    QStringList m_names;
    QRegularExpression m_name; ///< any of them, as whole words
};

} // namespace

namespace {

/// Remembers which texts the window asks for, on whichever thread, and leaves the answer to the language.
class AskedTexts final : public QTranslator {
public:
    using Texts = QSet<std::pair<QByteArray, QByteArray>>; ///< context, source
    Texts texts() const {
        const std::scoped_lock lock(m_mutex);
        return m_texts;
    }
    QString translate(const char* context, const char* source, const char*, int) const override {
        const std::scoped_lock lock(m_mutex);
        m_texts.insert({context, source});
        return {};
    }
    bool isEmpty() const override { return false; }

private:
    mutable std::mutex m_mutex;
    mutable Texts m_texts;
};

} // namespace

class tst_Translation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase();
    void init() { test::OwnSettings::clear(); }
    void keepsWhatIsNoText_data();
    void keepsWhatIsNoText();
    void menusAndCommands();
    void everyPanel_data();
    void everyPanel();
    void everyDialog_data();
    void everyDialog();
    void startPage();
    void longTextsLeaveRoomForTheSeed();
    void nothingIsCutOff_data();
    void nothingIsCutOff();
    void lupdateFindsEveryText();

private:
    static QStringList untranslated(const QList<test::ShownText>& texts, const Workspace& workspace);
    static void open(test::WindowFixture& w, const char* scenario);
    test::OwnSettings m_settings{"tst_Translation"};
    PseudoTranslator m_language;
    AskedTexts m_asked;
};

void tst_Translation::initTestCase() {
    QVERIFY(QCoreApplication::installTranslator(&m_language));
    QVERIFY(QCoreApplication::installTranslator(&m_asked)); // asked before the language
}

void tst_Translation::cleanupTestCase() { QCoreApplication::removeTranslator(&m_language); }

void tst_Translation::keepsWhatIsNoText_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("translated");
    const auto row = [](const char* text, const char* translated) {
        QTest::newRow(text) << QString::fromUtf8(text) << QString::fromUtf8(translated);
    };
    row("Run", "[Rüñ~~]");
    row("&File", "[&Fílé~~]");
    row("%1 of %2", "[%1 öf %2~~]");
    row("<b>Seed</b><br>%L1", "[<b>Sééd</b><br>%L1~~]");
    row("at least {0}", "[át léást {0}~~~~]");
    row("a &lt; b", "[á &lt; b~~]");
}

void tst_Translation::keepsWhatIsNoText() {
    QFETCH(QString, text);
    QFETCH(QString, translated);
    QCOMPARE(PseudoTranslator::pseudo(text), translated);
}

QStringList tst_Translation::untranslated(const QList<test::ShownText>& texts, const Workspace& workspace) {
    const Remainder remainder(workspace);
    QStringList found;
    for (const auto& [where, text] : texts)
        if (const QString rest = remainder.of(text); !rest.isEmpty())
            found << QStringLiteral("%1: \"%2\" of \"%3\"").arg(where, rest, text.left(160));
    found.removeDuplicates();
    for (const QString& each : found) qWarning("%s", qPrintable(each));
    return found;
}

void tst_Translation::open(test::WindowFixture& w, const char* scenario) {
    QVERIFY(w.window.files().open(test::starter(scenario)));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
}

void tst_Translation::menusAndCommands() {
    test::WindowFixture w;
    open(w, "failure-and-recovery");
    test::TextCollector all;
    for (QAction* top : w.window.menuBar()->actions()) all.menu(top->menu());
    for (QAction* action : w.window.commands().all()) all.action(QStringLiteral("command"), action);
    QVERIFY(all.texts.size() > 100);
    QVERIFY(untranslated(all.texts, w.workspace).isEmpty());
}

void tst_Translation::everyPanel_data() {
    QTest::addColumn<QByteArray>("panel");
    for (const char* panel : {"scenario", "policies", "inspector", "template", "lanes", "views", "jobs", "problems",
                              "events", "metrics", "tables", "history"})
        QTest::newRow(panel) << QByteArray(panel);
}

void tst_Translation::everyPanel() {
    QFETCH(QByteArray, panel);
    for (const char* scenario : {"failure-and-recovery", "two-racks"}) {
        test::WindowFixture w;
        open(w, scenario);
        const Scenario& s = w.workspace.document().scenario();
        w.workspace.document().change(QCoreApplication::translate("test", "Horizon"),
                                      [](Scenario& changed) { changed.horizonSeconds = 1e8; });
        QDockWidget* dock = w.window.panels().find(QString::fromLatin1(panel));
        QVERIFY(dock);
        w.window.panels().show(QString::fromLatin1(panel));
        QTest::qWait(50);
        test::TextCollector all;
        all.widget(dock);
        if (panel == "inspector") { // every kind of thing has a form of its own
            using Kind = EntityRef::Kind;
            for (const Kind kind : {Kind::settings, Kind::cluster, Kind::device, Kind::rack, Kind::switchNode,
                                    Kind::machine, Kind::link, Kind::job, Kind::generator, Kind::fault, Kind::variant})
                for (std::size_t i = 0; i < std::min<std::size_t>(entityCount(s, kind), 2); ++i) {
                    w.window.inspector().jumpTo({kind, i}, {});
                    QTest::qWait(20);
                    all.widget(dock);
                }
        }
        QVERIFY(untranslated(all.texts, w.workspace).isEmpty());
    }
}

void tst_Translation::everyDialog_data() {
    QTest::addColumn<int>("which");
    QTest::newRow("preferences") << 0;
    QTest::newRow("shortcuts") << 1;
    QTest::newRow("run until") << 2;
    QTest::newRow("tour") << 3;
    QTest::newRow("window") << 4;
}

void tst_Translation::everyDialog() {
    QFETCH(int, which);
    test::WindowFixture w;
    open(w, "one-slow-worker");
    PreferencesDialog preferences(w.workspace.preferences(), w.theme);
    ShortcutsDialog shortcuts(w.window.commands());
    RunUntilDialog until(w.workspace);
    if (which == 3) w.window.tour().start();
    QWidget* const shown[] = {&preferences, &shortcuts, &until, w.window.tour().bubble(), w.window.centralWidget()};
    shown[which]->show();
    QTest::qWait(20);
    test::TextCollector all;
    all.widget(shown[which]);
    all.texts.removeIf([](const test::ShownText& each) { // cards, captions and trainings say what the files say
        return each.where.contains(QStringLiteral("#gallery")) ||
               each.where.endsWith(QStringLiteral("Caption/LinkLabel")) ||
               each.where.endsWith(QStringLiteral("#training-words"));
    });
    QVERIFY(!all.texts.isEmpty());
    QVERIFY(untranslated(all.texts, w.workspace).isEmpty());
    const QStringList cut = test::cutOff(shown[which]);
    for (const QString& each : cut) qWarning("%s", qPrintable(each));
    QVERIFY(cut.isEmpty());
}

void tst_Translation::startPage() {
    test::WindowFixture w;
    open(w, "one-slow-worker");
    w.window.places().go("start");
    QTest::qWait(100);
    test::TextCollector all;
    for (QWidget* child : w.window.startPage().findChildren<QWidget*>())
        if (!qobject_cast<QAbstractItemView*>(child)) all.widget(child); // cards say what the files say
    QVERIFY(untranslated(all.texts, w.workspace).isEmpty());
}

// The bar gives up captions and part of its slider before it loses a control; with more room all is there.
void tst_Translation::longTextsLeaveRoomForTheSeed() {
    test::WindowFixture w;
    open(w, "one-slow-worker");
    const TransportBar& bar = w.window.transport();
    const auto* seed = bar.findChild<QSpinBox*>();
    const auto* speed = bar.findChild<SpeedSlider*>();
    for (const int width : {1024, 1280, 1920, 1024}) {
        w.window.resize(width, 800);
        QTRY_VERIFY(seed->isVisible() && bar.rect().contains(QRect(seed->mapTo(&bar, QPoint()), seed->size())));
        if (width == 1920) QTRY_VERIFY(speed->captionShown() && !speed->isShort());
        if (width == 1024) QTRY_VERIFY(!speed->captionShown());
    }
}

void tst_Translation::nothingIsCutOff_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280×800") << QSize(1280, 800);
    QTest::newRow("2560×1440") << QSize(2560, 1440);
}

void tst_Translation::nothingIsCutOff() {
    QFETCH(QSize, size);
    test::WindowFixture w;
    w.window.resize(size);
    open(w, "failure-and-recovery");
    QStringList cut;
    for (QDockWidget* dock : w.window.panels().all()) {
        w.window.panels().show(dock->objectName());
        QTest::qWait(20);
        cut += test::cutOff(dock);
    }
    w.workspace.selection().selectEntities(
        {QString::fromStdString(w.workspace.document().scenario().cluster.machines[0].key)});
    w.window.panels().show(QStringLiteral("inspector"));
    QTest::qWait(20);
    cut += test::cutOff(w.window.panels().find(QStringLiteral("inspector")));
    cut += test::cutOff(w.window.statusBar());
    cut.removeIf([](const QString& each) { // lanes have gutters of one width, and tooltips
        return each.contains(QStringLiteral("/Lane/"));
    });
    cut.removeDuplicates();
    for (const QString& each : cut) qWarning("%s", qPrintable(each));
    QVERIFY(cut.isEmpty());
}

namespace {

/// The string literals at the head of calls that lupdate reads: tr(…), translate("Context", …) and their marks.
QSet<QByteArray> textsIn(const QString& source) {
    static const QRegularExpression call(QStringLiteral(
        "(?:\\b(?:tr|QT_TR_NOOP)\\(|\\b(?:translate|QT_TRANSLATE_NOOP)\\(\\s*\"[\\w:]+\",)\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)"));
    static const QRegularExpression literal(QStringLiteral("\"((?:[^\"\\\\]|\\\\.)*)\""));
    QSet<QByteArray> texts;
    for (auto it = call.globalMatch(source); it.hasNext();) {
        QString text;
        const auto match = it.next();
        for (auto part = literal.globalMatch(match.captured(1)); part.hasNext();) text += part.next().captured(1);
        text.replace(QLatin1String("\\n"), QLatin1String("\n")).replace(QLatin1String("\\\""), QLatin1String("\""));
        texts.insert(text.toUtf8());
    }
    return texts;
}

QSet<QByteArray> extractedTexts(const QString& folder) {
    QSet<QByteArray> texts;
    QDirIterator files(folder, {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                       QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (file.open(QIODevice::ReadOnly)) texts += textsIn(QString::fromUtf8(file.readAll()));
    }
    return texts;
}

} // namespace

// What the window has asked for in the tests above stands in its sources where lupdate looks, or in what is told to lupdate of
// the core. Qt's own texts are Qt's.
void tst_Translation::lupdateFindsEveryText() {
    const QString source = QStringLiteral(TRAINYARD_SOURCE_DIR);
    const QSet<QByteArray> found =
        extractedTexts(source + QStringLiteral("/ui")) + extractedTexts(source + QStringLiteral("/app/desktop"));
    QProcess listing;
    listing.start(source + QStringLiteral("/packaging/core-texts"), {source + QStringLiteral("/core")});
    QVERIFY(listing.waitForFinished(test::patience) && listing.exitCode() == 0);
    const QSet<QByteArray> ofCore = textsIn(QString::fromUtf8(listing.readAllStandardOutput()));
    QVERIFY(found.size() > 1000 && ofCore.size() > 1000);
    const AskedTexts::Texts asked = m_asked.texts();
    QVERIFY(asked.size() > 300);
    QStringList missing;
    for (const auto& [of, text] : asked) {
        const bool isOthers = of == "test" || (of.startsWith('Q') && !of.contains("::"));
        const bool isSentence = text.count(' ') >= 3; // shorter ones of the core may be made of keys: "Server demand"
        if (!isOthers && !text.isEmpty() &&
            !(of == "core" ? !isSentence || ofCore.contains(text) : found.contains(text)))
            missing << QString::fromUtf8(of + ": " + text);
    }
    for (const QString& each : missing) qWarning("%s", qPrintable(each));
    QVERIFY(missing.isEmpty());
}

TRAINYARD_TEST(tst_Translation)
#include "tst_Translation.moc"
