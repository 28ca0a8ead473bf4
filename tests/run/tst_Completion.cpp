// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What shells complete and what the manual tells, against the commands and options that the program's help lists, and the lists of
// studies, importers and benchmarks. TRAINYARD_UPDATE=1 in the environment writes those lists in the manual anew.
#include "run/CliProcess.h"
#include "run/files/AtomicFile.h"
#include "run/import/Importer.h"
#include "studies/Reproduction.h"
#include "support/TestMain.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace trainyard;
using namespace trainyard::test;

class tst_Completion : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void scriptsParse();
    void everyOptionIsInEachScript();
    void everyOptionIsInTheManual();
    void listsOfTheManualAreCurrent();
    void bashCompletes_data();
    void bashCompletes();
    void fishCompletes();
    void zshCompletes();

private:
    static QStringList found(const QString& text, const char* pattern);
    QProcessEnvironment environment() const;
    QString script(const char* shell) const { return m_dir.filePath(QLatin1String(shell)); }
    QString m_scripts[3];
    QMap<QString, QStringList> m_options; ///< by command: "--seed"
    QTemporaryDir m_dir;
};

QStringList tst_Completion::found(const QString& text, const char* pattern) {
    const QRegularExpression expression(QLatin1String(pattern), QRegularExpression::MultilineOption);
    QStringList out;
    for (auto it = expression.globalMatch(text); it.hasNext();) out << it.next().captured(1);
    return out;
}

/// Of a shell that knows nothing of the user's and finds the program.
QProcessEnvironment tst_Completion::environment() const {
    auto out = QProcessEnvironment::systemEnvironment();
    out.insert(QStringLiteral("HOME"), m_dir.path());
    out.insert(QStringLiteral("PATH"), QFileInfo(qEnvironmentVariable("TRAINYARD_CLI")).path() + QLatin1Char(':') +
                                           out.value(QStringLiteral("PATH")));
    return out;
}

void tst_Completion::initTestCase() {
    const QString help = QString::fromStdString(cli({"--help"}).out);
    for (const QString& command : found(help.section(QLatin1String("Subcommands:"), 1), "^  (\\w+)"))
        m_options[command] = found(QString::fromStdString(cli({command, "--help"}).out), "^ +(?:-\\w,)?(--[\\w-]+)");
    QVERIFY(m_options.size() >= 13 && m_options[QStringLiteral("run")].contains(QStringLiteral("--max-memory")));
    QVERIFY(m_options[QStringLiteral("explain")].contains(QStringLiteral("--against"))); // of a group of options
    QVERIFY(!m_options.contains(QStringLiteral("completion")));
    int i = 0;
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const CliAnswer answer = cli({"completion", shell});
        QCOMPARE(answer.status, 0);
        QVERIFY(writeFileAtomically(script(shell).toStdString(), answer.out).empty());
        m_scripts[i++] = QString::fromStdString(answer.out);
    }
}

void tst_Completion::scriptsParse() {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const QString program = QStandardPaths::findExecutable(QLatin1String(shell));
        if (program.isEmpty()) continue; // not on every machine
        QProcess process;
        process.start(program, {QStringLiteral("-n"), script(shell)});
        const CliAnswer answer = answerOf(process);
        QVERIFY2(answer.status == 0 && answer.err.empty(), answer.err.c_str());
    }
}

