// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One run as views see it: what was run and its log so far. Views are keyed by RunId from the start, so that ghosts,
// overlays and seed bands are just more runs. Shared and immutable apart from the growing log.
#include "analysis/RunIndex.h"

#include <QString>

#include <filesystem>
#include <optional>

namespace trainyard {

using RunId = quint32; ///< counts up from 1 in one program; 0 = no run

struct RunData {
    RunId id = 0;
    QString label; ///< "full-sync, seed 7"
    std::shared_ptr<const Scenario> scenario;
    std::uint64_t seed = 1;
    std::shared_ptr<const Workload> workload;
    std::shared_ptr<const EventLog> log;                ///< grows while the run goes on
    std::shared_ptr<const ExplanationLog> explanations; ///< null: not known. Grows as the log does
    bool running = false;
    std::optional<Problem> cutShort; ///< why it ended before its end; none: it did not
    RunMode mode = RunMode::simulate;
    std::filesystem::path resources; ///< where the data sets of its jobs lie
};

/// What an index of the run is made from.
inline RunSource sourceOf(const RunData& run) {
    return {run.scenario, run.seed, run.workload, run.log, run.explanations, run.resources};
}

} // namespace trainyard
