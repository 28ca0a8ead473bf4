// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Charts and diagrams made by hand: everything is drawn where its numbers say, found again under the pointer and by
// keys, told in words, and the same as a figure. Pictures are not compared, places are.
#include "charts/ChartAxes.h"
#include "charts/PictureView.h"
#include "drawing/TimeScale.h"
#include "export/FigureFiles.h"
#include "export/PictureFigure.h"
#include "support/SvgTexts.h"
#include "support/TestMain.h"

#include <QBuffer>
#include <QElapsedTimer>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>
#include <QXmlStreamReader>

#include <cmath>

using namespace trainyard;

class tst_Charts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everythingHasItsPlace();
    void rangesHoldTheSeries();
    void oneValueIsSeen();
    void axisOfOneValueIsNarrow();
    void lowAxesHaveTwoNumbers();
    void columnsShareTheirHeight();
    void titlesOfLowPlotsAreWhole();
    void cutTitlesAreLeftOut();
    void timeAxesSayTheirParts();
    void narrowOnesKeepTheFirstColumn();
    void rowsAreNamedAndFound();
    void layersAreFoundByTheirArea();
    void largeMapsAreAveraged();
    void zoomStaysWithNewValues();
    void keysGoFromElementToElement();
    void cursorLiesWhereTheAxisKnowsInstants();
    void readingsAreTold();
    void everyThemeCanBeRead();
    void figuresAreTheSame();
    void svgIsWellFormed();
    void linesLeaveWordsOverBarsAlone();
    void remarksStayInTheirColumns();
    void labelsOfLinesDoNotMeet();
    void labelsOfNodesDoNotMeetNodes();
    void diagramsAreFound();
    void bentEdgesGoBesideNodes();
    void emptyOnesSayWhy();
};

