// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The noise scale of a job's gradients, measured as it trains: with how many samples the noise of a batch's gradient is as large as the
// gradient itself. From the gradients that workers computed at the same parameters, by their norms and that of their mean (McCandlish,
// Kaplan, Amodei et al., An empirical model of large-batch training, 2018, appendix A.1). Fed by the coordinator of a job.
#include <cstddef>
#include <optional>

namespace trainyard {

class NoiseScale {
public:
    /// An update with `workers` gradients (2 at least) of `samples` samples each: the mean of their squared norms, and the squared norm of
    /// their mean.
    void add(std::size_t workers, double samples, double meanSquaredNorm, double squaredNormOfMean);
    /// φ in samples, 0 to `most`; nothing before the fifth update.
    std::optional<double> value() const;

    static constexpr double most = 1e12; ///< where the gradient itself cannot be told from none

private:
    static constexpr double decay = 0.98; ///< of the weight of an update with each one after it
    static constexpr int leastUpdates = 5;
    int m_updates = 0;
    double m_noise = 0,
           m_signal = 0; ///< weighted sums of the unbiased estimates of the covariance's trace and of |gradient|²
};

} // namespace trainyard
