// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/Recover.h"

namespace trainyard {

Result<RecoveredRun> scenarioFromFigure(const QString& path) {
    const std::string file = path.toStdString();
    auto found = readRecipe(file);
    if (!found) return found.problems();
    if (!found.value())
        return Problem{
            .code = "no-run-inside",
            .message = {TRAINYARD_TEXT("this file does not say which run it shows: it was not exported by Trainyard, "
                                       "or another program removed its metadata"),
                        {}},
            .file = file};
    RecoveredRun run;
    run.recipe = std::move(*found.value());
    auto loaded = parseScenario(run.recipe.scenarioText, file);
    if (!loaded) return loaded.problems();
    run.scenario = std::move(loaded).value().scenario;
    run.scenario.seed = run.recipe.seed;
    run.scenario.mode = run.recipe.mode;
    return run;
}

} // namespace trainyard