namespace {

constexpr QRectF area{0, 0, 640, 360};

PictureStyle look() {
    PictureStyle all{.theme = Theme::light(), .font = QFont()};
    all.font.setPixelSize(12);
    return all;
}

/// All texts of the chart, in lines.
QString textsOf(const Chart& chart, const QRectF& within = area) {
    QBuffer svg;
    QSvgGenerator picture;
    picture.setOutputDevice(&svg);
    picture.setResolution(96);
    picture.setSize(area.size().toSize());
    PictureStyle style = look();
    style.vector = style.clock = true;
    ChartPainter painter;
    painter.show(std::make_shared<const Chart>(chart));
    painter.paint(picture, within, style);
    return test::svgTexts(svg.data()).join(u'\n') + u'\n';
}

struct Drawn {
    std::shared_ptr<const Chart> chart;
    ChartPainter painter;
    QImage image{640, 360, QImage::Format_RGB32};
    explicit Drawn(Chart value, PictureStyle with = look(), QRectF within = area)
        : chart(std::make_shared<const Chart>(std::move(value))) {
        painter.show(chart);
        paint(with, within);
    }
    void paint(const PictureStyle& with = look(), QRectF within = area) {
        image.fill(with.theme.surface);
        painter.paint(image, within, with);
    }
    QRectF plot(std::size_t i = 0) const { return painter.plotRects().at(i); }
    /// Where values lie, by the rectangle alone.
    QPointF at(double x, double y, std::size_t i = 0) const {
        const AxisRange h = wholeRange(chart->plots[i].x, chart->plots[i], true),
                        v = wholeRange(chart->plots[i].y, chart->plots[i], false);
        return {plot(i).left() + (x - h.from) / (h.to - h.from) * plot(i).width(),
                plot(i).bottom() - (y - v.from) / (v.to - v.from) * plot(i).height()};
    }
    /// Pixels of about this colour in a rectangle.
    int count(QRectF within, QColor colour) const {
        int found = 0;
        const QRect all = within.toAlignedRect() & image.rect();
        for (int y = all.top(); y <= all.bottom(); ++y)
            for (int x = all.left(); x <= all.right(); ++x) {
                const QColor c = image.pixelColor(x, y);
                found += std::abs(c.red() - colour.red()) + std::abs(c.green() - colour.green()) +
                             std::abs(c.blue() - colour.blue()) <
                         60;
            }
        return found;
    }
};

Axis numbers(double from, double to) { return {.title = nameText("n"), .from = from, .to = to}; }

Chart lines() {
    Chart chart;
    chart.plot().x = numbers(0, 10);
    chart.plot().y = numbers(0, 100);
    chart.plot().series = {{.kind = Series::Kind::line,
                            .key = "a",
                            .label = nameText("A"),
                            .role = Role::accent(),
                            .x = {0, 5, 10},
                            .y = {0, 50, 100}},
                           {.kind = Series::Kind::points,
                            .key = "b",
                            .label = nameText("B"),
                            .role = Role::of(Activity::waiting),
                            .x = {2, 8},
                            .y = {80, 20}}};
    return chart;
}

Chart map(std::size_t columns, std::size_t rows) {
    Chart chart;
    Series series{.kind = Series::Kind::cells, .key = "cells"};
    series.cells = {.columns = columns, .rows = rows, .values = std::vector<double>(columns * rows)};
    for (std::size_t i = 0; i < columns * rows; ++i) series.cells.values[i] = (i % columns) % 2 == 0 ? 0 : 1;
    series.cells.x1 = static_cast<double>(columns);
    series.cells.y1 = static_cast<double>(rows);
    chart.plot().x = numbers(0, static_cast<double>(columns));
    chart.plot().y = numbers(0, static_cast<double>(rows));
    chart.plot().series = {series};
    return chart;
}

Chart rows(std::size_t count) {
    Chart chart;
    chart.plot().x = numbers(0, 10);
    chart.plot().y.kind = Axis::Kind::categories;
    Series series{.kind = Series::Kind::spans, .key = "work"};
    for (std::size_t i = 0; i < count; ++i) {
        ElementRef ref{.job = JobId(std::size_t{0}), .worker = static_cast<std::uint32_t>(i), .machine = MachineId(i)};
        chart.plot().y.categories.push_back({nameText("w" + std::to_string(i + 1)), ref});
        series.spans.push_back({2, 8, static_cast<std::uint32_t>(i), Role::of(Activity::compute), {}});
        series.refs.push_back(ref);
    }
    chart.plot().series = {series};
    return chart;
}

} // namespace

// Of stacked areas that under the pointer, never one without height there; what lies on an area comes before it.
void tst_Charts::layersAreFoundByTheirArea() {
    Chart chart;
    chart.plot().x = numbers(0, 10);
    chart.plot().y = numbers(0, 100);
    const auto layer = [&](const char* key, std::vector<double> base, std::vector<double> top) {
        chart.plot().series.push_back({.kind = Series::Kind::band,
                                       .key = key,
                                       .label = nameText(key),
                                       .layer = true,
                                       .x = {0, 5, 5, 10},
                                       .y = std::move(top),
                                       .base = std::move(base)});
    };
    layer("a", {0, 0, 0, 0}, {40, 40, 10, 10});
    layer("nothing", {40, 40, 10, 10}, {40, 40, 10, 10});
    layer("b", {40, 40, 10, 10}, {90, 90, 90, 90});
    chart.plot().series.push_back(
        {.kind = Series::Kind::points, .key = "dot", .label = nameText("dot"), .x = {8}, .y = {50}});
    const Drawn d(chart);
    for (const auto& [x, y, series] :
         {std::tuple{2.0, 20.0, 0}, {2.0, 38.0, 0}, {2.0, 42.0, 2}, {7.0, 5.0, 0}, {7.0, 20.0, 2}}) {
        const auto hit = d.painter.hitAt(d.at(x, y));
        QVERIFY2(hit, qPrintable(QString::number(y)));
        QCOMPARE(hit->series, static_cast<std::size_t>(series));
    }
    QCOMPARE(d.painter.hitAt(d.at(8, 50))->series, std::size_t{3});
    // A layer is as much as it is high; other areas go from one value to another.
    QVERIFY(d.painter.hitAt(d.at(2, 42))->text.endsWith(QStringLiteral("50")));
    QVERIFY(d.painter.hitAt(d.at(7, 20))->text.endsWith(QStringLiteral("80")));
    chart.plot().series[2].layer = false;
    const Drawn interval(chart);
    QVERIFY(interval.painter.hitAt(interval.at(7, 20))->text.endsWith(QStringLiteral("10 – 90")));
}

