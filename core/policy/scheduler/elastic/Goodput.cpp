// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/elastic/Goodput.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

int Goodput::bestBatch(int workers) const {
    const double perSample = batched.at(workers) / declared;
    const double root = perSample > 0 ? std::sqrt(noiseScale * other.at(workers) / perSample) : most;
    return noiseScale > 0 ? static_cast<int>(std::lround(std::clamp<double>(root, declared, most))) : declared;
}

} // namespace trainyard
