// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Files that are no plain ones: pipes, pipes into which nobody writes, links that lead to themselves, names that are no UTF-8.
#include "base/ControlCharacters.h"
#include "run/CliProcess.h"
#include "run/TinyScenario.h"
#include "run/files/AtomicFile.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QTemporaryDir>

#include <csignal>

#include <sys/stat.h>

using namespace trainyard;
using namespace trainyard::test;
using Json = nlohmann::json;

class tst_UnusualFiles : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void cleanupTestCase() {
        std::filesystem::remove_all(m_dir.path().toStdString());
    } // Qt finds no names that are not UTF-8
    void terminalsAreNotObeyed();
    void pipesAreFiles_data();
    void pipesAreFiles();
    void curvesArePipes();
    void namesThatAreNoTextAreEscaped();
    void nobodyWrites_data();
    void nobodyWrites();
    void linksToThemselves();
    void pipesAndLinksAreWrittenTo();
    void namesThatAreNoUtf8_data();
    void namesThatAreNoUtf8();

private:
    QTemporaryDir m_dir;
};

void tst_UnusualFiles::initTestCase() {
    QVERIFY(QDir::setCurrent(m_dir.path()));
    QVERIFY(writeFileAtomically("tiny.json", writeScenario(tinyScenario())).empty());
    std::string times = "seconds\n";
    for (int i = 1; i <= 20; ++i) times += std::to_string(i * i) + "\n";
    QVERIFY(writeFileAtomically("times.csv", times).empty());
    QVERIFY(writeFileAtomically("trace.csv", "job_id,num_gpu,submit_time,duration\n1,1,0,10\n2,1,3,20\n").empty());
    QVERIFY(writeFileAtomically("curve.csv", "update,loss\n0,2\n4,1\n").empty());
    QCOMPARE(cli({"compare", "tiny.json", "--vary", "scheduler=fifo", "--seeds", "1-2", "--out", "compared"}).status,
             0);
    QCOMPARE(mkfifo("nobody", 0600), 0);
}

// Names of files and unknown keys come from others, too: no control character reaches the terminal or a pipe.
void tst_UnusualFiles::terminalsAreNotObeyed() {
    const QString name = QString::fromUtf8("red\x1b[31m\u009b\u202e.json");
    QVERIFY(writeFileAtomically(name.toStdString(), "{\"a\\u001b]8;;http://x\\u0007\": \"\\u009b\"}").empty());
    for (const QStringList& arguments : {QStringList{"run", name},
                                         {"validate", name},
                                         {"run", "no\x1b[31m"},
                                         {"verify", "no\x1b[31m"},
                                         {"run", "tiny.json", "--set", "/a\x1b[31m=1"},
                                         {"run", "tiny.json", "--metrics", "\x1b[31m"},
                                         {"list", "\x1b[31m"},
                                         {"\x1b[31m"},
                                         {"sweep", "tiny.json", "--grid", "/\x1b[31m=1"}}) {
        const CliAnswer answer = cli(arguments);
        QVERIFY(answer.status != 0);
        QVERIFY2(!hasControls(QString::fromStdString(answer.out + answer.err).remove('\n').remove('\t').toStdString()),
                 answer.err.c_str());
        QVERIFY2(answer.err.find("\\u001b[31m") != std::string::npos || answer.err.find("31m") == std::string::npos,
                 answer.err.c_str());
    }
    // JSON means the same afterwards.
    QCOMPARE(cli({"run", "tiny.json", "--json", "--set", QString::fromUtf8("/notes=\"\\u009b\"")}).status, 0);
    QVERIFY(QFile::copy("tiny.json", name + ".json"));
    QCOMPARE(QString::fromStdString(cli({"run", name + ".json", "--json"}).json().at("scenario").get<std::string>()),
             name + ".json");
}

void tst_UnusualFiles::pipesAreFiles_data() {
    QTest::addColumn<QString>("command"); ///< of which FILE stands for the file
    QTest::addColumn<QString>("file");
    const auto row = [](const char* command, const char* file) {
        QTest::newRow(command) << QString::fromLatin1(command) << QString::fromLatin1(file);
    };
    row("compare FILE --vary scheduler=fifo,srtf --seeds 1-2 --rows --threads 1", "tiny.json");
    row("sweep FILE --grid /jobs/0/batch=10,20 --json --set /title=x", "tiny.json");
    row("run FILE --threads 1", "compared/comparison.csv");
    row("compare FILE --threads 1 --rows", "compared/comparison.csv");
    row("fit FILE", "times.csv");
    row("import tiresias FILE --machines 2 --gpus 1 -o -", "trace.csv");
}

