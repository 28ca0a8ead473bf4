// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Hundreds of lines, painted beside the window's thread: the same picture as painted in one go, also where the user has zoomed.
#include "charts/LineBundle.h"
#include "charts/PictureView.h"
#include "lanes/Lane.h"
#include "session/ShownIndex.h"
#include "support/LaneFixture.h"
#include "support/Patience.h"
#include "support/SampleRun.h"
#include "support/TestMain.h"

#include <QWheelEvent>

#include <cmath>

using namespace trainyard;

class tst_ManyLines : public QObject, test::LaneFixture {
    Q_OBJECT
private Q_SLOTS:
    void bundlesOfLines();
    void chartsShowThem();
    void movedLanesShowWhatStillOnesShow();
};

void tst_ManyLines::bundlesOfLines() {
    LineBundle bundle{.lines = {}, .x = {0, 10}, .y = {0, 10}};
    const std::vector<double> x{1, 3, 4, 5, 20}, y{5, 5, std::nan(""), 5, 5}, one{1}, two{2}, eight{8}, ten{10};
    bundle.lines.push_back({x, y, QPen(Qt::red, 2)});
    bundle.lines.push_back({eight, two, QPen(Qt::blue, 2)});
    const auto paintOn = [](QImage& image, const LineBundle& what, const std::stop_token& stop) {
        image.fill(Qt::transparent);
        QPainter painter(&image);
        paintBundle(painter, QRectF(20, 10, 100, 100), what, stop);
    };
    QImage image(140, 120, QImage::Format_ARGB32_Premultiplied);
    paintOn(image, bundle, {});
    QCOMPARE(image.pixelColor(40, 60), QColor(Qt::red));
    QCOMPARE(image.pixelColor(60, 60).alpha(), 0); // interrupted
    QCOMPARE(image.pixelColor(80, 60), QColor(Qt::red));
    QCOMPARE(image.pixelColor(125, 60).alpha(), 0);        // not beyond the plot
    QCOMPARE(image.pixelColor(100, 90), QColor(Qt::blue)); // a single point
    bundle = {.lines = {{ten, one, QPen(Qt::blue, 2)}},
              .x = {1, 100},
              .y = {0.1, 10},
              .logarithmicX = true,
              .logarithmicY = true};
    paintOn(image, bundle, {});
    QCOMPARE(image.pixelColor(70, 60), QColor(Qt::blue)); // both halfway
    // Dashes run on over corners.
    const std::vector<double> across{1, 20, 40, 60, 80, 99}, level{5, 5.1, 5, 5.1, 5, 5.1};
    QPen dashed(Qt::blue, 2);
    dashed.setDashPattern({10, 10});
    bundle = {.lines = {{across, level, dashed}}, .x = {0, 100}, .y = {0, 10}};
    paintOn(image, bundle, {});
    int coloured = 0;
    const auto isColoured = [&](int column, int row) { return image.pixelColor(column, row).alpha() > 128; };
    for (int column = 21; column < 119; ++column) coloured += isColoured(column, 60) || isColoured(column, 59);
    QVERIFY2(coloured > 40 && coloured < 75, qPrintable(QString::number(coloured)));
    // One that is no longer wanted ends early.
    std::stop_source unwanted;
    unwanted.request_stop();
    paintOn(image, bundle, unwanted.get_token());
    QCOMPARE(image.pixelColor(70, 60).alpha(), 0);
}

