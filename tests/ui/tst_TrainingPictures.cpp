// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the place Training shows: charts of what was measured, the agent used in a scenario, keys alone, small windows.
#include "charts/PictureView.h"
#include "scenario/agents/AgentFile.h"
#include "shell/ActionList.h"
#include "support/TrainingFixture.h"
#include "training/TrainingCharts.h"
#include "training/TrainingPictures.h"

#include <QComboBox>

using namespace trainyard;
using namespace trainyard::test;
namespace fs = std::filesystem;

class tst_TrainingPictures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_directory.begin()); }
    void cleanup() { m_directory.end(); }
    void chartsShowWhatIsMeasured();
    void usedInTheScenario();
    void keysAreEnough();
    void fitsSmallWindows_data();
    void fitsSmallWindows();

private:
    OwnDirectory m_directory;
    OwnSettings m_settings{"tst_TrainingPictures"};
};

void tst_TrainingPictures::chartsShowWhatIsMeasured() {
    TrainingFixture w;
    TrainingPage& page = w.page;
    QVERIFY(w.fill(tinyPlan(), "out"));
    QVERIFY(w.click("training-go"));
    QVERIFY(w.hasEnded());
    const WatchedTraining& watched = *page.training().watched();
    QCOMPARE(watched.stages.size(), std::size_t{3});
    QCOMPARE(watched.stages[0].rewards.size(), std::size_t{2});
    for (const std::size_t s : {1, 2}) {
        const WatchedStage& stage = watched.stages[s];
        QCOMPARE(stage.rewards.size(), std::size_t{3}); // an iteration each
        QCOMPARE(stage.rewards.back().steps, stage.all);
        QCOMPARE(stage.candidates.size(), std::size_t{3}); // distilled, after two, at the end
        double sum = stage.netShares->blocked;
        for (const double share : stage.netShares->served) sum += share;
        QVERIFY(std::abs(sum - 1) < 1e-9);
    }
    // What is kept is what the agent has.
    const auto agent = readAgent("out/agent.json");
    QVERIFY(agent.ok());
    for (const std::size_t s : {1, 2})
        QVERIFY(std::abs((*agent)->members[s - 1].blocking - watched.stages[s].best->blocking) < 1e-6);
    auto& pictures = page.pictures();
    const auto chart = [&](TrainingPictures::Which which) {
        return std::get<Chart>(pictures.picture(which).picture());
    };
    QCOMPARE(chart(TrainingPictures::reward), rewardChart(watched));
    QCOMPARE(chart(TrainingPictures::validation), validationChart(watched, 0));
    QCOMPARE(chart(TrainingPictures::degrees), degreeChart(watched, 2));
    auto* law = w.find<QComboBox>("training-law");
    QCOMPARE(law->count(), 3);
    law->setCurrentIndex(1);
    QCOMPARE(chart(TrainingPictures::degrees), degreeChart(watched, 1));
    QVERIFY(chart(TrainingPictures::degrees).empty.empty());
    // Numbers of the chart are those measured: the reference of beta-a, and bars that add up to all arrivals.
    const Chart validationShown = chart(TrainingPictures::validation), degreesShown = chart(TrainingPictures::degrees);
    const Plot& validation = validationShown.plots.front();
    const auto line =
        std::ranges::find_if(validation.series, [&](const Series& s) { return s.dash == Dash::longDashed; });
    QVERIFY(line != validation.series.end());
    QCOMPARE(line->y.front(), 100 * watched.stages[1].constant->blocking);
    // Laws are called in charts and words what their files say.
    QCOMPARE(validation.x.categories.front().label.english(), std::string("uniform"));
    QCOMPARE(validation.x.categories.back().label.english(), std::string("mostly loose"));
    QVERIFY2(law->itemText(2).contains(QStringLiteral("deadlines mostly loose")), qPrintable(law->itemText(2)));
    QVERIFY(w.text("training-words").contains(QStringLiteral("mostly loose")));
    for (const Series& bars : degreesShown.plots.front().series) {
        double sum = 0;
        for (const double y : bars.y) sum += y;
        QVERIFY(std::abs(sum - 100) < 1e-6);
    }
}

