// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where a person left off: the last file and the zoom of the canvas. What a newer
// Trainyard has kept is left alone. Used by the main window at its end and by the program at its start.
#include <QString>

namespace trainyard {

struct LeftOff {
    QString file;    ///< empty: nothing to go on with
    double zoom = 0; ///< 0: the whole cluster fits
};

LeftOff whereLeftOff();
void rememberLeftOff(const LeftOff& now);

} // namespace trainyard
