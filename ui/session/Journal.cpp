// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/Journal.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QDir>
#include <QFileInfo>
#include <QUuid>

#include <algorithm>
#include <filesystem>
#include <optional>

namespace trainyard {

namespace {

constexpr quint32 journalMagic = 0x54794a31; // "TyJ1"
constexpr qint64 journalLimit = qint64{16} << 20;

QByteArray checksumOf(const QByteArray& payload) {
    return QCryptographicHash::hash(payload,
                                    QCryptographicHash::Md5); // against torn writes, not against people
}

/// The last entry whose checksum holds.
std::optional<Journal::Entry> lastIntact(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
    QDataStream in(&file);
    in.setVersion(QDataStream::Qt_6_0);
    std::optional<Journal::Entry> found;
    while (!in.atEnd()) {
        quint32 magic = 0;
        QByteArray payload, checksum;
        in >> magic >> payload >> checksum;
        if (in.status() != QDataStream::Ok || magic != journalMagic || checksum != checksumOf(payload)) break;
        QDataStream fields(payload);
        fields.setVersion(QDataStream::Qt_6_0);
        Journal::Entry entry;
        fields >> entry.documentPath >> entry.text >> entry.written;
        entry.journal = path;
        found = std::move(entry);
    }
    return found;
}

std::unique_ptr<QLockFile> lockOf(const QString& journal) {
    auto lock = std::make_unique<QLockFile>(journal + QStringLiteral(".lock"));
    lock->setStaleLockTime(0); // stale only if its program is gone
    return lock;
}

} // namespace

Journal::Journal(const QString& directory) {
    if (!QDir().mkpath(directory)) return;
    const QString path =
        QDir(directory).filePath(QUuid::createUuid().toString(QUuid::WithoutBraces) + QStringLiteral(".journal"));
    m_lock = lockOf(path);
    if (!m_lock->tryLock(0)) return;
    auto file = std::make_unique<QFile>(path);
    if (file->open(QIODevice::ReadWrite | QIODevice::Truncate)) m_file = std::move(file);
}

Journal::~Journal() {
    if (m_file) m_file->remove();
}

void Journal::write(const QString& documentPath, const QByteArray& text) {
    if (!m_file) return;
    QByteArray payload;
    QDataStream fields(&payload, QIODevice::WriteOnly);
    fields.setVersion(QDataStream::Qt_6_0);
    fields << documentPath << text << QDateTime::currentDateTime();
    // Past the limit a fresh file takes over: written whole beside the old one and renamed, so there is
    // always one intact.
    if (m_file->size() > journalLimit) {
        const QString name = m_file->fileName(), next = name + QStringLiteral(".next");
        auto fresh = std::make_unique<QFile>(next);
        if (fresh->open(QIODevice::WriteOnly | QIODevice::Truncate)) {
            QDataStream out(fresh.get());
            out.setVersion(QDataStream::Qt_6_0);
            out << journalMagic << payload << checksumOf(payload);
            fresh->close();
            m_file->close();
            std::error_code error;
            std::filesystem::rename(next.toStdString(), name.toStdString(), error);
            if (!m_file->open(QIODevice::ReadWrite | QIODevice::Append)) m_file.reset();
            return;
        }
    }
    QDataStream out(m_file.get());
    out.setVersion(QDataStream::Qt_6_0);
    out << journalMagic << payload << checksumOf(payload);
    m_file->flush();
}

void Journal::clear() {
    if (!m_file) return;
    m_file->resize(0);
    m_file->seek(0);
}

QList<Journal::Entry> Journal::leftBehind(const QString& directory) {
    QList<Entry> entries;
    const QDir dir(directory);
    for (const QString& name : dir.entryList({QStringLiteral("*.journal")}, QDir::Files)) {
        const QString path = dir.filePath(name);
        const auto lock = lockOf(path);
        if (!lock->tryLock(0)) continue;
        if (auto entry = lastIntact(path))
            entries.append(*entry);
        else
            QFile::remove(path);
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.written > b.written; });
    return entries;
}

void Journal::discard(const QString& journal) { QFile::remove(journal); }

} // namespace trainyard
