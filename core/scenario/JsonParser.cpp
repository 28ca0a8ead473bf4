// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// From text to JsonTree with nlohmann's SAX interface. The iterator handed to nlohmann shares its position,
// so that every value gets its line; repeated keys are reported here because a SAX parser lets them pass.
#include "scenario/Decimal.h"
#include "scenario/JsonTree.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

/// A character iterator whose position can be read from outside.
class WatchedIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    WatchedIterator(const char* at, const char** watch) : m_at(at), m_watch(watch) {}
    reference operator*() const { return *m_at; }
    WatchedIterator& operator++() {
        ++m_at;
        if (m_watch) *m_watch = m_at;
        return *this;
    }
    WatchedIterator operator++(int) {
        WatchedIterator old = *this;
        ++*this;
        return old;
    }
    friend bool operator==(const WatchedIterator& a, const WatchedIterator& b) { return a.m_at == b.m_at; }
    friend bool operator!=(const WatchedIterator& a, const WatchedIterator& b) { return a.m_at != b.m_at; }

private:
    const char* m_at;
    const char** m_watch;
};

class LineTable {
public:
    explicit LineTable(std::string_view text) {
        for (std::size_t i = 0; i < text.size(); ++i)
            if (text[i] == '\n') m_breaks.push_back(i);
    }
    int lineOf(std::size_t offset) const {
        return 1 + static_cast<int>(std::lower_bound(m_breaks.begin(), m_breaks.end(), offset) - m_breaks.begin());
    }

private:
    std::vector<std::size_t> m_breaks;
};

/// Builds the tree; false from a callback stops the parser.
class TreeBuilder final : public nlohmann::json_sax<nlohmann::json> {
public:
    TreeBuilder(std::string_view text, const LineTable& lines, const char* const* cursor)
        : m_text(text), m_lines(lines), m_cursor(cursor) {}

    bool null() override { return add({.type = JsonNode::Type::null}); }
    bool boolean(bool value) override { return add(JsonNode::boolean(value)); }
    bool number_integer(number_integer_t) override { return addNumber(); }
    bool number_unsigned(number_unsigned_t) override { return addNumber(); }
    bool number_float(number_float_t, const string_t&) override { return addNumber(); }
    bool string(string_t& value) override { return add(JsonNode::string(std::move(value))); }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(JsonNode::Type::object); }
    bool start_array(std::size_t) override { return open(JsonNode::Type::array); }
    bool key(string_t& value) override {
        m_key = std::move(value);
        return true;
    }
    bool end_object() override {
        reportRepeatedKeys(m_open.back());
        return close();
    }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override {
        errorId = error.id;
        errorOffset = position;
        const std::string_view what = error.what();
        const auto tail = what.find("parsing ");
        errorDetail = tail == std::string_view::npos ? std::string(what) : std::string(what.substr(tail + 8));
        return false;
    }

    /// Of the value being read or expected.
    std::string pointer() const {
        std::string out;
        for (const auto& node : m_open) out += step(node);
        return m_open.empty() ? out : out + nextStep();
    }
    int lineOfUnclosed() const { return m_open.empty() ? 0 : m_open.back().line; }
    bool closed() const { return m_open.empty(); }
    std::size_t lastTokenEnd() const { return offset(); }

    JsonNode root;
    Problems problems;
    bool stopped = false; ///< by a limit; already reported
    int errorId = 0;
    std::size_t errorOffset = 0; ///< characters read before the error, the offending one included
    std::string errorDetail;

