// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The canonical text: order, layout, numbers, units.
#include "scenario/Decimal.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace trainyard;

class tst_ScenarioWriter : public QObject {
    Q_OBJECT
private slots:
    void decimalsHaveOneText_data();
    void decimalsHaveOneText();
    void decimalsRoundToWholeNumbers();
    void decimalsHoldEveryDouble();
    void smallScenarioIsWrittenAsExpected();
    void bandwidthsSurviveTheChangeOfUnit();
    void timesSurviveTheChangeOfUnit();
    void setValueChangesOnePlace();
    void setValueNamesThePointer();
};

void tst_ScenarioWriter::decimalsHaveOneText_data() {
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("canonical");
    const auto row = [](const char* a, const char* b) { QTest::newRow(a) << a << b; };
    row("0", "0");
    row("-0.000", "0");
    row("10", "10");
    row("1e3", "1000");
    row("1000000", "1000000");
    row("100000000", "1e8");
    row("123456789", "123456789");
    row("0.001", "0.001");
    row("0.000001", "1e-6");
    row("0.00000125", "1.25e-6");
    row("-2.50", "-2.5");
    row("1E-400", "1e-400");
}

void tst_ScenarioWriter::decimalsHaveOneText() {
    QFETCH(QString, written);
    QFETCH(QString, canonical);
    const auto decimal = Decimal::parse(written.toStdString());
    QVERIFY(decimal.has_value());
    QCOMPARE(QString::fromStdString(decimal->text()), canonical);
    QVERIFY(Decimal::parse(decimal->text()) == decimal);
}

void tst_ScenarioWriter::decimalsRoundToWholeNumbers() {
    const auto whole = [](const char* text) { return Decimal::parse(text)->toInteger(); };
    QCOMPARE(whole("0.5").value(), 1);
    QCOMPARE(whole("0.49999").value(), 0);
    QCOMPARE(whole("-2.5").value(), -3);
    QCOMPARE(whole("0.05").value(), 0);
    QCOMPARE(whole("9223372036854775807").value(), std::numeric_limits<std::int64_t>::max());
    QVERIFY(!whole("9223372036854775808"));
    QVERIFY(!whole("1e19"));
    QVERIFY(!whole("1e999999999999"));
    for (const char* bad : {"", "-", "01", "1.", ".5", "1e", "+1", "1 ", "0x1", "NaN"}) QVERIFY(!Decimal::parse(bad));
}

void tst_ScenarioWriter::decimalsHoldEveryDouble() {
    RandomStream random(7, Purpose::test);
    for (int i = 0; i < 20000; ++i) {
        const std::uint64_t bits = random.bits();
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        if (!std::isfinite(value)) continue;
        QCOMPARE(Decimal::of(value).toDouble(), value);
        QCOMPARE(Decimal::parse(Decimal::of(value).text())->toDouble(), value);
    }
    QVERIFY(std::isinf(Decimal::parse("1e309")->toDouble()));
    QCOMPARE(Decimal::parse("1e-500")->toDouble(), 0.0);
}

