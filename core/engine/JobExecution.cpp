// The coordinator and evaluator threads of an execution, and its beginning and end.
#include "engine/JobExecution.h"
#include "engine/Words.h"
#include "record/GradientNorm.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

JobExecution::JobExecution(Shared shared, Start start, RouteTable& routes)
    : m_shared(shared), m_spec(shared.workload.job(start.job)), m_placement(start.placement),
      m_delays(std::shared_ptr<const Workload>(std::shared_ptr<void>(), &shared.workload),
               shared.options.seed, DelayModel::Streams::execute),
      m_ranSeconds(start.ranSeconds), m_why(shared.options.scenario->explanations) {
    const auto policy = shared.options.registry->makeParameters(start.parameters);
    auto setup = setUpJob(m_spec, m_placement, *policy, start.problem.get(), start.saved);
    m_layout = std::move(setup.layout);
    for (Key key = 0; key < m_layout.keys(); ++key) m_allKeys.push_back(key);
    m_values.resize(m_layout.keys());
    m_coordinator.id = start.job;
    m_coordinator.problem = std::move(start.problem);
    m_coordinator.synchronization = shared.options.registry->makeSynchronization(start.synchronization);
    m_coordinator.responses = std::move(start.responses);
    m_coordinator.updates = setup.snapshot.updates;
    m_coordinator.samplesUsed = setup.snapshot.samplesUsed;
    m_coordinator.parameters = setup.snapshot.parameters;
    if (m_coordinator.problem) m_coordinator.initialParameters = m_coordinator.problem->initialParameters();
    m_coordinator.measureDistance();
    m_records.resize(m_layout.workers);
    for (auto& record : m_records) record.task = start.firstTask;

    for (NodeIndex n = 0; n < m_layout.nodes(); ++n) {
        auto node = std::make_unique<Node>();
        node->index = n;
        node->run = std::move(setup.nodes[n]);
        for (const Key key : m_allKeys)
            if (node->run.store.has(key)) m_values[key] = node->run.store.value(key);
        if (n < m_layout.workers) node->worker.machine = m_placement.workers[n];
        m_nodes.push_back(std::move(node));
    }
    m_routes.resize(m_layout.nodes());
    for (NodeIndex a = 0; a < m_layout.nodes(); ++a)
        for (NodeIndex b = 0; b < m_layout.nodes(); ++b)
            m_routes[a].push_back(routes.route(machineOf(a).value, machineOf(b).value));
    for (std::size_t o = 0; o < owners() && start.storage; ++o)
        m_storageRoutes.push_back(
            routes.route(machineOf(firstOwner() + static_cast<NodeIndex>(o)).value, *start.storage));

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
}

MachineId JobExecution::machineOf(NodeIndex node) const {
    return node < m_layout.workers ? m_placement.workers[node] : m_placement.servers[node - m_layout.workers];
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
}

std::optional<FinishReason> JobExecution::finishReason() const {
    const std::scoped_lock lock(m_errorMutex);
    if (m_error) std::rethrow_exception(m_error);
    return m_reason;
}

JobSnapshot JobExecution::snapshot() const {
    JobSnapshot out{.parameters = m_coordinator.parameters,
                    .optimizerState = {},
                    .updates = m_coordinator.updates,
                    .samplesUsed = m_coordinator.samplesUsed};
    if (!m_coordinator.problem) return out;
    for (const Key key : m_allKeys)
        out.optimizerState.insert(out.optimizerState.end(), m_values[key].begin() + m_layout.length(key),
                                  m_values[key].end());
    return out;
}

