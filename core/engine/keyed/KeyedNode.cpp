// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/keyed/KeyedNode.h"

#include "base/Result.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard {

namespace keyed_node {

/// Iterations ahead of which slots and values are fetched into the cache.
constexpr std::uint64_t fetchSlot = 12, fetchValues = 6;

} // namespace keyed_node

/// What the protocol causes in virtual time. Lives for one call.
class KeyedNode::Outbox final : public KeyOutbox {
public:
    Outbox(KeyedNode& node, KeyedWorld& world) : m_node(node), m_world(world) {}
    KeyMessage& compose(KeyMessageType type, std::uint32_t to) override {
        const std::uint32_t number = m_world.allocate();
        KeyMessage& message = m_world.messages[number];
        message.type = type;
        message.from = m_node.m_self;
        message.to = to;
        message.carrier = number;
        message.keys.clear();
        message.numbers.clear();
        message.values.clear();
        message.clock = 0;
        return message;
    }
    void send(KeyMessage& message) override {
        require(message.to != m_node.m_self, "a node of a keyed job sent a message to itself");
        KeyedCounts& counts = m_node.m_counts;
        ++counts.messages[static_cast<std::size_t>(message.type)];
        counts.bytes[static_cast<std::size_t>(message.type)] += message.bytes();
        message.sent = m_node.m_now;
        m_node.transmit(m_world, message.carrier);
    }
    void pulled(std::uint32_t worker, std::uint32_t key, const float* values) override {
        KeyedWorker& w = m_node.m_workers[worker];
        require(w.step == KeyedWorker::Step::waiting && (w.task || w.key == key),
                "a pull was answered that nobody waits for");
        if (m_world.observer) m_world.observer->read(w.number, key, values, m_node.m_now);
        if (w.task) {
            w.task->receive(key, values);
            if (--w.missing > 0) return;
            w.step = KeyedWorker::Step::push;
            w.at = std::max(m_node.m_now, w.readUntil) + m_node.computeTime(m_world, w);
            return;
        }
        std::copy_n(values, w.values.size(), w.values.begin());
        w.step = KeyedWorker::Step::push;
        w.at = m_node.m_now + m_node.computeTime(m_world, w);
    }
    void pushed(std::uint32_t, std::uint32_t) override {}
    void located(std::uint32_t key) override {
        ++m_node.m_counts.received;
        ++m_node.m_counts.held[m_node.m_protocol->job().buckets[key]];
    }
    void departed(std::uint32_t key) override { --m_node.m_counts.held[m_node.m_protocol->job().buckets[key]]; }
    void note(std::uint16_t series, double value, std::uint32_t first) override {
        Event event = events::note(m_world.job, {PolicyFamily::parameters, series}, first, 0, value);
        event.time = m_node.m_now;
        m_world.entries.push_back(event);
    }
    void refreshed(SimTime sent) override { m_node.m_counts.refresh((m_node.m_now - sent).ns); }
    void roundDone() override { m_node.endRound(m_world); }
    void clockAdvanced() override { m_node.wakeByClock(); }

private:
    KeyedNode& m_node;
    KeyedWorld& m_world;
};

KeyedNode::KeyedNode(std::unique_ptr<KeyNode> protocol, std::uint32_t self, MachineId machine, double sampleSeconds,
                     double samples)
    : m_protocol(std::move(protocol)), m_self(self), m_machine(machine), m_sampleSeconds(sampleSeconds),
      m_samples(samples), m_caches(m_protocol->job().plan.caches.has_value()),
      m_changedAt(m_protocol->replicas().count()) {}

// --- What happens next

SimTime KeyedNode::nextMessage(const KeyedWorld& world) const {
    const auto& inbox = world.inboxes[m_self];
    const SimTime arrival = inbox.empty() ? SimTime::never() : inbox.front().first;
    return std::min({arrival, m_answers.next(), m_tasks.next(), m_nextRound});
}

SimTime KeyedNode::nextWorker() const {
    SimTime next = SimTime::never();
    for (const KeyedWorker& worker : m_workers) next = std::min(next, worker.at);
    return next;
}

