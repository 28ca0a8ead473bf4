// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Visits the field descriptions to learn the format's types, members, ranges and defaults. Internal to
// scenario/.
#include "scenario/Fields.h"
#include "scenario/JsonTree.h"

#include <map>

namespace trainyard {

struct DescribedMember {
    std::string key, help;
    bool required = false;
    JsonNode schema;      ///< of the value
    std::string value;    ///< for people: type, range, unit
    std::string fallback; ///< for people; empty = none
};

/// Members that an object has only if its member `discriminator` is `word`.
struct DescribedAlternative {
    std::string discriminator, word;
    bool isDefault = false; ///< also if the discriminator is absent
    std::vector<DescribedMember> members;
};

struct DescribedObject {
    std::string type;
    std::vector<DescribedMember> members;
    std::vector<DescribedAlternative> alternatives;
};

/// A whole JSON Schema 2020-12 of a format whose first object is the document; "format" and "version" come first.
std::string jsonSchemaOf(const std::vector<DescribedObject>& objects, const std::string& title, const char* format,
                         int version);

class SchemaWriter final : public Fields {
public:
    SchemaWriter();
    const std::vector<DescribedObject>& objects() const { return m_objects; }

    bool describing() const override { return true; }
    void flag(Member key, bool& value, bool fallback) override;
    void text(Member key, std::string& value) override;
    void wholeSeed(Member key, std::uint64_t& value, std::uint64_t fallback) override;
    void integer(Member key, std::int64_t& value, IntegerRule rule) override;
    void optionalInteger(Member key, std::optional<std::int64_t>& value, IntegerRule rule) override;
    void number(Member key, double& value, NumberRule rule) override;
    void optionalNumber(Member key, std::optional<double>& value, NumberRule rule) override;
    void scaled(Member key, std::int64_t& value, ScaledRule rule) override;
    void bandwidth(Member key, double& bytesPerSecond, NumberRule rule) override;
    using Fields::word;
    void word(Member key, int& index, WordList list) override;
    void numbers(Member key, std::vector<double>& values, NumberRule rule) override;
    void texts(Member key, std::vector<std::string>& values) override;
    void pair(Member key, std::optional<std::pair<double, double>>& value, NumberRule rule) override;
    void amounts(Member key, ResourceVector& value, const std::vector<std::string>& resources) override;
    void ranges(Member key, std::vector<std::tuple<std::string, double, double>>& values) override;
    void parameters(Member key, ParamValues& values) override;
    void dependencies(Member key, std::vector<Dependency>& values, const std::vector<Operation>& operations) override;
    bool bareText(Member key, std::string& value) override;
    bool bareNumber(Member key, double& value, NumberRule rule, bool use) override;
    bool bareInteger(Member key, std::int64_t& value, IntegerRule rule, bool use) override;
    bool beginObject(Member key, const char* type, bool present) override;
    void endObject() override;
    std::size_t beginList(Member key, const char* type, std::size_t size) override;
    bool beginElement(std::size_t index) override;
    void endElement() override;
    void endList() override {}
    void alternative(const char* discriminator, const char* word, bool active,
                     const std::function<void()>& body) override;

private:
    struct Frame {
        std::size_t object;
        bool inAlternative = false;
    };

    void add(Member key, JsonNode schema, std::string value, std::string fallback = {});
    bool known(const std::string& type) const;
    void open(const std::string& type);

    std::vector<DescribedObject> m_objects; ///< in order of appearance; the scenario first
    std::vector<Frame> m_frames;
    std::map<std::string, std::string> m_defaultWords; ///< "TYPE KEY" → the word that an absent discriminator means
    std::optional<JsonNode> m_shorthand;               ///< what the next object may be instead
    std::string m_shorthandValue, m_listType;
};

} // namespace trainyard
