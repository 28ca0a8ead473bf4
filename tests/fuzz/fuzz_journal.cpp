// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// libFuzzer on what a window left behind: packaging/fuzz builds and runs it. The first byte says whether the others are the file or what
// stands in it behind a right checksum. An input that breaks something goes to tests/fuzz/journal together with the fix.
#include "fuzz/MemoryDirectory.h"
#include "session/Journal.h"

#include <QCryptographicHash>
#include <QDataStream>
#include <QDir>

#include <cstdint>

using namespace trainyard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const QString directory = QString::fromStdString(test::memoryDirectory().string());
    if (size == 0) return 0;
    const QByteArray given(reinterpret_cast<const char*>(data) + 1, static_cast<qsizetype>(size - 1));
    QFile file(directory + QStringLiteral("/fuzzed.journal"));
    test::demand(file.open(QIODevice::WriteOnly), "no file for the fuzzer");
    if (data[0] % 2 == 0) {
        file.write(given);
    } else {
        QDataStream out(&file);
        out.setVersion(QDataStream::Qt_6_0);
        out << quint32{0x54794a31} << given << QCryptographicHash::hash(given, QCryptographicHash::Md5);
    }
    file.close();
    const QList<Journal::Entry> entries = Journal::leftBehind(directory);
    test::demand(entries.size() <= 1, "one file has two entries");
    for (const Journal::Entry& entry : entries) {
        test::demand(entry.text.size() <= given.size(), "more text than the file has bytes");
        Journal::discard(entry.journal);
    }
    const QDir dir(directory);
    test::demand(dir.entryList({QStringLiteral("*.journal")}, QDir::Files).isEmpty(),
                 "a file that cannot be read stays");
    QFile::remove(directory + QStringLiteral("/fuzzed.journal.unreadable"));
    return 0;
}
