// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// An agent beside every rule and a rollout on the same arrivals, so that differences are paired. Rules are chosen on validation seeds.
#include "planning/agents/DegreeAgent.h"
#include "studies/pacml/PacmlWorkload.h"

namespace trainyard::study {

inline constexpr std::size_t pacmlArrivals = 1001; ///< of a seed

struct PacmlArm {
    std::string name, rule;
    std::vector<double> blocking; ///< by seed
    double withoutInFlight = 0;
    double seconds = 0; ///< of a decision, with the play around it
};

/// One setting, load, law and set of graphs.
struct PacmlCell {
    const GraphPricer& pricer;
    GraphWorkload workload;
    std::size_t seeds = 20;
    std::shared_ptr<const AfterStates> states;
    const AgentMember& member;
    const AgentMember* graphNetwork = nullptr; ///< of an agent of the paper's shape beside it; null: none
    bool rollout = false;                      ///< also a rollout over the better rule

    /// The agent first. When stopped, arms are incomplete.
    std::vector<PacmlArm> measure(const StudyRequest& request) const;
};

const PacmlArm& armOf(const std::vector<PacmlArm>& arms, const std::string& name);
bool hasArm(const std::vector<PacmlArm>& arms, const std::string& name);
/// Agent minus the other, by seed.
Estimate differenceTo(const std::vector<PacmlArm>& arms, const std::string& other);
/// Of the simple rules, the one that blocks least over the seeds.
std::string bestSimpleArm(const std::vector<PacmlArm>& arms);

/// Looks ahead at most placements that will come up: every seed plays with a copy, which knows what the original does.
void acquaint(GraphPricer& pricer, const std::array<DiscreteLaw, 4>& laws, double gap);

} // namespace trainyard::study
