// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Charts of comparisons as they are drawn: what their axes say, and values that hardly differ.
#include "compare/ComparisonChart.h"
#include "support/SvgTexts.h"
#include "support/TestMain.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>
#include <QTest>

#include <cmath>

using namespace trainyard;

class tst_ComparisonChart : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void numbersAreWrittenAsElsewhere_data();
    void numbersAreWrittenAsElsewhere();
    void namesAreWhole_data();
    void namesAreWhole();
    void narrowFiguresAreWhole();
    void longTitlesWrap();
    void valuesApartByRoundingAreOne_data();
    void valuesApartByRoundingAreOne();
    void linesAreSeenOnMaps_data();
    void linesAreSeenOnMaps();
};

namespace {

std::shared_ptr<Chart> diagonal(double low, double high) {
    auto chart = std::make_shared<Chart>();
    Series& points = chart->plots.emplace_back().series.emplace_back();
    points.kind = Series::Kind::points;
    points.x = points.y = {low, high};
    return chart;
}

/// What stands in the picture.
QStringList textsOf(const ComparisonChart& chart, QSize size) {
    QBuffer file;
    QSvgGenerator svg;
    svg.setOutputDevice(&file);
    svg.setSize(size);
    QPainter painter(&svg);
    chart.draw(painter);
    painter.end();
    return test::svgTexts(file.data());
}

} // namespace

void tst_ComparisonChart::numbersAreWrittenAsElsewhere_data() {
    QTest::addColumn<bool>("logarithmic");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<QString>("written");
    QTest::addRow("linear") << false << 0.0 << 4000.0 << QStringLiteral("0 1,000 4,000");
    QTest::addRow("of small values") << false << 0.0 << 0.004 << QStringLiteral("0.0000 0.0040");
    QTest::addRow("narrow, between round values") << false << 0.104 << 0.171 << QStringLiteral("0.12 0.14 0.16");
    QTest::addRow("logarithmic") << true << 0.01 << 1e6 << QStringLiteral("0.01 1 1,000 1,000,000");
}

void tst_ComparisonChart::numbersAreWrittenAsElsewhere() {
    QFETCH(bool, logarithmic);
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(QString, written);
    const auto chart = diagonal(low, high);
    Plot& plot = chart->plots.front();
    if (logarithmic) plot.x.kind = plot.y.kind = Axis::Kind::logarithmic;
    const QSize size = low > 0.1 ? QSize(320, 240) : QSize(900, 600);
    const QStringList texts = textsOf(ComparisonChart(chart, {}, size), size);
    for (const QString& number : written.split(u' '))
        QVERIFY2(texts.contains(number), qPrintable(number + QStringLiteral(" in ") + texts.join(QLatin1Char(' '))));
}

void tst_ComparisonChart::namesAreWhole_data() {
    QTest::addColumn<int>("width");
    for (const int width : {300, 321, 360, 440, 560, 1000}) QTest::addRow("%d px", width) << width;
}

/// From a column of a journal (80 mm) on: at curves or above them, and in rows, in two lines where one is too short.
void tst_ComparisonChart::namesAreWhole() {
    QFETCH(int, width);
    const QStringList names{QStringLiteral("Stale synchronous parallel"), QStringLiteral("Wait for the fastest three"),
                            QStringLiteral("Async")};
    auto curves = std::make_shared<Chart>(), rows = std::make_shared<Chart>();
    curves->plots.emplace_back();
    rows->plots.emplace_back().y.kind = Axis::Kind::categories;
    for (const QString& name : names) {
        Series& line = curves->plots.front().series.emplace_back();
        line.kind = Series::Kind::line;
        line.label = nameText(name.toStdString());
        line.x = {0, 1};
        line.y = {1, 2};
        rows->plots.front().y.categories.emplace_back().label = nameText(name.toStdString());
    }
    for (const auto& chart : {curves, rows}) {
        const QSize size(width, 300);
        const QString written =
            textsOf(ComparisonChart(chart, {.title = {}, .theme = Theme::light()}, size), size).join(u' ');
        for (const QString& name : names) QVERIFY2(written.contains(name), qPrintable(written));
    }
}

