// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/Headless.h"

#include "base/Format.h"
#include "base/Stopped.h"

#include <cmath>
#include <new>

namespace trainyard {

namespace {

std::optional<double> jobNumber(const std::map<std::string, double>& values, const char* name) {
    const auto it = values.find(name);
    return it == values.end() || !std::isfinite(it->second) ? std::nullopt : std::optional<double>(it->second);
}

bool isOutOfMemory(const std::exception& error) { return dynamic_cast<const std::bad_alloc*>(&error) != nullptr; }

Problem stoppedRun() { return {.code = "stopped", .message = {TRAINYARD_TEXT("stopped"), {}}}; }

/// A simulation or an execution.
template <class Run>
Result<std::unique_ptr<Run>> prepare(SimulationOptions options) {
    try {
        return Run::create(std::move(options));
    } catch (const Stopped&) { return stoppedRun(); } catch (const std::exception& error) {
        return preparationFailure(error);
    }
}

template <class Run>
RunOutcome outcomeOf(const Run& run) {
    return {computeMetrics(*run.workload(), run.log(), run.state().now()), run.log().digest(), run.workload(),
            run.sharedLog()};
}

/// Why there is no more to be done: a limit, or the one who asked for the run.
std::optional<Problem> endedBy(const LimitGuard& guard) {
    if (const auto limit = guard.reached()) return limit;
    return guard.token().stop_requested() ? std::optional(stoppedRun()) : std::nullopt;
}

} // namespace

Problem runFailure(const EventLog& log, SimTime time, const std::exception& error) {
    const std::size_t count = log.size();
    const std::string name = count > 0 ? std::string(eventName(log[count - 1].type)) : "none";
    const std::string number = std::to_string(count), at = formatNumber(time.toSeconds());
    if (isOutOfMemory(error))
        return {.code = "limit",
                .message = {TRAINYARD_TEXT("stopped: no memory was left after event {0} ({1}) at {2} s"),
                            {number, name, at}}};
    return {.code = "run-failed",
            .message = {TRAINYARD_TEXT("the run failed after event {0} ({1}) at {2} s: {3}"),
                        {number, name, at, error.what()}}};
}

Problem preparationFailure(const std::exception& error) {
    if (isOutOfMemory(error))
        return {.code = "limit",
                .message = {TRAINYARD_TEXT("stopped: the run does not fit into memory; it was not begun"), {}}};
    return {.code = "run-failed", .message = {TRAINYARD_TEXT("the run could not be prepared: {0}"), {error.what()}}};
}

Result<RunOutcome> simulateOnce(SimulationOptions options, const std::stop_token& stop) {
    if (stop.stop_requested()) return stoppedRun();
    LimitGuard guard(options.scenario->limits, stop);
    options.stop = guard.token();
    const auto made = prepare<Simulation>(std::move(options));
    if (const auto ended = endedBy(guard)) return *ended;
    if (!made) return made.problems();
    Simulation& simulation = *made.value();
    try {
        while (simulation.step()) {}
    } catch (const Stopped&) {
    } catch (const std::exception& error) { return runFailure(simulation.log(), simulation.state().now(), error); }
    if (simulation.limited()) guard.eventsReached();
    if (const auto ended = endedBy(guard); ended && (simulation.limited() || !simulation.finished())) return *ended;
    return outcomeOf(simulation);
}

Result<RunOutcome> executeOnce(SimulationOptions options, const std::stop_token& stop) {
    if (stop.stop_requested()) return stoppedRun();
    LimitGuard guard(options.scenario->limits, stop);
    options.stop = guard.token();
    const auto made = prepare<Executor>(std::move(options));
    if (const auto ended = endedBy(guard)) return *ended;
    if (!made) return made.problems();
    Executor& executor = *made.value();
    try {
        const auto limit = executeGuarded(executor, guard, [] {});
        if (stop.stop_requested()) return stoppedRun();
        if (limit) return *limit;
        return outcomeOf(executor);
    } catch (const std::exception& error) { return runFailure(executor.log(), executor.state().now(), error); }
}

std::optional<Problem> executeGuarded(Executor& executor, LimitGuard& guard, const std::function<void()>& publish) {
    executor.run(guard.token(), [&] {
        publish();
        guard.count(executor.log().size());
    });
    return executor.state().allJobsOver() ? std::nullopt : guard.reached();
}

std::vector<JobGap> gapsBetween(const Metrics& measured, const Metrics& simulated) {
    std::vector<JobGap> out(std::min(measured.jobs.size(), simulated.jobs.size()));
    for (std::size_t j = 0; j < out.size(); ++j) {
        const auto &m = measured.jobs[j], &s = simulated.jobs[j];
        const auto time = jobNumber(m, "mean_iteration_s"), predicted = jobNumber(s, "mean_iteration_s");
        if (time && predicted && *predicted > 0) out[j].iterationTime = *time / *predicted - 1;
        const auto loss = jobNumber(m, "final_loss"), wanted = jobNumber(s, "final_loss"),
                   first = jobNumber(s, "first_loss");
        if (loss && wanted && first && *first != *wanted) out[j].loss = (*loss - *wanted) / std::abs(*first - *wanted);
    }
    return out;
}

} // namespace trainyard
