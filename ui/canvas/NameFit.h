// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How a name is written so that it can be read: as wide as its box, smaller if need be, in two lines where there is
// room for them, and only then without its middle. Used by the painter of the cluster.
#include <QFont>
#include <QRectF>
#include <QString>

class QPainter;

namespace trainyard {

struct NameFit {
    QString text; ///< one line, or two
    QFont font;

    /// `least`: pixels of the smallest type that can be read; `box`: where one line goes, `tall` where two may.
    static NameFit of(const QString& name, const QFont& font, const QSizeF& box, const QSizeF& tall, double least);
    bool isTwoLines() const { return text.contains(QLatin1Char('\n')); }
};

} // namespace trainyard
