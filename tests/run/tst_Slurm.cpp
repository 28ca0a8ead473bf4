// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --slurm: an array's tasks and the job after it give the exports of one machine, byte for byte, by a stand-in for sbatch that runs jobs
// where it is called, and by a real Slurm, of which a task is killed and requeued; what cannot be an array is refused.
#include "base/WholeFile.h"
#include "run/CliProcess.h"
#include "run/SlurmCluster.h"
#include "run/TinyScenario.h"
#include "run/compare/SlurmScripts.h"
#include "run/files/AtomicFile.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QDir>
#include <QTemporaryDir>

using namespace trainyard;
using namespace trainyard::test;

class tst_Slurm : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void exportsAreThoseOfOneMachine_data();
    void exportsAreThoseOfOneMachine();
    void whatATaskLeftOutIsComputed();
    void anotherArrayIsRefused();
    void jobsThatAreNotOver();
    void withoutSbatch();
    void onlyScripts();
    void arrays();
    void areRefused_data();
    void areRefused();
    void aRealSlurm();

private:
    QString file(const QString& name) const { return m_dir.filePath(name); }
    /// With the stand-ins for Slurm's commands.
    CliAnswer submit(const QStringList& words) const { return cli(words, {"PATH=" + file("bin") + ":/usr/bin:/bin"}); }
    void program(const QString& name, const std::string& text) const;
    static std::string read(const QString& path) {
        const auto text = readWholeFile(path.toStdString(), 1 << 26);
        return text ? text.value() : path.toStdString() + " cannot be read";
    }
    QTemporaryDir m_dir;
    QStringList m_compare;
};

void tst_Slurm::program(const QString& name, const std::string& text) const {
    const QString path = file("bin/" + name);
    QVERIFY(writeFileAtomically(path.toStdString(), "#!/bin/sh\n" + text).empty());
    QFile(path).setPermissions(QFile::ReadOwner | QFile::ExeOwner);
}

void tst_Slurm::initTestCase() {
    QVERIFY(writeFileAtomically(file("tiny.json").toStdString(), writeScenario(tinyScenario())).empty());
    m_compare =
        QStringList{"compare", file("tiny.json"), "--vary", "synchronization=full-sync,async", "--seeds", "1-5"};
    QVERIFY(QDir(m_dir.path()).mkdir("bin"));
    // Jobs 1 and 2; the second only after the first. Logs are not written.
    program("sbatch", R"(for word; do script=$word; done
if grep -q '^#SBATCH --array=1-' "$script"; then
    for SLURM_ARRAY_TASK_ID in $(seq $(sed -n 's/^#SBATCH --array=1-\([0-9]*\).*/\1/p' "$script")); do
        export SLURM_ARRAY_TASK_ID; [ "$SLURM_ARRAY_TASK_ID" = "$DEAD" ] || sh "$script" >/dev/null 2>&1
    done
    echo '1;cluster'
else
    [ "$2" = --dependency=afterany:1 ] || exit 1
    sh "$script" >/dev/null 2>&1; echo 2
fi
)");
    program("squeue", "echo \"$ALIVE\"\n");
}

void tst_Slurm::exportsAreThoseOfOneMachine_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("files");
    QTest::newRow("compare") << m_compare << QStringList{"comparison.json", "comparison.csv"};
    QTest::newRow("until") << QStringList{m_compare[0],         m_compare[1], m_compare[2],     m_compare[3],
                                          "--until-half-width", "5%",         "--until-metric", "mean_jct_s"}
                           << QStringList{"comparison.json", "comparison.csv"};
    QTest::newRow("sweep") << QStringList{"sweep",   file("tiny.json"),
                                          "--grid",  "/jobs/0/stop/iterations=2,3,4",
                                          "--seeds", "1-3"}
                           << QStringList{"sweep.json", "sweep.csv"};
    QTest::newRow("reproduce") << QStringList{"reproduce", "stragglers", "--quick", "--part", "hitting-times"}
                               << QStringList{"claims.json"};
}

void tst_Slurm::exportsAreThoseOfOneMachine() {
    QFETCH(const QStringList, words);
    QFETCH(const QStringList, files);
    const QString one = file(QLatin1String(QTest::currentDataTag())), all = one + "'s array"; // names that need quoting
    QVERIFY(cli(words + QStringList{"--out", one}).status >= 0);
    const CliAnswer submitted = submit(words + QStringList{"--out", all, "--slurm", "--array=1-3%2", "--time=5"});
    QVERIFY2(submitted.status == 0, submitted.err.c_str());
    QVERIFY(submitted.out.find("scancel 1,2") != std::string::npos);
    for (const QString& name : files) QVERIFY2(read(one + "/" + name) == read(all + "/" + name), qPrintable(name));
    // Tasks did all: the last command only read.
    QVERIFY(QFile::exists(all + "/shards/3/results.db"));
}

void tst_Slurm::whatATaskLeftOutIsComputed() {
    qputenv("DEAD", "2");
    const QString out = file("dead");
    const CliAnswer submitted = submit(m_compare + QStringList{"--out", out, "--slurm", "--array=1-3"});
    qunsetenv("DEAD");
    QVERIFY2(submitted.status == 0, submitted.err.c_str());
    QVERIFY(!QFile::exists(out + "/shards/2"));
    QCOMPARE(cli(m_compare + QStringList{"--json"}).out, read(out + "/comparison.json"));
}

