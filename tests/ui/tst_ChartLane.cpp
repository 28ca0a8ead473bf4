// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A view as a lane of the timeline: added under Views, on the shared axis and cursor, kept with the layout; what cannot be one says why.
#include "charts/ChartGrowth.h"
#include "charts/ChartLane.h"
#include "charts/ViewPanel.h"
#include "lanes/Lane.h"
#include "lanes/LaneStack.h"
#include "session/ShownIndex.h"
#include "shell/FileActions.h"
#include "shell/Panels.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"

#include <QToolButton>

using namespace trainyard;

class tst_ChartLane : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void viewGoesOntoTheTimeline();
    void whatIsNoLaneSaysWhy();
    void optionsGoWithIt();
    void onlyTheEndsOfLinesGrow();

private:
    struct Window : test::WindowFixture {
        ViewPanel& views;
        Window() : views(*window.findChild<ViewPanel*>()) {
            window.files().open(test::starter());
            workspace.playback().toEnd();
        }
        LaneStack& timeline() { return *window.findChild<LaneStack*>(); }
        QToolButton& button() { return *views.findChild<QToolButton*>(QStringLiteral("addLane")); }
        void choose(const char* view) {
            window.panels().show(QStringLiteral("views"));
            views.choose(QLatin1String(view));
            views.refresh();
        }
    };
    test::OwnSettings m_settings{"tst_ChartLane"};
};

void tst_ChartLane::viewGoesOntoTheTimeline() {
    Window w;
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    const std::size_t usual = w.timeline().lanes().size();
    w.choose("k-and-load");
    QTRY_VERIFY2(w.button().isEnabled(), qPrintable(w.button().toolTip()));
    w.button().click();
    QCOMPARE(w.timeline().lanes().size(), usual + 1);
    QVERIFY(!w.button().isEnabled()); // it is there
    Lane* lane = w.timeline().lanes().back();
    QVERIFY(lane->painter().emptyText(lane->input()).isEmpty());
    QCOMPARE(lane->plotRect().left(), w.timeline().lanes().front()->plotRect().left());
    // Loss, k and β one above the other, each with room for two labels, under the whole name.
    w.window.resize(1366, 768);
    w.window.panels().show(QStringLiteral("lanes"));
    QCOMPARE(lane->painter().plots(lane->input()), std::size_t{3});
    const auto* header = lane->findChild<QToolButton*>(QStringLiteral("laneHeader"));
    QTRY_VERIFY2(lane->height() >= 3 * 1.9 * QFontMetricsF(lane->font()).height(),
                 qPrintable(QString::number(lane->height())));
    QTRY_VERIFY2(!header->text().contains(u'…'), qPrintable(header->text()));
    QTRY_COMPARE(lane->visibleRegion().boundingRect().height(), lane->height()); // in sight at once
    // Its readings are those of the cursor.
    w.workspace.axis().setCursor(SimTime::seconds(3));
    const auto legend = lane->painter().legend(Theme::light(), lane->input());
    QVERIFY(!legend.empty());
    const QString then = legend.front().value;
    w.workspace.axis().setCursor(SimTime::seconds(9));
    QVERIFY(lane->painter().legend(Theme::light(), lane->input()).front().value != then);
    // Something is drawn where the curve of the loss is.
    const QImage picture = lane->grab().toImage();
    const QColor colour = Theme::current().job(JobId(std::size_t{0}));
    int pixels = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) pixels += picture.pixelColor(x, y) == colour;
    QVERIFY2(pixels > 20, qPrintable(QString::number(pixels)));
    const QString title = lane->painter().title();
    const QByteArray layout = w.timeline().saveLayout();
    w.workspace.histories().set({});
    QCOMPARE(w.timeline().lanes().size(), usual);
    w.timeline().restoreLayout(layout);
    QCOMPARE(w.timeline().lanes().size(), usual + 1);
    QCOMPARE(w.timeline().lanes().back()->painter().title(), title);
}

void tst_ChartLane::whatIsNoLaneSaysWhy() {
    Window w;
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    w.choose("staleness");
    QTRY_VERIFY(w.button().toolTip().contains(QStringLiteral("not time")));
    QVERIFY(!w.button().isEnabled());
    const auto unknown = makeChartLane({QStringLiteral("no-such-view")});
    QVERIFY(unknown->emptyText({}).contains(QStringLiteral("no-such-view")));
    QVERIFY(unknown->legend(Theme::light(), {}).empty());
    const auto known = makeChartLane({QStringLiteral("queue")});
    QVERIFY(known->axisTitle({}).isEmpty() && !known->emptyText({}).isEmpty()); // nothing has run
}

void tst_ChartLane::optionsGoWithIt() {
    const View& view = *findView("loss");
    const HistorySubject subject = viewSubject(view, {{"against", std::string("updates")}});
    QCOMPARE(subject.key, QStringLiteral("loss?against=updates"));
    const ParamValues bins{{"bins", std::int64_t{7}}};
    QCOMPARE(viewSubject(*findView("updates-per-second"), bins).key, QStringLiteral("updates-per-second?bins=7"));
    QCOMPARE(makeChartLane(subject)->title(), QStringLiteral("Loss"));
}

void tst_ChartLane::onlyTheEndsOfLinesGrow() {
    Plot plot;
    plot.x = {.kind = Axis::Kind::time, .key = "time_s", .from = 0, .to = 4};
    plot.y = {.key = "y", .from = 0, .to = 10};
    plot.series = {{.key = "line", .x = {0, 1, 2, 3}, .y = {5, 6, 7, 8}},
                   {.kind = Series::Kind::steps, .key = "steps", .x = {0, 4}, .y = {2}}};
    QCOMPARE(sameUntil({plot}, {plot}), std::numeric_limits<double>::infinity());
    Plot on = plot;
    on.x.to = 6;
    on.series[0].x.push_back(5);
    on.series[0].y.push_back(4);
    on.series[1].x.back() = 6;
    QCOMPARE(sameUntil({plot}, {on}), 3.0); // the line goes on from there
    QCOMPARE(sameUntil({on}, {plot}), 3.0);
    on.series[0].y[1] = 6.5; // what was seen has become something else
    QCOMPARE(sameUntil({plot}, {on}), 0.0);
    on.series[0].y[0] = 5.5;
    QVERIFY(!sameUntil({plot}, {on}));
    on = plot;
    on.series[1].x = {0, 3.5, 6}; // a step that ends
    on.series[1].y = {2, 1};
    QCOMPARE(sameUntil({plot}, {on}), 3.5);
    for (const auto& change : std::vector<std::function<void(Plot&)>>{
             [](Plot& p) { p.y.to = 11; }, [](Plot& p) { p.x.kind = Axis::Kind::linear; },
             [](Plot& p) { p.series[0].strength = 0.5; }, [](Plot& p) { p.series.push_back(p.series[0]); },
             [](Plot& p) { p.lines.push_back({}); }, [](Plot& p) { p.annotations.push_back({}); },
             [](Plot& p) { p.series[0].kind = Series::Kind::points; }}) {
        Plot other = plot;
        change(other);
        QVERIFY(!sameUntil({plot}, {other}));
    }
    QVERIFY(!sameUntil({plot}, {}));
}

TRAINYARD_TEST(tst_ChartLane)
#include "tst_ChartLane.moc"
