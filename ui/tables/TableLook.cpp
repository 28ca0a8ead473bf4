// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tables/TableLook.h"

#include <QHeaderView>
#include <QTableView>

#include <algorithm>

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

} // namespace trainyard
