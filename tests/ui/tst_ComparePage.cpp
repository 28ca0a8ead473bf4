// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The place Compare as a person uses it: policies are chosen, run, cancelled and resumed; the figures are the command line's; what is shown says
// how far it can be believed; files carry the comparison.
#include "compare/ChartCard.h"
#include "compare/ComparePage.h"
#include "compare/ComparisonForm.h"
#include "compare/ComparisonTable.h"
#include "compare/MetricBox.h"
#include "compare/ParameterTab.h"
#include "compare/PoliciesTab.h"
#include "export/SaveChartDialog.h"
#include "run/compare/ArmTitles.h"
#include "run/files/RunRecord.h"
#include "shell/FileActions.h"
#include "shell/Places.h"
#include "support/Patience.h"
#include "support/StoreLock.h"
#include "support/SvgTexts.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "theme/CoreText.h"
#include "theme/ElidedLineEdit.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTableView>
#include <QToolButton>

#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <thread>

using namespace trainyard;
using Json = nlohmann::json;

class tst_ComparePage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init();
    void fiveWaysCancelledAndResumed();
    void policiesAreAddedByMouseAndKeyboard();
    void qualityComesFirstWhereItIsCompared();
    void policiesAreProposedThatSuitTheJobs();
    void oneRunIsNotEvidence();
    void refusalsAreSaidBeforeAndCounted();
    void closedWhileItRunsLosesNothing();
    void manyRunsAreEstimatedFirst();
    void saysThatItWaitsForALock();
    void timeLeftGoesByRunsThatWereMade();
    void chartsAreReadByKeyboard();
    void filesCarryTheComparison();
    void opensAgainWithItsScenario();
    void resultsGoWithTheirScenario();
    void comparisonsAreListedAndReopened();
    void responseIsTakenAndUndone();
    void twoParametersMakeAMap();
    void policiesHaveTheirTitles();
    void policiesAreRenamed();
    void chartsAreShapedBeforeTheyAreSaved();
    void fitsSmallWindows_data();
    void fitsSmallWindows();

private:
    QString scenario(const char* name);
    static void open(test::WindowFixture& w, const QString& file, const QString& seeds, const QStringList& arms);
    static void click(const test::WindowFixture& w, const char* button);
    std::unique_ptr<QTemporaryDir> m_dir;
    test::OwnSettings m_settings{"tst_ComparePage"};
};

void tst_ComparePage::init() {
    test::OwnSettings::clear();
    m_dir = std::make_unique<QTemporaryDir>();
}

/// A copy beside which results can be kept.
QString tst_ComparePage::scenario(const char* name) {
    const QString path = m_dir->filePath(QString::fromLatin1(name) + QStringLiteral(".json"));
    QFile from(test::starter(name)), to(path);
    if (!from.open(QIODevice::ReadOnly) || !to.open(QIODevice::WriteOnly)) return {};
    to.write(from.readAll().replace("{\"seconds\": 40}", "{\"seconds\": 4}")); // a tenth of the time
    return path;
}

void tst_ComparePage::click(const test::WindowFixture& w, const char* button) {
    auto* found = w.window.findChild<QAbstractButton*>(QLatin1String(button));
    QVERIFY2(found && found->isEnabled() && found->isVisible(), button);
    QTest::mouseClick(found, Qt::LeftButton);
}

void tst_ComparePage::open(test::WindowFixture& w, const QString& file, const QString& seeds, const QStringList& arms) {
    QVERIFY(w.workspace.open(file));
    w.workspace.playback().pause();
    QTabBar& places = w.window.places();
    for (int i = 0; i < places.count(); ++i)
        if (places.tabText(i) == QStringLiteral("Compare"))
            QTest::mouseClick(&places, Qt::LeftButton, {}, places.tabRect(i).center());
    QVERIFY(places.currentIndex() >= 0 && w.window.places().isAt("compare"));
    auto* list = w.window.findChild<QListWidget*>(QStringLiteral("arms"));
    while (list->count() > 0) {
        list->setCurrentRow(0);
        click(w, "remove-arm");
    }
    for (const QString& arm : arms)
        QVERIFY2(w.window.compare().policies().form().addArm(arm.toStdString()), qPrintable(arm));
    auto* field = w.window.findChild<QLineEdit*>(QStringLiteral("seeds"));
    field->selectAll();
    QTest::keyClicks(field, seeds);
}

namespace {

const QStringList fiveWays{QStringLiteral("synchronization=full-sync"), QStringLiteral("synchronization=fastest-k"),
                           QStringLiteral("synchronization=backup-workers"), QStringLiteral("synchronization=ssp"),
                           QStringLiteral("synchronization=async")};
const QStringList twoWays{QStringLiteral("synchronization=full-sync"), QStringLiteral("synchronization=async")};

bool close(double a, const Json& b) {
    return b.is_number() && std::abs(a - b.get<double>()) <= 1e-12 * (1 + std::abs(a));
}

} // namespace

