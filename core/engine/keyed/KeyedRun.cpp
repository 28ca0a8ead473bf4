// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/keyed/KeyedRun.h"

#include "base/Result.h"
#include "policy/keys/AdaptiveNode.h"
#include "policy/keys/KeyNodes.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

void KeyedWorld::watch(const KeyMessage& message, SimTime sent, SimTime arrives) {
    for (const std::uint32_t key : message.keys) {
        if (std::ranges::find(watched, key) == watched.end() || watchedEvents == mostWatchedEvents) continue;
        ++watchedEvents;
        Event event = events::keyMessage(job, static_cast<std::uint16_t>(message.type), key, message.from, message.to,
                                         (arrives - sent).toSeconds());
        event.time = sent;
        entries.push_back(event);
    }
}

KeyedRun::KeyedRun(const KeyedSetup& setup)
    : m_world(keyedMachines(setup.placement).size()), m_mostWindow(setup.mostWindow) {
    const auto& work = std::get<AnalyticWork>(setup.spec.work);
    const KeyedAccess& access = *work.keyed;
    const auto machines = keyedMachines(setup.placement);
    const auto nodes = static_cast<std::uint32_t>(machines.size());
    m_job = std::make_shared<const KeyJob>(setup.plan, setup.keys, KeyUpdate(access), nodes, setup.pace);
    m_world.access = access;
    m_world.job = setup.job;
    m_world.pull = Duration::seconds(access.costs.pullSeconds);
    m_world.push = Duration::seconds(access.costs.pushSeconds);
    m_world.message = Duration::seconds(access.costs.messageSeconds);
    m_world.perKeyNs = access.costs.perKeySeconds * 1e9;
    m_world.delta.assign(static_cast<std::size_t>(access.valuesPerKey), static_cast<float>(access.push));
    m_world.observer = setup.observer;
    for (const double rank : access.watchedRanks)
        if (rank >= 1 && rank <= static_cast<double>(access.keys))
            m_world.watched.push_back(setup.keys->keyAt(static_cast<std::uint32_t>(rank - 1)));
    for (std::uint32_t n = 0; n < nodes; ++n) {
        auto protocol = setup.makeNode ? setup.makeNode(m_job, n) : makeKeyNode(m_job, n);
        m_nodes.emplace_back(std::move(protocol), n, machines[n], work.secondsPerSample, work.batch);
        m_nodes.back().setCompute(setup.compute[machines[n].index()]);
    }
    for (KeyedNode& node : m_nodes) node.counts().held = heldKeys(node.protocol());
    placeWorkers(setup);
    if (setup.saved) // all keys are at home, wherever they were
        for (KeyedNode& node : m_nodes) restoreValues(node.protocol(), setup.saved->values);
    else if (access.task)
        for (KeyedNode& node : m_nodes) restoreValues(node.protocol(), initialValues(*access.model));
    reroute(setup.route, setup.begin);
    m_quietSince = setup.begin;
}

void KeyedRun::placeWorkers(const KeyedSetup& setup) {
    const auto workers = static_cast<std::size_t>(
        std::ranges::count_if(setup.placement.workers, [](MachineId machine) { return machine.valid(); }));
    const auto task = makeTaskWork(setup.spec, setup.plan.relocates, setup.seed, workers);
    for (KeyedNode& node : m_nodes)
        for (const MachineId machine : setup.placement.workers) {
            if (machine != node.machine()) continue;
            const auto number = static_cast<std::uint32_t>(m_workers++);
            node.addWorker(makeKeyedWorker(m_world.access, setup.keys, task, setup.saved.get(), number,
                                           setup.plan.adapts ? AdaptiveNode::mostLookAhead : 0));
            node.workers().back().finishedAt = setup.begin;
        }
}

void KeyedRun::goOn(std::uint64_t iterations, SimTime at) {
    const std::uint64_t done = this->iterations();
    const std::uint64_t more = iterations - std::min(iterations, done);
    std::vector<const KeyedWorker*> workers;
    for (const KeyedNode& node : m_nodes)
        for (const KeyedWorker& worker : node.workers()) workers.push_back(&worker);
    const auto quotas = quotasOf(workers, more);
    std::size_t w = 0;
    for (KeyedNode& node : m_nodes) {
        for (KeyedWorker& worker : node.workers()) {
            worker.quota = quotas[w++];
            worker.clockFrom = worker.iterations;
            worker.step = KeyedWorker::Step::begin;
            worker.at = at;
            if (m_job->plan.adapts) worker.localized = false, worker.intents.clear(); // all intents have ended
        }
        node.protocol().beginStretch();
        node.holdCopies(at);
        if (!node.protocol().hasRounds()) continue;
        const Duration every = Duration::secondsUp(1 / node.protocol().roundsPerSecond());
        SimTime first = m_roundsFrom.value_or(at) + every;
        if (first <= at) first = first + Duration::nanoseconds((at - first).ns / every.ns * every.ns + every.ns);
        node.setRounds(first, every);
    }
    if (!m_roundsFrom) m_roundsFrom = at;
    m_quietSince.reset();
}

