// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A piece of a scenario that is copied and pasted: machines, switches, racks, the links between them, jobs.
// As text it is JSON of the scenario format under the name "trainyard-fragment", so that it survives the
// clipboard and can be mailed.
#include "scenario/Scenario.h"

#include <set>

namespace trainyard {

/// The named machines, switches and racks (a rack brings its members), the links between them and the devices
/// they use; and the jobs at these positions.
Scenario excerptOf(const Scenario& scenario, const std::set<std::string>& keys, const std::set<std::size_t>& jobs = {});

std::string writeFragment(const Scenario& excerpt);
/// A fragment, or a whole scenario, whose cluster and jobs are then the piece. Structure only; problems carry
/// line and pointer.
Result<Scenario> readFragment(std::string_view text);

struct Inserted {
    std::set<std::string> keys; ///< of racks, switches and machines as they are called now
    std::vector<std::size_t> jobs;
};
/// Adds the piece under ids that are still free (m3 becomes m7), moved by an offset in scene pixels.
/// Resources and devices that the scenario lacks come along; those it has are matched by name.
Inserted insertFragment(Scenario& scenario, Scenario piece, Position offset);

/// "m7": the stem of the wanted id (without its number) and the least number that gives an id not yet taken.
std::string freeKey(const std::string& wanted, const std::set<std::string>& taken);
/// Ids of all machines and switches (which share one name space), of racks, of links, of jobs.
std::set<std::string> nodeKeysOf(const Cluster& cluster);

} // namespace trainyard
