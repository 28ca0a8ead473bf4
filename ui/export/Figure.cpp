// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/Figure.h"

#include "drawing/Legend.h"
#include "session/ShownIndex.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPicture>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace figure_drawing {

constexpr double labelPixels = 12, titlePixels = 16, footerPixels = 9;
constexpr double mostLabels = 180; // wider names are shortened

QString capital(QString text) {
    if (!text.isEmpty()) text[0] = text[0].toUpper();
    return text;
}

/// The axis of updates is the painter's own.
bool ownHorizontal(const LaneFigure& figure) { return !figure.painter->horizontalTitle(figure.input).isEmpty(); }

void paintTimeTicks(LaneCanvas& canvas, const TimeUnit& unit) {
    QPainter& p = canvas.painter;
    p.setFont(canvas.font);
    p.setPen(QPen(canvas.theme.hairline, 1));
    p.drawLine(QPointF(canvas.plot.left(), canvas.plot.bottom()), canvas.plot.bottomRight());
    for (const double t : canvas.time.ticks(canvas.time.tickStep(84))) {
        const double x = canvas.time.x(t);
        p.setPen(QPen(canvas.theme.hairline, 1));
        p.drawLine(QPointF(x, canvas.plot.bottom()), QPointF(x, canvas.plot.bottom() + 4));
        p.setPen(canvas.theme.muted);
        p.drawText(QRectF(x - 60, canvas.plot.bottom() + 4, 120, canvas.lineHeight()), Qt::AlignHCenter | Qt::AlignTop,
                   numberText(t / unit.seconds, 6));
    }
}

void paintVerticalTitle(LaneCanvas& canvas, double left, const QString& text) {
    QPainter& p = canvas.painter;
    p.save();
    p.translate(left, canvas.plot.center().y());
    p.rotate(-90);
    p.setFont(canvas.font);
    p.setPen(canvas.theme.text);
    const double room = canvas.plot.height() + 2 * canvas.lineHeight();
    p.drawText(QRectF(-room / 2, 0, room, canvas.lineHeight() + 2), Qt::AlignCenter,
               QFontMetricsF(canvas.font).elidedText(text, Qt::ElideRight, room));
    p.restore();
}

} // namespace figure_drawing

const std::vector<TimeUnit>& timeUnits() {
    static const std::vector<TimeUnit> units{
        {QStringLiteral("d"), QCoreApplication::translate("Figure", "days"), 86400},
        {QStringLiteral("h"), QCoreApplication::translate("Figure", "h"), 3600},
        {QStringLiteral("min"), QCoreApplication::translate("Figure", "min"), 60},
        {QStringLiteral("s"), QCoreApplication::translate("Figure", "s"), 1},
        {QStringLiteral("ms"), QCoreApplication::translate("Figure", "ms"), 1e-3},
        {QStringLiteral("us"), QCoreApplication::translate("Figure", "µs"), 1e-6}};
    return units;
}

TimeUnit timeUnit(const QString& id, double span) {
    const auto& units = timeUnits();
    for (const TimeUnit& unit : units)
        if (unit.id == id) return unit;
    const std::pair<double, std::size_t> limits[] = {{3 * 86400, 0}, {3 * 3600, 1}, {600, 2}, {0.5, 3}, {0.5e-3, 4}};
    for (const auto& [least, unit] : limits)
        if (span >= least) return units[unit];
    return units.back();
}

QFont figureFont(double pixels, bool strong) {
    QFont font = Theme::print().tabular();
    font.setPixelSize(static_cast<int>(pixels));
    font.setWeight(strong ? QFont::DemiBold : QFont::Normal);
    return font;
}

