// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/TablePainter.h"

#include "theme/CoreText.h"
#include "theme/TimeText.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace trainyard {

namespace table_painter {

constexpr double lines = 1.3;                    // height of a row in lines of text
constexpr double between = 18, mostBetween = 64; // columns, pixels

QString textOf(const Table::Cell& cell) {
    if (!cell.text.empty()) return coreText(cell.text);
    if (!cell.value) return QStringLiteral("–");
    return cell.value->unit == "s" ? timeSpanText(cell.value->value)
                                   : quantityWords(cell.value->value, cell.value->unit, cell.value->digits);
}

QFont headFont(QFont font) {
    font.setBold(true);
    return font;
}

/// Natural widths; where they do not fit, the widest columns give way first.
std::vector<double> columnWidths(const QStringList& heads, const std::vector<QStringList>& rows, const QFont& font,
                                 double room) {
    const QFontMetricsF metrics(font), headMetrics(headFont(font));
    std::vector<double> widths;
    for (qsizetype c = 0; c < heads.size(); ++c) {
        double widest = headMetrics.horizontalAdvance(heads[c]);
        for (const QStringList& row : rows) widest = std::max(widest, metrics.horizontalAdvance(row[c]));
        widths.push_back(widest + 1);
    }
    if (widths.empty()) return widths;
    room -= between * static_cast<double>(widths.size() - 1);
    double all = std::accumulate(widths.begin(), widths.end(), 0.0);
    for (int i = 0; i < 64 && all > room; ++i) {
        std::vector<double> ordered = widths;
        std::ranges::sort(ordered, std::greater<>());
        const auto widest = static_cast<double>(std::ranges::count(widths, ordered[0]));
        const auto next = std::ranges::find_if(ordered, [&](double w) { return w < ordered[0]; });
        const double wanted = std::max(next == ordered.end() ? 0 : *next, ordered[0] - (all - room) / widest);
        std::ranges::replace(widths, ordered[0], wanted);
        all = std::accumulate(widths.begin(), widths.end(), 0.0);
    }
    return widths;
}

} // namespace table_painter

using namespace table_painter;

void TablePainter::show(std::shared_ptr<const Table> table) {
    m_table = std::move(table);
    m_rows.clear();
    m_columns.clear();
    for (std::size_t r = 0; r < m_table->rows.size(); ++r)
        if (m_table->rows[r].isShown) m_rows.push_back(r);
    for (std::size_t c = 0; c < m_table->columns.size(); ++c)
        if (!m_table->columns[c].title.empty()) m_columns.push_back(c);
}

double TablePainter::heightOf(const Table& table, const QFont& font, std::size_t mostRows) {
    const auto shown = static_cast<std::size_t>(std::ranges::count_if(table.rows, &Table::Row::isShown));
    const std::size_t more = shown > mostRows || table.more > 0 ? 1 : 0;
    return static_cast<double>(std::min(shown, mostRows) + 1 + more) *
               std::round(lines * QFontMetricsF(font).height()) +
           2;
}

std::vector<QStringList> TablePainter::shownTexts() const {
    std::vector<QStringList> texts;
    const auto room = static_cast<std::size_t>(std::max(0.0, m_area.height() / m_line));
    for (std::size_t i = m_first; i < std::min(m_rows.size(), m_first + room); ++i) {
        QStringList& row = texts.emplace_back();
        for (const std::size_t c : m_columns) row << textOf(m_table->rows[m_rows[i]].cells[c]);
    }
    return texts;
}

