// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The coordinator and evaluator threads of an execution, and its beginning and end.
#include "engine/JobExecution.h"

#include "base/Stopped.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

JobExecution::JobExecution(const Shared& shared, JobSetup setup)
    : m_shared(shared), m_delays(std::shared_ptr<const Workload>(std::shared_ptr<void>(), &shared.workload),
                                 shared.options.seed, DelayModel::Streams::execute, shared.options.stop),
      m_inbox(shared.work), m_evaluations(shared.work), m_why(shared.options.scenario->explanations) {
    JobNodes made = setUpJob(m_coordinator, std::move(setup));
    m_parameterPolicy = std::move(made.policy);
    m_incoming.resize(layout().workers);
    m_nodes.resize(layout().nodes());
    m_inbox.push(now(), Begin{});
    for (NodeIndex n = 0; n < layout().nodes(); ++n)
        if (made.nodes[n]) open(n, machineOf(m_coordinator.placement, layout(), n), std::move(made.nodes[n]));
    for (auto& node : m_nodes)
        if (node) node->thread = std::jthread([this, n = node.get()](std::stop_token s) { runNode(*n, s); });
    m_evaluatorThread = std::jthread([this](std::stop_token s) { runEvaluator(s); });
    m_coordinatorThread = std::jthread([this](std::stop_token s) { runCoordinator(s); });
}

JobExecution::~JobExecution() { stop(); }

void JobExecution::stop() {
    m_coordinatorThread.request_stop();
    m_evaluatorThread.request_stop();
    for (auto& node : m_nodes)
        if (node) node->thread.request_stop();
    if (m_coordinatorThread.joinable()) m_coordinatorThread.join();
    if (m_evaluatorThread.joinable()) m_evaluatorThread.join();
    for (auto& node : m_nodes)
        if (node && node->thread.joinable()) node->thread.join();
    cancelTasks();
    m_coordinator.loseHeld(*this);
    m_shared.network.cancelAll(m_coordinator.id);
}

void JobExecution::guarded(const std::function<void()>& body) {
    try {
        body();
    } catch (const Stopped&) { // the run ends; its own thread says so
    } catch (...) {
        const std::scoped_lock lock(m_errorMutex);
        if (!m_error) m_error = std::current_exception();
        end();
    }
}

void JobExecution::end() {
    m_ended.store(true, std::memory_order_release);
    m_shared.ended.call();
}

std::optional<FinishReason> JobExecution::finishReason() const {
    const std::scoped_lock lock(m_errorMutex);
    if (m_error) std::rethrow_exception(m_error);
    return m_reason;
}

void JobExecution::leaveTo(JobLife& life) const {
    for (const auto& worker : m_coordinator.workers) life.lastTask = std::max(life.lastTask, worker.task);
    life.policyCalls = m_coordinator.policyCalls;
}

void JobExecution::takeEvents(std::vector<Event>& out) {
    for (auto& node : m_nodes)
        if (node) node->events.takeInto(out);
    m_events.takeInto(out);
}

Explanation JobExecution::explanation(std::uint32_t index) const {
    const std::scoped_lock lock(m_whyMutex);
    return m_why.all()[index];
}

bool JobExecution::survives(std::span<const std::uint32_t> leaving) {
    const std::scoped_lock lock(m_storeMutex);
    return parametersSurvive(
        m_coordinator.store, [&](NodeIndex n) { return contains(leaving, n); },
        [&](NodeIndex n) { return m_nodes[n]->isHome; });
}

void JobExecution::open(NodeIndex n, MachineId machine, std::unique_ptr<ParameterNode> protocol) {
    if (!m_nodes[n]) m_nodes[n] = std::make_unique<Node>(m_shared.work);
    Node& node = *m_nodes[n];
    node.index = n;
    node.machine = machine.value;
    node.isHome = !protocol->initialKeys().empty();
    node.protocol = std::move(protocol);
    node.read.assign(layout().keys(), {});
    node.readVersions.assign(layout().keys(), 0);
    node.worker = {.machine = machine, .task = node.worker.task};
    node.inbox.open();
}