static Scenario smallScenario() {
    Scenario s;
    s.title = "Two machines";
    s.cluster.resourceNames = {"cpu", "gpu"};
    s.cluster.machines = {{.key = "m1", .capacity = ResourceVector::of({4, 0.5}), .position = Position{80, 48}},
                          {.key = "m2", .capacity = ResourceVector::of({4})}};
    s.cluster.machines[1].straggler.persistentFactor = 4;
    s.cluster.machines[1].straggler.factor = {.law = Law::shiftedExponential, .mean = 0.25, .shift = 0.75};
    s.cluster.links = {{.key = "m1--m2", .from = "m1", .to = "m2", .bandwidth = 1.25e9, .latency = Duration{50'500}}};
    Job job{.key = "j", .arrival = SimTime{1'500'000'000}};
    job.workerDemand = ResourceVector::of({1});
    job.workers = {2, 4};
    job.stop.iterations = 100;
    TrainedWork work;
    work.model = {"softmax", {{"regularization", 0.5}}};
    work.dataset = {"digits", {}};
    work.optimizer = {"sgd", {{"learning_rate", 1.0}}};
    job.work = work;
    s.jobs = {job};
    return s;
}

void tst_ScenarioWriter::smallScenarioIsWrittenAsExpected() {
    const char* expected = R"({
  "format": "trainyard-scenario",
  "version": 1,
  "title": "Two machines",
  "cluster": {
    "resources": ["cpu", "gpu"],
    "machines": [
      {"id": "m1", "capacity": {"cpu": 4, "gpu": 0.5}, "position": [80, 48]},
      {
        "id": "m2",
        "capacity": {"cpu": 4},
        "straggler": {"factor": {"law": "shifted-exponential", "shift": 0.75, "mean": 0.25}, "slowdown": 4}
      }
    ],
    "links": [
      {"from": "m1", "to": "m2", "bandwidth_gbps": 10, "latency_us": 50.5}
    ]
  },
  "jobs": [
    {
      "id": "j",
      "arrival_s": 1.5,
      "workers": {"min": 2, "max": 4},
      "worker_demand": {"cpu": 1},
      "kind": "trained",
      "model": {"id": "softmax", "parameters": {"regularization": 0.5}},
      "dataset": {"id": "digits"},
      "optimizer": {"id": "sgd", "parameters": {"learning_rate": 1.0}},
      "stop": {"iterations": 100}
    }
  ],
  "policies": {
    "scheduler": {"id": "fifo"},
    "synchronization": {"id": "full-sync"},
    "parameters": {"id": "static"},
    "partitioner": {"id": "none"}
  }
}
)";
    QCOMPARE(QString::fromStdString(writeScenario(smallScenario())), QString::fromUtf8(expected));
    const auto again = parseScenario(expected, "x.json");
    QVERIFY(again.ok());
    QVERIFY(again->scenario == smallScenario());
    QVERIFY(again->isCanonical());
    QCOMPARE(again->file.lineAt("/jobs/0/stop/iterations"), 29);
}

void tst_ScenarioWriter::bandwidthsSurviveTheChangeOfUnit() {
    RandomStream random(11, Purpose::test);
    Scenario s = smallScenario();
    for (int i = 0; i < 2000; ++i) {
        s.cluster.links[0].bandwidth = std::exp2(random.unit() * 50);
        const std::string text = writeScenario(s);
        const auto again = parseScenario(text, "x");
        QVERIFY(again.ok());
        QCOMPARE(again->scenario.cluster.links[0].bandwidth, s.cluster.links[0].bandwidth);
        QVERIFY(writeScenario(again->scenario) == text);
    }
}

void tst_ScenarioWriter::timesSurviveTheChangeOfUnit() {
    RandomStream random(12, Purpose::test);
    Scenario s = smallScenario();
    for (int i = 0; i < 2000; ++i) {
        s.jobs[0].arrival.ns = static_cast<std::int64_t>(std::exp2(random.unit() * 62));
        s.cluster.links[0].latency.ns = static_cast<std::int64_t>(std::exp2(random.unit() * 39));
        const auto again = parseScenario(writeScenario(s), "x");
        QVERIFY(again.ok());
        QVERIFY(again->scenario == s);
    }
}

void tst_ScenarioWriter::setValueChangesOnePlace() {
    const auto changed = [&](const char* pointer, const char* value) {
        auto result = setValue(smallScenario(), pointer, value);
        if (!result) qWarning("%s", result.problems().front().text().c_str());
        return result.ok() ? *result : Scenario{};
    };
    QCOMPARE(changed("/seed", "42").seed, std::uint64_t{42});
    QCOMPARE(changed("/policies/synchronization/id", "async").policies.synchronization.id, std::string("async"));
    QCOMPARE(changed("/policies/scheduler", "drf").policies.scheduler.id, std::string("drf"));
    QCOMPARE(changed("/jobs/0/workers", "3").jobs[0].workers.minimum, 3);
    QCOMPARE(changed("/jobs/j/checkpoint/every_iterations", "5").jobs[0].checkpoint.everyIterations, 5);
    QCOMPARE(changed("/cluster/machines/m1/straggler/slowdown", "2.5").cluster.machines[0].straggler.persistentFactor,
             2.5);
    QVERIFY(changed("/policies/synchronization/parameters/k", "3").policies.synchronization.parameters ==
            (ParamValues{{"k", std::int64_t{3}}}));
    QCOMPARE(changed("/faults", R"([{"machine": "m1", "at_s": 3}])").faults.size(), std::size_t{1});
    QCOMPARE(changed("/title", "\"A b\"").title, std::string("A b"));
}

void tst_ScenarioWriter::setValueNamesThePointer() {
    const auto problem = [&](const char* pointer, const char* value) {
        const auto result = setValue(smallScenario(), pointer, value);
        return result.ok() ? QString() : QString::fromStdString(result.problems().front().text());
    };
    QCOMPARE(problem("/jobs/0/weight", "-1"), QString("/jobs/0/weight: \"weight\" is -1; it must be greater than 0"));
    QCOMPARE(problem("/jobs/7/weight", "1"),
             QString("/jobs/7/weight: the list /jobs has 1 elements, counted from 0; there is no \"7\""));
    QCOMPARE(problem("/jobs//weight", "2"), QString("/jobs//weight: there is no \"\" in /jobs; there are j"));
    QCOMPARE(problem("/jobs/nobody/weight", "1"),
             QString("/jobs/nobody/weight: there is no \"nobody\" in /jobs; there are j"));
    QCOMPARE(problem("/jobs/0/id/x", "1"),
             QString("/jobs/0/id/x: /jobs/0/id is text in quotes, in which there is no x"));
    QCOMPARE(problem("/sede", "1"), QString("/sede: there is no key \"sede\" here; did you mean \"seed\"?"));
    QCOMPARE(problem("seed", "1"),
             QString("seed: this is no place in a scenario; a place looks like /policies/scheduler/id"));
    QVERIFY(problem("/horizon_s", "1e999").contains("too large"));
    QVERIFY(problem("/faults", "[").contains("ends too early"));
    QVERIFY(problem("/version", "7").contains("newer"));
    QCOMPARE(problem("/expect/caf\xe9", "[1, 2]"), QString("the place to change is not valid UTF-8"));
    QCOMPARE(problem("/title", "caf\xe9"), QString("/title: the value is not valid UTF-8"));
}

TRAINYARD_TEST(tst_ScenarioWriter)
#include "tst_ScenarioWriter.moc"
