// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Reading and writing scenario files. The reader reports all problems, each with line, JSON pointer and what
// would be right; the writer is canonical: what it wrote is read and written back to the same bytes.
#include "scenario/Scenario.h"

#include <filesystem>

namespace trainyard {

class LineFinder;
struct ResourcePaths;

/// The text of a file, and the lines of its values, for problems found later (validation, policies). Lines are looked for when
/// first asked. Copies share the text.
class ScenarioText {
public:
    ScenarioText() = default; ///< of no file: no line is known
    explicit ScenarioText(std::string text);
    bool empty() const { return !m_file; }
    const std::string& text() const;
    /// Of the value at the JSON pointer, or of the nearest that contains it; 0 if unknown.
    int lineOf(const std::string& pointer) const;
    /// Of the value at the pointer; 0 if there is none.
    int lineAt(const std::string& pointer) const;

private:
    struct File;
    int line(int (LineFinder::*find)(const std::string&), const std::string& pointer) const;

    std::shared_ptr<File> m_file;
};

struct LoadedScenario {
    Scenario scenario;
    ScenarioText file;
    bool isCanonical() const; ///< false: saving will reformat the file
};

/// Structure only (types, ranges, keys), so that a document in the making can be kept; check it with
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
/// (/jobs/digits/workers). Structure only: when all values are set, check the result with validateScenario.
Result<Scenario> setValue(const Scenario& scenario, const std::string& pointer, const std::string& value);

} // namespace trainyard
