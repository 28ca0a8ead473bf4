// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What must hold for any bytes: the reader answers, what it accepts survives being written and read, and a
// file is refused for the reasons that its text and its meaning give. Shared by the fuzzer and by the replay
// of its corpus (tests/core/tst_FuzzCorpus).
//
// An input is a scenario file, which may be followed by lines such as "--set /jobs/0/workers=3": changes that
// are applied to the scenario in turn.
#include "scenario/Fragment.h"
#include "scenario/ScenarioFile.h"

#include <algorithm>
#include <stdexcept>

namespace trainyard::test {

/// Throws std::logic_error with the reason.
inline void demand(bool holds, const char* what) {
    if (!holds) throw std::logic_error(what);
}

struct FuzzInput {
    std::string_view file;
    std::vector<std::pair<std::string, std::string>> sets; ///< pointer, value

    explicit FuzzInput(std::string_view bytes) {
        constexpr std::string_view mark = "\n--set ";
        file = bytes.substr(0, bytes.find(mark));
        for (auto at = bytes.find(mark); at != std::string_view::npos && sets.size() < 8;) {
            const auto begin = at + mark.size();
            at = bytes.find(mark, begin);
            const auto set = bytes.substr(begin, at == std::string_view::npos ? at : at - begin);
            const auto equals = std::min(set.find('='), set.size());
            sets.emplace_back(set.substr(0, equals), set.substr(std::min(equals + 1, set.size())));
        }
    }
};

inline void checkRefusal(const Problems& problems, std::string_view text) {
    demand(hasErrors(problems), "refused without an error");
    const auto lines = 1 + std::count(text.begin(), text.end(), '\n');
    for (const auto& problem : problems) {
        demand(!problem.message.english().empty(), "a problem without text");
        demand(problem.line >= 0 && problem.line <= lines, "a problem in a line that is not there");
        demand(problem.pointer.empty() || problem.pointer[0] == '/', "a place that is no pointer");
    }
}

/// Written and read again, a scenario is the same.
inline void checkSurvives(const Scenario& scenario) {
    const std::string text = writeScenario(scenario);
    const auto again = parseScenario(text, "written.json");
    demand(again.ok(), "what was written is refused");
    demand(again->scenario == scenario, "what was written is read differently");
    demand(again->isCanonical(), "what was written is not canonical");
}

/// The text as what it could also be: unsaved work from a journal, or something pasted. Both are answered,
/// whatever it is.
inline void checkDraft(const FuzzInput& input, bool isScenario, const Registry& registry) {
    const auto draft = parseDraft(input.file, "draft.json");
    demand(draft.ok() || hasErrors(draft.problems()), "a draft is refused without an error");
    demand(draft.ok() || !isScenario, "a draft is refused whose text is a scenario");
    if (draft) (void)validateScenario(draft->scenario, registry);
    const auto piece = readFragment(input.file);
    demand(piece.ok() || hasErrors(piece.problems()), "a piece is refused without an error");
    if (!piece) return;
    Scenario into;
    insertFragment(into, *piece, {8, 8});
    demand(into.cluster.machines.size() == piece->cluster.machines.size(), "a machine was lost when pasting");
}

/// `path` is a file that holds what `input` holds before its sets.
inline void checkInput(const FuzzInput& input, const std::filesystem::path& path, const Registry& registry) {
    const auto parsed = parseScenario(input.file, "fuzz.json");
    checkDraft(input, parsed.ok(), registry);
    const auto read = readScenario(path, registry);
    if (!read) checkRefusal(read.problems(), input.file);
    if (!parsed) {
        checkRefusal(parsed.problems(), input.file);
        demand(!read, "a file is read whose text is refused");
        return;
    }
    Scenario scenario = parsed->scenario;
    checkSurvives(scenario);
    demand(read.ok() == !hasErrors(validateScenario(scenario, registry)), "a file is judged unlike its scenario");
    for (const auto& [pointer, value] : input.sets) {
        const auto changed = setValue(scenario, pointer, value);
        if (!changed) {
            demand(hasErrors(changed.problems()), "a change is refused without an error");
            continue;
        }
        scenario = *changed;
        checkSurvives(scenario);
        (void)validateScenario(scenario, registry);
    }
}

} // namespace trainyard::test
