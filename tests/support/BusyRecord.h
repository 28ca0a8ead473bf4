// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The busy run as the window has it, and as a directory that trainyard-cli would have written.
#include "record/ClusterState.h"
#include "run/files/RunRecord.h"
#include "session/Provenance.h"
#include "session/RunData.h"
#include "support/BusyRun.h"

#include <QString>

namespace trainyard::test {

inline RunData busyRunData() {
    const auto run = busyRun();
    return {.id = 1,
            .label = QStringLiteral("busy"),
            .scenario = run.scenario,
            .seed = 42,
            .workload = run.workload,
            .log = run.log};
}

/// False: it could not be written.
inline bool writeBusyRecord(const QString& directory) {
    const RunData run = busyRunData();
    RunRecord record;
    static_cast<RunProvenance&>(record) = provenanceOf(run);
    record.workload = run.workload;
    record.log = run.log;
    auto state = std::make_shared<ClusterState>(record.workload);
    record.log->walk(0, record.log->size(), [&](const Event& e) { state->apply(e); });
    record.state = state;
    return writeRecord(record, directory.toStdString()).empty();
}

} // namespace trainyard::test
