// The worker and server threads of an execution.
#include "engine/JobExecution.h"

#include <algorithm>

namespace trainyard {

// What a parameter node may do, on its own thread. Lives for one call.
class JobExecution::Context final : public ParameterContext {
public:
    Context(JobExecution& job, Node& node, double holdSeconds = 0)
        : m_job(job), m_node(node), m_hold(holdSeconds) {}
    NodeIndex self() const override { return m_node.index; }
    SimTime now() const override { return m_job.m_shared.clock.now(); }
    void send(ParameterMessage message) override {
        message.from = m_node.index;
        if (m_hold > 0)
            m_node.inbox.push(now() + Duration::seconds(m_hold), Leave{std::move(message)});
        else
            m_job.deliver(std::move(message));
    }
    void timer(Duration after, std::uint64_t tag) override {
        m_node.inbox.push(now() + after, NodeTimer{tag});
    }
    bool has(Key key) const override { return m_node.run.store.has(key); }
    std::span<const double> parameters(Key key) const override {
        if (!m_job.m_coordinator.problem) return {};
        return std::span(m_node.run.store.value(key)).first(m_job.m_layout.length(key));
    }
    std::vector<double> take(Key key) override { return m_node.run.store.take(key); }
    void insert(Key key, std::vector<double> value) override {
        m_node.run.store.insert(key, std::move(value));
    }
    void pulled(std::uint64_t operation, std::span<const Key> keys, std::span<const double> values) override {
        WorkerRun& w = m_node.worker;
        if (w.stage != WorkerRun::Stage::pulling || operation != entityOf(m_node.index, w.task)) return;
        std::size_t at = 0;
        for (const Key key : keys) {
            if (m_job.m_coordinator.problem) {
                std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(at), m_job.m_layout.length(key),
                            w.parameters.begin() + m_job.m_layout.keyStart[key]);
                at += m_job.m_layout.length(key);
            }
            --w.keysMissing;
        }
        if (w.keysMissing == 0) m_job.beginCompute(m_node);
    }
    void arrived(NodeIndex worker, std::uint64_t operation, std::span<const Key> keys,
                 std::span<const double> values) override {
        m_job.m_inbox.push(
            now(), Part{worker, operation, {keys.begin(), keys.end()}, {values.begin(), values.end()}});
    }

private:
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
        node.run.protocol->onMessage(context, std::move(*message));
    } else if (const auto* assign = std::get_if<Assign>(&item)) {
        beginTask(node, *assign);
    } else if (const auto* cancel = std::get_if<Cancel>(&item)) {
        WorkerRun& w = node.worker;
        if (!w.busy() || w.task != cancel->task) return;
        double done = w.stage == WorkerRun::Stage::pushing ? 1 : 0;
        if (w.stage == WorkerRun::Stage::computing) {
            const double whole = (w.computeEnd - w.computeStart).toSeconds();
            done = whole > 0
                       ? std::clamp((m_shared.clock.now() - w.computeStart).toSeconds() / whole, 0.0, 1.0)
                       : 1;
        }
        w.stage = WorkerRun::Stage::idle;
        emit(node.events, EventType::taskCancelled, node.index, w.task, done);
    } else if (const auto* over = std::get_if<ComputeOver>(&item)) {
        finishCompute(node, over->task);
    } else if (auto* leave = std::get_if<Leave>(&item)) {
        const WorkerRun& w = node.worker;
        // A push that was held back and then cancelled does not leave.
        if (w.stage == WorkerRun::Stage::pushing && leave->message.operation == entityOf(node.index, w.task))
            deliver(std::move(leave->message));
    } else if (const auto* timer = std::get_if<NodeTimer>(&item)) {
        Context context(*this, node);
        node.run.protocol->onTimer(context, timer->tag);
    } else {
        commit(node, std::get<Commit>(item));
    }
}

