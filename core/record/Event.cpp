// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "record/Event.h"

#include <array>

namespace trainyard {

std::string_view eventName(EventType type) {
    static constexpr std::array<std::string_view, 44> names{"none",
                                                            "run-started",
                                                            "job-arrived",
                                                            "task-placed",
                                                            "task-removed",
                                                            "job-started",
                                                            "job-resized",
                                                            "job-preempted",
                                                            "job-rejected",
                                                            "job-finished",
                                                            "job-failed",
                                                            "pull-started",
                                                            "compute-started",
                                                            "push-started",
                                                            "gradient-arrived",
                                                            "gradient-used",
                                                            "gradient-dropped",
                                                            "task-cancelled",
                                                            "worker-blocked",
                                                            "update-applied",
                                                            "loss-evaluated",
                                                            "checkpoint-started",
                                                            "checkpoint-done",
                                                            "job-restored",
                                                            "link-load",
                                                            "link-carried",
                                                            "machine-failed",
                                                            "machine-repaired",
                                                            "link-failed",
                                                            "link-repaired",
                                                            "scheduler-woken",
                                                            "decision",
                                                            "command",
                                                            "key-located",
                                                            "message-sent",
                                                            "job-partitioned",
                                                            "run-finished",
                                                            "reserved",
                                                            "note",
                                                            "batch-changed",
                                                            "noise-measured",
                                                            "keys-counted",
                                                            "key-message",
                                                            "quality-evaluated"};
    static_assert(static_cast<std::size_t>(EventType::qualityEvaluated) + 1 == names.size());
    const auto i = static_cast<std::size_t>(type);
    return i < names.size() ? names[i] : names[0];
}

std::string_view familyName(PolicyFamily family) {
    static constexpr std::array<std::string_view, 4> names{"scheduler", "synchronization", "parameters", "partitioner"};
    const auto i = static_cast<std::size_t>(family);
    return i < names.size() ? names[i] : std::string_view("none");
}

} // namespace trainyard
