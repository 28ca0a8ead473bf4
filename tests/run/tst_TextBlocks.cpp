// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Files read in blocks and lines.
#include "base/Random.h"
#include "run/files/AtomicFile.h"
#include "run/import/data/TextBlocks.h"
#include "support/TestMain.h"

#include <QTemporaryDir>

using namespace trainyard;

class tst_TextBlocks : public QObject {
    Q_OBJECT
private slots:
    void linesAreThoseOfTheText();
    void blocksAreTheFile();

private:
    QTemporaryDir m_dir;
};

// Texts with lines of any length, ended in either way, with and without a mark and a last end.
void tst_TextBlocks::linesAreThoseOfTheText() {
    RandomStream random(2, Purpose::test);
    const std::string path = m_dir.filePath("lines").toStdString();
    for (int round = 0; round < 40; ++round) {
        std::vector<std::string> expected;
        std::string text = round % 3 == 0 ? "\xef\xbb\xbf" : "";
        for (std::uint64_t n = random.below(12); n > 0; --n) {
            std::string line(random.below(2) ? random.below(6) : random.below(400'000), 'a');
            text += line + (random.below(2) ? "\n" : "\r\n");
            expected.push_back(std::move(line));
        }
        if (random.below(2)) text += expected.emplace_back("the last");
        QVERIFY(writeFileAtomically(path, text).empty());
        TextLines lines(path, "shown");
        for (std::size_t n = 0; n < expected.size(); ++n) {
            const auto line = lines.next();
            QVERIFY(line && *line == expected[n]);
            QCOMPARE(lines.line(), std::uint64_t{n + 1});
        }
        QVERIFY(!lines.next() && lines.problems().empty());
    }
    TextLines missing(path + "x", "shown");
    QVERIFY(!missing.next());
    QCOMPARE(missing.problems().front().text(), std::string("shown: cannot be read: No such file or directory"));
    TextLines directory(m_dir.path().toStdString(), "shown");
    QVERIFY(!directory.next());
    QCOMPARE(directory.problems().front().text(), std::string("shown: cannot be read: it is a directory"));
}

void tst_TextBlocks::blocksAreTheFile() {
    RandomStream random(3, Purpose::test);
    const std::string path = m_dir.filePath("blocks").toStdString();
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, TextBlocks::blockBytes, 3 * TextBlocks::blockBytes + 5}) {
        std::string text(size, 'a'), found;
        for (char& c : text) c = static_cast<char>(random.below(256));
        if (size > 1) text[0] = 'x'; // packed files begin with 1f 8b
        QVERIFY(writeFileAtomically(path, text).empty());
        TextBlocks blocks(path, "shown");
        for (std::string_view block = blocks.next(); !block.empty(); block = blocks.next()) {
            QVERIFY(block.size() <= TextBlocks::blockBytes);
            found += block;
        }
        QVERIFY(found == text && blocks.problems().empty());
    }
}

TRAINYARD_TEST(tst_TextBlocks)
#include "tst_TextBlocks.moc"
