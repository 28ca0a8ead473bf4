// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where problems are: lines by pointer, order, and which of the later problems only follow from earlier ones.
// For the reader, and for whoever reports problems of a file that was read.
#include "scenario/JsonTree.h"

#include <map>

namespace trainyard {

/// So many problems are shown, and of so many no more is asked than that there are.
constexpr std::size_t readableProblems = 100, enoughProblems = 1000;

/// Lines of all members and of all elements that are objects or lists.
void collectLines(const JsonNode& node, const std::string& pointer, std::map<std::string, int>& lines);
/// Of the pointer, or of the nearest value that contains it; 0 if unknown.
int lineOfPointer(const std::map<std::string, int>& lines, std::string pointer);
/// Fills in file and line, sorts by line and cuts a list that is too long to be read; its last then counts what was left out, and is as
/// severe.
void arrangeProblems(Problems& problems, const std::string& file, const std::map<std::string, int>& lines);
/// Adds what validation found, except what probably follows from a value that could not be read.
void addUnrelated(Problems& problems, Problems validation);

} // namespace trainyard
