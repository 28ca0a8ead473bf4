// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A busy run made by hand, for tests of the lanes: "Digits", six workers that wait for the five fastest (the
// fourth is slow and its gradients come too late), and "Ranking", three asynchronous workers that lose a
// machine and are restored elsewhere. The log obeys record/Event.h: its fold is a valid ClusterState at any
// instant.
#include "record/EventLog.h"
#include "scenario/Scenario.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace trainyard::test {

struct BusyRun {
    std::shared_ptr<const Scenario> scenario;
    std::shared_ptr<const Workload> workload;
    std::shared_ptr<const EventLog> log;
};

class BusyRunWriter {
public:
    explicit BusyRunWriter(int iterations) : m_iterations(iterations) {}

    BusyRun write() {
        auto scenario = std::make_shared<Scenario>(makeScenario());
        emitEvent(0, EventType::runStarted);
        digits();
        ranking();
        emitEvent(m_end + 0.5, EventType::runFinished);
        std::stable_sort(m_events.begin(), m_events.end(),
                         [](const Event& a, const Event& b) { return a.time < b.time; });
        auto log = std::make_shared<EventLog>();
        for (const Event& e : m_events) log->append(e);
        auto workload = std::make_shared<const Workload>(Workload{scenario->cluster, scenario->jobs});
        return {scenario, workload, log};
    }

private:
    static constexpr std::uint16_t worker = 0, server = 1;

    static Scenario makeScenario() {
        Scenario s;
        s.title = "Two jobs, one slow worker, one failure";
        s.seed = 11;
        s.cluster.resourceNames = {"cpu", "memory_gb"};
        for (int i = 1; i <= 7; ++i) {
            s.cluster.machines.push_back({.key = "m" + std::to_string(i), .capacity = ResourceVector::of({4, 16})});
            s.cluster.links.push_back({.key = "m" + std::to_string(i) + "--sw",
                                       .from = "m" + std::to_string(i),
                                       .to = "sw",
                                       .bandwidth = 1.25e8});
        }
        s.cluster.switches = {{.key = "sw", .name = "Switch"}};
        Job digits{.key = "digits", .name = "Digits"};
        digits.workerDemand = ResourceVector::of({2, 3});
        digits.serverDemand = ResourceVector::of({1, 2});
        digits.workers = {6, 6};
        digits.stop.iterations = 30;
        digits.work = TrainedWork{.model = {"softmax", {}}, .dataset = {"digits", {}}, .optimizer = {"sgd", {}}};
        Job ranking{.key = "ranking", .name = "Ranking"};
        ranking.arrival = SimTime::seconds(3);
        ranking.workerDemand = ResourceVector::of({1, 4});
        ranking.workers = {3, 3};
        ranking.servers = {0, 0};
        ranking.stop.iterations = 60;
        ranking.work = AnalyticWork{};
        s.jobs = {digits, ranking};
        return s;
    }

    void emitEvent(double seconds, EventType type, std::uint32_t job = JobId::none, std::uint32_t a = 0,
                   std::uint32_t b = 0, double value = 0, std::uint16_t aux = 0) {
        Event e{.time = SimTime::seconds(seconds), .type = type, .aux = aux, .job = job, .a = a, .b = b};
        e.value = value;
        m_events.push_back(e);
    }

    /// Pull 0.06 s, compute about half a second (worker 3: 3.5 times that), push 0.06 s; returns the arrival.
    double launch(std::uint32_t job, std::uint32_t w, std::uint32_t task, double t, double compute,
                  double until = 1e300) {
        if (t < until) emitEvent(t, EventType::pullStarted, job, w, task, 65000);
        if (t + 0.06 < until) emitEvent(t + 0.06, EventType::computeStarted, job, w, task, 32);
        if (t + 0.06 + compute < until) emitEvent(t + 0.06 + compute, EventType::pushStarted, job, w, task, 65000);
        return t + 0.12 + compute;
    }

