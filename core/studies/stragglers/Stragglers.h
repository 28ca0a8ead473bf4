// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The study "stragglers": adaptive straggler-tolerant SGD. Its parts; each adds claims and tables to the
// report.
#include "studies/StudyRuns.h"

namespace trainyard::study {

/// Order statistics and switching times against numbers computed independently.
void stragglerFormulas(const StudyRequest& request, StudyReport& report);
/// Scenario C1: how long each strategy takes to each error, beside an independent simulation's means.
void stragglerHittingTimes(const StudyRequest& request, StudyReport& report);
/// Where errors settle and how stale gradients are, against their exact laws.
void stragglerLaws(const StudyRequest& request, StudyReport& report);
/// Adaptive load against adaptive k: time, computation and communication at several shares of communication,
/// and where the gain in time vanishes.
void stragglerTradeoff(const StudyRequest& request, StudyReport& report);

} // namespace trainyard::study
