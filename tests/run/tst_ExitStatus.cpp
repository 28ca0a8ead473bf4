// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Exit statuses: README and both manual pages list the same ones, and the programs give each of them, and no others.
#include "base/WholeFile.h"
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
#include <set>

using namespace trainyard;
using namespace trainyard::test;

class tst_ExitStatus : public QObject {
    Q_OBJECT
private slots:
    void documentsListWhatThereIs();
    void whatCannotBeWritten_data();
    void whatCannotBeWritten();
    void mergeNamesWhatItCannotRead();
    void windowRefusesWhatItDoesNotKnow();

private:
    static std::set<int> listed(const char* document, const char* pattern);
    int afterSignal(int signal, const QString& scenario) const;
    QTemporaryDir m_dir;
};

/// Numbers that begin the rows or paragraphs of the document's list.
std::set<int> tst_ExitStatus::listed(const char* document, const char* pattern) {
    const auto text = readWholeFile(std::filesystem::path(TRAINYARD_SOURCE_DIR) / document, 1 << 20);
    const QString section = QString::fromStdString(text.ok() ? *text : std::string())
                                .section(QRegularExpression(QStringLiteral("EXIT STATUS|\\| exit status")), 1)
                                .section(QRegularExpression(QStringLiteral("\\n\\.SH|\\n\\n")), 0, 0);
    const QRegularExpression row(QLatin1String(pattern), QRegularExpression::MultilineOption);
    std::set<int> out;
    for (auto it = row.globalMatch(section); it.hasNext();) out.insert(it.next().captured(1).toInt());
    return out;
}

int tst_ExitStatus::afterSignal(int signal, const QString& scenario) const {
    const QString out = m_dir.filePath(QStringLiteral("after%1").arg(signal));
    QProcess process;
    process.start(qEnvironmentVariable("TRAINYARD_CLI"), {"run", scenario, "--json", "--no-charts", "--out", out});
    if (!process.waitForStarted() || !QTest::qWaitFor([&] { return QDir(out).exists(); })) return -1;
    ::kill(static_cast<pid_t>(process.processId()), signal);
    return answerOf(process).status;
}