void tst_TrainingPictures::usedInTheScenario() {
    TrainingFixture w;
    AgentPlan plan = tinyPlan();
    plan.network = {}; // that of the shipped scenarios
    QVERIFY(w.fill(plan, "mine"));
    QVERIFY(w.click("training-go"));
    QVERIFY(w.hasEnded());
    auto* use = w.find<QPushButton>("training-use");
    QVERIFY(use->isVisible() && !use->isEnabled());
    QVERIFY2(use->toolTip().contains(QStringLiteral("optical network")), qPrintable(use->toolTip()));
    QVERIFY(w.workspace.open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/pacml/corrected-light.json")));
    w.window.places().go("training");
    QVERIFY2(use->isEnabled(), qPrintable(use->toolTip()));
    QVERIFY(w.click("training-use"));
    QVERIFY(w.window.places().isAt("lab"));
    const Choice& chosen = w.workspace.document().scenario().policies.partitioner;
    QCOMPARE(chosen.id, std::string("learned"));
    QCOMPARE(std::get<std::string>(chosen.parameters.at("agent")), std::string("mine/agent.json"));
    QTRY_VERIFY_WITH_TIMEOUT(w.head() > 0, patience); // and it runs
    QVERIFY2(!hasErrors(w.workspace.problems()), "the scenario takes the agent");
}

void tst_TrainingPictures::keysAreEnough() {
    TrainingFixture w;
    QVERIFY(w.fill(tinyPlan(), "out"));
    w.window.places().go("lab");
    w.window.commands().find(QStringLiteral("file.training"))->trigger();
    QVERIFY(w.window.places().isAt("training"));
    TrainingPage& page = w.page;
    QApplication::setActiveWindow(&w.window);
    auto* choice = w.find<QComboBox>("training-configuration");
    choice->setFocus();
    QStringList reached;
    for (int i = 0; i < 12; ++i) {
        reached << QApplication::focusWidget()->objectName();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    QStringList wanted{QStringLiteral("training-configuration"), QStringLiteral("training-open"),
                       QStringLiteral("training-seed"),          QStringLiteral("training-directory"),
                       QStringLiteral("training-browse"),        QStringLiteral("training-go")};
    reached = reached.mid(0, wanted.size());
    QCOMPARE(reached, wanted);
    auto* go = w.find<QPushButton>("training-go");
    go->setFocus();
    QTest::keyClick(go, Qt::Key_Space);
    QVERIFY(page.training().isRunning());
    QVERIFY(w.hasEnded());
    QVERIFY(page.training().isDone());
    for (const QWidget* each : page.findChildren<QWidget*>())
        if (each->isVisible() && each->focusPolicy() & Qt::TabFocus && !each->focusProxy()) {
            const auto* button = qobject_cast<const QAbstractButton*>(each);
            QVERIFY2(!each->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                     each->metaObject()->className());
        }
}

void tst_TrainingPictures::fitsSmallWindows_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("usual") << QSize(1280, 720);
    QTest::newRow("small") << QSize(1024, 600);
}

void tst_TrainingPictures::fitsSmallWindows() {
    QFETCH(const QSize, size);
    TrainingFixture w;
    w.window.resize(size);
    TrainingPage& page = w.page;
    QVERIFY(w.fill(tinyPlan(), "out"));
    QVERIFY(w.click("training-go"));
    QVERIFY(w.hasEnded());
    QCoreApplication::processEvents();
    QCOMPARE(w.window.size(), size);
    for (const auto which : {TrainingPictures::reward, TrainingPictures::validation, TrainingPictures::degrees}) {
        const PictureView& picture = page.pictures().picture(which);
        QVERIFY(picture.isVisible() && picture.height() >= 110);
        const QPoint corner = picture.mapTo(&w.window, QPoint(picture.width(), picture.height()));
        QVERIFY(corner.x() <= size.width());
        if (size.height() >= 720) QVERIFY(corner.y() <= size.height()); // lower windows scroll
    }
}

TRAINYARD_TEST(tst_TrainingPictures)
#include "tst_TrainingPictures.moc"
