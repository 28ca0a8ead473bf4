// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/LoneJob.h"

#include "base/Stopped.h"
#include "engine/EquallyLikely.h"
#include "engine/FlowNetwork.h"
#include "model/KnownLosses.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <queue>

namespace trainyard {

namespace lone_job {

constexpr double roundsPerBatch = 12; ///< answers per worker
constexpr std::size_t fewestBatches = 64, groups = 24, mostAnswers = 30'000;
constexpr double goodEnough = 0.006; ///< standard error of the mean, relative
constexpr std::uint64_t shuffles = 0x6c6f6e65ull;

/// What has been counted up to the last update.
struct Counts {
    SimTime lastUpdate;
    std::uint64_t updates = 0;
    double answers = 0, samples = 0, pulls = 0;
};

class Run {
public:
    Run(const LoneJob& job, const Synchronization& policy);
    /// Until so many gradients more have come and an update has been made of the last; false: nothing moves.
    bool advance(double answers);
    bool isSteady() const { return m_steady; }

    SimTime now;
    Counts counts;

private:
    enum class Kind { requested, pulled, computed, pushed, updateDone, evaluated, timer, leaves, isThere };
    struct Pending {
        SimTime time;
        std::uint64_t order;
        Kind kind;
        std::uint32_t worker, serial; ///< timer: the tag in serial; leaves, isThere: of the message
        std::uint32_t leg;            ///< requested; leaves, isThere: the message
        bool operator>(const Pending& o) const { return time != o.time ? time > o.time : order > o.order; }
    };
    enum class Notice { start, arrival, timer };
    struct Told {
        Notice kind;
        std::uint32_t worker = 0, task = 0; ///< timer: the tag in task
    };
    struct State {
        std::uint32_t serial = 0; ///< of the task: another one makes what was pending void
        std::size_t missing = 0;  ///< legs
        std::vector<FlowId> flows;
        std::vector<std::uint32_t> messages; ///< under way, where they arrive in order
        BalancedDraws factors, delays;
        int steps = 1;
    };

    /// Where messages arrive in order.
    struct Message {
        std::uint32_t worker = 0, leg = 0, stream = 0, serial = 0;
        Kind kind = Kind::requested; ///< or pulled, or pushed
        bool there = false;
        FlowId flow = ~FlowId{0};
    };

    void push(Duration after, Kind kind, std::uint32_t worker, std::uint32_t serial, std::uint32_t leg = 0) {
        m_queue.push({now + after, m_order++, kind, worker, serial, leg});
    }
    void happen(const Pending& event);
    void completeFlows();
    void startLegs(std::uint32_t worker, bool pull);
    void startFlow(std::uint32_t worker, std::uint32_t leg, bool pull);
    const LoneJob::Leg& legOf(const Message& message) const;
    std::uint32_t addMessage(std::uint32_t worker, std::uint32_t leg, Kind kind);
    void depart(std::uint32_t message);
    void arrived(std::uint32_t message);
    void deliverReady(std::uint32_t stream);
    void removeMessage(std::uint32_t message);
    void legDone(std::uint32_t worker, bool pull);
    void compute(std::uint32_t worker);
    void arrive(std::uint32_t worker);
    void settle();
    void consult(const Told& told);
    void carryOut(const SyncActions::Action& action);
    void assign(std::uint32_t worker, const Assignment& assignment);
    void cancel(std::uint32_t worker);
    void finishUpdate();