void tst_Charts::everythingHasItsPlace() {
    const Drawn d(lines());
    QVERIFY(area.contains(d.plot()) && d.plot().width() > 500 && d.plot().height() > 250);
    // A dot is found where its numbers are, with its colour; the line is found along its whole length.
    const auto dot = d.painter.hitAt(d.at(2, 80) + QPointF(3, 2));
    QVERIFY(dot);
    QCOMPARE(dot->series, std::size_t{1});
    QCOMPARE(dot->element, std::size_t{0});
    QVERIFY((dot->at - d.at(2, 80)).manhattanLength() < 2);
    QVERIFY(d.count(QRectF(d.at(2, 80) - QPointF(2, 2), QSizeF(4, 4)), look().theme.activity(Activity::waiting)) > 8);
    const auto line = d.painter.hitAt(d.at(7, 68));
    QVERIFY(line);
    QCOMPARE(line->series, std::size_t{0});
    QVERIFY(!d.painter.hitAt({1, 1}));
    QVERIFY2(dot->text.contains(QStringLiteral("B")) && dot->text.contains(QStringLiteral("80")),
             qPrintable(dot->text));
}

void tst_Charts::rangesHoldTheSeries() {
    Plot plot;
    plot.series = {{.kind = Series::Kind::line, .x = {3, 9}, .y = {-2, 8}}};
    QCOMPARE(wholeRange(plot.x, plot, true).from, 3.0);
    QCOMPARE(wholeRange(plot.x, plot, true).to, 9.0);
    QVERIFY(wholeRange(plot.y, plot, false).from < -2 && wholeRange(plot.y, plot, false).to > 8);
    plot.y.kind = Axis::Kind::logarithmic; // what is not positive is not drawn
    QVERIFY(wholeRange(plot.y, plot, false).from > 0 && wholeRange(plot.y, plot, false).from <= 8);
    plot.series.push_back({.kind = Series::Kind::line, .x = {0, 1}, .y = {1, 1e9}, .inRange = false});
    QVERIFY(wholeRange(plot.y, plot, false).to < 100);
    plot.series = {{.kind = Series::Kind::bars, .width = 1, .x = {1, 2}, .y = {5, 6}}};
    plot.y.kind = Axis::Kind::linear;
    QCOMPARE(wholeRange(plot.y, plot, false).from, 0.0); // bars stand on the ground
    QCOMPARE(wholeRange(plot.x, plot, true).from, 0.5);
}

/// A quality of 0.015, say: its axis does not go from -1 to 1.
void tst_Charts::axisOfOneValueIsNarrow() {
    Plot plot;
    plot.series = {{.x = {1}, .y = {0.015}}};
    const AxisRange range = wholeRange(plot.y, plot, false);
    QVERIFY(range.from > 0 && range.from < 0.015 && range.to > 0.015 && range.to < 0.03);
    plot.series[0].y = {0};
    QVERIFY(wholeRange(plot.y, plot, false).to > 0);
}

void tst_Charts::oneValueIsSeen() {
    Chart chart = lines();
    chart.plot().series = {{.kind = Series::Kind::line, .role = Role::accent(), .x = {5}, .y = {50}}};
    const Drawn d(chart);
    QVERIFY(d.count(QRectF(d.at(5, 50) - QPointF(3, 3), QSizeF(6, 6)), look().theme.accent) > 4);
}

