// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The own thread of an executed keyed job: its beginning, quiet points, checkpoints, log, and its end.
#include "engine/keyed/KeyedExecution.h"

#include "base/Result.h"
#include "base/Stopped.h"
#include "engine/keyed/KeyedOutbox.h"
#include "policy/keys/AdaptiveNode.h"
#include "policy/keys/KeyNodes.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

KeyedExecution::KeyedExecution(const Shared& shared, KeyedExecutionSetup setup)
    : m_shared(shared), m_setup(std::move(setup)), m_goal(keyedGoal(spec())), m_logged(m_setup.updates),
      m_access(*spec().keyedAccess()),
      m_delta(static_cast<std::size_t>(m_access.valuesPerKey), static_cast<float>(m_access.push)),
      m_delays(std::shared_ptr<const Workload>(std::shared_ptr<void>(), &shared.workload), shared.options.seed,
               DelayModel::Streams::execute, shared.options.stop),
      m_compute(keyedComputeTimes(shared.workload, m_setup.job, m_delays, shared.clock.now())),
      m_routes(keyedMachines(m_setup.placement).size()), m_oldestChange(2 * m_routes.nodes()) {
    const auto machines = keyedMachines(m_setup.placement);
    m_job = std::make_shared<const KeyJob>(m_setup.plan, m_setup.keys, KeyUpdate(m_access),
                                           static_cast<std::uint32_t>(machines.size()), m_setup.pace);
    for (const double rank : m_access.watchedRanks)
        if (rank >= 1 && rank <= static_cast<double>(m_access.keys))
            m_watched.push_back(m_setup.keys->keyAt(static_cast<std::uint32_t>(rank - 1)));
    const auto task =
        makeTaskWork(spec(), m_setup.plan.relocates, shared.options.seed,
                     static_cast<std::size_t>(std::ranges::count_if(m_setup.placement.workers, &MachineId::valid)));
    std::vector<float> initial;
    if (task && !m_setup.saved) initial = initialValues(*task->model);
    std::uint32_t workers = 0;
    for (std::uint32_t n = 0; n < machines.size(); ++n) {
        Node& node = *m_nodes.emplace_back(std::make_unique<Node>());
        node.self = n;
        node.machine = machines[n];
        node.protocol = shared.options.makeKeyNode ? shared.options.makeKeyNode(m_job, n) : makeKeyNode(m_job, n);
        if (m_setup.saved)
            restoreValues(*node.protocol, m_setup.saved->values);
        else if (task)
            restoreValues(*node.protocol, initial);
        node.protocol->store().share();
        node.changedAt.assign(node.protocol->replicas().count(), SimTime::never().ns);
        node.lastArrival.resize(machines.size());
        node.pairBytes.resize(machines.size());
        for (const MachineId machine : m_setup.placement.workers)
            if (machine == node.machine)
                node.workers.push_back(std::make_unique<Worker>(
                    makeKeyedWorker(m_access, m_setup.keys, task, m_setup.saved.get(), workers++,
                                    m_setup.plan.adapts ? AdaptiveNode::mostLookAhead : 0)));
    }
    if (const auto& seconds = spec().stop.seconds)
        m_limit = shared.clock.now() + Duration::seconds(std::max(0.0, *seconds - m_setup.ranSeconds));
    m_before = m_setup.updates - std::min(m_setup.updates, iterations());
    rerouted();
    setCounted(true);
    m_thread = std::jthread([this](const std::stop_token& stop) { guarded([&] { run(stop); }); });
}

KeyedExecution::~KeyedExecution() { stop(); }

void KeyedExecution::guarded(const std::function<void()>& body) {
    try {
        body();
    } catch (const Stopped&) { // the run ends; its own thread says so
    } catch (...) {
        {
            const std::scoped_lock lock(m_endMutex);
            if (!m_error) m_error = std::current_exception();
        }
        end({});
    }
}

void KeyedExecution::end(std::optional<FinishReason> reason) {
    {
        const std::scoped_lock lock(m_endMutex);
        if (!m_reason) m_reason = reason;
    }
    m_ended.store(true, std::memory_order_release);
    m_shared.ended.call();
}

