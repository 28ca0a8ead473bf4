// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Visits the field descriptions of one entity and lists them with their values. Internal to scenario/
// (fieldsOf).
#include "scenario/EntityFields.h"
#include "scenario/Fields.h"
#include "scenario/JsonTree.h"

namespace trainyard {

class FieldLister final : public Fields {
public:
    /// `written`: the entity as FieldWriter writes it.
    explicit FieldLister(const JsonNode& written) { m_open.push_back({&written, {}}); }
    std::vector<FieldInfo> take() { return std::move(m_fields); }

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
    bool bareInteger(Member, std::int64_t&, IntegerRule, bool) override { return false; }
    bool beginObject(Member key, const char* type, bool present) override;
    void endObject() override { m_open.pop_back(); }
    std::size_t beginList(Member key, const char* type, std::size_t size) override;
    bool beginElement(std::size_t) override { return false; }
    void endElement() override {}
    void endList() override {}

private:
    struct Open {
        const JsonNode* node; ///< null: not in the file
        std::string path;
    };
    FieldInfo& add(Member key, FieldInfo::Kind kind);
    void addNumber(Member key, FieldInfo::Kind kind, const NumberRule& rule, bool optional, std::string fallback,
                   const std::string& now);

    std::vector<Open> m_open;
    std::vector<FieldInfo> m_fields;
};

} // namespace trainyard
