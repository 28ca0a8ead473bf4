// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/FileWatch.h"

#include <QCryptographicHash>
#include <QFile>

namespace trainyard {

namespace file_watch {

QByteArray checksum(const QByteArray& content) { return QCryptographicHash::hash(content, QCryptographicHash::Sha1); }

/// Null if it cannot be read.
QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace file_watch

FileWatch::FileWatch(ScenarioModel& document, QObject* parent) : QObject(parent), m_document(document) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(150);
    connect(&m_soon, &QTimer::timeout, this, &FileWatch::look);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_soon, qOverload<>(&QTimer::start));
    connect(&document, &ScenarioModel::documentReplaced, this, [this] { follow(true); });
    connect(&document, &ScenarioModel::fileChanged, this, [this] { follow(m_path != m_document.filePath()); });
    follow(true);
}

void FileWatch::follow(bool another) {
    m_path = m_document.filePath();
    if (!m_watcher.files().isEmpty() && m_watcher.files() != QStringList{m_path})
        m_watcher.removePaths(m_watcher.files());
    if (m_path.isEmpty()) return;
    if (another) {
        m_known = m_acknowledged = file_watch::checksum(file_watch::contentOf(m_path));
        m_gone = !QFile::exists(m_path);
    }
    // A file that was replaced by a new one of the same name (an atomic save) is no longer watched.
    if (m_watcher.files().isEmpty() && QFile::exists(m_path)) m_watcher.addPath(m_path);
}

bool FileWatch::isChangedOnDisk() const {
    if (m_path.isEmpty() || !QFile::exists(m_path)) return false;
    return file_watch::checksum(file_watch::contentOf(m_path)) != m_acknowledged;
}

void FileWatch::acknowledge() {
    m_path = m_document.filePath();
    m_known = m_acknowledged = file_watch::checksum(file_watch::contentOf(m_path));
    m_gone = false;
}

void FileWatch::look() {
    if (m_path.isEmpty()) return;
    follow(false);
    if (!QFile::exists(m_path)) {
        if (!std::exchange(m_gone, true)) Q_EMIT removedFromDisk();
        return;
    }
    m_gone = false;
    const QByteArray content = file_watch::contentOf(m_path), sum = file_watch::checksum(content);
    if (sum == m_known) return;
    m_known = sum;
    if (content == QByteArray::fromStdString(writeScenario(m_document.scenario()))) return; // saved here
    Q_EMIT changedOnDisk();
}

} // namespace trainyard
