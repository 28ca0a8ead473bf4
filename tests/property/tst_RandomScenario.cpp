// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What random scenarios reach: every field of the format, every word, every parameter.
#include "scenario/JsonTree.h"
#include "scenario/ScenarioFile.h"
#include "scenario/ScenarioSchema.h"
#include "support/RandomScenario.h"
#include "support/ShrunkScenario.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

namespace {

/// By path ("/jobs/*/straggler/factor/mean"): the values that were written there, a few of them.
using Reached = std::map<std::string, std::set<std::string>>;

/// Which law a drawn quantity has is not asked for each quantity.
std::string normalised(const std::string& path) {
    const auto at = path.rfind("/draws/");
    if (at == std::string::npos) return path;
    const auto member = path.find('/', at + 7);
    return member == std::string::npos ? path : "/draws/*" + path.substr(member);
}

/// Every path of the schema; a value that may also be an object is both.
void gatherPaths(const JsonNode& root, const JsonNode& schema, const std::string& at, std::set<std::string>& paths) {
    if (const auto* ref = schema.find("$ref"))
        return gatherPaths(root, *root.find("$defs")->find(ref->text.substr(8)), at, paths);
    if (const auto* any = schema.find("anyOf"))
        for (const auto& option : any->items) gatherPaths(root, option, at, paths);
    if (const auto* items = schema.find("items"); items && items->is(JsonNode::Type::object))
        gatherPaths(root, *items, at + "/*", paths);
    const auto members = [&](const JsonNode& owner) {
        if (const auto* properties = owner.find("properties"))
            for (const auto& property : properties->items) {
                paths.insert(normalised(at + "/" + property.key));
                gatherPaths(root, property, at + "/" + property.key, paths);
            }
    };
    members(schema);
    if (const auto* all = schema.find("allOf"))
        for (const auto& part : all->items) members(*part.find("then"));
}

void gatherValues(const JsonNode& node, const std::string& at, Reached& reached) {
    if (node.is(JsonNode::Type::object) || node.is(JsonNode::Type::array)) {
        reached[normalised(at)].insert(std::to_string(node.items.size()));
        for (const auto& item : node.items)
            gatherValues(item, at + "/" + (node.is(JsonNode::Type::object) ? item.key : "*"), reached);
        return;
    }
    auto& values = reached[normalised(at)];
    if (values.size() < 8)
        values.insert(node.is(JsonNode::Type::boolean) ? (node.truth ? "true" : "false") : node.text);
}

void gatherParameters(const Choice& choice, const std::string& family, Reached& reached) {
    for (const auto& [key, value] : choice.parameters) {
        auto& values = reached[family + " " + choice.id + " " + key];
        if (values.size() < 8) values.insert(toString(value));
    }
}

} // namespace

class tst_RandomScenario : public QObject {
    Q_OBJECT
private slots:
    void everyFieldIsReached();
    void everyParameterIsReached();
    void aSeedIsOneScenario();
    void shrinkingKeepsWhatFails();
};

// Runnable scenarios leave no field at its default for ever.
void tst_RandomScenario::everyFieldIsReached() {
    const ParsedJson schema = parseJson(scenarioJsonSchema());
    std::set<std::string> paths;
    gatherPaths(*schema.root, *schema.root, "", paths);
    QVERIFY(paths.size() > 300);
    Reached reached;
    for (std::uint64_t seed = 0; seed < 4000; ++seed)
        gatherValues(*parseJson(writeScenario(randomScenario(seed, {.jobs = 6, .runnable = true}))).root, "", reached);
    const Registry registry = Registry::builtin();
    const bool partitionersHaveParameters =
        std::ranges::any_of(registry.partitioners, [](const auto& p) { return !p.schema.fields().empty(); });
    int missing = 0;
    for (const std::string& path : paths) {
        if (path.ends_with("/value")) continue; // constants are written as bare numbers
        if (path.ends_with("/partitioner/parameters") && !partitionersHaveParameters) continue;
        if (reached.contains(path)) continue;
        ++missing;
        qWarning("never drawn: %s", path.c_str());
    }
    QCOMPARE(missing, 0);
    int single = 0;
    for (const auto& [path, values] : reached) {
        if (values.size() > 1 || *values.begin() == "true" || path == "/format" || path == "/version") continue;
        ++single;
        qWarning("always the same: %s", path.c_str());
    }
    qInfo("%zu paths, %d of them with one value beside the default", paths.size(), single);
}

