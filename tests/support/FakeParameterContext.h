// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The nodes of one job under a parameter policy, without the engine: every link between two nodes is a queue,
// first in, first out; which link delivers next is the test's choice or random. Stores, messages and
// completed operations can be seen.
#include "base/Random.h"
#include "base/Result.h"
#include "policy/Parameters.h"

#include <deque>
#include <functional>
#include <map>

namespace trainyard::test {

class FakeParameterNet {
public:
    struct Pulled {
        NodeIndex node;
        std::uint64_t operation;
        std::vector<Key> keys;
        std::vector<double> values;
        std::uint64_t version;
    };
    struct Arrived {
        NodeIndex at, worker;
        std::uint64_t operation;
        std::vector<Key> keys;
        std::vector<double> values;
    };
    struct Node {
        std::unique_ptr<ParameterNode> protocol;
        std::map<Key, std::vector<double>> store;
    };

    StoreLayout layout;
    std::vector<Node> nodes;
    std::map<std::pair<NodeIndex, NodeIndex>, std::deque<ParameterMessage>> links;
    std::vector<ParameterMessage> sent; ///< all so far, without values
    std::vector<Pulled> pulled;
    std::vector<Arrived> arrived;
    /// What becomes of a push at its owner; by default nothing.
    std::function<void(Node&, const Arrived&)> onArrived = [](Node&, const Arrived&) {};
    std::uint64_t version = 0; ///< of what is read now
    bool withValues = true;    ///< false: an analytic job, no numbers anywhere

    FakeParameterNet(const ParameterPolicy& policy, StoreLayout shape) : layout(std::move(shape)) {
        const auto shared = std::make_shared<const StoreLayout>(layout);
        for (NodeIndex n = 0; n < layout.nodes(); ++n) {
            nodes.push_back({policy.makeNode(shared, n), {}});
            for (Key k : nodes[n].protocol->initialKeys()) nodes[n].store[k].assign(layout.length(k), 0.0);
        }
    }

    void pull(NodeIndex node, std::uint64_t operation, std::vector<Key> keys) {
        Context context(*this, node);
        nodes[node].protocol->pull(context, operation, keys);
    }
    void push(NodeIndex node, std::uint64_t operation, std::vector<Key> keys, std::vector<double> values) {
        Context context(*this, node);
        nodes[node].protocol->push(context, operation, keys, values);
    }
    void localize(NodeIndex node, std::vector<Key> keys) {
        Context context(*this, node);
        nodes[node].protocol->localize(context, keys);
    }
    /// Delivers the oldest message of a link.
    void deliver(NodeIndex from, NodeIndex to) {
        auto& queue = links.at({from, to});
        ParameterMessage message = std::move(queue.front());
        queue.pop_front();
        if (queue.empty()) links.erase({from, to});
        Context context(*this, to);
        nodes[to].protocol->onMessage(context, std::move(message));
    }
    /// Delivers from a random link; false if nothing is under way.
    bool deliverAny(RandomStream& random) {
        if (links.empty()) return false;
        auto it = links.begin();
        std::advance(it, static_cast<std::ptrdiff_t>(random.below(links.size())));
        deliver(it->first.first, it->first.second);
        return true;
    }
    void deliverAll() {
        while (!links.empty()) deliver(links.begin()->first.first, links.begin()->first.second);
    }
    double bytesSent() const {
        double sum = 0;
        for (const auto& m : sent) sum += m.bytes;
        return sum;
    }
    /// How many stores hold the key now (0 while it is between two nodes).
    int holders(Key key) const {
        int n = 0;
        for (const auto& node : nodes) n += node.store.contains(key);
        return n;
    }

private:
    class Context final : public ParameterContext {
    public:
        Context(FakeParameterNet& net, NodeIndex self) : m_net(net), m_self(self) {}
        NodeIndex self() const override { return m_self; }
        SimTime now() const override { return {}; }
        void send(ParameterMessage message) override {
            message.from = m_self;
            require(message.to < m_net.nodes.size() && message.to != m_self, "a message to nobody or to oneself");
            require(message.kind >= 16, "a message of a reserved kind");
            m_net.sent.push_back(
                {message.kind, message.from, message.to, message.operation, message.keys, {}, message.bytes});
            m_net.links[{m_self, message.to}].push_back(std::move(message));
        }
        void timer(Duration, std::uint64_t) override { throw InvariantError("no timers here"); }
        bool has(Key key) const override { return here().store.contains(key); }
        std::span<const double> parameters(Key key) const override {
            require(has(key), "a key was read that is elsewhere");
            if (!m_net.withValues) return {};
            return std::span(here().store.at(key)).first(m_net.layout.length(key));
        }
        std::uint64_t version(Key) const override { return m_net.version; }
        std::vector<double> take(Key key) override {
            require(has(key), "a key was taken that is elsewhere");
            return std::move(here().store.extract(key).mapped());
        }
        void insert(Key key, std::vector<double> value) override {
            require(m_net.holders(key) == 0, "a key was put into two stores");
            here().store[key] = std::move(value);
        }
        void pulled(std::uint64_t operation, std::span<const Key> keys, std::span<const double> values,
                    std::uint64_t version) override {
            m_net.pulled.push_back(
                {m_self, operation, {keys.begin(), keys.end()}, {values.begin(), values.end()}, version});
        }
        void arrived(NodeIndex worker, std::uint64_t operation, std::span<const Key> keys,
                     std::span<const double> values) override {
            for (Key k : keys) require(has(k), "a push arrived where its key is not");
            m_net.arrived.push_back(
                {m_self, worker, operation, {keys.begin(), keys.end()}, {values.begin(), values.end()}});
            m_net.onArrived(here(), m_net.arrived.back());
        }

    private:
        Node& here() const { return m_net.nodes[m_self]; }
        FakeParameterNet& m_net;
        NodeIndex m_self;
    };
};

} // namespace trainyard::test