private:
    /// Index of the last character consumed.
    std::size_t offset() const {
        const auto consumed = static_cast<std::size_t>(*m_cursor - m_text.data());
        return consumed == 0 ? 0 : consumed - 1;
    }

    std::string step(const JsonNode& node) const {
        if (&node == &m_open.front()) return {};
        const auto& parent = *(&node - 1);
        return "/" + (parent.is(JsonNode::Type::object) ? pointerToken(node.key) : std::to_string(parent.items.size()));
    }
    std::string nextStep() const {
        const auto& parent = m_open.back();
        if (parent.is(JsonNode::Type::object) && m_key.empty()) return {};
        return "/" + (parent.is(JsonNode::Type::object) ? pointerToken(m_key) : std::to_string(parent.items.size()));
    }

    bool addNumber() {
        // A number's last character is a digit; nlohmann may have looked one character further.
        std::size_t end = offset();
        while (end > 0 && !std::isdigit(static_cast<unsigned char>(m_text[end]))) --end;
        std::size_t begin = end;
        while (begin > 0 && (std::isdigit(static_cast<unsigned char>(m_text[begin - 1])) ||
                             std::string_view("+-.eE").find(m_text[begin - 1]) != std::string_view::npos))
            --begin;
        JsonNode node = JsonNode::number(std::string(m_text.substr(begin, end - begin + 1)));
        node.line = m_lines.lineOf(end);
        return place(std::move(node));
    }

    bool add(JsonNode node) {
        node.line = m_lines.lineOf(offset());
        return place(std::move(node));
    }

    bool place(JsonNode node) {
        if (++m_values > JsonLimits::values)
            return stop("too-many-values",
                        TRAINYARD_TEXT("more than {0} values; describe many similar jobs by a generator"),
                        JsonLimits::values, node.line);
        if (m_open.empty()) {
            root = std::move(node);
            return true;
        }
        JsonNode& parent = m_open.back();
        if (parent.is(JsonNode::Type::object)) node.key = std::exchange(m_key, {});
        parent.items.push_back(std::move(node));
        return true;
    }

    bool open(JsonNode::Type type) {
        const int line = m_lines.lineOf(offset());
        if (m_open.size() >= JsonLimits::nesting)
            return stop("too-deep", TRAINYARD_TEXT("nested more than {0} levels deep; scenarios never are"),
                        JsonLimits::nesting, line);
        JsonNode node{.type = type, .line = line};
        if (!m_open.empty() && m_open.back().is(JsonNode::Type::object)) node.key = std::exchange(m_key, {});
        m_open.push_back(std::move(node));
        return true;
    }

    bool close() {
        JsonNode node = std::move(m_open.back());
        m_open.pop_back();
        const bool inObject = !m_open.empty() && m_open.back().is(JsonNode::Type::object);
        m_key = inObject ? node.key : std::string();
        return place(std::move(node));
    }

    bool stop(const char* code, const char* pattern, std::size_t limit, int line) {
        problems.push_back({.code = code, .message = {pattern, {std::to_string(limit)}}, .pointer = {}, .line = line});
        stopped = true;
        return false;
    }

    void reportRepeatedKeys(JsonNode& node) {
        std::vector<const JsonNode*> members;
        for (const auto& member : node.items) members.push_back(&member);
        std::stable_sort(members.begin(), members.end(), [](auto* a, auto* b) { return a->key < b->key; });
        std::vector<bool> drop(node.items.size(), false);
        for (std::size_t i = 1, first = 0; i < members.size(); ++i) {
            if (members[i]->key != members[first]->key) {
                first = i;
                continue;
            }
            drop[static_cast<std::size_t>(members[i] - node.items.data())] = true;
            std::string place;
            for (const auto& open : m_open) place += step(open);
            problems.push_back(
                {.code = "duplicate-key",
                 .message = {TRAINYARD_TEXT("the key \"{0}\" is given twice; the first is in line {1}. Keep one"),
                             {members[i]->key, std::to_string(members[first]->line)}},
                 .pointer = place + "/" + pointerToken(members[i]->key),
                 .line = members[i]->line});
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            if (drop[i]) continue;
            if (kept != i) node.items[kept] = std::move(node.items[i]);
            ++kept;
        }
        node.items.resize(kept);
    }

    std::string_view m_text;
    const LineTable& m_lines;
    const char* const* m_cursor;
    std::vector<JsonNode> m_open;
    std::string m_key;
    std::size_t m_values = 0;
};

struct Span {
    std::size_t begin = 0, end = 0;
    bool empty() const { return begin >= end; }
};

template <class Predicate>
Span spanAround(std::string_view text, std::size_t at, Predicate belongs) {
    if (at >= text.size() || !belongs(text[at])) return {};
    Span span{at, at + 1};
    while (span.begin > 0 && belongs(text[span.begin - 1])) --span.begin;
    while (span.end < text.size() && belongs(text[span.end])) ++span.end;
    return span;
}

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '+' || c == '.'; }

bool namesNoNumber(std::string_view word) {
    if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.remove_prefix(1);
    std::string lower;
    for (const char c : word) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower == "nan" || lower == "inf" || lower == "infinity" || lower == "1.#inf" || lower == "1.#qnan";
}