void tst_Completion::everyOptionIsInEachScript() {
    const auto& [bashScript, zsh, fish] = m_scripts;
    for (auto it = m_options.cbegin(); it != m_options.cend(); ++it) {
        const QString command = it.key();
        const QString inBash =
            bashScript.section(QStringLiteral("        %1) echo '").arg(command), 1).section(QLatin1Char('\''), 0, 0);
        const QString inZsh = zsh.section(QStringLiteral("\n        %1)\n").arg(command), 1)
                                  .section(QStringLiteral("\n            ;;"), 0, 0);
        QVERIFY2(found(bashScript, "compgen -W '([^']+)").value(0).split(QLatin1Char(' ')).contains(command),
                 qPrintable(command));
        QVERIFY2(zsh.contains(QStringLiteral("'%1:").arg(command)), qPrintable(command));
        QVERIFY2(fish.contains(QStringLiteral(" -n __fish_use_subcommand -a %1 -d ").arg(command)),
                 qPrintable(command));
        for (const QString& option : it.value()) {
            const QByteArray what = (command + QLatin1Char(' ') + option).toUtf8();
            QVERIFY2(inBash.split(QLatin1Char(' ')).contains(option), what);
            QVERIFY2(inZsh.contains(QRegularExpression(QStringLiteral("'[^'\\[]*%1=?\\[").arg(option))), what);
            const QRegularExpression line(QStringLiteral("from %1'[^\\n]* -l %2 ").arg(command, option.mid(2)));
            QVERIFY2(fish.contains(line), what);
        }
    }
}

