// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What nodes of a keyed job send each other. Values cross between nodes only in here: they are copies.
#include "base/SimTime.h"
#include "record/KeyMessageType.h"

#include <cstdint>
#include <vector>

namespace trainyard {

struct KeyMessage {
    static constexpr std::uint64_t headerBytes = 20, bytesOfKey = 8, bytesOfValue = 4;

    KeyMessageType type = KeyMessageType::pullRequest;
    std::uint32_t from = 0, to = 0; ///< nodes
    std::uint32_t requester = 0;    ///< node that asked; an answer goes there
    std::uint32_t worker = 0;       ///< of the requester, that pulls or pushes
    std::uint32_t round = 0;        ///< of replicas, from 1
    std::uint32_t step = 0;         ///< of the round
    bool idle = false;              ///< of a round: none of those whose changes these are will change anything more
    std::uint64_t clock = 0;        ///< of a message of clocks
    SimTime sent;                   ///< told by the engine that carries it
    std::uint32_t carrier = 0;      ///< for that engine
    std::vector<std::uint32_t> keys;
    std::vector<std::uint32_t> numbers; ///< of intents, or nodes, by key; AdaptiveNode
    std::vector<float> values;          ///< of its keys, one after the other

    /// The number in a push answer, and a clock, count as one key.
    std::uint64_t bytes() const {
        const bool number = type == KeyMessageType::pushAnswer || type == KeyMessageType::clock;
        return headerBytes + bytesOfKey * (number ? 1 : keys.size()) + bytesOfValue * (values.size() + numbers.size());
    }
    /// Answers go straight to the worker that waits; all others are handled by the node's server thread.
    bool isAnswer() const { return type == KeyMessageType::pullAnswer || type == KeyMessageType::pushAnswer; }
    bool ofReplicas() const { return type == KeyMessageType::replicaDelta; }
};

} // namespace trainyard