SimTime KeyedNode::next(const KeyedWorld& world) const { return std::min(nextMessage(world), nextWorker()); }

// At one instant messages come first: arrivals, then answers, then what the server thread is done with, then rounds of replicas;
// then workers, in order. Whatever the windows, this order is the same.
void KeyedNode::run(KeyedWorld& world, SimTime end) {
    for (;;) {
        const SimTime other = std::min(nextMessage(world), end);
        KeyedWorker* first = nullptr;
        SimTime limit = other; // until when the first may go on
        for (KeyedWorker& worker : m_workers) {
            if (worker.at >= other) continue;
            if (!first || worker.at < first->at) {
                if (first) limit = std::min(limit, first->at);
                first = &worker;
            } else {
                limit = std::min(limit, worker.at);
            }
        }
        if (first)
            runWorker(world, *first, limit);
        else if (other < end)
            handle(world, other);
        else
            return;
    }
}

void KeyedNode::handle(KeyedWorld& world, SimTime at) {
    m_now = at;
    m_lastEvent = at;
    const auto& inbox = world.inboxes[m_self];
    if (!inbox.empty() && inbox.front().first == at)
        receive(world);
    else if (m_answers.next() == at)
        carryOut(world, m_answers.pop());
    else if (m_tasks.next() == at)
        carryOut(world, m_tasks.pop());
    else
        beginRound(world);
}

// --- Messages

void KeyedNode::transmit(KeyedWorld& world, std::uint32_t number) {
    const KeyMessage& message = world.messages[number];
    const std::size_t pair = std::size_t{m_self} * world.nodes() + message.to;
    const KeyedRoute& route = world.routes.between(m_self, message.to);
    if (!route.up) {
        world.held.push_back(number);
        return;
    }
    const std::uint64_t bytes = message.bytes();
    const Duration time = transmissionTime(bytes, route.sendingNs);
    const SimTime start = std::max(m_now, m_sendFree);
    m_sendFree = start + time;
    m_counts.sendingNs += time.ns;
    world.pairBytes[pair] += bytes;
    const SimTime arrives = std::max(start + route.latency, world.lastArrival[pair]); // a new route overtakes none
    world.lastArrival[pair] = arrives;
    auto& inbox = world.inboxes[message.to];
    const SimTime whole = std::max(arrives, m_sendFree + route.latency);
    inbox.push_back({m_now, arrives, whole, m_sent++, m_self, number});
    std::push_heap(inbox.begin(), inbox.end());
    if (!world.watched.empty()) world.watch(message, m_now, whole);
}

void KeyedNode::resend(KeyedWorld& world, std::uint32_t message, SimTime now) {
    m_now = std::max(m_now, now);
    transmit(world, message);
}

/// The first bit of a message has come: when its last one will have been received, and when the server thread will be done with it.
void KeyedNode::receive(KeyedWorld& world) {
    auto& inbox = world.inboxes[m_self];
    std::pop_heap(inbox.begin(), inbox.end());
    const KeyedArrival arrival = inbox.back();
    inbox.pop_back();
    const KeyMessage& message = world.messages[arrival.message];
    const Duration time = transmissionTime(message.bytes(), world.routes.between(arrival.from, m_self).receivingNs);
    m_receiveFree = std::max(std::max(arrival.first, m_receiveFree) + time, arrival.whole);
    m_counts.receivingNs += time.ns;
    if (message.isAnswer()) {
        m_counts.deliveryNs += (m_receiveFree - arrival.sent).ns;
        m_answers.push({m_receiveFree, arrival.message});
        return;
    }
    const auto perKeys = static_cast<std::int64_t>(world.perKeyNs * static_cast<double>(message.keys.size()) + 0.5);
    const Duration handling = world.message + Duration::nanoseconds(perKeys);
    const SimTime taken = std::max(m_receiveFree, m_serverFree);
    m_counts.deliveryNs += (taken - arrival.sent).ns;
    m_serverFree = taken + handling;
    m_counts.serverNs += handling.ns;
    m_tasks.push({m_serverFree, arrival.message});
}