void tst_Completion::everyOptionIsInTheManual() {
    QFile file(QStringLiteral(TRAINYARD_SOURCE_DIR "/packaging/man/trainyard-cli.1"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString manual = QString::fromUtf8(file.readAll()).replace(QLatin1String("\\-"), QLatin1String("-"));
    for (auto it = m_options.cbegin(); it != m_options.cend(); ++it) {
        QVERIFY2(manual.contains(QStringLiteral("\n.B %1\n").arg(it.key())), qPrintable(it.key()));
        for (const QString& option : it.value()) {
            if (option == QLatin1String("--help")) continue;
            const QRegularExpression word(QRegularExpression::escape(option) + QStringLiteral("(?![\\w-])"));
            QVERIFY2(manual.contains(word), qPrintable(it.key() + QLatin1Char(' ') + option));
        }
    }
}

/// Each stands between .\" and its name, and .\" end.
void tst_Completion::listsOfTheManualAreCurrent() {
    QString ofStudies, ofFormats, ofParts;
    for (const Study& study : studies())
        ofStudies += QString::fromStdString((ofStudies.isEmpty() ? "" : ", ") + study.id);
    for (const Importer& importer : importers())
        ofFormats += QString::fromStdString(".br\n.B " + importer.name + ":\n" + importer.what + "\n");
    ofParts = found(QString::fromStdString(cli({"bench", "--help"}).out), "TEXT:\\{(.*)\\}").value(0);
    const QString path = QStringLiteral(TRAINYARD_SOURCE_DIR "/packaging/man/trainyard-cli.1");
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QString manual = QString::fromUtf8(file.readAll());
    const QString before = manual;
    for (const auto& [name, list] :
         {std::pair("studies", ofStudies + QStringLiteral(".\n")),
          {"formats", ofFormats},
          {"parts", ofParts.replace(QLatin1Char(','), QLatin1String(", ")) + QStringLiteral(".\n")}}) {
        const QString open = QStringLiteral(".\\\" %1\n").arg(QLatin1String(name));
        const auto from = manual.indexOf(open), to = manual.indexOf(QLatin1String(".\\\" end\n"), from);
        QVERIFY2(from > 0 && to > from, name);
        manual.replace(from, to - from, open + QString(list).replace(QLatin1Char('-'), QLatin1String("\\-")));
    }
    if (qEnvironmentVariableIsSet("TRAINYARD_UPDATE"))
        QVERIFY(writeFileAtomically(path.toStdString(), manual.toStdString()).empty());
    else
        QVERIFY2(manual == before, "run with TRAINYARD_UPDATE=1 and look at the difference");
}

// Words as bash splits the line: = is a word of its own.
void tst_Completion::bashCompletes_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QStringList>("wanted"); ///< all; with "…" at the end: among others
    const auto row = [](const char* words, const QStringList& wanted) {
        QTest::newRow(words) << QString::fromLatin1(words) << wanted;
    };
    row("com", {"compare"}); // not the hidden one
    row("run --ma", {"--max-events", "--max-wall", "--max-memory"});
    row("run --mode |", {"simulate", "execute"});
    row("run --mode = e", {"execute"});
    row("run x.json --out |", {"runs"});
    row("run |", {"one.json", "runs"});
    row("run start/first-st", {TRAINYARD_SOURCE_DIR "/scenarios/start/first-steps.json"});
    row("run one.json --se", {"--set", "--seed"});
    row("run one.json --set /mode = |", {""}); // nothing is known
    row("run one.json --metrics makespan_s,mean_jct", {"makespan_s,mean_jct_s"});
    row("verify |", {"runs"});
    row("compare one.json --vary |", {"scheduler=", "synchronization=", "parameters=", "partitioner="});
    row("compare one.json --vary scheduler = srt", {"srtf"});
    row("compare one.json --vary scheduler = |", {"fifo", "slaq", "pollux", "…"});
    row("compare one.json --vary scheduler = fifo,dor", {"fifo,dorm"});
    row("compare one.json --arm scheduler = drf,par", {"drf,parameters=", "drf,partitioner="});
    row("compare one.json --arm scheduler = drf,synchronization = ful", {"full-sync"});
    row("chart one.json staleness", {"staleness"});
    row("list mod", {"models"});
    row("list models |", {"-h", "--help", "--json"});
    row("reproduce pd", {"pdors"});
    row("reproduce slaq,", {""}); // one study at a time
    row("explain runs --aga", {"--against"});
    row("import tir", {"tiresias"});
    row("bench views --js", {"--json"});
}

void tst_Completion::bashCompletes() {
    QFETCH(QString, words);
    QFETCH(QStringList, wanted);
    QDir directory(m_dir.path());
    QVERIFY(directory.mkpath(QStringLiteral("here/runs")));
    QVERIFY(writeFileAtomically(directory.filePath(QStringLiteral("here/one.json")).toStdString(), "{}").empty());
    QStringList given{QStringLiteral("trainyard-cli")};
    for (const QString& word : words.split(QLatin1Char(' '))) given << (word == QLatin1String("|") ? QString() : word);
    const CliAnswer answer = bash(
        QStringLiteral("source \"$1\"; cd \"$2\"; shift 2; PATH=$(dirname \"$0\"):$PATH; COMP_WORDBREAKS==; "
                       "COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); COMP_LINE=\"$*\"; COMP_LINE=${COMP_LINE// = /=}; "
                       "COMP_POINT=${#COMP_LINE}; _trainyard_cli; printf '%s\\n' \"${COMPREPLY[@]}\""),
        QStringList{script("bash"), directory.filePath(QStringLiteral("here"))} + given);
    QVERIFY2(answer.status == 0 && answer.err.empty(), answer.err.c_str());
    QStringList offered = QString::fromStdString(answer.out).split(QLatin1Char('\n'));
    offered.removeLast(); // after the last line
    offered.sort();
    const bool all = !wanted.removeOne(QStringLiteral("…"));
    wanted.sort();
    if (all)
        QCOMPARE(offered, wanted);
    else
        for (const QString& word : wanted) QVERIFY2(offered.contains(word), qPrintable(word));
}

void tst_Completion::fishCompletes() {
    const QString fish = QStandardPaths::findExecutable(QStringLiteral("fish"));
    if (fish.isEmpty()) QSKIP("fish is not installed");
    const auto offered = [&](const char* line) {
        QProcess process;
        process.setProcessEnvironment(environment());
        process.start(fish, {QStringLiteral("-c"), QStringLiteral("source $argv[1]; complete -C $argv[2]"),
                             script("fish"), QLatin1String(line)});
        return found(QString::fromStdString(answerOf(process).out), "^([^\\t\\n]+)");
    };
    QCOMPARE(offered("trainyard-cli com"), QStringList{QStringLiteral("compare")});
    QCOMPARE(offered("trainyard-cli run --mode e"), QStringList{QStringLiteral("execute")});
    QCOMPARE(offered("trainyard-cli compare x --vary scheduler=fifo,dor"),
             QStringList{QStringLiteral("scheduler=fifo,dorm")});
    QCOMPARE(offered("trainyard-cli compare x --vary par").size(), 2);
    QCOMPARE(offered("trainyard-cli reproduce pd"), QStringList{QStringLiteral("pdors")});
    QVERIFY(offered("trainyard-cli reproduce slaq,").isEmpty());
    QCOMPARE(offered("trainyard-cli compare x --arm scheduler=drf,synch"),
             QStringList{QStringLiteral("scheduler=drf,synchronization=")});
    QCOMPARE(offered("trainyard-cli compare x --arm scheduler=drf,synchronization=ful"),
             QStringList{QStringLiteral("scheduler=drf,synchronization=full-sync")});
    QVERIFY(offered("trainyard-cli run start/first-st")
                .contains(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/start/first-steps.json")));
}

// In a terminal of its own, where what the functions offer is written to a file: ^I completes, ^X marks the end of a line's.
void tst_Completion::zshCompletes() {
    const QString zsh = QStandardPaths::findExecutable(QStringLiteral("zsh"));
    if (zsh.isEmpty()) QSKIP("zsh is not installed");
    QVERIFY(QFile::copy(script("zsh"), m_dir.filePath(QStringLiteral("_trainyard-cli"))));
    const QString begin = m_dir.filePath(QStringLiteral("begin.zsh")),
                  offers = m_dir.filePath(QStringLiteral("offers"));
    QVERIFY(writeFileAtomically(begin.toStdString(), R"sh(
cd $HOME; fpath=($HOME $fpath); autoload -Uz compinit; compinit -u -D
compadd() {
    if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)* ]]; then
        local -a offered; builtin compadd -O offered "$@"; (( $#offered )) && print -rl -- $IPREFIX$^offered >> offers
    fi
    builtin compadd "$@"
}
end_of_line() { print -r -- --- >> offers; BUFFER= }
zle -N end_of_line; bindkey '^X' end_of_line; bindkey '^I' complete-word
)sh")
                .empty());
    const auto offered = [&](const QString& line) {
        QFile::remove(offers);
        QProcess process;
        process.setProcessEnvironment(environment());
        process.start(zsh, {QStringLiteral("-f"), QStringLiteral("-c"), QStringLiteral(R"sh(
            zmodload zsh/zpty; zpty shell zsh -f -i; zpty -w shell "source $1"; zpty -w -n shell "$2"$'\t\x18'
            for i in {1..600}; do grep -qs -e --- $3 && break; sleep 0.05; zpty -r -t shell ignored; done
            zpty -d shell; sort -u $3)sh"),
                            zsh, begin, line, offers});
        QStringList out = found(QString::fromStdString(answerOf(process).out), "^(.+)$");
        return out.removeAll(QStringLiteral("---")) == 1 ? out : QStringList{QStringLiteral("did not end")};
    };
    const auto list = [](std::initializer_list<const char*> words) {
        QStringList out;
        for (const char* word : words) out << QLatin1String(word);
        return out;
    };
    QCOMPARE(offered(QStringLiteral("trainyard-cli com")), list({"compare"}));
    QCOMPARE(offered(QStringLiteral("trainyard-cli run --mode e")), list({"execute"}));
    QCOMPARE(offered(QStringLiteral("trainyard-cli reproduce pd")), list({"pdors"}));
    QCOMPARE(offered(QStringLiteral("trainyard-cli run x --metrics makespan_s,total_j")),
             list({"makespan_s,total_jct_s"}));
    QCOMPARE(offered(QStringLiteral("trainyard-cli compare x --vary par")), list({"parameters", "partitioner"}));
    QCOMPARE(offered(QStringLiteral("trainyard-cli compare x --vary scheduler=fifo,dor")),
             list({"scheduler=fifo,dorm"}));
    QCOMPARE(offered(QStringLiteral("trainyard-cli compare x --arm scheduler=drf,synchronization=ful")),
             list({"scheduler=drf,synchronization=full-sync"}));
    QVERIFY(offered(QStringLiteral("trainyard-cli chart x.json predicted")).contains(QStringLiteral("predicted-loss")));
}

TRAINYARD_TEST(tst_Completion)
#include "tst_Completion.moc"
