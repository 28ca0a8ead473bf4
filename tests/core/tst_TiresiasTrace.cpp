// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Traces as scenarios, and schedulers on them against the public Tiresias simulator: to the second, since all its arithmetic is
// in whole numbers. Its figures for two traces, its rules simulated anew on random ones, and a small trace by hand.
#include "engine/Simulation.h"
#include "record/Metrics.h"
#include "run/import/TraceImport.h"
#include "scenario/ScenarioFile.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <random>
#include <set>

using namespace trainyard;
using namespace trainyard::test;

class tst_TiresiasTrace : public QObject {
    Q_OBJECT
private slots:
    void publicFigures_data();
    void publicFigures();
    void byHand();
    void equalsItsRulesOnRandomTraces();
    void importedJobs();
    void condensedPhilly();
    void timesAreExact();
    void timesCountFromTheFirstJob();
    void rowsWithoutGpusAreLeftOut();
    void zonesOfTimes();
    void otherEncodingsAreNamed();
    void badTraces_data();
    void badTraces();
    void curvesAreAttachedByChoice();

private:
    std::string written(const QString& name, const QString& text) const;
    QTemporaryDir m_dir;
};

namespace {

struct Row {
    std::int64_t submit = 0, gpus = 1, seconds = 1;
};

struct Figures {
    std::int64_t total = 0, preemptions = 0, makespan = 0;
    friend bool operator==(const Figures&, const Figures&) = default;
    QString text() const { return QStringLiteral("%1 s, %2, %3 s").arg(total).arg(preemptions).arg(makespan); }
};

/// The rules of the public simulator, as its description has them: between two events nothing changes; at each, jobs are gone
/// through in an order, and whoever still fits in the number of GPUs runs.
class PublicRules {
public:
    PublicRules(std::vector<Row> jobs, std::int64_t gpus) : m_jobs(std::move(jobs)), m_gpus(gpus) {
        m_done.assign(m_jobs.size(), 0);
    }

    Figures fifo(bool skip) {
        return run([&](const std::vector<std::size_t>& present) {
            std::vector<std::size_t> order; // those who run keep what they have
            std::copy_if(present.begin(), present.end(), std::back_inserter(order),
                         [&](std::size_t j) { return m_running.count(j) > 0; });
            std::int64_t free = m_gpus;
            for (const std::size_t j : order) free -= m_jobs[j].gpus;
            for (const std::size_t j : present) {
                if (m_running.count(j) > 0) continue;
                if (m_jobs[j].gpus > free && !skip) break;
                if (m_jobs[j].gpus > free) continue;
                free -= m_jobs[j].gpus;
                order.push_back(j);
            }
            return order;
        });
    }

    Figures shortestService() {
        std::vector<std::size_t> order; // kept from event to event: at equal service, as it was
        return run([&](const std::vector<std::size_t>& present) {
            std::erase_if(order, [&](std::size_t j) { return !std::count(present.begin(), present.end(), j); });
            for (const std::size_t j : present)
                if (!std::count(order.begin(), order.end(), j)) order.push_back(j);
            const auto left = [&](std::size_t j) { return (m_jobs[j].seconds - m_done[j]) * m_jobs[j].gpus; };
            std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return left(a) < left(b); });
            return order;
        });
    }

    Figures las(std::vector<std::int64_t> limits) {
        std::vector<std::vector<std::size_t>> queues(limits.size() + 1);
        std::vector<std::size_t> of(m_jobs.size(), 0);
        std::set<std::size_t> known;
        return run([&](const std::vector<std::size_t>& present) {
            for (auto& queue : queues)
                std::erase_if(queue, [&](std::size_t j) { return !std::count(present.begin(), present.end(), j); });
            for (const std::size_t j : present)
                if (known.insert(j).second) queues[0].push_back(j);
            for (const std::size_t j : present) {
                if (!m_running.count(j) || of[j] == limits.size() || m_done[j] * m_jobs[j].gpus < limits[of[j]])
                    continue;
                std::erase(queues[of[j]], j);
                queues[++of[j]].push_back(j);
            }
            std::int64_t free = m_gpus;
            std::vector<std::size_t> order;
            m_next = never;
            for (auto& queue : queues) {
                const auto fits = [&](std::size_t j) {
                    if (m_jobs[j].gpus > free) return false;
                    free -= m_jobs[j].gpus;
                    order.push_back(j);
                    if (of[j] < limits.size()) { // the quirk: executed time from a limit of service
                        const std::int64_t left = limits[of[j]] - m_done[j], gpus = m_jobs[j].gpus;
                        m_next = std::min(m_next, m_now + (left + gpus - 1) / gpus);
                    }
                    return true;
                };
                std::stable_partition(queue.begin(), queue.end(), fits);
            }
            return order;
        });
    }

