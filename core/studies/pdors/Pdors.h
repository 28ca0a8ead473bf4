// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The study "pdors": what primal-dual scheduling in slots earns. Its parts; each adds claims and tables.
#include "studies/StudyRuns.h"
#include "studies/pdors/PdorsWorkload.h"

namespace trainyard::study {

Study pdors();

/// Total utility and training time beside other schedulers, over numbers of machines and of jobs, and the share of jobs that
/// are time-critical.
void pdorsUtility(const StudyRequest& request, StudyReport& report);

/// Utility against G, against misestimated U and L, with bounds from hindsight and from history, and with decisions revised.
void pdorsChoices(const StudyRequest& request, StudyReport& report);

/// Randomized rounding of one slot's placement, over G and over how many machines the tasks fill.
void pdorsRounding(const StudyRequest& request, StudyReport& report);

/// Small instances against the offline optimum.
void pdorsCompetitiveRatio(const StudyRequest& request, StudyReport& report);

} // namespace trainyard::study