/// A column wide and not high: titles of axes are longer than these, and rows have room for one line.
void tst_ComparisonChart::narrowFiguresAreWhole() {
    const auto chart = diagonal(1, 12);
    Plot& plot = chart->plots.front();
    plot.x.title = nameText("Mean job completion time");
    plot.x.unit = "s";
    plot.y.kind = Axis::Kind::categories;
    for (const char* name : {"As in the scenario", "Fastest three", "Nobody"})
        plot.y.categories.emplace_back().label = nameText(name);
    const QSize size(290, 120);
    QStringList texts = textsOf(ComparisonChart(chart, {}, size), size);
    for (const char* text : {"Mean job completion time (s)", "As in the scenario"})
        QVERIFY2(texts.contains(QLatin1String(text)), qPrintable(texts.join(u'|')));
    std::swap(plot.x, plot.y);
    texts = textsOf(ComparisonChart(chart, {}, QSize(290, 240)), QSize(290, 240));
    QVERIFY2(texts.contains(QStringLiteral("Mean job completion time (s)")), qPrintable(texts.join(u'|')));
}

/// A title longer than the figure is wide takes lines of its own, and the plot lies below them.
void tst_ComparisonChart::longTitlesWrap() {
    const QString title = QStringLiteral("Mean job completion time under five ways to wait for slow workers");
    const QSize size(290, 240);
    const ComparisonChart bare(diagonal(1, 12), {}, size), titled(diagonal(1, 12), {.title = title}, size);
    const QString written = textsOf(titled, size).join(u' ');
    QVERIFY2(written.contains(title), qPrintable(written));
    QVERIFY2(titled.plotRect().top() > bare.plotRect().top() + 28,
             qPrintable(QString::number(titled.plotRect().top())));
    QVERIFY(titled.plotRect().height() > 60);
}

void tst_ComparisonChart::valuesApartByRoundingAreOne_data() {
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    for (const double v : {0.0, 1e-300, 2.28, -7e12})
        QTest::addRow("%g", v) << v << std::nextafter(v, 2 * std::abs(v) + 1);
    QTest::addRow("equal") << 3.0 << 3.0;
    QTest::addRow("small") << 0.0 << 1e-90;
}

/// Partial means of equal runs differ by rounding: a picture all the same, and no ticks as close as that.
void tst_ComparisonChart::valuesApartByRoundingAreOne() {
    QFETCH(double, low);
    QFETCH(double, high);
    const ComparisonChart drawn(diagonal(low, high), {}, QSizeF(400, 300));
    QImage image(400, 300, QImage::Format_ARGB32);
    QPainter painter(&image);
    drawn.draw(painter);
    QCOMPARE(drawn.marks().size(), std::size_t{2});
    for (const ComparisonMark& mark : drawn.marks()) QVERIFY(drawn.plotRect().adjusted(-1, -1, 1, 1).contains(mark.at));
}

void tst_ComparisonChart::linesAreSeenOnMaps_data() {
    QTest::addColumn<double>("cell");
    for (const double cell : {0.0, 0.3, 0.5, 0.8, 1.0}) QTest::addRow("%g", cell) << cell;
}

/// "now" on cells that are as dark, as grey or as light as the line.
void tst_ComparisonChart::linesAreSeenOnMaps() {
    QFETCH(double, cell);
    const Theme light = Theme::light(), dark = Theme::darkTheme();
    for (const Theme* theme : {&light, &dark}) {
        auto chart = std::make_shared<Chart>();
        Plot& plot = chart->plots.emplace_back();
        Series map{.kind = Series::Kind::cells};
        map.cells = {.columns = 1, .rows = 1, .values = {cell}, .x0 = 0, .x1 = 2, .y0 = 0, .y1 = 2};
        map.cells.scale.from = 0;
        map.cells.scale.to = 1;
        plot.series.push_back(map);
        plot.lines.push_back({.value = 1, .role = Role::muted(), .dash = Dash::solid});
        ComparisonLook look;
        look.theme = *theme;
        const QSize size(400, 300);
        const ComparisonChart drawn(chart, look, size);
        QImage image(size, QImage::Format_RGB32);
        image.fill(theme->surface);
        QPainter painter(&image);
        drawn.draw(painter);
        painter.end();
        const QPointF at = drawn.plotRect().center();
        int least = 255, most = 0; // of what is beside the line, or is it
        for (int x = -5; x <= 5; ++x) {
            const int grey = qGray(image.pixel(static_cast<int>(at.x()) + x, static_cast<int>(at.y())));
            least = std::min(least, grey), most = std::max(most, grey);
        }
        QVERIFY2(most - least > 120, qPrintable(QStringLiteral("%1 to %2").arg(least).arg(most)));
    }
}

TRAINYARD_TEST(tst_ComparisonChart)
#include "tst_ComparisonChart.moc"
