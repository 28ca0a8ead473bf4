// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where journals of this program lie (session/Journal.h): in the user's state directory (XDG Base Directory Specification 0.8); earlier
// versions had them among the data.
#include <QDir>
#include <QFile>
#include <QLockFile>
#include <QString>

namespace trainyard {

inline QString journalDirectory() {
    QString state = qEnvironmentVariable("XDG_STATE_HOME");
    if (!QDir::isAbsolutePath(state)) // as the specification wants it
        state = QDir::homePath() + QStringLiteral("/.local/state");
    return state + QStringLiteral("/trainyard/journal");
}

/// Brings what programs that have ended left behind in `older` to `directory`. Journals of living programs stay for the next time.
inline void takeOverJournals(const QString& older, const QString& directory) {
    const QDir from(older), to(directory);
    const QStringList names = from.entryList({QStringLiteral("*.journal")}, QDir::Files);
    if (!names.isEmpty() && !to.mkpath(QStringLiteral("."))) return;
    for (const QString& name : names) {
        QLockFile lock(from.filePath(name) + QStringLiteral(".lock"));
        lock.setStaleLockTime(0);                                                   // stale only if its program is gone
        if (lock.tryLock(0)) QFile::rename(from.filePath(name), to.filePath(name)); // copies across file systems
    }
    QDir().rmdir(older); // if nothing is left in it
}

} // namespace trainyard
