// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the commands of the canvas do to a scenario, without a window: adding, linking, duplicating, racks and
// places. Used through ScenarioModel::change(), so that each is one step to undo. Ids are those of the file.
#include "canvas/ClusterLayout.h"
#include "scenario/Scenario.h"

#include <set>

namespace trainyard {

using KeySet = std::set<std::string>;

/// Machines and switches among these ids; a rack stands for its members.
KeySet nodesOf(const Cluster& cluster, const KeySet& keys);
/// These ids, and the members of the racks among them.
KeySet withMembers(const Cluster& cluster, const KeySet& keys);

/// These ids, and the racks that are taken as a whole because all their members are: several, or not they
/// alone.
KeySet withWholeRacks(const Cluster& cluster, const KeySet& keys);

/// Gives every machine and switch without a place the one it has on the canvas, so that those around an edit
/// stay where they are.
void pinPlaces(Cluster& cluster);
/// Takes the places away, so that the canvas lays them out; of all if `nodes` is empty.
void clearPlaces(Cluster& cluster, const KeySet& nodes);

/// A machine (a switch) under a free id. Capacity and device are those of the machine `like`, or of the last
/// one.
std::string addMachine(Scenario& scenario, Position at, const std::string& rack, const std::string& like);
std::string addSwitch(Scenario& scenario, Position at, const std::string& rack);
/// A rack under a free id, for nodes that are there already. Racks left empty are removed.
std::string addRack(Scenario& scenario, const KeySet& nodes);
/// Puts nodes into a rack; an empty id takes them out of theirs. Racks left empty are removed.
void setRack(Scenario& scenario, const KeySet& nodes, const std::string& rack);
/// Removes these ids, what stands in the racks among them, and racks left empty.
void removeWithMembers(Scenario& scenario, const KeySet& keys);

enum class LinkObstacle { none, itself, linkedAlready, noNode };
LinkObstacle linkObstacle(const Cluster& cluster, const std::string& from, const std::string& to);
/// Those of the nodes that are not linked with the hub and are not it.
KeySet unlinked(const Cluster& cluster, KeySet nodes, const std::string& hub);
/// Bandwidth and latency are those of a link that one of the ends has, or of the last link.
void addLink(Scenario& scenario, const std::string& from, const std::string& to);

/// Copies, moved by an offset: with the links among them and those to what is not copied, in the same racks
/// unless the rack itself is copied. The ids of the copies: racks, machines and switches.
KeySet duplicate(Scenario& scenario, const KeySet& keys, Position offset);

/// The rectangle around all cards and racks of a piece.
QRectF boundsOf(const Cluster& cluster);

} // namespace trainyard
