// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Files of separated values: what is a cell and in which line, and what is refused.
#include "base/CsvTable.h"
#include "support/TestMain.h"

#include <QFile>
#include <QTemporaryDir>

#include <random>

using namespace trainyard;

class tst_CsvTable : public QObject {
    Q_OBJECT
private slots:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void comments();
    void fieldsAreQuoted();
    void formulasAreMarked();

private:
    Result<CsvTable> read(const QByteArray& text, const CsvFormat& format = {}) const;
    QTemporaryDir m_dir;
};

Result<CsvTable> tst_CsvTable::read(const QByteArray& text, const CsvFormat& format) const {
    QFile file(m_dir.filePath(QStringLiteral("table.csv")));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) return Problem{.code = "cannot-write"};
    file.close();
    return readCsvTable(file.fileName().toStdString(), format);
}

void tst_CsvTable::reads_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("rows"); // "line:cell|cell"
    QTest::addColumn<int>("lines");
    const auto row = [](const char* name, const QByteArray& text, const QStringList& rows, int lines) {
        QTest::newRow(name) << text << rows << lines;
    };
    row("empty", "", {}, 0);
    row("a mark alone", "\xEF\xBB\xBF", {}, 0);
    row("blank lines", "\n \r\n\t\n", {}, 3);
    row("one cell", "a", {"1:a"}, 1);
    row("no newline at the end", "a,b\n1,2", {"1:a|b", "2:1|2"}, 2);
    row("mark, CRLF, comment", "\xEF\xBB\xBF# x\r\na,b\r\n\r\n1,2\r\n", {"2:a|b", "4:1|2"}, 4);
    row("empty cells", ",\na,,b,\n", {"1:|", "2:a||b|"}, 2);
    row("space around", " a ,\tb \n", {"1:a|b"}, 1);
    row("semicolons", "a;b,c\n", {"1:a;b|c"}, 1); // a comma goes first
    row("only semicolons", "a;b\n1,5;2\n", {"1:a|b", "2:1,5|2"}, 2);
    row("empty cells between tabs", "a\t\tb\n\t\t1\n", {"1:a||b", "2:||1"}, 2);
    row("first cell empty before a tab", "\ta\n0\t1,5\n\t\n", {"1:|a", "2:0|1,5", "3:|"}, 3);
    row("separator inside quotes", "\"a,b\";c\n", {"1:a,b|c"}, 1);
    row("quotes", "\"a, \"\"b\"\"\",\" c \" ,\"\"\n", {"1:a, \"b\"| c |"}, 1);
    row("quote at the end", "a,\"b\"", {"1:a|b"}, 1);
    row("lines inside quotes", "\"a\nb\r\nc\",d\r\ne,f\n", {"1:a\nb\r\nc|d", "4:e|f"}, 4);
    row("quote inside a value", "5\" disk,b\"\n", {"1:5\" disk|b\""}, 1);
    row("zero bytes", QByteArray("a\0b,c\n", 6), {QString::fromLatin1("1:a\0b|c", 7)}, 1);
    const QByteArray longest(1 << 20, 'x');
    row("as long as may be", longest + "\n", {"1:" + QString::fromLatin1(longest)}, 1);
}

void tst_CsvTable::reads() {
    QFETCH(QByteArray, text);
    QFETCH(QStringList, rows);
    QFETCH(int, lines);
    const auto table = read(text);
    QVERIFY2(table.ok(), table.ok() ? "" : table.problems().front().text().c_str());
    QStringList found;
    for (const CsvTable::Row& row : table->rows) {
        QStringList cells;
        for (const auto cell : row.cells) cells += QString::fromUtf8(cell.data(), static_cast<qsizetype>(cell.size()));
        found += QString::number(row.line) + ':' + cells.join('|');
    }
    QCOMPARE(found, rows);
    QCOMPARE(table->lines, lines);
    QCOMPARE(table->columnNamed("no such"), rows.empty() ? std::size_t{0} : table->rows.front().cells.size());
}

