// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a message between nodes of a keyed job is for. Numbers are written to the log; append only.
#include <cstddef>
#include <cstdint>

namespace trainyard {

enum class KeyMessageType : std::uint8_t {
    pullRequest,  ///< keys
    pullAnswer,   ///< keys and values
    push,         ///< keys and what is added to their values
    pushAnswer,   ///< how many keys were added to
    localize,     ///< to a home: the sender asks for these keys
    handOver,     ///< home to owner: these keys go to the requester
    transfer,     ///< keys and values: the receiver has them now
    replicaDelta, ///< part of a round: what has changed in replicas
    clock,        ///< how far workers have come, where their synchronization bounds that
    intent,       ///< to a home: the sender will use these keys
    intentEnd,    ///< to a home: it has done so
    replicate,    ///< home to owner: a node is to have a copy
    copy,         ///< keys and values: the receiver has a copy now
    refresh,      ///< what a holder has added to its copies; asks for the values as they are now
    refreshed,    ///< keys and values, in answer
};
inline constexpr std::size_t keyMessageTypes = 15;
/// What keeps replicas and copies equal, counted apart.
constexpr bool isOfReplicas(KeyMessageType type) {
    return type == KeyMessageType::replicaDelta || type == KeyMessageType::copy || type == KeyMessageType::refresh ||
           type == KeyMessageType::refreshed;
}

} // namespace trainyard