void KeyedNode::carryOut(KeyedWorld& world, Due due) {
    Outbox out(*this, world);
    m_protocol->onMessage(world.messages[due.message], out);
    world.freeMessages.push_back(due.message);
    if (m_roundDue && !m_protocol->replicas().active()) {
        m_roundDue = false;
        startRound(world, out);
    }
    holdCopies(m_now);
}

void KeyedNode::beginRound(KeyedWorld& world) {
    m_nextRound = m_nextRound + m_roundEvery;
    if (m_protocol->replicas().active()) {
        m_roundDue = true; // as soon as this one is over
        return;
    }
    Outbox out(*this, world);
    startRound(world, out);
}

/// Once its workers are done a node keeps no small changes back.
void KeyedNode::startRound(KeyedWorld& world, Outbox& out) {
    const bool done =
        std::ranges::all_of(m_workers, [](const KeyedWorker& w) { return w.step == KeyedWorker::Step::done; });
    m_copyTimes.beginRound(m_now);
    m_protocol->beginRound(done, out);
    holdCopies(m_now);
    const ReplicaRounds& replicas = m_protocol->replicas();
    SimTime oldest = SimTime::never();
    for (const std::uint32_t place : replicas.collected()) oldest = std::min(oldest, m_changedAt[place]);
    world.oldestChange[(replicas.rounds() & 1) * world.nodes() + m_self] = oldest;
}

/// What other nodes have added is seen here from now on.
void KeyedNode::endRound(const KeyedWorld& world) {
    ++m_counts.rounds;
    ++m_roundsEnded;
    if (m_protocol->isIdle()) { // no further one, until there is more to do
        m_nextRound = SimTime::never();
        m_roundDue = false;
    }
    const std::size_t first = (m_protocol->replicas().rounds() & 1) * world.nodes();
    for (std::size_t node = 0; node < world.nodes(); ++node)
        if (const SimTime made = world.oldestChange[first + node]; node != m_self && made != SimTime::never())
            m_counts.stalenessNs = std::max(m_counts.stalenessNs, (m_now - made).ns);
    m_copyTimes.endRound(m_protocol->replicas().count(), m_now, m_counts);
    for (KeyedWorker& worker : m_workers)
        if (worker.step == KeyedWorker::Step::awaitsRounds && worker.awaitedRound <= m_roundsEnded) wake(worker);
}

void KeyedNode::wake(KeyedWorker& worker) {
    worker.step = KeyedWorker::Step::begin;
    worker.at = m_now;
    m_woken = true;
}

void KeyedNode::wakeByClock() {
    for (KeyedWorker& worker : m_workers)
        if (worker.step == KeyedWorker::Step::awaitsClock &&
            m_protocol->clocks().mayBegin(worker.iterations - worker.clockFrom))
            wake(worker);
}

/// A worker has ended an iteration, or its share.
void KeyedNode::tellClock(KeyedWorld& world) {
    if (!m_protocol->clocks().bounded()) return;
    std::uint64_t least = KeyClocks::done;
    for (const KeyedWorker& worker : m_workers)
        if (worker.iterations < worker.quota) least = std::min(least, worker.iterations - worker.clockFrom);
    Outbox out(*this, world);
    m_protocol->advanceClock(least, out);
}

// --- Workers

void KeyedNode::runWorker(KeyedWorld& world, KeyedWorker& worker, SimTime limit) {
    do {
        m_now = worker.at;
        if (worker.step == KeyedWorker::Step::push)
            add(world, worker);
        else if (!beginIteration(world, worker, limit))
            break;
    } while (worker.at < limit && !m_woken);
    m_woken = false;
    m_lastEvent = std::max(m_lastEvent, m_now);
}

/// Whether it is to see first what others have added to replicas before.
bool KeyedNode::awaitRounds(KeyedWorker& worker) {
    const auto& replication = m_protocol->job().plan.replication;
    if (!replication || replication->waitEvery == 0 || m_changedAt.empty()) return false;
    if (worker.iterations == worker.waitedAt ||
        worker.iterations % static_cast<std::uint64_t>(replication->waitEvery) != 0)
        return false;
    worker.waitedAt = worker.iterations;
    worker.awaitedRound = m_roundsEnded + 2;
    worker.step = KeyedWorker::Step::awaitsRounds;
    worker.at = SimTime::never();
    return true;
}

