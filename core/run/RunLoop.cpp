// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The run thread of RunSession: prepares, works in short slices between looks at its orders, keeps the pace,
// and turns whatever goes wrong into a failed run that names the event.
#include "base/Stopped.h"
#include "run/Headless.h"
#include "run/RunSessionImpl.h"
#include "run/RunVerdict.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

/// How long the run thread works before it looks at its orders again: bounds the delay of stop and pause.
constexpr double sliceSeconds = 0.002;
/// A paced run that has fallen behind by more than this gives up catching up.
constexpr double mostLagSeconds = 0.25;

bool endsStep(StepKind kind, EventType type) {
    return (kind == StepKind::iteration && type == EventType::updateApplied) ||
           (kind == StepKind::decision && type == EventType::decision);
}

} // namespace

SimulationOptions RunSession::Impl::options() const {
    return {request.scenario, request.registry, request.resources, request.seed,
            request.threads,  request.commands, guard->token()};
}

void RunSession::Impl::runThread(const std::stop_token& stop) {
    try {
        guard.emplace(request.scenario->limits, stop, request.spent);
        if (request.mode == RunMode::simulate)
            simulate(guard->token());
        else
            execute(guard->token());
    } catch (const Stopped&) {
        const auto limit = guard->reached(); // before there was anything to show
        publishBare(RunStatus::stopped, limit ? Problems{*limit} : Problems{});
    } catch (const std::exception& error) {
        // What happened outside of the event loop, which names its events itself.
        publishBare(RunStatus::failed, {preparationFailure(error)});
    }
}

void RunSession::Impl::prepared(std::shared_ptr<const Workload> newWorkload, std::shared_ptr<const EventLog> newLog,
                                std::shared_ptr<const ExplanationLog> why, Problems notes) {
    warnings = std::move(notes);
    rateSince = Clock::now();
    auto made = std::make_unique<Keyframes>(newWorkload);
    const std::scoped_lock lock(shownMutex);
    workload = std::move(newWorkload);
    log = std::move(newLog);
    explanations = std::move(why);
    keyframes = std::move(made);
}

void RunSession::Impl::simulate(const std::stop_token& stop) {
    auto made = Simulation::create(options());
    if (!made) return publishBare(RunStatus::failed, made.problems());
    Simulation& simulation = *made.value();
    prepared(simulation.workload(), simulation.sharedLog(), simulation.explanations().shared(), made.problems());
    const Source source{simulation.log(), simulation.state()};
    try {
        try {
            loop(stop, simulation);
        } catch (const Stopped&) {} // within an event
        {
            const std::scoped_lock lock(shownMutex);
            applied = simulation.commands();
        }
        if (simulation.limited()) guard->eventsReached();
        const bool whole = simulation.finished() && !simulation.limited();
        if (const auto limit = guard->reached(); limit && !whole) return publish(RunStatus::stopped, source, {*limit});
        publish(simulation.finished() ? RunStatus::finished : RunStatus::stopped, source,
                divergedJobs(source.state.workload(), source.log));
    } catch (const std::exception& error) {
        publish(RunStatus::failed, source, {runFailure(simulation.log(), simulation.state().now(), error)});
    }
}

void RunSession::Impl::execute(const std::stop_token& stop) {
    auto made = Executor::create(options());
    if (!made) return publishBare(RunStatus::failed, made.problems());
    Executor& executor = *made.value();
    prepared(executor.workload(), executor.sharedLog(), executor.explanations().shared(), made.problems());
    const Source source{executor.log(), executor.state()};
    try {
        publish(RunStatus::running, source);
        const auto limit = executeGuarded(executor, *guard, [&] {
            keyframes->offer(source.log.size(), source.state);
            if (frameDue()) publish(RunStatus::running, source);
        });
        if (limit) return publish(RunStatus::stopped, source, {*limit});
        // A stopped execution ends its log properly too: what tells it apart is a job that had not come to
        // its end.
        const bool ended = source.state.allJobsOver();
        publish(ended || !stop.stop_requested() ? RunStatus::finished : RunStatus::stopped, source,
                divergedJobs(source.state.workload(), source.log));
    } catch (const std::exception& error) {
        publish(RunStatus::failed, source, {runFailure(executor.log(), executor.state().now(), error)});
    }
}

void RunSession::Impl::loop(const std::stop_token& stop, Simulation& simulation) {
    const Source source{simulation.log(), simulation.state()};
    while (!stop.stop_requested() && !simulation.finished()) {
        const Orders now = takeOrders();
        applyCommands(simulation, now.commands);
        for (const StepKind kind : now.steps) step(stop, simulation, kind);
        if (simulation.finished()) break;
        watchFor(now, simulation);
        if (!now.paused) {
            if (now.until && !watch) continue; // there already: the orders say pause now
            const int before = reached.number;
            advance(stop, simulation, now.toEnd ? 0 : now.speed);
            const bool arrived = reached.number != before; // then the next frame shows the pause
            if (!arrived && frameDue()) publish(RunStatus::running, source);
            continue;
        }
        pace.speed = 0;
        // The frame that shows the pause may have to wait for its turn.
        const auto last = latest();
        const bool current = last->status == RunStatus::paused && last->logSize == source.log.size() &&
                             last->reached.number == reached.number;
        if (current)
            sleepUntil(stop, std::nullopt);
        else if (frameDue())
            publish(RunStatus::paused, source);
        else
            sleepUntil(stop, nextFrame);
    }
}

