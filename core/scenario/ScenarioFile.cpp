// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/ScenarioFile.h"

#include "scenario/FormatVersion.h"
#include "scenario/ProblemPlaces.h"
#include "scenario/RunRequirements.h"
#include "scenario/ScenarioTree.h"
#include "scenario/Suggest.h"
#include "scenario/agents/PolicyFileReading.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <mutex>
#include <set>
#include <system_error>

namespace trainyard {

namespace {

using NodeType = JsonNode::Type;

/// What a file says, as far as it could be understood.
struct Draft {
    std::optional<JsonNode> root;
    std::optional<Scenario> scenario;
    Problems problems;
};

Draft draftOf(std::string_view text, bool keepOutOfRange = false) {
    Draft draft;
    ParsedJson parsed = parseJson(text);
    draft.problems = std::move(parsed.problems);
    if (!parsed.root) return draft;
    if (!hasKnownFormat(*parsed.root, draft.problems)) return draft;
    draft.scenario = scenarioOf(*parsed.root, draft.problems, keepOutOfRange);
    draft.root = std::move(parsed.root);
    return draft;
}

Result<LoadedScenario> resultOf(Draft draft, std::string text, const std::string& name) {
    arrangeProblems(draft.problems, name, draft.root ? &*draft.root : nullptr);
    if (!draft.scenario || hasErrors(draft.problems)) return std::move(draft.problems);
    return {LoadedScenario{std::move(*draft.scenario), ScenarioText(std::move(text))}, std::move(draft.problems)};
}

/// The text of a file of at most JsonLimits::bytes; more is not read.
Result<std::string> fileText(const std::filesystem::path& path) {
    const auto fail = [&](const char* code, Text message) {
        return Problem{.code = code, .message = std::move(message), .file = path.string()};
    };
    if (path.empty()) return fail("no-file", {TRAINYARD_TEXT("the name of the file is empty"), {}});
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found)
        return fail("no-file", {TRAINYARD_TEXT("there is no such file"), {}});
    if (status.type() == std::filesystem::file_type::directory)
        return fail("no-file", {TRAINYARD_TEXT("this is a directory, not a scenario file"), {}});
    if (std::filesystem::is_other(status))
        return fail("unreadable",
                    {TRAINYARD_TEXT("this is a pipe or a device, not a file"), {}}); // it would be waited for
    if (const auto size = std::filesystem::file_size(path, error); !error && size > JsonLimits::bytes)
        return fail("too-large", tooLargeText(size));
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return fail("unreadable", {TRAINYARD_TEXT("the file cannot be opened for reading: {0}"),
                                   {std::generic_category().message(errno)}});
    std::string text;
    std::vector<char> block(1 << 16);
    while (in.read(block.data(), static_cast<std::streamsize>(block.size())), in.gcount() > 0) {
        text.append(block.data(), static_cast<std::size_t>(in.gcount()));
        if (text.size() > JsonLimits::bytes) return fail("too-large", tooLargeText({}));
    }
    if (in.bad()) return fail("unreadable", {TRAINYARD_TEXT("reading the file failed"), {}});
    return text;
}

/// The element of a list whose "id" or "name" is the token, for --set /jobs/NAME/…
JsonNode* namedElement(JsonNode& list, const std::string& token) {
    for (auto& element : list.items)
        for (const char* key : {"id", "name"})
            if (const JsonNode* id = element.find(key); id && id->is(NodeType::string) && id->text == token)
                return &element;
    return nullptr;
}

/// Why a list has no element of that name or number.
Text noElement(const JsonNode& list, const std::string& place, const std::string& token) {
    std::vector<std::string> names;
    for (const auto& element : list.items)
        for (const char* key : {"id", "name"})
            if (const JsonNode* id = element.find(key); id && id->is(NodeType::string)) {
                names.push_back(id->text);
                break;
            }
    const std::string count = std::to_string(list.items.size());
    const bool isNumber =
        !token.empty() && std::all_of(token.begin(), token.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (names.empty() || isNumber)
        return {TRAINYARD_TEXT("the list {0} has {1} elements, counted from 0; there is no \"{2}\""),
                {place, count, token}};
    const std::string near = nearestWord(token, names);
    return near.empty()
               ? Text{TRAINYARD_TEXT("there is no \"{1}\" in {0}; there are {2}"), {place, token, joinWords(names, 20)}}
               : Text{TRAINYARD_TEXT("there is no \"{1}\" in {0}; did you mean \"{2}\"?"), {place, token, near}};
}

/// Where a pointer leads, making missing members on the way; nullptr if it leads nowhere: `why` says so then.
JsonNode* settablePlace(JsonNode& root, const std::vector<std::string>& tokens, Text& why) {
    JsonNode* at = &root;
    std::string place;
    for (const auto& token : tokens) {
        if (at->is(NodeType::null) && at != &root) *at = JsonNode{.type = NodeType::object, .key = at->key};
        if (at->is(NodeType::object)) {
            JsonNode* member = at->find(token);
            at = member ? member : &at->set(token, {});
        } else if (at->is(NodeType::array)) {
            const JsonNode* element = childOf(*at, token);
            JsonNode* next = token == "-" ? &at->items.emplace_back()
                             : element    ? const_cast<JsonNode*>(element)
                                          : namedElement(*at, token);
            if (!next) why = noElement(*at, place, token);
            at = next;
        } else {
            why = {TRAINYARD_TEXT("{0} is {1}, in which there is no {2}"), {place, describeType(at->type), token}};
            at = nullptr;
        }
        if (!at) return nullptr;
        place += "/" + pointerToken(token);
    }
    return at;
}

/// VALUE as JSON, or a bare word as text.
std::optional<JsonNode> valueNode(const std::string& value, Problems& problems) {
    ParsedJson parsed = parseJson(value);
    const bool meantAsJson = value.find_first_of("{[\"") == 0 || (parsed.root && !parsed.problems.empty());
    if (parsed.root && parsed.problems.empty()) return std::move(parsed.root);
    if (!meantAsJson) return JsonNode::string(value);
    problems = std::move(parsed.problems);
    return std::nullopt;
}

} // namespace

std::string writeScenario(const Scenario& scenario) { return formatJson(scenarioTree(scenario)); }

struct ScenarioText::File {
    std::string text;
    std::mutex mutex;                ///< of what follows
    std::optional<JsonNode> root;    ///< once a line was asked for
    std::optional<LineFinder> lines; ///< in it
};

ScenarioText::ScenarioText(std::string text) : m_file(std::make_shared<File>()) { m_file->text = std::move(text); }

const std::string& ScenarioText::text() const {
    static const std::string none;
    return m_file ? m_file->text : none;
}

int ScenarioText::line(int (LineFinder::*find)(const std::string&), const std::string& pointer) const {
    if (!m_file) return 0;
    const std::scoped_lock lock(m_file->mutex);
    if (!m_file->lines) {
        m_file->root = parseJson(m_file->text).root.value_or(JsonNode());
        m_file->lines.emplace(*m_file->root);
    }
    return (*m_file->lines.*find)(pointer);
}

int ScenarioText::lineOf(const std::string& pointer) const { return line(&LineFinder::of, pointer); }
int ScenarioText::lineAt(const std::string& pointer) const { return line(&LineFinder::at, pointer); }

bool LoadedScenario::isCanonical() const { return file.text() == writeScenario(scenario); }

Result<LoadedScenario> parseScenario(std::string_view text, const std::string& name) {
    return resultOf(draftOf(text), std::string(text), name);
}

Result<LoadedScenario> parseDraft(std::string_view text, const std::string& name) {
    Draft draft = draftOf(text, true);
    if (draft.scenario) return LoadedScenario{std::move(*draft.scenario), ScenarioText(std::string(text))};
    return resultOf(std::move(draft), {}, name);
}

Result<LoadedScenario> readScenario(const std::filesystem::path& path, const Registry& registry,
                                    const ResourcePaths* resources) {
    auto text = fileText(path);
    if (!text) return text.problems();
    Draft draft = draftOf(*text);
    if (draft.scenario) {
        Problems checked = checkScenario(*draft.scenario, registry);
        if (resources) {
            std::set<std::string> places;
            for (const Problem& problem : checked) places.insert(problem.pointer);
            Problems refusals = runRefusals(*draft.scenario, *resources);
            const auto files = readPolicyFiles(*draft.scenario, registry, *resources);
            refusals.insert(refusals.end(), files.problems().begin(), files.problems().end());
            for (Problem& refusal : refusals)
                if (!places.contains(refusal.pointer)) checked.push_back(std::move(refusal));
        }
        addUnrelated(draft.problems, std::move(checked));
    }
    return resultOf(std::move(draft), std::move(text).value(), path.string());
}

Result<Scenario> setValue(const Scenario& scenario, const std::string& pointer, const std::string& value) {
    const auto fail = [&](Text message) {
        return Problem{.code = "unknown-place", .message = std::move(message), .pointer = pointer};
    };
    if (firstBadByte(pointer) != std::string::npos)
        return Problem{.code = "invalid-utf8",
                       .message = {TRAINYARD_TEXT("the place to change is not valid UTF-8"), {}}};
    if (firstBadByte(value) != std::string::npos)
        return Problem{.code = "invalid-utf8",
                       .message = {TRAINYARD_TEXT("the value is not valid UTF-8"), {}},
                       .pointer = pointer};
    const auto tokens = splitPointer(pointer);
    if (!tokens || tokens->empty())
        return fail({TRAINYARD_TEXT("this is no place in a scenario; a place looks like /policies/scheduler/id"), {}});
    Problems problems;
    auto node = valueNode(value, problems);
    if (!node) {
        for (auto& problem : problems) problem = {.code = problem.code, .message = problem.message, .pointer = pointer};
        return problems;
    }
    JsonNode root = scenarioTree(scenario);
    Text why;
    JsonNode* place = settablePlace(root, *tokens, why);
    if (!place) return fail(std::move(why));
    node->key = place->key;
    *place = std::move(*node);
    if (!hasKnownFormat(root, problems)) return problems;
    Scenario changed = scenarioOf(root, problems);
    for (auto& problem : problems) problem.line = 0;
    if (hasErrors(problems)) return problems;
    return {std::move(changed), std::move(problems)};
}

} // namespace trainyard
