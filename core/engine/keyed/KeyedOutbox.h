// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the protocol of a node causes on threads. Lives for one call, under the node's lock.
#include "base/Result.h"
#include "engine/keyed/KeyedExecution.h"

namespace trainyard {

class KeyedExecution::Outbox final : public KeyOutbox {
public:
    Outbox(KeyedExecution& job, Node& node, SimTime now) : m_job(job), m_node(node), m_now(now) {}
    KeyMessage& compose(KeyMessageType type, std::uint32_t to) override {
        KeyMessage& message = m_composed.emplace_back();
        message.type = type;
        message.from = m_node.self;
        message.to = to;
        return message;
    }
    void send(KeyMessage& message) override {
        require(message.to != m_node.self, "a node of a keyed job sent a message to itself");
        ++m_node.counts.messages[static_cast<std::size_t>(message.type)];
        m_node.counts.bytes[static_cast<std::size_t>(message.type)] += message.bytes();
        message.sent = m_now;
        if (!m_holdsBack) m_job.transmit(m_node, std::move(message), m_now);
    }
    void pulled(std::uint32_t number, std::uint32_t key, const float* values) override {
        Worker& worker = *m_node.workers[number];
        KeyedWorker& w = worker.is;
        require(w.step == KeyedWorker::Step::waiting && (w.task || w.key == key),
                "a pull was answered that nobody waits for");
        if (w.task) {
            w.task->receive(key, values);
            if (--w.missing > 0) return;
        } else {
            std::copy_n(values, w.values.size(), w.values.begin());
        }
        w.step = KeyedWorker::Step::push;
        --m_node.waiting;
        worker.changed.notify_one();
    }
    void pushed(std::uint32_t, std::uint32_t) override {}
    void located(std::uint32_t key) override {
        ++m_node.counts.received;
        ++m_node.counts.held[m_job.m_job->buckets[key]];
    }
    void departed(std::uint32_t key) override { --m_node.counts.held[m_job.m_job->buckets[key]]; }
    void note(std::uint16_t series, double value, std::uint32_t first) override {
        m_job.tell(events::note(m_job.m_setup.job, {PolicyFamily::parameters, series}, first, 0, value));
    }
    void clockAdvanced() override { wakeWorkers(); }
    void refreshed(SimTime sent) override { m_node.counts.refresh((m_now - sent).ns); }
    /// What other nodes have added is seen here from now on.
    void roundDone() override {
        ++m_node.counts.rounds;
        ++m_node.roundsEnded;
        const ReplicaRounds& replicas = m_node.protocol->replicas();
        if (m_node.protocol->isIdle()) { // no further one, until there is more to do
            m_node.nextRound.store(SimTime::never().ns);
            m_node.roundDue = false;
        }
        m_node.copyTimes.endRound(replicas.count(), m_now, m_node.counts);
        const std::size_t nodes = m_job.m_nodes.size(), first = (replicas.rounds() & 1) * nodes;
        for (std::size_t node = 0; node < nodes; ++node)
            if (const SimTime made{m_job.m_oldestChange[first + node].load()};
                node != m_node.self && made != SimTime::never())
                m_node.counts.stalenessNs = std::max(m_node.counts.stalenessNs, (m_now - made).ns);
        wakeWorkers();
    }

    /// Once its workers are done a node keeps no small changes back.
    void beginRound() {
        m_holdsBack = true; // until it is known how old the changes are
        m_node.copyTimes.beginRound(m_now);
        m_node.protocol->beginRound(m_node.done == m_node.workers.size(), *this);
        m_node.copyTimes.hold(m_node.protocol->copies(), m_now);
        const ReplicaRounds& replicas = m_node.protocol->replicas();
        std::int64_t oldest = SimTime::never().ns;
        for (const std::uint32_t place : replicas.collected())
            oldest = std::min(oldest, std::atomic_ref(m_node.changedAt[place]).exchange(SimTime::never().ns));
        m_job.m_oldestChange[(replicas.rounds() & 1) * m_job.m_nodes.size() + m_node.self].store(oldest);
        m_holdsBack = false;
        for (KeyMessage& message : m_composed) m_job.transmit(m_node, std::move(message), m_now);
    }
    std::uint32_t numberOf(const Worker& worker) const {
        const auto it = std::ranges::find(m_node.workers, &worker, [](const auto& w) { return w.get(); });
        return static_cast<std::uint32_t>(it - m_node.workers.begin());
    }

private:
    void wakeWorkers() {
        for (const auto& worker : m_node.workers) worker->changed.notify_one();
    }

    KeyedExecution& m_job;
    Node& m_node;
    SimTime m_now;
    std::deque<KeyMessage> m_composed; ///< a deque: references stay valid
    bool m_holdsBack = false;          ///< what is sent
};

} // namespace trainyard
