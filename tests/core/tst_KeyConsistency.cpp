// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Per-key sequential consistency of relocation, judged from traces by a checker of its own; and wrong protocols that it must find.
#include "support/KeyTracer.h"
#include "support/KeyedLoop.h"
#include "support/TestMain.h"

#include <stdexcept>

using namespace trainyard;
using namespace trainyard::test;

namespace {

constexpr int machines = 4, threads = 2, workers = machines * threads;

/// An arriving key is seen before the additions that waited for it.
class SkipsReplay final : public KeyNode {
public:
    using KeyNode::KeyNode;
    std::unique_ptr<KeyNode> clone() const override { return std::unique_ptr<KeyNode>(new SkipsReplay(*this)); }
    void replay(Transfer& transfer, std::uint32_t place, KeyOutbox& out) override {
        std::erase_if(transfer.operations, [](const Operation& o) { return o.isPush; });
        KeyNode::replay(transfer, place, out);
    }
};

class ReplaysBackwards final : public KeyNode {
public:
    using KeyNode::KeyNode;
    std::unique_ptr<KeyNode> clone() const override { return std::unique_ptr<KeyNode>(new ReplaysBackwards(*this)); }
    void replay(Transfer& transfer, std::uint32_t place, KeyOutbox& out) override {
        std::reverse(transfer.operations.begin(), transfer.operations.end());
        KeyNode::replay(transfer, place, out);
    }
};

/// A home names the requester as the owner only with the next request for the key.
class ChangesOwnerLate final : public KeyNode {
public:
    using KeyNode::KeyNode;
    std::unique_ptr<KeyNode> clone() const override { return std::unique_ptr<KeyNode>(new ChangesOwnerLate(*this)); }
    std::uint32_t changeOwner(std::uint32_t key, std::uint32_t requester) override {
        const auto [it, fresh] = m_next.try_emplace(key, m_self);
        const std::uint32_t before = KeyNode::changeOwner(key, it->second);
        it->second = requester;
        return before;
    }

private:
    std::map<std::uint32_t, std::uint32_t> m_next;
};

/// Asks where a key was last, instead of at its home: with additions that nobody waits for, a request takes a way round and is
/// overtaken by what follows it.
class RemembersPlaces final : public KeyNode {
public:
    using KeyNode::KeyNode;
    std::unique_ptr<KeyNode> clone() const override { return std::unique_ptr<KeyNode>(new RemembersPlaces(*this)); }
    std::uint32_t destination(std::uint32_t key) const override {
        const auto it = m_places.find(key);
        if (it != m_places.end() && it->second != m_self && m_requesting) return it->second;
        return KeyNode::destination(key);
    }
    void onMessage(KeyMessage& message, KeyOutbox& out) override {
        if (message.type == KeyMessageType::pullAnswer) m_places[message.keys[0]] = message.from;
        if (message.type == KeyMessageType::handOver)
            for (const std::uint32_t key : message.keys) m_places[key] = message.requester;
        m_requesting = false; // what is forwarded goes by the home
        KeyNode::onMessage(message, out);
        m_requesting = true;
    }

private:
    std::map<std::uint32_t, std::uint32_t> m_places;
    bool m_requesting = true;
};

template <class Node>
std::unique_ptr<KeyNode> make(std::shared_ptr<const KeyJob> job, std::uint32_t self) {
    return std::make_unique<Node>(std::move(job), self);
}

/// What is wrong with a run under a protocol; nothing: it is consistent.
template <class Node>
std::optional<std::string> flawOf(std::uint64_t seed) {
    Scenario scenario = keyedScenario(machines, threads, 300, {"relocating", {}});
    KeyedAccess& access = accessOf(scenario);
    access.keys = 12;
    access.exponent = 0.7;
    access.workerSeed = seed;
    access.valuesPerKey = 2 * workers;
    access.lookAhead = 4;
    access.localizeEvery = 2;
    BareKeyedRun bare(scenario, KeyPlan{.relocates = true}, machines, threads);
    KeyTracer tracer(workers);
    KeyedSetup setup = bare.setup();
    setup.observer = &tracer;
    setup.makeNode = make<Node>;
    // Unlike latencies: messages of different pairs overtake each other.
    setup.route = [seed](MachineId from, MachineId to) {
        const auto mixed = (from.value * 31 + to.value * 17 + seed) % 13;
        return KeyedRoute{true, Duration::nanoseconds(static_cast<std::int64_t>(5000 + mixed * 9000)), 0.8, 0.8, {}};
    };
    try {
        KeyedRun run(setup);
        run.goOn(workers * 300, SimTime{});
        run.advance(SimTime::seconds(10), bare.delays()); // a right one takes a tenth of a second
        if (!run.quietSince()) return "it did not come to rest";
    } catch (const std::exception& error) { return error.what(); }
    return inconsistency(tracer.trace(), workers);
}

template <class Node>
int flawsIn(int seeds) {
    int found = 0;
    for (int seed = 1; seed <= seeds; ++seed) found += flawOf<Node>(static_cast<std::uint64_t>(seed)).has_value();
    return found;
}

} // namespace

class tst_KeyConsistency : public QObject {
    Q_OBJECT
private slots:
    void checkerKnowsRightAndWrong();
    void relocationIsConsistent();
    void mutantsAreFound();
};

void tst_KeyConsistency::checkerKnowsRightAndWrong() {
    const auto read = [](std::uint32_t worker, std::vector<float> values) {
        return TracedOperation{false, worker, 7, std::move(values)};
    };
    const auto push = [](std::uint32_t worker) { return TracedOperation{true, worker, 7, {}}; };
    QVERIFY(!inconsistency({push(0), read(0, {1, 0, 0, 0}), push(1), read(1, {1, 0, 1, 0})}, 2));
    QVERIFY(inconsistency({push(0), read(0, {0, 0, 0, 0})}, 2));                                 // not its own
    QVERIFY(inconsistency({push(0), push(0), read(1, {1, 1, 0, 0})}, 2));                        // the second first
    QVERIFY(inconsistency({push(0), push(1), read(0, {1, 0, 0, 0}), read(1, {0, 0, 1, 0})}, 2)); // two orders
    QVERIFY(inconsistency({push(0), read(1, {1, 0, 0, 0}), read(1, {0, 0, 0, 0})}, 2));          // less than before
    QVERIFY(inconsistency({read(1, {1, 0, 0, 0})}, 2));                                          // never made
}

void tst_KeyConsistency::relocationIsConsistent() {
    for (int seed = 1; seed <= 20; ++seed) {
        const auto flaw = flawOf<KeyNode>(static_cast<std::uint64_t>(seed));
        QVERIFY2(!flaw, flaw ? flaw->c_str() : "");
    }
}

void tst_KeyConsistency::mutantsAreFound() {
    QVERIFY(flawsIn<SkipsReplay>(5) == 5);
    QVERIFY(flawsIn<ReplaysBackwards>(5) == 5);
    QVERIFY(flawsIn<ChangesOwnerLate>(5) == 5);
    QVERIFY(flawsIn<RemembersPlaces>(5) > 0);
}

TRAINYARD_TEST(tst_KeyConsistency)
#include "tst_KeyConsistency.moc"
