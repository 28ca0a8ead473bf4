// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The server and worker threads of an executed keyed job.
#include "engine/keyed/KeyedOutbox.h"

#include "base/Result.h"

#include <algorithm>

namespace trainyard {

namespace {

/// Of a number that one thread counts and others read.
void countUp(std::uint64_t& number) {
    const std::atomic_ref atomic(number);
    atomic.store(atomic.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

constexpr auto laterFirst = [](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first > b.first;
    return a.message.from != b.message.from ? a.message.from > b.message.from : a.number > b.number;
};
constexpr auto laterDue = [](const auto& a, const auto& b) {
    return a.due != b.due ? a.due > b.due : laterFirst(a, b);
};

} // namespace

// --- Messages

/// Under the sender's lock.
void KeyedExecution::transmit(Node& from, KeyMessage&& message, SimTime now) {
    m_underWay.fetch_add(1);
    if (m_settling) {
        m_settling->push_back(std::move(message));
        return;
    }
    Node& to = *m_nodes[message.to];
    const KeyedRoute& route = m_routes.between(from.self, to.self);
    if (!route.up) {
        from.held.push_back(std::move(message));
        return;
    }
    const std::uint64_t bytes = message.bytes(), number = from.sent++;
    const Duration time = transmissionTime(bytes, route.sendingNs);
    const SimTime start = std::max(now, from.sendFree);
    from.sendFree = start + time;
    from.counts.sendingNs += time.ns;
    from.pairBytes[to.self] += bytes;
    Duration latency = route.latency;
    if (m_shared.options.keyedDelay) latency = latency + m_shared.options.keyedDelay(number);
    const SimTime arrives = std::max(start + latency, from.lastArrival[to.self]); // order between two nodes is kept
    from.lastArrival[to.self] = arrives;
    const SimTime whole = std::max(arrives, from.sendFree + latency);
    for (const std::uint32_t key : message.keys) {
        if (std::ranges::find(m_watched, key) == m_watched.end()) continue;
        if (m_watchedEvents.fetch_add(1) >= KeyedWorld::mostWatchedEvents) break;
        tell(events::keyMessage(m_setup.job, static_cast<std::uint16_t>(message.type), key, from.self, to.self,
                                (whole - now).toSeconds()));
    }
    {
        const std::scoped_lock lock(to.inboxMutex);
        to.inbox.push_back({now, arrives, whole, {}, number, std::move(message)});
        std::push_heap(to.inbox.begin(), to.inbox.end(), laterFirst);
    }
    to.inboxChanged.notify_one();
}

void KeyedExecution::serve(Node& node, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        const SimTime now = m_shared.clock.now(), arrival = takeArrived(node, now);
        const SimTime round{node.nextRound.load()};
        if (!node.received.empty() && node.received.front().due <= now) {
            std::pop_heap(node.received.begin(), node.received.end(), laterDue);
            Arrival next = std::move(node.received.back());
            node.received.pop_back();
            handle(node, std::move(next));
            continue;
        }
        if (round <= now) {
            beginRound(node, now);
            continue;
        }
        SimTime next = std::min(arrival, round);
        if (!node.received.empty()) next = std::min(next, node.received.front().due);
        if (next <= now + finestSleep) {
            std::this_thread::yield();
            continue;
        }
        std::unique_lock lock(node.inboxMutex);
        node.inboxChanged.wait_until(lock, stop, m_shared.clock.at(next - finestSleep), [&] {
            return node.woken || (!node.inbox.empty() && node.inbox.front().first < next);
        });
        node.woken = false;
    }
}

/// Those whose first bit has come by now pass the network interface, in order; when the next one comes.
SimTime KeyedExecution::takeArrived(Node& node, SimTime now) {
    for (;;) {
        Arrival arrival;
        {
            const std::scoped_lock lock(node.inboxMutex);
            if (node.inbox.empty()) return SimTime::never();
            if (node.inbox.front().first > now) return node.inbox.front().first;
            std::pop_heap(node.inbox.begin(), node.inbox.end(), laterFirst);
            arrival = std::move(node.inbox.back());
            node.inbox.pop_back();
        }
        const std::scoped_lock lock(node.mutex);
        const double nsPerByte = m_routes.between(arrival.message.from, node.self).receivingNs;
        const Duration time = transmissionTime(arrival.message.bytes(), nsPerByte);
        node.receiveFree = std::max(std::max(arrival.first, node.receiveFree) + time, arrival.whole);
        node.counts.receivingNs += time.ns;
        arrival.due = node.receiveFree;
        node.received.push_back(std::move(arrival));
        std::push_heap(node.received.begin(), node.received.end(), laterDue);
    }
}

void KeyedExecution::handle(Node& node, Arrival arrival) {
    {
        const std::scoped_lock lock(node.mutex);
        const SimTime begin = m_shared.clock.now();
        node.counts.deliveryNs += (begin - arrival.sent).ns;
        Outbox out(*this, node, begin);
        node.protocol->onMessage(arrival.message, out);
        if (node.roundDue && !node.protocol->replicas().active()) {
            node.roundDue = false;
            out.beginRound();
        }
        node.copyTimes.hold(node.protocol->copies(), begin);
        if (!arrival.message.isAnswer()) node.counts.serverNs += (m_shared.clock.now() - begin).ns;
    }
    if (m_underWay.fetch_sub(1) == 1 && m_busy.load() == 0) signal();
}

void KeyedExecution::beginRound(Node& node, SimTime now) {
    const std::scoped_lock lock(node.mutex);
    const Duration every = Duration::secondsUp(1 / node.protocol->roundsPerSecond());
    SimTime next{node.nextRound.load()};
    do next = next + every;
    while (next <= now); // one that comes too late is left out
    node.nextRound.store(next.ns);
    if (m_resting) return;
    if (node.protocol->replicas().active()) {
        node.roundDue = true; // as soon as this one is over
        return;
    }
    Outbox(*this, node, now).beginRound();
}

// --- Workers

void KeyedExecution::work(Node& node, Worker& worker, const std::stop_token& stop) {
    KeyedWorker& w = worker.is;
    while (!stop.stop_requested()) {
        if (w.iterations < w.quota) {
            if (!iterate(node, worker, stop)) return;
            continue;
        }
        std::unique_lock lock(node.mutex);
        w.step = KeyedWorker::Step::done;
        ++node.done;
        tellClock(node);
        if (m_busy.fetch_sub(1) == 1) signal();
        if (!worker.changed.wait(lock, stop, [&] { return w.step != KeyedWorker::Step::done; })) return;
    }
}

/// False: it was told to stop, in the middle.
bool KeyedExecution::iterate(Node& node, Worker& worker, const std::stop_token& stop) {
    KeyedWorker& w = worker.is;
    if (!awaitTurn(node, worker, stop)) return false;
    if (m_job->plan.relocates) localizeAhead(node, worker);
    if (!(w.task ? readExample(node, worker, stop) : read(node, worker, stop))) return false;
    w.step = KeyedWorker::Step::push;
    if (m_shared.options.keyObserver && !w.task)
        m_shared.options.keyObserver->read(w.number, w.key, w.values.data(), m_shared.clock.now());
    if (const Duration compute = computeTime(node, worker); compute.ns > 0) {
        waitUntil(m_shared.clock, m_shared.clock.now() + compute, stop);
        if (stop.stop_requested()) return false;
    }
    add(node, worker);
    return true;
}

/// Until it is not too far ahead of other workers, and has seen what others have added to replicas, as far as it is to wait for that.
bool KeyedExecution::awaitTurn(Node& node, Worker& worker, const std::stop_token& stop) {
    KeyedWorker& w = worker.is;
    if (node.protocol->clocks().bounded()) {
        std::unique_lock lock(node.mutex);
        if (!worker.changed.wait(lock, stop,
                                 [&] { return node.protocol->clocks().mayBegin(w.iterations - w.clockFrom); }))
            return false;
    }
    const auto& replication = m_job->plan.replication;
    if (!replication || replication->waitEvery == 0 || node.changedAt.empty() || w.iterations == w.waitedAt ||
        w.iterations % static_cast<std::uint64_t>(replication->waitEvery) != 0)
        return true;
    w.waitedAt = w.iterations;
    std::unique_lock lock(node.mutex);
    const std::uint64_t awaited = node.roundsEnded + 2;
    return worker.changed.wait(lock, stop, [&] { return node.roundsEnded >= awaited; });
}

/// Under the node's lock: a worker has ended an iteration, or its share.
void KeyedExecution::tellClock(Node& node) {
    if (!node.protocol->clocks().bounded()) return;
    std::uint64_t least = KeyClocks::done;
    for (const auto& worker : node.workers) {
        const std::uint64_t done = std::atomic_ref(worker->is.iterations).load(std::memory_order_relaxed);
        if (done < worker->is.quota) least = std::min(least, done - worker->is.clockFrom);
    }
    Outbox out(*this, node, m_shared.clock.now());
    node.protocol->advanceClock(least, out);
}

bool KeyedExecution::read(Node& node, Worker& worker, const std::stop_token& stop) {
    KeyedWorker& w = worker.is;
    const auto drawn = w.keys.at(w.iterations);
    const std::uint32_t key = drawn.key, bucket = drawn.bucket;
    w.key = key;
    const KeyStore& store = node.protocol->store();
    const std::uint64_t clock = w.iterations - w.clockFrom;
    const auto isRead = [&] { return node.protocol->mayRead(key, clock) && store.read(key, w.values); };
    if (isRead()) {
        countUp(worker.counts.pulls[0][bucket]);
        return true;
    }
    std::unique_lock lock(node.mutex);
    if (isRead()) { // it has come meanwhile
        countUp(worker.counts.pulls[0][bucket]);
        return true;
    }
    w.step = KeyedWorker::Step::waiting;
    ++node.waiting;
    Outbox out(*this, node, m_shared.clock.now());
    countUp(worker.counts.pulls[node.protocol->isUnderWay(key) ? 2 : 1][bucket]);
    node.protocol->pull(out.numberOf(worker), {&w.key, 1}, out, clock);
    return worker.changed.wait(lock, stop, [&] { return w.step == KeyedWorker::Step::push; });
}

/// The keys of the next example of a model.
bool KeyedExecution::readExample(Node& node, Worker& worker, const std::stop_token& stop) {
    KeyedWorker& w = worker.is;
    TaskWorker& task = *w.task;
    const KeyStore& store = node.protocol->store();
    task.begin(w.iterations, [&](std::uint32_t key) { return store.slot(key).isLocal(); });
    std::atomic_ref(worker.counts.sampleDispersion).store(task.sampleDispersion(), std::memory_order_relaxed);
    const std::uint64_t clock = w.iterations - w.clockFrom;
    const auto tryRead = [&](std::size_t n) {
        const std::uint32_t key = task.keys()[n];
        if (!node.protocol->mayRead(key, clock) || !store.read(key, task.values(n))) return false;
        countUp(worker.counts.pulls[0][m_job->buckets[key]]);
        return true;
    };
    w.ahead.clear();
    for (std::size_t n = 0; n < task.keys().size(); ++n)
        if (!tryRead(n)) w.ahead.push_back(static_cast<std::uint32_t>(n));
    if (w.ahead.empty()) return true;
    std::unique_lock lock(node.mutex);
    std::erase_if(w.ahead, tryRead); // it has come meanwhile
    if (w.ahead.empty()) return true;
    for (std::uint32_t& n : w.ahead) {
        n = task.keys()[n];
        countUp(worker.counts.pulls[node.protocol->isUnderWay(n) ? 2 : 1][m_job->buckets[n]]);
    }
    w.missing = static_cast<std::uint32_t>(w.ahead.size());
    w.step = KeyedWorker::Step::waiting;
    ++node.waiting;
    Outbox out(*this, node, m_shared.clock.now());
    node.protocol->pull(out.numberOf(worker), w.ahead, out, clock);
    return worker.changed.wait(lock, stop, [&] { return w.step == KeyedWorker::Step::push; });
}

/// Adds to the key that it has read, and ends the iteration.
void KeyedExecution::add(Node& node, Worker& worker) {
    KeyedWorker& w = worker.is;
    if (w.task) {
        addStep(node, worker);
    } else {
        const float* delta = nullptr;
        if (KeyObserver* observer = m_shared.options.keyObserver)
            delta = observer->adding(w.number, w.key, m_shared.clock.now());
        if (!delta) delta = m_delta.data();
        if (!addHere(node, worker, w.key, delta)) {
            const std::scoped_lock lock(node.mutex);
            if (!addHere(node, worker, w.key, delta)) { // nor has it come meanwhile
                Outbox out(*this, node, m_shared.clock.now());
                countUp(worker.counts.pushes[node.protocol->isUnderWay(w.key) ? 2 : 1]);
                node.protocol->push(out.numberOf(worker), {&w.key, 1}, delta, out);
            }
        }
    }
    countUp(w.iterations);
    w.step = KeyedWorker::Step::begin;
    if (!w.intents.empty() && w.intents.front().until <= w.iterations) {
        const std::scoped_lock lock(node.mutex);
        forEachReleased(w, [&](const std::vector<std::uint32_t>& keys) { node.protocol->release(keys); });
    }
    if (!node.protocol->clocks().bounded()) return;
    const std::scoped_lock lock(node.mutex);
    tellClock(node);
}

/// The model's step on what it has read: adds to keys that are here, and sends the rest to where they are.
void KeyedExecution::addStep(Node& node, Worker& worker) {
    TaskWorker& task = *worker.is.task;
    task.step(worker.is.iterations);
    task.addAll([&](std::uint32_t key, const float* delta) { return addHere(node, worker, key, delta); });
    if (task.away().empty()) return;
    const std::scoped_lock lock(node.mutex);
    std::vector<std::uint32_t> away;
    std::vector<float> deltas;
    for (std::size_t n = 0; n < task.away().size(); ++n) {
        const std::uint32_t key = task.away()[n];
        const float* delta = task.awayDeltas().data() + n * m_job->valuesPerKey;
        if (addHere(node, worker, key, delta)) continue; // it has come meanwhile
        countUp(worker.counts.pushes[node.protocol->isUnderWay(key) ? 2 : 1]);
        away.push_back(key);
        deltas.insert(deltas.end(), delta, delta + m_job->valuesPerKey);
    }
    if (away.empty()) return;
    Outbox out(*this, node, m_shared.clock.now());
    node.protocol->push(out.numberOf(worker), away, deltas.data(), out);
}

bool KeyedExecution::addHere(Node& node, Worker& worker, std::uint32_t key, const float* delta) {
    const auto addition = node.protocol->addLocal(key, delta);
    if (addition == KeyNode::Addition::none) return false;
    countUp(worker.counts.pushes[0]);
    if (addition == KeyNode::Addition::firstOfReplica)
        std::atomic_ref(node.changedAt[node.protocol->store().slot(key).index()])
            .store(m_shared.clock.now().ns, std::memory_order_relaxed);
    return true;
}

void KeyedExecution::localizeAhead(Node& node, Worker& worker) {
    KeyedWorker& w = worker.is;
    std::uint32_t lookAhead = static_cast<std::uint32_t>(m_access.lookAhead);
    if (m_job->plan.adapts) {
        const std::scoped_lock lock(node.mutex);
        lookAhead = node.protocol->lookAhead(lookAhead);
    }
    forEachLocalized(w, lookAhead, static_cast<std::uint32_t>(m_access.localizeEvery), m_job->plan.adapts,
                     [&](const std::vector<std::uint32_t>& keys) {
                         const std::scoped_lock lock(node.mutex);
                         Outbox out(*this, node, m_shared.clock.now());
                         node.protocol->localize(keys, out, w.iterations);
                     });
}

Duration KeyedExecution::computeTime(const Node& node, const Worker& worker) {
    if (const Duration constant = m_compute[node.machine.index()]; constant.ns >= 0) return constant;
    const auto& work = std::get<AnalyticWork>(spec().work);
    const DelayModel::Task task{m_setup.job, worker.is.number, static_cast<std::uint32_t>(worker.is.iterations + 1),
                                node.machine, work.secondsPerSample};
    const std::scoped_lock lock(m_delaysMutex); // burst chains are cached
    return Duration::seconds(m_delays.computeSeconds(task, work.batch, m_shared.clock.now()));
}

} // namespace trainyard
