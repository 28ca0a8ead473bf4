// The coordinator and evaluator threads of an execution, and its beginning and end.
#include "engine/JobExecution.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

JobExecution::JobExecution(Shared shared, Start start)
    : m_shared(shared), m_spec(start.setup.spec), m_placement(start.setup.placement),
      m_ranSeconds(start.ranSeconds), m_sources(std::move(start.sources)),
      m_delays(std::shared_ptr<const Workload>(std::shared_ptr<void>(), &shared.workload),
               shared.options.seed, DelayModel::Streams::execute),
      m_inbox(shared.work), m_evaluations(shared.work), m_why(shared.options.scenario->explanations) {
    auto nodes = setUpJob(m_coordinator, std::move(start.setup));
    m_incoming.resize(layout().workers);
    for (NodeIndex n = 0; n < layout().nodes(); ++n) {
        auto node = std::make_unique<Node>(shared.work);
        node->index = n;
        node->protocol = std::move(nodes[n].protocol);
        node->isHome = !node->protocol->initialKeys().empty();
        node->read.resize(layout().keys());
        if (n < layout().workers) node->worker.machine = m_placement.workers[n];
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
        return n < layout().workers && machineOf(m_placement, n) == machine;
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
// ---------------------------------------------------------------------------------------------

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
        prepare();
    } else if (std::holds_alternative<Prepared>(item)) {
        if (--m_transfersMissing == 0) begin();
    } else if (std::holds_alternative<CheckpointPart>(item)) {
        if (--m_checkpointParts == 0) checkpointDone();
    } else if (const auto* lost = std::get_if<Lost>(&item)) {
        lose(lost->machine);
    } else if (std::holds_alternative<TimeOver>(item)) {
        finish(FinishReason::seconds);
    }
}

// Before a restored or moved job begins, its parameters travel.
void JobExecution::prepare() {
    const double share =
        checkpointBytes(layout(), m_coordinator.problem.get()) / static_cast<double>(m_sources.size());
    const Owners owners = ownersOf(layout());
    for (std::uint32_t o = 0; o < owners.count; ++o) {
        const std::uint32_t to = machineOf(m_placement, owners.first + o).value;
        if (!m_sources[o] || *m_sources[o] == to) continue;
        ++m_transfersMissing;
        m_shared.network.transfer(m_coordinator.id, *m_sources[o], to, share,
                                  [this](SimTime at) { m_inbox.push(at, Prepared{}); });
    }
    if (m_transfersMissing == 0) begin();
}

void JobExecution::begin() {
    Coordinator& c = m_coordinator;
    if (c.updates > 0) log(events::jobRestored(c.id, c.updates, 0));
    if (m_spec.stop.seconds)
        m_inbox.push(now() + Duration::seconds(std::max(0.0, *m_spec.stop.seconds - m_ranSeconds)),
                     TimeOver{});
    c.begin(*this);
}

void JobExecution::arrived(const Part& part) {
    const WorkerView& worker = m_coordinator.workers[part.worker];
    if (!goesOn() || !worker.busy || part.operation != entityOf(part.worker, worker.task))
        return; // cancelled meanwhile
    Incoming& incoming = m_incoming[part.worker];
    std::span<const double> values = part.values;
    for (const Key key : part.keys)
        if (trained()) values = values.subspan(placeKeyMessage(layout(), key, values, incoming.message));
    require(incoming.keysMissing >= part.keys.size(),
            "a parameter policy delivered more keys than were pushed");
    incoming.keysMissing -= static_cast<std::uint32_t>(part.keys.size());
    if (incoming.keysMissing == 0) m_coordinator.gradientArrived(part.worker, incoming.message, *this);
}

void JobExecution::lose(MachineId machine) {
    for (std::uint32_t w = 0; w < layout().workers; ++w) {
        if (!m_coordinator.workers[w].present || m_placement.workers[w] != machine) continue;
        m_coordinator.removeWorker(w, *this);
        log(events::taskRemoved(m_coordinator.id, TaskRole::worker, w, machine));
    }
    m_coordinator.notify({Coordinator::Notice::Kind::membership}, *this);
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

void JobExecution::checkpointDone() {
    m_checkpoint = std::exchange(m_checkpointUnderWay, std::nullopt);
    log(events::checkpointDone(m_coordinator.id, m_checkpoint->updates));
}

// --- The evaluator's thread: losses are evaluated beside the training, in order
// -------------------------------------------------------

double JobExecution::lossAt(std::uint64_t update, std::span<const double> parameters) const {
    return trained() ? m_coordinator.problem->evaluate(parameters)
                     : std::get<AnalyticWork>(m_spec.work).curve.at(static_cast<double>(update));
}

void JobExecution::runEvaluator(std::stop_token stop) {
    guarded([&] {
        while (auto work = m_evaluations.pop(m_shared.clock, stop))
            m_inbox.push(now(),
                         Evaluated{work->update, lossAt(work->update, work->parameters), work->gradientNorm});
    });
}

// --- What the coordinator causes
// ------------------------------------------------------------------------------------------

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
    m_incoming[worker].keysMissing = layout().keys();
    if (trained()) m_incoming[worker].message.resize(m_coordinator.problem->messageSize());
    m_nodes[worker]->inbox.push(now(), Task{view.task, view.samples, assignment, reads});
}

// At once, whatever the node's thread is about: what it would log of the task later is left out.
void JobExecution::cancelTask(std::uint32_t worker) {
    Node& node = *m_nodes[worker];
    const std::uint32_t task = m_coordinator.workers[worker].task;
    {
        const std::scoped_lock lock(node.stageMutex);
        const WorkerRun& w = node.worker;
        double done = 0;
        if (w.task == task && w.stage == WorkerRun::Stage::pushing) done = 1;
        if (w.task == task && w.stage == WorkerRun::Stage::computing) {
            const double whole = (w.computeEnd - w.computeStart).toSeconds();
            done = whole > 0 ? std::clamp((now() - w.computeStart).toSeconds() / whole, 0.0, 1.0) : 1;
        }
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

void JobExecution::takeCheckpoint() {
    if (m_checkpointUnderWay) return; // the previous one has not arrived: skip this one
    m_checkpointUnderWay = snapshot();
    const double bytes = checkpointBytes(layout(), m_coordinator.problem.get());
    log(events::checkpointStarted(m_coordinator.id, m_coordinator.updates, bytes));
    const auto storage = m_shared.network.storage();
    if (!storage) return checkpointDone(); // each machine's own disk costs no transfer
    const Owners owners = ownersOf(layout());
    m_checkpointParts = owners.count;
    for (std::uint32_t o = 0; o < owners.count; ++o)
        m_shared.network.transfer(m_coordinator.id, machineOf(m_placement, owners.first + o).value, *storage,
                                  bytes / owners.count,
                                  [this](SimTime at) { m_inbox.push(at, CheckpointPart{}); });
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
