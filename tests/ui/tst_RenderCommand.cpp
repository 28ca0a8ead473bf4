// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard --render as scripts use it: its options choose, size and name what is written, and what it says has the form of compilers.
#include "export/ExportViews.h"
#include "export/Render.h"
#include "export/RenderArguments.h"
#include "support/BusyRecord.h"
#include "support/TestMain.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <unistd.h>

using namespace trainyard;

class tst_RenderCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void optionsChooseAndName();
    void emptyViewsAreLeftOut();
    void anotherRecordIsTheGhost();
    void framesFromTheCommandLine();
    void optionsAreDocumented();
    void oneViewIsOneFile();
    void badUsageIsSaid();
    void warningsSayThatTheyAre();

private:
    QTemporaryDir m_directory;
    QString m_record; ///< a directory as trainyard-cli writes it
};

namespace {
int renderWords(const QString& words) {
    return renderRecord((QStringLiteral("trainyard|") + words).split(QLatin1Char('|')));
}
} // namespace

void tst_RenderCommand::initTestCase() {
    m_record = m_directory.filePath(QStringLiteral("record"));
    QVERIFY(test::writeBusyRecord(m_record));
}

/// In the record, as run --out has it drawn: no pictures of keys or graph jobs where there are none, and no tables that it has already.
void tst_RenderCommand::emptyViewsAreLeftOut() {
    const QString record = m_directory.filePath(QStringLiteral("drawn"));
    QVERIFY(test::writeBusyRecord(record));
    QCOMPARE(renderWords(QStringLiteral("--render|%1|--out|%1/pictures|--formats|svg,csv").arg(record)), 0);
    const QStringList drawn = QDir(record + QStringLiteral("/pictures")).entryList({QStringLiteral("*.*")});
    QVERIFY(drawn.contains(QStringLiteral("gantt.svg")) && drawn.contains(QStringLiteral("loss.svg")));
    for (const char* other :
         {"key-map.svg", "admissions.svg", "operation-graph.svg", "prices.svg", "noted.svg", "metrics.csv"})
        QVERIFY2(!drawn.contains(QLatin1String(other)), other);
}

void tst_RenderCommand::optionsChooseAndName() {
    const QString from = m_record, out = m_directory.filePath(QStringLiteral("chosen"));
    QCOMPARE(
        renderWords(QStringLiteral("--render|%1|--out=%2|--views|loss,cluster|--formats|png,svg,csv|--size|160x75mm|"
                                   "--dpi|300|--theme|dark|--title|loss=Two curves|--x-title|loss=Hours & minutes|"
                                   "--y-title|loss=Cross entropy|--from|5|--to|10|--log|--no-footer")
                        .arg(from, out)),
        0);
    QCOMPARE(QDir(out).entryList(QDir::Files, QDir::Name),
             QStringList({QStringLiteral("cluster.csv"), QStringLiteral("cluster.png"), QStringLiteral("cluster.svg"),
                          QStringLiteral("loss.csv"), QStringLiteral("loss.png"), QStringLiteral("loss.svg")}));
    const QImage png(out + QStringLiteral("/loss.png"));
    QCOMPARE(png.size(), QSize(1890, 886)); // 160 / 25.4 · 300 = 1889.8, 75 / 25.4 · 300 = 885.8
    QCOMPARE(png.dotsPerMeterX(), 11811);   // 300 / 0.0254
    QVERIFY(png.pixelColor(3, 3).lightness() < 60);
    QFile svg(out + QStringLiteral("/loss.svg"));
    QVERIFY(svg.open(QIODevice::ReadOnly));
    const QByteArray text = svg.readAll();
    QVERIFY(text.contains(">Two curves<") && text.contains(">Hours &amp; minutes<") &&
            text.contains(">Cross entropy<"));
    QCOMPARE(text.count("trainyard scenario="), 1); // in the metadata, not in small print
    QFile csv(out + QStringLiteral("/loss.csv"));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    QList<QByteArray> rows = csv.readAll().trimmed().split('\n');
    rows.removeIf([](const QByteArray& row) { return row.startsWith('#'); });
    rows.removeFirst();
    QVERIFY(rows.size() > 5);
    std::map<QByteArray, int> outside; // of each line a point on either side, so that it leaves the picture
    for (const QByteArray& row : rows) {
        const double t = row.split(',')[3].toDouble();
        outside[row.split(',')[1]] += t < 5 || t > 10;
    }
    for (const auto& [line, points] : outside) QVERIFY2(points <= 2, line.constData());
}

