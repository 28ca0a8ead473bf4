// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// `trainyard --render` as a program of its own: stopped, with a full disk, in other languages and time zones, with names that are no UTF-8.
#include "run/CliProcess.h"
#include "run/TinyScenario.h"
#include "run/files/AtomicFile.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <csignal>

using namespace trainyard;
using namespace trainyard::test;

class tst_RenderProgram : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void stoppedItLeavesWholeFiles();
    void fullDiskIsSaidOnce();
    void languageAndTimeZoneChangeNothing();
    void namesNeedNotBeUtf8();
    void manualHasEveryOption();

private:
    CliAnswer shell(const char* words) const { return bash(QString::fromLatin1(words), {m_window}); } ///< $1: trainyard
    QTemporaryDir m_dir;
    QString m_window;
};

void tst_RenderProgram::initTestCase() {
    m_window = QFileInfo(qEnvironmentVariable("TRAINYARD_CLI")).path() + QStringLiteral("/trainyard");
    if (!QFile::exists(m_window)) QSKIP("the window is not built");
    QVERIFY(QDir::setCurrent(m_dir.path()));
    QVERIFY(writeFileAtomically("tiny.json", writeScenario(tinyScenario())).empty());
    QCOMPARE(cli({"run", "tiny.json", "--quiet", "--no-charts", "--out", "record"}).status, 0);
}

void tst_RenderProgram::stoppedItLeavesWholeFiles() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const QDir out(m_dir.filePath(QStringLiteral("stopped%1").arg(signal)));
        QProcess process;
        process.start(m_window, {"--render", "record", "--out", out.path()});
        QVERIFY(QTest::qWaitFor([&] { return !out.entryList({"*.svg"}).isEmpty(); }, patience));
        ::kill(static_cast<pid_t>(process.processId()), signal);
        const CliAnswer answer = answerOf(process);
        QCOMPARE(answer.status, 128 + signal);
        QVERIFY2(answer.err.starts_with("trainyard: stopped while charts were drawn, after ") &&
                     answer.err.find(": gantt") != std::string::npos,
                 answer.err.c_str());
        const QStringList files = out.entryList(QDir::Files | QDir::Hidden);
        QCOMPARE(QString::fromStdString(answer.out).count(QLatin1Char('\n')), files.size()); // all are named
    }
}

// No file may be longer than 5 KiB: as on a full disk, tests of the directory succeed and figures do not.
void tst_RenderProgram::fullDiskIsSaidOnce() {
    const CliAnswer answer = shell(
        "trap '' XFSZ; ulimit -f 5; \"$1\" --render record --out full --formats png --views gantt,loss,queue,utilization");
    QCOMPARE(answer.status, 1);
    QCOMPARE(QString::fromStdString(answer.err),
             QStringLiteral("full: 4 files (gantt.png, loss.png, utilization.png and others) cannot be written: "
                            "File too large\n"));
}

void tst_RenderProgram::languageAndTimeZoneChangeNothing() {
    const CliAnswer answer = shell(
        "render() { \"$1\" --render record --views gantt,loss,iteration,cluster,jobs --out \"$2\" > /dev/null; }; "
        "unset LANG FC_LANG; LC_ALL=C TZ=UTC render \"$1\" equal; "
        "for other in 'ja_JP.UTF-8 Asia/Tokyo' 'de_DE.UTF-8 America/St_Johns' 'ar_EG.UTF-8 Asia/Kathmandu'; do "
        "set -- \"$1\" $other; LC_ALL=$2 LANG=$2 TZ=$3 render \"$1\" other; diff -rq equal other; done; ls equal | wc -l");
    QCOMPARE(answer.out, std::string("20\n"));
}

void tst_RenderProgram::namesNeedNotBeUtf8() {
    const CliAnswer answer = shell(
        "r=$'r\\xe9cord' o=$'sorti\\xe9'; cp -r record \"$r\"; "
        "\"$1\" --render \"$r\" --out \"$o\" --views loss --formats csv > named && test \"$(cat named)\" = \"$o/loss.csv\" && "
        "\"$1\" --render \"$r\" --view iteration -o \"$o.svg\" > /dev/null && ls -b && "
        "\"$1\" --render $'no\\xe9' --out x");
    QCOMPARE(answer.status, 2);
    QVERIFY2(answer.out.find("sorti\\351\nsorti\\351.svg\n") != std::string::npos, answer.out.c_str());
    QCOMPARE(answer.err, std::string("no\\xe9/record.json: cannot be read: No such file or directory\n"));
}

void tst_RenderProgram::manualHasEveryOption() {
    QFile file(QStringLiteral(TRAINYARD_SOURCE_DIR "/packaging/man/trainyard.1"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString manual = QString::fromUtf8(file.readAll()).replace(QLatin1String("\\-"), QLatin1String("-"));
    const QString help = QString::fromStdString(shell("\"$1\" --help").out);
    static const QRegularExpression option(QStringLiteral("^  .*?(--[a-z-]+)"), QRegularExpression::MultilineOption);
    int options = 0;
    for (auto it = option.globalMatch(help); it.hasNext(); ++options) {
        const QString word = it.next().captured(1);
        QVERIFY2(manual.contains(QRegularExpression(word + QStringLiteral("(?![a-z-])"))), qPrintable(word));
    }
    QVERIFY(options > 20);
}

TRAINYARD_TEST(tst_RenderProgram)
#include "tst_RenderProgram.moc"
