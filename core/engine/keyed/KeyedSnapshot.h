// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where a keyed job has come at a quiet point, and how nodes give and take it. In both modes.
#include "engine/keyed/KeyCursor.h"
#include "engine/keyed/TaskWorker.h"
#include "policy/keys/KeyNode.h"

namespace trainyard {

struct KeyedSnapshot {
    std::vector<float> values; ///< by key, with what the optimizer keeps
    struct Worker {
        std::uint64_t iterations = 0;
        KeyCursor keys;
        std::optional<TaskWorker> task;
    };
    std::vector<Worker> workers; ///< by number
};

/// How a model is that a keyed job trains.
struct KeyedEvaluation {
    double loss = 0; ///< mean of the examples as workers met them
    std::vector<Quality> qualities;
};
/// At a quiet point. `losses`: of each worker, with the number of its examples.
KeyedEvaluation evaluateKeyed(const KeyedModel& model, const KeyJob& job, const std::vector<const KeyNode*>& nodes,
                              std::span<const std::pair<double, std::uint64_t>> losses);

/// The node that owns a key by its home's table; everyNode if it is replicated.
std::uint32_t keyOwner(const KeyJob& job, const std::vector<const KeyNode*>& nodes, std::uint32_t key);
/// At a quiet point.
std::vector<float> keyValues(const KeyJob& job, const std::vector<const KeyNode*>& nodes);
/// By key: what a model begins with.
std::vector<float> initialValues(const KeyedModel& model);
/// The node takes the values of those keys that it has at the start.
void restoreValues(KeyNode& node, const std::vector<float>& values);

} // namespace trainyard
