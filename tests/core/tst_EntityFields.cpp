// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Editing a part of a scenario field by field: what is listed, what is kept, what follows.
#include "scenario/EntityFields.h"
#include "scenario/References.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QDir>

using namespace trainyard;
using Kind = EntityRef::Kind;

class tst_EntityFields : public QObject {
    Q_OBJECT
private slots:
    void everyFieldTakesItsOwnValue_data();
    void everyFieldTakesItsOwnValue();
    void fieldsSayRangeUnitAndDefault();
    void numberOutOfRangeIsKeptAndReported();
    void wrongTypeIsRefused();
    void emptyValueIsTheDefault();
    void lawChangesItsFields();
    void kindOfJobChangesItsFields();
    void choiceTakesAParameter();
    void newIdTakesReferencesAlong();
    void renamedResourceKeepsAmounts();
    void removalTakesLinksAndFaults();
    void pointersLeadToEntities();
    void generatorWithNonsenseMakesSomething();
    void lawsCurvesAndTemplates();

private:
    static Scenario sample();
    static FieldInfo field(const Scenario& s, EntityRef e, const std::string& path);
    std::shared_ptr<const Registry> m_registry = std::make_shared<const Registry>(Registry::builtin());
};

Scenario tst_EntityFields::sample() {
    Scenario s;
    s.cluster.resourceNames = {"cpu", "gpu"};
    s.cluster.devices.push_back({.key = "fast", .speed = 2});
    s.cluster.racks.push_back({.key = "r"});
    s.cluster.switches.push_back({.key = "sw", .rack = "r"});
    for (const char* key : {"a", "b"}) {
        s.cluster.machines.push_back(
            {.key = key, .capacity = ResourceVector::of({4, 1}), .device = "fast", .rack = "r"});
        s.cluster.links.push_back({.key = std::string(key) + "--sw", .from = key, .to = "sw"});
    }
    s.cluster.storage = "a";
    Job job{.key = "j", .workerDemand = ResourceVector::of({1, 1})};
    job.work = TrainedWork{.model = {"softmax", {}}, .dataset = {"digits", {}}, .optimizer = {"sgd", {}}};
    job.stop.iterations = 10;
    s.jobs.push_back(job);
    s.faults.push_back({.target = Fault::Target::machine, .key = "a", .atSeconds = 1});
    s.faults.push_back({.target = Fault::Target::link, .key = "b--sw", .atSeconds = 2});
    return s;
}

FieldInfo tst_EntityFields::field(const Scenario& s, EntityRef e, const std::string& path) {
    for (const auto& f : fieldsOf(s, e))
        if (f.path == path) return f;
    return {.help = "there is no such field"};
}

