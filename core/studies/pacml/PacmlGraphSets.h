// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Sets of graphs that an agent is measured on: those that it was trained on, and others.
#include "studies/pacml/PacmlWorkload.h"

namespace trainyard::study {

struct PacmlGraphSet {
    std::string name;
    bool trained = false;
    std::vector<std::shared_ptr<const ComputationGraph>> graphs; ///< with times of profiles

    GraphPricer pricer(const GraphSetting& setting) const;
};

/// Those that the agent was trained on come first; `onProfiles`: on the published ones. Problems of --graphs.
Result<std::vector<PacmlGraphSet>> pacmlGraphSets(const StudyRequest& request, bool onProfiles);

} // namespace trainyard::study