void tst_Slurm::anotherArrayIsRefused() {
    const QStringList first = m_compare + QStringList{"--out", file("first"), "--slurm", "--array=1-2"};
    QCOMPARE(submit(first).status, 0);
    QCOMPARE(submit(first + QStringList{"--time=90"}).status, 0); // goes on, with more time
    QStringList other = first;
    other.back() = "--array=1-3";
    for (const QStringList& words : {other, QStringList{"--seeds", "1-9"}}) {
        const CliAnswer refused = submit(words == other ? other : m_compare.mid(0, 4) + words + first.mid(6));
        QCOMPARE(refused.status, 2);
        QVERIFY2(refused.err.find("another command") != std::string::npos, refused.err.c_str());
    }
}

void tst_Slurm::jobsThatAreNotOver() {
    const QStringList words = m_compare + QStringList{"--out", file("alive"), "--slurm"};
    QCOMPARE(submit(words).status, 0);
    qputenv("ALIVE", "1_[3-8] main PD");
    const CliAnswer refused = submit(words);
    qunsetenv("ALIVE");
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.find("jobs 1,2 ") != std::string::npos, refused.err.c_str());
}

void tst_Slurm::withoutSbatch() {
    const CliAnswer refused =
        cli(m_compare + QStringList{"--out", file("without"), "--slurm"}, {"PATH=" + file("nowhere")});
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.find("no sbatch") != std::string::npos, refused.err.c_str());
}

void tst_Slurm::onlyScripts() {
    const CliAnswer written = submit(m_compare + QStringList{"--resume", "--out=" + file("scripts"), "--slurm-script",
                                                             "-p", "short one", "-a", "1-12"});
    QCOMPARE(written.status, 0);
    QVERIFY(written.out.find("sbatch --dependency=afterany:$job ") != std::string::npos);
    const std::string script = read(file("scripts/array.sbatch"));
    QVERIFY2(script.find("\n#SBATCH -p 'short one'\n#SBATCH --array=1-12\n") != std::string::npos, script.c_str());
    QVERIFY(!QFile::exists(file("scripts/shards/1")));
}

void tst_Slurm::arrays() {
    for (const char* array : {"1-1", "1-1000000", "1-8%4"}) {
        SlurmJobs jobs;
        QVERIFY2(jobs.take({"--array=" + std::string(array)}).empty(), array);
    }
    for (const char* array : {"", "8", "0-7", "1-0", "2-8", "1-8:2", "1-8,12", "1-", "1-8%", "1-8%0", "1-1000001"}) {
        SlurmJobs jobs;
        QVERIFY2(!jobs.take({"--array=" + std::string(array)}).empty(), array);
    }
}

void tst_Slurm::areRefused_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("named");
    const auto row = [](const char* words, const char* named) {
        QTest::newRow(words) << QString::fromLatin1(words) << QString::fromLatin1(named);
    };
    row("--slurm", "--out DIR");
    row("--out OUT --shard 1/2 --slurm", "--shard 1/2");
    row("--out OUT --tune-rate 0.1,0.2 --slurm", "--tune-rate");
    row("--out OUT --mode execute --slurm", "executed runs");
    row("--out OUT --slurm --array=0-7", "--array=1-8");
    row("--out OUT --seeds 1-x --slurm", "1-x");
}

void tst_Slurm::areRefused() {
    QFETCH(const QString, words);
    QFETCH(const QString, named);
    QStringList all = m_compare.mid(0, 4) + words.split(' ');
    all.replaceInStrings("OUT", file("refused"));
    const CliAnswer refused = submit(all);
    QCOMPARE(refused.status, 2);
    QVERIFY2(refused.err.find(named.toStdString()) != std::string::npos, refused.err.c_str());
    QVERIFY(!QFile::exists(file("refused")));
}

void tst_Slurm::aRealSlurm() {
    const SlurmCluster slurm;
    if (!slurm.started()) QSKIP("slurm-wlm and munge are not installed, or cannot be started here");
    // Long enough that a task is caught in the middle of its runs.
    QVERIFY(writeFileAtomically(file("long.json").toStdString(), writeScenario(tinyScenario(20'000))).empty());
    m_compare[1] = file("long.json");
    const QString out = file("real");
    const CliAnswer submitted =
        cli(m_compare + QStringList{"--out", out, "--slurm", "--array=1-2"}, {"SLURM_CONF=" + slurm.configuration()});
    QVERIFY2(submitted.status == 0, submitted.err.c_str());
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(out + "/shards/1/results.db"), 30'000);
    slurm.command({"scontrol", "requeue", "1_1"});
    const auto areOver = [&] { // a requeued task would wait for two minutes
        slurm.command({"scontrol", "update", "JobId=1_1", "StartTime=now"});
        return slurm.command({"squeue", "-h"}).isEmpty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(areOver(), 300'000);
    QVERIFY(slurm.command({"scontrol", "show", "job", "1_1"}).contains("Restarts=1"));
    QCOMPARE(cli(m_compare + QStringList{"--json"}).out, read(out + "/comparison.json"));
}

TRAINYARD_TEST(tst_Slurm)
#include "tst_Slurm.moc"
