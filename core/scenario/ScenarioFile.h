// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Reading and writing scenario files. The reader reports all problems, each with line, JSON pointer and what
// would be right; the writer is canonical: what it wrote is read and written back to the same bytes.
#include "scenario/Scenario.h"

#include <filesystem>

namespace trainyard {

struct ResourcePaths;

struct LoadedScenario {
    Scenario scenario;
    bool canonical = true; ///< false: saving will reformat the file
    /// JSON pointer → line, for problems found later (validation, policies).
    std::map<std::string, int> lines;
};

/// Structure only (types, ranges, keys), so that a document in the making can be kept; judge it with
/// validateScenario. `name` is what problems call the file. Limits: 64 MiB, nesting 100, 2 million values.
Result<LoadedScenario> parseScenario(std::string_view text, const std::string& name);
/// For a document that was being edited, from the journal: numbers out of range are kept (validateScenario reports them)
/// and what else is wrong takes its default. Fails only on text that is no scenario at all.
Result<LoadedScenario> parseDraft(std::string_view text, const std::string& name);
/// Reads, parses and validates. With `resources` also what a run would refuse (scenario/RunRequirements.h), which loads data sets.
Result<LoadedScenario> readScenario(const std::filesystem::path& path, const Registry& registry,
                                    const ResourcePaths* resources = nullptr);
/// Canonical JSON text, ending in a newline.
std::string writeScenario(const Scenario& scenario);
/// Sets the value at a JSON pointer (--set POINTER=VALUE); VALUE is JSON, or a bare word taken as a string.
/// Missing members on the way are made, and an element may be named by its id instead of its position
/// (/jobs/digits/workers). Structure only: when all values are set, judge the result with validateScenario.
Result<Scenario> setValue(const Scenario& scenario, const std::string& pointer, const std::string& value);

} // namespace trainyard