    const LoneJob& m_job;
    std::unique_ptr<Synchronization> m_policy;
    FlowNetwork m_network;
    ValueTables m_tables;
    std::vector<State> m_states;
    std::vector<Message> m_messages;
    std::vector<std::uint32_t> m_freeMessages;
    std::vector<std::deque<std::uint32_t>> m_streams; ///< from worker · workers + to worker
    std::vector<WorkerView> m_views;
    std::vector<WorkerResponse> m_responses;
    std::vector<HeldGradient> m_held;
    std::priority_queue<Pending, std::vector<Pending>, std::greater<>> m_queue;
    std::deque<Told> m_told;
    std::deque<SyncActions::Action> m_actions;
    std::vector<SyncActions::Action> m_answer; ///< room for the next
    std::vector<std::uint64_t> m_tags;
    std::uint64_t m_order = 0;
    std::uint32_t m_calls = 0;
    int m_busy = 0;
    double m_lastLoss;
    bool m_updating = false, m_steady = true;
};

Run::Run(const LoneJob& job, const Synchronization& policy)
    : m_job(job), m_policy(policy.clone()), m_network(job.capacities), m_views(job.workers.size()),
      m_lastLoss(std::numeric_limits<double>::quiet_NaN()) {
    if (const LossCurve* curve = knownCurve(*job.spec)) m_lastLoss = curve->at(0);
    for (std::size_t w = 0; w < job.workers.size(); ++w) {
        const StragglerLaw* law = job.workers[w].straggler;
        const bool factor = law && !(law->factor.law == Law::constant && law->factor.value == 1);
        m_states.push_back(
            {.flows = {},
             .factors = BalancedDraws(factor ? m_tables.of(law->factor) : nullptr, shuffles ^ (2 * w)),
             .delays = BalancedDraws(law && law->delay ? m_tables.of(*law->delay) : nullptr, shuffles ^ (2 * w + 1))});
        if (law && (law->burst || law->factor.law != Law::constant || (law->delay && law->delay->law != Law::constant)))
            m_steady = false;
        m_views[w].present = true;
        double transfer = 0;
        for (const auto* legs : {&job.workers[w].pulls, &job.workers[w].pushes})
            for (const auto& leg : *legs) transfer = std::max(transfer, leg.before + leg.seconds);
        m_responses.push_back({law, job.workers[w].secondsPerSample, 2 * transfer});
    }
    if (job.inOrder) m_streams.resize(job.workers.size() * job.workers.size());
    m_told.push_back({Notice::start});
    settle();
}

bool Run::advance(double more) {
    const double goal = counts.answers + more;
    const std::uint64_t before = counts.updates;
    while (counts.answers < goal || counts.updates == before) {
        throwIfStopped(m_job.stop);
        const SimTime flows = m_network.nextCompletion();
        if (m_queue.empty() && flows == SimTime::never()) return false;
        if (m_queue.empty() || flows < m_queue.top().time) {
            now = flows;
            completeFlows();
        } else {
            const Pending next = m_queue.top();
            m_queue.pop();
            now = next.time;
            happen(next);
        }
        settle();
    }
    return true;
}

void Run::happen(const Pending& event) {
    if (event.kind == Kind::updateDone) {
        finishUpdate();
    } else if (event.kind == Kind::evaluated) {
        m_updating = false;
    } else if (event.kind == Kind::leaves || event.kind == Kind::isThere) {
        if (m_messages[event.leg].serial == event.serial)
            event.kind == Kind::leaves ? depart(event.leg) : arrived(event.leg);
    } else if (event.kind == Kind::timer) {
        m_told.push_back({Notice::timer, 0, event.serial});
    } else if (m_states[event.worker].serial == event.serial) {
        if (event.kind == Kind::computed)
            startLegs(event.worker, false);
        else if (event.kind == Kind::requested)
            startFlow(event.worker, event.leg, true);
        else
            legDone(event.worker, event.kind == Kind::pulled);
    }
}

// A tag: serial, worker, leg, and whether it is of a pull.
void Run::completeFlows() {
    m_tags.clear();
    m_network.complete(now, m_tags);
    for (const std::uint64_t tag : m_tags) {
        if (m_job.inOrder) {
            Message& message = m_messages[tag];
            message.flow = ~FlowId{0};
            push(Duration::seconds(legOf(message).seconds), Kind::isThere, 0, message.serial,
                 static_cast<std::uint32_t>(tag));
            continue;
        }
        const bool pull = tag & 1;
        const auto leg = static_cast<std::size_t>(tag >> 1 & 0x7ff);
        const auto worker = static_cast<std::uint32_t>(tag >> 12 & 0xfffff);
        const LoneJob::Worker& spec = m_job.workers[worker];
        m_states[worker].flows[leg] = ~FlowId{0};
        push(Duration::seconds((pull ? spec.pulls : spec.pushes)[leg].seconds), pull ? Kind::pulled : Kind::pushed,
             worker, static_cast<std::uint32_t>(tag >> 32));
    }
}

void Run::startLegs(std::uint32_t worker, bool pull) {
    State& state = m_states[worker];
    const auto& legs = pull ? m_job.workers[worker].pulls : m_job.workers[worker].pushes;
    if (pull) ++counts.pulls;
    const Kind done = pull ? Kind::pulled : Kind::pushed;
    state.missing = std::max<std::size_t>(1, legs.size());
    state.flows.assign(legs.size(), ~FlowId{0});
    if (legs.empty()) push({}, done, worker, state.serial);
    const double bytes = pull ? m_job.pulledBytes : m_job.pushedBytes;
    if (m_job.inOrder && !legs.empty()) {
        const StragglerLaw* law = m_job.workers[worker].straggler;
        const double hold = !pull && law && law->delay ? state.delays.draw() : 0;
        std::vector<std::uint32_t> sent; // all are in their streams before the first leaves
        for (std::uint32_t i = 0; i < legs.size(); ++i)
            sent.push_back(addMessage(worker, i, pull ? Kind::requested : Kind::pushed));
        for (const std::uint32_t message : sent) {
            if (hold > 0)
                push(Duration::seconds(hold), Kind::leaves, 0, m_messages[message].serial, message);
            else
                depart(message);
        }
        return;
    }
    for (std::uint32_t i = 0; i < legs.size(); ++i) {
        if (legs[i].links.empty() || bytes * legs[i].share <= 0)
            push(Duration::seconds(legs[i].before + legs[i].seconds), done, worker, state.serial);
        else if (legs[i].before > 0)
            push(Duration::seconds(legs[i].before), Kind::requested, worker, state.serial, i);
        else
            startFlow(worker, i, pull);
    }
}

void Run::startFlow(std::uint32_t worker, std::uint32_t leg, bool pull) {
    State& state = m_states[worker];
    const LoneJob::Leg& spec = (pull ? m_job.workers[worker].pulls : m_job.workers[worker].pushes)[leg];
    const double bytes = spec.share * (pull ? m_job.pulledBytes : m_job.pushedBytes);
    const std::uint64_t tag = entityOf(state.serial, worker << 12 | leg << 1 | (pull ? 1u : 0u));
    state.flows[leg] = m_network.start(spec.links, bytes, tag, now);
}

const LoneJob::Leg& Run::legOf(const Message& message) const {
    const LoneJob::Worker& worker = m_job.workers[message.worker];
    return (message.kind == Kind::pushed ? worker.pushes : worker.pulls)[message.leg];
}

std::uint32_t Run::addMessage(std::uint32_t worker, std::uint32_t leg, Kind kind) {
    if (m_freeMessages.empty()) {
        m_freeMessages.push_back(static_cast<std::uint32_t>(m_messages.size()));
        m_messages.emplace_back();
    }
    const std::uint32_t id = m_freeMessages.back();
    m_freeMessages.pop_back();
    Message& message = m_messages[id];
    message = {.worker = worker, .leg = leg, .serial = message.serial, .kind = kind};
    const auto workers = static_cast<std::uint32_t>(m_job.workers.size());
    const std::uint32_t owner = legOf(message).owner;
    message.stream = kind == Kind::pulled ? owner * workers + worker : worker * workers + owner;
    m_streams[message.stream].push_back(id);
    m_states[worker].messages.push_back(id);
    return id;
}

void Run::depart(std::uint32_t id) {
    Message& message = m_messages[id];
    const LoneJob::Leg& leg = legOf(message);
    const double bytes = leg.share * (message.kind == Kind::pushed ? m_job.pushedBytes : m_job.pulledBytes);
    if (message.kind == Kind::requested)
        push(Duration::seconds(leg.before), Kind::isThere, 0, message.serial, id);
    else if (leg.links.empty() || bytes <= 0)
        push(Duration::seconds(leg.seconds), Kind::isThere, 0, message.serial, id);
    else
        message.flow = m_network.start(leg.links, bytes, id, now);
}

void Run::arrived(std::uint32_t id) {
    m_messages[id].there = true;
    deliverReady(m_messages[id].stream);
}

void Run::deliverReady(std::uint32_t stream) {
    auto& queue = m_streams[stream];
    while (!queue.empty() && m_messages[queue.front()].there) {
        const std::uint32_t id = queue.front();
        const Message message = m_messages[id];
        removeMessage(id);
        if (message.kind == Kind::requested)
            depart(addMessage(message.worker, message.leg, Kind::pulled));
        else
            legDone(message.worker, message.kind == Kind::pulled);
    }
}

void Run::removeMessage(std::uint32_t id) {
    Message& message = m_messages[id];
    if (message.flow != ~FlowId{0}) m_network.cancel(message.flow, now);
    message.flow = ~FlowId{0};
    std::erase(m_streams[message.stream], id);
    std::erase(m_states[message.worker].messages, id);
    ++message.serial;
    m_freeMessages.push_back(id);
}

void Run::legDone(std::uint32_t worker, bool pull) {
    if (--m_states[worker].missing > 0) return;
    pull ? compute(worker) : arrive(worker);
}

void Run::compute(std::uint32_t worker) {
    State& state = m_states[worker];
    const LoneJob::Worker& spec = m_job.workers[worker];
    double factors = 0;
    for (int step = 0; step < state.steps; ++step) factors += state.factors.draw();
    double seconds = static_cast<double>(m_views[worker].samples) * spec.secondsPerSample * factors / state.steps;
    if (spec.straggler && spec.straggler->burst && state.factors.unit() < spec.straggler->burst->stationaryShare())
        seconds *= spec.straggler->burst->factor;
    if (spec.straggler && spec.straggler->delay && !m_job.inOrder) seconds += state.delays.draw();
    push(Duration::seconds(seconds), Kind::computed, worker, state.serial);
}

void Run::arrive(std::uint32_t worker) {
    ++counts.answers;
    ++m_states[worker].serial;
    WorkerView& view = m_views[worker];
    view.busy = false;
    --m_busy;
    m_held.push_back({worker, view.task, view.readVersion, view.samples, {}});
    m_told.push_back({Notice::arrival, worker, view.task});
}

// As Coordinator and SimulationCore do: an action after the other, then the next notice, until the servers
// are busy.
void Run::settle() {
    while (!m_updating) {
        if (!m_actions.empty()) {
            const auto action = std::move(m_actions.front());
            m_actions.pop_front();
            carryOut(action);
        } else if (!m_told.empty()) {
            const Told told = m_told.front();
            m_told.pop_front();
            consult(told);
        } else {
            break;
        }
    }
}

void Run::consult(const Told& told) {
    if (told.kind == Notice::arrival) { // the policy is told of the newest last
        const auto it = std::find_if(m_held.rbegin(), m_held.rend(), [&](const HeldGradient& h) {
            return h.worker == told.worker && h.task == told.task;
        });
        if (it == m_held.rend()) return;
        std::rotate(it.base() - 1, it.base(), m_held.end());
    }
    const TrainingView view{.job = m_job.id,
                            .spec = m_job.spec,
                            .batch = m_job.batch,
                            .updates = counts.updates,
                            .workers = m_views,
                            .busy = m_busy,
                            .held = m_held,
                            .lastLoss = m_lastLoss,
                            .parameters = {},
                            .lastGradient = {},
                            .previousGradient = {},
                            .responses = m_responses};
    RandomStream random(0, Purpose::policy, shuffles, m_calls++);
    const PolicyContext context{now, random};
    SyncActions answer;
    answer.reuse(std::move(m_answer));
    if (told.kind == Notice::start) m_policy->onStart(context, view, answer);
    if (told.kind == Notice::arrival) m_policy->onArrival(context, view, m_held.back(), answer);
    if (told.kind == Notice::timer) m_policy->onTimer(context, view, told.task, answer);
    m_answer = answer.take();
    for (auto& action : m_answer) m_actions.push_back(std::move(action));
}

void Run::carryOut(const SyncActions::Action& action) {
    const auto take = [&](std::uint32_t worker, std::uint32_t task) {
        std::erase_if(m_held, [&](const HeldGradient& h) { return h.worker == worker && h.task == task; });
    };
    if (const auto* given = std::get_if<SyncActions::Assign>(&action)) {
        assign(given->worker, given->assignment);
    } else if (const auto* update = std::get_if<SyncActions::Update>(&action)) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> used;
        for (const auto& g : update->gradients) used.emplace_back(g.worker, g.task);
        std::sort(used.begin(), used.end());
        std::erase_if(m_held, [&](const HeldGradient& h) {
            const bool taken = std::binary_search(used.begin(), used.end(), std::pair(h.worker, h.task));
            if (taken) counts.samples += static_cast<double>(h.samples);
            return taken;
        });
        if (m_job.serverSeconds > 0) {
            m_updating = true;
            push(Duration::seconds(m_job.serverSeconds), Kind::updateDone, 0, 0);
        } else {
            finishUpdate();
        }
    } else if (const auto* drop = std::get_if<SyncActions::Drop>(&action)) {
        take(drop->worker, drop->task);
    } else if (const auto* cancelled = std::get_if<SyncActions::Cancel>(&action)) {
        if (m_views[cancelled->worker].busy) cancel(cancelled->worker);
    } else if (const auto* timer = std::get_if<SyncActions::Timer>(&action)) {
        push(timer->after, Kind::timer, 0, timer->tag);
    }
}

void Run::assign(std::uint32_t worker, const Assignment& assignment) {
    WorkerView& view = m_views[worker];
    State& state = m_states[worker];
    require(!view.busy, "a synchronization policy assigned a task to a busy worker");
    ++view.task;
    ++m_busy;
    view.busy = true;
    view.assigned = now;
    state.steps = std::max(1, assignment.localSteps);
    view.samples = std::int64_t{assignment.samples > 0 ? assignment.samples : m_job.batch} * state.steps *
                   std::max<std::int64_t>(1, static_cast<std::int64_t>(assignment.partitions.size()));
    if (!assignment.rereads && view.task > 1) {
        compute(worker);
        return;
    }
    view.readVersion = counts.updates;
    startLegs(worker, true);
}

void Run::cancel(std::uint32_t worker) {
    State& state = m_states[worker];
    for (const FlowId flow : state.flows)
        if (flow != ~FlowId{0}) m_network.cancel(flow, now);
    state.flows.clear();
    std::vector<std::uint32_t> streams;
    while (!state.messages.empty()) {
        streams.push_back(m_messages[state.messages.back()].stream);
        removeMessage(state.messages.back());
    }
    for (const std::uint32_t stream : streams) deliverReady(stream);
    ++state.serial;
    m_views[worker].busy = false;
    --m_busy;
}

void Run::finishUpdate() {
    ++counts.updates;
    counts.lastUpdate = now;
    m_updating = m_job.evaluationPeriod > 0 && counts.updates % static_cast<std::uint64_t>(m_job.evaluationPeriod) == 0;
    if (m_updating) push(Duration::seconds(m_job.evaluationSeconds), Kind::evaluated, 0, 0);
}

/// But for the variance.
UpdateTime timeBetween(const Counts& from, const Counts& to) {
    const auto updates = static_cast<double>(to.updates - from.updates);
    return {(to.lastUpdate - from.lastUpdate).toSeconds() / updates, 0, (to.samples - from.samples) / updates,
            (to.pulls - from.pulls) / updates, (to.answers - from.answers) / updates};
}

/// Of all batches but the first fifth: those that began together drift apart only slowly. Neighbouring
/// batches depend on each other, so that the variance is that of long groups of them.
UpdateTime timeOf(const std::vector<Counts>& batches) {
    const std::size_t last = batches.size() - 1, skipped = last / 5;
    UpdateTime out = timeBetween(batches[skipped], batches[last]);
    double sum = 0;
    for (std::size_t g = 0; g < groups; ++g) {
        const Counts& from = batches[skipped + (last - skipped) * g / groups];
        const Counts& to = batches[skipped + (last - skipped) * (g + 1) / groups];
        const double seconds = (to.lastUpdate - from.lastUpdate).toSeconds();
        sum += std::pow(seconds - static_cast<double>(to.updates - from.updates) * out.seconds, 2);
    }
    const auto updates = static_cast<double>(batches[last].updates - batches[skipped].updates);
    out.variance = sum / updates * groups / (groups - 1.0);
    return out;
}

} // namespace lone_job