std::uint32_t JobExecution::lastTask() const {
    std::uint32_t last = 0;
    for (const auto& record : m_records) last = std::max(last, record.task);
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

bool JobExecution::uses(LinkId link) const {
    for (const auto& row : m_routes)
        for (const auto& route : row)
            if (route && std::any_of(route->links.begin(), route->links.end(),
                                     [&](auto l) { return l / 2 == link.value; }))
                return true;
    return false;
}

void JobExecution::emit(EventBuffer& events, EventType type, std::uint32_t a, std::uint32_t b, double value,
                        std::uint16_t aux) {
    events.append({.time = m_shared.clock.now(),
                   .type = type,
                   .aux = aux,
                   .job = m_coordinator.id.value,
                   .a = a,
                   .b = b,
                   .value = value});
}

// --- The coordinator
// ------------------------------------------------------------------------------------------------------

void JobExecution::runCoordinator(std::stop_token stop) {
    guarded([&] {
        begin();
        while (!ended()) {
            auto item = m_inbox.pop(m_shared.clock, stop);
            if (!item) return;
            handle(std::move(*item));
        }
    });
}

void JobExecution::begin() {
    Coordinator& c = m_coordinator;
    if (c.updates > 0) emit(m_events, EventType::jobRestored, lowWord(c.updates), highWord(c.updates));
    if (m_spec.stop.seconds)
        m_inbox.push(m_shared.clock.now() +
                         Duration::seconds(std::max(0.0, *m_spec.stop.seconds - m_ranSeconds)),
                     TimeOver{});
    m_lastAsked = c.updates;
    evaluated({c.updates, c.currentLoss(m_spec), c.gradientNorm()});
    if (ended()) return;
    c.notices.push_back({Coordinator::Notice::Kind::start});
    advance();
}

void JobExecution::handle(CoordinatorItem item) {
    if (const auto* part = std::get_if<Part>(&item)) {
        arrived(*part);
    } else if (const auto* report = std::get_if<Applied>(&item)) {
        applied(*report);
    } else if (const auto* result = std::get_if<Evaluated>(&item)) {
        evaluated(*result);
    } else if (const auto* timer = std::get_if<Timer>(&item)) {
        m_coordinator.notices.push_back({Coordinator::Notice::Kind::timer, 0, timer->tag});
        advance();
    } else if (std::holds_alternative<EvaluationOver>(item)) {
        requestEvaluation();
        afterEvaluation();
    } else if (auto* checkpoint = std::get_if<CheckpointOver>(&item)) {
        emit(m_events, EventType::checkpointDone, lowWord(checkpoint->snapshot.updates),
             highWord(checkpoint->snapshot.updates));
        m_checkpoint = std::move(checkpoint->snapshot);
        m_checkpointUnderWay = false;
    } else {
        finish(FinishReason::seconds);
    }
}

void JobExecution::advance() {
    Coordinator& c = m_coordinator;
    while (!c.updating && !m_ending && !ended()) {
        if (c.hasAction()) {
            const auto action = c.takeAction();
            applyAction(action);
        } else if (!c.notices.empty()) {
            const auto notice = c.notices.front();
            c.notices.pop_front();
            std::vector<WorkerView> workers;
            int busy = 0;
            for (const auto& r : m_records) {
                workers.push_back({true, r.busy, r.task, r.readVersion, r.samples, r.assigned});
                busy += r.busy;
            }
            std::vector<std::uint32_t> explained;
            {
                const std::scoped_lock lock(m_whyMutex);
                c.consult(notice, {m_spec, m_shared.options.seed, m_shared.clock.now(), m_why, explained},
                          workers, busy);
            }
            for (const auto index : explained)
                emit(m_events, EventType::decision, index, 0, 0,
                     static_cast<std::uint16_t>(PolicyFamily::synchronization));
        } else {
            return;
        }
    }
}

void JobExecution::applyAction(const SyncActions::Action& action) {
    const auto record = [&](std::uint32_t worker) -> WorkerRecord& {
        require(worker < m_records.size(), "a synchronization policy named a worker that does not exist");
        return m_records[worker];
    };
    const SimTime now = m_shared.clock.now();
    if (const auto* assignment = std::get_if<SyncActions::Assign>(&action)) {
        require(!record(assignment->worker).busy,
                "a synchronization policy assigned a task to a busy worker");
        assign(assignment->worker, assignment->assignment);
    } else if (const auto* update = std::get_if<SyncActions::Update>(&action)) {
        Coordinator& c = m_coordinator;
        c.gather(*update, [&](const WeightedGradient& g) {
            emit(m_events, EventType::gradientUsed, g.worker, g.task, g.weight);
        });
        c.updating = true;
        m_acksMissing = owners();
        const auto aggregate = std::make_shared<const std::vector<double>>(c.aggregate);
        const SimTime due = now + Duration::seconds(secondsPerUpdate(m_spec));
        for (std::size_t o = 0; o < owners(); ++o)
            m_nodes[firstOwner() + o]->inbox.push(due, Commit{c.updates + 1, aggregate});
    } else if (const auto* drop = std::get_if<SyncActions::Drop>(&action)) {
        const HeldMessage dropped = m_coordinator.takeHeld(
            drop->worker, drop->task, "a synchronization policy dropped a gradient that is not held");
        emit(m_events, EventType::gradientDropped, drop->worker, drop->task, dropped.samples);
    } else if (const auto* cancel = std::get_if<SyncActions::Cancel>(&action)) {
        WorkerRecord& r = record(cancel->worker);
        if (!r.busy) return;
        r.busy = false;
        m_nodes[cancel->worker]->inbox.push(now, Cancel{r.task});
    } else if (const auto* block = std::get_if<SyncActions::Block>(&action)) {
        emit(m_events, EventType::workerBlocked, block->worker);
    } else if (const auto* timer = std::get_if<SyncActions::Timer>(&action)) {
        m_inbox.push(now + timer->after, Timer{timer->tag});
    }
}

void JobExecution::assign(std::uint32_t worker, Assignment assignment) {
    WorkerRecord& r = m_records[worker];
    assignment.samples = taskBatch(m_spec, dataRows(m_spec, m_coordinator.problem.get()), m_layout.workers,
                                   assignment.samples);
    ++r.task;
    r.busy = true;
    r.keysMissing = m_layout.keys();
    if (assignment.rereads || r.task == 1) r.readVersion = m_coordinator.updates;
    r.samples = assignment.samples * std::max(1, assignment.localSteps) *
                std::max<int>(1, static_cast<int>(assignment.partitions.size()));
    r.assigned = m_shared.clock.now();
    if (m_coordinator.problem) r.message.resize(m_coordinator.problem->messageSize());
    m_nodes[worker]->inbox.push(r.assigned, Assign{r.task, std::move(assignment)});
}

void JobExecution::arrived(const Part& part) {
    WorkerRecord& r = m_records[part.worker];
    if (!r.busy || part.operation != entityOf(part.worker, r.task)) return; // cancelled meanwhile
    std::span<const double> values = part.values;
    for (const Key key : part.keys) {
        if (m_coordinator.problem) values = values.subspan(placeKeyMessage(m_layout, key, values, r.message));
        --r.keysMissing;
    }
    if (r.keysMissing > 0) return;
    r.busy = false;
    emit(m_events, EventType::gradientArrived, part.worker, r.task,
         static_cast<double>(m_coordinator.updates - r.readVersion));
    m_coordinator.hold({part.worker, r.task, r.readVersion, r.samples, r.message});
    m_coordinator.notices.push_back({Coordinator::Notice::Kind::arrival, part.worker, r.task});
    advance();
}

void JobExecution::applied(const Applied& report) {
    Coordinator& c = m_coordinator;
    for (const auto& [key, value] : report.values) {
        m_values[key] = value;
        if (c.problem)
            std::copy_n(value.begin(), m_layout.length(key), c.parameters.begin() + m_layout.keyStart[key]);
    }
    if (--m_acksMissing > 0) return;
    c.countUpdate();
    c.measureDistance();
    finishUpdate();
}

void JobExecution::finishUpdate() {
    Coordinator& c = m_coordinator;
    emit(m_events, EventType::updateApplied, lowWord(c.updates), highWord(c.updates), c.aggregateSamples);
    const auto every = m_spec.checkpoint.everyIterations;
    if (every > 0 && c.updates % static_cast<std::uint64_t>(every) == 0) takeCheckpoint();
    const bool due = c.evaluationDue(m_spec);
    if (due && evaluationRule(m_spec).costsTime) {
        const double seconds = secondsPerSample(m_spec) * std::max(1.0, dataRows(m_spec, c.problem.get()));
        m_inbox.push(m_shared.clock.now() + Duration::seconds(seconds), EvaluationOver{});
        return;
    }
    if (due) requestEvaluation();
    afterEvaluation();
}

void JobExecution::afterEvaluation() {
    if (const auto reason = m_coordinator.reached(m_spec)) {
        finish(*reason);
        return;
    }
    m_coordinator.updating = false;
    advance();
}

// Losses are evaluated beside the training, on a thread of their own, in order.
void JobExecution::requestEvaluation() {
    ++m_evaluationsAsked;
    m_lastAsked = m_coordinator.updates;
    m_evaluations.push(m_shared.clock.now(),
                       {m_coordinator.updates, m_coordinator.parameters, m_coordinator.gradientNorm()});
}

void JobExecution::runEvaluator(std::stop_token stop) {
    guarded([&] {
        while (auto work = m_evaluations.pop(m_shared.clock, stop)) {
            const double loss =
                m_coordinator.problem
                    ? m_coordinator.problem->evaluate(work->parameters)
                    : std::get<AnalyticWork>(m_spec.work).curve.at(static_cast<double>(work->update));
            m_inbox.push(m_shared.clock.now(), Evaluated{work->update, loss, work->gradientNorm});
        }
    });
}

void JobExecution::evaluated(const Evaluated& result) {
    Coordinator& c = m_coordinator;
    c.lastLoss = result.loss;
    c.lastLossUpdate = result.update;
    if (!std::isfinite(result.loss)) {
        m_diverged = true;
        end();
        return;
    }
    emit(m_events, EventType::lossEvaluated, lowWord(result.update), highWord(result.update), result.loss,
         packGradientNorm(result.gradientNorm));
    if (m_spec.stop.loss && result.loss <= *m_spec.stop.loss) {
        m_reason = FinishReason::loss;
        end();
    } else if (m_ending && result.update == c.updates) {
        m_reason = m_ending;
        end();
    }
}

// The job is over as soon as its last parameters have been evaluated.
void JobExecution::finish(FinishReason reason) {
    if (m_ending) return;
    m_ending = reason;
    for (std::uint32_t w = 0; w < m_records.size(); ++w)
        if (m_records[w].busy) m_nodes[w]->inbox.push(m_shared.clock.now(), Cancel{m_records[w].task});
    if (m_coordinator.lastLossUpdate == m_coordinator.updates) {
        m_reason = reason;
        end();
    } else if (m_lastAsked != m_coordinator.updates) {
        requestEvaluation();
    }
}

void JobExecution::takeCheckpoint() {
    if (m_checkpointUnderWay) return;
    m_checkpointUnderWay = true;
    const double bytes = checkpointBytes(m_layout, m_coordinator.problem.get());
    emit(m_events, EventType::checkpointStarted, lowWord(m_coordinator.updates),
         highWord(m_coordinator.updates), bytes);
    const SimTime now = m_shared.clock.now();
    SimTime due = now;
    for (const auto& route : m_storageRoutes)
        if (route)
            due = std::max(due, m_shared.links.transmit(*route, bytes / static_cast<double>(owners()), now));
    m_inbox.push(due, CheckpointOver{snapshot()});
}

} // namespace trainyard
