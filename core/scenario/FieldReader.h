// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Fills a scenario's members from a JSON tree and reports everything that is wrong: unknown and missing keys,
// types, ranges. A member that is missing or wrong keeps its default. Internal to scenario/.
#include "scenario/Fields.h"
#include "scenario/JsonTree.h"

namespace trainyard {

class FieldReader final : public Fields {
public:
    /// keepOutOfRange: numbers out of range are reported and kept all the same, for a document that is being
    /// edited.
    FieldReader(const JsonNode& root, Problems& problems, bool keepOutOfRange = false);
    /// Members of the root that others have read already.
    void knows(const char* key) { m_frames.back().asked.emplace_back(key); }
    /// Reports unknown members of the root.
    void finish() { reportUnknownKeys(); }

    bool reading() const override { return true; }
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
    void endList() override;
    bool full() const override { return m_problems.size() >= mostProblems; }
    void alternative(const char* discriminator, const char* word, bool active,
                     const std::function<void()>& body) override;
    void complain(const char* member, const char* code, Text message) override;

private:
    static constexpr std::size_t mostProblems =
        100; ///< of lists: a person reads no more, and those of millions are wrong alike
    struct Frame {
        const JsonNode* node; ///< null: a list that is missing or unusable
        std::string pointer;
        std::vector<std::string> asked;
        std::size_t problemsBefore = 0;
        std::vector<std::string> unclear = {}; ///< discriminators that are missing or wrong
        bool open = false;                     ///< members depend on one of them: none is called unknown
    };

    /// The member, or null; reports if a required one is missing or if its type is not `wanted`.
    const JsonNode* take(Member key, JsonNode::Type wanted, const char* expected);
    const JsonNode* peek(Member key);
    std::string place(const char* key) const;
    void report(const char* code, Text message, std::string pointer, int line);
    /// Whether a text has no control characters; reports that it has.
    bool isOneLine(const JsonNode& node, const char* name, const std::string& pointer);
    void wrongType(const JsonNode& node, const char* key, const char* expected, const std::string& pointer);
    void reportUnknownKeys();
    std::optional<double> checkedNumber(const JsonNode& node, const char* name, const NumberRule& rule,
                                        const std::string& pointer);
    std::optional<std::int64_t> checkedInteger(const JsonNode& node, const char* name, const IntegerRule& rule,
                                               const std::string& pointer);
    bool inRange(double value, const std::string& written, const char* name, const NumberRule& rule,
                 const std::string& pointer, int line);
    std::optional<std::uint32_t> operationIndex(const JsonNode& node, const std::vector<Operation>& operations,
                                                const std::string& pointer);
    std::optional<std::pair<double, double>> pairOf(const JsonNode& node, const char* name, const NumberRule& rule,
                                                    const std::string& pointer);

    std::vector<Frame> m_frames;
    Problems& m_problems;

    bool m_keepOutOfRange;
    const char* m_orElse = ""; ///< what the next object could have been instead
};

} // namespace trainyard
