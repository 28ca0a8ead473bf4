// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The protocol of a node, message by message: what a relocation costs, keys that are asked for while they are under way, and stores
// that share slabs until they are written.
#include "policy/keys/KeyNode.h"
#include "support/TestMain.h"

#include <deque>
#include <map>

using namespace trainyard;

namespace {

/// Nodes whose messages are delivered one by one, first in, first out.
class Wire {
public:
    /// Keys 0 … 11 and three nodes: keys 0–3 at home at node 0, and so on.
    explicit Wire(KeyPlan plan = {.relocates = true}, std::uint32_t nodes = 3)
        : m_job(
              std::make_shared<const KeyJob>(std::move(plan), std::make_shared<const KeyRanks>(12, 1.0, 1), 2, nodes)) {
        for (std::uint32_t n = 0; n < nodes; ++n) m_nodes.push_back(std::make_unique<KeyNode>(m_job, n));
    }
    class Out final : public KeyOutbox {
    public:
        Out(Wire& wire, std::uint32_t self) : m_wire(wire), m_self(self) {}
        KeyMessage& compose(KeyMessageType type, std::uint32_t to) override {
            m_composed.push_back({.type = type, .from = m_self, .to = to});
            return m_composed.back();
        }
        void send(KeyMessage& message) override {
            ++m_wire.sent[message.type];
            m_wire.queue.push_back(message);
        }
        void pulled(std::uint32_t worker, std::uint32_t key, const float* values) override {
            m_wire.read.push_back({m_self, worker, key, values[0]});
        }
        void pushed(std::uint32_t, std::uint32_t keys) override { m_wire.acknowledged += keys; }

    private:
        Wire& m_wire;
        std::uint32_t m_self;
        std::deque<KeyMessage> m_composed;
    };
    KeyNode& node(std::uint32_t n) { return *m_nodes[n]; }
    void localize(std::uint32_t node, std::vector<std::uint32_t> keys) {
        Out out(*this, node);
        m_nodes[node]->localize(keys, out);
    }
    void pull(std::uint32_t node, std::uint32_t key) {
        Out out(*this, node);
        m_nodes[node]->pull(0, {&key, 1}, out);
    }
    void push(std::uint32_t node, std::uint32_t key, float value) {
        Out out(*this, node);
        const float delta[2] = {value, value};
        m_nodes[node]->push(0, {&key, 1}, delta, out);
    }
    void deliverOne() {
        KeyMessage message = queue.front();
        queue.pop_front();
        Out out(*this, message.to);
        m_nodes[message.to]->onMessage(message, out);
    }
    void deliver() {
        while (!queue.empty()) deliverOne();
    }
    bool has(std::uint32_t node, std::uint32_t key) { return m_nodes[node]->store().slot(key).isLocal(); }
    int messages() const {
        int sum = 0;
        for (const auto& [type, count] : sent) sum += count;
        return sum;
    }

    struct Read {
        std::uint32_t node, worker, key;
        float value;
    };
    std::map<KeyMessageType, int> sent;
    std::deque<KeyMessage> queue;
    std::vector<Read> read;
    std::uint32_t acknowledged = 0;

private:
    std::shared_ptr<const KeyJob> m_job;
    std::vector<std::unique_ptr<KeyNode>> m_nodes;
};

} // namespace

class tst_KeyNode : public QObject {
    Q_OBJECT
private slots:
    void relocationCostsThreeTwoTwoOrNone();
    void remoteAccessCostsTwoOrThree();
    void keysOfOneBatchShareMessages();
    void operationsWaitForAKeyUnderWay();
    void aKeyGoesOnToWhoAskedNext();
    void bytesOfMessages();
    void copiesShareSlabs();
    void rangesHaveEqualParts();
};

void tst_KeyNode::relocationCostsThreeTwoTwoOrNone() {
    Wire wire;
    wire.localize(1, {0}); // home and owner are node 0
    wire.deliver();
    QCOMPARE(wire.messages(), 2);
    QVERIFY(wire.has(1, 0) && !wire.has(0, 0));
    wire.localize(2, {0}); // home 0, owner 1
    wire.deliver();
    QCOMPARE(wire.messages(), 2 + 3);
    wire.localize(0, {0}); // the requester is the home
    wire.deliver();
    QCOMPARE(wire.messages(), 2 + 3 + 2);
    wire.localize(0, {0}); // it is there
    QCOMPARE(wire.messages(), 2 + 3 + 2);
    QCOMPARE(wire.node(0).ownerOf(0), 0u);
}

void tst_KeyNode::remoteAccessCostsTwoOrThree() {
    Wire wire;
    wire.push(1, 0, 5);
    wire.deliver();
    QCOMPARE(wire.messages(), 2);
    wire.localize(2, {0});
    wire.deliver();
    wire.sent.clear();
    wire.pull(1, 0); // home 0 sends it on to owner 2, which answers
    wire.deliver();
    QCOMPARE(wire.messages(), 3);
    wire.pull(0, 0); // the home knows the owner
    wire.deliver();
    QCOMPARE(wire.messages(), 3 + 2);
    QCOMPARE(wire.read.size(), std::size_t{2});
    QCOMPARE(wire.read[0].value, 5.0f);
}

