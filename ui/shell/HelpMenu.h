// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The Help menu: offline help, What's This, keyboard shortcuts, metrics, tour, start page, about. F1 explains
// what has the focus. Called once by makeMenus().
#include "shell/Menus.h"

namespace trainyard {

void makeHelpMenu(QMainWindow& window, const MenuParts& parts);

} // namespace trainyard
