// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The style sheet of the whole application, in the colours of a theme and at a scale. Used by Theme::apply().
#include <QString>

namespace trainyard {

struct Theme;

QString themeSheet(const Theme& theme, double scale);

} // namespace trainyard
