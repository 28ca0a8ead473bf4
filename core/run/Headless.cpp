// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/Headless.h"

#include "base/Format.h"
#include "engine/Executor.h"

#include <cmath>

namespace trainyard {

namespace {

std::optional<double> jobNumber(const std::map<std::string, double>& values, const char* name) {
    const auto it = values.find(name);
    return it == values.end() || !std::isfinite(it->second) ? std::nullopt : std::optional<double>(it->second);
}

Problem stoppedRun() { return {.code = "stopped", .message = {TRAINYARD_TEXT("stopped"), {}}}; }

} // namespace

Problem runFailure(const EventLog& log, SimTime time, const std::string& message) {
    const std::size_t count = log.size();
    const std::string name = count > 0 ? std::string(eventName(log[count - 1].type)) : "none";
    return {.code = "run-failed",
            .message = {TRAINYARD_TEXT("the run failed after event {0} ({1}) at {2} s: {3}"),
                        {std::to_string(count), name, formatNumber(time.toSeconds()), message}}};
}

Result<RunOutcome> simulateOnce(SimulationOptions options, const std::stop_token& stop) {
    if (stop.stop_requested()) return stoppedRun();
    auto made = Simulation::create(std::move(options));
    if (!made) return made.problems();
    Simulation& simulation = *made.value();
    try {
        std::size_t limit = 64; // grows while events are cheap, so that stop is looked at often enough
        while (!simulation.finished()) {
            if (stop.stop_requested()) return stoppedRun();
            simulation.runUntil(SimTime::never(), limit);
            if (simulation.eventsProcessed() > 100 * limit && limit < 4096) limit *= 2;
        }
    } catch (const std::exception& error) {
        return runFailure(simulation.log(), simulation.state().now(), error.what());
    }
    return RunOutcome{computeMetrics(*simulation.workload(), simulation.log(), simulation.state().now()),
                      simulation.log().digest(), simulation.workload(), simulation.sharedLog()};
}

Result<RunOutcome> executeOnce(SimulationOptions options, const std::stop_token& stop) {
    if (stop.stop_requested()) return stoppedRun();
    auto made = Executor::create(std::move(options));
    if (!made) return made.problems();
    Executor& executor = *made.value();
    try {
        executor.run(stop, [] {});
    } catch (const std::exception& error) { return runFailure(executor.log(), executor.state().now(), error.what()); }
    if (stop.stop_requested()) return stoppedRun();
    return RunOutcome{computeMetrics(*executor.workload(), executor.log(), executor.state().now()),
                      executor.log().digest(), executor.workload(), executor.sharedLog()};
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
