// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// static: the classic parameter server. Every key has one owner for the whole run; workers pull from and push
// to the owners. Li et al., Scaling distributed machine learning with the parameter server, OSDI 2014.
#include "base/Result.h"
#include "policy/Builtin.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace trainyard {

namespace {

/// A request for parameters, or an acknowledgement: no values, a header only.
constexpr double headerBytes = 64;
/// wholeRequest and wholeReply: all keys of a pull have one owner, whose reply is the answer. A request
/// without keys is for all there are.
enum StaticMessage : std::uint16_t {
    pullRequest = 16,
    pullReply = 17,
    pushValues = 18,
    wholeRequest = 19,
    wholeReply = 20
};

struct StaticParams {
    std::string partitioning = "range";
    int keysPerServer = 1;
};

/// Mixes all bits of a key (the finalizer of MurmurHash3, 32 bit).
std::uint32_t mixKey(Key key) {
    std::uint32_t h = key + 0x9e3779b9u;
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    return h ^ (h >> 16);
}

class StaticNode final : public ParameterNode {
public:
    StaticNode(SharedLayout layout, NodeIndex self, bool hashed)
        : m_layout(std::move(layout)), m_self(self), m_hashed(hashed) {}
    std::unique_ptr<ParameterNode> clone() const override { return std::make_unique<StaticNode>(*this); }

    std::vector<Key> initialKeys() const override {
        std::vector<Key> out;
        Key k = m_hashed ? 0 : firstOfRange();
        for (; k < m_layout->keys() && (m_hashed || owner(k) == m_self); ++k)
            if (owner(k) == m_self) out.push_back(k);
        return out;
    }

    void pull(ParameterContext& context, std::uint64_t operation, std::span<const Key> keys) override {
        if (const auto whole = ownerOfAll(keys); whole && *whole != m_self) {
            context.send({.kind = wholeRequest,
                          .from = m_self,
                          .to = *whole,
                          .operation = operation,
                          .keys = isAll(keys) ? std::vector<Key>{} : std::vector(keys.begin(), keys.end()),
                          .bytes = headerBytes});
            return;
        }
        Pending pending{.keys = {keys.begin(), keys.end()}};
        std::map<NodeIndex, std::vector<Key>> byOwner;
        for (Key k : keys) byOwner[owner(k)].push_back(k);
        for (Key k : byOwner[m_self]) {
            const auto values = context.parameters(k);
            pending.values[k].assign(values.begin(), values.end());
            pending.version = std::min(pending.version, context.version(k));
        }
        byOwner.erase(m_self);
        pending.replies = byOwner.size();
        if (pending.replies == 0) {
            deliver(context, operation, pending);
            return;
        }
        m_pending[operation] = std::move(pending);
        for (auto& [to, theirs] : byOwner)
            context.send({.kind = pullRequest,
                          .from = m_self,
                          .to = to,
                          .operation = operation,
                          .keys = std::move(theirs),
                          .bytes = headerBytes});
    }

    void push(ParameterContext& context, std::uint64_t operation, std::span<const Key> keys,
              std::span<const double> values) override {
        std::size_t numbers = 0;
        for (Key k : keys) numbers += m_layout->messageLength(k);
        require(values.empty() || values.size() == numbers, "a push does not match the lengths of its keys");
        if (const auto whole = ownerOfAll(keys); whole && *whole != m_self) {
            double bytes = 0;
            for (Key k : keys) bytes += m_layout->bytesPerParameter * m_layout->messageLength(k);
            context.send({.kind = pushValues,
                          .from = m_self,
                          .to = *whole,
                          .operation = operation,
                          .keys = {keys.begin(), keys.end()},
                          .values = {values.begin(), values.end()},
                          .bytes = bytes});
            return;
        }
        std::map<NodeIndex, ParameterMessage> byOwner;
        std::size_t at = 0;
        for (Key k : keys) {
            auto& message = byOwner[owner(k)];
            message.keys.push_back(k);
            message.bytes += m_layout->bytesPerParameter * m_layout->messageLength(k);
            if (values.empty()) continue;
            const auto part = values.subspan(at, m_layout->messageLength(k));
            message.values.insert(message.values.end(), part.begin(), part.end());
            at += part.size();
        }
        for (auto& [to, message] : byOwner) {
            if (to == m_self) {
                context.arrived(m_self, operation, message.keys, message.values);
                continue;
            }
            message.kind = pushValues;
            message.from = m_self;
            message.to = to;
            message.operation = operation;
            context.send(std::move(message));
        }
    }

