#pragma once
// What `trainyard-cli compare` prints as tables.
#include "run/ComparisonFile.h"

namespace trainyard::cli {

/// On standard output.
void printComparison(const ComparisonReport& output);

} // namespace trainyard::cli