void tst_RandomScenario::everyParameterIsReached() {
    const Registry registry = Registry::builtin();
    Reached reached;
    for (std::uint64_t seed = 0; seed < 2200; ++seed) {
        const Scenario scenario = randomScenario(seed, {.machines = 2, .jobs = 6});
        for (const Variant& variant : scenario.variants)
            gatherParameters(variant.choice, std::string(familyName(variant.family)), reached);
        for (const Job* job : jobsAndTemplates(scenario)) {
            gatherParameters(job->synchronization, "synchronization", reached);
            gatherParameters(job->parameters, "parameters", reached);
            gatherParameters(job->partitioner, "partitioner", reached);
            if (const auto* work = std::get_if<TrainedWork>(&job->work)) {
                gatherParameters(work->model, "model", reached);
                gatherParameters(work->dataset, "dataset", reached);
                gatherParameters(work->optimizer, "optimizer", reached);
            }
            const auto* analytic = std::get_if<AnalyticWork>(&job->work);
            if (analytic && analytic->keyed && analytic->keyed->task) {
                gatherParameters(analytic->keyed->task->model, "keyed_model", reached);
                gatherParameters(analytic->keyed->task->data, "keyed_data", reached);
            }
        }
        for (const auto family : {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters,
                                  PolicyFamily::partitioner})
            gatherParameters(scenario.policies.of(family), std::string(familyName(family)), reached);
    }
    int parameters = 0;
    const auto check = [&](const std::string& family, const std::string& id, const ParamSchema& schema) {
        for (const ParamField& field : schema.fields()) {
            ++parameters;
            const std::size_t expected = field.type == ParamType::choice || field.type == ParamType::file
                                             ? field.choices.size()
                                         : field.minimum == field.maximum ? 1
                                                                          : 2;
            const std::string place = family + " " + id + " " + field.key;
            QVERIFY2(reached[place].size() >= expected, place.c_str());
        }
    };
    for (const auto family :
         {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters, PolicyFamily::partitioner})
        for (const PolicyInfo* info : registry.list(family))
            check(std::string(familyName(family)), info->id, info->schema);
    for (const auto& info : models()) check("model", info.id, info.schema);
    for (const auto& info : dataSets()) check("dataset", info.id, info.schema);
    for (const auto& info : optimizers()) check("optimizer", info.id, info.schema);
    for (const auto& info : keyedModels()) check("keyed_model", info.id, info.schema);
    for (const auto& info : keyedDataSets()) check("keyed_data", info.id, info.schema);
    qInfo("%d parameters", parameters);
}

void tst_RandomScenario::aSeedIsOneScenario() {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        QVERIFY(randomScenario(seed, {.runnable = true}) == randomScenario(seed, {.runnable = true}));
        QVERIFY(!(randomScenario(seed, {.runnable = true}) == randomScenario(seed + 1, {.runnable = true})));
    }
}

// "Some job has more than two workers" needs one job, and nothing of it but the workers.
void tst_RandomScenario::shrinkingKeepsWhatFails() {
    const Registry registry = Registry::builtin();
    int tried = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const auto fails = [](const Scenario& scenario) {
            return std::ranges::any_of(scenario.jobs, [](const Job& job) { return job.workers.maximum > 2; });
        };
        const Scenario scenario = randomScenario(seed, {.runnable = true});
        if (!fails(scenario)) continue;
        ++tried;
        const Scenario least = shrunk(scenario, registry, fails);
        QVERIFY(fails(least) && !hasErrors(validateScenario(least, registry)));
        QCOMPARE(least.jobs.size(), std::size_t{1});
        QVERIFY(least.faults.empty() && least.generators.empty() && least.title.empty());
        QVERIFY(least.policies == PolicySet{});
    }
    QVERIFY(tried > 3);
}

TRAINYARD_TEST(tst_RandomScenario)
#include "tst_RandomScenario.moc"