private:
    static constexpr std::int64_t never = std::int64_t{1} << 60;

    /// `order`: in which those present (by submission) are served now; whoever fits, runs.
    template <class Order>
    Figures run(const Order& order) {
        Figures out;
        std::vector<std::size_t> present;
        for (std::size_t next = 0; next < m_jobs.size() || !present.empty();) {
            std::int64_t at = next < m_jobs.size() ? m_jobs[next].submit : never;
            for (const std::size_t j : m_running) at = std::min(at, m_now + m_jobs[j].seconds - m_done[j]);
            at = std::min(at, m_next);
            for (const std::size_t j : m_running) m_done[j] += at - m_now;
            m_now = at;
            std::erase_if(present, [&](std::size_t j) {
                if (m_done[j] < m_jobs[j].seconds) return false;
                out.total += m_now - m_jobs[j].submit;
                m_running.erase(j);
                return true;
            });
            for (; next < m_jobs.size() && m_jobs[next].submit == m_now; ++next) present.push_back(next);
            std::set<std::size_t> running;
            std::int64_t free = m_gpus;
            for (const std::size_t j : order(present))
                if (m_jobs[j].gpus <= free) {
                    free -= m_jobs[j].gpus;
                    running.insert(j);
                }
            for (const std::size_t j : m_running) out.preemptions += running.count(j) == 0;
            m_running = std::move(running);
        }
        out.makespan = m_now - m_jobs.front().submit;
        return out;
    }

    std::vector<Row> m_jobs;
    std::int64_t m_gpus, m_now = 0, m_next = never;
    std::vector<std::int64_t> m_done;
    std::set<std::size_t> m_running;
};

Figures figuresOf(Scenario scenario, Choice scheduler) {
    scenario.policies.scheduler = std::move(scheduler);
    auto made = Simulation::create(optionsFor(std::move(scenario)));
    if (!made) {
        qWarning("%s", made.problems().front().text().c_str());
        return {};
    }
    Simulation& simulation = *made.value();
    while (simulation.step()) {}
    const ClusterState& end = simulation.state();
    const auto values = computeMetrics(end.workload(), simulation.log(), end.now()).values;
    const auto whole = [&](const char* name) { // not rounded: what is no whole number shows as a great one
        const double value = values.at(name);
        return value == std::floor(value) ? static_cast<std::int64_t>(value) : std::int64_t{-1};
    };
    return {whole("total_jct_s"), whole("preemptions"), whole("makespan_s")};
}

QString csvOf(const std::vector<Row>& rows) {
    QString text = QStringLiteral("job_id,num_gpu,submit_time,iterations,model_name,duration,interval\n");
    for (std::size_t j = 0; j < rows.size(); ++j)
        text += QStringLiteral("%1,%2,%3,1000,vgg16,%4,0\n")
                    .arg(j)
                    .arg(rows[j].gpus)
                    .arg(rows[j].submit)
                    .arg(rows[j].seconds);
    return text;
}

Choice lasWith(double first, double second, bool faithful) {
    return {"las", {{"limit_1_s", first}, {"limit_2_s", second}, {"faithful", faithful}}};
}

const Choice byService{"srtf", {{"rank", std::string("remaining-service")}}};

} // namespace

std::string tst_TiresiasTrace::written(const QString& name, const QString& text) const {
    QFile file(m_dir.filePath(name));
    if (file.open(QIODevice::WriteOnly)) file.write(text.toUtf8());
    return m_dir.filePath(name).toStdString();
}

