// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Test double of the parameters family: parameters that move to the node that uses them. The home of a key (a
// range of the keys per node) knows its owner; localize goes to the home, which hands the key over from the
// old owner to the requester (localize, hand-over, transfer; after Renz-Wieland et al., Dynamic parameter
// allocation in parameter servers, VLDB 2020). While a key is under way, operations on it queue at the
// requester and are served when it comes; if the key is wanted elsewhere by then, it goes on after that.
// Every pull localizes, so that concurrent workers tear keys to and fro.
#include "base/Result.h"
#include "policy/Registry.h"

#include <limits>
#include <map>
#include <optional>

namespace trainyard::test {

class RelocatingNode final : public ParameterNode {
public:
    RelocatingNode(SharedLayout layout, NodeIndex self, bool localizeOnPull)
        : m_layout(std::move(layout)), m_self(self), m_localizeOnPull(localizeOnPull) {
        for (Key k : initialKeys()) m_owner[k] = m_self;
    }
    std::unique_ptr<ParameterNode> clone() const override { return std::make_unique<RelocatingNode>(*this); }

    std::vector<Key> initialKeys() const override {
        std::vector<Key> out;
        for (Key k = 0; k < m_layout->keys(); ++k)
            if (home(k) == m_self) out.push_back(k);
        return out;
    }

    void pull(ParameterContext& context, std::uint64_t operation, std::span<const Key> keys) override {
        m_pulls[operation] = {.keys = {keys.begin(), keys.end()}, .values = {}};
        if (m_localizeOnPull) localize(context, keys);
        for (Key k : keys) perform(context, {false, m_self, operation, k, {}});
    }

    void push(ParameterContext& context, std::uint64_t operation, std::span<const Key> keys,
              std::span<const double> values) override {
        std::size_t at = 0;
        for (Key k : keys) {
            const auto mine = values.empty() ? values : values.subspan(at, m_layout->messageLength(k));
            at += mine.size();
            perform(context, {true, m_self, operation, k, {mine.begin(), mine.end()}});
        }
    }

    void localize(ParameterContext& context, std::span<const Key> keys) override {
        for (Key k : keys) {
            if (context.has(k) || m_incoming.contains(k)) continue;
            m_incoming[k];
            if (home(k) == m_self)
                handOver(context, k, m_self);
            else
                send(context, {localizeKey, home(k), 0, {k}, {}, 64});
        }
    }

    void onMessage(ParameterContext& context, ParameterMessage message) override {
        const Key k = message.keys.front();
        switch (message.kind) {
        case localizeKey: handOver(context, k, message.from); break;
        case handOverKey: give(context, k, message.keys[1]); break;
        case transferKey: receive(context, k, std::move(message.values)); break;
        case pullKey: perform(context, {false, message.keys[1], message.operation, k, {}}); break;
        case pushKey: perform(context, {true, message.keys[1], message.operation, k, std::move(message.values)}); break;
        case replyKey: answer(context, message.operation, k, message.values, message.version); break;
        default: throw InvariantError("a relocating store received a message of an unknown kind");
        }
    }

private:
    enum Kind : std::uint16_t { localizeKey = 20, handOverKey, transferKey, pullKey, pushKey, replyKey };
    struct Operation {
        bool isPush = false;
        NodeIndex origin = 0;
        std::uint64_t operation = 0;
        Key key = 0;
        std::vector<double> values;
    };
    struct Transfer {
        std::vector<Operation> queue;
        std::optional<NodeIndex> next; ///< who wants the key after us
    };
    struct Pull {
        std::vector<Key> keys;
        std::map<Key, std::vector<double>> values;
        std::size_t answered = 0;
        std::uint64_t version = std::numeric_limits<std::uint64_t>::max(); ///< the oldest so far
    };
    struct Outgoing {
        Kind kind;
        NodeIndex to;
        std::uint64_t operation;
        std::vector<Key> keys; ///< the key, then a node where one must be named
        std::vector<double> values;
        double bytes;
        std::uint64_t version = 0;
    };

    NodeIndex home(Key key) const {
        return static_cast<NodeIndex>(std::uint64_t{key} * m_layout->nodes() / m_layout->keys());
    }
    double keyBytes(Key key) const { return m_layout->bytesPerParameter * m_layout->length(key); }
    void send(ParameterContext& context, Outgoing o) const {
        context.send({.kind = o.kind,
                      .from = m_self,
                      .to = o.to,
                      .operation = o.operation,
                      .keys = std::move(o.keys),
                      .values = std::move(o.values),
                      .bytes = o.bytes,
                      .version = o.version});
    }

