// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/Provenance.h"

#include "scenario/ScenarioFile.h"

namespace trainyard {

RunProvenance provenanceOf(const RunData& run) {
    RunProvenance provenance{.seed = run.seed, .version = TRAINYARD_VERSION};
    if (run.scenario) {
        provenance.scenarioText = writeScenario(*run.scenario);
        provenance.scenarioName = run.scenario->title;
        provenance.mode = run.scenario->mode;
    }
    if (!run.log) return provenance;
    provenance.digest = run.log->digest();
    provenance.complete = !run.cutShort;
    if (run.cutShort) provenance.failure = run.cutShort->message.english();
    run.log->walk(0, run.log->size(), [&](const Event& e) {
        if (e.type == EventType::command)
            provenance.commands.push_back({e.time, static_cast<CommandKind>(e.aux), e.a, e.b, e.value});
    });
    return provenance;
}

QByteArray provenanceLine(const RunProvenance& provenance) {
    return QByteArray::fromStdString(provenanceText(provenance));
}

QString provenanceFooter(const RunProvenance& provenance) {
    const QString line = QString::fromStdString(provenanceText(provenance));
    return line.left(line.indexOf(QStringLiteral(" run=")));
}

} // namespace trainyard
