// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How long one task computes and how long its upload is held back: nominal times of the job, speed of the
// machine, straggler law. Draws are keyed by (seed, job, worker, task number), bursts by machine and
// wall-clock bin; no order of calls changes them. Simulation and Executor each own one, with streams of their
// own.
#include "model/Placement.h"
#include "model/Workload.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace trainyard {

class DelayModel {
public:
    enum class Streams { simulate, execute };
    DelayModel(std::shared_ptr<const Workload> workload, std::uint64_t seed, Streams streams,
               std::stop_token stop = {});

    struct Task {
        JobId job;
        std::uint32_t worker = 0, task = 0;
        MachineId machine;
        double secondsPerSample = 0; ///< on a device of speed 1
    };
    /// Seconds for `samples` samples (all local steps together) beginning at `start`. Each of the local
    /// steps, of samples/steps samples, draws a factor of its own; the first is that of a task with one step.
    /// May throw Stopped: bursts of nanoseconds are many.
    double computeSeconds(const Task& task, double samples, SimTime start, int steps = 1);
    /// Extra seconds before an upload leaves; 0 without a delay law.
    double uploadSeconds(const Task& task) const;
    /// Seconds on the machine of what takes `seconds` on a device of speed 1, straggler law left out except its persistent
    /// factor.
    double nominalSeconds(MachineId machine, double seconds) const;

private:
    std::shared_ptr<const Workload> m_workload;
    std::uint64_t m_seed;
    Purpose m_compute, m_communication;
    std::vector<double> m_speed; ///< by machine
    std::vector<std::optional<BurstChain>> m_bursts;
    std::vector<SimTime> m_burstsUntil; ///< by machine: drawn as far as that
    std::stop_token m_stop;

    double burstFactor(MachineId machine, SimTime at);
};

/// Samples of a task that asks for `wanted` (0: the job's `batch`, 0: as declared) of one of so many workers: a trained job's
/// data are divided into `shares`, and no task trains on more than one of them. `rows`: of the data; 0 for a stream. Both
/// modes, estimates and counters go by it.
int taskBatch(const Job& job, int batch, double rows, std::size_t workers, std::size_t shares, int wanted = 0);
/// As declared for evaluations: by no law of the workers.
double secondsPerSample(const Job& job);
/// What a task of one of so many workers, on `machine`, takes for each of its samples on a device of speed 1: by the law that the
/// job declares, if it does. Of a task of a part of the batch a law says that part; of another batch than declared (not 0) its
/// divided part is as much longer.
double secondsPerSample(const Job& job, int batch, std::size_t workers, const Placement& placement, MachineId machine);
double secondsPerUpdate(const Job& job);

} // namespace trainyard
