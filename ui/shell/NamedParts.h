// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Views, panels and places that a text names, as links to them: "view:prices", "panel:jobs", "place:compare".
#include <QString>

namespace trainyard {

/// Plain text as HTML.
QString linkedText(const QString& text);
/// Of Markdown, titles of views that are set off: *Prices*, **Prices**.
QString linkedMarkdown(const QString& markdown);

} // namespace trainyard