void tst_CsvTable::refuses_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("problem"); // after the file's name
    QTest::newRow("quote that does not end")
        << QByteArray("a\nb,\"c\nd\n") << ":2: a quoted value does not end, or not within 1 MiB";
    QTest::newRow("a quoted value without end") << "a\n\"" + QByteArray(1 << 20, '\n') + "\n\"\n"
                                                << ":2: a quoted value does not end, or not within 1 MiB";
    QTest::newRow("more after a quote") << QByteArray("a\n\"b\"c,d\n")
                                        << ":2: after a quoted value a separator or the end of the line is needed";
    QTest::newRow("a long line") << "a\n" + QByteArray((1 << 20) + 1, 'x') << ":2: the line is longer than 1 MiB";
}

void tst_CsvTable::refuses() {
    QFETCH(QByteArray, text);
    QFETCH(QString, problem);
    const auto table = read(text);
    QVERIFY(!table.ok());
    QCOMPARE(QString::fromStdString(table.problems().front().text()), m_dir.filePath("table.csv") + problem);
    QCOMPARE(readCsvTable(m_dir.filePath("none.csv").toStdString()).problems().front().code,
             std::string("cannot-read"));
}

void tst_CsvTable::comments() {
    const auto table = read("#a;b\n1;2,3\n", {.separator = ',', .comments = false});
    QCOMPARE(table->rows.size(), std::size_t{2});
    QCOMPARE(table->columnNamed("#a;b"), std::size_t{0});
    QCOMPARE(joinedCells(table->rows[1]), std::string("1;2, 3"));
}

void tst_CsvTable::fieldsAreQuoted() {
    QCOMPARE(csvField("plain"), std::string("plain"));
    QCOMPARE(csvField("a,b"), std::string("\"a,b\""));
    QCOMPARE(csvField("say \"hi\"\n"), std::string("\"say \"\"hi\"\"\n\""));
    QCOMPARE(csvField("a,b\tc", '\t'), std::string("\"a,b\tc\""));
    QCOMPARE(csvField("a,b", '\t'), std::string("a,b"));
    QCOMPARE(csvField(""), std::string());
    const auto read = this->read(QByteArray::fromStdString(csvField(" a\n\"b\",") + "," + csvField("c;d")));
    QCOMPARE(read->rows.front().cells, (std::vector<std::string_view>{" a\n\"b\",", "c;d"})); // there and back
}

// A name of a job is not run as a formula by who opens the table in a spreadsheet, and is read back as it was.
void tst_CsvTable::formulasAreMarked() {
    for (const char* value : {"=1+1", "@SUM(A1)", "+x", "-x", "-", "-1 and more", "=cmd|' /C calc'!A0"})
        QCOMPARE(csvField(value), "'" + std::string(value));
    for (const char* value : {"-5", "-1e-05", "-inf", "0.5", "a=b", "'tis", "", "'"})
        QCOMPARE(csvField(value), std::string(value));
    QCOMPARE(csvField("=a,b"), std::string("\"'=a,b\""));
    const std::string alphabet = "=+-@'\"#, \t;a1\n\r";
    std::mt19937 random(7);
    for (int i = 0; i < 3'000; ++i) {
        std::vector<std::string> values(3);
        std::string line;
        for (std::string& value : values) {
            for (std::size_t n = random() % 5; n > 0; --n) value += alphabet[random() % alphabet.size()];
            appendCsvField(line.empty() ? line : line += ',', value);
            if (line.empty()) line = "\"\"";
        }
        const auto table = read(QByteArray::fromStdString(line + "\n"), {.separator = ','});
        QVERIFY2(table.ok() && table->rows.size() == 1, line.c_str());
        for (std::size_t n = 0; n < values.size(); ++n) QCOMPARE(std::string(table->rows[0].cells[n]), values[n]);
        for (const std::string_view cell : table->rows[0].cells) {
            const std::string field = csvField(cell);
            const std::size_t first = field.starts_with('"') ? 1 : 0;
            QVERIFY(field.size() <= first || std::string("=+@").find(field[first]) == std::string::npos);
        }
    }
}

TRAINYARD_TEST(tst_CsvTable)
#include "tst_CsvTable.moc"
