// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/DelayModel.h"

#include "base/Stopped.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

int taskBatch(const Job& job, int batch, double rows, std::size_t workers, std::size_t shares, int wanted) {
    const int samples = wanted > 0 ? wanted : job.taskSamples(workers, batch);
    const auto* work = std::get_if<TrainedWork>(&job.work);
    if (!work || !(rows > 0)) return samples;
    const double parts = work->shards == Shards::shared ? 1.0 : static_cast<double>(std::max<std::size_t>(1, shares));
    return static_cast<int>(std::min<double>(samples, std::max(1.0, std::floor(rows / parts))));
}

double secondsPerSample(const Job& job) {
    if (const auto* w = std::get_if<TrainedWork>(&job.work)) return w->secondsPerSample;
    if (const auto* w = std::get_if<AnalyticWork>(&job.work)) return w->secondsPerSample;
    return 0;
}

double secondsPerSample(const Job& job, int batch, std::size_t workers, const Placement& placement, MachineId machine) {
    const auto* work = std::get_if<AnalyticWork>(&job.work);
    if (!work || (!work->law && !work->rates)) return secondsPerSample(job);
    if (work->law)
        return work->law->at(static_cast<double>(workers), batch > 0 ? static_cast<double>(batch) / work->batch : 1) /
               job.taskSamples(workers, batch);
    const bool local = !placement.servers.empty() && std::all_of(placement.servers.begin(), placement.servers.end(),
                                                                 [&](MachineId server) { return server == machine; });
    const double seconds = 1 / (local ? work->rates->local : work->rates->remote);
    if (work->batchOf != BatchOf::job) return seconds;
    // A job by formulas divides its batch exactly; its tasks count whole samples.
    return seconds * work->batch / (static_cast<double>(workers) * job.taskSamples(workers));
}

double secondsPerUpdate(const Job& job) {
    if (const auto* w = std::get_if<TrainedWork>(&job.work)) return w->secondsPerUpdate;
    if (const auto* w = std::get_if<AnalyticWork>(&job.work)) return w->secondsPerUpdate;
    return 0;
}

DelayModel::DelayModel(std::shared_ptr<const Workload> workload, std::uint64_t seed, Streams streams,
                       std::stop_token stop)
    : m_workload(std::move(workload)), m_seed(seed),
      m_compute(streams == Streams::simulate ? Purpose::compute : Purpose::executeCompute),
      m_communication(streams == Streams::simulate ? Purpose::communication : Purpose::executeCommunication),
      m_burstsUntil(m_workload->cluster.machines.size()), m_stop(std::move(stop)) {
    const auto& machines = m_workload->cluster.machines;
    for (std::size_t m = 0; m < machines.size(); ++m) {
        m_speed.push_back(m_workload->cluster.speed(MachineId(m)));
        const auto& burst = machines[m].straggler.burst;
        m_bursts.push_back(burst ? std::optional(BurstChain(*burst, seed, static_cast<std::uint32_t>(m)))
                                 : std::nullopt);
    }
}

double DelayModel::nominalSeconds(MachineId machine, double seconds) const {
    return seconds / m_speed[machine.index()] * m_workload->machine(machine).straggler.persistentFactor;
}

double DelayModel::computeSeconds(const Task& task, double samples, SimTime start, int steps) {
    const StragglerLaw& law = m_workload->machine(task.machine).straggler;
    double seconds = nominalSeconds(task.machine, samples * task.secondsPerSample);
    if (law.factor.law != Law::constant || law.factor.value != 1) {
        RandomStream random(m_seed, m_compute, entityOf(task.job.value, task.worker), task.task);
        double factors = 0;
        for (int step = 0; step < steps; ++step) factors += law.factor.sample(random);
        seconds *= factors / steps;
    }
    if (m_bursts[task.machine.index()]) seconds *= burstFactor(task.machine, start);
    return seconds;
}

// A piece at a time: a chain is drawn as far as it is asked for.
double DelayModel::burstFactor(MachineId machine, SimTime at) {
    const auto piece = Duration::seconds(1e6 * m_workload->machine(machine).straggler.burst->binSeconds);
    auto& burst = *m_bursts[machine.index()];
    for (SimTime& until = m_burstsUntil[machine.index()]; until < at; until = std::min(at, until + piece)) {
        throwIfStopped(m_stop);
        burst.factorAt(until);
    }
    return burst.factorAt(at);
}

double DelayModel::uploadSeconds(const Task& task) const {
    const StragglerLaw& law = m_workload->machine(task.machine).straggler;
    if (!law.delay) return 0;
    RandomStream random(m_seed, m_communication, entityOf(task.job.value, task.worker), task.task);
    return law.delay->sample(random);
}

} // namespace trainyard
