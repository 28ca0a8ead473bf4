// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The last layer of softmax regression and of the network: scores to mean cross-entropy and its derivative.
// Internal to learning/.
#include <cstddef>
#include <span>

namespace trainyard {

/// scores: rows × classes, row-major; labels: one class number per row. Returns −mean log
/// softmax(scores)[label]. With `differentiate`, scores are replaced by ∂loss/∂scores = (softmax − onehot) /
/// rows; else they are spoilt.
double softmaxCrossEntropy(std::span<double> scores, std::size_t classes, std::span<const double> labels,
                           bool differentiate);

} // namespace trainyard
