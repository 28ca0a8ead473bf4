// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The study "slaq": what quality-driven scheduling earns. Its parts; each adds claims and tables.
#include "run/studies/SlaqWorkload.h"
#include "run/studies/StudyRuns.h"

namespace trainyard::study {

Study slaq();

/// Losses of active jobs, times to 90, 95 and 99 % of the drop, and shares of cores by loss group, beside fair, over loads; recorded
/// curves.
void slaqQuality(const StudyRequest& request, StudyReport& report);
/// The same losses and times of jobs that really train (scenarios/papers/slaq/trained.json), simulated and executed.
void slaqExecuted(const StudyRequest& request, StudyReport& report);

} // namespace trainyard::study