void tst_UnusualFiles::pipesAreFiles() {
    QFETCH(QString, command);
    QFETCH(QString, file);
    const auto answer = [&](const char* words, const char* as) {
        QString with = command;
        with.replace(QStringLiteral("FILE"), QString::fromLatin1(as));
        const CliAnswer out = bash(QString::fromLatin1(words).arg(with, file));
        // Where the file's name is said, it is another.
        QString text = QString::fromStdString(out.out);
        for (const QString& name :
             {file, QStringLiteral("standard input"), QStringLiteral("stdin"), QStringLiteral("FIFO")})
            text.replace(name, QStringLiteral("NAME"));
        return std::pair(out.status, text);
    };
    const auto wanted = answer("\"$0\" %1", qPrintable(file));
    QCOMPARE(wanted.first, 0);
    QCOMPARE(answer("cat %2 | \"$0\" %1", "-"), wanted);
    QCOMPARE(answer("cat %2 | \"$0\" %1", "/dev/stdin"), wanted);
    QCOMPARE(answer("\"$0\" %1 < %2", "-"), wanted);
    QCOMPARE(answer("rm -f FIFO; mkfifo FIFO; (sleep 0.2; cat %2 > FIFO)& \"$0\" %1", "FIFO"), wanted);
}

// A curve is named by its file, and "curve" where it has none; both inputs cannot be one pipe.
void tst_UnusualFiles::curvesArePipes() {
    const auto scenario = [](const char* words) {
        const CliAnswer answer =
            bash(QString::fromLatin1(words).arg(QStringLiteral("--machines 2 --gpus 1 -o - --curve")));
        return answer.status == 0 ? answer.json() : Json(answer.err);
    };
    const Json wanted = scenario("\"$0\" import tiresias trace.csv %1 curve.csv");
    QVERIFY2(wanted.is_object(), wanted.dump().c_str());
    QCOMPARE(wanted.at("curves").at(0).at("id"), Json("curve"));
    QCOMPARE(scenario("cat curve.csv | \"$0\" import tiresias trace.csv %1 -"), wanted);
    QCOMPARE(scenario("\"$0\" import tiresias trace.csv %1 - < curve.csv"), wanted);
    const Json fifo =
        scenario("mkfifo point.fifo; cat curve.csv > point.fifo & \"$0\" import tiresias trace.csv %1 point.fifo");
    QVERIFY2(fifo.is_object(), fifo.dump().c_str());
    QCOMPARE(fifo.at("curves").at(0).at("losses"), wanted.at("curves").at(0).at("losses"));
    QCOMPARE(scenario("cat trace.csv | \"$0\" import tiresias /dev/stdin %1 curve.csv").at("curves"),
             wanted.at("curves"));
    QCOMPARE(scenario("cat curve.csv | \"$0\" import tiresias - %1 -"),
             Json("trainyard-cli: the trace and --curve cannot both be standard input\n"));
    QCOMPARE(scenario("echo 1,nothing | \"$0\" import tiresias trace.csv %1 -")
                 .get<std::string>()
                 .find("standard input:1: "),
             std::size_t{0});
}

void tst_UnusualFiles::namesThatAreNoTextAreEscaped() {
    for (const char* words : {"validate $'no\\xff'", "run $'no\\xff'", "verify $'no\\xff'",
                              "run tiny.json --quiet --no-charts --out $'tiny.json/no\\xff'"}) {
        const CliAnswer answer = bash(QStringLiteral("\"$0\" ") + QString::fromLatin1(words));
        QVERIFY(answer.status > 0);
        QVERIFY2(answer.err.find("no\\xff") != std::string::npos, answer.err.c_str());
        QCOMPARE(QString::fromStdString(answer.err).toStdString(), answer.err); // UTF-8
    }
}

void tst_UnusualFiles::nobodyWrites_data() {
    QTest::addColumn<QStringList>("words");
    QTest::newRow("run") << QStringList{"run", "nobody"};
    QTest::newRow("compare") << QStringList{"compare", "nobody", "--vary", "scheduler=fifo"};
    QTest::newRow("sweep") << QStringList{"sweep", "nobody", "--grid", "/jobs/0/batch=10"};
    QTest::newRow("chart") << QStringList{"chart", "nobody", "iteration"};
}

void tst_UnusualFiles::nobodyWrites() {
    QFETCH(QStringList, words);
    QProcess process;
    process.start(qEnvironmentVariable("TRAINYARD_CLI"), words);
    QVERIFY(process.waitForStarted());
    QVERIFY(!process.waitForFinished(300)); // it waits for somebody who writes
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const CliAnswer answer = answerOf(process);
    QCOMPARE(answer.status, 130);
    QVERIFY2(answer.err.find("stopped") != std::string::npos, answer.err.c_str());
}

