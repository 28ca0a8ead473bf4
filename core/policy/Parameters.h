// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where each parameter lives and how it is accessed. The parameters of a job are cut into keys (contiguous ranges). Every
// node of the job (workers first, then servers) runs one ParameterNode: the protocol. The same node code runs over virtual
// time and over threads; it sees the world only through its ParameterContext.
#include "base/SimTime.h"
#include "policy/keys/KeyPlan.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace trainyard {

using Key = std::uint32_t;
using NodeIndex = std::uint32_t;

struct StoreLayout {
    /// Nodes 0 … workers−1, then the servers. Where workers may come and go, `workers` is the most there can be at a time.
    std::uint32_t workers = 1, servers = 1;
    std::vector<std::uint32_t> keyStart; ///< keyStart[k] … keyStart[k+1]: parameters of key k; size = keys + 1
    double bytesPerParameter = 8;
    /// Numbers of a message; 0: as many as parameters. It is cut by key as parameters are: each whole vector of their length that is in
    /// it, and in the same proportions what is left over.
    std::uint32_t messageSize = 0;

    std::uint32_t nodes() const { return workers + servers; }
    std::uint32_t keys() const { return static_cast<std::uint32_t>(keyStart.size()) - 1; }
    std::uint32_t length(Key key) const { return keyStart[key + 1] - keyStart[key]; }
    /// Where the key's part of so many numbers begins.
    std::uint32_t startIn(std::uint64_t numbers, Key key) const {
        return numbers == keyStart.back() ? keyStart[key]
                                          : static_cast<std::uint32_t>(numbers * keyStart[key] / keyStart.back());
    }
    /// Numbers of the key in a message.
    std::uint32_t messageLength(Key key) const {
        const std::uint32_t whole = messageSize > 0 ? messageSize / keyStart.back() : 1,
                            rest = messageSize > 0 ? messageSize % keyStart.back() : 0;
        return whole * length(key) + (rest > 0 ? startIn(rest, key + 1) - startIn(rest, key) : 0);
    }
};

/// One layout for all nodes of a job: it never changes while they live.
using SharedLayout = std::shared_ptr<const StoreLayout>;

/// Between two nodes of one job. Kinds below 16 are reserved for the engine's own control messages.
struct ParameterMessage {
    std::uint16_t kind = 0;
    NodeIndex from = 0, to = 0;
    std::uint64_t operation =
        0; ///< the pull or push of a worker that it belongs to; 0: to none, it moves or copies parameters
    std::vector<Key> keys;
    std::vector<double> values; ///< empty in jobs without real parameters; `bytes` counts all the same
    double bytes = 0;
    /// Of parameters: updates applied to them (ParameterContext::version), the fewest where they are of several keys.
    std::uint64_t version = 0;
    /// Instead of `keys` and `values`, where many messages carry the same; nobody changes them.
    struct Part {
        std::vector<Key> keys;
        std::vector<double> values;
    };
    using SharedPart = std::shared_ptr<const Part>;
    SharedPart shared = nullptr;

    bool ofTask() const { return operation != 0; }
    std::span<const Key> keyList() const { return shared ? shared->keys : keys; }
    std::span<const double> numbers() const { return shared ? shared->values : values; }
};

/// What a node may do. Implemented by the engine, once for virtual time and once for threads.
class ParameterContext {
public:
    virtual ~ParameterContext() = default;
    virtual NodeIndex self() const = 0;
    virtual SimTime now() const = 0;
    virtual void send(ParameterMessage message) = 0;
    virtual void timer(Duration after, std::uint64_t tag) = 0;

    /// A value of the policy's own series number `series`, as its PolicyInfo declares it.
    virtual void note(std::uint16_t /*series*/, double /*value*/, std::uint32_t /*first*/ = 0,
                      std::uint32_t /*second*/ = 0) {}

    /// This node's store. A value is the key's parameters followed by its optimizer state; it moves as a whole.
    virtual bool has(Key key) const = 0;
    virtual std::span<const double> parameters(Key key) const = 0;
    /// Updates applied to what parameters(key) has shown last.
    virtual std::uint64_t version(Key key) const = 0;
    /// Takes the whole value out of the store, to be sent elsewhere.
    virtual std::vector<double> take(Key key) = 0;
    virtual void insert(Key key, std::vector<double> value) = 0;

    /// A pull that this node's worker began is complete; values in the order of its keys. `version`: as these were read; of several
    /// keys or owners the oldest. The staleness of the gradient computed at them counts from it.
    virtual void pulled(std::uint64_t operation, std::span<const Key> keys, std::span<const double> values,
                        std::uint64_t version) = 0;
    /// The same for what many messages share.
    virtual void pulledShared(std::uint64_t operation, ParameterMessage::SharedPart part, std::uint64_t version) {
        pulled(operation, part->keys, part->values, version);
    }
    /// Part of a push has reached the keys' owner (this node); synchronization decides when it is applied.
    virtual void arrived(NodeIndex worker, std::uint64_t operation, std::span<const Key> keys,
                         std::span<const double> values) = 0;
};

class ParameterNode {
public:
    virtual ~ParameterNode() = default;
    virtual std::unique_ptr<ParameterNode> clone() const = 0;
    /// Keys that this node's store holds at the start.
    virtual std::vector<Key> initialKeys() const = 0;
    virtual void pull(ParameterContext&, std::uint64_t operation, std::span<const Key> keys) = 0;
    /// values: the message of the worker for these keys (gradient, and curvature where the model has one), key by key.
    /// They are to be carried, not read: in virtual time they are worked out only once they have arrived.
    virtual void push(ParameterContext&, std::uint64_t operation, std::span<const Key> keys,
                      std::span<const double> values) = 0;
    /// Asks that the keys be near this node soon; nothing for policies that do not move parameters.
    virtual void localize(ParameterContext&, std::span<const Key>) {}
    virtual void onMessage(ParameterContext&, ParameterMessage message) = 0;
    virtual void onTimer(ParameterContext&, std::uint64_t /*tag*/) {}
};

class ParameterPolicy {
public:
    virtual ~ParameterPolicy() = default;
    /// How many keys to cut n parameters into, given the number of owners.
    virtual std::uint32_t keyCount(std::uint64_t parameters, std::uint32_t owners) const = 0;
    virtual std::unique_ptr<ParameterNode> makeNode(SharedLayout layout, NodeIndex self) const = 0;
    /// Whether the nodes of workers keep nothing that others need, in a job with servers: workers then come and go while the
    /// job runs. Else the job begins again with all its tasks.
    virtual bool workersComeAndGo() const { return false; }
    /// How it serves keyed jobs; nothing: it does not.
    virtual std::optional<KeyPlan> keyPlan() const { return std::nullopt; }
};

} // namespace trainyard
