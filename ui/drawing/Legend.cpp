// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "drawing/Legend.h"

#include "theme/SharedParts.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <numeric>

namespace trainyard {

namespace legend_drawing {

constexpr double swatchWidth = 14, swatchGap = 6; // pixels
constexpr double leastType = 0.75;                // of the type, before something is left out

double leastLine(const QFontMetricsF& metrics) { return std::floor(metrics.height()) - 1; }

/// As it is, or so much smaller that a line has this height; as it is, too, where that would be too small to read.
QFont fontForLines(const QFont& font, double height) {
    QFont out = font;
    while (leastLine(QFontMetricsF(out)) > height) {
        if (out.pixelSize() - 1 < leastType * font.pixelSize()) return font;
        out.setPixelSize(out.pixelSize() - 1);
    }
    return out;
}

double indentOf(const LegendEntry& entry) {
    return entry.swatch == LegendEntry::Swatch::none ? 0 : swatchWidth + swatchGap - 2;
}

QColor labelColour(const Theme& theme, const LegendEntry& entry) {
    return entry.dimmed ? Theme::mix(theme.muted, theme.surface, 0.6) : theme.muted;
}

QColor valueColour(const Theme& theme, const LegendEntry& entry) {
    return entry.dimmed ? labelColour(theme, entry) : theme.text;
}

/// Texts are measured once: in a frame that costs more than to draw them.
struct Widths {
    double label = 0, value = 0; ///< pixels; the value's with the gap before it
};

std::vector<Widths> widthsOf(const QFontMetricsF& metrics, const std::vector<LegendEntry>& entries) {
    const auto width = [&](const QString& text) { return text.isEmpty() ? 0 : metrics.horizontalAdvance(text); };
    std::vector<Widths> widths;
    widths.reserve(entries.size());
    for (const LegendEntry& entry : entries)
        widths.push_back({width(entry.label), entry.value.isEmpty() ? 0 : width(entry.value) + 8});
    return widths;
}

double wantedWidth(const std::vector<LegendEntry>& entries, const std::vector<Widths>& widths) {
    double wanted = 0;
    for (std::size_t i = 0; i < entries.size(); ++i)
        wanted =
            std::max(wanted, indentOf(entries[i]) + widths[i].label + (widths[i].value > 0 ? widths[i].value + 2 : 0));
    return wanted;
}

/// How many bytes the names of jobs have in common at their beginning, where one of them would have to be shortened.
std::size_t sharedFront(double width, const std::vector<LegendEntry>& entries, const std::vector<Widths>& widths) {
    const auto isNamed = [](const LegendEntry& entry) { // else there is no room to name it
        return entry.job.valid() && !entry.label.isEmpty();
    };
    bool cut = false;
    for (std::size_t i = 0; i < entries.size() && !cut; ++i)
        cut = isNamed(entries[i]) && widths[i].label > width - indentOf(entries[i]) - widths[i].value;
    if (!cut) return 0;
    std::vector<std::string> names;
    for (const LegendEntry& entry : entries)
        if (isNamed(entry)) names.push_back(entry.label.toStdString());
    return SharedParts::of(names).front;
}

QString wholeText(const LegendEntry& entry) {
    return entry.value.isEmpty() ? entry.label : QStringLiteral("%1: %2").arg(entry.label, entry.value);
}

/// Two columns, where one would not hold all. Where values are not to shorten names they are left out, but for those of lines: what
/// colours of areas mean matters more. Nothing is drawn where names would have to be shortened even so.
std::vector<LegendPlace> paintInTwoColumns(LaneCanvas& canvas, const QRectF& area,
                                           const std::vector<LegendEntry>& entries) {
    constexpr double gap = 6; // pixels
    const double width = (area.width() - gap) / 2;
    const std::size_t rows = (entries.size() + 1) / 2;
    const double share = area.height() / static_cast<double>(rows);
    QFont font = fontForLines(canvas.font, share);
    const QFontMetricsF metrics(font);
    const double height = std::clamp(share, leastLine(metrics), std::ceil(metrics.height()) + 3);
    if (height * static_cast<double>(rows) > area.height() + 1) return {};
    double widest = 1; // in shares of the room that there is
    for (const LegendEntry& entry : entries) {
        if (entry.label.isEmpty()) return {};
        widest =
            std::max(widest, QFontMetricsF(canvas.font).horizontalAdvance(entry.label) / (width - indentOf(entry)));
    }
    if (widest > 1 / leastType) return {};
    const double withValues = wantedLegendWidth(canvas.font, entries) / width;
    const bool valued = withValues <= 1 / leastType;
    const auto readsLine = [](const LegendEntry& entry) {
        return entry.swatch != LegendEntry::Swatch::box && entry.swatch != LegendEntry::Swatch::outlined &&
               !entry.value.isEmpty();
    };
    if (!valued && std::ranges::any_of(entries, readsLine)) return {};
    if (valued) widest = std::max(1.0, withValues);
    std::vector<LegendPlace> places;
    font.setPixelSize(std::min(font.pixelSize(), static_cast<int>(canvas.font.pixelSize() / widest)));
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const QRectF line(area.left() + static_cast<double>(i / rows) * (width + gap),
                          area.top() + height * static_cast<double>(i % rows), width, height);
        paintSwatch(canvas, line, entries[i]);
        canvas.painter.setFont(font);
        canvas.painter.setPen(labelColour(canvas.theme, entries[i]));
        canvas.painter.drawText(line.adjusted(indentOf(entries[i]), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                                entries[i].label);
        if (valued) {
            canvas.painter.setPen(valueColour(canvas.theme, entries[i]));
            canvas.painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, entries[i].value);
        }
        places.push_back({line, entries[i].job, wholeText(entries[i]), valued && !entries[i].value.isEmpty()});
    }
    return places;
}

/// The first ones where not all fit; the selected job, which has a text and is not dimmed while others are, before these.
std::vector<std::size_t> entriesShown(const std::vector<LegendEntry>& entries, std::size_t count) {
    std::vector<std::size_t> order(entries.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto isDimmed = [](const LegendEntry& entry) { return entry.job.valid() && entry.dimmed; };
    if (std::ranges::any_of(entries, isDimmed))
        std::ranges::stable_partition(order, [&](std::size_t i) {
            return entries[i].job.valid() && !entries[i].label.isEmpty() && !entries[i].dimmed;
        });
    order.resize(count);
    std::ranges::sort(order);
    return order;
}

} // namespace legend_drawing

using namespace legend_drawing;

void paintSwatch(LaneCanvas& canvas, const QRectF& line, const LegendEntry& entry) {
    const QRectF box(line.left(), line.center().y() - 5, swatchWidth - 2, 10);
    QColor colour = entry.colour;
    if (entry.dimmed) colour = Theme::mix(colour, canvas.theme.surface, 0.3);
    switch (entry.swatch) {
    case LegendEntry::Swatch::none: break;
    case LegendEntry::Swatch::box:
        if (entry.activity && !entry.dimmed)
            canvas.activityBox(box, *entry.activity);
        else
            canvas.box(box, colour);
        if (canvas.theme.jobStriped(entry.job))
            canvas.painter.fillRect(QRectF(box.left(), box.center().y() - 1, box.width(), 2), canvas.theme.surface);
        break;
    case LegendEntry::Swatch::outlined:
        canvas.box(box, Theme::mix(colour, canvas.theme.surface, 0.28));
        canvas.outline(box, colour);
        break;
    case LegendEntry::Swatch::line:
    case LegendEntry::Swatch::dashes:
    case LegendEntry::Swatch::longDashes:
    case LegendEntry::Swatch::dots: {
        QPen pen(colour, std::max(2.0, canvas.lineWidth));
        pen.setCapStyle(Qt::FlatCap);
        if (entry.swatch == LegendEntry::Swatch::dashes) pen.setDashPattern({2, 1});
        if (entry.swatch == LegendEntry::Swatch::longDashes) pen.setDashPattern({3.5, 1});
        if (entry.swatch == LegendEntry::Swatch::dots) pen.setDashPattern({0.75, 1});
        canvas.painter.setPen(pen);
        canvas.painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()));
        break;
    }
    }
}

