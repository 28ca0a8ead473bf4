// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What other programs read: JSON that parses, NDJSON that follows the published schema, CSV with as many
// cells as columns, a trace whose slices nest.
#include "base/WholeFile.h"
#include "record/EventMeanings.h"
#include "run/TinyScenario.h"
#include "run/files/AtomicFile.h"
#include "run/files/Export.h"
#include "support/TestMain.h"

#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <set>

using namespace trainyard;
using namespace trainyard::test;
using Json = nlohmann::json;

class tst_Exports : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void meaningsFollowTheEventTypes();
    void publishedSchemaIsTheCodes();
    void metricsParse();
    void everyEventLineFollowsTheSchema();
    void csvIsRectangular();
    void traceSlicesNest();
    void fullDeviceIsAProblem();

private:
    std::filesystem::path file(const char* name) const {
        return std::filesystem::path(m_dir.path().toStdString()) / name;
    }
    std::string text(const char* name) const { return readWholeFile(file(name), 1 << 30).value(); }
    QTemporaryDir m_dir;
    RunRecord m_record;
};

void tst_Exports::initTestCase() {
    Scenario scenario = tinyScenario();
    for (auto& job : scenario.jobs)
        job.workerDemand = ResourceVector::of({2.5}); // one per machine: transfers take time
    scenario.jobs[0].checkpoint.everyIterations = 5;
    scenario.jobs[1].stop.iterations = 40;
    scenario.faults = {{.target = Fault::Target::machine, .key = "m2", .atSeconds = 1, .repairAfterSeconds = 0.5}};
    RunSession session(requestFor(scenario));
    session.wait();
    QVERIFY(session.frame()->status == RunStatus::finished);
    m_record = recordOf(session, "tiny, \"quoted\".json");
    QVERIFY(exportAll(m_record, m_dir.path().toStdString()).empty());
}

void tst_Exports::meaningsFollowTheEventTypes() {
    const auto& all = eventMeanings();
    QCOMPARE(all.size(), static_cast<std::size_t>(EventType::qualityEvaluated));
    for (std::size_t i = 0; i < all.size(); ++i) {
        QCOMPARE(static_cast<std::size_t>(all[i].type), i + 1);
        QCOMPARE(&eventMeaning(all[i].type), &all[i]);
        QVERIFY(*all[i].summary != 0);
    }
}

void tst_Exports::publishedSchemaIsTheCodes() {
    const auto published =
        readWholeFile(std::filesystem::path(TRAINYARD_SOURCE_DIR) / "docs/format/events.schema.json", 1 << 20);
    if (!published || *published != eventsSchema()) {
        std::ofstream("events.schema.json.actual") << eventsSchema();
        QFAIL("docs/format/events.schema.json is not what the code says; see events.schema.json.actual");
    }
}

void tst_Exports::metricsParse() {
    const Json json = Json::parse(text("metrics.json"));
    QCOMPARE(json.at("provenance").at("digest").get<std::string>(), m_record.digest);
    QCOMPARE(json.at("provenance").at("scenario").at("title").get<std::string>(), std::string("Tiny"));
    QCOMPARE(json.at("metrics").at("finished_jobs").get<double>(), 2.0);
    QCOMPARE(json.at("jobs").size(), std::size_t{2});
    QCOMPARE(json.at("jobs")[0].at("id").get<std::string>(), std::string("a"));
    QCOMPARE(json.at("jobs")[0].at("phase").get<std::string>(), std::string("finished"));
    for (const auto& [name, value] : m_record.metrics.values)
        QCOMPARE(json.at("metrics").at(name).get<double>(), value);
}