std::optional<FinishReason> KeyedExecution::finishReason() const {
    const std::scoped_lock lock(m_endMutex);
    if (m_error) std::rethrow_exception(m_error);
    return m_reason;
}

/// Whether the run is to wait for what happens here.
void KeyedExecution::setCounted(bool counted) {
    const std::scoped_lock lock(m_mutex);
    if (std::exchange(m_counted, counted) != counted) m_shared.work.add(counted ? 1 : -1);
}

void KeyedExecution::signal() {
    {
        const std::scoped_lock lock(m_mutex);
        m_signalled = true;
    }
    m_changed.notify_one();
}

std::vector<std::unique_lock<std::mutex>> KeyedExecution::lockNodes() {
    std::vector<std::unique_lock<std::mutex>> locks;
    for (const auto& node : m_nodes) locks.emplace_back(node->mutex);
    return locks;
}

std::vector<const KeyNode*> KeyedExecution::protocols() const {
    std::vector<const KeyNode*> out;
    for (const auto& node : m_nodes) out.push_back(node->protocol.get());
    return out;
}

std::uint64_t KeyedExecution::iterations() const {
    std::uint64_t sum = 0;
    for (const auto& node : m_nodes)
        for (const auto& worker : node->workers)
            sum += std::atomic_ref(worker->is.iterations).load(std::memory_order_relaxed);
    return sum;
}

// --- From quiet point to quiet point

void KeyedExecution::run(const std::stop_token& stop) {
    if (!restore(stop)) return;
    logHeld();
    beginStretch(); // before its workers look for something to do
    for (const auto& node : m_nodes) {
        node->thread =
            std::jthread([this, n = node.get()](const std::stop_token& s) { guarded([&] { serve(*n, s); }); });
        for (const auto& worker : node->workers)
            worker->thread = std::jthread([this, n = node.get(), w = worker.get()](const std::stop_token& s) {
                guarded([&] { work(*n, *w, s); });
            });
    }
    for (;;) {
        if (!awaitQuiet(stop)) return;
        log();
        const std::uint64_t done = m_before + iterations();
        if (evaluate(done)) return end(FinishReason::loss);
        if (done >= m_goal.iterations) return end(m_goal.reason);
        if (m_goal.savesAt(done) && !takeCheckpoint(stop)) return;
        beginStretch();
    }
}

/// At a quiet point, where a model is trained; whether the job is over, since it has come to its loss or diverged. What is no number is
/// not logged.
bool KeyedExecution::evaluate(std::uint64_t done) {
    if (!m_goal.evaluatesAt(done) && !(m_goal.evaluateEvery > 0 && done >= m_goal.iterations)) return false;
    std::vector<std::pair<double, std::uint64_t>> losses;
    for (const auto& node : m_nodes)
        for (const auto& worker : node->workers) losses.push_back(worker->is.task->takeLoss());
    const KeyedEvaluation found = evaluateKeyed(*m_access.model, *m_job, protocols(), losses);
    const auto isNumber = [](const Quality& quality) { return std::isfinite(quality.value); };
    if (!std::isfinite(found.loss) || !std::ranges::all_of(found.qualities, isNumber)) return m_diverged = true;
    for (const Event& event : evaluationEvents(m_setup.job, m_access, done, found)) tell(event);
    return spec().stop.loss && found.loss <= *spec().stop.loss;
}

bool KeyedExecution::restore(const std::stop_token& stop) {
    const Restoring& restoring = m_setup.restoring;
    if (restoring.begins && (m_setup.updates > 0 || restoring.bytes > 0))
        tell(events::jobRestored(m_setup.job, m_setup.updates, restoring.bytes));
    if (!awaitTransfers(restoring.transfers, stop)) return false;
    return awaitInstant(m_shared.clock.now() + Duration::seconds(restoring.seconds), stop);
}

/// False: it was told to stop, or has had its time.
bool KeyedExecution::awaitInstant(SimTime instant, const std::stop_token& stop) {
    waitUntil(m_shared.clock, std::min(instant, m_limit), stop);
    if (stop.stop_requested()) return false;
    if (instant >= m_limit) end(FinishReason::seconds);
    return instant < m_limit;
}

