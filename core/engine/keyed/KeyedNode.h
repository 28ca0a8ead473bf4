// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One node of a keyed job in virtual time: its workers, which are threads that share its store, its server thread, which handles
// requests one after the other, and its network interface, which sends and receives first in, first out. Runs alone until an
// instant before which no message can come that is not in its inbox already. Part of KeyedRun.
#include "base/Cloned.h"
#include "engine/keyed/KeyCursor.h"
#include "engine/keyed/KeyedCounts.h"
#include "engine/keyed/KeyedWorld.h"
#include "engine/keyed/TaskWorker.h"
#include "policy/keys/KeyNode.h"

namespace trainyard {

struct KeyedWorker {
    enum class Step : std::uint8_t { begin, waiting, awaitsRounds, awaitsClock, push, done };
    SimTime at; ///< of its next step; never(): it waits, or is done
    Step step = Step::begin;
    bool localized = false;        ///< the keys of its first iterations
    std::uint64_t localizedTo = 0; ///< keys of iterations before this one have been asked for
    std::uint32_t number = 0;      ///< among all workers of the job, node by node
    std::uint32_t key = 0;         ///< of its present iteration
    std::uint64_t iterations = 0, quota = 0;
    std::uint64_t clockFrom = 0;    ///< iterations at which its clock was 0
    std::uint64_t waitedAt = 0;     ///< iterations after which it last waited for rounds of replicas
    std::uint64_t awaitedRound = 0; ///< it goes on when its node has ended so many
    SimTime finishedAt;
    KeyCursor keys;
    std::vector<float> values;        ///< as last read
    std::optional<TaskWorker> task;   ///< of a job that trains a model; it has no use for `keys`, `key` and `values`
    std::uint32_t missing = 0;        ///< keys of its task that have not come
    SimTime readUntil;                ///< when it has read those of them that were here
    std::vector<std::uint32_t> ahead; ///< working memory
    struct Intent {
        std::uint64_t until = 0; ///< iterations after which they are not needed any more
        std::vector<std::uint32_t> keys;
    };
    std::deque<Intent> intents; ///< where the plan adapts: what was asked for and is not yet used
    /// Appends what it will read in that iteration, to `ahead`.
    void lookAhead(std::uint64_t iteration) {
        if (task)
            task->prepare(iteration, ahead);
        else
            ahead.push_back(keys.at(iteration).key);
    }
};

/// Before an iteration of a worker, of a policy that relocates: which keys it asks for, by localize(keys, progress). At the start those
/// of all iterations within the look-ahead, in batches; then, before each iteration that begins a batch, those that the look-ahead
/// has come to.
template <class Localize>
void forEachLocalized(KeyedWorker& worker, std::uint32_t lookAhead, std::uint32_t every, bool adapts,
                      Localize localize) {
    if (worker.localized && worker.iterations % every != 0) return;
    const std::uint64_t batch = worker.iterations - worker.iterations % every, end = batch + lookAhead + every;
    if (!std::exchange(worker.localized, true)) worker.localizedTo = batch;
    while (worker.localizedTo < end) {
        const std::uint64_t to = std::min(worker.localizedTo + every, end);
        worker.ahead.clear();
        for (std::uint64_t i = std::max(worker.localizedTo, worker.iterations); i < to; ++i) worker.lookAhead(i);
        worker.localizedTo = to;
        localize(worker.ahead);
        if (adapts) worker.intents.push_back({to, worker.ahead});
    }
}

/// After an iteration, where the plan adapts: release(keys) for those that are not needed any more.
template <class Release>
void forEachReleased(KeyedWorker& worker, Release release) {
    while (!worker.intents.empty() && worker.intents.front().until <= worker.iterations) {
        release(worker.intents.front().keys);
        worker.intents.pop_front();
    }
}

class KeyedNode {
public:
    KeyedNode(std::unique_ptr<KeyNode> protocol, std::uint32_t self, MachineId machine, double sampleSeconds,
              double samples);

