// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What each panel is for, in a sentence or two: its What's This, and the help page that says more. Called by the
// main window once all panels are there.
#include <QString>

namespace trainyard {

class Panels;

/// Gives every panel its What's This.
void explainPanels(const Panels& panels);
/// Help page about a panel; the overview where there is none of its own.
QString helpPageOf(const QString& panel);

} // namespace trainyard
