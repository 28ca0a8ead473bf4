// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/ScalingLaw.h"

#include "planning/NonNegativeFit.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

UpdateLaw fitScaling(std::span<const ScalingSample> samples) {
    UpdateLaw law{.fixedSeconds = 0, .dividedSeconds = 0, .perWorkerSeconds = 0};
    std::vector<double> rows, right;
    double weight = 0, work = 0;
    int least = 0, most = 0;
    for (const ScalingSample& s : samples) {
        if (!(s.seconds > 0) || !std::isfinite(s.seconds) || s.workers < 1 || !(s.weight > 0)) continue;
        const double a = s.workers, root = std::sqrt(s.weight), scale = root / s.seconds;
        rows.insert(rows.end(), {scale, scale / a, scale * a});
        right.push_back(root);
        least = right.size() == 1 ? s.workers : std::min(least, s.workers);
        most = std::max(most, s.workers);
        weight += s.weight / (s.seconds * s.seconds);
        work += s.weight / s.seconds;
    }
    if (right.empty()) return law;
    if (least == most) { // Σ w (1 − t/t_i)² is least at t = Σ w/t_i / Σ w/t_i²
        law.dividedSeconds = work / weight * least;
        return law;
    }
    const auto found = nonNegativeFit(rows, 3, right);
    return {.fixedSeconds = found[0], .dividedSeconds = found[1], .perWorkerSeconds = found[2]};
}

int fastestWorkers(const UpdateLaw& law, int least, int most) {
    if (most <= least) return least;
    if (law.perWorkerSeconds <= 0) return law.dividedSeconds > 0 ? most : least;
    const double root = std::sqrt(law.dividedSeconds / law.perWorkerSeconds); // where −W/a² + κ = 0
    if (root >= most) return most;
    const int below = std::max(least, static_cast<int>(root)), above = std::min(most, below + 1);
    return law.at(above) < law.at(below) ? above : below;
}

} // namespace trainyard
