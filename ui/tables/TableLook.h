// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The look that tables to be read share: whole rows, no grid, one height for all rows. Used by the event list
// and the metrics.
#include <QString>

#include <initializer_list>

class QTableView;

namespace trainyard {

/// `letters`: widths of the first columns in average letters; the last column takes the rest. The view has
/// its model.
void dressTable(QTableView& view, const QString& accessibleName, std::initializer_list<int> letters);

/// Makes these columns wide enough for what is in them (the first thousand rows): numbers and verdicts are not elided.
/// `margin`: around each, in average letters.
void showWhole(QTableView& view, std::initializer_list<int> columns, double margin = 2);

/// A measured value among others in a column: as many digits in each, thousands separated.
QString readingText(double value, int digits = 4);

} // namespace trainyard
