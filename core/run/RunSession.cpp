// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/RunSession.h"

#include "record/CompletedShare.h"
#include "run/RunSessionImpl.h"

#include <algorithm>

namespace trainyard {

namespace {

constexpr std::chrono::duration<double> frameInterval{1.0 / 60};

bool isTerminal(RunStatus status) {
    return status == RunStatus::finished || status == RunStatus::failed || status == RunStatus::stopped;
}

} // namespace

// --- Orders
// ------------------------------------------------------------------------------------------------------------

RunSession::Impl::Impl(RunRequest given) : request(std::move(given)) {
    orders.paused = request.paused;
    orders.speed = request.speed;
    shown = std::make_shared<const Frame>();
    thread = std::jthread([this](const std::stop_token& stop) { runThread(stop); });
}

void RunSession::Impl::order(const std::function<void(Orders&)>& change) {
    {
        const std::scoped_lock lock(ordersMutex);
        change(orders);
        ordersChanged = true;
    }
    wake.notify_all();
}

RunSession::Impl::Orders RunSession::Impl::takeOrders() {
    const std::scoped_lock lock(ordersMutex);
    Orders taken = orders;
    orders.steps.clear();
    orders.commands.clear();
    orders.interrupt = false;
    ordersChanged = false;
    return taken;
}

bool RunSession::Impl::interrupted() {
    const std::scoped_lock lock(ordersMutex);
    return orders.interrupt;
}

void RunSession::Impl::sleepUntil(const std::stop_token& stop, std::optional<Clock::time_point> until) {
    const LimitGuard::Pause pause(*guard);
    std::unique_lock lock(ordersMutex);
    if (until)
        wake.wait_until(lock, stop, *until, [this] { return ordersChanged; });
    else
        wake.wait(lock, stop, [this] { return ordersChanged; });
}

// --- Frames
// ------------------------------------------------------------------------------------------------------------

void RunSession::Impl::publish(RunStatus status, const Source& source, Problems problems) {
    const auto start = Clock::now();
    const auto last = latest();
    auto frame = std::make_shared<Frame>();
    shownTime = std::max(shownTime, source.state.now());
    frame->status = status;
    frame->now = shownTime;
    frame->logSize = source.log.size();
    const bool same = last->state && last->logSize == frame->logSize;
    frame->state = same ? last->state : std::make_shared<const ClusterState>(source.state);
    frame->progress = status == RunStatus::finished ? 1 : progressOf(source.state);
    frame->reached = reached;
    frame->problems = warnings;
    frame->problems.insert(frame->problems.end(), problems.begin(), problems.end());
    measureSpeed(*frame, start);
    // A frame of a very large cluster may cost more than a display refresh: at most a tenth of the time goes
    // into them.
    const Seconds cost = Clock::now() - start;
    nextFrame = start + std::chrono::duration_cast<Clock::duration>(std::max(frameInterval, 10 * cost));
    show(std::move(frame));
}

void RunSession::Impl::publishBare(RunStatus status, Problems problems) {
    auto frame = std::make_shared<Frame>(*latest());
    frame->status = status;
    frame->problems = std::move(problems);
    show(std::move(frame));
}

void RunSession::Impl::show(std::shared_ptr<const Frame> frame) {
    std::function<void()> callback;
    {
        const std::scoped_lock lock(shownMutex);
        shown = std::move(frame);
        callback = onFrame;
    }
    shownChanged.notify_all();
    if (callback) callback();
}

std::shared_ptr<const Frame> RunSession::Impl::latest() const {
    const std::scoped_lock lock(shownMutex);
    return shown;
}

/// Rates are measured over half a second or more, so that they can be read; a shorter run is measured as a
/// whole.
void RunSession::Impl::measureSpeed(Frame& frame, Clock::time_point now) {
    const double elapsed = Seconds(now - rateSince).count(), events = static_cast<double>(frame.logSize - rateLogSize);
    // A run that was played, and whose rest was then computed at once, has come further than its rate so far says.
    const bool rushed = isTerminal(frame.status) && events > 0.5 * rate;
    if (elapsed >= 0.5 || (rushed && elapsed > 0)) {
        rate = events / elapsed;
        ratio = (frame.now - rateTime).toSeconds() / elapsed;
        rateSince = now;
        rateLogSize = frame.logSize;
        rateTime = frame.now;
    }
    frame.eventsPerSecond = rate;
    frame.speedRatio = ratio;
}

// --- The doors
// ---------------------------------------------------------------------------------------------------------

RunSession::RunSession(RunRequest request) : m_impl(std::make_unique<Impl>(std::move(request))) {}
RunSession::~RunSession() = default; // the thread is asked to stop, and joined

void RunSession::pause() {
    m_impl->order([](Impl::Orders& o) {
        o.paused = o.interrupt = true;
        o.toEnd = false;
        o.until.reset();
        o.steps.clear();
    });
}

void RunSession::resume() {
    m_impl->order([](Impl::Orders& o) {
        o.paused = false;
        o.interrupt = true;
        o.until.reset();
    });
}

void RunSession::setSpeed(double simulatedPerReal) {
    m_impl->order([=](Impl::Orders& o) {
        o.speed = std::max(0.0, simulatedPerReal);
        o.toEnd = false;
    });
}

void RunSession::step(StepKind kind) {
    m_impl->order([=](Impl::Orders& o) {
        o.paused = true;
        o.until.reset();
        o.steps.push_back(kind);
    });
}

void RunSession::runToEnd() {
    m_impl->order([](Impl::Orders& o) {
        o.paused = false;
        o.toEnd = o.interrupt = true;
        o.until.reset();
    });
}

int RunSession::runUntil(const Breakpoint& until, std::size_t from) {
    int number = 0;
    m_impl->order([&](Impl::Orders& o) {
        o.paused = false;
        o.toEnd = o.interrupt = true;
        number = ++o.untilNumber;
        o.until = BreakpointWatch(until, from);
    });
    return number;
}

void RunSession::stop() { m_impl->thread.request_stop(); }

void RunSession::command(CommandKind kind, std::uint32_t a, std::uint32_t b, double value) {
    m_impl->order([=](Impl::Orders& o) { o.commands.push_back({SimTime{}, kind, a, b, value}); });
}

void RunSession::wait() {
    std::unique_lock lock(m_impl->shownMutex);
    m_impl->shownChanged.wait(lock, [this] { return isTerminal(m_impl->shown->status); });
}

bool RunSession::waitFor(std::chrono::milliseconds most) {
    std::unique_lock lock(m_impl->shownMutex);
    return m_impl->shownChanged.wait_for(lock, most, [this] { return isTerminal(m_impl->shown->status); });
}

std::shared_ptr<const Frame> RunSession::frame() const { return m_impl->latest(); }

std::shared_ptr<const EventLog> RunSession::log() const {
    const std::scoped_lock lock(m_impl->shownMutex);
    return m_impl->log;
}

std::shared_ptr<const Workload> RunSession::workload() const {
    const std::scoped_lock lock(m_impl->shownMutex);
    return m_impl->workload;
}

std::shared_ptr<const ClusterState> RunSession::stateAt(SimTime t) const {
    const Keyframes* keyframes = nullptr;
    std::shared_ptr<const EventLog> log;
    {
        const std::scoped_lock lock(m_impl->shownMutex);
        keyframes = m_impl->keyframes.get(); // made once, before the first frame with a state
        log = m_impl->log;
    }
    return keyframes ? keyframes->stateAt(*log, t) : nullptr;
}

std::shared_ptr<const ExplanationLog> RunSession::explanations() const {
    const std::scoped_lock lock(m_impl->shownMutex);
    return m_impl->explanations;
}

void RunSession::onFrame(std::function<void()> callback) {
    const std::scoped_lock lock(m_impl->shownMutex);
    m_impl->onFrame = std::move(callback);
}

const RunRequest& RunSession::request() const { return m_impl->request; }

std::vector<Command> RunSession::commands() const {
    const std::scoped_lock lock(m_impl->shownMutex);
    return m_impl->applied;
}

} // namespace trainyard