void tst_ComparePage::fiveWaysCancelledAndResumed() {
    const QString file = scenario("five-ways-to-wait");
    test::WindowFixture w;
    open(w, file, QStringLiteral("1-20"), fiveWays);
    PoliciesTab& tab = w.window.compare().policies();
    click(w, "run-comparison");
    QTRY_VERIFY_WITH_TIMEOUT(tab.comparison().result() && tab.comparison().done() >= 5, test::patience);
    QVERIFY(tab.comparison().isRunning());
    QVERIFY(!tab.cards().empty());
    QVERIFY(tab.cards().front()->chart()->caution.english().find("Partial: ") == 0);
    click(w, "cancel-comparison");
    QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
    const std::size_t kept = tab.comparison().result()->done();
    QVERIFY(tab.comparison().result()->stopped && kept >= 5 && kept < 100);
    QVERIFY2(tab.status().contains(QStringLiteral("Cancelled: %1 runs").arg(kept)), qPrintable(tab.status()));
    const auto footer = [&] { return tab.provenance().footer; };
    QVERIFY2(footer().find("seeds=1-20 runs=" + std::to_string(kept) + " of 100 ") != std::string::npos,
             footer().c_str());
    auto* run = w.window.findChild<QPushButton*>(QStringLiteral("run-comparison"));
    QCOMPARE(run->text(), QStringLiteral("Resume"));
    run->setFocus();
    QTest::keyClick(run, Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
    const ComparisonResult& result = *tab.comparison().result();
    QCOMPARE(result.done(), std::size_t{100});
    QVERIFY(result.problems.empty());

    QProcess cli;
    cli.start(qEnvironmentVariable("TRAINYARD_CLI"),
              {QStringLiteral("compare"), file, QStringLiteral("--vary"),
               QStringLiteral("synchronization=full-sync,fastest-k,backup-workers,ssp,async"),
               QStringLiteral("--seeds"), QStringLiteral("1-20"), QStringLiteral("--every-job"),
               QStringLiteral("--json")});
    QVERIFY(cli.waitForFinished(test::patience));
    const Json json = Json::parse(cli.readAllStandardOutput().toStdString());
    for (std::size_t a = 0; a < 5; ++a) {
        const Json& metrics = json.at("policies")[a].at("metrics");
        QCOMPARE(result.arms[a].metrics.size(), metrics.size());
        for (const auto& [name, estimate] : result.arms[a].metrics) {
            QVERIFY2(close(estimate.mean, metrics.at(name).at("mean")), name.c_str());
            const Json& told = metrics.at(name);
            QCOMPARE(!told.at("interval").is_null(), estimate.halfWidth.has_value());
            if (estimate.halfWidth)
                QVERIFY2(close(estimate.mean - *estimate.halfWidth, told.at("interval")[0]), name.c_str());
            const auto difference = result.arms[a].differences.find(name); // not every run comes to 99 % of the drop
            QCOMPARE(told.contains("difference"), difference != result.arms[a].differences.end());
            if (!told.contains("difference")) continue;
            QVERIFY2(close(difference->second.mean, told.at("difference").at("mean")), name.c_str());
            if (const auto p = result.arms[a].pValues.find(name); a > 0 && p != result.arms[a].pValues.end())
                QVERIFY2(close(p->second, told.at("difference").at("p_holm")), name.c_str());
        }
    }
    // Waiting for all is slower than for nobody: the table says by how much.
    QVERIFY(result.arms[4].metrics.at("updates").mean > result.arms[0].metrics.at("updates").mean);
    QVERIFY(tab.cards().front()->chart()->caution.empty());
    QVERIFY2(footer().find(" runs=") == std::string::npos, footer().c_str());
}

void tst_ComparePage::policiesAreAddedByMouseAndKeyboard() {
    test::WindowFixture w;
    open(w, scenario("one-slow-worker"), QStringLiteral("1-3"), {QStringLiteral("scenario")});
    ComparisonForm& form = w.window.compare().policies().form();
    auto* add = w.window.findChild<QToolButton*>(QStringLiteral("add-arm"));
    Q_EMIT add->menu()->aboutToShow();
    QMenu* family = nullptr;
    for (QAction* action : add->menu()->actions())
        if (action->text() == QStringLiteral("Synchronization")) family = action->menu();
    QVERIFY(family);
    family->actions().constLast()->trigger();
    QCOMPARE(form.arms().size(), std::size_t{2});
    QVERIFY(!form.addArm("scenario")); // it is there
    QVERIFY(!form.addArm("synchronization=nope"));
    auto* run = w.window.findChild<QPushButton*>(QStringLiteral("run-comparison"));
    run->setFocus();
    QTest::keyClick(run, Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(w.window.compare().policies().comparison().result() &&
                                 !w.window.compare().policies().comparison().isRunning(),
                             test::patience);
    QCOMPARE(w.window.compare().policies().comparison().result()->done(), std::size_t{6});
}

void tst_ComparePage::qualityComesFirstWhereItIsCompared() {
    ComparisonResult result;
    result.seeds = {1};
    for (const double v : {1.0, 2.0}) {
        result.arms.emplace_back();
        result.arms.back().runs.emplace_back(std::map<std::string, double>{
            {"mean_active_loss", v}, {"time_to_90_s", v}, {"time_to_99_s", v}, {"mean_jct_s", v}, {"makespan_s", 7}});
    }
    using Ids = std::vector<std::string>;
    test::WindowFixture w;
    open(w, scenario("two-racks"), QStringLiteral("1-2"),
         {QStringLiteral("scheduler=fifo"), QStringLiteral("scheduler=srtf")});
    const ComparisonForm& form = w.window.compare().policies().form();
    QCOMPARE(form.metrics(&result), (Ids{"mean_jct_s"}));
    QVERIFY(w.window.compare().policies().form().addArm("scheduler=slaq"));
    QCOMPARE(form.metrics(&result), (Ids{"mean_active_loss", "time_to_90_s", "time_to_99_s"}));
    // How many were blocked, and how good models are: before how long those took that were not.
    ComparisonResult other;
    other.seeds = {1};
    for (const double v : {1.0, 2.0}) {
        other.arms.emplace_back();
        other.arms.back().runs.emplace_back(std::map<std::string, double>{
            {"blocking_rate", v}, {"final_mrr", v}, {"final_hits_at_10", v}, {"mean_jct_s", v}});
    }
    QVERIFY(w.window.files().open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/nups/knowledge-graph.json")));
    QCOMPARE(form.metrics(&other), (Ids{"blocking_rate", "final_mrr", "mean_jct_s"}));
}

/// Where a scenario names no variants: of the family that its jobs are about, and nothing is wrong with them.
void tst_ComparePage::policiesAreProposedThatSuitTheJobs() {
    test::WindowFixture w;
    open(w, scenario("one-slow-worker"), QStringLiteral("1"), {});
    const std::map<const char*, PolicyFamily> families{
        {"start/first-steps", PolicyFamily::synchronization},
        {"start/five-ways-to-wait", PolicyFamily::synchronization},
        {"papers/nups/sampling", PolicyFamily::parameters},
        {"papers/nups/skew", PolicyFamily::parameters},
        {"papers/pacml/further-is-not-faster", PolicyFamily::partitioner},
        {"papers/pdors/trained", PolicyFamily::scheduler}};
    for (const auto& [name, family] : families) {
        QVERIFY(w.workspace.open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/%1.json").arg(QLatin1String(name))));
        w.workspace.playback().pause();
        w.window.places().go("compare");
        const ComparisonForm& form = w.window.compare().policies().form();
        QVERIFY2(form.arms().size() == 3, name);
        QVERIFY(form.arms()[0].choices.empty());
        for (const std::size_t a : {std::size_t{1}, std::size_t{2}})
            QVERIFY2(form.arms()[a].choices.front().family == family, name);
        const auto made = form.request();
        QVERIFY2(made, name);
        for (std::size_t a = 0; a < 3; ++a) QVERIFY2(armScenario(*made, a).problems().empty(), name);
    }
}

void tst_ComparePage::oneRunIsNotEvidence() {
    test::WindowFixture w;
    open(w, scenario("one-slow-worker"), QStringLiteral("7"), twoWays);
    PoliciesTab& tab = w.window.compare().policies();
    tab.run();
    QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
    QVERIFY(tab.cards().front()->chart()->caution.english().find("One run is not evidence.") != std::string::npos);
}

void tst_ComparePage::refusalsAreSaidBeforeAndCounted() {
    const QString file = scenario("one-slow-worker");
    test::WindowFixture w;
    open(w, file, QStringLiteral("1-2"), twoWays);
    PoliciesTab& tab = w.window.compare().policies();
    w.workspace.document().change(QStringLiteral("variant"), [](Scenario& s) {
        s.variants.push_back({"nobody", {}, PolicyFamily::synchronization, {"fastest-k", {{"k", std::int64_t{0}}}}});
    });
    QVERIFY(tab.form().addArm("synchronization=nobody"));
    auto* problem = w.window.compare().findChild<QLabel*>(QStringLiteral("arms-problem"));
    QTRY_VERIFY(problem->isVisibleTo(&w.window) && problem->text().contains(QStringLiteral("nobody: ")));
    w.workspace.document().change(QStringLiteral("gone"),
                                  [](Scenario& s) { s.variants.clear(); }); // it is still an arm
    tab.run();
    QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
    QCOMPARE(tab.comparison().result()->done(), std::size_t{4});
    QCOMPARE(tab.comparison().result()->arms[2].failed, std::size_t{2});
    QVERIFY2(tab.status().contains(QStringLiteral("2 runs failed.")), qPrintable(tab.status()));
    // One policy alone: it is said once, where policies are added.
    for (int i = 0; i < 2; ++i) {
        w.window.findChild<QListWidget*>(QStringLiteral("arms"))->setCurrentRow(0);
        click(w, "remove-arm");
    }
    tab.run();
    QVERIFY2(problem->isVisible() && problem->text().contains(QStringLiteral("two policies")),
             qPrintable(problem->text()));
    QVERIFY2(!tab.status().contains(QStringLiteral("two policies")), qPrintable(tab.status()));
}

void tst_ComparePage::closedWhileItRunsLosesNothing() {
    const QString file = scenario("five-ways-to-wait");
    {
        test::WindowFixture w;
        open(w, file, QStringLiteral("1-200"), twoWays);
        w.window.compare().policies().run();
        QTRY_VERIFY_WITH_TIMEOUT(w.window.compare().policies().comparison().done() >= 3, test::patience);
        QVERIFY(w.window.compare().policies().comparison().isRunning());
    }
    const QString kept = BackgroundComparison::folderFor(file, {}) + QStringLiteral("/results.db");
    const auto store = ResultStore::open(kept.toStdString());
    QVERIFY(store.ok());
    QVERIFY((*store)->size() >= 6); // metrics and losses
}

/// Another process has the store of results: that is why nothing gets done, and not for long.
void tst_ComparePage::saysThatItWaitsForALock() {
    const QString file = scenario("five-ways-to-wait"), folder = BackgroundComparison::folderFor(file, {});
    QVERIFY(QDir().mkpath(folder));
    const std::string store = (folder + QStringLiteral("/results.db")).toStdString();
    QVERIFY(ResultStore::open(store).ok());
    test::StoreLock lock(store);
    test::WindowFixture w;
    open(w, file, QStringLiteral("1-2"), twoWays);
    PoliciesTab& tab = w.window.compare().policies();
    tab.run();
    QTRY_VERIFY2(tab.status().contains(QStringLiteral("another process")), qPrintable(tab.status()));
    QCOMPARE(tab.comparison().done(), std::size_t{0});
    lock.release();
    QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
    QCOMPARE(tab.comparison().result()->done(), std::size_t{4});
    QVERIFY2(!tab.status().contains(QStringLiteral("another process")), qPrintable(tab.status()));
}

/// Results that were kept take no time: after Resume, they say nothing of how long the others will take.
void tst_ComparePage::timeLeftGoesByRunsThatWereMade() {
    struct Batch final : BackgroundBatch {
        Batch() : BackgroundBatch(nullptr) {}
        void clear() override {}
        void run(std::size_t found, std::size_t made, std::atomic<bool>& go) {
            begin(200, [=, &go](const std::stop_token&, const Progress& progress) -> Finish {
                progress.setFound(found);
                progress(found + made, 200);
                while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                return [] {};
            });
        }
    };
    for (const std::size_t made : {2, 4}) {
        std::atomic<bool> go = false;
        Batch batch;
        batch.run(100, made, go);
        QTRY_COMPARE(batch.done(), 100 + made);
        const double left = batch.secondsLeft(), taken = batch.secondsTaken();
        go = true;
        QTRY_VERIFY(!batch.isRunning());
        if (made < 3)
            QCOMPARE(left, -1.0);
        else
            QVERIFY(std::abs(left - taken * 96 / 4) < 1e-9);
    }
}

void tst_ComparePage::manyRunsAreEstimatedFirst() {
    test::WindowFixture w;
    open(w, scenario("one-slow-worker"), QStringLiteral("1-5000"), twoWays);
    PoliciesTab& tab = w.window.compare().policies();
    tab.run();
    QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
    QVERIFY2(tab.status().contains(QStringLiteral("10,000 runs take about")), qPrintable(tab.status()));
    QCOMPARE(tab.comparison().result()->seeds.size(), std::size_t{1});
    click(w, "run-comparison");
    QVERIFY(tab.comparison().isRunning());
    QCOMPARE(tab.comparison().all(), std::size_t{10'000});
    tab.cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
}

void tst_ComparePage::chartsAreReadByKeyboard() {
    test::WindowFixture w;
    open(w, scenario("one-slow-worker"), QStringLiteral("1-4"), twoWays);
    PoliciesTab& tab = w.window.compare().policies();
    tab.run();
    QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
    ChartCard* card = tab.cards().front();
    card->grab();
    card->setFocus();
    QTest::keyClick(card, Qt::Key_Right);
    QVERIFY2(card->told().contains(QStringLiteral("Full synchronization")), qPrintable(card->told()));
    QVERIFY(card->drawn()->marks().size() >= 10); // 4 runs and a mean of each
    for (const ComparisonMark& mark : card->drawn()->marks())
        QVERIFY(card->drawn()->plotRect().adjusted(-1, -1, 1, 1).contains(mark.at));
}

void tst_ComparePage::filesCarryTheComparison() {
    test::WindowFixture w;
    open(w, scenario("one-slow-worker"), QStringLiteral("1-4"), twoWays);
    PoliciesTab& tab = w.window.compare().policies();
    tab.run();
    QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
    const RunProvenance provenance = comparisonProvenance(*tab.comparison().request(), "one-slow-worker.json");
    const ChartCard* card = tab.cards().front();
    for (const char* ending : {"svg", "pdf", "png", "csv", "tex"}) {
        const QString path = m_dir->filePath(QStringLiteral("chart.") + QLatin1String(ending));
        QVERIFY2(writeComparisonChart(path, {card->chart(), card->title()}, chartProvenance(provenance, {1, 2, 3, 4}))
                     .empty(),
                 ending);
        QVERIFY2(QFileInfo(path).size() > 500, ending);
        if (QLatin1String(ending) == QLatin1String("tex")) continue;
        const auto read = readProvenance(path.toStdString());
        QVERIFY2(read.ok() && *read && (*read)->comparison == provenance.comparison, ending);
    }
    QVERIFY(!writeComparisonChart(m_dir->filePath(QStringLiteral("chart.doc")), {card->chart(), card->title()},
                                  chartProvenance(provenance, {1, 2, 3, 4}))
                 .empty());
    const QString page = m_dir->filePath(QStringLiteral("page.html"));
    QVERIFY(tab.writePage(page).empty());
    QFile html(page);
    QVERIFY(html.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(html.readAll());
    QCOMPARE(text.count(QStringLiteral("<svg")), static_cast<qsizetype>(tab.cards().size()));
    QVERIFY(text.contains(QStringLiteral(
        "trainyard-cli compare one-slow-worker.json --vary synchronization=full-sync,async --seeds 1-4")));
    QVERIFY(text.contains(QStringLiteral("seeds 1-4 ("))); // which comparison it is, and of when
    QVERIFY(text.contains(QStringLiteral("&quot;format&quot;: &quot;trainyard-scenario&quot;")));
    QVERIFY(!tab.writePage(m_dir->filePath(QStringLiteral("no/such/page.html"))).empty());
}

void tst_ComparePage::opensAgainWithItsScenario() {
    const QString file = scenario("one-slow-worker");
    {
        test::WindowFixture w;
        open(w, file, QStringLiteral("1-3"), fiveWays);
        w.window.compare().policies().run();
        QTRY_VERIFY_WITH_TIMEOUT(!w.window.compare().policies().comparison().isRunning(), test::patience);
    }
    test::WindowFixture w;
    QVERIFY(w.workspace.open(file));
    const ComparisonForm& form = w.window.compare().policies().form();
    QCOMPARE(form.arms().size(), std::size_t{5});
    QCOMPARE(w.window.findChild<QLineEdit*>(QStringLiteral("seeds"))->text(), QStringLiteral("1-3"));
}

void tst_ComparePage::responseIsTakenAndUndone() {
    test::WindowFixture w;
    // Jobs that end after a given time differ in their losses, not in how long they take.
    open(w, scenario("five-ways-to-wait"), QStringLiteral("1"), {});
    const auto* metric = w.window.findChild<MetricBox*>(QStringLiteral("response-metric"));
    QCOMPARE(metric->metric(), std::string("final_loss"));
    open(w, scenario("one-slow-worker"), QStringLiteral("1"), {});
    QCOMPARE(metric->metric(), std::string("mean_jct_s"));
    w.workspace.document().choosePolicy(PolicyFamily::synchronization, {"fastest-k", {{"k", std::int64_t{2}}}});
    w.window.compare().go("parameter");
    ParameterTab& tab = w.window.compare().parameter();
    QVERIFY(!tab.choose("/nothing"));
    QVERIFY(tab.choose("/policies/synchronization/parameters/k"));
    click(w, "run-response");
    QTRY_VERIFY_WITH_TIMEOUT(!tab.sweep().isRunning(), test::patience);
    QVERIFY(tab.sweep().problems().empty());
    ChartCard& card = tab.card();
    card.grab();
    const Plot& plot = card.chart()->plots.front();
    QCOMPARE(plot.lines.back().value, 2.0); // now
    // The same as the command line's sweep.
    QProcess cli;
    cli.start(qEnvironmentVariable("TRAINYARD_CLI"),
              {QStringLiteral("run"), w.workspace.document().filePath(), QStringLiteral("--set"),
               QStringLiteral("/policies/synchronization={\"id\": \"fastest-k\", \"parameters\": {\"k\": 3}}"),
               QStringLiteral("--set"), QStringLiteral("/explanations=\"off\""), QStringLiteral("--seed"),
               QStringLiteral("4"), QStringLiteral("--json")});
    QVERIFY(cli.waitForFinished(test::patience));
    const Json json = Json::parse(cli.readAllStandardOutput().toStdString());
    bool found = false;
    for (const SweepRow& row : tab.sweep().rows())
        if (row.values.front() == "3" && row.seed == 4) {
            found = true;
            QCOMPARE(Json(row.digest), json.at("digest"));
        }
    QVERIFY(found);
    // By keyboard to the point of k = 3, and into the scenario; undone in one step.
    card.setFocus();
    const auto k = [&] {
        return std::get<std::int64_t>(w.workspace.document().scenario().policies.synchronization.parameters.at("k"));
    };
    const auto& values = tab.sweep().request()->axes.front().values;
    const auto at = std::find(values.begin(), values.end(), "3") - values.begin();
    for (std::ptrdiff_t i = 0; i <= at; ++i) QTest::keyClick(&card, Qt::Key_Right);
    QTest::keyClick(&card, Qt::Key_Return);
    QCOMPARE(k(), std::int64_t{3});
    QCOMPARE(card.chart()->plots.front().lines.back().value, 3.0);
    w.workspace.document().undoStack().undo();
    QCOMPARE(k(), std::int64_t{2});
    // By mouse, another.
    card.grab();
    const ComparisonMark& mark = card.drawn()->marks().front();
    const QPointF inner(12 * Theme::scale(), 12 * Theme::scale());
    QTest::mouseClick(&card, Qt::LeftButton, {}, (mark.at + inner).toPoint());
    QCOMPARE(QString::number(k()), QString::fromStdString(values.front()));
}

void tst_ComparePage::twoParametersMakeAMap() {
    test::WindowFixture w;
    open(w, scenario("one-slow-worker"), QStringLiteral("1"), {});
    w.window.compare().go("parameter");
    ParameterTab& tab = w.window.compare().parameter();
    for (const auto* box : tab.findChildren<QComboBox*>()) QVERIFY(!box->currentText().isEmpty());
    for (const char* field : {"first-field", "second-field"}) // their names are longer than the boxes
        QVERIFY(qobject_cast<ElidedLineEdit*>(tab.findChild<QComboBox*>(QLatin1String(field))->lineEdit()));
    const auto fields = variedFields(w.workspace.document().scenario(), w.workspace.registry());
    std::string batch, rate;
    for (const VariedField& field : fields) {
        if (field.pointer == "/jobs/0/batch") batch = field.pointer;
        if (field.pointer.ends_with("/seconds_per_sample")) rate = field.pointer;
    }
    QVERIFY(!batch.empty() && !rate.empty());
    QVERIFY(tab.choose(batch, rate));
    QVERIFY(std::ranges::any_of(tab.findChildren<QLabel*>(), [](const QLabel* each) { // the second one's unit
        return each->text() == QStringLiteral("s") && !each->isHidden();
    }));
    for (const char* count : {"Parameter: how many values", "Second parameter: a map: how many values"})
        for (QSpinBox* each : tab.findChildren<QSpinBox*>())
            if (each->accessibleName() == QLatin1String(count)) each->setValue(2);
    for (QLineEdit* each : tab.findChildren<QLineEdit*>())
        if (each->accessibleName() == QStringLiteral("Seeds of each value")) each->setText(QStringLiteral("1-2"));
    tab.run();
    QTRY_VERIFY_WITH_TIMEOUT(!tab.sweep().isRunning(), test::patience);
    QCOMPARE(tab.sweep().rows().size(), std::size_t{8});
    tab.card().grab();
    QCOMPARE(tab.card().drawn()->marks().size(), std::size_t{4});
    // The cell at the lower right: the greater batch, the smaller rate.
    Q_EMIT tab.card().elementChosen(0, 1);
    const Job& job = w.workspace.document().scenario().jobs[0];
    const auto& axes = tab.sweep().request()->axes;
    QCOMPARE(QString::number(std::get<TrainedWork>(job.work).batch), QString::fromStdString(axes[0].values[1]));
    QVERIFY(std::abs(std::get<TrainedWork>(job.work).secondsPerSample - std::stod(axes[1].values[0])) < 1e-9);
}

// Of another document nothing is shown, be it over or under way.
void tst_ComparePage::resultsGoWithTheirScenario() {
    test::WindowFixture w;
    open(w, scenario("one-slow-worker"), QStringLiteral("1-2"), twoWays);
    PoliciesTab& tab = w.window.compare().policies();
    tab.run();
    QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
    QVERIFY(tab.comparison().result() && !tab.cards().empty());
    open(w, scenario("two-racks"), QStringLiteral("1-200"),
         {QStringLiteral("scheduler=fifo"), QStringLiteral("scheduler=srtf")});
    QVERIFY(!tab.comparison().result() && tab.cards().empty());
    tab.run();
    tab.run(); // after the estimate, where there is one
    QTRY_VERIFY_WITH_TIMEOUT(tab.comparison().result(), test::patience);
    QVERIFY(w.workspace.open(scenario("five-ways-to-wait")));
    QVERIFY(!tab.comparison().isRunning() && !tab.comparison().result());
    QTest::qWait(300); // what was under way ends unseen
    QVERIFY(!tab.comparison().result() && tab.cards().empty());
    QVERIFY(w.window.findChild<QPushButton*>(QStringLiteral("run-comparison"))->isEnabled());
}

/// Each under its name and date; what is reopened is of the scenario as it was, and nothing is run for it.
void tst_ComparePage::comparisonsAreListedAndReopened() {
    const QString file = scenario("one-slow-worker"), folder = BackgroundComparison::folderFor(file, {});
    const QString name = QStringLiteral("Full synchronization, Wait for nobody, seeds 1-2"),
                  of = QStringLiteral("one-slow-worker.json");
    std::vector<double> means;
    {
        test::WindowFixture w;
        PoliciesTab& tab = w.window.compare().policies();
        for (const char* seeds : {"1-2", "1-2", "1-3"}) { // the same twice is one
            open(w, file, QString::fromLatin1(seeds), twoWays);
            tab.run();
            QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
            if (means.empty())
                for (const ArmResult& arm : tab.comparison().result()->arms)
                    means.push_back(arm.metrics.at("updates").mean);
        }
        QCOMPARE(keptComparisons(folder, of).size(), std::size_t{2});
        QVERIFY(keptComparisons(folder, QStringLiteral("other.json")).empty());
        QVERIFY(!renameComparison(folder, name, QStringLiteral("a/b")));
        QVERIFY(!renameComparison(folder, name, QStringLiteral("Full synchronization, Wait for nobody, seeds 1-3")));
        QVERIFY(renameComparison(folder, name, QStringLiteral(" lecture 3 ")));
    }
    test::WindowFixture w;
    PoliciesTab& tab = w.window.compare().policies();
    open(w, file, QStringLiteral("7"), twoWays);
    w.workspace.document().change(QStringLiteral("faster"), [](Scenario& s) { s.jobs[0].stop.iterations = 3; });
    auto* button = w.window.findChild<QToolButton*>(QStringLiteral("kept-comparisons"));
    Q_EMIT button->menu()->aboutToShow();
    QAction* found = nullptr;
    for (QAction* action : button->menu()->actions())
        if (action->text().startsWith(QStringLiteral("lecture 3 ("))) found = action;
    QVERIFY(found && found->text().contains(QString::number(QDate::currentDate().year() % 100)));
    found->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
    QVERIFY(!tab.comparison().result()->stopped);
    for (std::size_t a = 0; a < 2; ++a)
        QCOMPARE(tab.comparison().result()->arms[a].metrics.at("updates").mean, means[a]);
    const QString hint = w.window.findChild<QLabel*>(QStringLiteral("comparison-hint"))->text();
    QVERIFY2(hint.startsWith(QStringLiteral("lecture 3 (")), qPrintable(hint));
    QVERIFY2(hint.contains(QStringLiteral("The scenario has been changed since.")), qPrintable(hint));
    w.workspace.document().undoStack().undo();
    const QString back = w.window.findChild<QLabel*>(QStringLiteral("comparison-hint"))->text();
    QVERIFY2(!back.contains(QStringLiteral("changed since")), qPrintable(back));
    // Results that are no longer in the store are not run anew by looking.
    for (const char* ending : {"", "-wal", "-shm"})
        QFile::remove(folder + QStringLiteral("/results.db") + QLatin1String(ending));
    QVERIFY(tab.reopen(QStringLiteral("Full synchronization, Wait for nobody, seeds 1-3")));
    QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
    QVERIFY(tab.comparison().result()->stopped && tab.comparison().result()->done() == 0);
    removeComparison(folder, QStringLiteral("lecture 3"));
    QCOMPARE(keptComparisons(folder, of).size(), std::size_t{1});
    QVERIFY(!tab.reopen(QStringLiteral("lecture 3")));
}

/// As the Lab calls them: in the list, the table and the charts. Two that would have one name have their ids as well.
void tst_ComparePage::policiesHaveTheirTitles() {
    test::WindowFixture w;
    open(w, scenario("one-slow-worker"), QStringLiteral("1"),
         {QStringLiteral("scenario"), QStringLiteral("synchronization=fastest-3"),
          QStringLiteral("synchronization=ssp,scheduler=srtf")});
    PoliciesTab& tab = w.window.compare().policies();
    const QStringList titles{QStringLiteral("As in the scenario"), QStringLiteral("Wait for the fastest three"),
                             QStringLiteral("Stale synchronous parallel + Shortest remaining time first")};
    QStringList listed;
    const auto* list = tab.form().findChild<QListWidget*>(QStringLiteral("arms"));
    for (int i = 0; i < list->count(); ++i) listed << list->item(i)->text();
    QCOMPARE(listed, titles);
    tab.run();
    QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
    const auto* table = w.window.findChild<QTableView*>(QStringLiteral("comparison-table"))->model();
    for (int i = 0; i < 3; ++i) QCOMPARE(table->index(i, ComparisonTable::policy).data().toString(), titles[i]);
    ChartCard* card = tab.cards().front();
    card->grab();
    card->setFocus();
    QTest::keyClick(card, Qt::Key_Right);
    QVERIFY2(card->told().contains(titles[0]), qPrintable(card->told()));
    const Scenario& s = w.workspace.document().scenario();
    Scenario twice = s;
    twice.variants.push_back({"again", s.variants[0].title, s.variants[0].family, {"ssp", {}}});
    const auto arms = [&](const char* name) {
        return armFrom(twice, w.workspace.registry(), std::string("synchronization=") + name).value();
    };
    const auto both = armTitles(twice, w.workspace.registry(), {arms("fastest-3"), arms("again")});
    QCOMPARE(both[0].english(), std::string("Wait for the fastest three (fastest-3)"));
    QCOMPARE(both[1].english(), std::string("Wait for the fastest three (again)"));
    // Names that the user gave, to two alike or as the scenario's own: told apart by what the policies are called.
    std::vector<ComparisonArm> named{ComparisonArm{}, arms("fastest-3"), arms("ssp")};
    named[1].title = named[2].title = "Ours";
    auto told = armTitles(s, w.workspace.registry(), named);
    QCOMPARE(told[0].english(), std::string("As in the scenario"));
    QCOMPARE(told[1].english(), std::string("Ours (Wait for the fastest three)"));
    QCOMPARE(told[2].english(), std::string("Ours (Stale synchronous parallel)"));
    named[1].title = "As in the scenario";
    told = armTitles(s, w.workspace.registry(), named);
    QCOMPARE(told[0].english(), std::string("As in the scenario"));
    QCOMPARE(told[1].english(), std::string("As in the scenario (Wait for the fastest three)"));
    QCOMPARE(told[2].english(), std::string("Ours"));
}

/// In the list, and with it in charts, table and files; kept with the comparison; what runs is the same.
void tst_ComparePage::policiesAreRenamed() {
    const QString file = scenario("one-slow-worker");
    const QString ours = QStringLiteral("Ours {0} <b> é");
    {
        test::WindowFixture w;
        open(w, file, QStringLiteral("1-2"), twoWays);
        PoliciesTab& tab = w.window.compare().policies();
        tab.run();
        QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
        auto* list = tab.form().findChild<QListWidget*>(QStringLiteral("arms"));
        const auto rename = [&](int row, const QString& title) {
            list->setCurrentRow(row);
            click(w, "rename-arm");
            auto* editor = list->findChild<QLineEdit*>();
            QVERIFY(editor);
            editor->selectAll();
            editor->insert(title);
            QTest::keyClick(editor, Qt::Key_Return);
        };
        const auto before = comparisonText(*tab.comparison().request());
        rename(1, ours);
        QTRY_COMPARE(list->item(1)->text(), ours);
        const auto* table = w.window.findChild<QTableView*>(QStringLiteral("comparison-table"))->model();
        QCOMPARE(table->index(1, ComparisonTable::policy).data().toString(), ours);
        const auto labels = [&] {
            QStringList out;
            for (const auto& category : tab.cards().front()->chart()->plots.front().y.categories)
                out << coreText(category.label);
            return out;
        };
        QCOMPARE(labels().last(), ours);
        const QString page = m_dir->filePath(QStringLiteral("page.html"));
        QVERIFY(tab.writePage(page).empty());
        QFile html(page);
        QVERIFY(html.open(QIODevice::ReadOnly) &&
                QString::fromUtf8(html.readAll()).contains(QStringLiteral("Ours {0} &lt;b&gt; é")));
        tab.run(); // the same runs, the same kept comparison
        QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
        QVERIFY(tab.comparison().onlyFound());
        const QString folder = BackgroundComparison::folderFor(file, {});
        QCOMPARE(keptComparisons(folder, QStringLiteral("one-slow-worker.json")).size(), std::size_t{1});
        rename(0, ours); // alike: told apart by their own names
        QTRY_COMPARE(labels(), (QStringList{ours + QStringLiteral(" (Full synchronization)"),
                                            ours + QStringLiteral(" (Wait for nobody)")}));
        rename(0, {});
        QTRY_COMPARE(labels().first(), QStringLiteral("Full synchronization"));
        QVERIFY(comparisonText(*tab.comparison().request()) != before);
    }
    test::WindowFixture w;
    QVERIFY(w.workspace.open(file));
    auto* list = w.window.findChild<QListWidget*>(QStringLiteral("arms"));
    QCOMPARE(list->item(1)->text(), ours);
    PoliciesTab& tab = w.window.compare().policies();
    QVERIFY(tab.form().addArm("synchronization=ssp") && !tab.form().addArm("synchronization=async"));
}

/// Title, axes, size, theme and footer are chosen before a chart is written, and the file has them.
void tst_ComparePage::chartsAreShapedBeforeTheyAreSaved() {
    test::WindowFixture w;
    open(w, scenario("one-slow-worker"), QStringLiteral("1-4"), twoWays);
    PoliciesTab& tab = w.window.compare().policies();
    tab.run();
    QTRY_VERIFY_WITH_TIMEOUT(!tab.comparison().isRunning(), test::patience);
    const ChartCard* card = tab.cards().front();
    const auto chart = card->chart();
    tab.cards().front()->menu().actions().front()->trigger();
    auto* dialog = w.window.findChild<SaveChartDialog*>(QStringLiteral("save-chart"));
    QVERIFY(dialog && dialog->isVisible());
    for (const auto* button : dialog->findChildren<QPushButton*>()) // Return saves
        QCOMPARE(button->isDefault(), button->objectName() == QLatin1String("save-chart-file"));
    QCOMPARE(dialog->figure().size, QSizeF(560, 380));
    dialog->findChild<QLineEdit*>(QStringLiteral("chart-title"))->setText(QStringLiteral("Waiting"));
    auto* horizontal = dialog->findChild<QLineEdit*>(QStringLiteral("chart-x-title"));
    QVERIFY(!horizontal->placeholderText().isEmpty());
    horizontal->setText(QStringLiteral("Hours of waiting"));
    QVERIFY(!dialog->findChild<QLineEdit*>(QStringLiteral("chart-y-title"))->isEnabled()); // names, no axis
    dialog->findChild<QDoubleSpinBox*>(QStringLiteral("export-width"))->setValue(85);
    const ChartFigure figure = dialog->figure();
    QVERIFY(std::abs(figure.size.width() - 85 * 96 / 25.4) < 1e-9);
    const ChartProvenance made =
        chartProvenance(comparisonProvenance(*tab.comparison().request(), "one-slow-worker.json"), {1, 2, 3, 4});
    const auto textsOf = [&](const ChartFigure& chosen) {
        QFile svg(m_dir->filePath(QStringLiteral("chart.svg")));
        return writeComparisonChart(svg.fileName(), {chart, card->title()}, made, chosen).empty() &&
                       svg.open(QIODevice::ReadOnly)
                   ? test::svgTexts(svg.readAll())
                   : QStringList();
    };
    const QStringList texts = textsOf(figure);
    QVERIFY2(texts.contains(QStringLiteral("Waiting")) && !texts.contains(card->title()), qPrintable(texts.join(u'|')));
    QVERIFY2(texts.contains(QStringLiteral("Hours of waiting")), qPrintable(texts.join(u'|')));
    QCOMPARE(texts.filter(QStringLiteral("seeds=1-4")).size(), 1); // narrow as it is
    dialog->findChild<QCheckBox*>(QStringLiteral("chart-footer"))->setChecked(false);
    QVERIFY(textsOf(dialog->figure()).filter(QStringLiteral("seeds=1-4")).isEmpty());
    const QString tex = m_dir->filePath(QStringLiteral("chart.tex"));
    QVERIFY(writeComparisonChart(tex, {chart, card->title()}, made, figure).empty());
    QFile picture(tex);
    QVERIFY(picture.open(QIODevice::ReadOnly) && picture.readAll().contains("Hours of waiting"));
    dialog->reject();
}

void tst_ComparePage::fitsSmallWindows_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("usual") << QSize(1280, 800);
    QTest::newRow("laptop") << QSize(1366, 768);
    QTest::newRow("small") << QSize(1024, 600);
}

void tst_ComparePage::fitsSmallWindows() {
    QFETCH(const QSize, size);
    test::WindowFixture w;
    w.window.resize(size);
    open(w, scenario("one-slow-worker"), QStringLiteral("1-2"), fiveWays);
    std::vector<ComparisonArm> arms = w.window.compare().policies().form().arms();
    arms.back().name = "adaptive-load-exact";
    w.window.compare().policies().form().setArms(arms);
    w.window.compare().policies().run();
    QTRY_VERIFY_WITH_TIMEOUT(!w.window.compare().policies().comparison().isRunning(), test::patience);
    QCoreApplication::processEvents();
    QCOMPARE(w.window.size(), size);
    for (const ChartCard* card : w.window.compare().policies().cards()) {
        QVERIFY(card->width() >= 300);
        QVERIFY(card->mapTo(&w.window, QPoint(card->width(), 0)).x() <= size.width());
    }
    auto* table = w.window.findChild<QTableView*>(QStringLiteral("comparison-table"));
    const auto longest = [&](int column) {
        int width = 0;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            width = std::max(
                width, table->fontMetrics().horizontalAdvance(table->model()->index(row, column).data().toString()));
        return width;
    };
    const auto inSight = [&](int column) {
        return table->columnViewportPosition(column) + table->columnWidth(column) <= table->viewport()->width();
    };
    QTRY_VERIFY2(inSight(ComparisonTable::difference) &&
                     inSight(ComparisonTable::pValue), // once its scroll bar has come
                 "what is read first is scrolled to");
    QVERIFY2(table->columnWidth(ComparisonTable::policy) > longest(ComparisonTable::policy),
             "names of policies are cut");
    for (int row = 0; row < table->model()->rowCount(); row += table->rowSpan(row, ComparisonTable::metric)) {
        const QRect cell =
            table->visualRect(table->model()->index(row, ComparisonTable::metric)).adjusted(11, 2, -11, -2);
        const QRect wanted =
            table->fontMetrics().boundingRect(cell, Qt::AlignLeft | Qt::TextWordWrap,
                                              table->model()->index(row, ComparisonTable::metric).data().toString());
        QVERIFY2(wanted.width() <= cell.width() && wanted.height() <= cell.height(), "names of metrics are cut");
    }
}

TRAINYARD_TEST(tst_ComparePage)
#include "tst_ComparePage.moc"
