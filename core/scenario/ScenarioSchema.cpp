// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/ScenarioSchema.h"

#include "scenario/ScenarioFields.h"
#include "scenario/SchemaWriter.h"

namespace trainyard {

namespace {

std::vector<DescribedObject> describedObjects() {
    SchemaWriter writer;
    Scenario scenario;
    scenarioFields(writer, scenario);
    return writer.objects();
}

void addMembers(JsonNode& schema, const std::vector<DescribedMember>& members) {
    JsonNode properties = JsonNode::object(), required = JsonNode::array();
    for (const auto& member : members) {
        properties.set(member.key, member.schema);
        if (member.required) required.items.push_back(JsonNode::string(member.key));
    }
    schema.set("properties", std::move(properties));
    if (!required.items.empty()) schema.set("required", std::move(required));
}

JsonNode alternativeSchema(const DescribedAlternative& alternative) {
    JsonNode constant = JsonNode::object(), properties = JsonNode::object(), condition = JsonNode::object(),
             then = JsonNode::object();
    constant.set("const", JsonNode::string(alternative.word));
    properties.set(alternative.discriminator, std::move(constant));
    condition.set("properties", std::move(properties));
    if (!alternative.isDefault) {
        JsonNode required = JsonNode::array();
        required.items.push_back(JsonNode::string(alternative.discriminator));
        condition.set("required", std::move(required));
    }
    addMembers(then, alternative.members);
    JsonNode out = JsonNode::object();
    out.set("if", std::move(condition));
    out.set("then", std::move(then));
    return out;
}

JsonNode objectSchema(const DescribedObject& object) {
    JsonNode schema = JsonNode::object();
    schema.set("type", JsonNode::string("object"));
    addMembers(schema, object.members);
    if (object.alternatives.empty()) {
        schema.set("additionalProperties", JsonNode::boolean(false));
        return schema;
    }
    JsonNode all = JsonNode::array();
    for (const auto& alternative : object.alternatives) all.items.push_back(alternativeSchema(alternative));
    schema.set("allOf", std::move(all));
    schema.set("unevaluatedProperties", JsonNode::boolean(false));
    return schema;
}

/// "format" and "version", which are read before everything else.
void addHeader(JsonNode& schema, const char* formatName, int formatVersion) {
    JsonNode format = JsonNode::object(), version = JsonNode::object(), properties = JsonNode::object();
    format.set("const", JsonNode::string(formatName));
    version.set("const", JsonNode::number(std::to_string(formatVersion)));
    properties.set("format", std::move(format));
    properties.set("version", std::move(version));
    for (auto& member : schema.find("properties")->items) properties.items.push_back(std::move(member));
    schema.set("properties", std::move(properties));
    JsonNode required = JsonNode::array();
    required.items = {JsonNode::string("format"), JsonNode::string("version")};
    if (const JsonNode* further = schema.find("required"))
        for (const auto& key : further->items) required.items.push_back(key);
    schema.set("required", std::move(required));
}

std::string tableRow(const DescribedMember& member) {
    const std::string fallback = member.required           ? "required"
                                 : member.fallback.empty() ? "–"
                                                           : "`" + member.fallback + "`";
    return "| `" + member.key + "` | " + member.value + " | " + fallback + " | " + member.help + " |\n";
}

} // namespace

std::string jsonSchemaOf(const std::vector<DescribedObject>& objects, const std::string& title, const char* format,
                         int version) {
    JsonNode root = JsonNode::object();
    root.set("$schema", JsonNode::string("https://json-schema.org/draft/2020-12/schema"));
    root.set("title", JsonNode::string(title));
    JsonNode document = objectSchema(objects.front());
    addHeader(document, format, version);
    for (auto& member : document.items) root.items.push_back(std::move(member));
    JsonNode definitions = JsonNode::object();
    for (std::size_t i = 1; i < objects.size(); ++i) definitions.set(objects[i].type, objectSchema(objects[i]));
    root.set("$defs", std::move(definitions));
    return formatJson(root);
}

std::string scenarioJsonSchema() {
    return jsonSchemaOf(describedObjects(), "Trainyard scenario, version " + std::to_string(Scenario::formatVersion),
                        "trainyard-scenario", Scenario::formatVersion);
}

std::string scenarioFormatTables() {
    static const std::string head = "| key | value | default | meaning |\n|---|---|---|---|\n";
    std::string out;
    for (const auto& object : describedObjects()) {
        out += "\n### " + object.type + "\n\n" + head;
        for (const auto& member : object.members) out += tableRow(member);
        for (const auto& alternative : object.alternatives) {
            out += "\nwith `\"" + alternative.discriminator + "\": \"" + alternative.word + "\"`" +
                   (alternative.isDefault ? " (the default)" : "") + ":\n\n" + head;
            for (const auto& member : alternative.members) out += tableRow(member);
        }
    }
    return out;
}

} // namespace trainyard
