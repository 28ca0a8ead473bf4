// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// scenarios/schema.json and the tables of docs/format/scenario.md are what the reader reads and the writer
// writes. TRAINYARD_UPDATE=1 in the environment rewrites both.
#include "scenario/JsonTree.h"
#include "scenario/ScenarioFile.h"
#include "scenario/ScenarioSchema.h"
#include "support/RandomScenario.h"
#include "support/TestMain.h"

#include <QFile>

#include <cmath>
#include <set>

using namespace trainyard;

namespace {

const char* const marker = "<!-- The tables below are generated; see tests/core/tst_ScenarioSchema.cpp -->\n";

QByteArray contentsOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool updating() { return qEnvironmentVariableIsSet("TRAINYARD_UPDATE"); }

void rewrite(const QString& path, const QByteArray& text) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

/// As much of JSON Schema as schema.json uses; where a value breaks it, or "".
class SchemaChecker {
public:
    explicit SchemaChecker(const JsonNode& root) : m_root(root) {}

    std::string check(const JsonNode& value) {
        const std::string bad = check(value, m_root, "");
        for (const auto& key : m_seenKeys) seen.insert(key);
        return bad;
    }
    std::set<std::string> seen; ///< "TYPE/key" of every member met

private:
    using Type = JsonNode::Type;

    static bool hasType(const JsonNode& value, const std::string& type) {
        if (type == "object") return value.is(Type::object);
        if (type == "array") return value.is(Type::array);
        if (type == "string") return value.is(Type::string);
        if (type == "boolean") return value.is(Type::boolean);
        if (type == "integer") return value.is(Type::number) && std::floor(numberOf(value)) == numberOf(value);
        return type == "number" && value.is(Type::number);
    }
    static double numberOf(const JsonNode& node) { return QByteArray::fromStdString(node.text).toDouble(); }

    std::string check(const JsonNode& value, const JsonNode& schema, const std::string& at) {
        if (const auto* ref = schema.find("$ref")) {
            const std::string name = ref->text.substr(std::string("#/$defs/").size());
            const auto* target = m_root.find("$defs")->find(name);
            return target ? check(value, *target, name) : "no definition of " + name;
        }
        if (const auto* any = schema.find("anyOf")) {
            std::string last;
            for (const auto& option : any->items)
                if (last = check(value, option, at); last.empty()) return {};
            return last;
        }
        if (const auto* type = schema.find("type")) {
            bool good = type->is(Type::string) && hasType(value, type->text);
            for (const auto& option : type->items) good = good || hasType(value, option.text);
            if (!good) return at + ": wrong type";
        }
        if (const auto* constant = schema.find("const"); constant && constant->text != value.text)
            return at + ": not the constant";
        if (const auto* words = schema.find("enum")) {
            bool good = false;
            for (const auto& word : words->items) good = good || word.text == value.text;
            if (!good) return at + ": not in enum";
        }
        if (const auto* least = schema.find("minimum"); least && numberOf(value) < numberOf(*least))
            return at + ": below minimum";
        if (const auto* least = schema.find("exclusiveMinimum"); least && numberOf(value) <= numberOf(*least))
            return at + ": at minimum";
        if (const auto* most = schema.find("maximum"); most && numberOf(value) > numberOf(*most))
            return at + ": above maximum";
        if (value.is(Type::array) && schema.find("items"))
            for (const auto& item : value.items)
                if (auto bad = check(item, *schema.find("items"), at); !bad.empty()) return bad;
        return value.is(Type::object) ? checkMembers(value, schema, at) : std::string();
    }

    std::string checkMembers(const JsonNode& value, const JsonNode& schema, const std::string& at) {
        std::set<std::string> evaluated;
        std::string bad = checkProperties(value, schema, at, evaluated);
        if (const auto* all = schema.find("allOf"))
            for (const auto& part : all->items) {
                const auto& condition = part.find("if")->find("properties")->items.front();
                const auto* actual = value.find(condition.key);
                const bool holds =
                    actual ? actual->text == condition.find("const")->text : !part.find("if")->find("required");
                if (holds && bad.empty()) bad = checkProperties(value, *part.find("then"), at, evaluated);
            }
        if (!bad.empty()) return bad;
        const auto* others = schema.find("additionalProperties");
        for (const auto& member : value.items) {
            if (evaluated.contains(member.key)) continue;
            if (!others || others->is(Type::boolean)) return at + ": unknown key " + member.key;
            if (bad = check(member, *others, at + "/" + member.key); !bad.empty()) return bad;
        }
        return {};
    }

    std::string checkProperties(const JsonNode& value, const JsonNode& schema, const std::string& at,
                                std::set<std::string>& evaluated) {
        if (const auto* properties = schema.find("properties"))
            for (const auto& property : properties->items)
                if (const auto* member = value.find(property.key)) {
                    evaluated.insert(property.key);
                    m_seenKeys.insert(at + "/" + property.key);
                    if (auto bad = check(*member, property, at + "/" + property.key); !bad.empty()) return bad;
                }
        if (const auto* required = schema.find("required"))
            for (const auto& key : required->items)
                if (!value.find(key.text)) return at + ": missing " + key.text;
        return {};
    }

