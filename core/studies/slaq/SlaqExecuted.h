// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Runs of jobs that really train, in both modes, and what is judged of them. A part of the study "slaq".
#include "studies/StudyRuns.h"

namespace trainyard::study::slaq_executed {

/// Variants of the scenario; the first is what others are compared with.
inline const std::vector<std::string> arms{"fair", "slaq", "quality-rate", "slaq-faithful"};

/// By arm, by seed from 1 on. nullopt: that run failed, or was not made.
struct Runs {
    std::string mode;
    std::map<std::string, std::vector<std::optional<KeptMetrics>>> of;
};

/// Data and first parameters are drawn by the run's seed, in both modes and under all schedulers: all runs of a seed are measured by the
/// least losses that any of them came to.
void measureTogether(const std::vector<Runs*>& modes);
/// Whether both modes agree within 5 %, whether arms are better than the first one in each mode, and whether both order them alike. Runs of
/// all arms, perhaps of no seed.
void judge(const Runs& simulated, const Runs& executed, StudyReport& report);

} // namespace trainyard::study::slaq_executed
