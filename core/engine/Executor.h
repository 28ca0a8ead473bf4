// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One run in real time: every worker and server node of a job is a thread, messages go through channels,
// delays of the cluster model are injected on top of the real computation. Shares policies, node code and log
// format with Simulation; takes no draw and no order from it.
#include "engine/Simulation.h"

#include <functional>
#include <stop_token>

namespace trainyard {

class Executor {
public:
    static Result<std::unique_ptr<Executor>> create(SimulationOptions options);
    ~Executor();
    /// Runs to the end or until stop is requested; `publish` is called with the log and state about 60 times
    /// a second, on the calling thread. May throw InvariantError.
    void run(std::stop_token stop, const std::function<void()>& publish);

    const EventLog& log() const;                       ///< times are seconds of the steady clock since the start
    std::shared_ptr<const EventLog> sharedLog() const; ///< the same log; it may outlive the executor
    const ClusterState& state() const;                 ///< valid on the calling thread, inside publish and after run
    const ExplanationArena& explanations() const;
    std::shared_ptr<const Workload> workload() const;

private:
    struct Impl;
    explicit Executor(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace trainyard
