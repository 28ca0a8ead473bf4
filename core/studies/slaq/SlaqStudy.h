// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The study "slaq": what quality-driven scheduling earns. Its parts; each adds claims and tables.
#include "studies/StudyRuns.h"
#include "studies/slaq/SlaqWorkload.h"

namespace trainyard::study {

Study slaq();

/// Losses of active jobs, times to 90, 95 and 99 % of the drop, shares of cores by loss group and errors of predictions, beside fair, over
/// loads from 0.8 to 4: both rules of slaq, and quality-rate with as much knowledge of jobs as slaq has, and with more.
void slaqQuality(const StudyRequest& request, StudyReport& report);
/// slaq beside other schedulers on the same workloads, and its greedy division beside the exact one.
void slaqField(const StudyRequest& request, StudyReport& report);
/// Wall time of one decision against jobs and cores.
void slaqDecisions(const StudyRequest& request, StudyReport& report);
/// For so many jobs, two at least, on four cores each, and for `many` on 1, 4, 8 and 16 cores each.
void slaqDecisionsOf(const StudyRequest& request, const std::vector<std::size_t>& jobs, std::size_t many,
                     StudyReport& report);
/// The same losses and times of jobs that really train (scenarios/papers/slaq/trained.json), simulated and executed.
void slaqExecuted(const StudyRequest& request, StudyReport& report);

} // namespace trainyard::study
