// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Replicas of keys, and values in general, against plain arrays to which the same is added in the same order; how old what replicas
// show is, against what can be seen in them after every nanosecond; and the options of rounds.
#include "record/Metrics.h"
#include "support/KeyedLoop.h"
#include "support/TestMain.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace trainyard;
using namespace trainyard::test;

namespace {

Scenario smallLoop(int machines, int threads, int keys, int values) {
    Scenario scenario = keyedScenario(machines, threads, 200, {"nups", {}});
    accessOf(scenario).keys = keys;
    accessOf(scenario).valuesPerKey = values;
    return scenario;
}

/// Who carries out additions at keys that are in one place, in which order.
struct Applied {
    virtual ~Applied() = default;
    virtual void apply(std::uint32_t key, const float* delta) = 0;
};

/// The protocol, telling of additions that it carries out for others.
class RecordingNode final : public KeyNode {
public:
    RecordingNode(std::shared_ptr<const KeyJob> job, std::uint32_t self, Applied& applied)
        : KeyNode(std::move(job), self), m_applied(applied) {}
    std::unique_ptr<KeyNode> clone() const override { return std::unique_ptr<KeyNode>(new RecordingNode(*this)); }
    void onMessage(KeyMessage& message, KeyOutbox& out) override {
        if (message.type == KeyMessageType::push && m_store.slot(message.keys[0]).isLocal())
            m_applied.apply(message.keys[0], message.values.data());
        KeyNode::onMessage(message, out);
    }
    void replay(Transfer& transfer, std::uint32_t place, KeyOutbox& out) override {
        for (const Operation& operation : transfer.operations)
            if (operation.isPush) m_applied.apply(transfer.key, &transfer.deltas[operation.delta]);
        KeyNode::replay(transfer, place, out);
    }

private:
    Applied& m_applied;
};

/// One array for keys in one place; for replicas one per node, and rounds as they are defined: changes of nodes added up in pairs,
/// pairs of pairs and so on, those beyond the greatest power of two to a node of the first ones at the beginning.
class PlainArrays final : public KeyObserver, public Applied {
public:
    PlainArrays(int nodes, int threads, std::uint32_t keys, std::uint32_t length, bool adagrad)
        : m_nodes(static_cast<std::size_t>(nodes)), m_threads(static_cast<std::size_t>(threads)), m_length(length),
          m_adagrad(adagrad), m_stored(adagrad ? 2 * length : length), one(std::size_t{keys} * m_stored),
          replicas(m_nodes, one), m_base(m_nodes, one), m_collected(m_nodes, one), m_rounds(m_nodes), m_active(m_nodes),
          m_delta(length) {}
    KeyedRun* run = nullptr;

    const float* adding(std::uint32_t worker, std::uint32_t key, SimTime) override {
        follow();
        const std::size_t node = worker / m_threads;
        for (std::uint32_t i = 0; i < m_length; ++i) // no number of float32 at all: sums depend on their order
            m_delta[i] = 0.1f + 0.37f * static_cast<float>((worker * 7 + key * 3 + i + 11 * m_additions) % 13);
        ++m_additions;
        const KeySlot slot = run->node(node).protocol().store().slot(key);
        if (slot.state() == KeySlot::State::replica)
            addTo(replicas[node], key, m_delta.data());
        else if (slot.isLocal())
            apply(key, m_delta.data());
        return m_delta.data();
    }
    void read(std::uint32_t, std::uint32_t, const float*, SimTime) override { follow(); }
    void apply(std::uint32_t key, const float* delta) override { addTo(one, key, delta); }