/// The network counts as pending work what moves there.
bool KeyedExecution::awaitTransfers(const std::vector<ParameterTransfer>& transfers, const std::stop_token& stop) {
    if (transfers.empty()) return true;
    {
        const std::scoped_lock lock(m_mutex);
        m_missing = transfers.size();
    }
    for (const auto& t : transfers)
        m_shared.network.transfer(m_setup.job, t.from, t.to, t.bytes, [this](SimTime at) {
            {
                const std::scoped_lock lock(m_mutex);
                m_arrived = std::max(m_arrived, at);
                if (--m_missing == 0 && !std::exchange(m_counted, true)) m_shared.work.add(1);
            }
            m_changed.notify_one();
        });
    SimTime arrived;
    {
        std::unique_lock lock(m_mutex);
        if (m_missing > 0 && std::exchange(m_counted, false)) m_shared.work.add(-1);
        if (!m_changed.wait_until(lock, stop, m_shared.clock.at(m_limit), [&] { return m_missing == 0; })) {
            if (!stop.stop_requested()) end(FinishReason::seconds);
            return false;
        }
        arrived = m_arrived;
    }
    return awaitInstant(arrived, stop);
}

void KeyedExecution::beginStretch() {
    const std::uint64_t done = m_before + iterations();
    const std::uint64_t more = std::max(m_goal.stretch(done), done) - done;
    const auto locks = lockNodes();
    std::vector<const KeyedWorker*> workers;
    for (const auto& node : m_nodes)
        for (const auto& worker : node->workers) workers.push_back(&worker->is);
    const auto quotas = quotasOf(workers, more);
    m_busy.store(workers.size());
    m_resting = false;
    const SimTime now = m_shared.clock.now();
    std::size_t w = 0;
    for (const auto& node : m_nodes) {
        for (const auto& worker : node->workers) {
            worker->is.quota = quotas[w++];
            worker->is.clockFrom = worker->is.iterations;
            worker->is.step = KeyedWorker::Step::begin;
            if (m_job->plan.adapts) worker->is.localized = false, worker->is.intents.clear(); // all intents have ended
            worker->changed.notify_one();
        }
        node->done = 0;
        node->protocol->beginStretch();
        node->copyTimes.hold(node->protocol->copies(), now);
        if (!node->protocol->hasRounds() || node->nextRound.load() != SimTime::never().ns) continue;
        node->nextRound.store((now + Duration::secondsUp(1 / node->protocol->roundsPerSecond())).ns);
        {
            const std::scoped_lock lock(node->inboxMutex);
            node->woken = true;
        }
        node->inboxChanged.notify_one();
    }
}

/// Logs what happens meanwhile. False: it was told to stop, or has had its time.
bool KeyedExecution::awaitQuiet(const std::stop_token& stop) {
    SimTime tick = m_shared.clock.now() + m_intervals.length;
    for (;;) {
        if (findQuiet()) return true;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait_until(lock, stop, m_shared.clock.at(std::min(tick, m_limit)), [&] { return m_signalled; });
            m_signalled = false;
        }
        if (stop.stop_requested()) return false;
        if (m_shared.clock.now() >= m_limit) {
            end(FinishReason::seconds);
            return false;
        }
        if (m_busy.load() == 0) log(); // when the last worker has ended; messages and replicas may take longer
        if (m_shared.clock.now() < tick) continue;
        log();
        setCounted(!waitsForRoute());
        m_intervals.next();
        tick = m_shared.clock.now() + m_intervals.length;
    }
}

/// Workers have done their share, all messages are delivered, all replicas equal.
bool KeyedExecution::findQuiet() {
    if (m_busy.load() > 0) return false;
    const auto locks = lockNodes();
    if (m_underWay.load() > 0) return false;
    for (const auto& node : m_nodes) {
        const ReplicaRounds& replicas = node->protocol->replicas();
        if (!node->protocol->isQuiet() || node->roundDue) return false;
        if (replicas.rounds() != m_nodes[0]->protocol->replicas().rounds()) return false;
    }
    return m_resting = true;
}

