#pragma once
// What must hold for any bytes: the reader answers, and what it accepts survives being written and read.
// Shared by the fuzzer and by the replay of its corpus (tests/core/tst_FuzzCorpus).
#include "scenario/ScenarioFile.h"

#include <stdexcept>

namespace trainyard::test {

/// Throws std::logic_error, with the reason, if a promise is broken.
inline void checkAnyBytes(std::string_view bytes, const Registry& registry) {
    const auto demand = [](bool holds, const char* what) {
        if (!holds) throw std::logic_error(what);
    };
    const auto first = parseScenario(bytes, "fuzz.json", registry);
    if (!first) {
        demand(hasErrors(first.problems()), "refused without an error");
        for (const auto& problem : first.problems())
            demand(!problem.text().empty() && problem.line >= 0, "a problem without text");
        return;
    }
    const std::string text = writeScenario(first->scenario);
    demand(first->canonical == (text == bytes), "canonical means: written the same");
    const auto second = parseScenario(text, "fuzz.json", registry);
    demand(second.ok(), "what was written is refused");
    demand(second->scenario == first->scenario, "what was written is read differently");
    demand(writeScenario(second->scenario) == text, "writing again changes the text");
    (void)validateScenario(first->scenario, registry);
}

} // namespace trainyard::test
