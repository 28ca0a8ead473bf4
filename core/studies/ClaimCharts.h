// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Measured claims as charts: a row per claim with its interval, and a ring where it was expected. Claims that measure the
// same of several things ("c1/full-sync/error-1", "c1/async/error-1") stand in one chart.
#include "analysis/Chart.h"
#include "studies/Reproduction.h"

namespace trainyard {

struct ClaimChart {
    std::string title;               ///< what the rows have in common: "c1, error-1"
    std::size_t rows = 0;            ///< drawn
    std::vector<std::size_t> claims; ///< by row; of a map none
    Chart chart;
};

/// Of all claims that were measured and have company; of more rows than `mostRows` several charts are made.
std::vector<ClaimChart> claimCharts(const std::vector<Claim>& claims);
constexpr std::size_t mostClaimRows = 24;
/// Of each map of a study.
std::vector<ClaimChart> mapCharts(const std::vector<StudyMap>& maps);

} // namespace trainyard