void RunSession::Impl::advance(const std::stop_token& stop, Simulation& simulation, double speed) {
    const SimTime watched = watchedTime();
    if (speed <= 0) {
        pace.speed = 0;
        workSlice(simulation, watched);
        if (!simulation.finished() && simulation.nextTime() > watched) arrive(watched);
        return;
    }
    const auto now = Clock::now();
    shownTime = std::max(shownTime, simulation.state().now());
    if (pace.speed != speed) pace = {speed, now, shownTime};
    const SimTime target = std::min(watched, pace.from + Duration::seconds(speed * Seconds(now - pace.since).count()));
    const SimTime next = simulation.nextTime();
    if (next > target) {
        shownTime = std::max(shownTime, target);
        if (target == watched) return arrive(watched);
        const double wait = std::min((next - target).toSeconds() / speed, 1.0);
        const auto due = now + std::chrono::duration_cast<Clock::duration>(Seconds(wait));
        return sleepUntil(stop, std::min(due, std::max(nextFrame, now)));
    }
    workSlice(simulation, target);
    if ((target - simulation.state().now()).toSeconds() > speed * mostLagSeconds && simulation.nextTime() <= target)
        pace = {speed, Clock::now(), simulation.state().now()};
}

void RunSession::Impl::workSlice(Simulation& simulation, SimTime until) {
    const auto start = Clock::now();
    if (!watch || watchedTime() != SimTime::never()) {
        simulation.runUntil(until, slice);
    } else {
        for (std::size_t n = 0; n < slice && watch && simulation.nextTime() <= until; ++n) {
            if (!simulation.step(until)) break;
            look(simulation);
        }
    }
    const double spent = Seconds(Clock::now() - start).count();
    if (spent > 2 * sliceSeconds)
        slice = std::max<std::size_t>(1, slice / 2);
    else if (spent < sliceSeconds / 2)
        slice = std::min<std::size_t>(Keyframes::firstSpacing, slice * 2);
    keyframes->offer(simulation.log().size(), simulation.state());
}

void RunSession::Impl::watchFor(const Orders& now, const Simulation& simulation) {
    if (!now.until) return watch.reset();
    if (watchNumber == now.untilNumber) return;
    watchNumber = now.untilNumber;
    watch = now.until;
    look(simulation);
    const SimTime present = std::max(shownTime, simulation.state().now());
    if (watchedTime() <= present) arrive(watchedTime());
}

void RunSession::Impl::look(const Simulation& simulation) {
    if (const auto at = watch->look(simulation.log(), simulation.log().size())) arrive(simulation.log()[*at].time);
}

SimTime RunSession::Impl::watchedTime() const {
    return watch && watch->until().kind == Breakpoint::Kind::time ? watch->until().time : SimTime::never();
}

void RunSession::Impl::arrive(SimTime at) {
    watch.reset();
    reached = {watchNumber, at};
    shownTime = std::max(shownTime, at);
    pace.speed = 0;
    const std::scoped_lock lock(ordersMutex);
    if (orders.untilNumber != watchNumber || !orders.until) return; // another order has come meanwhile
    orders.until.reset();
    orders.paused = true;
    orders.toEnd = false;
}

void RunSession::Impl::step(const std::stop_token& stop, Simulation& simulation, StepKind kind) {
    const EventLog& events = simulation.log();
    auto since = Clock::now();
    bool ends = false;
    while (!simulation.finished() && !ends) {
        const std::size_t before = events.size();
        simulation.step();
        keyframes->offer(events.size(), simulation.state());
        ends = kind == StepKind::event;
        for (std::size_t i = before; i < events.size(); ++i) ends = ends || endsStep(kind, events[i].type);
        const auto now = Clock::now();
        if (!ends && now < since + std::chrono::milliseconds(2)) continue;
        if (stop.stop_requested() || interrupted()) return;
        if (!ends && frameDue()) publish(RunStatus::running, {events, simulation.state()});
        since = Clock::now();
    }
}

void RunSession::Impl::applyCommands(Simulation& simulation, const std::vector<Command>& list) {
    for (Command command : list) {
        command.at = std::max(shownTime, simulation.state().now());
        simulation.command(command);
    }
    if (list.empty()) return;
    const std::scoped_lock lock(shownMutex);
    applied = simulation.commands();
}

} // namespace trainyard