std::uint64_t KeyedRun::iterations() const {
    std::uint64_t sum = 0;
    for (const KeyedNode& node : m_nodes)
        for (const KeyedWorker& worker : node.workers()) sum += worker.iterations;
    return sum;
}

SimTime KeyedRun::next() const {
    SimTime next = SimTime::never();
    for (const KeyedNode& node : m_nodes) next = std::min(next, node.next(m_world));
    return next;
}

void KeyedRun::advance(SimTime until, DelayModel& delays) {
    m_world.delays = &delays;
    while (!m_quietSince) {
        const SimTime first = next();
        if (first >= until) break;
        SimTime end = std::min(until, first + m_window);
        for (const KeyedNode& node : m_nodes) // a quiet point before a round of replicas is none after it
            if (node.nextRound() > first) end = std::min(end, node.nextRound());
        for (KeyedNode& node : m_nodes) node.run(m_world, end);
        lookForQuiet();
    }
    m_world.delays = nullptr;
}

bool KeyedRun::workersAreDone() const {
    for (const KeyedNode& node : m_nodes)
        for (const KeyedWorker& worker : node.workers())
            if (worker.step != KeyedWorker::Step::done) return false;
    return true;
}

void KeyedRun::lookForQuiet() {
    if (m_world.underWay() > 0 || !workersAreDone()) return;
    if (!std::ranges::all_of(m_nodes, [](const KeyedNode& node) { return node.isQuiet(); })) return;
    SimTime last;
    for (const KeyedNode& node : m_nodes) last = std::max(last, node.lastEvent());
    m_quietSince = std::max(last, finishedAt());
}

SimTime KeyedRun::finishedAt() const {
    SimTime last;
    for (const KeyedNode& node : m_nodes)
        for (const KeyedWorker& worker : node.workers()) last = std::max(last, worker.finishedAt);
    return last;
}

// No worker is faster than if all its keys were here, and none is done before its last iteration.
SimTime KeyedRun::earliestQuiet() const {
    if (m_quietSince) return *m_quietSince;
    const SimTime soonest = next();
    if (soonest == SimTime::never()) return soonest;
    std::uint64_t most = 0;
    for (const KeyedNode& node : m_nodes)
        for (const KeyedWorker& worker : node.workers()) most = std::max(most, worker.quota - worker.iterations);
    // a remote addition costs its worker nothing, and ends no sooner than its answer
    const Duration least = std::min({m_world.pull, m_world.push, m_world.routes.least()});
    const double bound = static_cast<double>(most > 0 ? most - 1 : 0) * static_cast<double>(least.ns);
    return soonest + Duration::nanoseconds(bound < 9e18 ? static_cast<std::int64_t>(bound) : Duration::max().ns);
}

void KeyedRun::settle(DelayModel& delays) {
    SimTime last;
    for (const KeyedNode& node : m_nodes) last = std::max(last, node.lastEvent());
    for (KeyedNode& node : m_nodes)
        for (KeyedWorker& worker : node.workers()) {
            using Step = KeyedWorker::Step;
            const bool within = worker.step == Step::waiting || worker.step == Step::push;
            worker.quota = worker.iterations + (within ? 1 : 0);
            if (worker.step != Step::awaitsRounds && worker.step != Step::awaitsClock) continue;
            worker.step = Step::begin; // and is done
            worker.at = last;
        }
    if (!m_world.held.empty()) {
        reroute([](MachineId, MachineId) { return KeyedRoute{true, KeyedRoutes::leastLatency, 0, 0, {}}; }, last);
    }
    advance(SimTime::never(), delays);
    require(m_quietSince.has_value(), "a keyed job did not come to rest");
}

void KeyedRun::reroute(const std::function<KeyedRoute(MachineId, MachineId)>& route, SimTime now) {
    for (std::size_t a = 0; a < m_nodes.size(); ++a)
        for (std::size_t b = 0; b < m_nodes.size(); ++b)
            if (a != b) m_world.routes.between(a, b) = route(m_nodes[a].machine(), m_nodes[b].machine());
    m_window = std::min(m_world.routes.least(), m_mostWindow);
    for (const std::uint32_t message : std::exchange(m_world.held, {}))
        m_nodes[m_world.messages[message].from].resend(m_world, message, now);
}

std::vector<const KeyNode*> KeyedRun::protocols() const {
    std::vector<const KeyNode*> out;
    for (const KeyedNode& node : m_nodes) out.push_back(&node.protocol());
    return out;
}

KeyedEvaluation KeyedRun::evaluate() {
    std::vector<std::pair<double, std::uint64_t>> losses;
    for (KeyedNode& node : m_nodes)
        for (KeyedWorker& worker : node.workers()) losses.push_back(worker.task->takeLoss());
    return evaluateKeyed(*m_world.access.model, *m_job, protocols(), losses);
}

KeyedSnapshot KeyedRun::snapshot() const {
    KeyedSnapshot out{keyValues(*m_job, protocols()), {}};
    for (const KeyedNode& node : m_nodes)
        for (const KeyedWorker& worker : node.workers())
            out.workers.push_back({worker.iterations, worker.keys, worker.task});
    return out;
}

} // namespace trainyard
