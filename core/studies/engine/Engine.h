// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The study "engine": what the simulation's models are worth against each other. Its parts; each adds claims
// and tables.
#include "studies/StudyRuns.h"

namespace trainyard::study {

/// The rate model against the flow model, over all synchronizations and laws.
void rateAgainstFlow(const StudyRequest& request, StudyReport& report);

/// The same over random jobs, clusters, placements and synchronizations.
void rateAtRandom(const StudyRequest& request, StudyReport& report);

/// Executed runs against simulated ones: mean iteration times over starters and network-bound scenarios.
void executedAgainstSimulated(const StudyRequest& request, StudyReport& report);

/// The time to a target loss with 1, 2, 4 and 8 workers that divide a batch, both modes, against the law of an update's time.
void strongScaling(const StudyRequest& request, StudyReport& report);

} // namespace trainyard::study
