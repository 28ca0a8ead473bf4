// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/Scenario.h"

namespace trainyard {

const Choice& PolicySet::of(PolicyFamily family) const {
    switch (family) {
    case PolicyFamily::scheduler: return scheduler;
    case PolicyFamily::synchronization: return synchronization;
    case PolicyFamily::parameters: return parameters;
    case PolicyFamily::partitioner: break;
    }
    return partitioner;
}

Choice& PolicySet::of(PolicyFamily family) { return const_cast<Choice&>(std::as_const(*this).of(family)); }

void copySettings(const Scenario& from, Scenario& to) {
    to.title = from.title, to.notes = from.notes, to.lookFor = from.lookFor;
    to.seed = from.seed, to.mode = from.mode, to.network = from.network;
    to.horizonSeconds = from.horizonSeconds, to.limits = from.limits;
    to.explanations = from.explanations, to.playbackSpeed = from.playbackSpeed;
    to.policies = from.policies, to.curves = from.curves, to.graphs = from.graphs, to.expect = from.expect;
}

std::vector<const Job*> jobsAndTemplates(const Scenario& scenario) {
    std::vector<const Job*> out;
    for (const Job& job : scenario.jobs) out.push_back(&job);
    for (const JobGenerator& generator : scenario.generators) {
        out.push_back(&generator.job);
        for (const JobTemplate& other : generator.others) out.push_back(&other.job);
    }
    return out;
}

} // namespace trainyard