void tst_Exports::everyEventLineFollowsTheSchema() {
    std::map<std::string, Json> kinds;
    const Json schema = Json::parse(eventsSchema());
    for (const auto& kind : schema.at("oneOf"))
        if (kind.at("properties").contains("event"))
            kinds[kind.at("properties").at("event").at("const").get<std::string>()] = kind;
    std::ifstream in(file("events.ndjson"));
    std::string line;
    QVERIFY(std::getline(in, line));
    QCOMPARE(Json::parse(line).at("provenance").at("seed").get<int>(), 5);
    std::size_t count = 0;
    double last = 0;
    for (; std::getline(in, line); ++count) {
        const Json event = Json::parse(line);
        const Json& kind = kinds.at(event.at("event").get<std::string>());
        for (const auto& name : kind.at("required")) QVERIFY2(event.contains(name.get<std::string>()), line.c_str());
        for (const auto& [name, value] : event.items()) {
            QVERIFY2(kind.at("properties").contains(name), line.c_str());
            const Json& property = kind.at("properties").at(name);
            if (property.contains("enum")) {
                const auto& words = property.at("enum");
                QVERIFY2(std::find(words.begin(), words.end(), value) != words.end(), line.c_str());
            } else if (property.contains("type") && property.at("type") == "integer") {
                QVERIFY2(value.is_number_unsigned(), line.c_str());
            } else if (property.contains("type") && property.at("type") == "string") {
                QVERIFY2(value.is_string(), line.c_str());
            }
        }
        QVERIFY(event.at("time_s").get<double>() >= last);
        last = event.at("time_s").get<double>();
    }
    QCOMPARE(count, m_record.log->size());
}

void tst_Exports::csvIsRectangular() {
    for (const char* name : {"metrics.csv", "losses.csv", "events.csv"}) {
        std::ifstream in(file(name));
        std::string line;
        QVERIFY(std::getline(in, line));
        QVERIFY(line.rfind("# trainyard scenario=tiny,_\"quoted\".json seed=5 ", 0) == 0);
        QVERIFY(std::getline(in, line)); // the comments are short: the table begins in the second line
        const auto columns = std::count(line.begin(), line.end(), ',');
        QVERIFY(columns > 1 && !line.starts_with('#'));
        int rows = 0;
        for (; std::getline(in, line) && !line.starts_with("#+"); ++rows)
            QCOMPARE(std::count(line.begin(), line.end(), ','), columns); // no key has a comma
        QVERIFY(rows > 0);
    }
}

void tst_Exports::traceSlicesNest() {
    const Json trace = Json::parse(text("trace.json"));
    QCOMPARE(trace.at("provenance").at("digest").get<std::string>(), m_record.digest);
    struct Slice {
        double from, to;
    };
    std::map<std::pair<int, int>, std::vector<Slice>> threads;
    std::set<std::pair<int, int>> named;
    std::set<std::string> names;
    for (const auto& e : trace.at("traceEvents")) {
        const auto kind = e.at("ph").get<std::string>();
        const std::pair thread{e.at("pid").get<int>(), e.value("tid", 0)};
        if (kind == "M") {
            if (e.at("name") == "thread_name") named.insert(thread);
            continue;
        }
        QVERIFY(e.at("ts").get<double>() >= 0);
        if (kind != "X") continue;
        QVERIFY(e.at("dur").get<double>() > 0);
        QVERIFY(named.contains(thread)); // before its first slice
        threads[thread].push_back({e.at("ts").get<double>(), e.at("ts").get<double>() + e.at("dur").get<double>()});
        names.insert(e.at("name").get<std::string>());
    }
    for (const char* name : {"a", "b", "pull", "compute", "push", "waiting"}) QVERIFY2(names.contains(name), name);
    for (auto& [thread, slices] : threads) {
        std::sort(slices.begin(), slices.end(),
                  [](auto x, auto y) { return x.from != y.from ? x.from < y.from : x.to > y.to; });
        std::vector<Slice> open;
        for (const auto& slice : slices) {
            while (!open.empty() && open.back().to <= slice.from + 1e-4) open.pop_back(); // a tenth of a nanosecond
            QVERIFY(open.empty() || slice.to <= open.back().to + 1e-4);
            open.push_back(slice);
        }
    }
}

void tst_Exports::fullDeviceIsAProblem() {
    QVERIFY(!exportEventsCsv(m_record, "/proc/no-such-place/events.csv").empty());
    AtomicFile file("/dev/full/x");
    QVERIFY(!file.commit().empty());
}

TRAINYARD_TEST(tst_Exports)
#include "tst_Exports.moc"