    /// Rounds that have begun or ended since.
    void follow() {
        for (std::size_t n = 0; n < m_nodes; ++n) {
            const ReplicaRounds& rounds = run->node(n).protocol().replicas();
            if (m_active[n] && (!rounds.active() || rounds.rounds() > m_rounds[n])) end(n);
            if (rounds.rounds() > m_rounds[n]) begin(n, rounds.rounds());
            if (m_active[n] && !rounds.active()) end(n);
        }
    }

private:
    void addTo(std::vector<float>& values, std::uint32_t key, const float* delta) const {
        float* of = &values[std::size_t{key} * m_stored];
        for (std::uint32_t i = 0; i < m_length; ++i) {
            if (m_adagrad) of[m_length + i] += delta[i] * delta[i]; // Σ g² lies behind the values
            of[i] += m_adagrad ? 0.1f * delta[i] / (std::sqrt(of[m_length + i]) + 1e-8f) : delta[i];
        }
    }
    void begin(std::size_t n, std::uint32_t round) {
        m_rounds[n] = round;
        m_active[n] = true;
        m_collected[n] = replicas[n];
        auto& changes = m_changes[round];
        changes.resize(m_nodes);
        for (std::size_t i = 0; i < one.size(); ++i) changes[n].push_back(replicas[n][i] - m_base[n][i]);
    }
    void end(std::size_t n) {
        m_active[n] = false;
        auto sums = m_changes[m_rounds[n]];
        std::size_t power = 1;
        while (2 * power <= m_nodes) power *= 2;
        const auto add = [](std::vector<float>& to, const std::vector<float>& from) {
            for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
        };
        for (std::size_t extra = power; extra < m_nodes; ++extra) add(sums[extra - power], sums[extra]);
        for (std::size_t step = 1; step < power; step *= 2)
            for (std::size_t first = 0; first < power; first += 2 * step) add(sums[first], sums[first + step]);
        for (std::size_t i = 0; i < one.size(); ++i) {
            const float since = replicas[n][i] - m_collected[n][i];
            m_base[n][i] += sums[0][i];
            replicas[n][i] = m_base[n][i] + since;
        }
    }

    std::size_t m_nodes, m_threads;
    std::uint32_t m_length;
    bool m_adagrad;
    std::uint32_t m_stored; ///< numbers of a key

public:
    std::vector<float> one;                   ///< of keys in one place
    std::vector<std::vector<float>> replicas; ///< by node
private:
    std::vector<std::vector<float>> m_base, m_collected;
    std::vector<std::uint32_t> m_rounds;
    std::vector<bool> m_active;
    std::map<std::uint32_t, std::vector<std::vector<float>>> m_changes; ///< by round and node
    std::vector<float> m_delta;
    std::uint32_t m_additions = 0;
};

/// Each worker adds 1 to a component of its own.
class Counting final : public KeyObserver {
public:
    explicit Counting(std::size_t workers) : made(workers), m_delta(workers) {}
    const float* adding(std::uint32_t worker, std::uint32_t key, SimTime at) override {
        std::ranges::fill(m_delta, 0.0f);
        m_delta[worker] = 1;
        made[worker][key].push_back(at);
        return m_delta.data();
    }
    void read(std::uint32_t worker, std::uint32_t key, const float* values, SimTime at) override {
        if (onRead) onRead(worker, key, values, at);
    }
    std::vector<std::map<std::uint32_t, std::vector<SimTime>>> made; ///< by worker and key: when
    std::function<void(std::uint32_t, std::uint32_t, const float*, SimTime)> onRead;

private:
    std::vector<float> m_delta;
};

/// Rounds of some nodes, whose messages are delivered in the order in which they are sent.
class RoundsAlone {
public:
    RoundsAlone(int nodes, ReplicationPlan plan)
        : m_job(std::make_shared<const KeyJob>(KeyPlan{.replication = plan}, std::make_shared<KeyRanks>(8, 1.0, 1), 2,
                                               static_cast<std::uint32_t>(nodes))) {
        for (std::uint32_t n = 0; n < m_job->nodes; ++n) m_nodes.push_back(std::make_unique<KeyNode>(m_job, n));
    }
    void add(std::size_t node, std::uint32_t key, float x, float y) {
        KeyStore& store = m_nodes[node]->store();
        const KeySlot slot = store.slot(key);
        QVERIFY(slot.state() == KeySlot::State::replica);
        store.writable(slot.index())[0] += x;
        store.writable(slot.index())[1] += y;
        m_nodes[node]->replicas().touch(slot.index());
    }
    void round(bool all = false) {
        Outbox out(*this);
        for (m_self = 0; m_self < m_nodes.size(); ++m_self) m_nodes[m_self]->beginRound(all, out);
        while (!m_sent.empty()) {
            KeyMessage message = std::move(m_sent.front());
            m_sent.erase(m_sent.begin());
            m_self = message.to;
            m_nodes[message.to]->onMessage(message, out);
        }
    }
    std::array<float, 2> at(std::size_t node, std::uint32_t key) const {
        const KeyStore& store = m_nodes[node]->store();
        const float* values = store.values(store.slot(key).index());
        return {values[0], values[1]};
    }
    const ReplicaRounds& rounds(std::size_t node) const { return m_nodes[node]->replicas(); }

private:
    class Outbox final : public KeyOutbox {
    public:
        explicit Outbox(RoundsAlone& all) : m_all(all) {}
        KeyMessage& compose(KeyMessageType type, std::uint32_t to) override {
            m_message = {};
            m_message.type = type;
            m_message.from = static_cast<std::uint32_t>(m_all.m_self);
            m_message.to = to;
            return m_message;
        }
        void send(KeyMessage& message) override { m_all.m_sent.push_back(message); }
        void pulled(std::uint32_t, std::uint32_t, const float*) override {}
        void pushed(std::uint32_t, std::uint32_t) override {}

