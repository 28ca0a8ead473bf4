// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/Provenance.h"

#include "scenario/ScenarioFile.h"

namespace trainyard {

RunRecipe recipeOf(const RunData& run) {
    RunRecipe recipe{.seed = run.seed, .version = TRAINYARD_VERSION};
    if (run.scenario) {
        recipe.scenarioText = writeScenario(*run.scenario);
        recipe.scenarioName = run.scenario->title;
        recipe.mode = run.scenario->mode;
    }
    if (!run.log) return recipe;
    recipe.digest = run.log->digest();
    recipe.complete = !run.cutShort;
    if (run.cutShort) recipe.failure = run.cutShort->message.english();
    run.log->walk(0, run.log->size(), [&](const Event& e) {
        if (e.type == EventType::command)
            recipe.commands.push_back({e.time, static_cast<CommandKind>(e.aux), e.a, e.b, e.value});
    });
    return recipe;
}

QByteArray provenanceLine(const RunRecipe& recipe) { return QByteArray::fromStdString(provenance(recipe)); }

QString provenanceFooter(const RunRecipe& recipe) {
    const QString line = QString::fromStdString(provenance(recipe));
    return line.left(line.indexOf(QStringLiteral(" run=")));
}

} // namespace trainyard
