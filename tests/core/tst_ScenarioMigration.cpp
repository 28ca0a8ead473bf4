// Older files: version 0 is migrated step by step; its problems keep the lines of the old file.
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

using namespace trainyard;

class tst_ScenarioMigration : public QObject {
    Q_OBJECT
private slots:
    void versionZeroIsRead();
    void problemsKeepTheLinesOfTheOldFile();
    void oddVersionZeroDoesNoHarm();
};

static const char* const old = R"({
  "format": "trainyard-scenario",
  "version": 0,
  "title": "Old",
  "description": "From before the first release",
  "machines": [
    {"id": "m1", "cpu": 4, "memory_gb": 16},
    {"id": "m2", "cpu": 2, "slowdown": 3}
  ],
  "switches": [{"id": "s"}],
  "links": [
    {"from": "m1", "to": "s", "bandwidth": 10000, "latency": 0.05},
    {"from": "m2", "to": "s", "bandwidth": 2.5}
  ],
  "jobs": [
    {"id": "j", "kind": "analytic", "arrival": 2, "workers": 2, "ps": 1, "demand": {"cpu": 1}, "iterations": 50}
  ],
  "policy": {"scheduler": "fifo"}
}
)";

void tst_ScenarioMigration::versionZeroIsRead() {
    const auto result = parseScenario(old, "old.json", Registry::builtin());
    QVERIFY2(result.ok(), result.problems().empty() ? "" : result.problems()[0].text().c_str());
    QCOMPARE(result->version, 0);
    QVERIFY(!result->canonical);
    const Scenario& s = result->scenario;
    QCOMPARE(s.notes, std::string("From before the first release"));
    QVERIFY((s.cluster.resourceNames == std::vector<std::string>{"cpu", "memory_gb"}));
    QVERIFY(s.cluster.machines[0].capacity == ResourceVector::of({4, 16}));
    QVERIFY(s.cluster.machines[1].capacity == ResourceVector::of({2}));
    QCOMPARE(s.cluster.machines[1].straggler.persistentFactor, 3.0);
    QCOMPARE(s.cluster.links[0].bandwidth, 1.25e9);                // 10,000 Mbit/s = 10 Gbit/s
    QCOMPARE(s.cluster.links[0].latency.ns, std::int64_t{50'000}); // 0.05 ms
    QCOMPARE(s.cluster.links[1].bandwidth, 312'500.0);             // 2.5 Mbit/s
    QCOMPARE(s.jobs[0].arrival.ns, std::int64_t{2'000'000'000});
    QCOMPARE(s.jobs[0].servers.minimum, 1);
    QVERIFY(s.jobs[0].workerDemand == ResourceVector::of({1}) &&
            s.jobs[0].serverDemand == ResourceVector::of({1}));
    QVERIFY(s.jobs[0].stop.iterations == 50);
    QVERIFY(!hasErrors(validateScenario(s, Registry::builtin())));
    // Saved, it is of the current version and stays what it is.
    const auto again = parseScenario(writeScenario(s), "new.json", Registry::builtin());
    QVERIFY(again.ok() && again->version == Scenario::formatVersion && again->canonical &&
            again->scenario == s);
}

void tst_ScenarioMigration::problemsKeepTheLinesOfTheOldFile() {
    std::string text = old;
    text.replace(text.find("\"bandwidth\": 2.5"), 16, "\"bandwidth\": -25");
    text.replace(text.find("\"iterations\": 50"), 16, "\"iterations\": 00");
    text.replace(text.find("\"iterations\": 00"), 16, "\"iterations\":  0");
    const auto result = parseScenario(text, "old.json", Registry::builtin());
    QCOMPARE(result.problems().size(), std::size_t{2});
    QCOMPARE(result.problems()[0].line, 13);
    QCOMPARE(result.problems()[0].pointer, std::string("/cluster/links/1/bandwidth_gbps"));
    QCOMPARE(result.problems()[1].line, 16);
    QCOMPARE(result.problems()[1].pointer, std::string("/jobs/0/stop/iterations"));
}

void tst_ScenarioMigration::oddVersionZeroDoesNoHarm() {
    for (const char* body : {"", ", \"machines\": 3", ", \"machines\": [1, null, {}]",
                             ", \"links\": [[]], \"jobs\": {}", ", \"cluster\": 3, \"policy\": []"}) {
        const std::string text =
            std::string("{\"format\": \"trainyard-scenario\", \"version\": 0") + body + "}";
        const auto result = parseScenario(text, "x", Registry::builtin());
        if (*body) QVERIFY(!result.ok());
    }
}

TRAINYARD_TEST(tst_ScenarioMigration)
#include "tst_ScenarioMigration.moc"