    private:
        RoundsAlone& m_all;
        KeyMessage m_message;
    };
    std::shared_ptr<const KeyJob> m_job;
    std::vector<std::unique_ptr<KeyNode>> m_nodes;
    std::vector<KeyMessage> m_sent;
    std::size_t m_self = 0;
};

} // namespace

class tst_Replicas : public QObject {
    Q_OBJECT
private slots:
    void plainArraysComeToTheSame_data();
    void plainArraysComeToTheSame();
    void stalenessIsWhatCanBeSeen_data();
    void stalenessIsWhatCanBeSeen();
    void stalenessIsAMetric();
    void whoWaitsForRoundsSeesWhatWasAdded();
    void averages();
    void clips();
    void keepsSmallChangesBack();
};

void tst_Replicas::plainArraysComeToTheSame_data() {
    QTest::addColumn<int>("machines");
    QTest::addColumn<int>("threads");
    QTest::addColumn<bool>("relocates");
    QTest::addColumn<int>("replicas");
    QTest::addColumn<bool>("adagrad");
    for (const bool adagrad : {false, true}) {
        const char* optimizer = adagrad ? "adagrad" : "sgd";
        QTest::addRow("static, %s", optimizer) << 4 << 2 << false << 0 << adagrad;
        QTest::addRow("static, one node, %s", optimizer) << 1 << 3 << false << 0 << adagrad;
        QTest::addRow("relocating, %s", optimizer) << 4 << 2 << true << 0 << adagrad;
        QTest::addRow("nups, four nodes, %s", optimizer) << 4 << 2 << true << 10 << adagrad;
        QTest::addRow("nups, three nodes, %s", optimizer) << 3 << 2 << true << 10 << adagrad;
        QTest::addRow("nups, seven nodes, %s", optimizer) << 7 << 1 << true << 10 << adagrad;
        QTest::addRow("all replicated, eight nodes, %s", optimizer) << 8 << 1 << true << 30 << adagrad;
    }
}

// Bit for bit: no addition is left out, done twice, or done in another order than it was.
void tst_Replicas::plainArraysComeToTheSame() {
    QFETCH(int, machines);
    QFETCH(int, threads);
    QFETCH(bool, relocates);
    QFETCH(int, replicas);
    QFETCH(bool, adagrad);
    constexpr int keys = 30, length = 3;
    const std::size_t stored = adagrad ? 2 * length : length;
    Scenario scenario = smallLoop(machines, threads, keys, length);
    if (adagrad) accessOf(scenario).optimizer = KeyedOptimizer::adagrad;
    KeyPlan plan{.relocates = relocates};
    if (replicas > 0) plan.replication = ReplicationPlan{.count = replicas, .syncsPerSecond = 2500};
    BareKeyedRun bare(scenario, plan, machines, threads);
    PlainArrays plain(machines, threads, keys, length, adagrad);
    KeyedSetup setup = bare.setup();
    setup.observer = &plain;
    setup.makeNode = [&plain](std::shared_ptr<const KeyJob> job, std::uint32_t self) {
        return std::make_unique<RecordingNode>(std::move(job), self, plain);
    };
    KeyedRun run(setup);
    plain.run = &run;
    run.goOn(static_cast<std::uint64_t>(machines * threads) * 300, SimTime{});
    while (!run.quietSince()) {
        run.advance(run.next() + Duration::nanoseconds(1), bare.delays());
        plain.follow();
    }
    const auto end = run.snapshot().values;
    double sum = 0;
    for (std::uint32_t key = 0; key < keys; ++key) {
        const bool replicated = run.ownerOf(key) == everyNode;
        for (std::size_t n = 0; n < (replicated ? run.nodes() : 1); ++n)
            for (std::size_t i = key * stored; i < (key + 1) * stored; ++i) {
                QCOMPARE(replicated ? plain.replicas[n][i] : plain.one[i], end[i]);
                sum += n == 0 ? end[i] : 0;
            }
    }
    QVERIFY(sum > 100);
}

