// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tables/TableLook.h"

#include "drawing/TimeScale.h"
#include "theme/TimeText.h"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>
#include <cmath>

namespace trainyard {

void dressTable(QTableView& view, const QString& accessibleName, std::initializer_list<int> letters) {
    view.setAccessibleName(accessibleName);
    view.setSelectionBehavior(QAbstractItemView::SelectRows);
    view.setShowGrid(false);
    view.setWordWrap(false);
    view.setTabKeyNavigation(false);
    view.verticalHeader()->hide();
    // One height for all: measuring each of a million rows would take seconds.
    view.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view.verticalHeader()->setDefaultSectionSize(view.fontMetrics().height() + 8);
    view.horizontalHeader()->setHighlightSections(false);
    view.horizontalHeader()->setStretchLastSection(true);
    view.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    int column = 0;
    for (const int width : letters) {
        const int named = view.horizontalHeader()->sectionSizeHint(column);
        view.setColumnWidth(column++, std::max(width * view.fontMetrics().averageCharWidth(), named));
    }
}

void showWhole(QTableView& view, std::initializer_list<int> columns, double margin) {
    const int around = static_cast<int>(margin * view.fontMetrics().averageCharWidth());
    for (const int column : columns)
        view.setColumnWidth(column, std::max(view.horizontalHeader()->sectionSizeHint(column),
                                             static_cast<QAbstractItemView&>(view).sizeHintForColumn(column) + around));
}

QString readingText(double value, int digits) {
    const double size = std::abs(value);
    if (std::isfinite(value) && size >= 1000) return countText(value).replace(u'-', QChar(0x2212));
    if (!(size >= 1e-4) || value == std::round(value)) return numberText(value, digits); // and what is no number
    const int decimals = digits - 1 - static_cast<int>(std::floor(std::log10(size)));
    return QString::number(value, 'f', std::max(decimals, 0)).replace(u'-', QChar(0x2212));
}

} // namespace trainyard