void tst_KeyNode::keysOfOneBatchShareMessages() {
    Wire wire;
    wire.localize(1, {1});
    wire.deliver();
    wire.sent.clear();
    wire.localize(2, {0, 1, 2, 2, 4, 5, 8}); // 0, 2 at node 0; 1 at node 1, home 0; 4, 5 at node 1; 8 is here
    wire.deliver();
    QCOMPARE(wire.sent[KeyMessageType::localize], 2);
    QCOMPARE(wire.sent[KeyMessageType::handOver], 1);
    QCOMPARE(wire.sent[KeyMessageType::transfer], 3);
    for (const std::uint32_t key : {0u, 1u, 2u, 4u, 5u, 8u}) QVERIFY(wire.has(2, key));
}

void tst_KeyNode::operationsWaitForAKeyUnderWay() {
    Wire wire;
    wire.localize(1, {0});
    QVERIFY(wire.node(1).isUnderWay(0));
    wire.push(1, 0, 1);
    wire.pull(1, 0);
    wire.push(1, 0, 2);
    QVERIFY(wire.read.empty());
    wire.deliver();
    QCOMPARE(wire.read.size(), std::size_t{1});
    QCOMPARE(wire.read[0].value, 1.0f); // between the two additions
    QCOMPARE(wire.node(1).store().values(wire.node(1).store().slot(0).index())[0], 3.0f);
    QCOMPARE(wire.acknowledged, 2u);
    QCOMPARE(wire.node(1).keysUnderWay(), std::size_t{0});
}

void tst_KeyNode::aKeyGoesOnToWhoAskedNext() {
    Wire wire;
    wire.localize(1, {0});
    wire.push(1, 0, 4);
    wire.deliverOne(); // at the home: node 1 is the owner; the key is under way
    wire.localize(2, {0});
    const KeyMessage transfer = wire.queue.front();
    QVERIFY(transfer.type == KeyMessageType::transfer);
    wire.queue.pop_front(); // it takes longer than what follows
    wire.deliver();         // home hands over: node 1 keeps it in mind
    wire.queue.push_back(transfer);
    wire.deliver();
    QVERIFY(wire.has(2, 0) && !wire.has(1, 0));
    QCOMPARE(wire.node(2).store().values(wire.node(2).store().slot(0).index())[0], 4.0f);
    QCOMPARE(wire.sent[KeyMessageType::transfer], 2);
}

void tst_KeyNode::bytesOfMessages() {
    QCOMPARE((KeyMessage{.type = KeyMessageType::pullRequest, .keys = {1}}.bytes()), std::uint64_t{28});
    QCOMPARE((KeyMessage{.type = KeyMessageType::push, .keys = {1}, .values = std::vector<float>(100)}.bytes()),
             std::uint64_t{428});
    QCOMPARE((KeyMessage{.type = KeyMessageType::pushAnswer, .keys = {1}}.bytes()), std::uint64_t{28});
    QCOMPARE((KeyMessage{.type = KeyMessageType::localize, .keys = {1, 2, 3}}.bytes()), std::uint64_t{44});
}

void tst_KeyNode::copiesShareSlabs() {
    KeyStore store(10, 3);
    for (std::uint32_t key = 0; key < 10; ++key)
        store.setSlot(key, KeySlot::of(KeySlot::State::here, store.allocate()));
    store.writable(4)[1] = 2;
    KeyStore copy(store);
    QVERIFY(copy.values(4) == store.values(4)); // one memory
    copy.writable(4)[1] = 7;
    QCOMPARE(store.values(4)[1], 2.0f);
    store.writable(4)[1] = 3;
    QCOMPARE(copy.values(4)[1], 7.0f);
    const KeyStore large(100'000, 100);
    KeyStore filled(100'000, 100);
    for (std::uint32_t key = 0; key < 100'000; ++key)
        filled.setSlot(key, KeySlot::of(KeySlot::State::here, filled.allocate()));
    QVERIFY(static_cast<double>(filled.bytes()) <= 1.1 * 100'000 * 400);
}

void tst_KeyNode::rangesHaveEqualParts() {
    const KeyHomes homes(KeyPlan::Homes::range, 10, 4); // ⌈10/4⌉ = 3
    for (std::uint32_t key = 0; key < 10; ++key) QCOMPARE(homes.of(key), key / 3);
    const KeyHomes few(KeyPlan::Homes::range, 3, 5);
    for (std::uint32_t key = 0; key < 3; ++key) QCOMPARE(few.of(key), key);
    QCOMPARE(few.candidates(4, 3).first, few.candidates(4, 3).second); // none
}

TRAINYARD_TEST(tst_KeyNode)
#include "tst_KeyNode.moc"
