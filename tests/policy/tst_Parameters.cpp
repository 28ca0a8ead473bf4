// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Parameter policies and the relocating double, over links that deliver in any order between, but not on,
// links.
#include "policy/Registry.h"
#include "support/FakeParameterContext.h"
#include "support/RelocatingStore.h"
#include "support/TestMain.h"

using namespace trainyard;
using test::FakeParameterNet;

class tst_Parameters : public QObject {
    Q_OBJECT
private slots:
    void staticPullAndPushByHand();
    void staticColocatedCostsNoMessageAtHome();
    void staticCarriesCurvature();
    void staticCarriesMessagesOfAnyLength();
    void staticCountsBytesWithoutValues();
    void keyCounts();
    void hashedKeysAreSpread();
    void relocationTakesThreeMessages();
    void operationsQueueWhileAKeyMoves();
    void everyOperationIsAnsweredInOrder_data();
    void everyOperationIsAnsweredInOrder();
};

static std::unique_ptr<ParameterPolicy> makeStore(const std::string& id, ParamValues values = {}) {
    static const Registry registry = [] {
        Registry r = Registry::builtin();
        r.parameters.push_back(test::RelocatingStore::entry());
        return r;
    }();
    return registry.makeParameters({id, std::move(values)});
}

/// 2 workers (nodes 0, 1), 2 servers (2, 3), 5 parameters of 8 bytes: key 0 has 3 at node 2, key 1 has 2 at
/// node 3.
static StoreLayout smallLayout(std::uint32_t servers = 2) { return {2, servers, {0, 3, 5}, 8}; }

void tst_Parameters::staticPullAndPushByHand() {
    // Pull: two requests of 64 bytes, replies of 24 and 16: 168. Push: 24 + 16 = 40.
    FakeParameterNet net(*makeStore("static"), smallLayout());
    net.nodes[2].store[0] = {1, 2, 3};
    net.nodes[3].store[1] = {4, 5};
    net.pull(0, 7, {1, 0}); // in the order asked for
    QVERIFY(net.pulled.empty());
    net.deliverAll();
    QCOMPARE(net.pulled.size(), std::size_t{1});
    QCOMPARE(net.pulled[0].operation, std::uint64_t{7});
    QCOMPARE(net.pulled[0].keys, (std::vector<Key>{1, 0}));
    QCOMPARE(net.pulled[0].values, (std::vector<double>{4, 5, 1, 2, 3}));
    QCOMPARE(net.bytesSent(), 168.0);
    net.push(1, 8, {0, 1}, {10, 20, 30, 40, 50});
    net.deliverAll();
    QCOMPARE(net.bytesSent(), 208.0);
    QCOMPARE(net.arrived.size(), std::size_t{2});
    for (const auto& a : net.arrived) {
        QCOMPARE(a.worker, 1u);
        QCOMPARE(a.values, a.at == 2 ? (std::vector<double>{10, 20, 30}) : (std::vector<double>{40, 50}));
    }
}

void tst_Parameters::staticColocatedCostsNoMessageAtHome() {
    // No servers: worker 0 owns key 0, worker 1 key 1. Worker 0 asks only for key 1 (64 + 16 bytes) and
    // pushes it (16).
    FakeParameterNet net(*makeStore("static"), smallLayout(0));
    net.nodes[1].store[1] = {4, 5};
    net.pull(0, 1, {0, 1});
    net.deliverAll();
    QCOMPARE(net.pulled[0].values, (std::vector<double>{0, 0, 0, 4, 5}));
    net.push(0, 2, {0, 1}, {1, 1, 1, 2, 2});
    QCOMPARE(net.arrived.size(), std::size_t{1}); // its own part, at once
    net.deliverAll();
    QCOMPARE(net.arrived.size(), std::size_t{2});
    QCOMPARE(net.bytesSent(), 96.0);
    net.pull(1, 3, {1});
    QCOMPARE(net.pulled.back().values, (std::vector<double>{4, 5}));
    QCOMPARE(net.sent.size(), std::size_t{3});
}

void tst_Parameters::staticCarriesCurvature() {
    // Messages of models with a curvature hold twice as many numbers, key by key: 48 + 32 bytes.
    StoreLayout layout = smallLayout();
    layout.messageSize = 10;
    FakeParameterNet net(*makeStore("static"), layout);
    net.push(0, 1, {0, 1}, {1, 2, 3, -1, -2, -3, 4, 5, -4, -5});
    net.deliverAll();
    QCOMPARE(net.bytesSent(), 80.0);
    for (const auto& a : net.arrived)
        QCOMPARE(a.values,
                 a.at == 2 ? (std::vector<double>{1, 2, 3, -1, -2, -3}) : (std::vector<double>{4, 5, -4, -5}));
}