void tst_TiresiasTrace::publicFigures_data() {
    QTest::addColumn<QString>("trace");
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<qint64>("total");
    QTest::addColumn<qint64>("preemptions");
    QTest::addColumn<qint64>("makespan");
    // Measured with the public simulator on 128 GPUs, placement "count". Its "fifo" is head-of-line.
    QTest::addRow("480 fifo") << "tiresias_480.csv"
                              << "fifo" << qint64{3'002'623} << qint64{0} << qint64{158'457};
    QTest::addRow("480 las") << "tiresias_480.csv"
                             << "las" << qint64{2'986'434} << qint64{19} << qint64{158'457};
    QTest::addRow("2000 fifo") << "tiresias_2000.csv"
                               << "fifo" << qint64{39'072'550} << qint64{0} << qint64{308'118};
    QTest::addRow("2000 las") << "tiresias_2000.csv"
                              << "las" << qint64{13'285'183} << qint64{1'008} << qint64{278'477};
    QTest::addRow("2000 srtf") << "tiresias_2000.csv"
                               << "srtf" << qint64{12'203'332} << qint64{445} << qint64{278'398};
}

void tst_TiresiasTrace::publicFigures() {
    QFETCH(QString, trace);
    QFETCH(QString, schedule);
    QFETCH(qint64, total);
    QFETCH(qint64, preemptions);
    QFETCH(qint64, makespan);
    const QString folder =
        qEnvironmentVariable("TRAINYARD_TEST_DATA", QStringLiteral(TRAINYARD_SOURCE_DIR "/../shared/data"));
    const QString file = QDir(folder).filePath(QStringLiteral("philly/") + trace);
    if (!QFile::exists(file)) QSKIP("the traces are not in TRAINYARD_TEST_DATA");
    const auto scenario = importTrace(TraceFormat::tiresias, file.toStdString(), {.machines = 32, .gpus = 4});
    QVERIFY2(scenario.ok(), scenario.ok() ? "" : scenario.problems().front().text().c_str());
    const Choice choice = schedule == QStringLiteral("srtf")  ? byService
                          : schedule == QStringLiteral("las") ? Choice{"las", {{"faithful", true}}}
                                                              : Choice{"fifo", {}};
    QCOMPARE(figuresOf(*scenario, choice).text(), (Figures{total, preemptions, makespan}).text());
}

void tst_TiresiasTrace::byHand() {
    // 2 GPUs, limits 10 and 20. A: 2 GPUs, 12 s, at 0. B, C: 1 GPU, 4 and 9 s, at 3.
    const std::vector<Row> rows{{0, 2, 12}, {3, 1, 4}, {3, 1, 9}};
    const auto scenario = importTrace(TraceFormat::tiresias, written(QStringLiteral("hand.csv"), csvOf(rows)),
                                      {.machines = 2, .gpus = 1});
    QVERIFY(scenario.ok());
    const auto expect = [&](const Choice& choice, Figures figures) {
        QCOMPARE(figuresOf(*scenario, choice).text(), figures.text());
    };
    // A 0–12, B 12–16, C 12–21: 12 + 13 + 18.
    expect({"fifo", {}}, {43, 0, 21});
    // A has had 10 GPU-seconds at 5: B 5–9, C 5–14, A 14–21: 21 + 6 + 11.
    expect(lasWith(10, 20, false), {38, 1, 21});
    // At 3 the next demotion is looked for in ⌈(10 − 3)/2⌉ = 4 s: B 7–11, C 7–16, A 16–21: 21 + 8 + 13.
    expect(lasWith(10, 20, true), {42, 1, 21});
    // At 3 A has 9 · 2 = 18 to go, B 4 and C 9: B 3–7, C 3–12, A 12–21: 21 + 4 + 9.
    expect(byService, {34, 1, 21});
}

void tst_TiresiasTrace::equalsItsRulesOnRandomTraces() {
    std::int64_t preempted = 0;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        std::mt19937 random(seed);
        std::vector<Row> rows;
        std::int64_t at = 0;
        for (int j = 0; j < 60; ++j) {
            at += random() % 4 == 0 ? 0 : random() % 12;
            rows.push_back({at, std::int64_t{1} << random() % 4, 1 + static_cast<std::int64_t>(random() % 40)});
        }
        const auto scenario = importTrace(TraceFormat::tiresias, written(QStringLiteral("random.csv"), csvOf(rows)),
                                          {.machines = 3, .gpus = 4});
        QVERIFY(scenario.ok());
        const auto compare = [&](const Choice& choice, const Figures& expected) {
            preempted += expected.preemptions;
            const Figures found = figuresOf(*scenario, choice);
            QVERIFY2(found == expected, qPrintable(QStringLiteral("seed %1, %2: %3, not %4")
                                                       .arg(seed)
                                                       .arg(QString::fromStdString(choice.id))
                                                       .arg(found.text(), expected.text())));
        };
        compare({"fifo", {}}, PublicRules(rows, 12).fifo(false));
        compare({"fifo", {{"skip", true}}}, PublicRules(rows, 12).fifo(true));
        compare(byService, PublicRules(rows, 12).shortestService());
        compare(lasWith(20, 60, true), PublicRules(rows, 12).las({20, 60}));
    }
    QVERIFY(preempted > 500);
}

void tst_TiresiasTrace::importedJobs() {
    // Two rows in the wrong order; a duration with a fraction, one below a second, and one of nothing.
    const std::string file =
        written(QStringLiteral("small.csv"),
                QStringLiteral("job_id,num_gpu,submit_time,duration\nx,2,7,3.9\ny,1,5,10\nz,1,5,0.5\nu,1,8,0\n"));
    const auto scenario = importTrace(TraceFormat::tiresias, file, {.machines = 2, .gpus = 4});
    QVERIFY(scenario.ok());
    QStringList warnings;
    for (const Problem& p : scenario.problems()) {
        QCOMPARE(p.severity, Severity::warning);
        warnings += QString::fromStdString(p.text()).mid(static_cast<int>(file.size()));
    }
    QCOMPARE(warnings, (QStringList{":5: a duration of 0 s counts as 1 s",
                                    ":3: 2 rows come after later ones, this one first: they are sorted by time"}));
    QCOMPARE(scenario->jobs.size(), std::size_t{4});
    QStringList jobs;
    for (const Job& job : scenario->jobs)
        jobs += QStringLiteral("%1 %2 %3 %4 %5 x %6")
                    .arg(QString::fromStdString(job.key), QString::fromStdString(job.name))
                    .arg(job.arrival.toSeconds())
                    .arg(job.workers.minimum)
                    .arg(*job.stop.iterations)
                    .arg(std::get<AnalyticWork>(job.work).secondsPerSample);
    QCOMPARE(jobs, (QStringList{"j1 y 0 1 10 x 1", "j2 z 0 1 1 x 0.5", "j3 x 2 2 3 x 1.3", "j4 u 3 1 1 x 1"}));
    QVERIFY(scenario->notes.find("Time 0 is 5 in the trace.") != std::string::npos);
    QVERIFY(scenario->curves.empty());
    const auto again = parseScenario(writeScenario(*scenario), "again");
    QVERIFY(again.ok());
    QCOMPARE(writeScenario(again->scenario), writeScenario(*scenario));
    QVERIFY(!hasErrors(validateScenario(*scenario, Registry::builtin())));
    const auto first = importTrace(TraceFormat::tiresias, file, {.machines = 2, .gpus = 4, .jobs = 2});
    QVERIFY(first.ok());
    QCOMPARE(first->jobs.size(), std::size_t{2});
    QCOMPARE(first->jobs[1].name.c_str(), "z");
}

void tst_TiresiasTrace::condensedPhilly() {
    const std::string file =
        written(QStringLiteral("philly.csv"),
                QStringLiteral("timestamp,duration,num_gpus,gpu_time,cluster\n"
                               "2017-02-28 23:59:50,66.0,1,66.0,a\n2017-03-01 00:00:20,7.0,8,56.0,b\n"
                               "2017-03-01 00:00:00,5.0,2,10.0,a\n"));
    const auto all = importTrace(TraceFormat::philly, file, {.machines = 4, .gpus = 2});
    QVERIFY(all.ok());
    std::vector<std::int64_t> arrivals;
    for (const Job& job : all->jobs) arrivals.push_back(job.arrival.ns);
    QCOMPARE(arrivals, (std::vector<std::int64_t>{0, 10'000'000'000, 30'000'000'000}));
    QCOMPARE(all->jobs[2].workers.maximum, 8);
    const auto one = importTrace(TraceFormat::philly, file, {.machines = 1, .gpus = 2, .cluster = "a"});
    QVERIFY(one.ok());
    QCOMPARE(one->jobs.size(), std::size_t{2});
}

namespace {

std::map<std::string, double> metricsOf(const Scenario& scenario, std::vector<double>& completions) {
    auto simulation = Simulation::create({.scenario = std::make_shared<const Scenario>(scenario),
                                          .registry = std::make_shared<const Registry>(Registry::builtin())});
    while ((*simulation)->step()) {}
    const Metrics metrics =
        computeMetrics(*(*simulation)->workload(), (*simulation)->log(), (*simulation)->state().now());
    for (const auto& job : metrics.jobs) completions.push_back(job.at("jct_s"));
    return metrics.values;
}

} // namespace

// Alone on a GPU each, jobs take as long as the trace says, to the nanosecond.
void tst_TiresiasTrace::timesAreExact() {
    const std::string file =
        written(QStringLiteral("fractions.csv"),
                QStringLiteral("num_gpu,submit_time,duration\n1,0,20.9\n1,5.7,3.99\n1,7.123456789,0.25\n"
                               "1,8,1234567.891\n1,9,1e-3\n1,10,1\n"));
    const auto scenario = importTrace(TraceFormat::tiresias, file, {.machines = 2, .gpus = 4});
    QVERIFY(scenario.ok() && scenario.problems().empty());
    QCOMPARE(scenario->jobs[2].arrival.ns, std::int64_t{7'123'456'789});
    QVERIFY(scenario->notes.find("no whole seconds") != std::string::npos);
    std::vector<double> completions;
    metricsOf(*scenario, completions);
    const std::vector<double> expected{20.9, 3.99, 0.25, 1234567.891, 1e-3, 1};
    for (std::size_t j = 0; j < expected.size(); ++j) QVERIFY(std::abs(completions[j] - expected[j]) <= 1.01e-9);
}

// Two jobs of 1,000 s that come 100 s apart hold two GPUs for 2,000 of 2 · 1,100 s: 0.909, whenever the trace begins.
void tst_TiresiasTrace::timesCountFromTheFirstJob() {
    for (const char* origin : {"0", "500000", "1507000000", "1507000000.123456789", "9e8"}) {
        const double begin = std::stod(origin);
        const std::string file =
            written(QStringLiteral("late.csv"),
                    QStringLiteral("num_gpu,submit_time,duration\n1,%1,1000\n1,%2,1000\n")
                        .arg(QString::fromLatin1(origin))
                        .arg(QString::fromLatin1(begin == 1507000000.123456789 ? "1507000100.123456789"
                                                                               : std::to_string(begin + 100).c_str())));
        const auto scenario = importTrace(TraceFormat::tiresias, file, {.machines = 1, .gpus = 2});
        QVERIFY(scenario.ok());
        QVERIFY(!hasErrors(validateScenario(*scenario, Registry::builtin())));
        QCOMPARE(scenario->jobs[0].arrival.ns, std::int64_t{0});
        QCOMPARE(scenario->jobs[1].arrival.ns, std::int64_t{100'000'000'000});
        QCOMPARE(scenario->notes.find("Time 0 is " + std::string(origin) + " in the trace.") != std::string::npos,
                 begin > 0);
        std::vector<double> completions;
        QVERIFY(std::abs(metricsOf(*scenario, completions).at("utilization_gpu") - 2000.0 / 2200) < 1e-12);
    }
    // What the trace spans is run, however long.
    const std::string file =
        written(QStringLiteral("long.csv"), QStringLiteral("num_gpu,submit_time,duration\n1,0,1\n1,2000000000,1\n"));
    const auto scenario = importTrace(TraceFormat::tiresias, file, {.machines = 1, .gpus = 1});
    std::vector<double> completions;
    QCOMPARE(metricsOf(*scenario, completions).at("finished_jobs"), 2.0);
}

void tst_TiresiasTrace::rowsWithoutGpusAreLeftOut() {
    const std::string file =
        written(QStringLiteral("zero.csv"), QStringLiteral("job_id,num_gpu,submit_time,duration\na,1,20,5\nb,0,0,50\n"
                                                           "c,1,10,20\nd,0,,\n"));
    const auto scenario = importTrace(TraceFormat::tiresias, file, {.machines = 1, .gpus = 1});
    QVERIFY(scenario.ok());
    QCOMPARE(scenario->jobs.size(), std::size_t{2});
    QCOMPARE(scenario->jobs[1].arrival.toSeconds(), 10.0); // after c, not after b
    QCOMPARE(scenario.problems().size(), std::size_t{2});
    QCOMPARE(QString::fromStdString(scenario.problems()[1].text()).mid(static_cast<int>(file.size())),
             QStringLiteral(":3: warning: 2 rows ask for 0 GPUs, this one first: they are left out")
                 .remove(QStringLiteral("warning: ")));
    QVERIFY(scenario->notes.find("no GPU are left out: 2.") != std::string::npos);
    const std::string none =
        written(QStringLiteral("none.csv"), QStringLiteral("num_gpu,submit_time,duration\n0,1,1\n"));
    QVERIFY(!importTrace(TraceFormat::tiresias, none, {.machines = 1, .gpus = 1}).ok());
}

// Minutes after 2017-10-03 07:00 UTC, or what is said.
void tst_TiresiasTrace::zonesOfTimes() {
    const auto imported = [&](const QStringList& times) {
        QString text = QStringLiteral("timestamp,duration,num_gpus\n2017-10-03 07:00:00 UTC,1,1\n");
        for (const QString& time : times) text += time + QStringLiteral(",1,1\n");
        return importTrace(TraceFormat::philly, written(QStringLiteral("zones.csv"), text), {.machines = 1, .gpus = 1});
    };
    const std::vector<std::pair<const char*, double>> minutes{
        {"2017-10-03 00:08:00 PDT", 8},          {"2017-10-03 00:08:00 PST", 68},   {"2017-10-03T07:08:00Z", 8},
        {"2017-10-03T07:08:30.5Z", 8.508333333}, {"2017-10-03 12:38:00 +05:30", 8}, {"2017-10-03 12:38:00+0530", 8},
        {"2017-10-02 23:08:00 -08", 8},          {"2017-10-03 03:08:00 EDT", 8},    {"2017-10-03 07:08:00 GMT", 8}};
    for (const auto& [time, expected] : minutes) {
        const auto scenario = imported({QString::fromLatin1(time)});
        QVERIFY2(scenario.ok(), time);
        QVERIFY2(std::abs(scenario->jobs[1].arrival.toSeconds() / 60 - expected) < 1e-8, time);
    }
    const auto problem = [&](const char* time) {
        const auto scenario = imported({QString::fromLatin1(time)});
        return scenario.ok() ? QString() : QString::fromStdString(scenario.problems().front().message.english());
    };
    QVERIFY(problem("2017-10-03 07:08:00 CET").startsWith(QStringLiteral("the zone \"CET\" is not known")));
    QVERIFY(problem("2017-10-03 07:08:00 +15:00").startsWith(QStringLiteral("the zone \"+15:00\" is not known")));
    QCOMPARE(problem("2017-10-03 07:08:00"),
             QStringLiteral("the time \"2017-10-03 07:08:00\" has no zone; those before it have one"));
    QVERIFY(problem("2017-10-03 07:08:00.").contains(QStringLiteral("is not a time")));
}

void tst_TiresiasTrace::otherEncodingsAreNamed() {
    QFile file(m_dir.filePath(QStringLiteral("bytes.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("job_id,num_gpu,submit_time,duration\na,1,1,1\n\xff,1,1,1\n");
    file.close();
    const auto scenario = importTrace(TraceFormat::tiresias, file.fileName().toStdString(), {.machines = 2, .gpus = 4});
    QVERIFY(!scenario.ok());
    QCOMPARE(scenario.problems().front().line, 3);
    QVERIFY(scenario.problems().front().text().find("not UTF-8") != std::string::npos);
}

void tst_TiresiasTrace::badTraces_data() {
    QTest::addColumn<bool>("philly");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("problems"); // after the file's name
    const QString header = QStringLiteral("job_id,num_gpu,submit_time,duration\n");
    QTest::newRow("empty") << false << "" << QStringList{": there are no rows in it"};
    QTest::newRow("no jobs") << false << header << QStringList{":1: there are no jobs in it"};
    QTest::newRow("columns") << false << "num_gpu,when\n1,2\n"
                             << QStringList{":1: there is no column \"submit_time\"; the line has num_gpu, when",
                                            ":1: there is no column \"duration\"; the line has num_gpu, when"};
    QTest::newRow("columns twice") << false << "job_id,num_gpu,submit_time,duration,num_gpu\na,1,1,1,2\n"
                                   << QStringList{":1: the column \"num_gpu\" is there more than once"};
    QTest::newRow("values")
        << false << header + "a,-1,1,1\nb,1.5,1,1\nc,1,-1,1\nd,1,soon,1\ne,1,1,\nf,1,1,-2\ng,1,1,inf\nh,9,1,1\ni,1,1\n"
        << QStringList{":2: \"-1\" is no number of GPUs; a whole one from 1 on is needed",
                       ":3: \"1.5\" is no number of GPUs; a whole one from 1 on is needed",
                       ":4: \"-1\" is not a time; seconds from 0 to 9e9 are required",
                       ":5: \"soon\" is not a time; seconds from 0 to 9e9 are required",
                       ":6: \"\" is no duration; seconds from 0 to 9e9 are needed",
                       ":7: \"-2\" is no duration; seconds from 0 to 9e9 are needed",
                       ":8: \"inf\" is no duration; seconds from 0 to 9e9 are needed",
                       ":9: the job asks for 9 GPUs; the cluster has 8",
                       ":10: the line has 3 values, those before it 4"};
    QTest::newRow("twice") << false << header + "a,1,1,1\nb,1,2,1\na,1,3,1\n"
                           << QStringList{":4: job \"a\" is in line 2 already"};
    QTest::newRow("dates") << true
                           << "timestamp,duration,num_gpus\n2017-02-29 00:00:00,1,1\n2017-03-01 24:00:00,1,1\n5,1,1\n"
                           << QStringList{
                                  ":2: \"2017-02-29 00:00:00\" is not a time; one like 2017-10-09 07:01:55 is needed",
                                  ":3: \"2017-03-01 24:00:00\" is not a time; one like 2017-10-09 07:01:55 is needed",
                                  ":4: \"5\" is not a time; one like 2017-10-09 07:01:55 is needed"};
    QString many = header;
    QStringList first;
    for (int i = 0; i < 30; ++i) many += QStringLiteral("j%1,x,1,1\n").arg(i);
    for (int i = 0; i < 20; ++i)
        first += QStringLiteral(":%1: \"x\" is no number of GPUs; a whole one from 1 on is needed").arg(i + 2);
    QTest::newRow("twenty at most") << false << many << first;
}

void tst_TiresiasTrace::badTraces() {
    QFETCH(bool, philly);
    QFETCH(QString, text);
    QFETCH(QStringList, problems);
    const std::string file = written(QStringLiteral("bad.csv"), text);
    const auto scenario =
        importTrace(philly ? TraceFormat::philly : TraceFormat::tiresias, file, {.machines = 2, .gpus = 4});
    QVERIFY(!scenario.ok());
    QStringList found;
    for (const Problem& p : scenario.problems())
        found += QString::fromStdString(p.text()).mid(static_cast<int>(file.size()));
    QCOMPARE(found, problems);
    QVERIFY(!importTrace(TraceFormat::tiresias, m_dir.filePath(QStringLiteral("nowhere.csv")).toStdString(), {}).ok());
}

void tst_TiresiasTrace::curvesAreAttachedByChoice() {
    const std::string trace = written(QStringLiteral("one.csv"), csvOf({{0, 1, 10}}));
    const std::string curve = written(QStringLiteral("measured.csv"), QStringLiteral("update,loss\n0,2\n4,1\n8,0.5\n"));
    const auto scenario =
        importTrace(TraceFormat::tiresias, trace, {.machines = 1, .gpus = 1, .curve = std::filesystem::path(curve)});
    QVERIFY(scenario.ok());
    QCOMPARE(scenario->curves.size(), std::size_t{1});
    QCOMPARE(scenario->curves[0].at(6), 0.75);
    QCOMPARE(std::get<AnalyticWork>(scenario->jobs[0].work).curve.name.c_str(), "measured");
    QVERIFY(scenario->notes.find("attached by choice") != std::string::npos);
    QVERIFY(!hasErrors(validateScenario(*scenario, Registry::builtin())));
    for (const char* wrong : {"", "update,loss\n1,2\n", "0,2\n0,1\n", "0,2,3\n", "0,2\n5,x\n"}) {
        const std::string bad = written(QStringLiteral("wrong.csv"), QString::fromLatin1(wrong));
        QVERIFY(
            !importTrace(TraceFormat::tiresias, trace, {.machines = 1, .gpus = 1, .curve = std::filesystem::path(bad)})
                 .ok());
    }
}

TRAINYARD_TEST(tst_TiresiasTrace)
#include "tst_TiresiasTrace.moc"