// At once, whatever their threads are about; a gradient that one of them computes is waited for.
void JobExecution::removeWorkers(std::span<const std::uint32_t> leaving) {
    const std::scoped_lock turn(m_turnMutex);
    for (const auto w : leaving) m_coordinator.removeWorker(w, *this);
    for (const auto w : leaving) m_nodes[w]->thread.request_stop();
    for (const auto w : leaving) {
        if (m_nodes[w]->thread.joinable()) m_nodes[w]->thread.join();
        m_nodes[w]->inbox.close();
    }
}

void JobExecution::changeWorkers(const JobAllotment& given, bool resized) {
    const Placement& now = given.placement;
    const std::scoped_lock turn(m_turnMutex);
    if (ended()) return;
    for (NodeIndex w = 0; w < now.workers.size(); ++w) {
        const auto& workers = m_coordinator.workers;
        if (!now.workers[w].valid() || (w < workers.size() && workers[w].present)) continue;
        open(w, now.workers[w], m_parameterPolicy->makeNode(m_coordinator.store.sharedLayout(), w));
        m_nodes[w]->thread = std::jthread([this, n = m_nodes[w].get()](std::stop_token s) { runNode(*n, s); });
    }
    m_coordinator.changeWorkers(given, resized, *this);
}

SimTime JobExecution::emit(EventBuffer& buffer, Event event) const { return buffer.appendNow(event, m_shared.clock); }

// --- The coordinator's thread

void JobExecution::runCoordinator(std::stop_token stop) {
    guarded([&] {
        while (!ended()) {
            auto item = m_inbox.pop(m_shared.clock, stop);
            if (!item) return;
            const std::scoped_lock turn(m_turnMutex);
            if (!ended()) handle(std::move(*item));
        }
    });
}

void JobExecution::handle(CoordinatorItem item) {
    if (const auto* part = std::get_if<Part>(&item)) {
        arrived(*part);
    } else if (const auto* done = std::get_if<StepDone>(&item)) {
        if (!m_ending) m_coordinator.proceed(done->step, done->tag, *this);
    } else if (const auto* result = std::get_if<Evaluated>(&item)) {
        evaluated(*result);
    } else if (std::holds_alternative<Begin>(item)) {
        m_coordinator.start(*this);
    } else if (std::holds_alternative<PartSent>(item)) {
        m_coordinator.partArrived(*this);
    }
}

void JobExecution::arrived(const Part& part) {
    const WorkerView& worker = m_coordinator.workers[part.worker];
    if (!goesOn() || !worker.busy || part.operation != entityOf(part.worker, worker.task))
        return; // cancelled meanwhile
    Incoming& incoming = m_incoming[part.worker];
    std::span<const double> values = part.values;
    for (const Key key : part.keys)
        if (trained()) values = values.subspan(placeKeyMessage(layout(), key, values, incoming.message));
    if (!incoming.missing.came(part.keys.size())) return;
    // Its node is done with the task, and begins no other before it is told to.
    const std::uint64_t readVersion = m_nodes[part.worker]->worker.readVersion;
    m_coordinator.gradientArrived(part.worker, readVersion, incoming.message, *this);
}

void JobExecution::evaluated(const Evaluated& result) {
    const auto verdict = m_coordinator.evaluated(result.loss, result.update, result.gradientNorm, *this);
    m_diverged = verdict.diverged;
    if (verdict.targetMet)
        m_reason = FinishReason::loss;
    else if (m_ending && result.update == m_coordinator.updates)
        m_reason = m_ending;
    if (m_diverged || m_reason) end();
}

// --- The evaluator's thread: losses are evaluated beside the training, in order