// Seven numbers, of 5 parameters: 3 + ⌊2·3/5⌋ and 2 + 1 of them; three: ⌊3·3/5⌋ and 2. 8 bytes each.
void tst_Parameters::staticCarriesMessagesOfAnyLength() {
    for (const std::uint32_t size : {7u, 3u}) {
        StoreLayout layout = smallLayout();
        layout.messageSize = size;
        const std::uint32_t first = size == 7 ? 4 : 1;
        QCOMPARE(layout.messageLength(0), first);
        QCOMPARE(layout.messageLength(1), size - first);
        for (const bool withValues : {true, false}) {
            FakeParameterNet net(*makeStore("static"), layout);
            net.withValues = withValues;
            std::vector<double> message;
            for (std::uint32_t i = 0; withValues && i < size; ++i) message.push_back(i);
            net.push(0, 1, {0, 1}, message);
            net.deliverAll();
            QCOMPARE(net.bytesSent(), 8.0 * size);
            QCOMPARE(net.arrived.size(), std::size_t{2});
            if (withValues)
                for (const auto& a : net.arrived)
                    QCOMPARE(a.values.size(), std::size_t{a.at == 2 ? first : size - first});
        }
    }
}

void tst_Parameters::staticCountsBytesWithoutValues() {
    FakeParameterNet net(*makeStore("static"), smallLayout());
    net.withValues = false;
    net.pull(0, 1, {0, 1});
    net.push(1, 2, {0, 1}, {});
    net.deliverAll();
    QCOMPARE(net.bytesSent(), 208.0);
    QVERIFY(net.pulled[0].values.empty());
    QCOMPARE(net.arrived.size(), std::size_t{2});
}

void tst_Parameters::keyCounts() {
    QCOMPARE(makeStore("static")->keyCount(1000, 4), 4u);
    QCOMPARE(makeStore("static", {{"keys_per_server", std::int64_t{16}}})->keyCount(1000, 4), 64u);
    QCOMPARE(makeStore("static", {{"keys_per_server", std::int64_t{16}}})->keyCount(10, 4), 10u);
    QCOMPARE(makeStore("static")->keyCount(0, 4), 1u);
}

void tst_Parameters::hashedKeysAreSpread() {
    // 4000 keys over 8 servers: multinomial, χ² with 7 degrees of freedom; below 24.3 with probability 0.999.
    // The hash is fixed, so this either holds or not.
    StoreLayout layout{1, 8, {}, 8};
    for (std::uint32_t k = 0; k <= 4000; ++k) layout.keyStart.push_back(k);
    const auto shared = std::make_shared<const StoreLayout>(layout);
    const auto policy = makeStore("static", {{"partitioning", std::string("hash")}});
    double chi = 0;
    std::size_t all = 0;
    for (NodeIndex n = 0; n < layout.nodes(); ++n) {
        const double keys = double(policy->makeNode(shared, n)->initialKeys().size());
        if (n == 0) QCOMPARE(keys, 0.0);
        if (n > 0) chi += (keys - 500) * (keys - 500) / 500;
        all += std::size_t(keys);
    }
    QCOMPARE(all, std::size_t{4000});
    QVERIFY2(chi < 24.3, qPrintable(QString::number(chi)));
}

void tst_Parameters::relocationTakesThreeMessages() {
    // 3 nodes, 3 keys; key 2's home and first owner is node 2. Node 0 localizes: to the home, which answers
    // with the value itself (2 messages). Then node 1: home, hand-over to node 0, transfer (3). Then the home
    // itself: hand-over, transfer.
    FakeParameterNet net(*makeStore("test-relocating"), {3, 0, {0, 1, 2, 3}, 8});
    const auto messagesFor = [&](NodeIndex node) {
        const auto before = net.sent.size();
        net.localize(node, {2});
        net.deliverAll();
        if (!net.nodes[node].store.contains(2)) return std::size_t{0};
        return net.sent.size() - before;
    };
    QCOMPARE(messagesFor(0), std::size_t{2});
    QCOMPARE(messagesFor(1), std::size_t{3});
    QCOMPARE(messagesFor(2), std::size_t{2});
    QCOMPARE(messagesFor(2), std::size_t{0}); // it is there already
}

