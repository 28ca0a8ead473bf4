// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/FileWords.h"

#include "base/ReadableName.h"

#include <QByteArrayView>
#include <QStringDecoder>

#include <algorithm>

namespace trainyard {

namespace file_words {

constexpr char16_t firstByte = 0xdc80, lastByte = 0xdcff;

bool decoded(QByteArrayView bytes, QString& out) {
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder(bytes);
    if (decoder.hasError()) return false;
    out += text;
    return true;
}

/// Whether the character at i stands for a byte.
bool isByte(const QString& word, qsizetype i) {
    const char16_t c = word[i].unicode();
    return c >= firstByte && c <= lastByte && (i == 0 || !word[i - 1].isHighSurrogate());
}

} // namespace file_words

QString wordOf(const std::string& bytes) {
    using namespace file_words;
    const QByteArrayView all(bytes.data(), static_cast<qsizetype>(bytes.size()));
    QString out;
    if (decoded(all, out)) return out;
    for (qsizetype i = 0; i < all.size();) {
        const qsizetype most = std::min<qsizetype>(4, all.size() - i);
        qsizetype length = 1;
        while (length <= most && !decoded(all.sliced(i, length), out)) ++length;
        if (length > most) {
            length = 1;
            out += QChar(static_cast<char16_t>(0xdc00 + static_cast<unsigned char>(all[i])));
        }
        i += length;
    }
    return out;
}

std::string bytesOf(const QString& word) {
    using namespace file_words;
    std::string out;
    qsizetype from = 0;
    for (qsizetype i = 0; i < word.size(); ++i)
        if (isByte(word, i)) {
            out += word.mid(from, i - from).toStdString();
            out += static_cast<char>(word[i].unicode() - 0xdc00);
            from = i + 1;
        }
    return out + word.mid(from).toStdString();
}

QString readableWord(const QString& word) { return QString::fromStdString(readableName(bytesOf(word))); }

} // namespace trainyard
