// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The study "pacml": into how many parts arriving graph jobs are split on an optical cluster, by simple rules. Its parts, and the question
// of one graph's look-ahead.
#include "studies/StudyRuns.h"
#include "studies/pacml/PacmlWorkload.h"

namespace trainyard::study {

Study pacml();

/// Blocking under simple rules and four laws of deadlines: faithful, beside the published figures, and corrected.
void pacmlBaselines(const StudyRequest& request, StudyReport& report);
/// In `corrected`, by load and law: the largest degree, the best constant and the best floor as chosen on other seeds, and a rollout over
/// the better of them, with fixed gaps and with Poisson arrivals.
void pacmlHeadroom(const StudyRequest& request, StudyReport& report);
/// A trained agent beside every rule and a rollout: both settings, loads, laws, graphs that it was trained on and others.
void pacmlAgent(const StudyRequest& request, StudyReport& report);
/// One graph at one degree on the empty cluster, as JSON: times, parts and dependencies; or why there is none.
Result<std::string> pacmlLookahead(const StudyRequest& request, const std::filesystem::path& profile);

} // namespace trainyard::study