    void onMessage(ParameterContext& context, ParameterMessage message) override {
        switch (message.kind) {
        case pullRequest:
        case wholeRequest: reply(context, message); break;
        case pullReply: accept(context, message); break;
        case wholeReply: context.pulledShared(message.operation, std::move(message.shared), message.version); break;
        case pushValues: context.arrived(message.from, message.operation, message.keys, message.values); break;
        default: throw InvariantError("a static parameter server received a message of an unknown kind");
        }
    }

private:
    struct Pending {
        std::vector<Key> keys;
        std::map<Key, std::vector<double>> values;
        std::size_t replies = 0;
        std::uint64_t version = std::numeric_limits<std::uint64_t>::max(); ///< the oldest so far
    };

    std::uint32_t owners() const { return m_layout->servers > 0 ? m_layout->servers : m_layout->workers; }
    NodeIndex firstOwner() const { return m_layout->servers > 0 ? m_layout->workers : 0; }
    NodeIndex owner(Key key) const {
        if (m_hashed) return firstOwner() + mixKey(key) % owners();
        return firstOwner() + static_cast<NodeIndex>(std::uint64_t{key} * owners() / m_layout->keys());
    }
    /// The first key that owner() gives to this node or a later one, where keys are divided into ranges.
    Key firstOfRange() const {
        if (m_self < firstOwner()) return static_cast<Key>(m_layout->keys());
        return static_cast<Key>((std::uint64_t{m_self - firstOwner()} * m_layout->keys() + owners() - 1) / owners());
    }

    std::optional<NodeIndex> ownerOfAll(std::span<const Key> keys) const {
        if (keys.empty()) return std::nullopt;
        const NodeIndex first = owner(keys.front());
        for (const Key k : keys.subspan(1))
            if (owner(k) != first) return std::nullopt;
        return first;
    }

    void reply(ParameterContext& context, const ParameterMessage& request) {
        ParameterMessage out{.kind = request.kind == wholeRequest ? wholeReply : pullReply,
                             .from = m_self,
                             .to = request.from,
                             .operation = request.operation};
        out.shared = partOf(context, request.keys.empty() ? allKeys() : request.keys);
        out.version = std::numeric_limits<std::uint64_t>::max();
        for (const Key k : out.shared->keys) {
            out.bytes += m_layout->bytesPerParameter * m_layout->length(k);
            out.version = std::min(out.version, context.version(k));
        }
        context.send(std::move(out));
    }

    bool isAll(std::span<const Key> keys) const {
        if (keys.size() != m_layout->keys()) return false;
        for (std::size_t i = 0; i < keys.size(); ++i)
            if (keys[i] != i) return false;
        return true;
    }

    std::span<const Key> allKeys() {
        if (m_all.empty()) {
            m_all.resize(m_layout->keys());
            std::iota(m_all.begin(), m_all.end(), Key{0});
        }
        return m_all;
    }

