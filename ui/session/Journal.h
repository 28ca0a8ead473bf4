// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What was not yet saved, on disk: one file with the whole document and its checksum, replaced whole at each writing, so that what was
// written last survives a killed program, a torn write and a full disk. Removed on a clean exit; what is left behind by a program that no
// longer runs is offered for recovery. One journal per program; Workspace writes it after every edit.
#include "base/Result.h"

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QLockFile>
#include <QString>

#include <memory>

namespace trainyard {

class Journal {
public:
    struct Entry {
        QString documentPath; ///< file the document came from; empty if none
        QByteArray text;      ///< the document, canonical
        QDateTime written;
        QString journal; ///< the journal's own file: discard() it when dealt with
        /// Of its file, else its title.
        QString name() const;
    };

    /// `directory` is made if needed.
    explicit Journal(const QString& directory);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    /// Problems: it holds what it held before; can be tried again.
    Problems write(const QString& documentPath, const QByteArray& text);
    /// Nothing is unsaved any more.
    void clear();

    /// What programs that have ended left behind, newest first. Journals of living programs are not touched; those that cannot be read are
    /// kept aside, as NAME.journal.unreadable.
    static QList<Entry> leftBehind(const QString& directory);
    static void discard(const QString& journal);

private:
    bool isOurs(); ///< also makes it so

    QString m_directory, m_path;
    std::unique_ptr<QLockFile> m_lock;
};

} // namespace trainyard
