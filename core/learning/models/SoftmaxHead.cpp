// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/models/SoftmaxHead.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

double softmaxCrossEntropy(std::span<double> scores, std::size_t classes, std::span<const double> labels,
                           bool differentiate) {
    const double share = 1.0 / static_cast<double>(labels.size());
    double loss = 0;
    for (std::size_t row = 0; row < labels.size(); ++row) {
        double* z = scores.data() + row * classes;
        const auto label = static_cast<std::size_t>(labels[row]);
        const double top = *std::max_element(z, z + classes); // so that exp cannot overflow
        const double own = z[label] - top;
        double sum = 0;
        for (std::size_t c = 0; c < classes; ++c) sum += z[c] = std::exp(z[c] - top);
        loss += std::log(sum) - own;
        if (!differentiate) continue;
        const double scale = share / sum;
        for (std::size_t c = 0; c < classes; ++c) z[c] *= scale;
        z[label] -= share;
    }
    return loss * share;
}

} // namespace trainyard
