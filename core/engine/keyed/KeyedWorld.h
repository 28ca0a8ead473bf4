// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the nodes of a keyed job in virtual time share: routes, messages under way, costs, and whom to tell. Part of KeyedRun.
#include "engine/DelayModel.h"
#include "engine/keyed/KeyedRoutes.h"
#include "model/KeyedAccess.h"
#include "policy/keys/KeyMessage.h"
#include "record/Events.h"

#include <deque>

namespace trainyard {

/// For tests and traces: what workers read, and other numbers for them to add.
class KeyObserver {
public:
    virtual ~KeyObserver() = default;
    /// What the worker is about to add to the key; null: the job's constant.
    virtual const float* adding(std::uint32_t /*worker*/, std::uint32_t /*key*/, SimTime) { return nullptr; }
    virtual void read(std::uint32_t /*worker*/, std::uint32_t /*key*/, const float* /*values*/, SimTime) {}
};

struct KeyedArrival {
    SimTime sent;
    SimTime first, whole;     ///< of its first and last bit, at the receiver's network interface if nothing holds it up
    std::uint64_t number = 0; ///< among those of its sender
    std::uint32_t from = 0, message = 0;
    /// For a heap whose first is the earliest.
    friend bool operator<(const KeyedArrival& a, const KeyedArrival& b) {
        if (a.first != b.first) return a.first > b.first;
        return a.from != b.from ? a.from > b.from : a.number > b.number;
    }
};

struct KeyedWorld {
    KeyedAccess access;
    JobId job;
    Duration pull, push, message; ///< costs
    double perKeyNs = 0;
    std::vector<float> delta; ///< what a push adds
    KeyedRoutes routes;
    std::deque<KeyMessage> messages; ///< by number; a deque: references stay valid
    std::vector<std::uint32_t> freeMessages;
    std::vector<std::vector<KeyedArrival>> inboxes; ///< by node, a heap
    std::vector<SimTime> lastArrival;               ///< by pair of nodes: of a first bit
    std::vector<std::uint64_t> pairBytes;           ///< by pair of nodes, since they were logged
    /// By parity of the round and node: when the oldest of its changes in that round was made; never(): there are none. Read once
    /// the round has ended somewhere, by when all nodes have begun it and none a further one but the next.
    std::vector<SimTime> oldestChange;
    std::vector<std::uint32_t> held;    ///< messages between nodes without a route, in the order sent
    std::vector<std::uint32_t> watched; ///< keys
    std::size_t watchedEvents = 0;
    std::vector<Event> entries; ///< for the log, each with its own time
    KeyObserver* observer = nullptr;
    DelayModel* delays = nullptr; ///< while nodes run

    explicit KeyedWorld(std::size_t nodes)
        : routes(nodes), inboxes(nodes), lastArrival(nodes * nodes), pairBytes(nodes * nodes), oldestChange(2 * nodes) {
    }
    std::size_t nodes() const { return inboxes.size(); }
    std::size_t underWay() const { return messages.size() - freeMessages.size(); }
    std::uint32_t allocate() {
        if (freeMessages.empty()) {
            messages.emplace_back();
            return static_cast<std::uint32_t>(messages.size() - 1);
        }
        const std::uint32_t number = freeMessages.back();
        freeMessages.pop_back();
        return number;
    }
    /// Logs it once for each watched key in it, as long as there are not too many.
    void watch(const KeyMessage& message, SimTime sent, SimTime arrives);
    static constexpr std::size_t mostWatchedEvents = 20'000;
};

} // namespace trainyard
