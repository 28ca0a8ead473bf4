// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What `trainyard-cli compare` prints as tables.
#include "run/compare/ComparisonFile.h"

namespace trainyard::cli {

/// On standard output: the metrics that say something, in groups, or every one.
void printComparison(const ComparisonReport& output, bool everyMetric);

} // namespace trainyard::cli