void tst_ManyLines::chartsShowThem() {
    Chart chart;
    Plot& plot = chart.plot();
    plot.x = {.key = "x", .from = 0, .to = 100};
    plot.y = {.key = "y"};
    for (int line = 0; line < 300; ++line) {
        Series series{.key = "line " + std::to_string(line), .label = {TRAINYARD_TEXT("line"), {}}};
        for (int x = 0; x <= 100; ++x) {
            series.x.push_back(x);
            series.y.push_back(100.0 + line % 7 + 40.0 * std::exp(-0.05 * x) + (line == 0 ? 60 : 0));
        }
        plot.series.push_back(std::move(series));
    }
    const auto picture = std::make_shared<const Picture>(chart);
    PictureView view;
    view.resize(640, 320);
    view.setPicture(picture);
    view.show();
    const auto inOneGo = [&](ChartPainter& painter) {
        PictureStyle look{.theme = Theme::current(), .font = view.font()};
        QPixmap pixels(view.size());
        pixels.fill(look.theme.surface);
        painter.paint(pixels, QRectF(0, 0, 640, 320), look);
        return painter.plotRects().front();
    };
    ChartPainter whole;
    whole.show({picture, std::get_if<Chart>(picture.get())});
    QVERIFY(inOneGo(whole).width() > 300);
    /// Where the line that lies apart from all others crosses a column of the view: its highest coloured pixel.
    const auto highest = [&](const QImage& image, int x, const QRectF& within) {
        for (int y = static_cast<int>(within.top()) + 3; y < within.bottom() - 3; ++y)
            if (qGray(image.pixel(x, y)) < qGray(Theme::current().grid.rgb()) - 20) return y;
        return -1;
    };
    const auto isAt = [&](double x, double value, double low, double high, double from, double to) {
        const QRectF plots = view.plotRects().front();
        const int column = static_cast<int>(plots.left() + plots.width() * (x - from) / (to - from));
        const double row = plots.bottom() - plots.height() * (value - low) / (high - low);
        return std::abs(highest(view.grab().toImage(), column, plots) - row) < 4;
    };
    view.grab();
    QVERIFY(view.painter().unfinished());
    QTRY_VERIFY_WITH_TIMEOUT(!view.painter().unfinished(), test::patience);
    const double least = 100 + 40 * std::exp(-5), most = 200, room = 0.05 * (most - least);
    const auto lineAt = [](double x) { return 160 + 40 * std::exp(-0.05 * x); };
    for (const double x : {3.0, 23.0, 57.0, 93.0})
        QVERIFY2(isAt(x, lineAt(x), least - room, most + room, 0, 100), qPrintable(QString::number(x)));
    // Zoomed, the lines are where the axes say at once, from the last picture, and finely after a moment.
    const QPointF middle = view.plotRects().front().center();
    QWheelEvent wheel(middle, view.mapToGlobal(middle), {}, {0, 240}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&view, &wheel);
    const QImage atOnce = view.grab().toImage();
    QVERIFY(view.painter().unfinished());
    QTRY_VERIFY_WITH_TIMEOUT(!view.painter().unfinished(), test::patience);
    const QImage later = view.grab().toImage();
    const QRectF plots = view.plotRects().front();
    for (const double share : {0.2, 0.5, 0.8}) {
        const int column = static_cast<int>(plots.left() + share * plots.width());
        const int first = highest(atOnce, column, plots), then = highest(later, column, plots);
        QVERIFY2(first > 0 && std::abs(first - then) < 6, qPrintable(QStringLiteral("%1 %2").arg(first).arg(then)));
    }
    // What goes on is shown by the last picture for a moment; of something else no line is seen.
    const int column = static_cast<int>(plots.center().x());
    view.setPicture(std::make_shared<const Picture>(chart), true);
    QVERIFY(highest(view.grab().toImage(), column, plots) > 0);
    view.setPicture(std::make_shared<const Picture>(chart));
    QCOMPARE(highest(view.grab().toImage(), column, plots), -1);
    QTRY_VERIFY_WITH_TIMEOUT(highest(view.grab().toImage(), column, plots) > 0, test::patience);
}

/// The chart of 600 losses is worked out in parts, while the axis moves on: what comes to rest is what it shows when it never moved.
void tst_ManyLines::movedLanesShowWhatStillOnesShow() {
    constexpr std::uint32_t jobs = 600, losses = 400;
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    workload->jobs.resize(1);
    for (std::uint32_t j = 1; j < jobs; ++j) {
        workload->jobs.push_back(workload->jobs[0]);
        workload->jobs.back().key = "job-" + std::to_string(j);
    }
    auto log = std::make_shared<EventLog>();
    test::LogWriter w(*log);
    for (std::uint32_t i = 0; i < losses; ++i)
        for (std::uint32_t j = 0; j < jobs; ++j)
            w.at(0.1 * (i + 1) + 1e-5 * j, EventType::lossEvaluated, j, i, 0,
                 1 + j % 9 + std::exp(-0.01 * i * (1 + j % 5)));
    const auto opened = [&] {
        if (!openLanes(560)) return false;
        m_run->show({.label = QStringLiteral("many"), .workload = workload, .log = log});
        const Lane* lane = m_stack->lanes()[2];
        return QTest::qWaitFor([&] { return lane->input().run && !lane->input().run->behind(); }, test::patience);
    };
    const auto atRest = [&] {
        Lane* lane = m_stack->lanes()[2];
        lane->grab();
        (void)QTest::qWaitFor([&] { return !lane->painter().unfinished(); }, test::patience);
        return lane->grab().toImage();
    };
    QVERIFY(opened());
    const QImage whole = atRest();
    std::vector<QImage> moved;
    for (int frames = 1; frames <= 4; ++frames) { // so that it stops with each part of a chart
        (void)atRest();
        for (int left = frames; left-- > 0;) {
            m_axis->setVisible(10 - 0.5 * left, 25 - 0.5 * left);
            m_stack->lanes()[2]->grab();
        }
        moved.push_back(atRest());
        m_axis->setVisible(5, 20);
    }
    QVERIFY(moved[0] != whole);
    QVERIFY(opened());
    m_axis->setVisible(10, 25);
    const QImage still = atRest();
    closeLanes();
    for (const QImage& image : moved) QCOMPARE(image, still);
}

TRAINYARD_TEST(tst_ManyLines)
#include "tst_ManyLines.moc"
