// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/FileNames.h"

#include <QDir>
#include <QRegularExpression>
#include <QStandardPaths>

namespace trainyard {

QString portableName(QString title) {
    static const QRegularExpression colon(QStringLiteral(":\\s+")), other(QStringLiteral("[<>:\"/\\\\|?*\\x00-\\x1f]"));
    return title.replace(colon, QStringLiteral(" - ")).replace(other, QStringLiteral("-"));
}

QString proposedFile(const QString& name) {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)).filePath(portableName(name));
}

} // namespace trainyard
