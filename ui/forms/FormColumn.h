// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The column of a form beside what it is about: as wide as its panel, scrolled where it is longer.
#include <QMargins>

class QScrollArea;
class QVBoxLayout;

namespace trainyard {

/// Makes the area such a panel; the layout is the column's.
QVBoxLayout* makeFormColumn(QScrollArea& area, QMargins margins = {12, 8, 12, 12}, int spacing = 6);

} // namespace trainyard
