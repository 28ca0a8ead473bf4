// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How a worker's task moves on: pull, compute, push, arrival, cancellation; and the nodes' view of virtual
// time.
#include "engine/SimulationCore.h"

#include <algorithm>
#include <functional>

namespace trainyard {

// What a parameter node may do, in virtual time. Lives for one call.
class SimulationCore::Context final : public ParameterContext {
public:
    Context(SimulationCore& core, JobRun& run, NodeIndex self, double holdSeconds = 0)
        : m_core(core), m_run(run), m_self(self), m_hold(holdSeconds) {}
    NodeIndex self() const override { return m_self; }
    SimTime now() const override { return m_core.m_now; }
    void send(ParameterMessage message) override {
        message.from = m_self;
        m_core.sendMessage(m_run, std::move(message), m_hold);
    }
    void timer(Duration after, std::uint64_t tag) override {
        m_core.push(m_core.m_now + after, Kind::nodeTimer, m_run.id.value,
                    entityOf(m_run.generation, m_run.addTimer(m_self, tag)));
    }
    void note(std::uint16_t series, double value, std::uint32_t first, std::uint32_t second) override {
        m_core.emit(events::note(m_run.id, {PolicyFamily::parameters, series}, first, second, value));
    }
    bool has(Key key) const override { return m_run.store.home(key) == m_self; }
    std::span<const double> parameters(Key key) const override { return m_run.store.parameters(key); }
    std::uint64_t version(Key) const override { return m_run.store.version(); }
    std::vector<double> take(Key key) override { return m_run.store.take(key); }
    void insert(Key key, std::vector<double>) override {
        m_run.store.place(key, m_self);
        m_core.emit(events::keyLocated(m_run.id, key, m_self));
    }
    void pulled(std::uint64_t operation, std::span<const Key> keys, std::span<const double> values,
                std::uint64_t version) override {
        m_core.pulled(m_run, m_self, operation, {keys, values, version});
    }
    void pulledShared(std::uint64_t operation, ParameterMessage::SharedPart part, std::uint64_t version) override {
        const std::span keys(part->keys);
        const std::span values(part->values);
        m_core.pulled(m_run, m_self, operation, {keys, values, version, std::move(part)});
    }
    void arrived(NodeIndex worker, std::uint64_t operation, std::span<const Key> keys,
                 std::span<const double> values) override {
        m_core.arrived(m_run, worker, operation, keys, values);
    }

private:
    SimulationCore& m_core;
    JobRun& m_run;
    NodeIndex m_self;
    double m_hold;
};

void SimulationCore::deliverMessage(JobRun& run, ParameterMessage&& message) {
    const NodeIndex to = message.to;
    Context context(*this, run, to);
    run.nodes[to]->onMessage(context, std::move(message));
}

void SimulationCore::fireNodeTimer(JobRun& run, std::uint32_t index) {
    const auto [node, tag] = run.takeTimer(index);
    Context context(*this, run, node);
    run.nodes[node]->onTimer(context, tag);
}

std::vector<double> SimulationCore::parameters(JobId job) const {
    const auto& run = m_runs[job.index()];
    return run ? run->store.parameters() : std::vector<double>{};
}

// --- Tasks

void SimulationCore::assign(JobRun& run, std::uint32_t index, const Assignment& assignment, bool reads) {
    WorkerRun& w = run.tasks[index];
    w.task = run.workers[index].task;
    w.samples = run.workers[index].samples;
    w.share = run.shareFor(index, assignment);
    w.secondsPerSample = run.secondsPerSampleOf(index);
    w.assignment = assignment;
    w.computed = false;
    w.transfers.clear();
    if (!reads) {
        startCompute(run, index);
        return;
    }
    run.enter(index, WorkerRun::Stage::pulling);
    w.beginRead(run.layout().keys());
    Context context(*this, run, index);
    run.nodes[index]->pull(context, entityOf(index, w.task), run.store.keys());
}

void SimulationCore::pulled(JobRun& run, NodeIndex node, std::uint64_t operation, PulledValues read) {
    WorkerRun& w = run.tasks.at(node);
    if (!w.awaits(WorkerRun::Stage::pulling, node, operation)) return;
    const bool last = w.hasRead(read.keys.size(), read.version);
    if (run.problem) takeParameters(run, w, std::move(read));
    if (last) startCompute(run, node);
}

void SimulationCore::takeParameters(JobRun& run, WorkerRun& w, PulledValues read) {
    const bool whole = std::ranges::equal(read.keys, run.store.keys());
    if (whole && read.part) {
        const auto* values = &read.part->values;
        w.commonParameters = std::shared_ptr<const std::vector<double>>(std::move(read.part), values);
        return;
    }
    if (auto common = whole ? run.commonCopyOf(read.values) : nullptr) {
        w.commonParameters = std::move(common);
        return;
    }
    w.commonParameters.reset();
    w.parameters.resize(run.layout().keyStart.back());
    placeParameters(run.layout(), read.keys, read.values, w.parameters);
}

void SimulationCore::startCompute(JobRun& run, std::uint32_t index) {
    WorkerRun& w = run.tasks[index];
    run.enter(index, WorkerRun::Stage::computing);
    w.setTimes(m_delays, run.id, index, m_now);
    emit(events::computeStarted(run.id, index, w.task, w.samples));
    if (run.problem && m_parallel.threads() > 1) {
        m_computing.push_back({w.computeEnd, run.id.value, index, w.task});
        std::push_heap(m_computing.begin(), m_computing.end(), std::greater<>());
    }
    push(w.computeEnd, Kind::computeDone, run.id.value, entityOf(run.generation, index),
         static_cast<std::uint16_t>(w.task & 0xffff));
}

// Evaluates this task's gradient and, with several threads, those that are or will be ready next: each is a
// pure function of what its worker has read, so neither their number nor their order changes a bit.
void SimulationCore::ensureComputed(JobRun& run, std::uint32_t index) {
    if (!run.problem || run.tasks[index].computed) return;
    std::vector<std::pair<JobRun*, std::uint32_t>> batch{{&run, index}};
    const std::size_t most = m_parallel.threads() > 1 ? 2 * static_cast<std::size_t>(m_parallel.threads()) : 1;
    while (batch.size() < most && !m_computing.empty()) {
        const Computing next = m_computing.front();
        std::pop_heap(m_computing.begin(), m_computing.end(), std::greater<>());
        m_computing.pop_back();
        JobRun* other = m_runs[next.job].get();
        if (!other || next.worker >= other->tasks.size() || (other == &run && next.worker == index)) continue;
        const WorkerRun& w = other->tasks[next.worker];
        const bool underWay = w.stage == WorkerRun::Stage::computing || w.stage == WorkerRun::Stage::pushing;
        if (underWay && w.task == next.task && !w.computed) batch.emplace_back(other, next.worker);
    }
    m_parallel.forEach(batch.size(), [&](std::size_t i) {
        const auto [owner, worker] = batch[i];
        WorkerRun& w = owner->tasks[worker];
        w.message = w.computeMessage(*owner->problem, worker);
        w.computed = true;
    });
}

void SimulationCore::finishCompute(JobRun& run, std::uint32_t index) {
    WorkerRun& w = run.tasks[index];
    run.enter(index, WorkerRun::Stage::pushing);
    w.missing = {run.layout().keys()};
    emit(events::pushStarted(run.id, index, w.task, gradientBytes(run.layout(), run.problem.get())));
    if (run.problem) run.travelling.resize(run.problem->messageSize());
    Context context(*this, run, index, m_delays.uploadSeconds({run.id, index, w.task, w.machine}));
    run.nodes[index]->push(context, entityOf(index, w.task), run.store.keys(), run.travelling);
}

void SimulationCore::arrived(JobRun& run, NodeIndex node, std::uint64_t operation, std::span<const Key> keys,
                             std::span<const double>) {
    WorkerRun& w = run.tasks.at(node);
    if (!w.awaits(WorkerRun::Stage::pushing, node, operation) || !w.missing.came(keys.size())) return;
    // All parts are at their owners. Only now are the numbers needed: those of pushes that are cancelled on
    // the way, most of them where few of many are waited for, are never worked out.
    ensureComputed(run, node);
    run.enter(node, WorkerRun::Stage::idle);
    gradientArrived(run, node);
}

void SimulationCore::cancelTask(JobRun& run, std::uint32_t index) {
    WorkerRun& w = run.tasks[index];
    const double done = w.shareDone(m_now);
    run.enter(index, WorkerRun::Stage::idle);
    cancelMessages(run, index);
    emit(events::taskCancelled(run.id, index, w.task, done));
}

} // namespace trainyard
