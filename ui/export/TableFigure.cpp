// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Tables as figures: see ViewTables.h.
#include "export/ViewTables.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <numeric>

namespace trainyard {

namespace table_figure {

constexpr double lineHeight = 20;                // pixels
constexpr double between = 18, mostBetween = 64; // columns

/// Natural widths; where they do not fit, the widest columns give way first.
std::vector<double> columnWidths(const TableTexts& table, const QFontMetricsF& metrics,
                                 const QFontMetricsF& headMetrics, double room) {
    std::vector<double> widths;
    for (qsizetype c = 0; c < table.heads.size(); ++c) {
        double widest = headMetrics.horizontalAdvance(table.heads[c]);
        for (const QStringList& row : table.rows) widest = std::max(widest, metrics.horizontalAdvance(row[c]));
        widths.push_back(widest + 1);
    }
    room -= between * static_cast<double>(widths.size() - 1);
    double all = std::accumulate(widths.begin(), widths.end(), 0.0);
    for (int i = 0; i < 64 && all > room; ++i) {
        std::vector<double> ordered = widths;
        std::sort(ordered.rbegin(), ordered.rend());
        const auto widest = static_cast<double>(std::count(widths.begin(), widths.end(), ordered[0]));
        const auto next = std::find_if(ordered.begin(), ordered.end(), [&](double w) { return w < ordered[0]; });
        const double floor = next == ordered.end() ? 0 : *next;
        const double wanted = std::max(floor, ordered[0] - (all - room) / widest);
        for (double& w : widths)
            if (w == ordered[0]) w = wanted;
        all = std::accumulate(widths.begin(), widths.end(), 0.0);
    }
    return widths;
}

} // namespace table_figure

double tableFigureHeight(const TableTexts& table, bool footer) {
    const auto lines = static_cast<double>(table.rows.size() + 1 + (table.more > 0 ? 1 : 0));
    const double title = QFontMetricsF(figureFont(16, true)).height() + 8;
    return FigureFrame::margin * 1.5 + title + lines * table_figure::lineHeight + (footer ? 26 : 10);
}

void paintTableFigure(QPainter& painter, const FigureFrame& frame, const TableTexts& table) {
    using namespace table_figure;
    const QRectF area = paintFigureFrame(painter, frame);
    const QFont body = figureFont(12), head = figureFont(12, true);
    const QFontMetricsF metrics(body), headMetrics(head);
    const auto widths = columnWidths(table, metrics, headMetrics, area.width());
    const double columns = std::accumulate(widths.begin(), widths.end(), 0.0);
    const double gaps = static_cast<double>(std::max<std::size_t>(widths.size(), 2) - 1);
    const double gap = std::clamp((area.width() - columns) / gaps, between, mostBetween);
    const double right = std::min(area.right(), area.left() + columns + gap * gaps);
    double y = area.top();
    const auto row = [&](const QStringList& cells, const QFont& font, const QColor& colour) {
        painter.setFont(font);
        painter.setPen(colour);
        const QFontMetricsF measure(font);
        double x = area.left();
        for (std::size_t c = 0; c < widths.size(); ++c) {
            const QString text = measure.elidedText(cells[static_cast<qsizetype>(c)], Qt::ElideRight, widths[c]);
            painter.drawText(QRectF(x, y, widths[c], lineHeight),
                             Qt::AlignVCenter | (table.numbers[c] ? Qt::AlignRight : Qt::AlignLeft), text);
            x += widths[c] + gap;
        }
        y += lineHeight;
    };
    const auto rule = [&](double width) {
        painter.setPen(QPen(frame.theme.text, width));
        painter.drawLine(QPointF(area.left(), y), QPointF(right, y));
    };
    rule(1.2);
    row(table.heads, head, frame.theme.text);
    rule(0.8);
    const auto room = static_cast<std::size_t>(
        std::max(0.0, (area.bottom() - y - (table.more > 0 ? lineHeight : 0) + 0.5) / lineHeight));
    std::size_t shown = std::min(room, table.rows.size());
    if (shown < table.rows.size() && table.more == 0 && shown > 0) --shown; // for the line that says so
    for (std::size_t i = 0; i < shown; ++i) row(table.rows[i], body, frame.theme.text);
    rule(1.2);
    const std::size_t more = table.more + table.rows.size() - shown;
    if (more == 0) return;
    painter.setFont(body);
    painter.setPen(frame.theme.muted);
    painter.drawText(QRectF(area.left(), y, area.width(), lineHeight), Qt::AlignLeft | Qt::AlignVCenter,
                     QCoreApplication::translate("Figure", "and %1 more, in the CSV file").arg(more));
}

} // namespace trainyard
