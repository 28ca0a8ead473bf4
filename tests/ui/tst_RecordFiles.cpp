// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Charts and tables that are written into the directory of a record are of the record; where it is of another run, nothing is written.
#include "export/Movie.h"
#include "export/Render.h"
#include "run/files/RunFiles.h"
#include "support/BusyRecord.h"
#include "support/TestMain.h"

#include <QDir>
#include <QTemporaryDir>

using namespace trainyard;

class tst_RecordFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanupTestCase() {
        std::filesystem::remove_all(m_dir.path().toStdString());
    } // Qt finds no names that are not UTF-8
    void whatIsRenderedIsListed_data();
    void whatIsRenderedIsListed();
    void framesAreNotOfTheRecord();
    void anotherRunsRecordIsLeftAlone();
    void damagedListsAreSaid();

private:
    std::string path(const char* name = "record") const { return m_dir.filePath(QLatin1String(name)).toStdString(); }
    int render(const QString& words) const {
        return renderRecord((QStringLiteral("trainyard|--render|%1|").arg(QString::fromStdString(path())) + words)
                                .split(QLatin1Char('|')));
    }
    static QStringList problemsOf(const std::string& directory) {
        QStringList out;
        for (const Problem& problem : verifyRunDirectory(directory)) out << QString::fromStdString(problem.text());
        return out;
    }
    QTemporaryDir m_dir;
    std::string m_digest = provenanceOf(test::busyRunData()).digest;
};

void tst_RecordFiles::initTestCase() {
    QVERIFY(test::writeBusyRecord(QString::fromStdString(path())));
    QFile table(m_dir.filePath(QStringLiteral("record/metrics.csv"))); // as trainyard-cli has written one
    QVERIFY(table.open(QIODevice::WriteOnly) && table.write("metric,value\n") > 0);
    table.close();
    QVERIFY(writeRunFiles(path(), m_digest).empty());
    QCOMPARE(problemsOf(path()), QStringList());
}

void tst_RecordFiles::whatIsRenderedIsListed_data() {
    QTest::addColumn<QString>("words");
    const QString record = m_dir.filePath(QStringLiteral("record"));
    QTest::newRow("replaced") << QStringLiteral("--out|%1|--views|metrics|--formats|csv").arg(record);
    QTest::newRow("charts") << QStringLiteral("--out|%1/|--formats|svg").arg(record);
    QTest::newRow("pictures") << QStringLiteral("--out|%1/pictures|--formats|svg").arg(record);
    QTest::newRow("pictures again") << QStringLiteral("--out|%1/pictures|--formats|svg|--width|700").arg(record);
    QTest::newRow("one file") << QStringLiteral("--view|iteration|-o|%1/mine.svg").arg(record);
}

void tst_RecordFiles::whatIsRenderedIsListed() {
    QFETCH(QString, words);
    const auto before = readRunFiles(path());
    QCOMPARE(render(words), 0);
    QCOMPARE(problemsOf(path()), QStringList());
    QVERIFY(before->files != readRunFiles(path())->files);
}

void tst_RecordFiles::framesAreNotOfTheRecord() {
    const RunData run = test::busyRunData();
    const MovieOptions movie{
        .directory = m_dir.filePath(QStringLiteral("record")), .framesPerSecond = 1, .to = 1, .speed = 1};
    const ExportResult result = exportMovie(run, provenanceOf(run), movie);
    QVERIFY(result.problems.empty() && !result.files.isEmpty());
    QCOMPARE(problemsOf(path()).size(), 1); // the directory of frames; provenance.json is listed
    QVERIFY(!hasErrors(verifyRunDirectory(path())));
}

void tst_RecordFiles::anotherRunsRecordIsLeftAlone() {
    const QString other = m_dir.filePath(QStringLiteral("other"));
    QVERIFY(QDir().mkpath(other));
    QFile(other + QStringLiteral("/loss.svg")).open(QIODevice::WriteOnly);
    QVERIFY(writeRunFiles(path("other"), "0123456789abcdef").empty());
    const QStringList before = QDir(other).entryList(QDir::Files);
    QCOMPARE(render(QStringLiteral("--out|%1|--views|loss").arg(other)), 2);
    QCOMPARE(render(QStringLiteral("--view|iteration|-o|%1/x.svg").arg(other)), 2);
    QCOMPARE(render(QStringLiteral("--frames|--fps|1|--speed|10|--out|%1").arg(other)), 2);
    QCOMPARE(QDir(other).entryList(QDir::AllEntries | QDir::NoDotAndDotDot), before);
    QCOMPARE(QFileInfo(other + QStringLiteral("/loss.svg")).size(), 0);
}

void tst_RecordFiles::damagedListsAreSaid() {
    const QString damaged = m_dir.filePath(QStringLiteral("damaged"));
    QVERIFY(QDir().mkpath(damaged));
    QFile list(damaged + QStringLiteral("/files.json"));
    QVERIFY(list.open(QIODevice::WriteOnly) && list.write("{") == 1);
    list.close();
    QCOMPARE(render(QStringLiteral("--out|%1|--views|loss|--formats|svg").arg(damaged)), 1);
    QVERIFY(QFile::exists(damaged + QStringLiteral("/loss.svg")));
    QCOMPARE(QFileInfo(damaged + QStringLiteral("/files.json")).size(), 1);
}

TRAINYARD_TEST(tst_RecordFiles)
#include "tst_RecordFiles.moc"
