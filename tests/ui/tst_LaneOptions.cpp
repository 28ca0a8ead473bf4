// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What lanes of views have in common: options as menu and switches, kept with the layout; another run beneath; the line under the pointer.
#include "drawing/Legend.h"
#include "lanes/Lane.h"
#include "session/ShownIndex.h"
#include "support/BusyRun.h"
#include "support/LaneFixture.h"
#include "support/SampleRun.h"
#include "support/TestMain.h"

#include <QAction>
#include <QDataStream>
#include <QMenu>
#include <QPainter>
#include <QSlider>
#include <QToolButton>

using namespace trainyard;

class tst_LaneOptions : public QObject, test::LaneFixture {
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(openLanes(560)); }
    void cleanup() { closeLanes(); }
    void menuHasTheOptionsOfTheView();
    void optionsOfAnAddedLaneAreKept();
    void layoutsOfEarlierVersionsDoNoHarm();
    void anotherRunLiesBeneath();
    void lineUnderThePointerIsNamed();
    void linesKeepTheirValues();

private:
    void showSample() {
        m_run->show({.label = QStringLiteral("sample"), .workload = test::sampleWorkload(), .log = test::sampleLog()});
    }
    void showBusy() {
        const auto run = test::busyRun();
        m_run->show(
            {.label = QStringLiteral("busy"), .scenario = run.scenario, .workload = run.workload, .log = run.log});
    }
    Lane* lane(const char* id) const {
        for (Lane* each : m_stack->lanes())
            if (each->painter().id() == QLatin1String(id)) return each;
        return nullptr;
    }
    static QStringList entries(Lane* lane) {
        QStringList all;
        for (const QAction* action : lane->menu()->actions()) all << action->text().remove(u'&');
        return all;
    }
};

void tst_LaneOptions::menuHasTheOptionsOfTheView() {
    showSample();
    Lane* loss = lane("loss");
    const QStringList all = entries(loss);
    for (const char* entry : {"Scale: logarithmic", "Against: updates", "Loss lost to waiting", "Values", "Scale",
                              "Logarithmic horizontal axis", "Compare With"})
        QVERIFY2(all.contains(QLatin1String(entry)), entry);
    QVERIFY(!all.contains(QStringLiteral("Against"))); // its switch says all
    QVERIFY(loss->findChild<QSlider*>(QStringLiteral("smoothing")));
    QStringList switches;
    for (const auto* button : loss->findChildren<QToolButton*>())
        if (button->isCheckable()) switches << button->text();
    QCOMPARE(switches, (QStringList{QStringLiteral("log"), QStringLiteral("updates"), QStringLiteral("waiting")}));
    // An option leaves heights alone, and which lanes are folded, and whether by hand.
    const QByteArray layout = m_stack->saveLayout();
    for (QAction* action : loss->menu()->actions())
        if (action->text() == QStringLiteral("Against: updates")) {
            action->trigger();
            QVERIFY(m_stack->saveLayout() != layout);
            action->trigger();
        }
    QCOMPARE(m_stack->saveLayout(), layout);
    QVERIFY(!lane("utilization")->findChild<QToolButton*>(QStringLiteral("laneMenu"))); // nothing can be set
}

void tst_LaneOptions::optionsOfAnAddedLaneAreKept() {
    showSample();
    m_histories->add({{QStringLiteral("metric?metric=updates")}});
    Lane* added = m_stack->lanes().back();
    for (QAction* action : added->menu()->actions())
        if (action->text() == QStringLiteral("Of one job")) action->trigger();
    const QString key = QStringLiteral("metric?metric=updates&of_job=true");
    QCOMPARE(m_histories->all().front().key, key);
    QVERIFY(m_stack->lanes().back() == added); // the same lane
    const QByteArray layout = m_stack->saveLayout();
    added->findChild<QToolButton*>(QStringLiteral("laneClose"))->click();
    QVERIFY(m_histories->all().empty());
    m_stack->restoreLayout(layout);
    QCOMPARE(m_stack->lanes().back()->painter().subject()->key, key);
}

void tst_LaneOptions::layoutsOfEarlierVersionsDoNoHarm() {
    showSample();
    QByteArray before;
    QDataStream stream(&before, QIODevice::WriteOnly);
    stream << qint32{4} << qint32{0};
    for (int i = 0; i < 7; ++i) stream << true;
    stream << qint32{60};
    for (int i = 0; i < 7; ++i) stream << true;
    stream << QList<int>{1, 2, 3, 4, 5};
    m_stack->restoreLayout(before);
    QCOMPARE(lane("loss")->painter().subject()->key, QStringLiteral("loss"));
    QVERIFY(!lane("loss")->collapsed() && !lane("gantt")->input().byJob);
    // Nor does a subject of another view, or an option that there is none of.
    const QByteArray now = m_stack->saveLayout();
    for (const char* key : {"queue", "loss?moon=full", "loss?smoothing=7"}) {
        QByteArray other;
        QDataStream out(&other, QIODevice::WriteOnly);
        out << qint32{5} << qint32{0} << false << QString::fromLatin1(key);
        m_stack->restoreLayout(other);
        QCOMPARE(m_stack->saveLayout(), now);
    }
}

