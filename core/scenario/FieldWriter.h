// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Writes a scenario's members into a JSON tree: fixed order, shortest numbers, defaults left out. Internal to
// scenario/.
#include "scenario/Fields.h"
#include "scenario/JsonTree.h"

#include <memory>

namespace trainyard {

class FieldWriter final : public Fields {
public:
    explicit FieldWriter(JsonNode& root) { m_open.push_back(&root); }

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
    bool bareText(Member, std::string&) override { return false; }
    bool bareNumber(Member key, double& value, NumberRule rule, bool use) override;
    bool bareInteger(Member key, std::int64_t& value, IntegerRule rule, bool use) override;
    bool beginObject(Member key, const char* type, bool present) override;
    void endObject() override;
    std::size_t beginList(Member key, const char* type, std::size_t size) override;
    bool beginElement(std::size_t index) override;
    void endElement() override;
    void endList() override;

private:
    void put(Member key, JsonNode node);
    void open(JsonNode node, Member key);
    void closeAndKeep(bool evenIfEmpty);

    std::vector<JsonNode*> m_open; ///< the root first; the others are m_pending's
    struct Pending {
        JsonNode node;
        Member key;
    };
    std::vector<std::unique_ptr<Pending>> m_pending;
};

} // namespace trainyard
