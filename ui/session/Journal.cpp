// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/Journal.h"

#include "run/files/AtomicFile.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDataStream>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>

#include <algorithm>
#include <optional>

namespace trainyard {

namespace {

constexpr quint32 journalMagic = 0x54794a31; // "TyJ1"

QByteArray checksumOf(const QByteArray& payload) {
    return QCryptographicHash::hash(payload,
                                    QCryptographicHash::Md5); // against torn writes, not against people
}

/// The last entry whose checksum holds; earlier versions wrote several.
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

Journal::Journal(const QString& directory)
    : m_directory(directory),
      m_path(QDir(directory).filePath(QUuid::createUuid().toString(QUuid::WithoutBraces) + QStringLiteral(".journal"))),
      m_lock(lockOf(m_path)) {
    isOurs();
}

Journal::~Journal() { clear(); }

bool Journal::isOurs() { return m_lock->isLocked() || (QDir().mkpath(m_directory) && m_lock->tryLock(0)); }

Problems Journal::write(const QString& documentPath, const QByteArray& text) {
    if (!isOurs())
        return {{.code = "cannot-write",
                 .message = {TRAINYARD_TEXT("nothing can be written to this directory: {0}"), {"no lock"}},
                 .file = m_directory.toStdString()}};
    QByteArray payload, bytes;
    QDataStream fields(&payload, QIODevice::WriteOnly), out(&bytes, QIODevice::WriteOnly);
    fields.setVersion(QDataStream::Qt_6_0);
    out.setVersion(QDataStream::Qt_6_0);
    fields << documentPath << text << QDateTime::currentDateTime();
    out << journalMagic << payload << checksumOf(payload);
    return writeFileAtomically(QFile::encodeName(m_path).toStdString(),
                               {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

void Journal::clear() { QFile::remove(m_path); }

QList<Journal::Entry> Journal::leftBehind(const QString& directory) {
    QList<Entry> entries;
    const QDir dir(directory);
    for (const QString& name : dir.entryList({QStringLiteral("*.journal")}, QDir::Files)) {
        const QString path = dir.filePath(name);
        const auto lock = lockOf(path);
        if (!lock->tryLock(0)) continue;
        if (auto entry = lastIntact(path))
            entries.append(*entry);
        else if (QFileInfo(path).size() == 0)
            QFile::remove(path);
        else if (QFileInfo(path).isReadable())
            QFile::rename(path, path + QStringLiteral(".unreadable"));
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.written > b.written; });
    return entries;
}

QString Journal::Entry::name() const {
    if (!documentPath.isEmpty()) return QFileInfo(documentPath).fileName();
    const QString title = QJsonDocument::fromJson(text).object().value(QLatin1String("title")).toString();
    return title.isEmpty() ? QCoreApplication::translate("Journal", "An unnamed scenario") : title;
}

void Journal::discard(const QString& journal) { QFile::remove(journal); }

} // namespace trainyard
