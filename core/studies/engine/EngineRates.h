// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the two comparisons of the rate model with the flow model share.
#include "model/StragglerLaw.h"

#include <string>
#include <vector>

namespace trainyard::study::engine_rates {

struct NamedLaw {
    std::string name;
    StragglerLaw law;
};

/// Constant times, and laws of mean about 1; fewer if `quick`.
std::vector<NamedLaw> laws(bool quick);

} // namespace trainyard::study::engine_rates
