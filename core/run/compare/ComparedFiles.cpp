// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/ComparedFiles.h"

#include "learning/keyed/KeyedChoices.h"
#include "scenario/agents/AgentFile.h"
#include "scenario/agents/PolicyFileReading.h"

namespace trainyard {

std::vector<std::string> filesOf(const ComparisonRequest& request) {
    std::vector<std::string> out;
    if (const auto files = readPolicyFiles(*request.scenario, *request.registry, request.resources))
        for (const auto& agent : files->agents)
            if (const auto path = agentPath(agent.first, request.resources); path && path->is_relative())
                out.push_back(agent.first); // others are shipped
    for (const Job* job : jobsAndTemplates(*request.scenario))
        if (job->keyedAccess() && job->keyedAccess()->task)
            for (const std::string& file : keyedDataFiles(*job->keyedAccess()->task)) out.push_back(file);
    return out;
}

} // namespace trainyard
