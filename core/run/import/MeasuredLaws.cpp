// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/import/MeasuredLaws.h"

namespace trainyard {

namespace measured_laws {

const char* const languageModelTraces =
    "Measured from the timelines of three language model training jobs that ByteDance published with the "
    "artifact of its "
    "study of stragglers (github.com/ByteDance-Seed/StragglerAnalysis, OSDI 2025, Apache-2.0). ";
const char* const cloudTraces =
    "Mean and variance of the communication times of c5.xlarge workers on AWS as given in the source of "
    "DSAGAnalysis.jl "
    "(github.com/severinson/DSAGAnalysis.jl, MIT); the gamma law with this mean and variance. They are of "
    "the means of "
    "workers: single messages vary more. Sizes come from different sets of traces and do not form a series. ";

/// Quantiles 0, 5, …, 100 % over the mean that they imply, so that the law's mean is 1.
Distribution empirical(std::vector<double> quantiles) {
    Distribution law{.law = Law::empirical, .quantiles = std::move(quantiles)};
    const double mean = law.expectation();
    for (double& q : law.quantiles) q /= mean;
    return law;
}

Distribution gammaOf(double mean, double variance) {
    return {.law = Law::gamma, .mean = mean, .shape = mean * mean / variance};
}

} // namespace measured_laws

const std::vector<MeasuredLaw>& measuredLaws() {
    using namespace measured_laws;
    static const std::vector<MeasuredLaw> all{
        {"language-model-step", "Language model, a step",
         "Computing time of a rank per step where sequences differ in length; coefficient of variation 0.15. "
         "Independent "
         "from step to step and from rank to rank.",
         std::string(languageModelTraces) + "64 traced workers (32 × 2), 45 steps, first pipeline stage: "
                                            "per-step computing time of a rank over the mean, "
                                            "quantiles in steps of 5 %.",
         "factor", empirical({.753,  .825,  .839,  .853,  .867,  .880,  .895,  .913,  .932,  .965, .986,
                              1.003, 1.015, 1.033, 1.053, 1.074, 1.109, 1.154, 1.195, 1.292, 1.874})},
        {"language-model-microbatch", "Language model, a micro-batch",
         "Forward and backward pass of one micro-batch: two modes, near 0.8 and 2.1.",
         std::string(languageModelTraces) +
             "The same job: times of single micro-batches over the mean, quantiles in steps of 5 %.",
         "factor", empirical({.358, .761, .769, .776, .783, .791,  .800,  .810,  .821,  .835, .851,
                              .872, .895, .913, .939, .974, 1.030, 1.129, 1.585, 2.129, 2.220})},
        {"language-model-steady",
         "Language model, all but one worker",
         "Hardly any variation (0.9 %). In the same job one worker was 2.35 times slower in every step: give "
         "one machine "
         "the persistent_factor 2.35.",
         std::string(languageModelTraces) + "DP 4 × PP 4 × TP 4, 44 steps: per-step coefficient of variation "
                                            "of all workers but one; the gamma law with it.",
         "factor",
         {.law = Law::gamma, .mean = 1, .shape = 1 / (.009 * .009)}},
        {"cloud-30-kb", "Cloud, messages of 30 kB", "Communication of a c5.xlarge worker, 30,048 bytes.", cloudTraces,
         "delay_s", gammaOf(0.5688e-3, 2.975e-8)},
        {"cloud-60-kb", "Cloud, messages of 60 kB", "Communication of a c5.xlarge worker, 60,096 bytes.", cloudTraces,
         "delay_s", gammaOf(0.4038e-3, 2.641e-8)},
        {"cloud-44-mb", "Cloud, messages of 44 MB", "Communication of a c5.xlarge worker, 43,508,208 bytes.",
         cloudTraces, "delay_s", gammaOf(4.178, .3648)},
    };
    return all;
}

} // namespace trainyard