/// Nothing happens any more unless a link comes back.
bool KeyedExecution::waitsForRoute() {
    const auto locks = lockNodes();
    std::size_t held = 0, waiting = 0;
    for (const auto& node : m_nodes) held += node->held.size(), waiting += node->waiting;
    return held > 0 && held == m_underWay.load() && waiting == m_busy.load();
}

bool KeyedExecution::takeCheckpoint(const std::stop_token& stop) {
    auto saved = std::make_shared<const KeyedSnapshot>(keyedSnapshot()); // nothing moves: it is quiet
    const double bytes = checkpointBytes(spec(), nullptr);
    const std::uint64_t done = m_before + iterations();
    tell(events::checkpointStarted(m_setup.job, done, bytes));
    if (!awaitTransfers(checkpointTransfers(m_setup.placement, m_shared.storage, bytes), stop)) return false;
    m_checkpoint = JobSnapshot{.updates = done, .samplesUsed = m_setup.samplesUsed, .keyed = std::move(saved)};
    tell(events::checkpointDone(m_setup.job, done));
    return true;
}

KeyedSnapshot KeyedExecution::keyedSnapshot() const {
    KeyedSnapshot out{keyValues(*m_job, protocols()), {}};
    for (const auto& node : m_nodes)
        for (const auto& worker : node->workers)
            out.workers.push_back({worker->is.iterations, worker->is.keys, worker->is.task});
    return out;
}

// --- The log

/// Where keys are at the start, replicated ones too.
void KeyedExecution::logHeld() {
    for (const auto& node : m_nodes)
        for (const Event& event : heldEvents(m_setup.job, node->self, heldKeys(*node->protocol))) tell(event);
    for (const Event& event : heldEvents(m_setup.job, everyNode, heldReplicas(*m_job))) tell(event);
    for (const Event& event : m_shown.moves(m_setup.job, *m_job, protocols())) tell(event);
}

void KeyedExecution::log() {
    const auto take = [](std::uint64_t& counted, std::uint64_t& logged) {
        const std::uint64_t now = std::atomic_ref(counted).load(std::memory_order_relaxed);
        return now - std::exchange(logged, now);
    };
    if (const std::uint64_t done = m_before + iterations(); done > m_logged) {
        const double samples =
            static_cast<double>(done - std::exchange(m_logged, done)) * std::get<AnalyticWork>(spec().work).batch;
        m_setup.samplesUsed += samples;
        tell(events::updateApplied(m_setup.job, done, samples));
    }
    std::vector<Event> all;
    std::vector<std::uint64_t> bytes;
    const auto locks = lockNodes();
    for (const auto& node : m_nodes) {
        node->counts.copyNs += node->copyTimes.take(m_shared.clock.now());
        KeyedCounts counts = std::exchange(node->counts, {});
        for (const auto& worker : node->workers) {
            for (std::size_t kind = 0; kind < 3; ++kind) {
                counts.pushes[kind] += take(worker->counts.pushes[kind], worker->logged.pushes[kind]);
                for (std::size_t b = 0; b < rankBuckets; ++b)
                    counts.pulls[kind][b] += take(worker->counts.pulls[kind][b], worker->logged.pulls[kind][b]);
            }
            counts.sampleDispersion +=
                std::atomic_ref(worker->counts.sampleDispersion).load(std::memory_order_relaxed) /
                static_cast<double>(node->workers.size());
        }
        for (const Event& event : countEvents(m_setup.job, node->self, counts)) tell(event);
        for (std::uint64_t& sent : node->pairBytes) bytes.push_back(std::exchange(sent, 0));
    }
    for (const Event& event : byteEvents(m_setup.job, m_routes, bytes, m_shared.workload.cluster.links.size()))
        tell(event);
    for (const Event& event : m_shown.moves(m_setup.job, *m_job, protocols())) tell(event);
}

// --- Its end

