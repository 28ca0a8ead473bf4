// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "record/WorkerPhase.h"

#include <array>

namespace trainyard {

std::optional<Activity> activityOf(WorkerPhase phase) {
    switch (phase) {
    case WorkerPhase::computing: return Activity::compute;
    case WorkerPhase::pulling:
    case WorkerPhase::pushing: return Activity::transfer;
    case WorkerPhase::waiting:
    case WorkerPhase::blocked: return Activity::waiting;
    case WorkerPhase::updating: return Activity::update;
    case WorkerPhase::discarded: return Activity::discarded;
    case WorkerPhase::failed: return Activity::failed;
    case WorkerPhase::idle:
    case WorkerPhase::absent: break;
    }
    return std::nullopt;
}

std::string_view phaseKey(WorkerPhase phase) {
    static constexpr std::array<std::string_view, workerPhases> keys{
        "idle", "pull", "compute", "push", "waiting", "blocked", "update", "absent", "discarded", "failed"};
    return keys[static_cast<std::size_t>(phase)];
}

std::string_view activityKey(Activity activity) {
    static constexpr std::array<std::string_view, 6> keys{"compute",   "transfer", "waiting",
                                                          "discarded", "update",   "failed"};
    return keys[static_cast<std::size_t>(activity)];
}

} // namespace trainyard
