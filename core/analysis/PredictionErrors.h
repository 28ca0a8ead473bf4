// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How far off a scheduler's predictions of losses were, beside simple predictions made at the same times: for the view of predicted
// losses and for the study of schedulers that go by losses.
#include "analysis/PolicyNotes.h"

namespace trainyard {

/// What the run's scheduler noted in its series predicted_loss of the job until then: `first` is the update it was predicted for. Empty:
/// the scheduler is not known or has no such series.
std::span<const NotedValue> predictedLosses(const RunIndex& run, JobId job, SimTime until);

/// Over predictions whose update has come; sums of absolute differences to the loss then (between evaluations: on a straight line).
struct PredictionErrors {
    std::size_t due = 0;
    double predicted = 0;
    double held = 0;       ///< of predicting that the loss stays as it is
    double lastChange = 0; ///< of predicting that it goes on as between its last two evaluations
};

/// `known`: losses evaluated so far.
PredictionErrors predictionErrors(std::span<const NotedValue> predictions, const LossSeries& losses, std::size_t known);

} // namespace trainyard
