// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The names of machines in ClusterPainter's picture: where there is room for them, shortened alike and of one size.
#include "canvas/ClusterPainter.h"
#include "canvas/NameFit.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

ClusterPainter::NamePlace ClusterPainter::placeOfName(const QPainter& painter, std::size_t machine, bool named) const {
    if (!named) return {};
    const QRectF card = m_content.layout.machines[machine];
    const QRectF row(card.left() + cardPadding, card.top() + (barsTop - nameRow) / 2, card.width() - 2 * cardPadding,
                     nameRow);
    QString label = m_content.labelOf({ClusterLayout::Kind::machine, machine});
    // On a projector the name matters more than the bars, too, where they would leave it small.
    const auto rowFont = readable(painter, 12, 0.85 * row.height(), true);
    const bool isLarge = m_type <= 1 || (rowFont && rowFont->pixelSize() * m_zoom >= usualType * 1.25);
    NamePlace place{.row = row, .font = rowFont};
    bool isUsual = false; // as large as it is meant to be: there is nothing more to measure
    const auto isWhole = [&](const QString& text) {
        const NameFit fit = NameFit::of(text, *rowFont, row.size(), row.size(), leastSize());
        isUsual = fit.text == text && fit.font.pixelSize() == rowFont->pixelSize();
        return fit.text == text;
    };
    bool whole = rowFont && isWhole(label);
    if (const QString alone = NameFit::withoutRemark(label); rowFont && !whole && alone != label) {
        label = alone;
        whole = isWhole(label);
    }
    place.overBars = whole && isLarge;
    if (place.overBars && isUsual) {
        place.text = label;
        place.size = rowFont->pixelSize();
        return place;
    }
    if (!place.overBars) { // far away the bars are too thin to say anything: the name has their place
        place.row = {row.topLeft(), QPointF(row.right(), card.bottom() - slotSide - 10)};
        place.font = readable(painter, 12, 0.85 * place.row.height(), true);
    }
    return withName(std::move(place), label);
}

/// Its remark goes first where it does not fit.
ClusterPainter::NamePlace ClusterPainter::withName(NamePlace place, const QString& name) const {
    for (const QString& text : {name, NameFit::withoutRemark(name)}) {
        place.text = text;
        if (place.font) place.size = NameFit::wholeSize(text, *place.font, place.row.size(), leastSize());
        if (place.size > 0) break;
    }
    return place;
}

/// Where one of "Machine 1" to "Machine 10" has only room for its number, all of these have only their numbers.
void ClusterPainter::shortenAlike(NamePlaces& places) const {
    const auto kindOf = [](const QString& name) { return name.chopped(NameFit::shortest(name).size()); };
    const auto isNumbered = [&](const NamePlace& place) {
        return place.font && !kindOf(place.text).isEmpty() && place.text.back().isDigit();
    };
    QSet<QString> kinds;
    for (const auto& [machine, place] : places)
        if (isNumbered(place) && place.size == 0) kinds.insert(kindOf(place.text));
    for (auto& [machine, place] : places) {
        if (!isNumbered(place) || !kinds.contains(kindOf(place.text))) continue;
        place.text = NameFit::shortest(place.text);
        place.size = NameFit::wholeSize(place.text, *place.font, place.row.size(), leastSize());
    }
}

/// That of the longest that can be written as a whole; on a projector each is as large as it can.
void ClusterPainter::setInOneSize(NamePlaces& places) const {
    int size = std::numeric_limits<int>::max();
    for (const auto& [i, place] : places)
        if (place.size > 0 && m_type <= 1) size = std::min(size, place.size);
    for (auto& [i, place] : places)
        if (place.font) place.font->setPixelSize(std::min(place.font->pixelSize(), size));
}

ClusterPainter::NamePlace ClusterPainter::placeOnBlock(const QPainter& painter, std::size_t machine) const {
    const QRectF card = m_content.layout.machines[machine];
    const double size = std::floor(typeSize(12, 0.8 * card.height()));
    if (!m_text || !isReadable(size) || std::ssize(m_content.layout.machines) > mostNames) return {};
    NamePlace place{.row = QRectF(0, 0, card.width() - 0.5 * size, size), .font = painter.font()};
    place.row.moveCenter(card.center());
    place.font->setPixelSize(static_cast<int>(size));
    return withName(std::move(place), m_content.labelOf({ClusterLayout::Kind::machine, machine}));
}

/// Or at least its last word: "server" of "Parameter server".
void ClusterPainter::paintBlockName(QPainter& painter, std::size_t machine, const NamePlace& place) const {
    if (!place.font) return;
    const QFontMetricsF metrics(*place.font);
    QString name = place.text;
    if (metrics.horizontalAdvance(name) > place.row.width()) name = NameFit::shortest(name);
    if (metrics.horizontalAdvance(name) > place.row.width()) return;
    QRectF chip(0, 0, metrics.horizontalAdvance(name) + 0.4 * metrics.xHeight(), place.row.height());
    chip.moveCenter(place.row.center());
    QColor ground = m_theme.surface;
    ground.setAlphaF(0.86f); // as in the Gantt: names on the colours of jobs
    painter.fillRect(chip, ground);
    painter.setFont(*place.font);
    painter.setPen(m_theme.text);
    painter.drawText(m_content.layout.machines[machine], Qt::AlignCenter | Qt::TextDontClip, name);
}

} // namespace trainyard