void tst_ExitStatus::documentsListWhatThereIs() {
    Scenario scenario = tinyScenario();
    const auto write = [&](const char* name, const Scenario& s) {
        const QString path = m_dir.filePath(QLatin1String(name));
        return writeFileAtomically(path.toStdString(), writeScenario(s)).empty() ? path : QString();
    };
    const QString tiny = write("tiny.json", scenario), endless = write("long.json", tinyScenario(1'000'000'000));
    scenario.expect = {{"updates", 41, 100}}; // there are 40
    const QString disappointing = write("disappointing.json", scenario);
    QVERIFY(!tiny.isEmpty() && !endless.isEmpty() && !disappointing.isEmpty());

    std::set<int> given;
    const auto expect = [&](int status, int wanted) {
        given.insert(status);
        return status == wanted;
    };
    QVERIFY(expect(cli({"run", tiny, "--quiet"}).status, 0));
    QVERIFY(expect(cli({"--version"}).status, 0));
    QVERIFY(expect(cli({"run", disappointing, "--quiet"}).status, 1));
    QVERIFY(expect(cli({"run", endless, "--quiet", "--max-events", "1000"}).status, 1));
    QVERIFY(expect(bash(QStringLiteral("\"$0\" list metrics > /dev/full")).status, 1));
    QVERIFY(expect(bash(QStringLiteral("\"$0\" list metrics >&-")).status, 1));
    QVERIFY(expect(cli({"run", tiny, "--bogus"}).status, 2));
    QVERIFY(expect(cli({"validate", "/no/such/file.json"}).status, 2));
    QVERIFY(expect(cli({"run", tiny, "--set", "/sed=3"}).status, 2));
    QVERIFY(expect(afterSignal(SIGINT, endless), 130));
    QVERIFY(expect(afterSignal(SIGTERM, endless), 143));
    QVERIFY(expect(afterSignal(SIGHUP, endless), 129));

    QCOMPARE(given, (std::set<int>{0, 1, 2, 129, 130, 143}));
    QVERIFY(listed("packaging/man/trainyard-cli.1", "^\\.B (\\d+)$") == given);
    QVERIFY(listed("packaging/man/trainyard.1", "^\\.B (\\d+)$") == given);
}

// 1, whenever it is found: before the work, or after it.
void tst_ExitStatus::whatCannotBeWritten_data() {
    QTest::addColumn<QString>("words");
    for (const char* words :
         {"run tiny.json --out tiny.json/out", "run tiny.json --out /proc/nowhere",
          "compare tiny.json --vary scheduler=fifo --seeds 1 --out tiny.json/out",
          "compare tiny.json --vary scheduler=fifo --seeds 1 --out directories", "merge stores --out tiny.json/out",
          "sweep tiny.json --grid /jobs/0/batch=10 --out tiny.json/out",
          "sweep tiny.json --grid /jobs/0/batch=10 --out directories",
          "reproduce stragglers --part formulas --quick --out tiny.json/out",
          "chart tiny.json iteration -o tiny.json/out.csv", "chart tiny.json iteration -o directories/sweep.csv"})
        QTest::newRow(words) << QString::fromLatin1(words);
}

void tst_ExitStatus::whatCannotBeWritten() {
    QFETCH(QString, words);
    QVERIFY(QDir::setCurrent(m_dir.path()));
    QVERIFY(writeFileAtomically("tiny.json", writeScenario(tinyScenario())).empty());
    for (const char* name : {"comparison.csv", "sweep.csv"}) // whose places are taken
        QVERIFY(QDir().mkpath(QStringLiteral("directories/%1/full").arg(QLatin1String(name))));
    const CliAnswer answer = cli(words.split(QLatin1Char(' ')));
    QVERIFY2(answer.status == 1, answer.err.c_str());
    QVERIFY(!answer.err.empty());
    QVERIFY(QDir::setCurrent(QDir::rootPath()));
}

// A store that is missing or damaged is bad input; what the others hold is put together all the same.
void tst_ExitStatus::mergeNamesWhatItCannotRead() {
    const QString tiny = m_dir.filePath(QStringLiteral("merged.json")), whole = m_dir.filePath(QStringLiteral("whole"));
    QVERIFY(writeFileAtomically(tiny.toStdString(), writeScenario(tinyScenario())).empty());
    QCOMPARE(cli({"sweep", tiny, "--grid", "/jobs/0/batch=10,20", "--out", whole}).status, 0);
    const QString damaged = m_dir.filePath(QStringLiteral("damaged"));
    QVERIFY(QDir().mkpath(damaged));
    QVERIFY(writeFileAtomically((damaged + "/results.db").toStdString(), std::string(5000, 'x')).empty());
    for (const QString& bad : {m_dir.filePath(QStringLiteral("nowhere")), damaged}) {
        const QString out = m_dir.filePath(QStringLiteral("all"));
        const CliAnswer answer = cli({"merge", bad, whole, "--out", out});
        QVERIFY2(answer.status == 2, answer.err.c_str());
        QVERIFY2(answer.err.find(bad.toStdString()) != std::string::npos, answer.err.c_str());
        QVERIFY2(answer.out.starts_with("2 results in "), answer.out.c_str());
        QVERIFY(QDir(out).removeRecursively());
    }
}

void tst_ExitStatus::windowRefusesWhatItDoesNotKnow() {
    const QString window = QFileInfo(qEnvironmentVariable("TRAINYARD_CLI")).path() + QStringLiteral("/trainyard");
    if (!QFile::exists(window)) QSKIP("the window is not built");
    const auto status = [&](const QStringList& arguments, const char* output = nullptr) {
        QProcess process;
        if (output) process.setStandardOutputFile(QString::fromLatin1(output));
        process.start(window, arguments);
        const CliAnswer answer = answerOf(process);
        return answer.status == 0 || answer.err.starts_with("trainyard") ? answer.status : -2;
    };
    QCOMPARE(status({"--bogus"}), 2);
    QCOMPARE(status({"one.json", "two.json"}), 2);
    QCOMPARE(status({"--render", "/no/such/record"}), 2); // without --out
    for (const QStringList& alone : {QStringList{"--view", "iteration"},
                                     {"--job=a"},
                                     {"--log"},
                                     {"-o", "x.svg"},
                                     {"--out", "x"},
                                     {"--json"}}) // of --render and --bench, which are not given
        QVERIFY2(status(alone) == 2, qPrintable(alone.join(QLatin1Char(' '))));
    const QString scenario = m_dir.filePath(QStringLiteral("drawn.json")), record = m_dir.filePath("drawn");
    QVERIFY(writeFileAtomically(scenario.toStdString(), writeScenario(tinyScenario())).empty());
    QCOMPARE(cli({"run", scenario, "--quiet", "--no-charts", "--out", record}).status, 0);
    const QStringList drawing{"--render", record, "--out", m_dir.filePath("charts"), "--views", "loss"};
    QCOMPARE(status(drawing, "/dev/full"), 1);
    QCOMPARE(status({"--version"}), 0);
    for (const char* option : {"--version", "--help"}) QCOMPARE(status({option}, "/dev/full"), 1);
}

TRAINYARD_TEST(tst_ExitStatus)
#include "tst_ExitStatus.moc"
