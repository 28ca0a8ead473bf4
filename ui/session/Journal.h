// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What was not yet saved, on disk: an append-only file of whole documents, each with its length and checksum,
// so that the last intact one survives a killed program or a torn write. Removed on a clean exit; what is
// left behind by a program that no longer runs is offered for recovery. One journal per program; Workspace
// writes it after every edit.
#include <QByteArray>
#include <QDateTime>
#include <QFile>
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
    };

    /// `directory` is made if needed. A journal that cannot be written does nothing; working() says so.
    explicit Journal(const QString& directory);
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    bool working() const { return m_file != nullptr; }
    void write(const QString& documentPath, const QByteArray& text);
    /// Nothing is unsaved any more: the file shrinks to nothing.
    void clear();

    /// What programs that have ended left behind, newest first. Journals of living programs are not touched.
    static QList<Entry> leftBehind(const QString& directory);
    static void discard(const QString& journal);

private:
    std::unique_ptr<QLockFile> m_lock;
    std::unique_ptr<QFile> m_file;
};

} // namespace trainyard
