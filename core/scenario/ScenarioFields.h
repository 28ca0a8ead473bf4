// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The description of every object of a scenario file (see Fields.h). Internal to scenario/.
#include "scenario/Fields.h"
#include "scenario/Scenario.h"

namespace trainyard {

void scenarioFields(Fields& fields, Scenario& scenario);
void clusterFields(Fields& fields, Cluster& cluster);
/// Of a cluster itself, without its lists of devices, racks, switches, machines and links.
void clusterBasics(Fields& fields, Cluster& cluster);
void deviceFields(Fields& fields, DeviceType& device);
void rackFields(Fields& fields, Rack& rack);
void switchFields(Fields& fields, Switch& node);
void machineFields(Fields& fields, Machine& machine, const std::vector<std::string>& resources);
void linkFields(Fields& fields, Link& link);
/// `isTemplate`: of a generator, without id and arrival.
void jobFields(Fields& fields, Job& job, const std::vector<std::string>& resources, bool isTemplate);
/// Operations and dependencies; `required`: there must be operations.
void computationFields(Fields& fields, ComputationGraph& graph, bool required);
void namedGraphFields(Fields& fields, Scenario& scenario);
void generatorFields(Fields& fields, JobGenerator& generator, const std::vector<std::string>& resources);
void faultFields(Fields& fields, Fault& fault);
void variantFields(Fields& fields, Variant& variant);
void bookmarkFields(Fields& fields, Bookmark& bookmark);
/// Title, notes, seed, mode …, policies and expectations: what is in none of the lists.
void settingsFields(Fields& fields, Scenario& scenario);

/// Names of what a generator can draw, in the order of the format.
std::span<const char* const> drawnQuantities();

} // namespace trainyard