    const JsonNode& m_root;
    std::set<std::string> m_seenKeys;
};

std::set<std::string> keysOfSchema(const JsonNode& root) {
    std::set<std::string> keys;
    const auto gather = [&](const JsonNode& schema, const std::string& type) {
        if (const auto* properties = schema.find("properties"))
            for (const auto& property : properties->items) keys.insert(type + "/" + property.key);
        if (const auto* all = schema.find("allOf"))
            for (const auto& part : all->items)
                for (const auto& property : part.find("then")->find("properties")->items)
                    keys.insert(type + "/" + property.key);
    };
    gather(root, "");
    for (const auto& definition : root.find("$defs")->items) gather(definition, definition.key);
    return keys;
}

} // namespace

class tst_ScenarioSchema : public QObject {
    Q_OBJECT
private slots:
    void schemaFileIsCurrent();
    void tablesAreCurrent();
    void fuzzDictionaryIsCurrent();
    void everyWrittenScenarioObeysTheSchemaAndEveryKeyIsWritten();
    void schemaRefusesWhatTheReaderRefuses();
};

void tst_ScenarioSchema::schemaFileIsCurrent() {
    const QString path = TRAINYARD_SOURCE_DIR "/scenarios/schema.json";
    const auto schema = QByteArray::fromStdString(scenarioJsonSchema());
    if (updating()) rewrite(path, schema);
    QVERIFY2(contentsOf(path) == schema, "run with TRAINYARD_UPDATE=1 and look at the difference");
}

void tst_ScenarioSchema::tablesAreCurrent() {
    const QString path = TRAINYARD_SOURCE_DIR "/docs/format/scenario.md";
    QByteArray page = contentsOf(path);
    const auto at = page.indexOf(marker);
    QVERIFY(at > 0);
    const QByteArray wanted = page.left(at) + marker + QByteArray::fromStdString(scenarioFormatTables());
    if (updating()) rewrite(path, page = wanted);
    QVERIFY2(page == wanted, "run with TRAINYARD_UPDATE=1 and look at the difference");
}

/// Every key and word of the format, for tests/fuzz.
void tst_ScenarioSchema::fuzzDictionaryIsCurrent() {
    const ParsedJson schema = parseJson(scenarioJsonSchema());
    std::set<std::string> words{"NaN", "1e999", "-1", "null", "\\\\u0000"};
    for (const auto& key : keysOfSchema(*schema.root)) words.insert("\\\"" + key.substr(key.rfind('/') + 1) + "\\\":");
    const std::function<void(const JsonNode&)> gather = [&](const JsonNode& node) {
        if (node.key == "enum" || node.key == "const")
            for (const auto& word : node.items.empty() ? std::vector<JsonNode>{node} : node.items)
                words.insert("\\\"" + word.text + "\\\"");
        for (const auto& item : node.items) gather(item);
    };
    gather(*schema.root);
    QByteArray dictionary;
    for (const auto& word : words) dictionary += "\"" + QByteArray::fromStdString(word) + "\"\n";
    const QString path = TRAINYARD_SOURCE_DIR "/tests/fuzz/scenario.dict";
    if (updating()) rewrite(path, dictionary);
    QVERIFY2(contentsOf(path) == dictionary, "run with TRAINYARD_UPDATE=1 and look at the difference");
}

void tst_ScenarioSchema::everyWrittenScenarioObeysTheSchemaAndEveryKeyIsWritten() {
    const ParsedJson schema = parseJson(scenarioJsonSchema());
    QVERIFY(schema.root.has_value());
    SchemaChecker checker(*schema.root);
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        const ParsedJson text = parseJson(writeScenario(test::randomScenario(seed)));
        const std::string bad = checker.check(*text.root);
        QVERIFY2(bad.empty(), (std::to_string(seed) + " " + bad).c_str());
    }
    const std::set<std::string> declared = keysOfSchema(*schema.root);
    const std::set<std::string> never{"distribution/value"}; // a constant is written as a bare number
    for (const auto& key : declared) QVERIFY2(checker.seen.contains(key) != never.contains(key), key.c_str());
}

void tst_ScenarioSchema::schemaRefusesWhatTheReaderRefuses() {
    const ParsedJson schema = parseJson(scenarioJsonSchema());
    const std::string base = writeScenario(test::randomScenario(3, {.trained = false, .graph = false}));
    QVERIFY(SchemaChecker(*schema.root).check(*parseJson(base).root).empty());
    const auto both = [&](const std::string& from, const std::string& to) {
        std::string text = base;
        const auto at = text.find(from);
        if (at == std::string::npos) return false;
        text.replace(at, from.size(), to);
        return !SchemaChecker(*schema.root).check(*parseJson(text).root).empty() && !parseScenario(text, "x").ok();
    };
    QVERIFY(both("\"version\": 1", "\"version\": 2"));
    QVERIFY(both("\"cluster\"", "\"clusters\""));
    QVERIFY(both("\"kind\": \"analytic\"", "\"kind\": \"trained\""));
    QVERIFY(both("\"kind\": \"analytic\"", "\"kind\": \"analytic\", \"model\": \"softmax\""));
    QVERIFY(both("\"bandwidth_gbps\": ", "\"bandwidth_gbps\": -"));
}

TRAINYARD_TEST(tst_ScenarioSchema)
#include "tst_ScenarioSchema.moc"
