// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is UTF-8, against all code points and against Qt's decoder on random bytes.
#include "base/Random.h"
#include "base/Utf8.h"
#include "support/TestMain.h"

#include <QStringDecoder>

using namespace trainyard;

class tst_Utf8 : public QObject {
    Q_OBJECT
private slots:
    void everyCodePoint();
    void whatIsNone();
    void randomBytes();
};

void tst_Utf8::everyCodePoint() {
    for (char32_t c = 0; c <= 0x10ffff; ++c) {
        if (c >= 0xd800 && c < 0xe000) continue;
        const std::string text = QString::fromUcs4(&c, 1).toStdString();
        QCOMPARE(utf8Length(text), text.size());
        QCOMPARE(utf8Length(text + "\x80"), text.size());
        QCOMPARE(firstInvalidUtf8("ab" + text), text.size() + 2);
        for (std::size_t cut = 0; cut < text.size(); ++cut) QCOMPARE(utf8Length(text.substr(0, cut)), std::size_t{0});
    }
}

void tst_Utf8::whatIsNone() {
    for (const char* text : {"\x80", "\xbf", "\xc0\xaf", "\xc1\xbf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf0\x80\x80\xaf",
                             "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"})
        for (std::size_t before = 0; before < 20; ++before)
            QCOMPARE(firstInvalidUtf8(std::string(before, 'x') + text + "yyyyyyyyyyyy"), before);
}

void tst_Utf8::randomBytes() {
    RandomStream random(1, Purpose::test);
    int valid = 0;
    for (int round = 0; round < 100'000; ++round) {
        std::string bytes(random.below(12), 'a');
        for (char& c : bytes)
            if (random.below(3) == 0)
                c = static_cast<char>(random.below(2) == 0 ? 0x80 + random.below(64) : 0xc0 + random.below(64));
        QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
        const QString decoded = decoder(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
        const bool good = !decoder.hasError() && !decoded.contains(QChar::ReplacementCharacter);
        QCOMPARE(firstInvalidUtf8(bytes) == bytes.size(), good);
        valid += good && bytes.size() > 1;
    }
    QVERIFY(valid > 1000 && valid < 99'000);
}

TRAINYARD_TEST(tst_Utf8)
#include "tst_Utf8.moc"
