// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The worker and server threads of an execution.
#include "engine/JobExecution.h"

namespace trainyard {

// What a parameter node may do, on its own thread. Lives for one call.
class JobExecution::Context final : public ParameterContext {
public:
    Context(JobExecution& job, Node& node, double holdSeconds = 0) : m_job(job), m_node(node), m_hold(holdSeconds) {}
    NodeIndex self() const override { return m_node.index; }
    SimTime now() const override { return m_job.m_shared.clock.now(); }
    void send(ParameterMessage message) override { m_job.send(m_node, std::move(message), m_hold); }
    void timer(Duration after, std::uint64_t tag) override { m_node.inbox.push(now() + after, NodeTimer{tag}); }
    void note(std::uint16_t series, double value, std::uint32_t first, std::uint32_t second) override {
        const NoteSeries number{PolicyFamily::parameters, series};
        m_job.emit(m_node.events, events::note(m_job.m_coordinator.id, number, first, second, value));
    }
    bool has(Key key) const override {
        const std::scoped_lock lock(m_job.m_storeMutex);
        return store().home(key) == m_node.index;
    }
    std::span<const double> parameters(Key key) const override { // a copy: the coordinator may write meanwhile
        const std::scoped_lock lock(m_job.m_storeMutex);
        const auto values = store().parameters(key);
        m_node.read[key].assign(values.begin(), values.end());
        m_node.readVersions[key] = store().version();
        return m_node.read[key];
    }
    std::uint64_t version(Key key) const override { return m_node.readVersions[key]; }
    std::vector<double> take(Key key) override {
        const std::scoped_lock lock(m_job.m_storeMutex);
        return store().take(key);
    }
    void insert(Key key, std::vector<double>) override {
        const std::scoped_lock lock(m_job.m_storeMutex);
        store().place(key, m_node.index);
        m_job.emit(m_node.events, events::keyLocated(m_job.m_coordinator.id, key, m_node.index));
    }
    void pulled(std::uint64_t operation, std::span<const Key> keys, std::span<const double> values,
                std::uint64_t version) override {
        WorkerRun& w = m_node.worker;
        if (!w.awaits(WorkerRun::Stage::pulling, m_node.index, operation)) return;
        if (m_job.trained()) placeParameters(m_job.layout(), keys, values, w.parameters);
        if (w.hasRead(keys.size(), version)) m_job.beginCompute(m_node);
    }
    void arrived(NodeIndex worker, std::uint64_t operation, std::span<const Key> keys,
                 std::span<const double> values) override {
        m_job.m_inbox.push(now(), Part{worker, operation, {keys.begin(), keys.end()}, {values.begin(), values.end()}});
    }

private:
    JobStore& store() const { return m_job.m_coordinator.store; }
    JobExecution& m_job;
    Node& m_node;
    double m_hold;
};

void JobExecution::runNode(Node& node, std::stop_token stop) {
    guarded([&] {
        while (auto item = node.inbox.pop(m_shared.clock, stop)) handle(node, std::move(*item));
    });
}

void JobExecution::handle(Node& node, NodeItem item) {
    if (auto* message = std::get_if<ParameterMessage>(&item)) {
        Context context(*this, node);
        node.protocol->onMessage(context, std::move(*message));
    } else if (const auto* task = std::get_if<Task>(&item)) {
        beginTask(node, *task);
    } else if (const auto* over = std::get_if<ComputeOver>(&item)) {
        finishCompute(node, over->task);
    } else {
        Context context(*this, node);
        node.protocol->onTimer(context, std::get<NodeTimer>(item).tag);
    }
}

void JobExecution::send(Node& node, ParameterMessage message, double holdSeconds) {
    message.from = node.index;
    if (!message.ofTask())
        emit(node.events, events::messageSent(m_coordinator.id, message.kind, message.from, message.to, message.bytes));
    const RealNetwork::Message about{m_coordinator.id, message.from, message.to, message.operation, holdSeconds};
    const double bytes = message.bytes;
    const std::uint32_t from = m_nodes[message.from]->machine, to = m_nodes[message.to]->machine;
    auto& inbox = m_nodes[message.to]->inbox;
    m_shared.network.send(about, from, to, bytes,
                          [&inbox, m = std::move(message)](SimTime at) mutable { inbox.push(at, std::move(m)); });
}

void JobExecution::beginTask(Node& node, const Task& task) {
    WorkerRun& w = node.worker;
    {
        const std::scoped_lock lock(node.stageMutex);
        w.task = task.number;
        w.stage = WorkerRun::Stage::pulling;
    }
    w.assignment = task.assignment;
    w.samples = task.samples;
    w.share = task.share;
    w.secondsPerSample = task.secondsPerSample;
    if (!task.reads) {
        beginCompute(node);
        return;
    }
    w.beginRead(layout().keys());
    if (trained()) w.parameters.resize(layout().keyStart.back());
    Context context(*this, node);
    node.protocol->pull(context, entityOf(node.index, w.task), m_coordinator.store.keys());
}

// The gradient is computed here and now; the rest of the task's drawn time is waited for, cancellable.
void JobExecution::beginCompute(Node& node) {
    WorkerRun& w = node.worker;
    {
        const std::scoped_lock lock(node.stageMutex);
        if (w.task <= node.cancelled) return;
        const std::scoped_lock delays(m_delaysMutex);
        w.stage = WorkerRun::Stage::computing;
        // From the instant that the log gives: a thread that waits between two readings of the clock loses nothing.
        const SimTime began =
            emit(node.events, events::computeStarted(m_coordinator.id, node.index, w.task, w.samples));
        w.setTimes(m_delays, m_coordinator.id, node.index, began);
    }
    if (trained()) w.message = w.computeMessage(*m_coordinator.problem, node.index);
    node.inbox.push(w.computeEnd, ComputeOver{w.task});
}

// Under the lock to the end: a task that is cancelled sends nothing afterwards.
void JobExecution::finishCompute(Node& node, std::uint32_t task) {
    WorkerRun& w = node.worker;
    std::vector<double> values;
    if (trained())
        for (const Key key : m_coordinator.store.keys()) appendKeyMessage(layout(), key, w.message, values);
    const std::scoped_lock lock(node.stageMutex);
    if (w.stage != WorkerRun::Stage::computing || w.task != task || task <= node.cancelled) return;
    w.stage = WorkerRun::Stage::pushing;
    emit(node.events,
         events::pushStarted(m_coordinator.id, node.index, task, gradientBytes(layout(), m_coordinator.problem.get())));
    double hold;
    {
        const std::scoped_lock delays(m_delaysMutex);
        hold = m_delays.uploadSeconds({m_coordinator.id, node.index, task, w.machine});
    }
    Context context(*this, node, hold);
    node.protocol->push(context, entityOf(node.index, task), m_coordinator.store.keys(), values);
}

} // namespace trainyard