void tst_RenderCommand::anotherRecordIsTheGhost() {
    const QString from = m_record, out = m_directory.filePath(QStringLiteral("ghost"));
    const auto legend = [&](const QString& more) {
        if (renderWords(QStringLiteral("--render|%1|--out|%2|--views|loss|--formats|svg%3").arg(from, out, more)) != 0)
            return QByteArray();
        QFile file(out + QStringLiteral("/loss.svg"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray alone = legend({}), both = legend(QStringLiteral("|--ghost|") + from);
    QVERIFY(alone.contains(">Digits<") && !alone.contains(">Digits, "));
    QVERIFY(both.contains(">Digits<") && both.contains(">Digits, "));
    QVERIFY(both.contains(", seed 42<")); // whose it is
    QCOMPARE(renderWords(QStringLiteral("--render|%1|--out|%2|--ghost|nowhere").arg(from, out)), 2);
}

void tst_RenderCommand::framesFromTheCommandLine() {
    const QString from = m_record, out = m_directory.filePath(QStringLiteral("movie"));
    QCOMPARE(
        renderWords(QStringLiteral("--render|%1|--out|%2|--frames|--size|320x240px|--fps|2|--from|1|--to|3|--speed|0.5")
                        .arg(from, out)),
        0);
    // 2 s at half a second per second are 4 s of movie: 8 frames and the one at the end.
    QCOMPARE(QDir(out + QStringLiteral("/frames")).entryList(QDir::Files).size(), 9);
    QCOMPARE(QImage(out + QStringLiteral("/frames/frame-000001.png")).size(), QSize(320, 240));
    QVERIFY(QFile::exists(out + QStringLiteral("/provenance.json")));
}

/// Every option and every view stands in the manual page and in the completion; those of one job at one instant both ask for.
void tst_RenderCommand::optionsAreDocumented() {
    for (const char* path : {"/packaging/man/trainyard.1", "/packaging/completion/trainyard"}) {
        QFile file(QStringLiteral(TRAINYARD_SOURCE_DIR) + QLatin1String(path));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll().replace("\\-", "-");
        for (const QString& option : renderOptionNames()) QVERIFY2(text.contains(option.toUtf8()), qPrintable(option));
        QVERIFY(text.contains("trainyard-cli list views"));
        for (const ExportView& view : exportViews(standardLanes())) {
            const QRegularExpression word(QStringLiteral("\\b%1\\b").arg(QRegularExpression::escape(view.id)));
            if (!view.view) QVERIFY2(QString::fromUtf8(text).contains(word), qPrintable(view.id));
        }
    }
}

// One view of one instant as one file, as `trainyard-cli chart -o` asks for it.
void tst_RenderCommand::oneViewIsOneFile() {
    const QString from = m_record, file = m_directory.filePath(QStringLiteral("one/iteration.svg"));
    QCOMPARE(
        renderWords(QStringLiteral("--render|%1|--view|iteration|--at|5|--set|by_worker=true|-o|%2").arg(from, file)),
        0);
    QCOMPARE(QDir(m_directory.filePath(QStringLiteral("one"))).entryList(QDir::Files),
             QStringList{QStringLiteral("iteration.svg")});
    QFile svg(file);
    QVERIFY(svg.open(QIODevice::ReadOnly) && svg.size() > 2000);
    const auto run = test::busyRun();
    const Workload& workload = *run.workload; // the title says whose view it is
    QVERIFY(workload.jobs.size() > 1);
    const std::string& name = workload.jobs[0].name.empty() ? workload.jobs[0].key : workload.jobs[0].name;
    QVERIFY(svg.readAll().contains("One iteration, " + QByteArray::fromStdString(name) + ":"));
    QCOMPARE(renderWords(QStringLiteral("--render|%1|--view|nothing|-o|%2").arg(from, file)), 2);
    QCOMPARE(renderWords(QStringLiteral("--render|%1|--view|iteration|--set|by_worker=7|-o|%2").arg(from, file)), 2);
    QCOMPARE(renderWords(QStringLiteral("--render|%1|--view|iteration|-o|%2.docx").arg(from, file)), 2);
    QCOMPARE(renderWords(QStringLiteral("--render|%1|-o|%2").arg(from, file)), 2);
    QCOMPARE(renderWords(QStringLiteral("--render|%1|--view|iteration|--job|nobody|-o|%2").arg(from, file)), 2);
}

void tst_RenderCommand::badUsageIsSaid() {
    const QString somewhere = m_directory.filePath(QStringLiteral("x"));
    const auto status = [&](const QString& words) {
        return renderRecord(
            (QStringLiteral("trainyard ") + words.arg(somewhere)).split(QLatin1Char(' '), Qt::SkipEmptyParts));
    };
    QCOMPARE(renderRecord({}), 2);
    QCOMPARE(status(QStringLiteral("--out %1")), 2);
    QCOMPARE(status(QStringLiteral("--render r")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out")), 2);
    QCOMPARE(status(QStringLiteral("--render nowhere --out %1")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out %1 --width -3")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out %1 --theme pink")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out %1 --colour red")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out %1 --views gantt,moon")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out %1 --formats gif")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out %1 --size 160mm")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out %1 --size 5x5mm")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out %1 --dpi 3000")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out %1 --dpi 96.5")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out %1 --from 5 --to 4")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out %1 --time-unit weeks")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out %1 --video avi")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out %1 --frames --fps 0")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out %1 --frames --size 100x100px")), 2);
    QCOMPARE(status(QStringLiteral("--render r other --out %1")), 2);
    QVERIFY(!QDir(somewhere).exists());
}

void tst_RenderCommand::warningsSayThatTheyAre() {
    const QString words = QStringLiteral("--render|%1|--out|%2|--views|loss|--formats|csv")
                              .arg(m_record, m_directory.filePath(QStringLiteral("twice")));
    QCOMPARE(renderWords(words), 0);
    QFile said(m_directory.filePath(QStringLiteral("said")));
    QVERIFY(said.open(QIODevice::ReadWrite));
    const int before = dup(STDERR_FILENO);
    QVERIFY(dup2(said.handle(), STDERR_FILENO) >= 0);
    const int status = renderWords(words);
    dup2(before, STDERR_FILENO);
    close(before);
    QCOMPARE(status, 0);
    QVERIFY(said.seek(0));
    QCOMPARE(said.readAll(), QByteArrayLiteral("trainyard: warning: 1 of these files replaced older ones\n"));
}

TRAINYARD_TEST(tst_RenderCommand)
#include "tst_RenderCommand.moc"
