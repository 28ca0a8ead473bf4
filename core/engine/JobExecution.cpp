// The coordinator and evaluator threads of an execution, and its beginning and end.
#include "engine/JobExecution.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

JobExecution::JobExecution(Shared shared, JobSetup setup, std::vector<double> shares)
    : m_shared(shared), m_shares(std::move(shares)),
      m_delays(std::shared_ptr<const Workload>(std::shared_ptr<void>(), &shared.workload),
               shared.options.seed, DelayModel::Streams::execute),
      m_inbox(shared.work), m_evaluations(shared.work), m_why(shared.options.scenario->explanations) {
    auto nodes = setUpJob(m_coordinator, std::move(setup));
    m_incoming.resize(layout().workers);
    for (NodeIndex n = 0; n < layout().nodes(); ++n) {
        auto node = std::make_unique<Node>(shared.work);
        node->index = n;
        node->protocol = std::move(nodes[n]);
        node->isHome = !node->protocol->initialKeys().empty();
        node->read.resize(layout().keys());
        if (n < layout().workers) node->worker.machine = m_coordinator.placement.workers[n];
        m_nodes.push_back(std::move(node));
    }
    m_inbox.push(now(), Begin{});
    for (auto& node : m_nodes)
        node->thread = std::jthread([this, n = node.get()](std::stop_token s) { runNode(*n, s); });
    m_evaluatorThread = std::jthread([this](std::stop_token s) { runEvaluator(s); });
    m_coordinatorThread = std::jthread([this](std::stop_token s) { runCoordinator(s); });
}

JobExecution::~JobExecution() {
    stop();
}

void JobExecution::stop() {
    m_coordinatorThread.request_stop();
    m_evaluatorThread.request_stop();
    for (auto& node : m_nodes) node->thread.request_stop();
    if (m_coordinatorThread.joinable()) m_coordinatorThread.join();
    if (m_evaluatorThread.joinable()) m_evaluatorThread.join();
    for (auto& node : m_nodes)
        if (node->thread.joinable()) node->thread.join();
    m_shared.network.cancelAll(m_coordinator.id);
}

void JobExecution::guarded(const std::function<void()>& body) {
    try {
        body();
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

std::uint32_t JobExecution::lastTask() const {
    std::uint32_t last = 0;
    for (const auto& worker : m_coordinator.workers) last = std::max(last, worker.task);
    return last;
}

void JobExecution::takeEvents(std::vector<Event>& out) {
    for (auto& node : m_nodes) node->events.takeInto(out);
    m_events.takeInto(out);
}

Explanation JobExecution::explanation(std::uint32_t index) const {
    const std::scoped_lock lock(m_whyMutex);
    return m_why.all()[index];
}

bool JobExecution::survives(MachineId machine) {
    const std::scoped_lock lock(m_storeMutex);
    const auto lost = [&](NodeIndex n) {
        return n < layout().workers && m_coordinator.placement.workers[n] == machine;
    };
    return parametersSurvive(m_coordinator.store, lost, [&](NodeIndex n) { return m_nodes[n]->isHome; });
}

void JobExecution::loseWorkers(MachineId machine) {
    m_inbox.push(now(), Lost{machine});
}

void JobExecution::emit(EventBuffer& buffer, Event event) const {
    event.time = m_shared.clock.now();
    buffer.append(event);
}

// --- The coordinator's thread

void JobExecution::runCoordinator(std::stop_token stop) {
    guarded([&] {
        while (!ended()) {
            auto item = m_inbox.pop(m_shared.clock, stop);
            if (!item) return;
            handle(std::move(*item));
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
    } else if (const auto* lost = std::get_if<Lost>(&item)) {
        m_coordinator.removeWorkers(lost->machine, *this);
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
    if (incoming.missing.came(part.keys.size()))
        m_coordinator.gradientArrived(part.worker, incoming.message, *this);
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

double JobExecution::lossAt(std::uint64_t update, std::span<const double> parameters) const {
    return trained() ? m_coordinator.problem->evaluate(parameters)
                     : std::get<AnalyticWork>(m_coordinator.spec->work).curve.at(static_cast<double>(update));
}

void JobExecution::runEvaluator(std::stop_token stop) {
    guarded([&] {
        while (auto work = m_evaluations.pop(m_shared.clock, stop))
            m_inbox.push(now(),
                         Evaluated{work->update, lossAt(work->update, work->parameters), work->gradientNorm});
    });
}

// --- What the coordinator causes

void JobExecution::explain(const std::function<void(ExplanationArena&, std::vector<std::uint32_t>&)>& tell) {
    std::vector<std::uint32_t> explained;
    {
        const std::scoped_lock lock(m_whyMutex);
        tell(m_why, explained);
    }
    for (const auto index : explained)
        log(events::decision(m_coordinator.id, PolicyFamily::synchronization, index));
}

void JobExecution::beginTask(std::uint32_t worker, const Assignment& assignment, bool reads) {
    const WorkerView& view = m_coordinator.workers[worker];
    m_incoming[worker].missing = {layout().keys()};
    if (trained()) m_incoming[worker].message.resize(m_coordinator.problem->messageSize());
    m_nodes[worker]->inbox.push(now(), Task{view.task, view.samples, assignment, reads});
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
    if (!trained()) return;
    const std::scoped_lock lock(m_storeMutex);
    m_coordinator.store.apply(m_coordinator.aggregate, m_coordinator.problem->optimizer(),
                              m_coordinator.updates);
}

void JobExecution::send(const std::vector<ParameterTransfer>& transfers) {
    for (const auto& t : transfers)
        m_shared.network.transfer(m_coordinator.id, t.from, t.to, t.bytes,
                                  [this](SimTime at) { m_inbox.push(at, PartSent{}); });
}

void JobExecution::begins() {
    if (!m_shares.empty()) m_shared.network.setShares(m_coordinator.id, m_shares);
}

void JobExecution::evaluate() {
    const Coordinator& c = m_coordinator;
    m_lastAsked = c.updates;
    if (std::isnan(c.lastLoss)) // the first: policies begin with it
        evaluated({c.updates, lossAt(c.updates, c.store.parameters()), c.gradientNorm()});
    else
        m_evaluations.push(now(), {c.updates, c.store.parameters(), c.gradientNorm()});
}

void JobExecution::finish(FinishReason reason) {
    if (m_ending) return;
    m_ending = reason;
    for (std::uint32_t w = 0; w < m_coordinator.workers.size(); ++w)
        if (m_coordinator.workers[w].busy) cancelTask(w);
    if (m_coordinator.lastLossUpdate == m_coordinator.updates) {
        m_reason = reason;
        end();
    } else if (m_lastAsked != m_coordinator.updates) {
        evaluate();
    }
}

} // namespace trainyard
