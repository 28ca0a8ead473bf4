// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a worker does, in one list for the state, the folds, the trace and the pictures: where it stands in
// its task, and the activity that this counts as, which has a colour and a texture.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace trainyard {

enum class WorkerPhase : std::uint8_t {
    idle,    ///< placed, without a task
    pulling, ///< reads parameters
    computing,
    pushing,   ///< sends its gradient
    waiting,   ///< has sent it, or lost it, and waits for others
    blocked,   ///< its synchronization makes it wait
    updating,  ///< waits for the servers, not for others; known only afterwards
    absent,    ///< not placed
    discarded, ///< a computation whose gradient was thrown away; known only afterwards
    failed     ///< its machine is down
};
constexpr std::size_t workerPhases = 10;

/// What is told apart by colour and texture, everywhere (ui.md, "Look").
enum class Activity : std::uint8_t { compute, transfer, waiting, discarded, update, failed };

/// Nothing: nothing is drawn.
std::optional<Activity> activityOf(WorkerPhase phase);
/// Placed, and neither reads nor computes nor sends.
constexpr bool isIdle(WorkerPhase phase) {
    return phase == WorkerPhase::idle || phase == WorkerPhase::waiting || phase == WorkerPhase::blocked ||
           phase == WorkerPhase::updating;
}
/// For other workers.
constexpr bool isWaiting(WorkerPhase phase) { return phase == WorkerPhase::waiting || phase == WorkerPhase::blocked; }
constexpr bool isTransfer(WorkerPhase phase) { return phase == WorkerPhase::pulling || phase == WorkerPhase::pushing; }
/// "compute", as files and traces have it.
std::string_view phaseKey(WorkerPhase phase);
std::string_view activityKey(Activity activity);

} // namespace trainyard
