// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Small keyed jobs: as scenarios, and as bare runs whose stores can be looked at after every window.
#include "engine/keyed/KeyedRun.h"
#include "scenario/KeyedModels.h"
#include "support/SmallScenarios.h"

namespace trainyard::test {

/// A star of so many machines with one worker each per thread; 80 µs one way, 10 Gbit/s.
inline Scenario keyedScenario(int machines, int threads, std::int64_t operations, Choice parameters) {
    Scenario scenario = starScenario(machines);
    for (auto& machine : scenario.cluster.machines) machine.capacity = ResourceVector::of({double(threads)});
    for (auto& link : scenario.cluster.links) {
        link.latency = Duration::nanoseconds(40'000);
        link.bandwidth = 1.25e9;
    }
    Job job{.key = "k"};
    job.workers = {machines * threads, machines * threads};
    job.servers = {0, 0};
    job.workerDemand = ResourceVector::of({1});
    job.stop.iterations = operations * machines * threads;
    job.work = AnalyticWork{
        .samples = 1000, .batch = 1, .secondsPerSample = 0, .access = AccessKind::keyed, .keyed = KeyedAccess{}};
    scenario.jobs = {job};
    scenario.policies.synchronization = {"async", {}};
    scenario.policies.parameters = std::move(parameters);
    return scenario;
}

inline KeyedAccess& accessOf(Scenario& scenario, std::size_t job = 0) {
    return *std::get<AnalyticWork>(scenario.jobs[job].work).keyed;
}

/// A run without a simulation around it.
class BareKeyedRun {
public:
    BareKeyedRun(const Scenario& scenario, KeyPlan plan, int machines, int threads)
        : m_workload(withKeyedModels(scenario, expandWorkload(scenario, 1), 1).value()),
          m_delays(m_workload, 1, DelayModel::Streams::simulate), m_plan(std::move(plan)) {
        for (int m = 0; m < machines; ++m)
            for (int t = 0; t < threads; ++t) m_placement.workers.push_back(MachineId(static_cast<std::size_t>(m)));
        m_keys = makeKeys(*m_workload->jobs[0].keyedAccess());
    }
    KeyedSetup setup() {
        return {.job = JobId(0),
                .spec = m_workload->jobs[0],
                .placement = m_placement,
                .plan = m_plan,
                .pace = {},
                .keys = m_keys,
                .saved = nullptr,
                .seed = 1,
                .begin = SimTime{},
                .route =
                    [](MachineId, MachineId) {
                        return KeyedRoute{true, Duration::nanoseconds(80'000), 0.8, 0.8, {}};
                    },
                .compute = std::vector<Duration>(m_workload->cluster.machines.size())};
    }
    DelayModel& delays() { return m_delays; }
    const KeyedModel& model() const { return *m_workload->jobs[0].keyedAccess()->model; }
    /// Instead of the model of its task.
    void replaceModel(std::shared_ptr<const KeyedModel> model) {
        auto changed = std::make_shared<Workload>(*m_workload);
        auto& work = std::get<AnalyticWork>(changed->jobs[0].work);
        work.samples = model->examples();
        work.keyed->keys = model->keys();
        work.keyed->valuesPerKey = static_cast<int>(model->valuesPerKey());
        work.keyed->ranks = std::make_shared<const KeyRanks>(model->accesses());
        work.keyed->model = std::move(model);
        m_workload = std::move(changed);
        m_keys = makeKeys(*m_workload->jobs[0].keyedAccess());
    }

private:
    std::shared_ptr<const Workload> m_workload;
    DelayModel m_delays;
    KeyPlan m_plan;
    Placement m_placement;
    std::shared_ptr<const KeyRanks> m_keys;
};

inline std::vector<Event> allEvents(const EventLog& log) {
    std::vector<Event> out;
    for (std::size_t i = 0; i < log.size(); ++i) out.push_back(log[i]);
    return out;
}

} // namespace trainyard::test