/// Numbers that JSON or a double cannot hold are reported and replaced by 0, so that the rest of the file can
/// be checked too. Returns false if the error was of another kind.
bool repairNumber(std::string& text, const TreeBuilder& builder, const LineTable& lines, Problems& problems) {
    constexpr int numberOverflow = 406;
    std::size_t at = std::min(builder.errorOffset == 0 ? 0 : builder.errorOffset - 1, text.size() - 1);
    if (builder.errorId == numberOverflow)
        while (at > 0 && !std::isdigit(static_cast<unsigned char>(text[at]))) --at;
    const Span span = spanAround(text, at, isWordCharacter);
    if (span.empty()) return false;
    const std::string word = text.substr(span.begin, span.end - span.begin);
    Problem problem{.pointer = builder.pointer(), .line = lines.lineOf(span.begin)};
    if (builder.errorId == numberOverflow) {
        problem.code = "number-too-large";
        problem.message = {TRAINYARD_TEXT("{0} is too large; the maximum is about 1.8e308"), {shownText(word)}};
    } else if (namesNoNumber(word)) {
        problem.code = "not-a-number";
        problem.message = {
            TRAINYARD_TEXT("{0} is not a valid JSON number; write a finite number, or leave the key out"), {word}};
    } else {
        return false;
    }
    problems.push_back(std::move(problem));
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(span.begin),
              text.begin() + static_cast<std::ptrdiff_t>(span.end), ' ');
    text[span.begin] = '0';
    return true;
}

Problem syntaxProblem(std::string_view text, const TreeBuilder& builder, const LineTable& lines) {
    const std::size_t at = std::min(builder.errorOffset == 0 ? 0 : builder.errorOffset - 1, text.size() - 1);
    const char found = text[at];
    const auto before = text.find_last_not_of(" \t\r\n", at == 0 ? 0 : at - 1);
    const bool afterComma = at > 0 && before != std::string_view::npos && text[before] == ',';
    Problem problem{.code = "syntax", .pointer = builder.pointer(), .line = lines.lineOf(at)};
    if (builder.errorOffset > text.size() && !builder.closed()) {
        problem.code = "truncated";
        problem.line = lines.lineOf(text.find_last_not_of(" \t\r\n"));
        problem.message = {TRAINYARD_TEXT("the file ends too early: the bracket opened in line {0} is never closed"),
                           {std::to_string(builder.lineOfUnclosed())}};
    } else if ((found == '}' || found == ']') && afterComma) {
        problem.message = {TRAINYARD_TEXT("remove the comma before {0}"), {std::string(1, found)}};
    } else if (found == '\'') {
        problem.message = {TRAINYARD_TEXT("texts and keys must be in double quotes, not single quotes"), {}};
    } else if (found == '/') {
        problem.message = {TRAINYARD_TEXT("JSON has no comments; put remarks into \"notes\""), {}};
    } else {
        problem.message = {TRAINYARD_TEXT("this is not valid JSON: {0}"), {builder.errorDetail}};
    }
    return problem;
}

} // namespace

ParsedJson parseJson(std::string_view given) {
    ParsedJson out;
    const auto fail = [&](Problem problem) {
        out.problems.push_back(std::move(problem));
        return std::move(out);
    };
    if (given.size() > JsonLimits::bytes) return fail({.code = "too-large", .message = tooLargeText(given.size())});
    if (given.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return fail({.code = "empty",
                     .message = {TRAINYARD_TEXT("the file is empty; a scenario begins with {"), {}},
                     .line = 1});
    std::string text(given);
    const LineTable lines(text);
    if (const auto bad = firstBadByte(text); bad != std::string_view::npos)
        return fail({.code = "invalid-utf8",
                     .message = {TRAINYARD_TEXT("byte {0} (value {1}) is not valid UTF-8; save the file as UTF-8"),
                                 {std::to_string(bad + 1), std::to_string(static_cast<unsigned char>(text[bad]))}},
                     .line = lines.lineOf(bad)});
    constexpr int repairLimit = 20;
    Problems repaired;
    for (int attempt = 0;; ++attempt) {
        const char* cursor = text.data();
        TreeBuilder builder(text, lines, &cursor);
        const bool good = nlohmann::json::sax_parse(WatchedIterator(text.data(), &cursor),
                                                    WatchedIterator(text.data() + text.size(), nullptr), &builder);
        if (!good && !builder.stopped && attempt < repairLimit && repairNumber(text, builder, lines, repaired))
            continue;
        out.problems = std::move(builder.problems);
        out.problems.insert(out.problems.end(), repaired.begin(), repaired.end());
        if (good)
            out.root = std::move(builder.root);
        else if (!builder.stopped)
            out.problems.push_back(syntaxProblem(text, builder, lines));
        return out;
    }
}

Text tooLargeText(std::optional<std::uintmax_t> bytes) {
    const std::string most = std::to_string(JsonLimits::bytes), mebibytes = std::to_string(JsonLimits::bytes >> 20);
    if (!bytes)
        return {TRAINYARD_TEXT("the file has more than the {0} bytes ({1} MiB) of a scenario"), {most, mebibytes}};
    return {TRAINYARD_TEXT("the file has {0} bytes; a scenario may have at most {1} ({2} MiB)"),
            {std::to_string(*bytes), most, mebibytes}};
}

} // namespace trainyard
