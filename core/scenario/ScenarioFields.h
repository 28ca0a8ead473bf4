#pragma once
// The description of every object of a scenario file (see Fields.h). Internal to scenario/.
#include "scenario/Fields.h"
#include "scenario/Scenario.h"

namespace trainyard {

void scenarioFields(Fields& fields, Scenario& scenario);
void clusterFields(Fields& fields, Cluster& cluster);
/// `isTemplate`: of a generator, without id and arrival.
void jobFields(Fields& fields, Job& job, const std::vector<std::string>& resources, bool isTemplate);

/// Names of what a generator can draw, in the order of the format.
std::span<const char* const> drawnQuantities();

} // namespace trainyard