void tst_Replicas::stalenessIsWhatCanBeSeen_data() {
    QTest::addColumn<int>("machines");
    QTest::addColumn<double>("rate");
    QTest::addColumn<bool>("shortRounds");
    QTest::newRow("two nodes") << 2 << 2000.0 << true;
    QTest::newRow("three nodes") << 3 << 1000.0 << true;
    QTest::newRow("four nodes") << 4 << 1500.0 << true;
    QTest::newRow("six nodes") << 6 << 1000.0 << true;
    QTest::newRow("rounds longer than their interval") << 4 << 20'000.0 << false;
}

// An addition is seen at a node from the first nanosecond on at which the component of its worker has come so far.
void tst_Replicas::stalenessIsWhatCanBeSeen() {
    QFETCH(int, machines);
    QFETCH(double, rate);
    QFETCH(bool, shortRounds);
    const Scenario scenario = smallLoop(machines, 1, 6, machines);
    BareKeyedRun bare(scenario,
                      KeyPlan{.relocates = true, .replication = ReplicationPlan{.count = 6, .syncsPerSecond = rate}},
                      machines, 1);
    Counting counting(static_cast<std::size_t>(machines));
    KeyedSetup setup = bare.setup();
    setup.observer = &counting;
    setup.compute.assign(setup.compute.size(), Duration::nanoseconds(4321));
    KeyedRun run(setup);
    run.goOn(static_cast<std::uint64_t>(machines) * 700, SimTime{});
    const auto nodes = static_cast<std::size_t>(machines);
    std::vector<std::map<std::pair<std::size_t, std::uint32_t>, std::size_t>> seen(nodes);
    std::vector<SimTime> begun(nodes);
    std::vector<std::uint32_t> rounds(nodes);
    Duration longestAge, longestRound;
    while (!run.quietSince()) {
        const SimTime now = run.next();
        run.advance(now + Duration::nanoseconds(1), bare.delays());
        for (std::size_t n = 0; n < nodes; ++n) {
            const KeyNode& node = run.node(n).protocol();
            if (node.replicas().rounds() > rounds[n]) begun[n] = now;
            if (node.replicas().active() || node.replicas().rounds() > rounds[n])
                longestRound = std::max(longestRound, now - begun[n]);
            rounds[n] = node.replicas().rounds();
            for (std::size_t w = 0; w < nodes; ++w)
                for (const auto& [key, times] : counting.made[w]) {
                    const float* values = node.store().values(node.store().slot(key).index());
                    auto& known = seen[n][{w, key}];
                    for (; known < static_cast<std::size_t>(values[w]); ++known)
                        if (w != n) longestAge = std::max(longestAge, now - times[known]);
                }
        }
    }
    std::int64_t measured = 0;
    for (std::size_t n = 0; n < nodes; ++n) measured = std::max(measured, run.node(n).counts().stalenessNs);
    QCOMPARE(measured, longestAge.ns);
    QVERIFY(measured > 0);
    const Duration interval = Duration::seconds(1 / rate);
    QCOMPARE(longestRound.ns < interval.ns, shortRounds);
    if (shortRounds) QVERIFY(measured <= interval.ns + 2 * longestRound.ns);
}

