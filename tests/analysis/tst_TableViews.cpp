// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Views that are tables, against what the log says at random instants; as CSV and as JSON.
#include "analysis/RunIndex.h"
#include "analysis/View.h"
#include "base/Format.h"
#include "base/Random.h"
#include "record/Metrics.h"
#include "run/files/PictureFile.h"
#include "support/IndexedRun.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <nlohmann/json.hpp>

using namespace trainyard;

class tst_TableViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void jobsAreThoseOfTheLog();
    void metricsAreThoseOfTheRunCutOff();
    void peopleAndFilesSeeTheSame();
    void nothingHasRunYet();
};

namespace {

/// Four jobs of two kinds, which arrive one after the other.
RunIndex indexed() {
    Scenario scenario = test::starScenario(4);
    for (const char* key : {"t", "a", "u", "b"}) {
        scenario.jobs.push_back(scenario.jobs.size() % 2 == 0 ? test::trainedJob() : test::analyticJob());
        scenario.jobs.back().key = key;
        scenario.jobs.back().arrival = SimTime::seconds(0.1 * static_cast<double>(scenario.jobs.size()));
    }
    RunIndex index(test::sourceOfRun(std::move(scenario)));
    index.update();
    return index;
}

Table tableOf(const RunIndex& run, const char* view, SimTime at) {
    return std::get<Table>(wholePicture(*findView(view), {.run = run, .job = {}, .at = at}));
}

std::string cell(const Table& table, const Table::Row& row, std::string_view key) {
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (table.columns[c].key == key) return row.cells[c].raw;
    return "no such column";
}

} // namespace

void tst_TableViews::jobsAreThoseOfTheLog() {
    const RunIndex run = indexed();
    const EventLog& log = *run.source().log;
    RandomStream random(7, Purpose::test);
    for (int i = 0; i < 25; ++i) {
        const SimTime at{static_cast<std::int64_t>(random.unit() * static_cast<double>(run.head().ns))};
        const Table table = tableOf(run, "jobs", at);
        QCOMPARE(table.rows.size(), std::size_t{4});
        for (std::size_t j = 0; j < 4; ++j) {
            std::size_t updates = 0;
            std::string state = "future", loss;
            for (std::size_t e = 0; e < log.size() && log[e].time <= at; ++e) {
                if (log[e].job != j) continue;
                if (log[e].type == EventType::jobArrived) state = "waiting";
                if (log[e].type == EventType::jobStarted) state = "running";
                if (log[e].type == EventType::jobFinished) state = "finished";
                if (log[e].type == EventType::updateApplied) ++updates;
                if (log[e].type == EventType::lossEvaluated) loss = formatNumber(log[e].value, 12);
            }
            const Table::Row& row = table.rows[j];
            QCOMPARE(cell(table, row, "job"), run.workload().jobs[j].key);
            QCOMPARE(cell(table, row, "updates"), std::to_string(updates));
            QCOMPARE(cell(table, row, "state"), state);
            QCOMPARE(cell(table, row, "loss"), loss);
            QCOMPARE(cell(table, row, "at_s"), formatNumber(at.toSeconds(), 15));
            QCOMPARE(row.ref.job, JobId(j));
        }
    }
}

void tst_TableViews::metricsAreThoseOfTheRunCutOff() {
    const RunIndex run = indexed();
    const EventLog& log = *run.source().log;
    RandomStream random(8, Purpose::test);
    const Metrics end = computeMetrics(run.workload(), log, run.head());
    for (int i = 0; i < 5; ++i) {
        const SimTime at{static_cast<std::int64_t>(random.unit() * static_cast<double>(run.head().ns))};
        EventLog until;
        for (std::size_t e = 0; e < log.size() && log[e].time <= at; ++e) until.append(log[e]);
        const Metrics then = computeMetrics(run.workload(), until, at);
        const Table table = tableOf(run, "metrics", at);
        std::size_t rows = 0;
        for (const Table::Row& row : table.rows) {
            const std::string of = cell(table, row, "of"), id = cell(table, row, "metric");
            const std::size_t job = row.ref.job.valid() ? row.ref.job.index() : 0;
            QCOMPARE(of, row.ref.job.valid() ? run.workload().jobs[job].key : std::string("whole run"));
            const auto same = [&](const Metrics& metrics, const char* column) {
                const auto& values = row.ref.job.valid() ? metrics.jobs.at(job) : metrics.values;
                const auto it = values.find(id);
                return cell(table, row, column) == (it == values.end() ? std::string() : formatNumber(it->second));
            };
            QVERIFY2(same(then, "at_cursor") && same(end, "at_end"), (of + " " + id).c_str());
            ++rows;
        }
        QVERIFY(rows > 100);
        QVERIFY(!table.columns[2].title.empty());
    }
    QVERIFY(tableOf(run, "metrics", run.head()).columns[2].title.empty()); // one column, where both are the same
}

void tst_TableViews::peopleAndFilesSeeTheSame() {
    const RunIndex run = indexed();
    const Picture jobs = tableOf(run, "jobs", run.head());
    const std::string csv = pictureCsv(jobs);
    QVERIFY(csv.starts_with("at_s,job,name,kind,state,updates,updates_wanted,workers,servers,loss,time_here_s\n"));
    QCOMPARE(std::ranges::count(csv, '\n'), 5);
    const auto json = pictureJson(*findView("jobs"), jobs, run.workload());
    QCOMPARE(json["rows"].size(), std::size_t{4});
    QVERIFY(json["rows"][0]["updates"].is_number() && json["rows"][0]["state"] == "finished");
    for (const char* view : {"jobs", "metrics"}) {
        const Table table = tableOf(run, view, run.head());
        for (const Table::Row& row : table.rows) {
            QCOMPARE(row.cells.size(), table.columns.size());
            for (std::size_t c = 0; c < row.cells.size(); ++c) {
                const Table::Cell& each = row.cells[c];
                if (!each.value) continue;
                const auto raw = parseNumber(each.raw);
                QVERIFY(raw && std::abs(*raw - each.value->value) <= 1e-9 * std::abs(*raw));
            }
        }
    }
}

void tst_TableViews::nothingHasRunYet() {
    const RunIndex whole = indexed(), fresh(whole.source());
    for (const char* view : {"jobs", "metrics"})
        QVERIFY(!emptyOf(wholePicture(*findView(view), {.run = fresh, .job = {}, .at = {}})).empty());
}

TRAINYARD_TEST(tst_TableViews)
#include "tst_TableViews.moc"
