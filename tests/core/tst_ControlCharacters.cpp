// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/ControlCharacters.h"

#include "support/TestMain.h"

using namespace trainyard;

class tst_ControlCharacters : public QObject {
    Q_OBJECT
private slots:
    void allAreFound();
    void terminalsGetNone();
};

// Unicode's category Cc is U+0000 to U+001F and U+007F to U+009F, and nothing else: 65 of the first 0x300 code points.
void tst_ControlCharacters::allAreFound() {
    int found = 0;
    for (char32_t c = 0; c < 0x300; ++c) {
        const std::string text = "a" + QString::fromUcs4(&c, 1).toStdString() + "b";
        const bool control = c < 0x20 || (c >= 0x7f && c < 0xa0);
        QCOMPARE(hasControls(text), control);
        QCOMPARE(withoutControls(text), control ? std::string("a b") : text);
        char escape[16];
        std::snprintf(escape, sizeof escape, "a\\u%04xb", static_cast<unsigned>(c));
        QCOMPARE(escapedControls(text), control && c != '\n' && c != '\t' ? std::string(escape) : text);
        found += control;
    }
    QCOMPARE(found, 65);
    QVERIFY(!hasControls("Zürich, 学习 … 🚆"));
    QVERIFY(!hasControls("\xc2")); // no whole character
}

// ESC [ 31 m, the same by C1, a link (OSC 8), and a change of direction.
void tst_ControlCharacters::terminalsGetNone() {
    QCOMPARE(escapedControls("\x1b[31mred\u009b0m\x1b]8;;http://x\x07 \u202ecba\u2069 1\n\t2\r3"),
             std::string("\\u001b[31mred\\u009b0m\\u001b]8;;http://x\\u0007 \\u202ecba\\u2069 1\n\t2\\u000d3"));
    QCOMPARE(withoutControls("\u202e"), std::string("\u202e"));
}

TRAINYARD_TEST(tst_ControlCharacters)
#include "tst_ControlCharacters.moc"
