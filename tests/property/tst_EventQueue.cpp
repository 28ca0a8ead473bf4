// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The event queue against std::priority_queue, for every pattern of times that could upset buckets.
#include "base/Random.h"
#include "engine/EventQueue.h"
#include "support/TestMain.h"

#include <functional>
#include <queue>

using namespace trainyard;

class tst_EventQueue : public QObject {
    Q_OBJECT
private slots:
    void ordersLikeAPriorityQueue_data();
    void ordersLikeAPriorityQueue();
    void manyAtOneTimeKeepTheirOrder();
    void growsBehindOneEarlyEvent();
    void presentEventsAfterAReorganisation();
    void dropsWhatHasNoPoint_data() { ordersLikeAPriorityQueue_data(); }
    void dropsWhatHasNoPoint();
    void copyAndOriginalGoOnEqually();
};

/// How far ahead of now the next event lies.
using Ahead = std::function<std::int64_t(RandomStream&)>;
Q_DECLARE_METATYPE(Ahead)

namespace {

struct Later {
    bool operator()(const PendingEvent& x, const PendingEvent& y) const {
        return x.time != y.time ? x.time > y.time : x.sequence > y.sequence;
    }
};

/// Both queues, fed alike; false from pop() if they differ.
struct Pair {
    EventQueue queue;
    std::priority_queue<PendingEvent, std::vector<PendingEvent>, Later> reference;
    std::uint64_t pushed = 0;
    SimTime now;

    void push(SimTime time) {
        queue.push(time, static_cast<std::uint16_t>(pushed), 3, static_cast<std::uint32_t>(pushed), pushed * 7);
        reference.push(
            {time, pushed, static_cast<std::uint16_t>(pushed), 3, static_cast<std::uint32_t>(pushed), pushed * 7});
        ++pushed;
    }
    bool pop() {
        const PendingEvent expected = reference.top();
        const PendingEvent got = queue.top();
        reference.pop();
        queue.pop();
        now = got.time;
        return got.time == expected.time && got.sequence == expected.sequence && got.kind == expected.kind &&
               got.small == expected.small && got.a == expected.a && got.b == expected.b &&
               queue.size() == reference.size() && queue.empty() == reference.empty();
    }
};

std::int64_t exponential(RandomStream& random, double mean) {
    return static_cast<std::int64_t>(-std::log(random.unit()) * mean);
}

} // namespace