    void digits() {
        emitEvent(0, EventType::jobArrived, 0);
        for (std::uint32_t w = 0; w < 6; ++w) emitEvent(0.4, EventType::taskPlaced, 0, w, w, 0, worker);
        emitEvent(0.4, EventType::taskPlaced, 0, 0, 0, 0, server);
        emitEvent(0.8, EventType::jobStarted, 0, 6, 1, 0.8);
        double t = 0.8, slowFree = 0;
        std::vector<std::uint32_t> task(6, 0);
        double slowArrival = 0;
        for (int n = 0; n < m_iterations; ++n) {
            double end = 0;
            std::vector<std::pair<std::uint32_t, double>> arrivals;
            for (std::uint32_t w = 0; w < 6; ++w) {
                if (w == 3 && slowFree > t) continue;
                if (w == 3 && task[3] > 0 && slowArrival > 0) slowArrival = 0;
                const double compute =
                    (0.5 + 0.05 * ((w * 7 + static_cast<std::uint32_t>(n) * 3) % 5)) * (w == 3 ? 3.5 : 1);
                const double arrival = launch(0, w, ++task[w], t, compute);
                if (w == 3)
                    slowFree = slowArrival = arrival;
                else
                    arrivals.emplace_back(w, arrival), end = std::max(end, arrival);
            }
            for (const auto& [w, at] : arrivals) emitEvent(at, EventType::gradientArrived, 0, w, task[w], 0);
            for (const auto& [w, at] : arrivals) emitEvent(end, EventType::gradientUsed, 0, w, task[w], 0.2);
            if (slowArrival > t && slowArrival <= end) {
                emitEvent(slowArrival, EventType::gradientArrived, 0, 3, task[3], 1);
                emitEvent(slowArrival, EventType::gradientDropped, 0, 3, task[3], 32);
            }
            for (std::uint32_t w = 0; w < 6; ++w) {
                emitEvent(t, EventType::linkLoad, JobId::none, 2 * w + 1, 0, 0.9e8);
                emitEvent(t + 0.06, EventType::linkLoad, JobId::none, 2 * w + 1, 0, 0);
            }
            emitEvent(end, EventType::updateApplied, 0, static_cast<std::uint32_t>(n + 1), 0, 160);
            emitEvent(end, EventType::lossEvaluated, 0, static_cast<std::uint32_t>(n + 1), 0,
                      2.3 / (1 + 0.35 * (n + 1)));
            t = end;
        }
        if (slowArrival > t) {
            emitEvent(t, EventType::taskCancelled, 0, 3, task[3], 0.5);
            std::erase_if(m_events, [&](const Event& e) {
                return e.job == 0 && e.a == 3 && e.time > SimTime::seconds(t) &&
                       (e.type == EventType::pullStarted || e.type == EventType::computeStarted ||
                        e.type == EventType::pushStarted);
            });
        }
        emitEvent(t, EventType::jobFinished, 0, static_cast<std::uint32_t>(m_iterations), 0, 0.2);
        for (std::uint32_t w = 0; w < 6; ++w) emitEvent(t, EventType::taskRemoved, 0, w, w, 0, worker);
        emitEvent(t, EventType::taskRemoved, 0, 0, 0, 0, server);
        m_end = t;
    }

    /// Asynchronous rounds of all three workers from `from` until `until`; returns the updates applied.
    void rounds(double from, double until) {
        for (std::uint32_t w = 0; w < 3; ++w) {
            double t = from;
            for (int n = 0; t < until; ++n) {
                const double arrival = launch(1, w, ++m_task[w], t, 0.7 + 0.2 * w, until);
                if (arrival >= until) {
                    emitEvent(until, EventType::taskCancelled, 1, w, m_task[w], 0.5);
                    break;
                }
                emitEvent(arrival, EventType::gradientArrived, 1, w, m_task[w], 2);
                emitEvent(arrival, EventType::gradientUsed, 1, w, m_task[w], 1);
                m_updates.push_back(arrival);
                t = arrival;
            }
        }
    }

    void placeRanking(double t, const std::vector<std::uint32_t>& machines, bool place) {
        for (std::uint32_t w = 0; w < 3; ++w)
            emitEvent(t, place ? EventType::taskPlaced : EventType::taskRemoved, 1, w, machines[w], 0, worker);
    }

    void countUpdates(std::uint32_t done) {
        std::sort(m_updates.begin(), m_updates.end());
        for (const double t : m_updates) {
            ++done;
            emitEvent(t, EventType::updateApplied, 1, done, 0, 32);
            if (done % 2 == 0) emitEvent(t, EventType::lossEvaluated, 1, done, 0, 0.4 + 1.5 / (1 + 0.1 * done));
        }
        m_updates.clear();
    }

    void ranking() {
        const double failure = 12, restart = 14, end = std::max(m_end - 1, 15.0);
        emitEvent(3, EventType::jobArrived, 1);
        placeRanking(4, {1, 6, 5}, true);
        emitEvent(4, EventType::jobStarted, 1, 3, 0, 1);
        rounds(4, failure);
        countUpdates(0);
        emitEvent(failure, EventType::machineFailed, JobId::none, 6);
        placeRanking(failure, {1, 6, 5}, false);
        emitEvent(failure, EventType::jobPreempted, 1, 16, 4, 0,
                  static_cast<std::uint16_t>(PreemptReason::machineFailure));
        placeRanking(restart, {1, 2, 5}, true);
        emitEvent(restart, EventType::jobStarted, 1, 3, 0, 3);
        emitEvent(restart, EventType::jobRestored, 1, 16, 0, 65000);
        rounds(restart, end);
        countUpdates(16);
        emitEvent(18, EventType::machineRepaired, JobId::none, 6);
        emitEvent(end, EventType::jobFinished, 1, 60, 0, 0.5);
        placeRanking(end, {1, 2, 5}, false);
        m_end = std::max(m_end, end);
    }

    int m_iterations;
    double m_end = 0;
    std::vector<std::uint32_t> m_task = std::vector<std::uint32_t>(3, 0);
    std::vector<double> m_updates;
    std::vector<Event> m_events;
};

inline BusyRun busyRun(int iterations = 30) { return BusyRunWriter(iterations).write(); }

} // namespace trainyard::test