/// 0 alone does not say how much a low plot's curve is.
void tst_Charts::lowAxesHaveTwoNumbers() {
    Chart chart = lines();
    chart.plot().x = numbers(0, 100);
    chart.plot().y = numbers(0, 9);
    const QString texts = textsOf(chart, QRectF(0, 0, 400, 80));
    QVERIFY2(texts.contains(QStringLiteral("0\n")) && texts.contains(QStringLiteral("5\n")), qPrintable(texts));
    chart.plot().y = numbers(0.9, 17);
    chart.plot().y.kind = Axis::Kind::logarithmic;
    chart.plot().series[0].y = {1, 4, 16};
    const QString powers = textsOf(chart, QRectF(0, 0, 400, 80));
    QVERIFY2(powers.contains(QStringLiteral("\n1\n")) && powers.contains(QStringLiteral("10\n")), qPrintable(powers));
}

/// Where the plot itself says what it shows, an axis is not named by "C…e".
void tst_Charts::cutTitlesAreLeftOut() {
    Chart chart = lines();
    chart.plots[0].y.title = nameText("cost of an update in seconds");
    chart.plots[0].title = nameText("Cost: seconds of an update");
    for (std::size_t i = 1; i < 8; ++i) {
        chart.plots.push_back(chart.plots[0]);
        chart.plots[i].row = i;
    }
    const QString texts = textsOf(chart);
    QVERIFY2(!texts.contains(u'…'), qPrintable(texts));
    QCOMPARE(texts.count(QStringLiteral("Cost: seconds of an update")), 8);
}

void tst_Charts::columnsShareTheirHeight() {
    Chart chart = lines();
    chart.plots.push_back(chart.plots[0]);
    chart.plots[0].share = 3;
    chart.plots[1].share = 1;
    chart.plots[1].row = 1;
    chart.plots[1].y.title = nameText("a much longer title than the other's");
    const Drawn d(chart);
    QVERIFY(d.plot(0).height() > 2 * d.plot(1).height()); // the shares are of plots with their numbers
    QCOMPARE(d.plot(0).left(), d.plot(1).left());
    QVERIFY(d.plot(0).bottom() < d.plot(1).top());
}

/// In two lines, or smaller, where the plot is lower than its title is long.
void tst_Charts::titlesOfLowPlotsAreWhole() {
    Chart chart = lines();
    chart.plots[0].y.title = nameText("statistical efficiency");
    for (std::size_t i = 1; i < 4; ++i) {
        chart.plots.push_back(chart.plots[0]);
        chart.plots[i].row = i;
    }
    const QString texts = textsOf(chart);
    QCOMPARE(texts.count(QStringLiteral("Statistical")), 4);
    QCOMPARE(texts.count(QStringLiteral("efficiency")), 4);
    QVERIFY(!texts.contains(u'…'));
}

void tst_Charts::timeAxesSayTheirParts() {
    Chart chart = lines();
    chart.plots[0].x = {.kind = Axis::Kind::time, .title = nameText("time"), .unit = "s", .key = "time_s", .from = 0};
    for (const double end : {120.0, 7200.0}) {
        chart.plots[0].x.to = end;
        const QString unit = end < 3600 ? QStringLiteral("Time (min:s)") : QStringLiteral("Time (h:min:s)");
        QVERIFY2(textsOf(chart).contains(unit), qPrintable(textsOf(chart)));
    }
    QCOMPARE(clockUnit(3599), QStringLiteral("min:s"));
}

void tst_Charts::narrowOnesKeepTheFirstColumn() {
    Chart chart = lines();
    chart.plots.push_back(chart.plots[0]);
    chart.plots[1].column = 1;
    const Drawn wide(chart);
    QVERIFY(!wide.plot(1).isEmpty() && wide.plot(1).left() > wide.plot(0).right());
    const Drawn narrow(chart, look(), QRectF(0, 0, 320, 300));
    QVERIFY(!narrow.plot(0).isEmpty() && narrow.plot(1).isEmpty());
}

