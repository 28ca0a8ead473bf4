// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Notices that the file of the open document has been changed by another program. What Trainyard itself
// writes, and a file touched without another content, are no changes. Used by FileActions, which asks what to
// do.
#include "session/ScenarioModel.h"

#include <QFileSystemWatcher>
#include <QTimer>

namespace trainyard {

class FileWatch final : public QObject {
    Q_OBJECT
public:
    explicit FileWatch(ScenarioModel& document, QObject* parent = nullptr);

    /// Looks now instead of when the system tells.
    void look();
    /// What is on disk was not written here and has not been read.
    bool isChangedOnDisk() const;
    /// What is on disk now is known: it was saved here, or the user has decided about it.
    void acknowledge();

Q_SIGNALS:
    void changedOnDisk();
    void removedFromDisk();

private:
    void follow(bool another);

    ScenarioModel& m_document;
    QFileSystemWatcher m_watcher;
    QString m_path;
    QByteArray m_known;        ///< checksum of the content last read, written, or told of
    QByteArray m_acknowledged; ///< the same, without what was only told of
    bool m_gone = false;
    QTimer m_soon; ///< programs write in several steps
};

} // namespace trainyard
