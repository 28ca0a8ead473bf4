// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which way of making an update lowers the error fastest. Every option (wait for k workers, each computing a
// load β) lowers the expected error e at a rate that is a line in e, rate_p(e) = α_p (e − floor_p)/cost_p;
// the best option at e is the line on top, so that the options worth using are the upper envelope of all
// lines, and taking the one on top is time-optimal for the model in the limit of short iterations. Used by
// the adaptive synchronizations. Egger et al., Fast and straggler-tolerant distributed SGD with reduced
// computation load, ISIT 2023 (the two-parameter scheme; derivation by the envelope is Trainyard's);
// switching in k alone: Kas Hanna et al., ICASSP 2020.
#include <cstddef>
#include <span>
#include <vector>

namespace trainyard {

/// How the expected error moves with an update of B samples in all: e ← (1 − shrink + growth/B)·e + noise/B.
struct ErrorModel {
    double shrink = 0, growth = 0, noise = 0;

    double factor(double samples) const { return 1 - shrink + growth / samples; }
    double after(double error, double samples) const { return factor(samples) * error + noise / samples; }
    /// Whether the error stays bounded under updates of so many samples.
    bool stable(double samples) const { return factor(samples) < 1; }
    /// Where the error settles; only where stable.
    double floor(double samples) const { return noise / samples / (1 - factor(samples)); }
};

/// What is known of a job's loss F: L-smooth, 2c(F − F*) ≤ ‖∇F‖², and a sample's gradient has variance
/// σ² + M‖∇F‖² (trace).
struct LossConstants {
    double smoothness = 1, convexity = 1; ///< L, c
    double noise = 0, growth = 0;         ///< σ², M
};
/// The bound of Bottou, Curtis and Nocedal, as in Dutta et al., AISTATS 2018, lemma 2: shrink ηc, noise
/// η²Lσ²/2.
ErrorModel boundModel(const LossConstants& constants, double learningRate);
/// Exact for least squares with isotropic Gaussian features (L = c = 1, M = d + 1): shrink 2ηL − (ηL)²,
/// growth (ηL)²M, noise η²Lσ²/2.
ErrorModel exactModel(const LossConstants& constants, double learningRate);

struct StepOption {
    int waitFor = 1;    ///< k
    double load = 1;    ///< β
    double samples = 1; ///< of the update: k × samples of a task
    double cost = 1;    ///< expected seconds of an iteration, and what else is to be weighed
};

/// slope·e + intercept: by how much the error falls per unit of cost.
struct RateLine {
    double slope = 0, intercept = 0;
    double at(double error) const { return slope * error + intercept; }
};
RateLine rateLine(const ErrorModel& model, const StepOption& option);

/// One line of the upper envelope and the least error at which it is on top.
struct EnvelopeStep {
    std::size_t line = 0;
    double downTo = 0;
};
/// The lines on top for errors from +∞ down to 0, in this order; the last reaches down to 0. O(m log m).
/// Among equal lines the first counts. Lines that are not finite are left out.
std::vector<EnvelopeStep> upperEnvelope(std::span<const RateLine> lines);
/// Which step of the envelope is on top at an error ≥ 0.
std::size_t stepAt(std::span<const EnvelopeStep> envelope, double error);

/// Seconds (or cost) that an option takes from one error to a lower one above its floor; infinite below it.
double timeBetween(const ErrorModel& model, const StepOption& option, double from, double to);

/// When adaptive-k goes from k to k + 1, and the bound's error then: the switching times of Kas Hanna et al.
/// for fastest-k with s samples per worker. meanTimes[k−1] = μ_k. A k that is never best has the time of the
/// one before it.
struct KSwitch {
    double time = 0, error = 0;
};
std::vector<KSwitch> switchingTimes(std::span<const double> meanTimes, const LossConstants& constants,
                                    double learningRate, double samplesPerWorker, double initialError);

} // namespace trainyard
