// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Straggler laws measured on real clusters, with where they come from. Shown by `trainyard-cli list laws` in
// the form in which a scenario takes them.
#include "base/Distribution.h"

#include <string>
#include <vector>

namespace trainyard {

struct MeasuredLaw {
    std::string id, label, summary;
    std::string provenance; ///< whose measurements, of what, and what was made of them
    std::string member;     ///< of a machine's "straggler" that it is for: "factor" (of mean 1) or "delay_s"
    Distribution law;
};

const std::vector<MeasuredLaw>& measuredLaws();

} // namespace trainyard
