// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which files a comparison needs beside its scenario.
#include "run/compare/Comparison.h"

#include <string>
#include <vector>

namespace trainyard {

/// Files that the compared scenario names, without those that are shipped; those with absolute paths have to be on the other machine.
std::vector<std::string> filesOf(const ComparisonRequest& request);

} // namespace trainyard