void tst_UnusualFiles::linksToThemselves() {
    std::filesystem::create_symlink("there.json", "here.json");
    std::filesystem::create_symlink("here.json", "there.json");
    for (const QStringList& words : {QStringList{"run", "here.json"},
                                     {"validate", "here.json"},
                                     {"chart", "here.json", "iteration"},
                                     {"compare", "here.json", "--vary", "scheduler=fifo"},
                                     {"sweep", "here.json", "--grid", "/jobs/0/batch=10"},
                                     {"fit", "here.json"},
                                     {"verify", "here.json"},
                                     {"explain", "here.json", "--job", "a"}}) {
        const CliAnswer answer = cli(words);
        const QByteArray said = words.front().toUtf8() + ": " + answer.err.c_str();
        QVERIFY2(answer.status == (words.front() == QLatin1String("verify") ? 1 : 2), said);
        QVERIFY2(answer.err.find("here.json") != std::string::npos, said);
        QVERIFY2(answer.err.find("Too many levels of symbolic links") != std::string::npos ||
                     answer.err.find("no such file") != std::string::npos,
                 said);
    }
}

// Not replaced by files: they are somebody else's.
void tst_UnusualFiles::pipesAndLinksAreWrittenTo() {
    const QString make = QStringLiteral("\"$0\" import tiresias trace.csv --machines 2 --gpus 1 -o %1");
    const CliAnswer wanted = bash(make.arg(QStringLiteral("-")));
    QCOMPARE(wanted.status, 0);
    QCOMPARE(
        bash(QStringLiteral("mkfifo out; (timeout 5 cat out > copy)& %1; wait; cat copy").arg(make.arg("out"))).out,
        wanted.out);
    struct stat out {};
    QVERIFY(stat("out", &out) == 0 && S_ISFIFO(out.st_mode));
    // A link of one's own, so that a failure replaces nobody's device.
    std::filesystem::create_symlink("/dev/stdout", "printed");
    QCOMPARE(bash(make.arg(QStringLiteral("printed")) + QStringLiteral(" | cat")).out, wanted.out);
    QVERIFY(std::filesystem::is_symlink("printed"));
    std::filesystem::create_symlink("/dev/full", "full");
    const CliAnswer full = bash(make.arg(QStringLiteral("full")));
    QCOMPARE(full.status, 1);
    QVERIFY2(full.err.find("full: cannot be written: No space left") != std::string::npos, full.err.c_str());
    QVERIFY(writeFileAtomically("real.json", "{}").empty());
    std::filesystem::create_symlink("real.json", "link.json");
    QCOMPARE(bash(make.arg(QStringLiteral("link.json")) + QStringLiteral("; cat real.json")).out, wanted.out);
    QVERIFY(std::filesystem::is_symlink("link.json"));
}

void tst_UnusualFiles::namesThatAreNoUtf8_data() {
    QTest::addColumn<QString>("command"); ///< $1: the scenario, $2: the directory
    for (const char* command :
         {"compare \"$1\" --vary scheduler=fifo --seeds 1-2 --json --out \"$2\"",
          "compare \"$1\" --vary scheduler=fifo --seeds 1-2 --rows --out \"$2\" --resume",
          "sweep \"$1\" --grid /jobs/0/batch=10,20 --json --out \"$2\"",
          "sweep \"$1\" --grid /jobs/0/batch=10,20 --out \"$2\" --resume", "merge \"$2\" --out \"$2.merged\""})
        QTest::newRow(command) << QString::fromLatin1(command);
}

void tst_UnusualFiles::namesThatAreNoUtf8() {
    QFETCH(QString, command);
    const CliAnswer answer = bash(QStringLiteral("set -- $'sc\\xe9nario.json' $'sorti\\xe9'; cp tiny.json \"$1\"; "
                                                 "\"$0\" %1")
                                      .arg(command));
    QVERIFY2(answer.status == 0, answer.err.c_str());
    QVERIFY(!answer.out.empty());
    const QByteArray out = QByteArray::fromStdString(answer.out);
    QCOMPARE(QString::fromUtf8(out).toUtf8(), out); // what is printed is UTF-8
    if (command.contains(QLatin1String("--json"))) QCOMPARE(answer.json().at("scenario"), Json("sc\\xe9nario.json"));
}

TRAINYARD_TEST(tst_UnusualFiles)
#include "tst_UnusualFiles.moc"
