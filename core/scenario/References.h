// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What in a scenario refers to what by id: renaming takes the references along, removing takes them out. Used
// by edits of the window.
#include "scenario/Scenario.h"

#include <set>

namespace trainyard {

/// References of links, racks, faults and storage to a machine or switch. Links called FROM--TO get their new
/// name.
void renameNode(Scenario& scenario, const std::string& from, const std::string& to);
void renameDevice(Scenario& scenario, const std::string& from, const std::string& to);
void renameRack(Scenario& scenario, const std::string& from, const std::string& to);
void renameLink(Scenario& scenario, const std::string& from, const std::string& to);
/// Takes another list of resource names: amounts keep their places, as in renaming or appending; the amounts
/// of a resource that is in both lists move with its name.
void renameResources(Scenario& scenario, const std::vector<std::string>& names);

/// Removes machines, switches, racks and links by id, with the links of what is removed, and the faults of
/// what is gone. What stands in a removed rack stays, outside.
void removeFromCluster(Scenario& scenario, const std::set<std::string>& keys);

} // namespace trainyard
