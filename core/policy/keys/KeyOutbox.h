// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the protocol of a node may do to the world. Implemented by the engine, once for virtual time and once for threads.
#include "policy/keys/KeyMessage.h"

namespace trainyard {

class KeyOutbox {
public:
    virtual ~KeyOutbox() = default;
    /// An empty message from this node, to be filled and handed to send(); valid until then.
    virtual KeyMessage& compose(KeyMessageType type, std::uint32_t to) = 0;
    virtual void send(KeyMessage& message) = 0;
    /// The pull that a worker of this node waits for is complete.
    virtual void pulled(std::uint32_t worker, std::uint32_t key, const float* values) = 0;
    /// So many keys of pushes of a worker of this node have been added to.
    virtual void pushed(std::uint32_t worker, std::uint32_t keys) = 0;
    /// A remote operation has been carried out on a key that is here; for traces of operations.
    virtual void applied(std::uint32_t /*key*/) {}
    /// The key is here from now on.
    virtual void located(std::uint32_t /*key*/) {}
    /// The key, which was here, has been given away.
    virtual void departed(std::uint32_t /*key*/) {}
    /// A copy's values, which the owner sent at `sent`, are replaced by younger ones.
    virtual void refreshed(SimTime /*sent*/) {}
    virtual void roundDone() {}
    /// A value of a series that the parameters policy declares (PolicyInfo::series).
    virtual void note(std::uint16_t /*series*/, double /*value*/, std::uint32_t /*first*/) {}
    /// Workers of this node may perhaps go on that were too far ahead of others.
    virtual void clockAdvanced() {}
};

} // namespace trainyard
