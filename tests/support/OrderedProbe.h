// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Test double of the parameters family: the static store, whose workers send the server numbered messages of
// very different sizes beside each pull, and whose servers insist that they come in order.
#include "base/Result.h"
#include "policy/Registry.h"

#include <map>

namespace trainyard::test {

class OrderedProbeNode final : public ParameterNode {
public:
    OrderedProbeNode(SharedLayout layout, std::unique_ptr<ParameterNode> inner, NodeIndex self)
        : m_layout(std::move(layout)), m_inner(std::move(inner)), m_self(self) {}
    std::unique_ptr<ParameterNode> clone() const override {
        auto copy = std::make_unique<OrderedProbeNode>(m_layout, m_inner->clone(), m_self);
        copy->m_sent = m_sent;
        copy->m_seen = m_seen;
        return copy;
    }
    std::vector<Key> initialKeys() const override { return m_inner->initialKeys(); }
    void pull(ParameterContext& context, std::uint64_t operation, std::span<const Key> keys) override {
        for (NodeIndex s = m_layout->workers; s < m_layout->nodes(); ++s)
            for (int i = 0; i < 4; ++i) // large ones first, so that the small ones could overtake them
                context.send(
                    {.kind = numbered, .from = m_self, .to = s, .keys = {m_sent[s]++}, .bytes = i % 2 == 0 ? 2e5 : 64});
        m_inner->pull(context, operation, keys);
    }
    void push(ParameterContext& context, std::uint64_t operation, std::span<const Key> keys,
              std::span<const double> values) override {
        m_inner->push(context, operation, keys, values);
    }
    void onMessage(ParameterContext& context, ParameterMessage message) override {
        if (message.kind != numbered) return m_inner->onMessage(context, std::move(message));
        require(message.keys.front() == m_seen[message.from]++, "a message has overtaken another");
    }
    void onTimer(ParameterContext& context, std::uint64_t tag) override { m_inner->onTimer(context, tag); }

private:
    static constexpr std::uint16_t numbered = 99;
    SharedLayout m_layout;
    std::unique_ptr<ParameterNode> m_inner;
    NodeIndex m_self;
    std::map<NodeIndex, std::uint32_t> m_sent, m_seen;
};

struct OrderedProbeParams {
    bool unused = false;
};

class OrderedProbe final : public ParameterPolicy {
public:
    explicit OrderedProbe(OrderedProbeParams)
        : m_inner(Registry::builtin().makeParameters({"static", {{"keys_per_server", std::int64_t{2}}}})) {}
    std::uint32_t keyCount(std::uint64_t parameters, std::uint32_t owners) const override {
        return m_inner->keyCount(parameters, owners);
    }
    std::unique_ptr<ParameterNode> makeNode(SharedLayout layout, NodeIndex self) const override {
        return std::make_unique<OrderedProbeNode>(layout, m_inner->makeNode(layout, self), self);
    }
    static ParametersEntry entry() {
        return policyEntry<ParameterPolicy, OrderedProbe, OrderedProbeParams>(
            {.id = "test-ordered", .label = "Ordered probe", .summary = "Insists on the order of messages."},
            flag(&OrderedProbeParams::unused, "unused", "Unused", "Nothing."));
    }

private:
    std::unique_ptr<ParameterPolicy> m_inner;
};

} // namespace trainyard::test
