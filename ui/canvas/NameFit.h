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
    /// Pixels of the type in which all of the name stands in the box, in one line unless two can be much larger; 0: in none.
    static int wholeSize(const QString& name, const QFont& font, const QSizeF& box, double least);
    /// Of a name that does not fit, the word that tells it from others: "4" of "Worker 4 (slow)", else the last one.
    static QString shortest(const QString& name);
    /// "Worker 4" of "Worker 4 (slow)".
    static QString withoutRemark(const QString& name);
    bool isTwoLines() const { return text.contains(QLatin1Char('\n')); }
};

} // namespace trainyard
