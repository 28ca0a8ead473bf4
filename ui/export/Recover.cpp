// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/Recover.h"

namespace trainyard {

Result<RecoveredRun> scenarioFromFigure(const QString& path) {
    const std::string file = path.toStdString();
    auto found = readProvenance(file);
    if (!found) return found.problems();
    if (!found.value())
        return Problem{
            .code = "no-run-inside",
            .message = {TRAINYARD_TEXT("this file does not say which run it shows: it was not exported by Trainyard, "
                                       "or another program removed its metadata"),
                        {}},
            .file = file};
    RecoveredRun run;
    run.provenance = std::move(*found.value());
    auto loaded = parseScenario(run.provenance.scenarioText, file);
    if (!loaded) return loaded.problems();
    run.scenario = std::move(loaded).value().scenario;
    run.scenario.seed = run.provenance.seed;
    run.scenario.mode = run.provenance.mode;
    return run;
}

} // namespace trainyard
