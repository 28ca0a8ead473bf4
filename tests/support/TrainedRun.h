// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A scenario whose jobs really train, run to its end in one of the two modes, with the shipped data sets.
#include "engine/Executor.h"
#include "scenario/ScenarioFile.h"
#include "support/SmallScenarios.h"
#include "support/TaskAccounts.h"

namespace trainyard::test {

class TrainedRun {
public:
    TrainedRun(const Scenario& scenario, bool executed) {
        SimulationOptions options = optionsFor(scenario);
        options.resources.root = TRAINYARD_SOURCE_DIR "/resources";
        if (executed) {
            m_executor = std::move(Executor::create(options)).value();
            m_executor->run({}, [] {});
        } else {
            m_simulation = std::move(Simulation::create(options)).value();
            while (m_simulation->step()) {}
        }
    }
    /// A shipped one.
    static Scenario scenario(const char* path) {
        return readScenario(std::string(TRAINYARD_SOURCE_DIR "/scenarios/") + path, Registry::builtin())
            .value()
            .scenario;
    }

    const EventLog& log() const { return m_executor ? m_executor->log() : m_simulation->log(); }
    auto workload() const { return m_executor ? m_executor->workload() : m_simulation->workload(); }

private:
    std::unique_ptr<Simulation> m_simulation;
    std::unique_ptr<Executor> m_executor;
};

} // namespace trainyard::test