void tst_Parameters::operationsQueueWhileAKeyMoves() {
    // Node 0 localizes key 1 from node 1 and works on it before it is there: nothing happens until the
    // transfer comes, then the push is applied before the pull is answered, both at node 0.
    FakeParameterNet net(*makeStore("test-relocating", {{"localize_on_pull", false}}), {2, 0, {0, 1, 2}, 8});
    net.onArrived = [](FakeParameterNet::Node& node, const FakeParameterNet::Arrived& a) {
        node.store[a.keys[0]][0] += a.values[0];
    };
    net.nodes[1].store[1] = {10};
    net.localize(0, {1});
    net.push(0, 1, {1}, {5});
    net.pull(0, 2, {1});
    QCOMPARE(net.links.size(), std::size_t{1});
    net.deliver(0, 1); // localize; node 1 is home and owner and gives the key away
    QCOMPARE(net.holders(1), 0);
    QVERIFY(net.arrived.empty() && net.pulled.empty());
    net.deliver(1, 0);
    QCOMPARE(net.arrived.at(0).at, 0u);
    QCOMPARE(net.pulled.at(0).values, std::vector<double>{15});
    QCOMPARE(net.holders(1), 1);
}

void tst_Parameters::everyOperationIsAnsweredInOrder_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("variant");
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 25; ++seed) {
        QTest::addRow("static range seed %d", seed) << "static"
                                                    << "range" << seed;
        QTest::addRow("static hash seed %d", seed) << "static"
                                                   << "hash" << seed;
        QTest::addRow("relocating seed %d", seed) << "test-relocating"
                                                  << "" << seed;
    }
}

void tst_Parameters::everyOperationIsAnsweredInOrder() {
    // Node i's pushes add 1 to number i of each key. Whatever the delivery, a pull must return exactly the
    // pushes that its node had made before (and of the others' some number made so far), every push must
    // arrive once, and every key must in the end be in one store with all pushes in it.
    QFETCH(QString, id);
    QFETCH(QString, variant);
    QFETCH(int, seed);
    RandomStream random(std::uint64_t(seed), Purpose::test, 5);
    ParamValues values;
    if (!variant.isEmpty()) values = {{"partitioning", variant.toStdString()}, {"keys_per_server", std::int64_t{3}}};
    const auto policy = makeStore(id.toStdString(), values);
    const bool servers = variant == QLatin1String("range");
    StoreLayout layout{3, servers ? 2u : 0u, {}, 8};
    const std::uint32_t keys = policy->keyCount(100, servers ? 2 : 3), nodes = 3;
    for (std::uint32_t k = 0; k <= keys; ++k) layout.keyStart.push_back(k * nodes);
    FakeParameterNet net(*policy, layout);
    std::map<std::pair<std::uint64_t, Key>, int> arrivals;
    net.onArrived = [&](FakeParameterNet::Node& node, const FakeParameterNet::Arrived& a) {
        std::size_t at = 0;
        for (Key k : a.keys) {
            ++arrivals[{a.operation, k}];
            for (auto& number : node.store.at(k)) number += a.values[at++];
        }
    };
    std::vector<std::vector<int>> pushed(nodes, std::vector<int>(keys, 0));
    std::map<std::uint64_t, std::vector<int>> expected; // by pull: own pushes so far, by key
    std::map<std::uint64_t, std::vector<Key>> pushes;
    std::uint64_t operation = 0;
    for (int i = 0; i < 400; ++i) {
        const auto node = NodeIndex(random.below(nodes));
        std::vector<Key> some;
        for (Key k = 0; k < keys; ++k)
            if (random.below(2) == 0) some.push_back(k);
        if (some.empty()) continue;
        switch (random.below(6)) {
        case 0: net.localize(node, some); break;
        case 1: {
            ++operation;
            for (Key k : some) expected[operation].push_back(pushed[node][k]);
            net.pull(node, operation, some);
            break;
        }
        case 2: {
            pushes[++operation] = some;
            std::vector<double> numbers;
            for (Key k : some) {
                ++pushed[node][k];
                for (std::uint32_t n = 0; n < nodes; ++n) numbers.push_back(n == node);
            }
            net.push(node, operation, some, numbers);
            break;
        }
        default: net.deliverAny(random);
        }
        if (random.below(40) == 0)
            for (auto& n : net.nodes) n.protocol = n.protocol->clone();
    }
    while (net.deliverAny(random)) {}
    QCOMPARE(net.pulled.size(), expected.size());
    for (const auto& p : net.pulled)
        for (std::size_t k = 0; k < p.keys.size(); ++k)
            QCOMPARE(p.values[k * nodes + p.node], double(expected.at(p.operation)[k]));
    for (const auto& [op, list] : pushes)
        for (Key k : list) QCOMPARE(arrivals[std::make_pair(op, k)], 1);
    for (Key k = 0; k < keys; ++k) {
        QCOMPARE(net.holders(k), 1);
        for (const auto& node : net.nodes)
            if (node.store.contains(k))
                for (std::uint32_t n = 0; n < nodes; ++n) QCOMPARE(node.store.at(k)[n], double(pushed[n][k]));
    }
}

TRAINYARD_TEST(tst_Parameters)
#include "tst_Parameters.moc"