QRectF paintFigureFrame(QPainter& painter, const FigureFrame& frame) {
    using namespace figure_drawing;
    const double margin = FigureFrame::margin, width = frame.size.width() - 2 * margin;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setRenderHint(QPainter::TextAntialiasing, true);
    painter.fillRect(QRectF(QPointF(0, 0), frame.size), frame.theme.surface);
    painter.setFont(figureFont(titlePixels, true));
    painter.setPen(frame.theme.text);
    const QFontMetricsF metrics(painter.font());
    painter.drawText(QRectF(margin, margin, width, metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(frame.title, Qt::ElideRight, width));
    double bottom = frame.size.height() - margin / 2;
    if (!frame.footer.isEmpty()) {
        painter.setFont(figureFont(footerPixels));
        painter.setPen(Theme::mix(frame.theme.muted, frame.theme.surface, 0.8));
        const QFontMetricsF small(painter.font());
        constexpr int wrapped = Qt::AlignRight | Qt::TextWordWrap; // narrow figures have it in several lines
        const double height =
            std::min(small.boundingRect(QRectF(0, 0, width, 1000), wrapped, frame.footer).height(), 3 * small.height());
        const QRectF lines(margin, frame.size.height() - height - 6, width, height);
        painter.drawText(lines, wrapped, frame.footer);
        bottom = lines.top() - 2;
    }
    return {QPointF(margin, margin + metrics.height() + 8), QPointF(frame.size.width() - margin, bottom)};
}

FigureTexts laneTexts(const LaneFigure& figure) {
    using namespace figure_drawing;
    FigureTexts texts{.title = figure.painter->title()};
    const QString across = figure.painter->horizontalTitle(figure.input);
    texts.horizontal = across.isEmpty() ? QCoreApplication::translate("Figure", "Time (%1)")
                                              .arg(timeUnit(figure.unit, figure.to - figure.from).name)
                                        : capital(across);
    // A unit alone says too little where no heading stands beside it.
    const QString up = figure.painter->axisTitle(figure.input);
    texts.vertical = up.isEmpty() || up[0].isLetter() ? capital(up.isEmpty() ? texts.title : up)
                                                      : QStringLiteral("%1 (%2)").arg(texts.title, up);
    return texts;
}

double laneLabelWidth(const LaneFigure& figure, const Theme& theme, const QFont& font, QSizeF plot) {
    using namespace figure_drawing;
    QPicture nowhere;
    QPainter painter(&nowhere);
    LaneCanvas tried(painter, theme, font);
    tried.leastRow = 0;
    tried.mostRow = 1e9;
    paintLane(tried, figure, QRectF(QPointF(0, 0), plot), mostLabels, false);
    const double least = QFontMetricsF(font).horizontalAdvance(QStringLiteral("0.0000"));
    return std::min(std::max(least, tried.widestLabel) + 12, mostLabels);
}

QRectF paintLane(LaneCanvas& canvas, const LaneFigure& figure, const QRectF& area, double labels, bool timeAxis) {
    using namespace figure_drawing;
    QPainter& painter = canvas.painter;
    canvas.plot = QRectF(QPointF(std::round(area.left() + labels), std::round(area.top())),
                         QPointF(std::round(area.right()), std::round(area.bottom())));
    canvas.gutter = QRectF(area.left(), canvas.plot.top(), canvas.plot.left() - area.left(), canvas.plot.height());
    canvas.time = {.from = figure.from, .to = figure.to, .left = canvas.plot.left(), .right = canvas.plot.right()};
    const bool own = ownHorizontal(figure);
    if (const QString nothing = figure.painter->emptyText(figure.input); !nothing.isEmpty()) {
        painter.setFont(canvas.font);
        painter.setPen(canvas.theme.muted);
        painter.drawText(canvas.plot, Qt::AlignCenter | Qt::TextWordWrap, nothing);
    } else {
        if (!own) canvas.timeGrid(figure.input.end);
        painter.save();
        painter.setClipRect(
            canvas.plot.adjusted(canvas.gutter.left() - canvas.plot.left(), -canvas.lineHeight(), 1, 1));
        figure.painter->paint(canvas, figure.input);
        painter.restore();
    }
    if (timeAxis && !own) paintTimeTicks(canvas, timeUnit(figure.unit, figure.to - figure.from));
    return canvas.plot;
}

void paintLaneFigure(QPainter& painter, const FigureFrame& frame, const LaneFigure& figure) {
    using namespace figure_drawing;
    QRectF area = paintFigureFrame(painter, frame);
    LaneCanvas canvas(painter, frame.theme, figureFont(labelPixels));
    canvas.vector = frame.vector;
    canvas.leastRow = 0;
    canvas.mostRow = 1e9; // rows fill the figure
    const FigureTexts own = laneTexts(figure);
    const auto chosen = [](const QString& given, const QString& usual) { return given.isEmpty() ? usual : given; };
    area.setTop(area.top() + paintLegendRow(canvas, area, figure.painter->legend(frame.theme, figure.input)) + 8);
    const double line = canvas.lineHeight(), titleHeight = line + 4;
    const double tickHeight = ownHorizontal(figure) ? 2 : line + 6;
    const QRectF lane(QPointF(area.left() + line + 4, area.top()),
                      QPointF(area.right() - 8, area.bottom() - titleHeight - tickHeight));
    const double labels = laneLabelWidth(figure, frame.theme, canvas.font, lane.size());
    const QRectF plot = paintLane(canvas, figure, lane, labels, true);
    painter.setFont(canvas.font);
    painter.setPen(frame.theme.text);
    painter.drawText(QRectF(plot.left(), plot.bottom() + tickHeight, plot.width(), titleHeight),
                     Qt::AlignHCenter | Qt::AlignTop, chosen(figure.texts.horizontal, own.horizontal));
    paintVerticalTitle(canvas, area.left(), chosen(figure.texts.vertical, own.vertical));
}

} // namespace trainyard
