// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/RecordedRun.h"

#include "run/files/RunRecord.h"
#include "scenario/ScenarioFile.h"

#include <QCoreApplication>

namespace trainyard {

RunData recordedRun(const RunRecord& record) {
    RunData run{.label = QCoreApplication::translate("RunModel", "%1, seed %2")
                             .arg(QString::fromStdString(record.scenarioName))
                             .arg(record.seed),
                .seed = record.seed,
                .workload = record.workload,
                .log = record.log};
    auto parsed = parseScenario(record.scenarioText, record.scenarioName);
    if (parsed) run.scenario = std::make_shared<const Scenario>(std::move(parsed).value().scenario);
    run.explanations = record.explanations;
    run.mode = record.mode;
    if (!record.complete) run.cutShort = Problem{.code = "stopped", .message = {record.failure, {}}};
    return run;
}

} // namespace trainyard