double JobExecution::lossAt(double position, std::span<const double> parameters) const {
    return trained() ? m_coordinator.problem->evaluate(parameters)
                     : std::get<AnalyticWork>(m_coordinator.spec->work).curve.at(position);
}

void JobExecution::runEvaluator(std::stop_token stop) {
    guarded([&] {
        while (auto work = m_evaluations.pop(m_shared.clock, stop))
            m_inbox.push(now(), Evaluated{work->update, lossAt(work->position, work->parameters), work->gradientNorm});
    });
}

// --- What the coordinator causes

void JobExecution::explain(const std::function<void(ExplanationArena&, std::vector<std::uint32_t>&)>& tell) {
    std::vector<std::uint32_t> explained;
    {
        const std::scoped_lock lock(m_whyMutex);
        tell(m_why, explained);
    }
    for (const auto index : explained) log(events::decision(m_coordinator.id, PolicyFamily::synchronization, index));
}

void JobExecution::beginTask(std::uint32_t worker, const Assignment& assignment, bool reads) {
    const WorkerView& view = m_coordinator.workers[worker];
    m_incoming[worker].missing = {layout().keys()};
    if (trained()) m_incoming[worker].message.resize(m_coordinator.problem->messageSize());
    m_nodes[worker]->inbox.push(now(),
                                Task{view.task, view.samples, assignment, m_coordinator.shareFor(worker, assignment),
                                     m_coordinator.secondsPerSampleOf(worker), reads});
}

void JobExecution::cancelTasks() {
    for (std::uint32_t w = 0; w < m_coordinator.workers.size(); ++w)
        if (std::exchange(m_coordinator.workers[w].busy, false)) cancelTask(w);
    m_coordinator.busy = 0;
}

// At once, whatever the node's thread is about: what it would log of the task later is left out.
void JobExecution::cancelTask(std::uint32_t worker) {
    Node& node = *m_nodes[worker];
    const std::uint32_t task = m_coordinator.workers[worker].task;
    {
        const std::scoped_lock lock(node.stageMutex);
        const double done = node.worker.task == task ? node.worker.shareDone(now()) : 0;
        node.cancelled = task;
        log(events::taskCancelled(m_coordinator.id, worker, task, done));
    }
    m_shared.network.cancel(m_coordinator.id, entityOf(worker, task));
}

void JobExecution::after(Duration time, Coordinator::Step step, std::uint32_t tag) {
    m_inbox.push(now() + time, StepDone{step, tag});
}

// Between two reads of any node: nobody sees half of it, and whoever stops this thread finds it done or not
// begun.
void JobExecution::applyUpdate() {
    const std::scoped_lock lock(m_storeMutex);
    m_coordinator.store.apply(m_coordinator.aggregate, m_coordinator.problem.get(), m_coordinator.updates);
}

void JobExecution::send(const std::vector<ParameterTransfer>& transfers) {
    for (const auto& t : transfers)
        m_shared.network.transfer(m_coordinator.id, t.from, t.to, t.bytes,
                                  [this](SimTime at) { m_inbox.push(at, PartSent{}); });
}

void JobExecution::evaluate() {
    const Coordinator& c = m_coordinator;
    const double position = static_cast<double>(c.updates) + c.ahead;
    m_lastAsked = c.updates;
    if (std::isnan(c.lastLoss)) // the first: policies begin with it
        evaluated({c.updates, lossAt(position, c.store.parameters()), c.gradientNorm()});
    else
        m_evaluations.push(now(), {c.updates, position, c.store.parameters(), c.gradientNorm()});
}

void JobExecution::finish(FinishReason reason) {
    if (m_ending) return;
    m_ending = reason;
    cancelTasks();
    const bool begun = m_coordinator.begun; // else no loss has been evaluated
    if (begun && m_coordinator.lastLossUpdate == m_coordinator.updates) {
        m_reason = reason;
        end();
    } else if (!begun || m_lastAsked != m_coordinator.updates) {
        evaluate();
    }
}

} // namespace trainyard
