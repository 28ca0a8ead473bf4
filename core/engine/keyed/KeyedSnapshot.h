// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where a keyed job has come at a quiet point, and how nodes give and take it. In both modes.
#include "engine/keyed/KeyCursor.h"
#include "policy/keys/KeyNode.h"

namespace trainyard {

struct KeyedSnapshot {
    std::vector<float> values; ///< by key, with what the optimizer keeps
    struct Worker {
        std::uint64_t iterations = 0;
        KeyCursor keys;
    };
    std::vector<Worker> workers; ///< by number
};

/// The node that owns a key by its home's table; everyNode if it is replicated.
std::uint32_t keyOwner(const KeyJob& job, const std::vector<const KeyNode*>& nodes, std::uint32_t key);
/// At a quiet point.
std::vector<float> keyValues(const KeyJob& job, const std::vector<const KeyNode*>& nodes);
/// The node takes the values of those keys that it has at the start.
void restoreValues(KeyNode& node, const std::vector<float>& values);

} // namespace trainyard