double wantedLegendWidth(const QFont& font, const std::vector<LegendEntry>& entries) {
    return wantedWidth(entries, widthsOf(QFontMetricsF(font), entries));
}

LegendColumn paintLegendColumn(LaneCanvas& canvas, const QRectF& area, const std::vector<LegendEntry>& entries) {
    LegendColumn column;
    std::vector<LegendPlace>& places = column.places;
    // Lines move closer together, and the type becomes a little smaller, before one has to be left out.
    const double share = area.height() / static_cast<double>(std::max<std::size_t>(entries.size(), 1));
    const QFont font = fontForLines(canvas.font, share);
    const QFontMetricsF metrics(font);
    const double height = std::clamp(share, leastLine(metrics), std::ceil(metrics.height()) + 3);
    const auto fitting = static_cast<std::size_t>(std::max(1.0, area.height() / height + 1e-9));
    const bool all = entries.size() <= fitting;
    const std::size_t shown = all ? entries.size() : fitting - 1;
    const std::vector<Widths> widths = widthsOf(metrics, entries);
    column.wantedWidth = font == canvas.font ? wantedWidth(entries, widths) : wantedLegendWidth(canvas.font, entries);
    if (!all)
        if (places = paintInTwoColumns(canvas, area, entries); !places.empty()) return column;
    canvas.painter.setFont(font);
    const std::size_t front = sharedFront(area.width(), entries, widths);
    double top = area.top();
    for (const std::size_t i : entriesShown(entries, shown)) {
        const LegendEntry& entry = entries[i];
        const QRectF line(area.left(), top, area.width(), height);
        top += height;
        paintSwatch(canvas, line, entry);
        const double indent = indentOf(entry);
        const bool isShort = front > 0 && entry.job.valid() && !entry.label.isEmpty();
        QString name = isShort ? QStringLiteral("…") + QString::fromStdString(entry.label.toStdString().substr(front))
                               : entry.label;
        const QRectF label(line.left() + indent, line.top(), std::max(0.0, line.width() - indent - widths[i].value),
                           height);
        if (isShort || widths[i].label > label.width()) name = metrics.elidedText(name, Qt::ElideMiddle, label.width());
        canvas.painter.setPen(labelColour(canvas.theme, entry));
        canvas.painter.drawText(label, Qt::AlignLeft | Qt::AlignVCenter, name);
        canvas.painter.setPen(valueColour(canvas.theme, entry));
        canvas.painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, entry.value);
        places.push_back({line, entry.job, wholeText(entry), !entry.value.isEmpty()});
    }
    if (!all) {
        canvas.painter.setPen(canvas.theme.muted);
        canvas.painter.drawText(
            QRectF(area.left(), top, area.width(), height), Qt::AlignLeft | Qt::AlignVCenter,
            QCoreApplication::translate("Lane", "and %n more", nullptr, static_cast<int>(entries.size() - shown)));
    }
    return column;
}