void tst_LaneOptions::anotherRunLiesBeneath() {
    ShownIndex before({.id = 7, .workload = test::sampleWorkload(), .log = test::sampleLog()});
    before.update();
    showBusy();
    const auto ghosts = [&](const char* id) {
        QStringList all;
        for (const LegendEntry& entry : lane(id)->painter().legend(Theme::light(), lane(id)->input()))
            if (entry.ghost) all << entry.label;
        return all;
    };
    for (const char* id : {"loss", "utilization", "queue"}) QVERIFY(ghosts(id).isEmpty());
    const QImage alone = lane("loss")->grab().toImage();
    for (Lane* each : m_stack->lanes()) {
        LaneInput input = each->input();
        input.ghost = &before;
        each->setInput(input);
    }
    QVERIFY(ghosts("loss").contains(QStringLiteral("Digits, previous run")));
    QVERIFY(ghosts("utilization").contains(QStringLiteral("cpu busy, previous run")));
    QCOMPARE(ghosts("queue"),
             (QStringList{QStringLiteral("waiting, previous run"), QStringLiteral("running, previous run")}));
    QVERIFY(lane("loss")->grab().toImage() != alone);
    m_stack->grab(); // refreshed by the next frame: nothing of the other run is kept
    Q_EMIT m_run->frame();
    QVERIFY(ghosts("utilization").isEmpty());
    QCOMPARE(lane("loss")->grab().toImage(), alone);
}

void tst_LaneOptions::lineUnderThePointerIsNamed() {
    showBusy();
    Lane* loss = lane("loss");
    m_axis->setCursor(SimTime::seconds(8));
    loss->grab();
    QCoreApplication::processEvents(); // the column of the legend has its width
    loss->grab();
    QPainter nowhere; // geometry only: nothing is drawn
    const Theme theme = Theme::light();
    LaneCanvas canvas(nowhere, theme, QFont());
    canvas.plot = loss->plotRect().adjusted(0, 3, 0, -3);
    canvas.time = loss->timeScale();
    const auto dots = loss->painter().markers(canvas, loss->input());
    QCOMPARE(dots.size(), std::size_t{2});
    const auto legend = loss->painter().legend(theme, loss->input());
    for (std::size_t i = 0; i < dots.size(); ++i) {
        QCOMPARE(dots[i].second, theme.job(JobId(i)));
        const LaneHit hit = loss->hitAt(QPointF(canvas.time.x(8), dots[i].first.y()));
        QCOMPARE(hit.job, JobId(i));
        QVERIFY2(hit.text.startsWith(legend[i].label + QStringLiteral(" · loss ")) &&
                     hit.text.endsWith(QStringLiteral("updates")),
                 qPrintable(hit.text));
    }
    QVERIFY(loss->hitAt(QPointF(canvas.time.x(8), canvas.plot.top() - 40)).text.isEmpty());
    // Those of the selected job alone.
    m_selection->selectJob(JobId(1));
    QCOMPARE(loss->painter().markers(canvas, loss->input()).size(), std::size_t{1});
}

/// Where two columns have no room for values, areas keep their names, and lines their values.
void tst_LaneOptions::linesKeepTheirValues() {
    QImage image(220, 44, QImage::Format_RGB32);
    QPainter painter(&image);
    const Theme theme = Theme::light();
    QFont font;
    font.setPixelSize(18);
    LaneCanvas canvas(painter, theme, font);
    std::vector<LegendEntry> all(
        4, LegendEntry{.label = QStringLiteral("Digits, a net"), .value = QStringLiteral("0.1234")});
    for (const auto swatch : {LegendEntry::Swatch::box, LegendEntry::Swatch::line}) {
        for (LegendEntry& entry : all) entry.swatch = swatch;
        const auto places = paintLegendColumn(canvas, QRectF(0, 0, 220, 44), all).places;
        const bool isLine = swatch == LegendEntry::Swatch::line;
        QCOMPARE(places.size(), isLine ? std::size_t{1} : all.size()); // and three more
        QCOMPARE(places.front().valued, isLine);
    }
}

TRAINYARD_TEST(tst_LaneOptions)
#include "tst_LaneOptions.moc"
