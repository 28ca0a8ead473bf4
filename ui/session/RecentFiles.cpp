// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/RecentFiles.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

namespace trainyard {

namespace recent_files {
constexpr int most = 10;
QString setting() { return QStringLiteral("recentFiles"); }
} // namespace recent_files

QStringList recentFiles() { return QSettings().value(recent_files::setting()).toStringList(); }

QStringList recentNames(const QStringList& files) {
    QStringList names;
    for (const QString& path : files) names << QFileInfo(path).fileName();
    const QStringList bare = names;
    for (qsizetype i = 0; i < files.size(); ++i)
        if (bare.count(bare[i]) > 1)
            names[i] = QStringLiteral("%1, %2").arg(bare[i], QFileInfo(files[i]).dir().dirName());
    return names;
}

void rememberRecentFile(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(absolute);
    files.prepend(absolute);
    QSettings().setValue(recent_files::setting(), files.mid(0, recent_files::most));
}

} // namespace trainyard
