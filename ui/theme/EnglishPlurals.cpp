// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/EnglishPlurals.h"

namespace trainyard {

/// Texts that name no number are left as they are.
QString EnglishPlurals::translate(const char*, const char* source, const char*, int n) const {
    if (n < 0 || !source) return {};
    QString text = QString::fromUtf8(source);
    for (const auto* ending : {"s", "es"})
        text.replace(QStringLiteral("(%1)").arg(QLatin1String(ending)), n == 1 ? QString() : QLatin1String(ending));
    return text;
}

} // namespace trainyard