    /// Everything that happens here before `end`.
    void run(KeyedWorld& world, SimTime end);
    SimTime next(const KeyedWorld& world) const;
    SimTime nextWorker() const;
    void addWorker(KeyedWorker worker) { m_workers.push_back(std::move(worker)); }
    std::vector<KeyedWorker>& workers() { return m_workers; }
    const std::vector<KeyedWorker>& workers() const { return m_workers; }
    KeyNode& protocol() { return *m_protocol; }
    const KeyNode& protocol() const { return *m_protocol; }
    KeyedCounts& counts() { return m_counts; }
    void holdCopies(SimTime now) { m_copyTimes.hold(m_protocol->copies(), now); }
    KeyedCounts takeCounts(SimTime now) {
        m_counts.copyNs += m_copyTimes.take(now);
        for (const KeyedWorker& worker : m_workers)
            if (worker.task)
                m_counts.sampleDispersion += worker.task->sampleDispersion() / static_cast<double>(m_workers.size());
        return std::exchange(m_counts, {});
    }
    MachineId machine() const { return m_machine; }
    SimTime lastEvent() const { return m_lastEvent; }
    SimTime nextRound() const { return m_nextRound; }
    void setRounds(SimTime first, Duration every) { m_nextRound = first, m_roundEvery = every; }
    bool isQuiet() const { return m_protocol->isQuiet() && !m_roundDue; }
    /// Constant; negative: each is drawn.
    void setCompute(Duration constant) { m_compute = constant; }
    /// Sends a message again that had no route.
    void resend(KeyedWorld& world, std::uint32_t message, SimTime now);

private:
    struct Due {
        SimTime at;
        std::uint32_t message = 0;
    };
    /// First in, first out.
    class DueQueue {
    public:
        bool empty() const { return m_first == m_items.size(); }
        SimTime next() const { return empty() ? SimTime::never() : m_items[m_first].at; }
        void push(Due due) { m_items.push_back(due); }
        Due pop() {
            const Due due = m_items[m_first++];
            if (empty()) m_items.clear(), m_first = 0;
            return due;
        }

    private:
        std::vector<Due> m_items;
        std::size_t m_first = 0;
    };
    class Outbox;

    SimTime nextMessage(const KeyedWorld& world) const;
    void handle(KeyedWorld& world, SimTime at);
    void receive(KeyedWorld& world);
    void carryOut(KeyedWorld& world, Due due);
    void beginRound(KeyedWorld& world);
    void startRound(KeyedWorld& world, Outbox& out);
    void runWorker(KeyedWorld& world, KeyedWorker& worker, SimTime limit);
    bool beginIteration(KeyedWorld& world, KeyedWorker& worker, SimTime limit);
    bool awaitRounds(KeyedWorker& worker);
    void endRound(const KeyedWorld& world);
    void tellClock(KeyedWorld& world);
    void wake(KeyedWorker& worker);
    void wakeByClock();
    bool beginExample(KeyedWorld& world, KeyedWorker& worker, SimTime limit);
    void add(KeyedWorld& world, KeyedWorker& worker);
    void addStep(KeyedWorld& world, KeyedWorker& worker);
    void endIteration(KeyedWorld& world, KeyedWorker& worker);
    void localizeAhead(KeyedWorld& world, KeyedWorker& worker);
    void transmit(KeyedWorld& world, std::uint32_t message);
    Duration computeTime(KeyedWorld& world, const KeyedWorker& worker);

    Cloned<KeyNode> m_protocol;
    std::uint32_t m_self;
    MachineId m_machine;
    double m_sampleSeconds, m_samples;
    Duration m_compute = Duration::nanoseconds(-1);
    SimTime m_now, m_lastEvent;
    SimTime m_sendFree, m_receiveFree, m_serverFree;
    std::uint64_t m_sent = 0;
    DueQueue m_answers, m_tasks; ///< received; and handled by the server thread
    std::vector<KeyedWorker> m_workers;
    KeyedCounts m_counts;
    SimTime m_nextRound = SimTime::never();
    Duration m_roundEvery;
    bool m_roundDue = false; ///< while another is not over
    bool m_woken = false;    ///< a worker goes on now, perhaps before the one that runs
    std::uint64_t m_roundsEnded = 0;
    CopyTimes m_copyTimes;
    bool m_caches;                    ///< copies may be too old to be read
    std::vector<SimTime> m_changedAt; ///< by place of a replica: its first addition that has not been collected
};

} // namespace trainyard