std::size_t mostLegendLines(const LaneCanvas& canvas, const QRectF& area) {
    QFont smallest = canvas.font;
    smallest.setPixelSize(static_cast<int>(std::ceil(leastType * smallest.pixelSize())));
    return static_cast<std::size_t>(std::max(1.0, area.height() / leastLine(QFontMetricsF(smallest)) + 1));
}

double paintLegendRow(LaneCanvas& canvas, const QRectF& area, const std::vector<LegendEntry>& entries) {
    const QFontMetricsF metrics(canvas.font);
    const double height = std::ceil(metrics.height()) + 4, gap = 20;
    const auto isReading = [](const LegendEntry& e) { return e.swatch == LegendEntry::Swatch::none; }; // only a value
    const auto labelOf = [&](const LegendEntry& e) {
        return isReading(e) && !e.value.isEmpty() ? QStringLiteral("%1: %2").arg(e.label, e.value) : e.label;
    };
    const auto indent = [&](const LegendEntry& e) { return isReading(e) ? 0 : indentOf(e); };
    const auto widthOf = [&](const LegendEntry& e) { return indent(e) + metrics.horizontalAdvance(labelOf(e)) + gap; };
    const auto rest = [&](std::size_t from) {
        return QCoreApplication::translate("Lane", "and %n more", nullptr, static_cast<int>(entries.size() - from));
    };
    double x = area.left(), y = area.top();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const double width = widthOf(entries[i]);
        double right = area.right() + gap - 2;
        if (y + 2 * height > area.top() + 3 * height) { // the last row says how many are left, where some are
            double all = x;
            for (std::size_t k = i; k < entries.size() && all <= right; ++k) all += widthOf(entries[k]);
            if (all > right) right -= metrics.horizontalAdvance(rest(i)) + gap;
        }
        if (x > area.left() && x + width > right) {
            x = area.left();
            y += height;
        }
        if (y + height > area.top() + 3 * height) { // three rows of legend are enough
            canvas.painter.setPen(canvas.theme.muted);
            canvas.painter.setFont(canvas.font);
            canvas.painter.drawText(QRectF(area.right() - 160, y - height, 160, height),
                                    Qt::AlignRight | Qt::AlignVCenter, rest(i));
            return 3 * height;
        }
        const QRectF line(x, y, width, height);
        paintSwatch(canvas, line, entries[i]);
        canvas.painter.setFont(canvas.font);
        canvas.painter.setPen(canvas.theme.text);
        canvas.painter.drawText(line.adjusted(indent(entries[i]), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                                labelOf(entries[i]));
        x += width;
    }
    return entries.empty() ? 0 : y + height - area.top();
}

void paintHoverLabel(LaneCanvas& canvas, QPointF pointer, const QString& text, const QRectF& within) {
    const QFontMetricsF metrics(canvas.font);
    const double width = metrics.horizontalAdvance(text) + 16, height = metrics.height() + 6;
    double left = pointer.x() + 12;
    if (left + width > within.right()) left = pointer.x() - 12 - width;
    double top = pointer.y() - height - 8;
    if (top < within.top()) top = std::min(pointer.y() + 14, within.bottom() - height);
    const QRectF box(std::max(left, within.left()), std::max(top, within.top()), width, height);
    canvas.painter.setRenderHint(QPainter::Antialiasing, true);
    canvas.painter.setPen(QPen(canvas.theme.hairline, 1));
    canvas.painter.setBrush(canvas.theme.raised);
    canvas.painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    canvas.painter.setRenderHint(QPainter::Antialiasing, false);
    canvas.painter.setFont(canvas.font);
    canvas.painter.setPen(canvas.theme.text);
    canvas.painter.drawText(box, Qt::AlignCenter, text);
}

} // namespace trainyard