    /// Here, queued for a key that is coming, or sent on: to the home, and from there to the owner.
    void perform(ParameterContext& context, Operation op) {
        if (context.has(op.key)) {
            serve(context, op);
        } else if (const auto it = m_incoming.find(op.key); it != m_incoming.end()) {
            it->second.queue.push_back(std::move(op));
        } else {
            const NodeIndex to = home(op.key) == m_self ? m_owner.at(op.key) : home(op.key);
            const double bytes = op.isPush ? keyBytes(op.key) : 64;
            send(context,
                 {op.isPush ? pushKey : pullKey, to, op.operation, {op.key, op.origin}, std::move(op.values), bytes});
        }
    }

    void serve(ParameterContext& context, const Operation& op) {
        if (op.isPush) {
            context.arrived(op.origin, op.operation, std::span(&op.key, 1), op.values);
            return;
        }
        const auto values = context.parameters(op.key);
        const std::uint64_t version = context.version(op.key);
        if (op.origin == m_self)
            answer(context, op.operation, op.key, {values.begin(), values.end()}, version);
        else
            send(context, {replyKey,
                           op.origin,
                           op.operation,
                           {op.key},
                           {values.begin(), values.end()},
                           keyBytes(op.key),
                           version});
    }

    void answer(ParameterContext& context, std::uint64_t operation, Key key, std::vector<double> values,
                std::uint64_t version) {
        const auto it = m_pulls.find(operation);
        if (it == m_pulls.end()) return;
        it->second.values[key] = std::move(values);
        it->second.version = std::min(it->second.version, version);
        if (++it->second.answered < it->second.keys.size()) return;
        const Pull done = std::move(it->second);
        m_pulls.erase(it);
        std::vector<double> all;
        for (Key k : done.keys) all.insert(all.end(), done.values.at(k).begin(), done.values.at(k).end());
        context.pulled(operation, done.keys, all, done.version);
    }

    /// At the home: from now on the requester is the owner.
    void handOver(ParameterContext& context, Key key, NodeIndex requester) {
        const NodeIndex old = std::exchange(m_owner.at(key), requester);
        if (old == m_self)
            give(context, key, requester);
        else
            send(context, {handOverKey, old, 0, {key, requester}, {}, 64});
    }

    void give(ParameterContext& context, Key key, NodeIndex to) {
        if (const auto it = m_incoming.find(key); it != m_incoming.end()) {
            require(!it->second.next, "a key was handed over twice");
            it->second.next = to;
            return;
        }
        auto value = context.take(key);
        const double bytes =
            value.empty() ? keyBytes(key) : m_layout->bytesPerParameter * static_cast<double>(value.size());
        send(context, {transferKey, to, 0, {key}, std::move(value), bytes});
    }

    void receive(ParameterContext& context, Key key, std::vector<double> value) {
        context.insert(key, std::move(value));
        const Transfer transfer = std::move(m_incoming.extract(key).mapped());
        for (const auto& op : transfer.queue) serve(context, op);
        if (transfer.next) give(context, key, *transfer.next);
    }

    SharedLayout m_layout;
    NodeIndex m_self;
    bool m_localizeOnPull;
    std::map<Key, NodeIndex> m_owner;   ///< of keys whose home is here
    std::map<Key, Transfer> m_incoming; ///< keys on their way here
    std::map<std::uint64_t, Pull> m_pulls;
};

struct RelocatingParams {
    bool localizeOnPull = true;
};

class RelocatingStore final : public ParameterPolicy {
public:
    explicit RelocatingStore(RelocatingParams params) : m_params(params) {}
    std::uint32_t keyCount(std::uint64_t parameters, std::uint32_t owners) const override {
        return static_cast<std::uint32_t>(
            std::clamp<std::uint64_t>(2 * std::uint64_t{owners}, 1, std::max<std::uint64_t>(1, parameters)));
    }
    std::unique_ptr<ParameterNode> makeNode(SharedLayout layout, NodeIndex self) const override {
        return std::make_unique<RelocatingNode>(std::move(layout), self, m_params.localizeOnPull);
    }
    static ParametersEntry entry() {
        return policyEntry<ParameterPolicy, RelocatingStore, RelocatingParams>(
            {.id = "test-relocating", .label = "Relocating store", .summary = "Keys move to the node that pulls them."},
            flag(&RelocatingParams::localizeOnPull, "localize_on_pull", "Localize on pull",
                 "Whether pulls move keys."));
    }

private:
    RelocatingParams m_params;
};

} // namespace trainyard::test
