// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Files that parameters of policies name (ParamType::file), read once before a run (scenario/agents/PolicyFileReading.h) and shared by all
// policies of the run. Immutable.
#include "planning/agents/DegreeAgent.h"

#include <map>
#include <string>

namespace trainyard {

struct PolicyFiles {
    std::map<std::string, std::shared_ptr<const DegreeAgent>, std::less<>> agents; ///< by what the parameter says

    std::shared_ptr<const DegreeAgent> agent(std::string_view name) const {
        const auto at = agents.find(name);
        return at == agents.end() ? nullptr : at->second;
    }
};

} // namespace trainyard
