// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The models that keyed jobs train.
#include "record/Metrics.h"
#include "scenario/Scenario.h"

#include <stop_token>

namespace trainyard {

/// The same workload where no keyed job trains a model; else one whose keyed jobs have their models, and the sizes that follow from
/// them. `seed`: that with which the workload was expanded. Jobs with the same task share a model. Problems: data that do not suit the
/// model; one for all jobs of a template. May throw Stopped (base/Stopped.h).
Result<std::shared_ptr<const Workload>> withKeyedModels(const Scenario& scenario,
                                                        std::shared_ptr<const Workload> workload, std::uint64_t seed,
                                                        const std::stop_token& stop = {});
/// What withKeyedModels() would refuse of a document that may be wrong in other places.
Problems keyedModelRefusals(const Scenario& scenario, const Workload& workload);

/// The job with the number of keys and their values that its model will have; the same where it trains none, or what is wrong with its task
/// is told elsewhere.
Job withKeyedSizes(const Job& job);
/// Of runs of the scenario: with its resources, and the qualities of the models that its keyed jobs train.
std::vector<MetricDefinition> metricDefinitionsFor(const Scenario& scenario);

} // namespace trainyard