UpdateTime measuredUpdateTime(const LoneJob& job, const Synchronization& policy) {
    using namespace lone_job;
    const double n = static_cast<double>(job.workers.size());
    Run run(job, policy);
    // With constant times a round is like every other; without rounds, the course settles after a while.
    const bool rounds = run.isSteady() && policy.stalenessBound() == 0u && job.evaluationPeriod == 0;
    if (rounds) {
        if (!run.advance(1)) return {std::numeric_limits<double>::infinity()};
        const Counts first = run.counts;
        if (!run.advance(1)) return {std::numeric_limits<double>::infinity()};
        return timeBetween(first, run.counts);
    }
    std::vector<Counts> batches{run.counts};
    if (!run.advance(roundsPerBatch * n)) return {std::numeric_limits<double>::infinity()};
    batches.push_back(run.counts);
    // An update of very many answers hardly varies, and takes long enough to be met twice.
    if (run.counts.answers >= static_cast<double>(mostAnswers * run.counts.updates)) {
        if (!run.advance(1)) return {std::numeric_limits<double>::infinity()};
        return timeBetween(batches.back(), run.counts);
    }
    while (true) {
        if (!run.advance(roundsPerBatch * n)) return {std::numeric_limits<double>::infinity()};
        batches.push_back(run.counts);
        const std::size_t count = batches.size() - 1;
        if (count < fewestBatches || (count & (count - 1)) != 0) continue;
        UpdateTime time = timeOf(batches);
        const auto updates = static_cast<double>(run.counts.updates);
        const bool exact = time.variance <= std::pow(goodEnough * time.seconds, 2) * updates;
        if (!exact && run.counts.answers < mostAnswers) continue;
        if (run.isSteady()) time.variance = 0;
        return time;
    }
}

} // namespace trainyard
