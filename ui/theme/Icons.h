// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Trainyard's own icons (resources/icons, drawn with one stroke width), tinted from the palette whenever they
// are painted, so that they follow a change of theme at once.
#include <QIcon>

namespace trainyard {

/// `name`: a file of resources/icons without its ending. An unknown name gives an empty picture.
QIcon icon(const char* name);
/// In one colour of the caller's choice.
QIcon icon(const char* name, const QColor& colour);

} // namespace trainyard