void tst_Charts::rowsAreNamedAndFound() {
    Drawn d(rows(6));
    const double height = d.plot().height() / 6;
    const QPointF third(d.plot().center().x(), d.plot().top() + 2.5 * height); // the first row is at the top
    const auto hit = d.painter.hitAt(third);
    QVERIFY(hit);
    QCOMPARE(hit->ref.machine, MachineId(std::size_t{2}));
    QVERIFY2(hit->text.contains(QStringLiteral("w3")), qPrintable(hit->text));
    QCOMPARE(d.painter.labelAt({4, third.y()}).worker, std::optional<std::uint32_t>(2));
    // What is selected is marked.
    const int before = d.count(d.plot(), look().theme.accent);
    PictureStyle with = look();
    with.machines = {MachineId(std::size_t{2})};
    d.paint(with);
    QVERIFY(d.count(d.plot().adjusted(-6, 0, 0, 0), look().theme.accent) > before + 20);
    // Ten thousand rows are a picture, with no more shapes than pixels.
    const Drawn many(rows(10'000));
    QVERIFY(many.painter.items() <= static_cast<std::size_t>(area.height()) + 10);
    // Few rows are no higher than asked for.
    PictureStyle low = look();
    low.mostRow = 20;
    const Drawn few(rows(3), low);
    const auto last = few.painter.hitAt({few.plot().center().x(), few.plot().top() + 50});
    QVERIFY(last && last->element == 2);
}

// Columns of zeros and ones in turn: where several share a pixel, the mean is drawn, not every other one.
void tst_Charts::largeMapsAreAveraged() {
    Drawn d(map(10'000, 200));
    const QColor grey = scaleColour(look().theme, ColourScale{}, 0.5);
    const QRectF inner = d.plot().adjusted(4, 4, -4, -4);
    QVERIFY(d.count(inner, grey) > 0.98 * inner.width() * inner.height());
    const auto hit = d.painter.hitAt(inner.center());
    QVERIFY(hit);
    QVERIFY(hit->element / 10'000 >= 99 && hit->element / 10'000 <= 100);
    // Zoomed in until a column is wide, both values are seen.
    for (int i = 0; i < 40; ++i) d.painter.zoom(inner.center(), 1.25), d.paint();
    QVERIFY(d.count(inner, scaleColour(look().theme, ColourScale{}, 0)) > 0.3 * inner.width() * inner.height());
    QVERIFY(d.count(inner, scaleColour(look().theme, ColourScale{}, 1)) > 0.3 * inner.width() * inner.height());
}

void tst_Charts::zoomStaysWithNewValues() {
    Drawn d(lines());
    d.painter.zoom(d.at(5, 50), 4);
    d.paint();
    QVERIFY(d.painter.isZoomed());
    const auto middle = d.painter.hitAt(d.plot().center());
    QVERIFY(middle && middle->series == 0 && middle->element == 1); // where it was zoomed at
    d.painter.show(std::make_shared<const Chart>(lines()));
    d.paint();
    QVERIFY(d.painter.isZoomed());
    d.painter.showAll();
    d.paint();
    QVERIFY(!d.painter.isZoomed());
    const auto dot = d.painter.hitAt(d.at(8, 20));
    QVERIFY(dot && dot->series == 1 && dot->element == 1);
}

void tst_Charts::keysGoFromElementToElement() {
    const Drawn d(lines());
    auto hit = d.painter.neighbour(nullptr, 0, 0);
    QVERIFY(hit && hit->series == 0 && hit->element == 0);
    hit = d.painter.neighbour(&*hit, 1, 0);
    QVERIFY(hit->element == 1 && (hit->at - d.at(5, 50)).manhattanLength() < 2);
    hit = d.painter.neighbour(&*hit, 10, 0);
    QCOMPARE(hit->element, std::size_t{2});
    hit = d.painter.neighbour(&*hit, 0, 1);
    QVERIFY(hit->series == 1 && hit->element == 1);
}

void tst_Charts::cursorLiesWhereTheAxisKnowsInstants() {
    Chart chart = lines();
    QVERIFY(Drawn(chart).painter.cursorLines(SimTime::seconds(5)).empty());
    chart.plot().x.knots = {{0, SimTime::seconds(20)}, {10, SimTime::seconds(40)}};
    const Drawn d(chart);
    const auto cursor = d.painter.cursorLines(SimTime::seconds(30));
    QCOMPARE(cursor.size(), std::size_t{1});
    QVERIFY(std::abs(cursor[0].x1() - d.at(5, 0).x()) < 1.5);
    const auto at = d.painter.instantAt(d.at(2.5, 50));
    QVERIFY(at && std::abs(at->toSeconds() - 25) < 0.1);
}

void tst_Charts::readingsAreTold() {
    Chart chart = lines();
    chart.legend = {{.label = nameText("k"), .value = Quantity{3, "count", 3}},
                    {.label = nameText("time"), .value = Quantity{0.25, "s", 3}},
                    {.label = nameText("kind"), .text = nameText("fast")},
                    {.label = nameText("nothing")}};
    PictureView view;
    view.resize(640, 360);
    view.setPicture(std::make_shared<const Picture>(chart));
    QTRY_COMPARE(view.accessibleDescription(), QStringLiteral("k: 3, time: 250 ms, kind: fast"));
    // Under the pointer, and by keys.
    view.grab();
    QTest::keyClick(&view, Qt::Key_Right);
    QTRY_VERIFY(view.accessibleDescription().contains(QStringLiteral("A")));
}

// Text of every role is at least 3 : 1 on the ground, or it is a line.
void tst_Charts::everyThemeCanBeRead() {
    for (const Theme& theme : {Theme::light(), Theme::darkTheme(), Theme::highContrastTheme(), Theme::print()}) {
        PictureStyle with = look();
        with.theme = theme;
        const Drawn d(lines(), with);
        QVERIFY(d.count(area, theme.surface) > 1000);
        QVERIFY(d.count(d.plot(), theme.accent) > 100);
        for (const double value : {0.0, 0.3, 0.6, 1.0})
            for (const auto kind :
                 {ColourScale::Kind::perceptual, ColourScale::Kind::accent, ColourScale::Kind::diverging}) {
                const QColor ground = scaleColour(theme, {.kind = kind}, value);
                QVERIFY(Theme::contrast(inkOn(theme, ground), ground) >= 2.8);
            }
    }
}

void tst_Charts::figuresAreTheSame() {
    const auto picture = std::make_shared<const Picture>(lines());
    const FigureFrame frame{
        .size = {800, 480}, .theme = Theme::print(), .title = QStringLiteral("Lines"), .vector = true};
    const QByteArray svg = svgFigure(frame.size, {QStringLiteral("Lines"), {}}, [&](QPainter& painter) {
        paintPictureFigure(painter, frame, picture, {.horizontal = QStringLiteral("My own title")});
    });
    QVERIFY(svg.contains("My own title"));
    QVERIFY(svg.contains("<polyline") || svg.contains("<path"));
    QCOMPARE(pictureTexts(*picture).vertical, QStringLiteral("n"));
}

// Whatever names have, the file is XML: names of files may have what XML cannot.
void tst_Charts::svgIsWellFormed() {
    const QString title = QStringLiteral("a\x1b\x01]0;x\a\uFFFE\uFFFF<b>&\"' ü\n");
    const QByteArray svg =
        svgFigure({200, 100}, {title, "trainyard run={}"}, [&](QPainter& painter) { painter.drawText(10, 50, title); });
    QXmlStreamReader reader(svg);
    QString read;
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::Characters) read += reader.text();
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QVERIFY2(read.contains(QStringLiteral("<b>&\"' ü")), qPrintable(read));
}

namespace {

Chart bars() {
    Chart chart;
    for (const char* name : {"1", "2", "4"}) chart.plot().x.categories.push_back({nameText(name), {}});
    chart.plot().x.kind = Axis::Kind::categories;
    chart.plot().y = numbers(0, 100);
    chart.plot().series = {{.kind = Series::Kind::bars,
                            .key = "bars",
                            .role = Role::accent(),
                            .width = 0.7,
                            .x = {0, 1},
                            .y = {50, 20},
                            .labels = {nameText("1.73 h"), nameText("2 h")}}};
    return chart;
}

} // namespace

void tst_Charts::linesLeaveWordsOverBarsAlone() {
    Chart chart = bars();
    chart.plot().lines = {{.way = ReferenceLine::Way::horizontal, .value = 52, .role = Role::warning()}};
    const Drawn drawn(std::move(chart));
    const double line = drawn.at(0, 52).y(),
                 word = QFontMetricsF(look().font).horizontalAdvance(QStringLiteral("1.73 h"));
    const QColor colour = look().theme.warning;
    QCOMPARE(drawn.count(QRectF(drawn.at(0, 52).x() - word / 2, line - 2, word, 4), colour), 0);
    QVERIFY(drawn.count(QRectF(drawn.plot().left(), line - 2, drawn.plot().width(), 4), colour) >
            0.7 * drawn.plot().width());
}

/// Why there is no bar: several words, of which none lies on the bar beside it.
void tst_Charts::remarksStayInTheirColumns() {
    Chart chart = bars();
    chart.plot().annotations = {{.x = 2,
                                 .y = 0,
                                 .text = nameText("no block of so many servers was free on the empty cluster"),
                                 .role = Role::warning()}};
    const Drawn drawn(std::move(chart));
    const double edge = drawn.at(1.5, 0).x();
    QRectF column = drawn.plot();
    column.setLeft(edge);
    QVERIFY(drawn.count(column, look().theme.warning) > 0);
    QRectF others = drawn.plot();
    others.setRight(edge);
    QCOMPARE(drawn.count(others, look().theme.warning), 0);
}

void tst_Charts::labelsOfLinesDoNotMeet() {
    Chart chart = lines();
    chart.plot().lines = {{.value = 5, .role = Role::warning(), .label = nameText("step ends")},
                          {.value = 5.3, .role = Role::accent(), .label = nameText("deadline")}};
    for (ReferenceLine& line : chart.plot().lines) line.way = ReferenceLine::Way::vertical;
    const Drawn drawn(std::move(chart));
    double right = 0, left = 1e9; // of the one, of the other
    for (double x = drawn.plot().left(); x < drawn.plot().right(); ++x) {
        const QRectF above(x, drawn.plot().top() - 16, 1, 14);
        if (drawn.count(above, look().theme.warning) > 0) right = x;
        if (drawn.count(above, look().theme.accent) > 0) left = std::min(left, x);
    }
    QVERIFY(right > 0 && left < 1e9);
    QVERIFY(right < left);
}

/// A little too long for its node a label is smaller, in it; beneath it only where there is nothing else.
void tst_Charts::labelsOfNodesDoNotMeetNodes() {
    auto diagram = std::make_shared<Diagram>();
    for (int n = 0; n < 2; ++n)
        diagram->nodes.push_back({.id = std::to_string(n),
                                  .x = 0,
                                  .y = 3.0 * n,
                                  .width = 10,
                                  .height = 2,
                                  .shape = Node::Shape::box,
                                  .label = nameText(std::string(60, 'm'))});
    DiagramPainter painter;
    painter.show(diagram);
    QImage image(640, 360, QImage::Format_RGB32);
    image.fill(look().theme.surface);
    painter.paint(image, area, look());
    const QRectF above = painter.nodeRect(0), below = painter.nodeRect(1);
    QVERIFY(below.top() - above.bottom() > 8);
    const QRect between =
        QRectF(QPointF(above.left(), above.bottom() + 2), QPointF(below.right(), below.top() - 2)).toRect();
    for (int y = between.top(); y < between.bottom(); ++y)
        for (int x = between.left(); x < between.right(); ++x) QCOMPARE(image.pixelColor(x, y), look().theme.surface);
}

void tst_Charts::diagramsAreFound() {
    auto diagram = std::make_shared<Diagram>();
    diagram->nodes = {
        {.id = "a", .x = 0, .y = 0, .label = nameText("a"), .ref = {.machine = MachineId(std::size_t{4})}},
        {.id = "b", .x = 10, .y = 0, .label = nameText("b"), .value = 0.5},
        {.id = "frame", .x = 5, .y = 0, .width = 14, .height = 6, .shape = Node::Shape::block}};
    diagram->edges = {{.from = 0, .to = 1, .note = nameText("a to b")}};
    DiagramPainter painter;
    painter.show(diagram);
    QImage image(640, 360, QImage::Format_RGB32);
    image.fill(Qt::white);
    painter.paint(image, area, look());
    QCOMPARE(painter.items(), std::size_t{4});
    QVERIFY(area.contains(painter.nodeRect(2)));
    const auto node = painter.hitAt(painter.nodeRect(0).center());
    QVERIFY(node && node->ref.machine == MachineId(std::size_t{4}));
    const auto edge = painter.hitAt((painter.nodeRect(0).center() + painter.nodeRect(1).center()) / 2);
    QVERIFY(edge && edge->text == QStringLiteral("a to b"));
    painter.zoom(painter.nodeRect(0).center(), 2);
    const QPointF before = painter.nodeRect(0).center();
    painter.paint(image, area, look());
    QVERIFY((painter.nodeRect(0).center() - before).manhattanLength() < 1);
    painter.showAll();
    QVERIFY(!painter.isZoomed());
}

/// Drawn, found and fitted along its bends: not through the node between its ends.
void tst_Charts::bentEdgesGoBesideNodes() {
    auto diagram = std::make_shared<Diagram>();
    for (int n = 0; n < 3; ++n)
        diagram->nodes.push_back({.id = std::to_string(n), .x = 4.0 * n, .width = 2, .shape = Node::Shape::box});
    diagram->edges = {{.from = 0, .to = 2, .bends = {{1, 0}, {2.5, 3}, {5.5, 3}, {7, 0}}, .note = nameText("beside")}};
    DiagramPainter painter;
    painter.show(diagram);
    QImage image(640, 360, QImage::Format_RGB32);
    image.fill(Qt::white);
    painter.paint(image, area, look());
    const QPointF between = painter.nodeRect(1).center(), unit = painter.nodeRect(1).bottomRight() - between;
    QVERIFY(unit.x() > 4);
    const QPointF beside = between + QPointF(0, 3 * unit.x()); // nodes are two units wide
    QVERIFY(area.contains(beside));
    const auto edge = painter.hitAt(beside);
    QVERIFY(edge && edge->text == QStringLiteral("beside"));
    QVERIFY(image.pixelColor(beside.toPoint()) != QColor(Qt::white) ||
            image.pixelColor(beside.toPoint() + QPoint(0, 1)) != QColor(Qt::white) ||
            image.pixelColor(beside.toPoint() - QPoint(0, 1)) != QColor(Qt::white));
    QVERIFY(!painter.hitAt((painter.nodeRect(0).center() + between) / 2)); // no straight line
}

void tst_Charts::emptyOnesSayWhy() {
    Chart chart;
    chart.empty = nameText("Press play");
    PictureView view;
    view.resize(640, 360);
    view.setPicture(std::make_shared<const Picture>(chart));
    view.grab();
    QTRY_COMPARE(view.accessibleDescription(), QStringLiteral("Press play"));
    QTest::mouseClick(&view, Qt::LeftButton);
    QTest::keyClick(&view, Qt::Key_Right);
}

TRAINYARD_TEST(tst_Charts)
#include "tst_Charts.moc"
