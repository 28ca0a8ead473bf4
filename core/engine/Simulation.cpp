// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The facade over SimulationCore.
#include "engine/Simulation.h"

#include "engine/SimulationCore.h"
#include "scenario/KeyedModels.h"
#include "scenario/RunRequirements.h"
#include "scenario/RunSize.h"
#include "scenario/agents/PolicyFileReading.h"

namespace trainyard {

struct Simulation::Impl {
    SimulationCore core;
};

Simulation::Simulation(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Simulation::~Simulation() = default;

Result<std::unique_ptr<Simulation>> Simulation::create(SimulationOptions options) {
    if (Problems problems = sizeRefusals(*options.scenario); !problems.empty()) return problems;
    auto workload = expandWorkload(*options.scenario, options.seed, options.stop);
    auto complete = withKeyedModels(*options.scenario, std::move(workload), options.seed, options.stop);
    if (!complete) return complete.problems();
    workload = std::move(complete).value();
    auto problems = makeTrainingProblems(*options.scenario, *workload, options.seed, options.resources, options.stop);
    if (!problems) return problems.problems();
    auto files = readPolicyFiles(*options.scenario, *options.registry, options.resources);
    if (!files) return files.problems();
    options.files = std::move(*files);
    auto impl = std::unique_ptr<Impl>(
        new Impl{SimulationCore(std::move(options), std::move(workload), std::move(problems).value())});
    return std::unique_ptr<Simulation>(new Simulation(std::move(impl)));
}

bool Simulation::step(SimTime last) { return m_impl->core.step(last); }

bool Simulation::runUntil(SimTime t, std::size_t limit) {
    SimulationCore& core = m_impl->core;
    for (std::size_t i = 0; i < limit; ++i)
        if (!core.step(t)) return false;
    return !core.finished && core.nextTime() <= t;
}

SimTime Simulation::nextTime() const { return m_impl->core.nextTime(); }
bool Simulation::finished() const { return m_impl->core.finished; }
bool Simulation::limited() const { return m_impl->core.limited; }
void Simulation::command(const Command& command) { m_impl->core.command(command); }
std::shared_ptr<const EventLog> Simulation::sharedLog() const { return m_impl->core.log.shared(); }
const EventLog& Simulation::log() const { return *m_impl->core.log; }
const ClusterState& Simulation::state() const { return m_impl->core.state; }
const ExplanationArena& Simulation::explanations() const { return m_impl->core.why; }
std::shared_ptr<const Workload> Simulation::workload() const { return m_impl->core.workload; }
const std::vector<Command>& Simulation::commands() const { return m_impl->core.commandsApplied; }
std::size_t Simulation::eventsProcessed() const { return m_impl->core.eventsProcessed; }
std::vector<double> Simulation::parameters(JobId job) const { return m_impl->core.parameters(job); }

std::unique_ptr<Simulation> Simulation::clone() const {
    return std::unique_ptr<Simulation>(new Simulation(std::unique_ptr<Impl>(new Impl{SimulationCore(m_impl->core)})));
}

} // namespace trainyard