    /// These keys and their values. Between two updates all workers get the same numbers: one copy serves
    /// them.
    ParameterMessage::SharedPart partOf(ParameterContext& context, std::span<const Key> keys) {
        if (m_sent && std::ranges::equal(keys, m_sent->keys)) {
            std::size_t at = 0;
            const auto& sent = m_sent->values;
            const bool same = std::all_of(keys.begin(), keys.end(), [&](Key k) {
                const auto values = context.parameters(k);
                const std::size_t from = std::exchange(at, at + values.size());
                return at <= sent.size() &&
                       (values.empty() || std::memcmp(values.data(), sent.data() + from, values.size_bytes()) == 0);
            });
            if (same && at == sent.size()) return m_sent;
        }
        auto fresh = std::make_shared<ParameterMessage::Part>();
        fresh->keys.assign(keys.begin(), keys.end());
        for (const Key k : keys) {
            const auto values = context.parameters(k);
            fresh->values.insert(fresh->values.end(), values.begin(), values.end());
        }
        return m_sent = std::move(fresh);
    }

    void accept(ParameterContext& context, const ParameterMessage& reply) {
        const auto it = m_pending.find(reply.operation);
        if (it == m_pending.end()) return; // its worker was cancelled and has begun again
        std::size_t at = 0;
        const auto values = reply.numbers();
        for (Key k : reply.keyList()) {
            if (values.empty()) break;
            const auto first = values.begin() + static_cast<std::ptrdiff_t>(at);
            it->second.values[k].assign(first, first + m_layout->length(k));
            at += m_layout->length(k);
        }
        it->second.version = std::min(it->second.version, reply.version);
        if (--it->second.replies > 0) return;
        const Pending done = std::move(it->second);
        m_pending.erase(it);
        deliver(context, reply.operation, done);
    }

    static void deliver(ParameterContext& context, std::uint64_t operation, const Pending& pending) {
        std::vector<double> values;
        for (Key k : pending.keys)
            if (const auto it = pending.values.find(k); it != pending.values.end())
                values.insert(values.end(), it->second.begin(), it->second.end());
        context.pulled(operation, pending.keys, values, pending.version);
    }

    SharedLayout m_layout;
    NodeIndex m_self;
    bool m_hashed;
    std::map<std::uint64_t, Pending> m_pending; ///< pulls that wait for replies of several owners, by operation
    ParameterMessage::SharedPart m_sent;        ///< in the last reply
    std::vector<Key> m_all;                     ///< made when they are first asked for
};

class StaticParameters final : public ParameterPolicy {
public:
    explicit StaticParameters(StaticParams params) : m_params(std::move(params)) {}

    std::uint32_t keyCount(std::uint64_t parameters, std::uint32_t owners) const override {
        const auto wanted = std::uint64_t{owners} * static_cast<std::uint64_t>(m_params.keysPerServer);
        return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(wanted, 1, std::max<std::uint64_t>(1, parameters)));
    }
    std::unique_ptr<ParameterNode> makeNode(SharedLayout layout, NodeIndex self) const override {
        return std::make_unique<StaticNode>(std::move(layout), self, m_params.partitioning == "hash");
    }
    bool workersComeAndGo() const override { return true; }
    std::optional<KeyPlan> keyPlan() const override {
        return KeyPlan{.homes = m_params.partitioning == "hash" ? KeyPlan::Homes::hash : KeyPlan::Homes::range};
    }

private:
    StaticParams m_params;
};

} // namespace

ParametersEntry builtin::staticParameters() {
    using P = StaticParams;
    return policyEntry<ParameterPolicy, StaticParameters, P>(
        {.id = "static",
         .label = "Static (classic parameter server)",
         .summary = "Every key lives at one server for the whole run; workers pull and push over the network.",
         .source = "Li et al., OSDI 2014"},
        choice(&P::partitioning, "partitioning", "Partitioning", {"range", "hash"},
               "How keys are divided among the servers: contiguous ranges of equal length, or by a hash of "
               "the key."),
        field(&P::keysPerServer, "keys_per_server", "Keys per server", {1, 4096}, "", "Number of keys per server.")
            .effect("More keys spread hashed parameters more evenly.")
            .logarithmic());
}

} // namespace trainyard