void KeyedExecution::rerouted() {
    const auto locks = lockNodes();
    for (std::size_t a = 0; a < m_nodes.size(); ++a)
        for (std::size_t b = 0; b < m_nodes.size(); ++b) {
            if (a == b) continue;
            const auto route = m_shared.network.routeBetween(m_nodes[a]->machine.value, m_nodes[b]->machine.value);
            m_routes.between(a, b) = keyedRoute(route ? &*route : nullptr, m_shared.workload.cluster);
        }
    for (const auto& node : m_nodes)
        for (KeyMessage& message : std::exchange(node->held, {})) {
            m_underWay.fetch_sub(1);
            transmit(*node, std::move(message), m_shared.clock.now());
        }
    bool waits;
    {
        const std::scoped_lock lock(m_mutex);
        waits = m_missing == 0;
    }
    if (waits) setCounted(true); // until it turns out that it waits for another route
}

void KeyedExecution::stop() {
    if (std::exchange(m_stopped, true)) return;
    m_thread.request_stop();
    if (m_thread.joinable()) m_thread.join();
    for (const auto& node : m_nodes) {
        node->thread.request_stop();
        for (const auto& worker : node->workers) worker->thread.request_stop();
    }
    for (const auto& node : m_nodes) {
        if (node->thread.joinable()) node->thread.join();
        for (const auto& worker : node->workers)
            if (worker->thread.joinable()) worker->thread.join();
    }
    m_shared.network.cancelAll(m_setup.job);
    {
        const std::scoped_lock lock(m_endMutex);
        if (m_error) return setCounted(false);
    }
    guarded([&] {
        settle();
        log();
        m_snapshot = JobSnapshot{.updates = m_before + iterations(),
                                 .samplesUsed = m_setup.samplesUsed,
                                 .keyed = std::make_shared<const KeyedSnapshot>(keyedSnapshot())};
    });
    setCounted(false);
}

/// Workers end the iteration that they are at, everything is delivered, replicas become equal. No thread runs any more.
void KeyedExecution::settle() {
    std::deque<KeyMessage> messages;
    std::vector<Arrival> arrivals;
    for (const auto& node : m_nodes)
        for (auto* from : {&node->received, &node->inbox}) {
            std::ranges::move(*from, std::back_inserter(arrivals));
            from->clear();
        }
    std::ranges::sort(arrivals, [](const Arrival& a, const Arrival& b) {
        return std::tuple(a.first, a.message.from, a.number) < std::tuple(b.first, b.message.from, b.number);
    });
    for (Arrival& arrival : arrivals) messages.push_back(std::move(arrival.message));
    for (const auto& node : m_nodes) // sent after those that were under way
        for (KeyMessage& message : std::exchange(node->held, {})) messages.push_back(std::move(message));
    m_settling = &messages;
    deliverAll();
    for (;;) { // a round has begun at some nodes, or something has been added since
        std::uint32_t most = 0;
        bool clean = true;
        for (const auto& node : m_nodes) {
            most = std::max(most, node->protocol->replicas().rounds());
            clean = clean && node->protocol->isQuiet();
        }
        bool begun = false;
        for (const auto& node : m_nodes)
            if (node->protocol->replicas().rounds() < most) {
                Outbox out(*this, *node, m_shared.clock.now());
                node->protocol->beginRound(true, out);
                begun = true;
            }
        if (!begun && clean) break;
        if (!begun)
            for (const auto& node : m_nodes) {
                Outbox out(*this, *node, m_shared.clock.now());
                node->protocol->beginRound(true, out);
            }
        deliverAll();
    }
    m_settling = nullptr;
    require(m_underWay.load() == 0, "a message of a keyed job was lost");
}

void KeyedExecution::deliverAll() {
    for (;;) {
        while (!m_settling->empty()) {
            KeyMessage message = std::move(m_settling->front());
            m_settling->pop_front();
            Node& node = *m_nodes[message.to];
            Outbox out(*this, node, m_shared.clock.now());
            node.protocol->onMessage(message, out);
            m_underWay.fetch_sub(1);
        }
        for (const auto& node : m_nodes)
            for (const auto& worker : node->workers)
                if (worker->is.step == KeyedWorker::Step::push) add(*node, *worker);
        if (m_settling->empty()) return;
    }
}

} // namespace trainyard
