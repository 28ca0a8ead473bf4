// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QStringList>
#include <QXmlStreamReader>

namespace trainyard::test {

/// What stands in a picture, in the order in which it was drawn.
inline QStringList svgTexts(const QByteArray& svg) {
    QStringList out;
    for (QXmlStreamReader reader(svg); !reader.atEnd();)
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("text"))
            out << reader.readElementText().trimmed();
    return out;
}

} // namespace trainyard::test