void tst_Replicas::stalenessIsAMetric() {
    Scenario scenario = keyedScenario(4, 1, 20'000, {"nups", {{"syncs_per_second", 100.0}}});
    const auto staleness = [&] {
        auto simulation = std::move(Simulation::create(optionsFor(scenario))).value();
        while (simulation->step()) {}
        auto metrics = computeMetrics(*simulation->workload(), simulation->log(), simulation->state().now()).values;
        return metrics.contains("replica_staleness_s") ? metrics.at("replica_staleness_s") : -1;
    };
    const double measured = staleness();
    QVERIFY2(measured > 0.005 && measured < 0.0105, qPrintable(QString::number(measured))); // 10 ms, and a round
    scenario.policies.parameters = {"relocating", {}};
    QCOMPARE(staleness(), -1.0); // there are no replicas
}

// Rounds are shorter than their interval here: of two that end, the second has begun after the worker began to wait.
void tst_Replicas::whoWaitsForRoundsSeesWhatWasAdded() {
    constexpr int machines = 3, threads = 2, workers = machines * threads, every = 40;
    const Scenario scenario = smallLoop(machines, threads, 5, workers);
    for (const std::int64_t wait : {0, every}) {
        BareKeyedRun bare(
            scenario, KeyPlan{.replication = ReplicationPlan{.count = 5, .syncsPerSecond = 1000, .waitEvery = wait}},
            machines, threads);
        Counting counting(workers);
        std::array<int, workers> reads{};
        std::array<SimTime, workers> before{}; // when it had done its last iteration
        int missing = 0, looked = 0;
        counting.onRead = [&](std::uint32_t worker, std::uint32_t key, const float* values, SimTime at) {
            if (reads[worker]++ % every == 0 && reads[worker] > 1) {
                ++looked;
                for (std::size_t w = 0; w < workers; ++w) {
                    const auto& made = counting.made[w][key];
                    const auto due = std::ranges::count_if(made, [&](SimTime t) { return t <= before[worker]; });
                    missing += values[w] < static_cast<float>(due);
                }
            }
            before[worker] = at;
        };
        KeyedSetup setup = bare.setup();
        setup.observer = &counting;
        KeyedRun run(setup);
        run.goOn(workers * 200, SimTime{});
        run.advance(SimTime::never(), bare.delays());
        QVERIFY(run.quietSince());
        QCOMPARE(run.iterations(), std::uint64_t{workers * 200});
        QCOMPARE(looked, workers * (200 / every - 1));
        QCOMPARE(missing == 0, wait > 0); // who does not wait misses some
        // 4 waits of one to two intervals of 1 ms each, and next to nothing else
        if (wait > 0)
            QVERIFY(run.finishedAt() > SimTime::seconds(0.004) && run.finishedAt() < SimTime::seconds(0.0095));
    }
}

// (4, 0) and (0, 2) at two of four nodes: Σ/4 = (1, .5) at all of them; what is added later stays whole at its own node.
void tst_Replicas::averages() {
    RoundsAlone nodes(4, {.count = 8, .average = true});
    nodes.add(0, 3, 4, 0);
    nodes.add(2, 3, 0, 2);
    nodes.round();
    for (std::size_t n = 0; n < 4; ++n) QCOMPARE(nodes.at(n, 3), (std::array{1.0f, 0.5f}));
    nodes.add(1, 3, 8, 0);
    QCOMPARE(nodes.at(1, 3), (std::array{9.0f, 0.5f}));
    nodes.round();
    for (std::size_t n = 0; n < 4; ++n) QCOMPARE(nodes.at(n, 3), (std::array{3.0f, 0.5f}));
}

// A thousand changes of norm 5 are let through; then the mean is 5, and with c = 2 a change of norm 50 is cut to 10, in its
// direction. That 10 counts: the next limit is 2 × (5000 + 10) / 1001.
void tst_Replicas::clips() {
    RoundsAlone nodes(3, {.count = 8, .clip = 2});
    for (int i = 0; i < 1000; ++i) {
        nodes.add(static_cast<std::size_t>(i % 3), 5, 3, 4);
        nodes.round();
    }
    for (std::size_t n = 0; n < 3; ++n) QCOMPARE(nodes.at(n, 5), (std::array{3000.0f, 4000.0f}));
    nodes.add(1, 2, 30, 40);
    nodes.round();
    for (std::size_t n = 0; n < 3; ++n) QCOMPARE(nodes.at(n, 2), (std::array{6.0f, 8.0f}));
    nodes.add(0, 1, 0, 1000);
    nodes.round();
    for (std::size_t n = 0; n < 3; ++n) {
        QVERIFY(std::abs(nodes.at(n, 1)[1] - 2 * 5010.0 / 1001) < 1e-4);
        QCOMPARE(nodes.at(n, 1)[0], 0.0f);
    }
}

// Of norm 5, below the threshold of 6: kept at its node until there is enough, or all is to be told.
void tst_Replicas::keepsSmallChangesBack() {
    RoundsAlone nodes(2, {.count = 8, .threshold = 6});
    nodes.add(0, 4, 3, 4);
    nodes.round();
    QCOMPARE(nodes.at(0, 4), (std::array{3.0f, 4.0f}));
    QCOMPARE(nodes.at(1, 4), (std::array{0.0f, 0.0f}));
    QVERIFY(!nodes.rounds(0).isClean() && nodes.rounds(1).isClean());
    nodes.add(0, 4, 3, 4);
    nodes.round();
    QCOMPARE(nodes.at(1, 4), (std::array{6.0f, 8.0f}));
    QVERIFY(nodes.rounds(0).isClean());
    nodes.add(1, 4, 0, 1);
    nodes.round(true);
    for (std::size_t n = 0; n < 2; ++n) QCOMPARE(nodes.at(n, 4), (std::array{6.0f, 9.0f}));
}

TRAINYARD_TEST(tst_Replicas)
#include "tst_Replicas.moc"
