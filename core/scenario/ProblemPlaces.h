// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where problems are: lines by pointer, order, and which of the later problems only follow from earlier ones.
// For the reader, and for whoever reports problems of a file that was read.
#include "scenario/JsonTree.h"

#include <unordered_map>

namespace trainyard {

/// So many problems are shown, and of so many no more is asked than that there are.
constexpr std::size_t readableProblems = 100, enoughProblems = 1000;

/// Lines by JSON pointer, looked up in a tree, which must outlive it: nothing is kept of values that nobody asks for.
class LineFinder {
public:
    explicit LineFinder(const JsonNode& root) : m_root(root) {}
    /// Of the value there, or of the nearest that contains it; 0 if unknown.
    int of(const std::string& pointer);
    /// Of the value there; 0 if there is none.
    int at(const std::string& pointer);

private:
    using Members = std::unordered_map<std::string_view, const JsonNode*>;
    /// As far as the pointer leads, and whether that is all of it.
    std::pair<const JsonNode*, bool> follow(const std::string& pointer);
    const JsonNode* child(const JsonNode& node, const std::string& token);

    const JsonNode& m_root;
    std::unordered_map<const JsonNode*, Members> m_members; ///< of objects with many
};

/// Fills in file and line, sorts by line and cuts a list that is too long to be read; its last then counts what was left out, and is as
/// severe. `root`: of the file; null where it could not be understood.
void arrangeProblems(Problems& problems, const std::string& file, const JsonNode* root);
/// Adds what validation found, except what probably follows from a value that could not be read.
void addUnrelated(Problems& problems, Problems validation);

} // namespace trainyard
