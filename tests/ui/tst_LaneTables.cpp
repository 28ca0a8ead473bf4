// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The numbers behind the lanes that a user added or changed: every step that was recorded, at its own
// instant. Expected rows are those of the run written by hand in support/BusyRun.h.
#include "charts/ChartLane.h"
#include "export/FigureSource.h"
#include "lanes/Lane.h"
#include "lanes/LaneStack.h"
#include "session/RunModel.h"
#include "session/Selection.h"
#include "session/ShownRuns.h"
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
    static QStringList steps(const QStringList& rows, const char* series);

    std::unique_ptr<RunModel> m_run;
    std::unique_ptr<ShownRuns> m_shown;
    TimeAxis m_axis;
    Selection m_selection;
    std::unique_ptr<Histories> m_histories;
    std::unique_ptr<LaneStack> m_stack;
    QString m_head;
};

void tst_LaneTables::init() {
    m_stack.reset();
    m_shown.reset();
    m_run = std::make_unique<RunModel>(std::make_shared<const Registry>(Registry::builtin()), ResourcePaths{});
    m_histories = std::make_unique<Histories>();
    m_shown = std::make_unique<ShownRuns>(*m_run);
    m_stack = std::make_unique<LaneStack>(*m_shown, m_axis, m_selection, *m_histories, makeChartLane);
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

/// "x,x_to,y" of one curve of a view.
QStringList tst_LaneTables::steps(const QStringList& rows, const char* series) {
    QStringList out;
    for (const QString& row : rows) {
        const QStringList cells = row.split(QLatin1Char(','));
        if (cells[1] == QLatin1String(series)) out << cells.mid(3, 3).join(QLatin1Char(','));
    }
    return out;
}

void tst_LaneTables::queueHasEveryStep() {
    const QStringList rows = table(QStringLiteral("queue"));
    QCOMPARE(m_head, QStringLiteral("plot,series,kind,x,x_to,y,y_to,value,what"));
    // Digits waits from 0 to 0.8, Ranking from 3 to 4, and while its machine is down from 12 to 14.
    QCOMPARE(steps(rows, "waiting").mid(0, 5), lines({"0,0.8,1", "0.8,3,0", "3,4,1", "4,12,0", "12,14,1"}));
    QVERIFY(steps(rows, "running").contains(QStringLiteral("4,12,2")));
    QVERIFY(steps(rows, "running").contains(QStringLiteral("12,14,1")));
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
    m_histories->add({machineSubject("m7")});
    const QStringList rows = table(QStringLiteral("machine-m7"));
    QCOMPARE(steps(rows, "cpu").mid(0, 1), lines({"4,12,25"})); // 1 of 4
    QVERIFY(steps(rows, "cpu")[1].startsWith(QStringLiteral("12,")));
    QCOMPARE(steps(rows, "memory GB").mid(0, 1), lines({"4,12,25"})); // 4 of 16
    const QStringList down = rows.filter(QStringLiteral(",down "));
    QCOMPARE(down.size(), 4); // its two ends, in both plots
    QVERIFY(down[0].contains(QStringLiteral(",12,")) && down[1].contains(QStringLiteral(",18,")));
    // It reads for 0.06 s, then computes for 0.9 s, then sends for 0.06 s; and so on until 12 s.
    const QStringList computing = steps(rows, "computing tasks");
    const std::vector<std::pair<double, double>> expected{{4, 0}, {4.06, 1}, {4.96, 0}, {5.08, 1}};
    QVERIFY(computing.size() > static_cast<qsizetype>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const QStringList cells = computing[static_cast<qsizetype>(i)].split(QLatin1Char(','));
        QVERIFY2(std::abs(cells[0].toDouble() - expected[i].first) < 1e-9, qPrintable(cells[0]));
        QCOMPARE(cells[2].toDouble(), expected[i].second);
    }
}

void tst_LaneTables::linkHistoryIsTheLogs() {
    m_histories->add({linkSubject("m1--sw")});
    const QStringList rows = steps(table(QStringLiteral("link-m1--sw")), "to m1");
    const EventLog& log = *m_run->current().log;
    qsizetype i = 0;
    for (std::size_t e = 0; e < log.size(); ++e) {
        if (log[e].type != EventType::linkLoad || log[e].a != 1) continue;
        QVERIFY(i < rows.size());
        const QStringList cells = rows[i++].split(QLatin1Char(','));
        QVERIFY(std::abs(cells[0].toDouble() - log[e].time.toSeconds()) < 1e-9);
        QVERIFY(std::abs(cells[2].toDouble() - 100 * log[e].value / 1.25e8) < 1e-9);
    }
    QCOMPARE(i, rows.size());
    QCOMPARE(i, 60); // on and off in 30 iterations
}

void tst_LaneTables::jobHistoryHasItsWorkers() {
    m_histories->add({jobSubject("ranking")});
    const QStringList rows = table(QStringLiteral("workers-ranking"));
    QCOMPARE(steps(rows, "placed workers").mid(0, 2), lines({"4,12,3", "12,14,0"}));
    QVERIFY(steps(rows, "placed workers")[2].startsWith(QStringLiteral("14,")));
    QVERIFY(steps(rows, "computing workers").size() > 20);
}

void tst_LaneTables::spanBeginsWithWhatHolds() {
    m_histories->add({machineSubject("m7")});
    const QStringList rows = table(QStringLiteral("machine-m7"), 5.0, 15.0);
    QCOMPARE(steps(rows, "cpu"), lines({"4,12,25", "12,15,0"}));
}

// A view added twice with other options.
void tst_LaneTables::namesOfFilesDiffer() {
    m_histories->add({machineSubject("a b"), machineSubject("a-b"), {QStringLiteral("queue")}});
    QSet<QString> names;
    const auto views = exportViews(lanesOf(*m_stack));
    for (const ExportView& view : views) names << view.id;
    QCOMPARE(names.size(), static_cast<qsizetype>(views.size()));
    QVERIFY(names.contains(QStringLiteral("machine-a-b-2")));
}

TRAINYARD_TEST(tst_LaneTables)
#include "tst_LaneTables.moc"
