// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Small keyed jobs that train a model, as scenarios: for views, records and metrics of them.
#include "support/KeyedLoop.h"

namespace trainyard::test {

inline KeyedTask smallGraphTask() {
    return {.model = {"complex", {{"dimension", std::int64_t{8}}, {"negatives", std::int64_t{4}}}},
            .data = {"planted-graph", {{"entities", std::int64_t{200}}, {"facts", std::int64_t{1500}}}}};
}

inline KeyedTask smallMatrixTask() {
    return {.model = {"factorization", {{"rank", std::int64_t{6}}}},
            .data = {"planted-matrix",
                     {{"rows", std::int64_t{120}}, {"columns", std::int64_t{40}}, {"cells", std::int64_t{2500}}}}};
}

/// Of one worker on each of so many machines.
inline Scenario taskScenario(KeyedTask task, int machines, int epochs, Choice parameters = {"relocating", {}}) {
    Scenario scenario = keyedScenario(machines, 1, 1, std::move(parameters));
    scenario.jobs[0].stop = {};
    scenario.jobs[0].stop.epochs = epochs;
    accessOf(scenario).task = std::move(task);
    return scenario;
}

} // namespace trainyard::test
