// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Measuring how long decisions and traces take: they are made and carried out at every size, and the benchmark says all of it. How long
// is not judged.
#include "run/CliProcess.h"
#include "studies/slaq/SlaqTimes.h"
#include "support/TestMain.h"

#include <QFile>
#include <QTemporaryDir>

#include <cmath>

using namespace trainyard;

class tst_SlaqTimes : public QObject {
    Q_OBJECT
private slots:
    void decisionsAreCarriedOut_data();
    void decisionsAreCarriedOut();
    void nothingIsNotTimed();
    void jobsOfATrace();
    void theBenchmarkHasThem();
};

void tst_SlaqTimes::decisionsAreCarriedOut_data() {
    QTest::addColumn<int>("jobs");
    QTest::addColumn<int>("cores");
    QTest::addColumn<int>("threads");
    QTest::newRow("one") << 1 << 1 << 1;
    QTest::newRow("four cores a job") << 24 << 96 << 2;
    QTest::newRow("a smaller last machine") << 10 << 70 << 1;
    QTest::newRow("jobs that wait") << 50 << 40 << 2;
}

/// An InvariantError says that a job has no core though one is free, or that a machine holds more than it can.
void tst_SlaqTimes::decisionsAreCarriedOut() {
    QFETCH(int, jobs);
    QFETCH(int, cores);
    QFETCH(int, threads);
    const double seconds = study::slaqDecisionSeconds(static_cast<std::size_t>(jobs), cores, threads);
    QVERIFY(seconds > 0 && seconds < 600);
}

void tst_SlaqTimes::nothingIsNotTimed() {
    QVERIFY_EXCEPTION_THROWN(study::slaqDecisionSeconds(0, 4, 1), InvariantError);
    QVERIFY_EXCEPTION_THROWN(study::slaqDecisionSeconds(4, 0, 1), InvariantError);
}

// Three jobs on two GPUs, one of which asks for both; and traces that say nothing.
void tst_SlaqTimes::jobsOfATrace() {
    const QTemporaryDir directory;
    const auto written = [&](const QByteArray& text) {
        QFile file(directory.filePath(QStringLiteral("trace.csv")));
        if (!file.open(QFile::WriteOnly) || file.write(text) != text.size()) qFatal("the trace cannot be written");
        return std::filesystem::path(file.fileName().toStdString());
    };
    const TraceOptions two{.machines = 1, .gpus = 2};
    const QByteArray head = "job_id,num_gpu,submit_time,duration\n";
    const auto measured = study::traceJobsPerSecond(written(head + "1,1,0,100\n2,2,10,50\n3,1,20,30\n"), two, 2);
    QVERIFY(measured.ok() && *measured > 0 && std::isfinite(*measured));
    QVERIFY(!study::traceJobsPerSecond(written(head + "1,3,0,100\n"), two, 1).ok()); // more GPUs than there are
    QVERIFY(!study::traceJobsPerSecond(directory.filePath(QStringLiteral("none")).toStdString(), two, 1).ok());
    QVERIFY_EXCEPTION_THROWN(study::traceJobsPerSecond(written(head + "1,1,0,9\n"), two, 0), InvariantError);
}

void tst_SlaqTimes::theBenchmarkHasThem() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QSKIP("it measures for minutes under a sanitizer");
#endif
    const auto answer = test::cli({"bench", "slaq", "--json"});
    QVERIFY2(answer.status == 0, answer.err.c_str());
    std::map<std::string, double> values;
    const auto json = answer.json();
    for (const auto& measure : json.at("benchmarks")) values[measure.at("name")] = measure.at("value");
    for (const char* name :
         {"slaq_greedy_s", "slaq_greedy_ratio", "slaq_greedy_10000_s", "slaq_greedy_10000_ratio", "slaq_fit_s",
          "slaq_decision_4000_s", "slaq_trace_jobs_per_s", "slaq_trace_80k_jobs_per_s"})
        QVERIFY2(values.count(name) == 1 && values[name] > 0 && std::isfinite(values[name]), name);
    QCOMPARE(values.size(), std::size_t{8});
}

TRAINYARD_TEST(tst_SlaqTimes)
#include "tst_SlaqTimes.moc"