/// Reads the key of its next iteration. False: it waits, or is done.
bool KeyedNode::beginIteration(KeyedWorld& world, KeyedWorker& worker, SimTime limit) {
    if (worker.iterations == worker.quota) {
        worker.step = KeyedWorker::Step::done;
        worker.finishedAt = m_now;
        worker.at = SimTime::never();
        tellClock(world);
        return false;
    }
    if (!m_protocol->clocks().mayBegin(worker.iterations - worker.clockFrom)) {
        worker.step = KeyedWorker::Step::awaitsClock;
        worker.at = SimTime::never();
        return false;
    }
    if (awaitRounds(worker)) return false;
    KeyStore& store = m_protocol->store();
    if (m_protocol->job().plan.relocates) localizeAhead(world, worker);
    if (worker.task) return beginExample(world, worker, limit);
    store.prefetchSlot(worker.keys.at(worker.iterations + keyed_node::fetchSlot).key);
    if (const KeySlot soon = store.slot(worker.keys.at(worker.iterations + keyed_node::fetchValues).key);
        soon.isLocal())
        store.prefetch(soon.index());
    const auto [key, bucket] = worker.keys.at(worker.iterations);
    worker.key = key;
    const std::uint64_t clock = worker.iterations - worker.clockFrom;
    const KeySlot slot = store.slot(key);
    if (slot.isLocal() && (!m_caches || m_protocol->mayRead(key, clock))) {
        ++m_counts.pulls[0][bucket];
        const float* values = store.values(slot.index());
        std::copy_n(values, worker.values.size(), worker.values.begin());
        if (world.observer) world.observer->read(worker.number, key, values, m_now);
        worker.step = KeyedWorker::Step::push;
        worker.at = m_now + world.pull + computeTime(world, worker);
        return true;
    }
    Outbox out(*this, world);
    worker.step = KeyedWorker::Step::waiting;
    worker.at = SimTime::never();
    const auto self = static_cast<std::uint32_t>(&worker - m_workers.data());
    ++m_counts.pulls[m_protocol->isUnderWay(key) ? 2 : 1][bucket];
    m_protocol->pull(self, {&worker.key, 1}, out, clock);
    return false;
}

/// Reads the keys of its next example. False: it waits for some. Where nothing else happens here before its step, values are not copied.
bool KeyedNode::beginExample(KeyedWorld& world, KeyedWorker& worker, SimTime limit) {
    const KeyStore& store = m_protocol->store();
    TaskWorker& task = *worker.task;
    task.begin(worker.iterations, [&](std::uint32_t key) { return store.slot(key).isLocal(); });
    const std::uint64_t clock = worker.iterations - worker.clockFrom;
    worker.ahead.clear();
    for (std::size_t n = 0; n < task.keys().size(); ++n) {
        const std::uint32_t key = task.keys()[n], bucket = m_protocol->job().buckets[key];
        const KeySlot slot = store.slot(key);
        if (slot.isLocal() && (!m_caches || m_protocol->mayRead(key, clock))) {
            ++m_counts.pulls[0][bucket];
            const float* values = store.values(slot.index());
            task.readInPlace(n, values);
            if (world.observer) world.observer->read(worker.number, key, values, m_now);
            continue;
        }
        ++m_counts.pulls[m_protocol->isUnderWay(key) ? 2 : 1][bucket];
        worker.ahead.push_back(key);
    }
    worker.missing = static_cast<std::uint32_t>(worker.ahead.size());
    const auto read = static_cast<std::int64_t>(task.keys().size() - worker.missing);
    worker.readUntil = m_now + Duration::nanoseconds(read * world.pull.ns);
    if (worker.missing == 0) {
        worker.step = KeyedWorker::Step::push;
        worker.at = worker.readUntil + computeTime(world, worker);
        if (worker.at >= limit || m_woken) task.copyValues();
        return true;
    }
    task.copyValues();
    worker.step = KeyedWorker::Step::waiting;
    worker.at = SimTime::never();
    Outbox out(*this, world);
    m_protocol->pull(static_cast<std::uint32_t>(&worker - m_workers.data()), worker.ahead, out, clock);
    return false;
}