void tst_EventQueue::ordersLikeAPriorityQueue_data() {
    QTest::addColumn<Ahead>("ahead");
    const auto row = [](const char* name, Ahead ahead) { QTest::newRow(name) << std::move(ahead); };
    row("always now", [](RandomStream&) { return 0; });
    row("constant", [](RandomStream&) { return 1000; });
    row("one of three", [](RandomStream& r) { return static_cast<std::int64_t>(r.below(3)); });
    row("uniform", [](RandomStream& r) { return static_cast<std::int64_t>(r.below(1'000'000'000)); });
    row("exponential", [](RandomStream& r) { return exponential(r, 1e6); });
    row("bimodal", [](RandomStream& r) { return exponential(r, r.below(10) == 0 ? 1e12 : 1e3); });
    row("log-uniform", [](RandomStream& r) { return static_cast<std::int64_t>(std::pow(10.0, 18 * r.unit())); });
    row("some never", [](RandomStream& r) {
        return r.below(20) == 0 ? SimTime::never().ns : static_cast<std::int64_t>(r.below(10'000));
    });
    row("nearly never", [](RandomStream& r) { return SimTime::never().ns - static_cast<std::int64_t>(r.below(100)); });
    row("before now", [](RandomStream& r) { return static_cast<std::int64_t>(r.below(2000)) - 1000; });
    row("clusters", [](RandomStream& r) {
        return static_cast<std::int64_t>(r.below(5)) * 1'000'000'000 + static_cast<std::int64_t>(r.below(3));
    });
}

// Phases of growth, hold and shrinking around sizes from nothing to some thousands.
void tst_EventQueue::ordersLikeAPriorityQueue() {
    QFETCH(Ahead, ahead);
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        RandomStream random(seed, Purpose::test, 99);
        Pair pair;
        const auto push = [&] {
            const std::int64_t ns = ahead(random);
            pair.push(ns > 0 ? pair.now + Duration{ns} : SimTime{std::max<std::int64_t>(0, pair.now.ns + ns)});
        };
        for (int phase = 0; phase < 12; ++phase) {
            const auto pushes = random.below(10); // of ten steps
            for (auto steps = random.below(4000); steps-- > 0;) {
                if (random.below(10) < pushes || pair.reference.empty())
                    push();
                else
                    QVERIFY2(pair.pop(), qPrintable(QString("seed %1 phase %2").arg(seed).arg(phase)));
            }
        }
        while (!pair.reference.empty()) QVERIFY2(pair.pop(), qPrintable(QString("seed %1 drain").arg(seed)));
        QVERIFY(pair.queue.empty());
    }
}

void tst_EventQueue::manyAtOneTimeKeepTheirOrder() {
    Pair pair;
    pair.push(SimTime{10});
    for (int i = 0; i < 20000; ++i) pair.push(SimTime{5});
    QVERIFY(pair.pop());
    for (int i = 0; i < 20000; ++i) pair.push(SimTime{5}); // at the current time
    while (!pair.reference.empty()) QVERIFY(pair.pop());
}

// A served queue of one event counts as sorted up to that event; what is pushed before it must not stay a
// plain heap, and must come out in order all the same.
void tst_EventQueue::growsBehindOneEarlyEvent() {
    RandomStream random(1, Purpose::test, 98);
    Pair pair;
    pair.push(SimTime{1'000'000'000});
    pair.queue.top();
    for (int i = 0; i < 30000; ++i) {
        pair.push(SimTime{static_cast<std::int64_t>(random.below(1'100'000'000))});
        if (i % 3 == 0) QVERIFY(pair.pop());
    }
    while (!pair.reference.empty()) QVERIFY(pair.pop());
}

// Events at the present time wait in a list of their own; those pushed for that time before it came stay
// ahead of them, also where the queue spreads them anew in between.
void tst_EventQueue::presentEventsAfterAReorganisation() {
    RandomStream random(1, Purpose::test, 96);
    Pair pair;
    pair.push(SimTime{1'000'000});
    pair.queue.top();
    for (int i = 0; i < 100; ++i) pair.push(SimTime{1000});
    QVERIFY(pair.pop());
    for (int i = 0; i < 5; ++i) pair.push(SimTime{1000});
    for (int i = 0; i < 2000; ++i) pair.push(SimTime{1000 + static_cast<std::int64_t>(random.below(900'000))});
    for (int i = 0; i < 5; ++i) pair.push(SimTime{1000});
    while (!pair.reference.empty()) QVERIFY(pair.pop());
}

// Every third event loses its point at once, others when a given one is served: what remains comes in order.
void tst_EventQueue::dropsWhatHasNoPoint() {
    QFETCH(Ahead, ahead);
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        RandomStream random(seed, Purpose::test, 95);
        Pair pair;
        std::vector<bool> off; // by sequence
        const auto pointless = [&](const PendingEvent& event) { return off[event.sequence]; };
        for (int i = 0; i < 6000; ++i) {
            const std::int64_t ns = ahead(random);
            pair.push(ns > 0 ? pair.now + Duration{ns} : SimTime{std::max<std::int64_t>(0, pair.now.ns + ns)});
            off.push_back(random.below(3) == 0);
            if (random.below(4) == 0) off[random.below(static_cast<std::uint32_t>(off.size()))] = true;
            if (random.below(3) != 0) continue;
            pair.queue.drop(pointless);
            while (!pair.reference.empty() && off[pair.reference.top().sequence]) pair.reference.pop();
            QCOMPARE(pair.queue.empty(), pair.reference.empty());
            if (pair.reference.empty()) continue;
            pair.now = pair.queue.top().time;
            QCOMPARE(pair.queue.top().sequence, pair.reference.top().sequence);
            pair.queue.pop();
            pair.reference.pop();
        }
        while (true) {
            pair.queue.drop(pointless);
            while (!pair.reference.empty() && off[pair.reference.top().sequence]) pair.reference.pop();
            QCOMPARE(pair.queue.empty(), pair.reference.empty());
            if (pair.reference.empty()) break;
            const PendingEvent expected = pair.reference.top();
            if (expected.time > SimTime{0}) QVERIFY(!pair.queue.next(pointless, expected.time - Duration{1}));
            const auto got = pair.queue.next(pointless, expected.time);
            QVERIFY(got);
            QCOMPARE(got->sequence, expected.sequence);
            pair.reference.pop();
        }
        QCOMPARE(pair.queue.size(), std::size_t{0});
    }
}

void tst_EventQueue::copyAndOriginalGoOnEqually() {
    RandomStream random(1, Purpose::test, 97);
    Pair pair;
    for (int i = 0; i < 5000; ++i) pair.push(SimTime{exponential(random, 1e9)});
    for (int i = 0; i < 1234; ++i) QVERIFY(pair.pop());
    Pair copy(pair);
    RandomStream again(random);
    const auto goOn = [](Pair& p, RandomStream& r) {
        std::vector<std::uint64_t> order;
        for (int i = 0; i < 5000; ++i) {
            p.push(p.now + Duration{exponential(r, 1e9)});
            order.push_back(p.queue.top().sequence);
            if (!p.pop()) return std::vector<std::uint64_t>{};
        }
        return order;
    };
    const auto order = goOn(pair, random);
    QCOMPARE(order.size(), std::size_t{5000});
    QVERIFY(goOn(copy, again) == order);
}

TRAINYARD_TEST(tst_EventQueue)
#include "tst_EventQueue.moc"
