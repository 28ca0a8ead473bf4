// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/ProblemPlaces.h"

#include <algorithm>

namespace trainyard {

namespace {

bool contains(const std::string& outer, const std::string& inner) {
    return inner.starts_with(outer) && (inner.size() == outer.size() || inner[outer.size()] == '/');
}

/// "/cluster/machines" or "/jobs/3": the part of the document that one check is about.
std::string partOf(const std::string& pointer) {
    const auto second = pointer.find('/', 1);
    return second == std::string::npos ? pointer : pointer.substr(0, pointer.find('/', second + 1));
}

bool follows(const Problem& later, const Problem& earlier) {
    if (earlier.pointer.empty()) return true;
    if (contains(earlier.pointer, later.pointer)) return true;
    // An object with a broken member says nothing certain about itself, but its neighbours may be checked.
    if (contains(later.pointer, earlier.pointer)) return true;
    // Of a job whose kind is unknown nothing further is known.
    if (earlier.pointer.ends_with("/kind") &&
        contains(earlier.pointer.substr(0, earlier.pointer.rfind('/')), later.pointer))
        return true;
    const bool checksWholes = later.code == "never-fits" || later.code == "unreachable" || later.code == "unknown-id" ||
                              later.code == "no-stop" || later.code == "unknown-resource";
    return checksWholes &&
           (earlier.pointer.starts_with("/cluster") || partOf(earlier.pointer) == partOf(later.pointer));
}

} // namespace

const JsonNode* LineFinder::child(const JsonNode& node, const std::string& token) {
    constexpr std::size_t few = 32;
    if (!node.is(JsonNode::Type::object) || node.items.size() <= few) return childOf(node, token);
    Members& members = m_members[&node];
    if (members.empty())
        for (const JsonNode& item : node.items) members.emplace(item.key, &item); // of repeated ones the first
    const auto it = members.find(token);
    return it == members.end() ? nullptr : it->second;
}

std::pair<const JsonNode*, bool> LineFinder::follow(const std::string& pointer) {
    const JsonNode* at = &m_root;
    const auto tokens = splitPointer(pointer);
    if (!tokens) return {at, false};
    for (const std::string& token : *tokens) {
        const JsonNode* next = child(*at, token);
        if (!next || next->line == 0) return {at, false};
        at = next;
    }
    return {at, true};
}

int LineFinder::of(const std::string& pointer) { return follow(pointer).first->line; }

int LineFinder::at(const std::string& pointer) {
    const auto [node, whole] = follow(pointer);
    return whole ? node->line : 0;
}

void arrangeProblems(Problems& problems, const std::string& file, const JsonNode* root) {
    std::optional<LineFinder> lines;
    if (root) lines.emplace(*root);
    for (auto& problem : problems) {
        problem.file = file;
        if (problem.line == 0 && lines) problem.line = lines->of(problem.pointer);
    }
    const auto byLine = [](const Problem& a, const Problem& b) { return a.line < b.line; };
    std::stable_sort(problems.begin(), problems.end(), byLine);
    constexpr std::size_t few = 10; // rather shown than counted: a reader that goes no further says so after a hundred
    if (problems.size() <= readableProblems + few) return;
    const std::size_t more = problems.size() - readableProblems;
    // Errors before warnings: none of those that are left out may be the only reason why the file is refused.
    std::ranges::stable_sort(problems, {}, &Problem::severity);
    const Severity worst = problems[readableProblems].severity;
    problems.resize(readableProblems);
    std::stable_sort(problems.begin(), problems.end(), byLine);
    problems.push_back({.code = "more-problems",
                        .message = {TRAINYARD_TEXT("and {0} more problems"), {std::to_string(more)}},
                        .severity = worst,
                        .file = file});
}

void addUnrelated(Problems& problems, Problems validation) {
    const std::size_t earlier = problems.size();
    if (earlier > enoughProblems) return; // the list is cut anyway
    for (auto& later : validation) {
        const auto end = problems.begin() + static_cast<std::ptrdiff_t>(earlier);
        if (std::none_of(problems.begin(), end, [&](const Problem& p) { return follows(later, p); }))
            problems.push_back(std::move(later));
    }
}

} // namespace trainyard