void TablePainter::paint(QPaintDevice& device, const QRectF& area, const PictureStyle& look) {
    QPainter painter(&device);
    painter.setRenderHint(QPainter::TextAntialiasing, true);
    const QFont head = headFont(look.font);
    m_line = std::round(lines * QFontMetricsF(look.font).height());
    m_area = area.adjusted(4, m_line, -4, 0);
    const auto room = static_cast<std::size_t>(std::max(1.0, std::floor(m_area.height() / m_line + 0.01)));
    const bool isCut = m_rows.size() > room || m_table->more > 0;
    if (isCut) m_area.setHeight(m_line * static_cast<double>(room - 1)); // the last line says so
    const std::size_t seen = std::min(m_rows.size(), isCut ? room - 1 : room);
    m_scrolled = std::clamp(m_scrolled, 0.0, m_line * static_cast<double>(m_rows.size() - seen));
    m_first = static_cast<std::size_t>(m_scrolled / m_line);
    const std::vector<QStringList> texts = shownTexts();
    QStringList heads;
    for (const std::size_t c : m_columns) heads << coreText(m_table->columns[c].title);
    const auto widths = columnWidths(heads, texts, look.font, m_area.width());
    const double columns = std::accumulate(widths.begin(), widths.end(), 0.0);
    const double gaps = static_cast<double>(std::max<std::size_t>(widths.size(), 2) - 1);
    const double gap = std::clamp((m_area.width() - columns) / gaps, between, mostBetween);
    const double right = std::min(m_area.right(), m_area.left() + columns + gap * gaps);
    m_drawn = 0;
    const auto drawRow = [&](double y, const QStringList& cells, const QFont& font) {
        const QFontMetricsF measure(font);
        bool cut = false;
        double x = m_area.left();
        painter.setFont(font);
        painter.setPen(look.theme.text);
        for (std::size_t c = 0; c < widths.size(); ++c) {
            const QString& whole = cells[static_cast<qsizetype>(c)];
            const QString text = measure.elidedText(whole, Qt::ElideRight, widths[c]);
            cut |= text != whole;
            painter.drawText(
                QRectF(x, y, widths[c], m_line),
                Qt::AlignVCenter | (m_table->columns[m_columns[c]].isNumber ? Qt::AlignRight : Qt::AlignLeft), text);
            x += widths[c] + gap;
            ++m_drawn;
        }
        return cut;
    };
    const auto rule = [&](double y, double width) {
        painter.setPen(QPen(look.theme.text, width));
        painter.drawLine(QPointF(m_area.left(), y), QPointF(right, y));
    };
    double y = m_area.top();
    rule(y - m_line + 0.6, 1.2);
    drawRow(y - m_line, heads, head);
    rule(y, 0.8);
    m_cut.assign(texts.size(), false);
    for (std::size_t i = 0; i < texts.size(); ++i, y += m_line) {
        if (isSelected(look, m_table->rows[m_rows[m_first + i]].ref))
            painter.fillRect(QRectF(m_area.left() - 3, y + 1, right - m_area.left() + 6, m_line - 1),
                             Theme::mix(look.theme.accent, look.theme.surface, 0.18));
        m_cut[i] = drawRow(y, texts[i], look.font);
    }
    rule(y, 1.2);
    const std::size_t more = m_table->more + m_rows.size() - m_first - texts.size();
    if (more == 0) return;
    painter.setFont(look.font);
    painter.setPen(look.theme.muted);
    painter.drawText(QRectF(m_area.left(), y, m_area.width(), m_line), Qt::AlignLeft | Qt::AlignVCenter,
                     QCoreApplication::translate("Figure", "and %1 more").arg(more));
}

/// The row in words, where it cannot be read.
PictureHit TablePainter::hitOf(std::size_t row) const {
    const std::size_t i = row - m_first;
    PictureHit hit{.element = row,
                   .at = {m_area.left(), m_area.top() + (static_cast<double>(i) + 0.5) * m_line},
                   .text = {},
                   .ref = m_table->rows[m_rows[row]].ref};
    if (i >= m_cut.size() || !m_cut[i]) return hit;
    QStringList words;
    for (const std::size_t c : m_columns) words << textOf(m_table->rows[m_rows[row]].cells[c]);
    hit.text = words.join(QStringLiteral(" · "));
    return hit;
}

std::optional<PictureHit> TablePainter::hitAt(QPointF at) const {
    if (!m_area.contains(at)) return std::nullopt;
    const auto row = m_first + static_cast<std::size_t>((at.y() - m_area.top()) / m_line);
    return row < m_first + m_cut.size() ? std::optional(hitOf(row)) : std::nullopt;
}

std::optional<PictureHit> TablePainter::neighbour(const PictureHit* from, int along, int across) const {
    if (m_rows.empty()) return std::nullopt;
    const std::int64_t row = from ? static_cast<std::int64_t>(from->element) + along + across : 0;
    return hitOf(
        static_cast<std::size_t>(std::clamp<std::int64_t>(row, 0, static_cast<std::int64_t>(m_rows.size()) - 1)));
}

void TablePainter::zoom(QPointF, double factor) { m_scrolled -= 3 * m_line * std::log(factor) / std::log(1.25); }

} // namespace trainyard
