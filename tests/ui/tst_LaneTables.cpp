// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The numbers behind the lanes that a user added or changed: every step that was recorded, at its own
// instant. Expected rows are those of the run written by hand in support/BusyRun.h.
#include "charts/ChartLane.h"
#include "export/FigureSource.h"
#include "plots/Lane.h"
#include "plots/LaneStack.h"
#include "session/RunModel.h"
#include "session/Selection.h"
#include "session/TimeAxis.h"
#include "support/BusyRun.h"
#include "support/TestMain.h"

#include <QAction>
#include <QMenu>

using namespace trainyard;

namespace {

QStringList lines(std::initializer_list<const char*> texts) {
    QStringList list;
    for (const char* text : texts) list << QLatin1String(text);
    return list;
}

} // namespace

class tst_LaneTables : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void queueHasEveryStep();
    void ganttByJobIsOfJobs();
    void machineHistoryHasEveryStep();
    void linkHistoryIsTheLogs();
    void jobHistoryHasItsWorkers();
    void spanBeginsWithWhatHolds();
    void namesOfFilesDiffer();

private:
    /// Without the head.
    QStringList table(const QString& view, std::optional<double> from = {}, std::optional<double> to = {});
    static QStringList of(const QStringList& rows, const char* first);

    std::unique_ptr<RunModel> m_run;
    TimeAxis m_axis;
    Selection m_selection;
    std::unique_ptr<Histories> m_histories;
    std::unique_ptr<LaneStack> m_stack;
    QString m_head;
};

void tst_LaneTables::init() {
    m_stack.reset();
    m_run = std::make_unique<RunModel>(std::make_shared<const Registry>(Registry::builtin()), ResourcePaths{});
    m_histories = std::make_unique<Histories>();
    m_stack = std::make_unique<LaneStack>(*m_run, m_axis, m_selection, *m_histories, makeAddedPainter);
    const auto run = test::busyRun();
    m_run->show({.label = QStringLiteral("busy"),
                 .scenario = run.scenario,
                 .seed = 11,
                 .workload = run.workload,
                 .log = run.log});
}

QStringList tst_LaneTables::table(const QString& view, std::optional<double> from, std::optional<double> to) {
    FigureSource source(m_run->current(), {.from = from, .to = to}, {});
    std::string text;
    CsvRows rows([&](std::string_view piece) { return !(text += piece).empty(); });
    source.writeTable(rows, {view, {}, ViewKind::lane}, lanesOf(*m_stack), [](const auto& f) { f(); });
    rows.flush();
    QStringList all = QString::fromStdString(text).remove(QLatin1Char('\r')).split(QLatin1Char('\n'));
    all.removeAll(QString());
    m_head = all.takeFirst();
    return all;
}

QStringList tst_LaneTables::of(const QStringList& rows, const char* first) {
    return rows.filter(QRegularExpression(QLatin1Char('^') + QLatin1String(first) + QLatin1Char(',')));
}

void tst_LaneTables::queueHasEveryStep() {
    const QStringList rows = table(QStringLiteral("queue"));
    QCOMPARE(m_head, QStringLiteral("state,time_s,jobs"));
    // Digits waits from 0 to 0.8, Ranking from 3 to 4, and while its machine is down from 12 to 14.
    QCOMPARE(of(rows, "waiting"),
             lines({"waiting,0,1", "waiting,0.8,0", "waiting,3,1", "waiting,4,0", "waiting,12,1", "waiting,14,0"}));
    QVERIFY(rows.contains(QStringLiteral("running,4,2")));
    QVERIFY(rows.contains(QStringLiteral("running,12,1")));
}

void tst_LaneTables::ganttByJobIsOfJobs() {
    QVERIFY(!table(QStringLiteral("gantt")).isEmpty());
    QVERIFY(m_head.startsWith(QStringLiteral("machine,slot")));
    for (QAction* action : m_stack->lanes().front()->menu()->actions())
        if (action->text() == QStringLiteral("A Row per &Job")) action->trigger();
    const QStringList rows = table(QStringLiteral("gantt"));
    QCOMPARE(m_head, QStringLiteral("job,state,workers,start_s,end_s"));
    const QStringList digits = of(rows, "digits"), ranking = of(rows, "ranking");
    QCOMPARE(digits.size() + ranking.size(), rows.size());
    QCOMPARE(digits.mid(0, 1), lines({"digits,waiting,,0,0.8"}));
    QVERIFY(digits.size() == 3 && digits[1].startsWith(QStringLiteral("digits,running,6,0.4,")));
    QVERIFY(digits[2].startsWith(QStringLiteral("digits,finished,,")));
    QCOMPARE(ranking.size(), 5);
    QCOMPARE(ranking.mid(0, 3), lines({"ranking,waiting,,3,4", "ranking,running,3,4,12", "ranking,waiting,,12,14"}));
    QVERIFY(ranking[3].startsWith(QStringLiteral("ranking,running,3,14,")));
    const QString end = ranking[3].section(QLatin1Char(','), 4);
    QCOMPARE(ranking[4], QStringLiteral("ranking,finished,,%1,%1").arg(end));
}

