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
        m_job.transmit(m_node, std::move(message), m_now);
    }
    void pulled(std::uint32_t number, std::uint32_t key, const float* values) override {
        Worker& worker = *m_node.workers[number];
        KeyedWorker& w = worker.is;
        require(w.step == KeyedWorker::Step::waiting && w.key == key, "a pull was answered that nobody waits for");
        std::copy_n(values, w.values.size(), w.values.begin());
        w.step = KeyedWorker::Step::push;
        --m_node.waiting;
        worker.changed.notify_one();
    }
    void pushed(std::uint32_t, std::uint32_t) override {}
    void located(std::uint32_t) override { ++m_node.counts.received; }
    void roundDone() override { ++m_node.counts.rounds; }

    /// Once its workers are done a node keeps no small changes back.
    void beginRound() { m_node.protocol->beginRound(m_node.done == m_node.workers.size(), *this); }
    std::uint32_t numberOf(const Worker& worker) const {
        const auto it = std::ranges::find(m_node.workers, &worker, [](const auto& w) { return w.get(); });
        return static_cast<std::uint32_t>(it - m_node.workers.begin());
    }

private:
    KeyedExecution& m_job;
    Node& m_node;
    SimTime m_now;
    std::deque<KeyMessage> m_composed; ///< a deque: references stay valid
};

} // namespace trainyard