void tst_EntityFields::everyFieldTakesItsOwnValue_data() {
    QTest::addColumn<QString>("path");
    for (const char* folder : {"start", "tests"}) {
        const QDir dir(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/") + QLatin1String(folder));
        const auto files = dir.entryList({QStringLiteral("*.json")}, QDir::Files);
        for (const QString& file : files) QTest::newRow(qPrintable(file)) << dir.filePath(file);
    }
}

void tst_EntityFields::everyFieldTakesItsOwnValue() {
    QFETCH(QString, path);
    auto loaded = readScenario(path.toStdString(), *m_registry);
    QVERIFY(loaded.ok());
    Scenario s = loaded->scenario;
    std::size_t fields = 0;
    for (int k = 0; k <= static_cast<int>(Kind::variant); ++k) {
        const auto kind = static_cast<Kind>(k);
        for (std::size_t i = 0; i < entityCount(s, kind); ++i)
            for (const FieldInfo& f : fieldsOf(s, {kind, i})) {
                QVERIFY2(!f.label.empty() && !f.help.empty(), f.path.c_str());
                if (f.kind == FieldInfo::Kind::group || (f.optional && !f.present)) continue;
                QVERIFY2(!f.value.empty(), (pointerTo({kind, i}) + f.path).c_str());
                Scenario changed = s;
                const Problems problems = setField(changed, {kind, i}, f.path, f.value);
                QVERIFY2(problems.empty(), problems.empty() ? "" : problems[0].text().c_str());
                QVERIFY2(changed == s, (pointerTo({kind, i}) + f.path + " = " + f.value).c_str());
                ++fields;
            }
    }
    QVERIFY(fields > 20);
}

void tst_EntityFields::fieldsSayRangeUnitAndDefault() {
    const Scenario s = sample();
    const FieldInfo bandwidth = field(s, {Kind::link, 0}, "/bandwidth_gbps");
    QCOMPARE(bandwidth.kind, FieldInfo::Kind::number);
    QCOMPARE(bandwidth.label, std::string("Bandwidth"));
    // What a push adds and how long it takes are two fields of a keyed job's form.
    Scenario keyed = sample();
    keyed.jobs[0].work = AnalyticWork{.access = AccessKind::keyed, .keyed = KeyedAccess{}};
    QVERIFY(field(keyed, {Kind::job, 0}, "/keyed/push").label != field(keyed, {Kind::job, 0}, "/keyed/push_s").label);
    QCOMPARE(bandwidth.unit, std::string("Gbit/s"));
    QCOMPARE(bandwidth.value, std::string("10"));
    QVERIFY(bandwidth.aboveMinimum && bandwidth.required);
    const FieldInfo rack = field(s, {Kind::machine, 0}, "/rack");
    QCOMPARE(rack.words, std::vector<std::string>{"r"});
    const FieldInfo capacity = field(s, {Kind::machine, 0}, "/capacity");
    QCOMPARE(capacity.words, (std::vector<std::string>{"cpu", "gpu"}));
    const FieldInfo slowdown = field(s, {Kind::machine, 0}, "/straggler/slowdown");
    QCOMPARE(slowdown.depth, 1);
    QVERIFY(!slowdown.present);
    QCOMPARE(slowdown.value, std::string("1"));
    const FieldInfo epochs = field(s, {Kind::job, 0}, "/stop/epochs");
    QVERIFY(epochs.optional && !epochs.present && epochs.value.empty());
}

void tst_EntityFields::numberOutOfRangeIsKeptAndReported() {
    Scenario s = sample();
    QVERIFY(setField(s, {Kind::link, 1}, "/bandwidth_gbps", "-8").empty());
    QCOMPARE(s.cluster.links[1].bandwidth, -1e9);
    QVERIFY(setField(s, {Kind::job, 0}, "/batch", "0").empty());
    const Problems problems = validateScenario(s, *m_registry);
    const auto about = [&](const char* pointer) {
        return std::any_of(problems.begin(), problems.end(), [&](const Problem& p) { return p.pointer == pointer; });
    };
    QVERIFY(about("/cluster/links/1/bandwidth_gbps"));
    QVERIFY(about("/jobs/0/batch"));
    // And can be mended.
    QVERIFY(setField(s, {Kind::link, 1}, "/bandwidth_gbps", "10").empty());
    QVERIFY(setField(s, {Kind::job, 0}, "/batch", "").empty());
    QVERIFY(s == sample());
}

void tst_EntityFields::wrongTypeIsRefused() {
    Scenario s = sample();
    for (const auto& [path, value] : std::vector<std::pair<const char*, const char*>>{
             {"/name", "3"}, {"/capacity", "{\"tpu\": 1}"}, {"/name", "\"a"}}) {
        const Problems problems = setField(s, {Kind::machine, 0}, path, value);
        QVERIFY(!problems.empty());
        QVERIFY2(problems[0].pointer.starts_with("/cluster/machines/0" + std::string(path)),
                 problems[0].pointer.c_str());
    }
    QVERIFY(!setField(s, {Kind::settings, 0}, "/mode", "\"guess\"").empty());
    QVERIFY(s == sample());
}

void tst_EntityFields::emptyValueIsTheDefault() {
    Scenario s = sample();
    QVERIFY(setField(s, {Kind::job, 0}, "/stop/epochs", "3").empty());
    QCOMPARE(s.jobs[0].stop.epochs.value(), 3.0);
    QVERIFY(setField(s, {Kind::job, 0}, "/stop/epochs", "").empty());
    QVERIFY(s == sample());
}

void tst_EntityFields::lawChangesItsFields() {
    Scenario s = sample();
    const EntityRef a{Kind::machine, 0};
    QVERIFY(!field(s, a, "/straggler/factor").present);
    QVERIFY(setField(s, a, "/straggler/factor", "2").empty()); // a constant law
    QCOMPARE(field(s, a, "/straggler/factor/law").value, std::string("\"constant\""));
    QCOMPARE(field(s, a, "/straggler/factor/value").value, std::string("2"));
    QVERIFY(setField(s, a, "/straggler/factor/law", "\"shifted-exponential\"").empty());
    QVERIFY(setField(s, a, "/straggler/factor/shift", "0.5").empty());
    QCOMPARE(s.cluster.machines[0].straggler.factor.law, Law::shiftedExponential);
    QCOMPARE(s.cluster.machines[0].straggler.factor.shift, 0.5);
    QCOMPARE(field(s, a, "/straggler/factor/mean").kind, FieldInfo::Kind::number);
    QVERIFY(field(s, a, "/straggler/factor/value").help == "there is no such field");
    QVERIFY(setField(s, a, "/straggler/factor", "").empty());
    QVERIFY(s == sample());
}

void tst_EntityFields::kindOfJobChangesItsFields() {
    Scenario s = sample();
    QVERIFY(setField(s, {Kind::job, 0}, "/kind", "\"analytic\"").empty());
    QCOMPARE(s.jobs[0].kind(), JobKind::analytic);
    QCOMPARE(s.jobs[0].stop.iterations.value(), 10);
    QCOMPARE(field(s, {Kind::job, 0}, "/loss_curve/family").kind, FieldInfo::Kind::word);
}

void tst_EntityFields::choiceTakesAParameter() {
    Scenario s = sample();
    QVERIFY(setField(s, {Kind::job, 0}, "/optimizer/parameters/rate", "0.5").empty());
    const Choice& optimizer = std::get<TrainedWork>(s.jobs[0].work).optimizer;
    QCOMPARE(optimizer.id, std::string("sgd"));
    QCOMPARE(std::get<double>(optimizer.parameters.at("rate")), 0.5);
}

void tst_EntityFields::newIdTakesReferencesAlong() {
    Scenario s = sample();
    QVERIFY(setField(s, {Kind::machine, 0}, "/id", "\"first\"").empty());
    QCOMPARE(s.cluster.links[0].from, std::string("first"));
    QCOMPARE(s.cluster.links[0].key, std::string("first--sw"));
    QCOMPARE(s.faults[0].key, std::string("first"));
    QCOMPARE(s.cluster.storage, std::string("first"));
    QVERIFY(setField(s, {Kind::switchNode, 0}, "/id", "\"top\"").empty());
    QCOMPARE(s.faults[1].key, std::string("b--top"));
    QVERIFY(setField(s, {Kind::rack, 0}, "/id", "\"rack\"").empty());
    QCOMPARE(s.cluster.machines[1].rack, std::string("rack"));
    QCOMPARE(s.cluster.switches[0].rack, std::string("rack"));
    QVERIFY(setField(s, {Kind::device, 0}, "/id", "\"v100\"").empty());
    QCOMPARE(s.cluster.machines[1].device, std::string("v100"));
    QVERIFY(!hasErrors(validateScenario(s, *m_registry)));
}

void tst_EntityFields::renamedResourceKeepsAmounts() {
    Scenario s = sample();
    QVERIFY(setField(s, {Kind::cluster, 0}, "/resources", R"(["memory", "accelerator", "cpu"])").empty());
    // "cpu" moved to the end; "gpu" in second place has another name; "memory" is new.
    QCOMPARE(s.cluster.machines[0].capacity.amount(0), 0.0);
    QCOMPARE(s.cluster.machines[0].capacity.amount(1), 1.0);
    QCOMPARE(s.cluster.machines[0].capacity.amount(2), 4.0);
    QCOMPARE(s.jobs[0].workerDemand.amount(2), 1.0);
}

void tst_EntityFields::removalTakesLinksAndFaults() {
    Scenario s = sample();
    removeFromCluster(s, {"a", "r"});
    QCOMPARE(s.cluster.machines.size(), 1u);
    QCOMPARE(s.cluster.links.size(), 1u);
    QCOMPARE(s.faults.size(), 1u);
    QVERIFY(s.cluster.storage.empty() && s.cluster.racks.empty());
    QVERIFY(s.cluster.machines[0].rack.empty() && s.cluster.switches[0].rack.empty());
    removeFromCluster(s, {"sw"});
    QVERIFY(s.cluster.links.empty() && s.faults.empty());
}

void tst_EntityFields::pointersLeadToEntities() {
    const Scenario s = sample();
    const auto [entity, rest] = entityAt(s, "/cluster/machines/1/capacity/cpu");
    QVERIFY((entity == EntityRef{Kind::machine, 1}));
    QCOMPARE(rest, std::string("/capacity/cpu"));
    QCOMPARE(pointerTo(entity), std::string("/cluster/machines/1"));
    QVERIFY((entityAt(s, "/cluster/resources").first == EntityRef{Kind::cluster, 0}));
    QVERIFY((entityAt(s, "/policies/scheduler").first == EntityRef{Kind::settings, 0}));
    QVERIFY((entityAt(s, "/jobs/7").first == EntityRef{Kind::settings, 0}));
    // RFC 6901, section 4: a number has no zeros before it.
    QVERIFY((entityAt(s, "/cluster/machines/01/capacity").first == EntityRef{Kind::cluster, 0}));
    QVERIFY((entityAt(s, "/cluster/machines/00").first == EntityRef{Kind::cluster, 0}));
    QVERIFY((entityAt(s, "/cluster/machines/0").first == EntityRef{Kind::machine, 0}));
}

void tst_EntityFields::generatorWithNonsenseMakesSomething() {
    Scenario s = sample();
    JobGenerator generator{.key = "g", .count = 3};
    generator.job = s.jobs[0];
    s.generators.push_back(generator);
    QVERIFY(setField(s, {Kind::generator, 0}, "/mean_gap_s", "-5").empty());
    QVERIFY(setField(s, {Kind::generator, 0}, "/start_s", "-1e300").empty());
    QVERIFY(setField(s, {Kind::generator, 0}, "/draws/batch", "-3").empty());
    const auto workload = expandWorkload(s, 1);
    QCOMPARE(workload->jobs.size(), 4u);
    for (const Job& job : workload->jobs) QVERIFY(job.arrival >= SimTime::zero());
    QVERIFY(setField(s, {Kind::generator, 0}, "/count", "-2").empty());
    QCOMPARE(expandWorkload(s, 1)->jobs.size(), 1u);
}

// What jobs and generators may have besides: set, listed, taken out again.
void tst_EntityFields::lawsCurvesAndTemplates() {
    Scenario s = sample();
    QVERIFY(
        setField(s, {Kind::settings, 0}, "/curves", R"([{"id": "c", "updates": [0, 4], "losses": [2, 1]}])").empty());
    QVERIFY((s.curves == std::vector<RecordedCurve>{{"c", {0, 4}, {2, 1}}}));
    QVERIFY(setField(s, {Kind::settings, 0}, "/title", "\"x\"").empty());
    QCOMPARE(s.curves.size(), std::size_t{1});
    const EntityRef job{Kind::job, 0};
    s.jobs[0].work = AnalyticWork{};
    QVERIFY(setField(s, job, "/loss_curve/family", "\"recorded\"").empty());
    QCOMPARE(field(s, job, "/loss_curve/curve").words, std::vector<std::string>{"c"});
    QVERIFY(field(s, job, "/update_law").optional);
    QVERIFY(setField(s, job, "/update_law/divided_s", "0.5").empty());
    QVERIFY(field(s, job, "/update_law").optional && field(s, job, "/update_law").present); // it may go again
    QCOMPARE(std::get<AnalyticWork>(s.jobs[0].work).law->dividedSeconds, 0.5);
    QVERIFY(setField(s, job, "/update_law", "").empty());
    QVERIFY(!std::get<AnalyticWork>(s.jobs[0].work).law);
    s.generators.push_back({.key = "g", .job = s.jobs[0]});
    const EntityRef generator{Kind::generator, 0};
    QVERIFY(setField(s, generator, "/other_jobs",
                     R"([{"weight": 3, "job": {"kind": "analytic", "batch": 7, "stop": {"iterations": 1}}}])")
                .empty());
    QCOMPARE(s.generators[0].others.size(), std::size_t{1});
    QCOMPARE(s.generators[0].others[0].weight, 3.0);
    QCOMPARE(std::get<AnalyticWork>(s.generators[0].others[0].job.work).batch, 7);
    QCOMPARE(field(s, generator, "/other_jobs").kind, FieldInfo::Kind::list);
    QVERIFY(setField(s, generator, "/draws/deadline_s", "40").empty());
    QCOMPARE(expandWorkload(s, 1)->jobs.back().deadlineSeconds, std::optional(40.0));
    QVERIFY(!setField(s, generator, "/other_jobs", R"([{"wait": 3}])").empty());
    QCOMPARE(s.generators[0].others.size(), std::size_t{1});
}

TRAINYARD_TEST(tst_EntityFields)
#include "tst_EntityFields.moc"
