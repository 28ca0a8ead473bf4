// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The claims of a study as a person meets them: run, cancelled and resumed, read, exported, opened again; the figures are the
// command line's; scenarios open in the lab.
#include "compare/ChartCard.h"
#include "compare/ClaimsModel.h"
#include "compare/ClaimsTab.h"
#include "compare/ComparePage.h"
#include "shell/FileActions.h"
#include "shell/MessageBar.h"
#include "shell/Places.h"
#include "studies/ClaimCharts.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QProcess>
#include <QPushButton>
#include <QStandardPaths>
#include <QTabBar>
#include <QTableView>
#include <QTextBrowser>

#include <nlohmann/json.hpp>

using namespace trainyard;
using Json = nlohmann::json;

class tst_ClaimsTab : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init();
    void claimsAreTheCommandLines();
    void cancelledAndResumed();
    void claimsAreReadByMouseAndKeyboard();
    void scenariosOpenInTheLab();
    void damagedResultsAreNotShown();
    void closedWhileItRuns();
    void fitsSmallWindows_data();
    void fitsSmallWindows();
    void mapsAreDrawn();

private:
    static ClaimsTab& open(test::WindowFixture& w);
    static void click(const test::WindowFixture& w, const char* button);
    static bool ended(const ClaimsTab& tab, int milliseconds = test::patience);
    test::OwnSettings m_settings{"tst_ClaimsTab"};
};

void tst_ClaimsTab::init() {
    test::OwnSettings::clear();
    QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/studies"))
        .removeRecursively();
}

ClaimsTab& tst_ClaimsTab::open(test::WindowFixture& w) {
    w.window.places().go("compare");
    auto* tabs = w.window.findChild<QTabWidget*>(QStringLiteral("compare-tabs"))->tabBar();
    for (int i = 0; i < tabs->count(); ++i)
        if (tabs->tabText(i) == QStringLiteral("Claims"))
            QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(i).center());
    return w.window.compare().claims();
}

void tst_ClaimsTab::click(const test::WindowFixture& w, const char* button) {
    auto* found = w.window.findChild<QAbstractButton*>(QLatin1String(button));
    QVERIFY2(found && found->isEnabled() && found->isVisible(), button);
    QTest::mouseClick(found, Qt::LeftButton);
}

bool tst_ClaimsTab::ended(const ClaimsTab& tab, int milliseconds) {
    return QTest::qWaitFor([&] { return !tab.study().isRunning(); }, milliseconds);
}

