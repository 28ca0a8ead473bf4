// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is put aside, and sorted in runs.
#include "base/Random.h"
#include "run/import/data/SortedRuns.h"
#include "support/TestMain.h"

#include <QTemporaryDir>

using namespace trainyard;

class tst_SortedRuns : public QObject {
    Q_OBJECT
private slots:
    void recordsComeSorted();
    void scratchFilesHold();
    void failuresAreTold();

private:
    QTemporaryDir m_dir;
};

void tst_SortedRuns::recordsComeSorted() {
    RandomStream random(1, Purpose::test);
    for (const std::size_t most : {1UL, 2UL, 7UL, 100UL, 5000UL})
        for (const std::size_t count : {0UL, 1UL, 7UL, 8UL, 500UL}) {
            SortedRuns<std::uint32_t, std::less<std::uint32_t>> sorted(m_dir.path().toStdString(), most);
            std::vector<std::uint32_t> expected, found;
            for (std::size_t n = 0; n < count; ++n) {
                expected.push_back(static_cast<std::uint32_t>(random.below(300)));
                sorted.add(expected.back());
            }
            std::ranges::sort(expected);
            sorted.forEach([&](std::uint32_t record) {
                found.push_back(record);
                return true;
            });
            QVERIFY(found == expected);
            QVERIFY(!sorted.failed() && sorted.problems().empty());
        }
    QVERIFY(QDir(m_dir.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
}

// Records that lie across blocks, by two readers in turn, of the whole and of a part.
void tst_SortedRuns::scratchFilesHold() {
    struct Record {
        std::uint32_t a, b, c;
    };
    ScratchFile file(m_dir.path().toStdString());
    constexpr std::uint32_t count = 100'000;
    for (std::uint32_t n = 0; n < count; ++n) file.add(Record{n, n * n, ~n});
    QCOMPARE(file.bytes(), std::uint64_t{count} * 12);
    ScratchFile::Reader whole(file), part(file, 12 * 1000, 12 * 90'000);
    Record record{};
    for (std::uint32_t n = 0; n < count; ++n) {
        QVERIFY(whole.next(record));
        QVERIFY(record.a == n && record.b == n * n && record.c == ~n);
        if (n >= 89'000) continue;
        QVERIFY(part.next(record));
        QCOMPARE(record.a, n + 1000);
    }
    QVERIFY(!whole.next(record) && !part.next(record));
    QVERIFY(!file.failed());
}

void tst_SortedRuns::failuresAreTold() {
    ScratchFile nowhere("/nonexistent");
    nowhere.add(1);
    QVERIFY(nowhere.failed());
    QCOMPARE(nowhere.problems().front().text(),
             std::string("/nonexistent: what does not fit in memory cannot be put aside in this directory: "
                         "No such file or directory"));
    int number = 0;
    QVERIFY(!ScratchFile::Reader(nowhere).next(number));
}

TRAINYARD_TEST(tst_SortedRuns)
#include "tst_SortedRuns.moc"
