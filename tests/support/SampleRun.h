// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A small run made by hand, for tests of views that need no engine: two racks of two machines under one
// switch, a trained job of three workers (the third four times slower) and one server, and an analytic job
// that starts later. The log obeys every rule of record/Event.h, so its fold is a valid ClusterState at any
// instant.
#include "record/ClusterState.h"
#include "record/EventLog.h"
#include "scenario/Scenario.h"

#include <memory>
#include <string>

namespace trainyard::test {

inline Scenario sampleScenario() {
    Scenario s;
    s.title = "One slow worker";
    s.lookFor = "Worker 3 is four times slower. Orange is everyone else waiting for it.";
    s.seed = 7;
    s.cluster.resourceNames = {"cpu", "memory_gb"};
    s.cluster.racks = {{.key = "r1", .name = "Rack 1"}, {.key = "r2", .name = "Rack 2"}};
    for (int i = 1; i <= 4; ++i) {
        Machine m{
            .key = "m" + std::to_string(i), .capacity = ResourceVector::of({4, 16}), .rack = i <= 2 ? "r1" : "r2"};
        if (i == 3) m.straggler.persistentFactor = 4;
        s.cluster.machines.push_back(m);
    }
    s.cluster.switches = {{.key = "sw", .name = "Switch"}};
    for (int i = 1; i <= 4; ++i) {
        const std::string key = "m" + std::to_string(i);
        s.cluster.links.push_back(
            {.key = key + "--sw", .from = key, .to = "sw", .bandwidth = i <= 2 ? 1.25e9 : 1.25e8});
    }
    Job trained{.key = "train", .name = "Digits"};
    trained.workerDemand = ResourceVector::of({2, 4});
    trained.serverDemand = ResourceVector::of({1, 2});
    trained.workers = {3, 3};
    trained.stop.iterations = 20;
    trained.work = TrainedWork{.model = {"softmax", {}}, .dataset = {"digits", {}}, .optimizer = {"sgd", {}}};
    s.jobs.push_back(trained);
    Job analytic{.key = "batch", .name = "Batch"};
    analytic.arrival = SimTime::seconds(1);
    analytic.workerDemand = ResourceVector::of({1, 2});
    analytic.workers = {2, 2};
    analytic.servers = {0, 0};
    analytic.stop.iterations = 40;
    analytic.work = AnalyticWork{};
    s.jobs.push_back(analytic);
    Variant fastest{.name = "fastest-k", .title = "Try fastest-k"};
    fastest.choice = {"fastest-k", {{"k", std::int64_t{2}}}};
    s.variants = {fastest};
    return s;
}

/// Generators aside, what expandWorkload makes of it.
inline std::shared_ptr<const Workload> sampleWorkload() {
    const Scenario s = sampleScenario();
    return std::make_shared<const Workload>(Workload{s.cluster, s.jobs});
}

/// Appends events in order of time to a log; the little language the sample is written in.
class LogWriter {
public:
    explicit LogWriter(EventLog& log) : m_log(log) {}
    void at(double seconds, EventType type, std::uint32_t job = JobId::none, std::uint32_t a = 0, std::uint32_t b = 0,
            double value = 0, std::uint16_t aux = 0) {
        Event e{.time = SimTime::seconds(seconds), .type = type, .aux = aux, .job = job, .a = a, .b = b};
        e.value = value;
        m_log.append(e);
    }

private:
    EventLog& m_log;
};

/// Full synchronization, one iteration a second: pull 0.05 s, compute 0.2 s (worker 2: 0.8 s), push 0.05 s,
/// then waiting. Job 1 arrives at 1 s, starts at 2 s and is finished at the end. The log ends with
/// runFinished at iterations + 0.5 s (at least 2.5 s).
inline std::shared_ptr<EventLog> sampleLog(int iterations = 20) {
    auto log = std::make_shared<EventLog>();
    LogWriter w(*log);
    const auto worker = static_cast<std::uint16_t>(TaskRole::worker),
               server = static_cast<std::uint16_t>(TaskRole::server);
    w.at(0, EventType::runStarted);
    w.at(0, EventType::jobArrived, 0);
    for (std::uint32_t i = 0; i < 3; ++i) w.at(0, EventType::taskPlaced, 0, i, i, 0, worker);
    w.at(0, EventType::taskPlaced, 0, 0, 3, 0, server);
    w.at(0, EventType::jobStarted, 0, 3, 1, 0);
    for (int n = 0; n < iterations; ++n) {
        const double t = n;
        const auto task = static_cast<std::uint32_t>(n + 1);
        if (n == 1) w.at(t, EventType::jobArrived, 1);
        if (n == 2) {
            w.at(t, EventType::taskPlaced, 1, 0, 0, 0, worker);
            w.at(t, EventType::taskPlaced, 1, 1, 1, 0, worker);
            w.at(t, EventType::jobStarted, 1, 2, 0, 1);
        }
        for (std::uint32_t i = 0; i < 3; ++i) w.at(t, EventType::pullStarted, 0, i, task, 8000);
        w.at(t, EventType::linkLoad, JobId::none, 2 * 3 + 0, 0, 3 * 160000);
        for (std::uint32_t i = 0; i < 3; ++i) w.at(t, EventType::linkLoad, JobId::none, 2 * i + 1, 0, 0.9e8);
        w.at(t + 0.05, EventType::linkLoad, JobId::none, 2 * 3 + 0, 0, 0);
        for (std::uint32_t i = 0; i < 3; ++i) w.at(t + 0.05, EventType::linkLoad, JobId::none, 2 * i + 1, 0, 0);
        for (std::uint32_t i = 0; i < 3; ++i) w.at(t + 0.05, EventType::computeStarted, 0, i, task, 32);
        for (std::uint32_t i = 0; i < 2; ++i) w.at(t + 0.25, EventType::pushStarted, 0, i, task, 8000);
        for (std::uint32_t i = 0; i < 2; ++i) w.at(t + 0.3, EventType::gradientArrived, 0, i, task, 0);
        w.at(t + 0.85, EventType::pushStarted, 0, 2, task, 8000);
        w.at(t + 0.9, EventType::gradientArrived, 0, 2, task, 0);
        for (std::uint32_t i = 0; i < 3; ++i) w.at(t + 0.9, EventType::gradientUsed, 0, i, task, 1.0 / 3);
        w.at(t + 0.9, EventType::updateApplied, 0, task, 0, 96);
        w.at(t + 0.9, EventType::lossEvaluated, 0, task, 0, 2.3 / (1 + 0.3 * (n + 1)));
    }
    const double end = iterations < 2 ? 2 : iterations;
    if (iterations > 2) {
        w.at(end, EventType::jobFinished, 1, 40, 0, 0.4, static_cast<std::uint16_t>(FinishReason::iterations));
        for (std::uint32_t i = 0; i < 2; ++i) w.at(end, EventType::taskRemoved, 1, i, i, 0, worker);
    }
    w.at(end, EventType::jobFinished, 0, static_cast<std::uint32_t>(iterations), 0, 2.3 / (1 + 0.3 * iterations),
         static_cast<std::uint16_t>(FinishReason::iterations));
    for (std::uint32_t i = 0; i < 3; ++i) w.at(end, EventType::taskRemoved, 0, i, i, 0, worker);
    w.at(end, EventType::taskRemoved, 0, 0, 3, 0, server);
    w.at(end + 0.5, EventType::runFinished);
    return log;
}

/// The fold of the log up to and including t.
inline std::shared_ptr<const ClusterState> sampleState(double seconds) {
    auto state = std::make_shared<ClusterState>(sampleWorkload());
    const auto log = sampleLog();
    for (std::size_t i = 0; i < log->positionAfter(SimTime::seconds(seconds)); ++i) state->apply((*log)[i]);
    return state;
}

} // namespace trainyard::test