void tst_ClaimsTab::claimsAreTheCommandLines() {
    test::WindowFixture w;
    ClaimsTab& tab = open(w);
    QVERIFY(tab.isVisible());
    auto* study = w.window.findChild<QComboBox*>(QStringLiteral("study"));
    study->setFocus();
    QTest::keyClicks(study, QStringLiteral("adaptive")); // "Adaptive straggler-tolerant SGD"
    QCOMPARE(study->currentData().toString(), QStringLiteral("stragglers"));
    QVERIFY(w.window.findChild<QCheckBox*>(QStringLiteral("study-quick"))->isChecked());
    auto* run = w.window.findChild<QPushButton*>(QStringLiteral("run-study"));
    run->setFocus();
    QTest::keyClick(run, Qt::Key_Space);
    QVERIFY(tab.study().isRunning());
    QTRY_VERIFY_WITH_TIMEOUT(!tab.status().isEmpty(), 10'000); // where it stands
    QVERIFY(ended(tab));
    const auto& made = *tab.study().measured();

    QProcess cli;
    cli.start(qEnvironmentVariable("TRAINYARD_CLI"), {QStringLiteral("reproduce"), QStringLiteral("stragglers"),
                                                      QStringLiteral("--quick"), QStringLiteral("--json")});
    QVERIFY(cli.waitForFinished(test::patience));
    const Json json = Json::parse(cli.readAllStandardOutput().toStdString());
    QVERIFY(Json::parse(claimsJson(made)) == json);
    const auto held = std::ranges::count_if(made.report.claims, &Claim::holds);
    const QString verdict = w.window.findChild<QLabel*>(QStringLiteral("verdict"))->text();
    QVERIFY2(verdict.contains(QStringLiteral("%1 of %2 claims hold").arg(held).arg(made.report.claims.size())),
             qPrintable(verdict));
    QVERIFY(verdict.contains(QStringLiteral("Quick")));
    QVERIFY(!tab.cards().empty());

    // Claims are read as sentences: their ids are for scripts, and stand beside the chosen one.
    auto* table = w.window.findChild<QTableView*>(QStringLiteral("claims-table"));
    QVERIFY(table->isColumnHidden(ClaimsModel::id) && !table->isColumnHidden(ClaimsModel::claim));
    QVERIFY(w.window.findChild<QTextBrowser*>(QStringLiteral("claim-detail"))
                ->toPlainText()
                .contains(QString::fromStdString(made.report.claims.front().id)));
    for (const auto* box : w.window.compare().claims().findChildren<QComboBox*>())
        for (int i = 0; i < box->count(); ++i) QVERIFY2(box->itemText(i)[0].isUpper(), qPrintable(box->itemText(i)));

    // The page is written whole, and says how to repeat it.
    QTemporaryDir dir;
    const QString html = dir.filePath(QStringLiteral("claims.html"));
    QVERIFY(tab.writePage(html).empty());
    QFile file(html);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray page = file.readAll();
    QCOMPARE(page.count("<svg"), static_cast<qsizetype>(tab.cards().size()));
    QCOMPARE(page.count("<tr>"), static_cast<qsizetype>(made.report.claims.size() + 1));
    QVERIFY(page.contains("trainyard-cli reproduce stragglers --quick"));
    const QString claims = dir.filePath(QStringLiteral("claims.json"));
    QVERIFY(tab.writePage(claims).empty());
    QVERIFY(readClaims(claims.toStdString()));

    // Another window shows them at once.
    test::WindowFixture again;
    ClaimsTab& other = open(again);
    QVERIFY(other.choose("stragglers"));
    QVERIFY(other.study().measured());
    QCOMPARE(claimsJson(*other.study().measured()), claimsJson(made));

    // Those measured elsewhere are opened here; as a scenario they are refused, with where to go.
    QVERIFY(other.choose("slaq") && !other.study().measured());
    QVERIFY(!other.open(html) && !other.study().measured());
    QVERIFY(other.open(claims));
    QCOMPARE(claimsJson(*other.study().measured()), claimsJson(made));
    QVERIFY(!again.window.files().open(claims));
    const QString said = again.window.findChild<MessageBar*>()->text();
    QVERIFY2(said.contains(QStringLiteral("claims of a study")), qPrintable(said));
}

void tst_ClaimsTab::cancelledAndResumed() {
    test::WindowFixture w;
    ClaimsTab& tab = open(w);
    QVERIFY(tab.choose("stragglers", "hitting-times"));
    tab.run();
    QTRY_VERIFY_WITH_TIMEOUT(tab.study().progress() > 0.05, test::patience);
    QVERIFY2(tab.study().step().startsWith(QStringLiteral("Hitting times")), qPrintable(tab.study().step()));
    click(w, "cancel-study");
    QVERIFY(ended(tab, 20'000));
    QVERIFY(tab.study().measured()->report.stopped);
    auto* run = w.window.findChild<QPushButton*>(QStringLiteral("run-study"));
    QCOMPARE(run->text(), QStringLiteral("Resume"));
    click(w, "run-study");
    QVERIFY(ended(tab));
    QVERIFY(!tab.study().measured()->report.stopped);
    QVERIFY(tab.study().measured()->report.claims.size() > 50);
    QVERIFY(!tab.choose("nothing") && !tab.choose("stragglers", "nothing"));
}

void tst_ClaimsTab::claimsAreReadByMouseAndKeyboard() {
    test::WindowFixture w;
    ClaimsTab& tab = open(w);
    QVERIFY(tab.choose("stragglers", "tradeoff"));
    tab.run();
    QVERIFY(ended(tab));
    auto* table = w.window.findChild<QTableView*>(QStringLiteral("claims-table"));
    const auto& claims = tab.study().measured()->report.claims;
    QCOMPARE(table->model()->rowCount(), static_cast<int>(claims.size()));
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Down);
    QVERIFY(tab.detail().contains(QString::fromStdString(claims[1].claim).simplified()));
    QVERIFY(tab.detail().contains(QString::fromStdString(claims[1].source)));
    click(w, "failing-only");
    const auto failing = std::ranges::count_if(claims, [](const Claim& c) { return !c.holds; });
    QVERIFY(failing > 0); // some do not, and it is said
    QCOMPARE(table->model()->rowCount(), static_cast<int>(failing));
    QVERIFY(tab.detail().contains(QStringLiteral("does not hold")));
    click(w, "failing-only");
    // A point of a chart chooses its claim.
    ChartCard* card = tab.cards().front();
    card->setFocus();
    QTest::keyClick(card, Qt::Key_Right);
    QTest::keyClick(card, Qt::Key_Return);
    const auto* model = qobject_cast<ClaimsModel*>(table->model());
    QVERIFY(model->claimAt(table->currentIndex().row()));
}

void tst_ClaimsTab::scenariosOpenInTheLab() {
    test::WindowFixture w;
    ClaimsTab& tab = open(w);
    QVERIFY(tab.choose("slaq"));
    auto* list = w.window.findChild<QListWidget*>(QStringLiteral("study-scenarios"));
    QVERIFY(list->count() >= 3);
    list->setCurrentRow(0);
    click(w, "open-study-scenario");
    QVERIFY(w.window.places().isAt("lab"));
    // Trainyard's own files are opened as copies.
    const QFileInfo file(list->item(0)->data(Qt::UserRole).toString());
    QVERIFY(w.workspace.document().copiedFrom().contains(file.completeBaseName()));
    QVERIFY(!list->item(0)->text().contains(file.completeBaseName())); // but its title
    QCOMPARE(list->item(0)->text(), QString::fromStdString(w.workspace.document().scenario().title));
    w.workspace.playback().pause();
}

void tst_ClaimsTab::damagedResultsAreNotShown() {
    const QString folder = BackgroundStudy::folderFor("stragglers");
    QVERIFY(QDir().mkpath(folder));
    for (const char* name : {"/claims.json", "/results.db"}) {
        QFile file(folder + QLatin1String(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("no such thing");
    }
    test::WindowFixture w;
    ClaimsTab& tab = open(w);
    QVERIFY(tab.choose("stragglers", "formulas") || tab.choose("stragglers"));
    QVERIFY(!tab.study().measured());
    tab.run();
    QVERIFY(ended(tab));
    QVERIFY(!tab.study().measured()->report.claims.empty()); // it is measured all the same
    QVERIFY(!tab.study().measured()->report.problems.empty());
    const QString verdict = w.window.findChild<QLabel*>(QStringLiteral("verdict"))->text();
    QVERIFY2(verdict.contains(QStringLiteral("results.db")) || verdict.contains(QStringLiteral("store")) ||
                 verdict.contains(QStringLiteral("kept")),
             qPrintable(verdict));
}

void tst_ClaimsTab::closedWhileItRuns() {
    {
        test::WindowFixture w;
        ClaimsTab& tab = open(w);
        QVERIFY(tab.choose("stragglers", "hitting-times"));
        tab.run();
        QTRY_VERIFY_WITH_TIMEOUT(tab.study().progress() > 0.02, test::patience);
    }
    test::WindowFixture w;
    ClaimsTab& tab = open(w);
    QVERIFY(tab.choose("stragglers", "hitting-times"));
    tab.run();
    QVERIFY(ended(tab));
    QVERIFY(!tab.study().measured()->report.stopped);
}

void tst_ClaimsTab::fitsSmallWindows_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280x800") << QSize(1280, 800);
    QTest::newRow("1024x700") << QSize(1024, 700);
}

void tst_ClaimsTab::fitsSmallWindows() {
    QFETCH(const QSize, size);
    test::WindowFixture w;
    w.window.resize(size);
    ClaimsTab& tab = open(w);
    QVERIFY(tab.choose("stragglers", "tradeoff"));
    tab.run();
    QVERIFY(ended(tab));
    QCoreApplication::processEvents();
    QCOMPARE(w.window.size(), size);
    for (const ChartCard* card : tab.cards()) {
        QVERIFY(card->width() >= 300);
        QVERIFY(card->mapTo(&w.window, QPoint(card->width(), 0)).x() <= size.width());
    }
}

/// Six cells of a map, one of them without a value: each can be pointed at, and is filled; without one nothing is.
void tst_ClaimsTab::mapsAreDrawn() {
    const StudyMap map{.title = "t",
                       .meaning = "m",
                       .columns = {"A", "B", "C"},
                       .rows = {"1 s", "2 s"},
                       .values = {0, 1, 2, 3, NAN, 5},
                       .notes = {}};
    const auto chart = std::make_shared<const Chart>(mapCharts({map}).front().chart);
    ComparisonLook look;
    const ComparisonChart drawn(chart, look, QSizeF(400, 160));
    QCOMPARE(drawn.marks().size(), std::size_t{6});
    QImage image(400, 160, QImage::Format_RGB32);
    image.fill(Qt::magenta);
    QPainter painter(&image);
    drawn.draw(painter);
    painter.end();
    for (const ComparisonMark& mark : drawn.marks()) {
        QVERIFY(drawn.plotRect().contains(mark.at));
        const QPoint beside = mark.at.toPoint() + QPoint(-30, 0); // of the written value
        QCOMPARE(image.pixelColor(beside) == QColor(Qt::magenta), mark.element == 4);
    }
    // From left to right, and the first row on top.
    QVERIFY(drawn.marks()[0].at.x() < drawn.marks()[1].at.x() && drawn.marks()[0].at.y() < drawn.marks()[3].at.y());
}

TRAINYARD_TEST(tst_ClaimsTab)
#include "tst_ClaimsTab.moc"
