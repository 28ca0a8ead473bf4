// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A scenario file as a person might have laid it out: the same content as another, not in the canonical
// layout.
#include <QFile>
#include <QString>

namespace trainyard::test {

inline QString handMadeCopy(const QString& of, const QString& to) {
    QFile source(of), copy(to);
    if (source.open(QIODevice::ReadOnly) && copy.open(QIODevice::WriteOnly)) copy.write("\n\n" + source.readAll());
    return to;
}

} // namespace trainyard::test