/// Adds to the key that it has read, and ends the iteration.
void KeyedNode::add(KeyedWorld& world, KeyedWorker& worker) {
    if (worker.task) return addStep(world, worker);
    KeyStore& store = m_protocol->store();
    const float* delta = world.observer ? world.observer->adding(worker.number, worker.key, m_now) : nullptr;
    if (!delta) delta = world.delta.data();
    if (const auto addition = m_protocol->addLocal(worker.key, delta); addition != KeyNode::Addition::none) {
        ++m_counts.pushes[0];
        if (addition == KeyNode::Addition::firstOfReplica) m_changedAt[store.slot(worker.key).index()] = m_now;
        worker.at = m_now + world.push;
    } else {
        Outbox out(*this, world);
        ++m_counts.pushes[m_protocol->isUnderWay(worker.key) ? 2 : 1];
        m_protocol->push(static_cast<std::uint32_t>(&worker - m_workers.data()), {&worker.key, 1}, delta, out);
        worker.at = m_now;
    }
    endIteration(world, worker);
}

/// The model's step on what it has read: adds to keys that are here, and sends the rest to where they are.
void KeyedNode::addStep(KeyedWorld& world, KeyedWorker& worker) {
    const KeyStore& store = m_protocol->store();
    TaskWorker& task = *worker.task;
    task.step(worker.iterations);
    std::int64_t here = 0;
    task.addAll([&](std::uint32_t key, const float* delta) {
        const auto addition = m_protocol->addLocal(key, delta);
        if (addition == KeyNode::Addition::none) return false;
        ++here;
        if (addition == KeyNode::Addition::firstOfReplica) m_changedAt[store.slot(key).index()] = m_now;
        return true;
    });
    m_counts.pushes[0] += static_cast<std::uint64_t>(here);
    if (!task.away().empty()) {
        for (const std::uint32_t key : task.away()) ++m_counts.pushes[m_protocol->isUnderWay(key) ? 2 : 1];
        Outbox out(*this, world);
        m_protocol->push(static_cast<std::uint32_t>(&worker - m_workers.data()), task.away(), task.awayDeltas().data(),
                         out);
    }
    worker.at = m_now + Duration::nanoseconds(here * world.push.ns);
    endIteration(world, worker);
}

void KeyedNode::endIteration(KeyedWorld& world, KeyedWorker& worker) {
    ++worker.iterations;
    worker.step = KeyedWorker::Step::begin;
    if (!worker.intents.empty())
        forEachReleased(worker, [&](const std::vector<std::uint32_t>& keys) { m_protocol->release(keys); });
    tellClock(world);
}

void KeyedNode::localizeAhead(KeyedWorld& world, KeyedWorker& worker) {
    if (worker.localized && worker.iterations % static_cast<std::uint64_t>(world.access.localizeEvery) != 0) return;
    const auto declared = static_cast<std::uint32_t>(world.access.lookAhead),
               every = static_cast<std::uint32_t>(world.access.localizeEvery);
    forEachLocalized(worker, m_protocol->lookAhead(declared), every, m_protocol->job().plan.adapts,
                     [&](const std::vector<std::uint32_t>& keys) {
                         Outbox out(*this, world);
                         m_protocol->localize(keys, out, worker.iterations);
                     });
}

Duration KeyedNode::computeTime(KeyedWorld& world, const KeyedWorker& worker) {
    if (m_compute.ns >= 0) return m_compute;
    return Duration::seconds(world.delays->computeSeconds(
        {world.job, worker.number, static_cast<std::uint32_t>(worker.iterations + 1), m_machine, m_sampleSeconds},
        m_samples, m_now));
}

} // namespace trainyard