// A worker of Ranking's sits on m7 until the machine fails at 12 s; it is repaired at 18 s.
void tst_LaneTables::machineHistoryHasEveryStep() {
    m_histories->add({{HistorySubject::Kind::machine, QStringLiteral("m7")}});
    const QStringList rows = table(QStringLiteral("m7"));
    QCOMPARE(m_head, QStringLiteral("series,time_s,value,capacity"));
    QCOMPARE(of(rows, "cpu"), lines({"cpu,4,1,4", "cpu,12,0,4"}));
    QCOMPARE(of(rows, "memory_gb"), lines({"memory_gb,4,4,16", "memory_gb,12,0,16"}));
    QCOMPARE(of(rows, "placed tasks"), lines({"placed tasks,4,1,", "placed tasks,12,0,"}));
    QCOMPARE(of(rows, "down"), lines({"down,12,1,", "down,18,0,"}));
    // It reads for 0.06 s, then computes for 0.9 s, then sends for 0.06 s; and so on until 12 s.
    const QStringList computing = of(rows, "computing tasks");
    const std::vector<std::pair<double, double>> steps{{4, 0}, {4.06, 1}, {4.96, 0}, {5.08, 1}};
    QVERIFY(computing.size() > static_cast<qsizetype>(steps.size()));
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const QStringList cells = computing[static_cast<qsizetype>(i)].split(QLatin1Char(','));
        QVERIFY2(std::abs(cells[1].toDouble() - steps[i].first) < 1e-9, qPrintable(cells[1]));
        QCOMPARE(cells[2].toDouble(), steps[i].second);
    }
}

void tst_LaneTables::linkHistoryIsTheLogs() {
    m_histories->add({{HistorySubject::Kind::link, QStringLiteral("m1--sw")}});
    const QStringList rows = table(QStringLiteral("m1--sw"));
    const EventLog& log = *m_run->current().log;
    qsizetype i = 0;
    for (std::size_t e = 0; e < log.size(); ++e) {
        if (log[e].type != EventType::linkLoad || log[e].a != 1) continue;
        QVERIFY(i < rows.size());
        const QStringList cells = rows[i++].split(QLatin1Char(','));
        QCOMPARE(cells[0], QStringLiteral("to m1"));
        QCOMPARE(cells[1].toDouble(), log[e].time.toSeconds());
        QCOMPARE(cells[2].toDouble(), log[e].value);
        QCOMPARE(cells[3].toDouble(), 1.25e8);
    }
    QCOMPARE(i, rows.size());
    QCOMPARE(i, 60); // on and off in 30 iterations
}

void tst_LaneTables::jobHistoryHasItsWorkers() {
    m_histories->add({{HistorySubject::Kind::job, QStringLiteral("ranking")}});
    const QStringList rows = table(QStringLiteral("ranking"));
    QCOMPARE(of(rows, "placed workers").mid(0, 3),
             lines({"placed workers,4,3,", "placed workers,12,0,", "placed workers,14,3,"}));
    QVERIFY(of(rows, "computing workers").size() > 20);
}

void tst_LaneTables::spanBeginsWithWhatHolds() {
    m_histories->add({{HistorySubject::Kind::machine, QStringLiteral("m7")}});
    const QStringList rows = table(QStringLiteral("m7"), 5.0, 15.0);
    QCOMPARE(of(rows, "cpu"), lines({"cpu,5,1,4", "cpu,12,0,4"}));
    QCOMPARE(of(rows, "down"), lines({"down,12,1,"}));
}

// A machine may be called like a view that is there anyway.
void tst_LaneTables::namesOfFilesDiffer() {
    m_histories->add({{HistorySubject::Kind::machine, QStringLiteral("jobs")},
                      {HistorySubject::Kind::machine, QStringLiteral("queue")}});
    QSet<QString> names;
    const auto views = exportViews(lanesOf(*m_stack));
    for (const ExportView& view : views) names << view.id;
    QCOMPARE(names.size(), static_cast<qsizetype>(views.size()));
    QVERIFY(names.contains(QStringLiteral("jobs-2")));
}

TRAINYARD_TEST(tst_LaneTables)
#include "tst_LaneTables.moc"