void JobExecution::beginTask(Node& node, const Assign& assign) {
    WorkerRun& w = node.worker;
    w.task = assign.task;
    w.assignment = assign.assignment;
    w.samples = w.assignment.samples * std::max(1, w.assignment.localSteps) *
                std::max<int>(1, static_cast<int>(w.assignment.partitions.size()));
    if (!w.assignment.rereads && !w.parameters.empty()) {
        beginCompute(node);
        return;
    }
    w.stage = WorkerRun::Stage::pulling;
    w.keysMissing = m_layout.keys();
    if (m_coordinator.problem) w.parameters.resize(m_layout.keyStart.back());
    emit(node.events, EventType::pullStarted, node.index, w.task, parameterBytes(m_layout));
    Context context(*this, node);
    node.run.protocol->pull(context, entityOf(node.index, w.task), m_allKeys);
}

// The gradient is computed here and now; the rest of the task's drawn time is waited for, cancellable.
void JobExecution::beginCompute(Node& node) {
    WorkerRun& w = node.worker;
    w.stage = WorkerRun::Stage::computing;
    w.computeStart = m_shared.clock.now();
    double seconds;
    {
        const std::scoped_lock lock(m_delaysMutex);
        seconds = m_delays.computeSeconds({m_coordinator.id, node.index, w.task, w.machine}, w.samples,
                                          w.computeStart, std::max(1, w.assignment.localSteps));
    }
    w.computeEnd = w.computeStart + Duration::seconds(seconds);
    emit(node.events, EventType::computeStarted, node.index, w.task, w.samples);
    if (m_coordinator.problem) {
        const auto& problem = *m_coordinator.problem;
        w.message = computeMessage(problem,
                                   {node.index, w.task, m_layout.workers, w.assignment.samples,
                                    std::max(1, w.assignment.localSteps), problem.optimizer().learningRate(),
                                    w.assignment.partitions, w.assignment.draw},
                                   w.parameters);
    }
    node.inbox.push(w.computeEnd, ComputeOver{w.task});
}

void JobExecution::finishCompute(Node& node, std::uint32_t task) {
    WorkerRun& w = node.worker;
    if (w.stage != WorkerRun::Stage::computing || w.task != task) return;
    w.stage = WorkerRun::Stage::pushing;
    const double halves = w.message.size() > m_layout.keyStart.back() ? 2 : 1;
    emit(node.events, EventType::pushStarted, node.index, w.task, halves * parameterBytes(m_layout));
    std::vector<double> values;
    if (m_coordinator.problem)
        for (const Key key : m_allKeys) appendKeyMessage(m_layout, key, w.message, values);
    double hold;
    {
        const std::scoped_lock lock(m_delaysMutex);
        hold = m_delays.uploadSeconds({m_coordinator.id, node.index, w.task, w.machine});
    }
    Context context(*this, node, hold);
    node.run.protocol->push(context, entityOf(node.index, w.task), m_allKeys, values);
}

void JobExecution::commit(Node& node, const Commit& commit) {
    Applied report;
    for (const Key key : m_allKeys) {
        if (!node.run.store.has(key)) continue;
        auto& value = node.run.store.value(key);
        if (m_coordinator.problem)
            updateStoreValue(m_layout, key, value, *commit.aggregate, m_coordinator.problem->optimizer(),
                             commit.update);
        report.values.emplace_back(key, value);
    }
    m_inbox.push(m_shared.clock.now(), std::move(report));
}

void JobExecution::deliver(ParameterMessage message) {
    const SimTime now = m_shared.clock.now();
    const NodeIndex from = message.from, to = message.to;
    SimTime due = now;
    if (machineOf(from) == machineOf(to)) {
        const double bandwidth = m_shared.workload.cluster.localBandwidth;
        if (bandwidth > 0) due = now + Duration::seconds(message.bytes / bandwidth);
    } else {
        const auto& route = m_routes[from][to];
        if (!route) return; // unreachable: the message is lost with the link; the run ends the job as stuck
        due = m_shared.links.transmit(*route, message.bytes, now);
    }
    m_nodes[to]->inbox.push(due, std::move(message));
}

} // namespace trainyard
