// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// CSV files of measured times: what is read, and what is wrong with a file, by line.
#include "run/files/AtomicFile.h"
#include "run/import/MeasuredTimes.h"
#include "support/TestMain.h"

#include <QTemporaryDir>

using namespace trainyard;

class tst_MeasuredTimes : public QObject {
    Q_OBJECT
private slots:
    void reads_data();
    void reads();
    void names_data();
    void names();

private:
    Result<std::vector<double>> read(const QString& text, const QString& column) const;
    QTemporaryDir m_dir;
};

Result<std::vector<double>> tst_MeasuredTimes::read(const QString& text, const QString& column) const {
    const std::string file = m_dir.filePath(QStringLiteral("times.csv")).toStdString();
    if (const auto problems = writeFileAtomically(file, text.toStdString()); !problems.empty()) return problems;
    return readMeasuredTimes(file, column.toStdString());
}

void tst_MeasuredTimes::reads_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("column");
    const QString none;
    QTest::newRow("bare") << "1\n2.5\n3e-2\n" << none;
    QTest::newRow("after a mark of UTF-8") << "\uFEFF1\n2.5\n3e-2\n" << none;
    QTest::newRow("named, after such a mark") << "\uFEFFt,seconds\n1,9\n2.5,9\n0.03,9\n"
                                              << "t";
    QTest::newRow("named, no newline at the end") << "seconds\n1\n2.5\n0.03" << none;
    QTest::newRow("comments, blank lines, CRLF") << "# measured\r\n\r\nt\r\n1\r\n2.5\r\n\r\n0.03\r\n" << none;
    QTest::newRow("by name") << "worker,seconds\na,1\nb,2.5\nc,0.03\n"
                             << "seconds";
    QTest::newRow("by number") << "a;1\nb;2.5\nc;0.03\n"
                               << "2";
    QTest::newRow("tabs and quotes") << "\"t\"\t\"u\"\n\"1\"\tx\n2.5\ty\n0.03\tz\n"
                                     << "t";
}

void tst_MeasuredTimes::reads() {
    QFETCH(QString, text);
    QFETCH(QString, column);
    const auto times = read(text, column);
    QVERIFY2(times.ok(), times.ok() ? "" : times.problems().front().text().c_str());
    QCOMPARE(*times, (std::vector<double>{1, 2.5, 0.03}));
}

void tst_MeasuredTimes::names_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("column");
    QTest::addColumn<QStringList>("problems"); // after the file's name
    const QString none;
    QTest::newRow("empty") << "" << none << QStringList{": there are no times in it"};
    QTest::newRow("a header alone") << "t\n" << none << QStringList{":1: there are no times in it"};
    QTest::newRow("which column") << "a,b\n1,2\n"
                                  << none
                                  << QStringList{":1: there are 2 columns (a, b); choose one by its name or its "
                                                 "number from 1"};
    QTest::newRow("no such column") << "a,b\n1,2\n"
                                    << "c" << QStringList{":1: there is no column \"c\"; the line has a, b"};
    QTest::newRow("number beyond") << "a,b\n1,2\n"
                                   << "3" << QStringList{":1: there is no column \"3\"; the line has a, b"};
    QTest::newRow("named twice") << "a,b,a\n1,2,3\n"
                                 << "a"
                                 << QStringList{
                                        ":1: the column \"a\" is there more than once; choose one by its number"};
    QTest::newRow("bad values") << "t\n1\nfast\n0\n-2\nnan\n5\n"
                                << none
                                << QStringList{":3: \"fast\" is not a time; a number above 0 is required",
                                               ":4: \"0\" is not a time; a number above 0 is required",
                                               ":5: \"-2\" is not a time; a number above 0 is required",
                                               ":6: \"nan\" is not a time; a number above 0 is required"};
    QTest::newRow("a line too short") << "a,b\n1,2\n3\n"
                                      << "a" << QStringList{":3: the line has 1 values, those before it 2"};
}

void tst_MeasuredTimes::names() {
    QFETCH(QString, text);
    QFETCH(QString, column);
    QFETCH(QStringList, problems);
    const auto times = read(text, column);
    QVERIFY(!times.ok());
    const QString file = m_dir.filePath(QStringLiteral("times.csv"));
    QStringList found;
    for (const auto& problem : times.problems()) found += QString::fromStdString(problem.text());
    for (QString& problem : problems) problem = file + problem;
    QCOMPARE(found, problems);
}

TRAINYARD_TEST(tst_MeasuredTimes)
#include "tst_MeasuredTimes.moc"
