// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Expected times of iterations that wait for the fastest k of a job's workers, for all k at once and any
// load: by quadrature where the workers are alike and their law has a closed form, else from a fixed sample
// of the unit variates, the same for every k and load, so that options compare fairly. Used by the adaptive
// synchronizations.
#include "base/Distribution.h"
#include "model/StragglerLaw.h"

#include <vector>

namespace trainyard {

/// How one worker answers, as its machine and its network are declared. Bursts count with their long-run
/// share.
struct WorkerResponse {
    const StragglerLaw* straggler = nullptr; ///< borrowed from the workload of the run; null: none
    double secondsPerSample = 0;             ///< nominal, at its machine's speed, persistent slowness included
    double transferSeconds = 0;              ///< of the pull and the push, no other traffic in the way
};

class IterationTimes {
public:
    explicit IterationTimes(std::vector<WorkerResponse> workers);
    /// E[k-th of the workers' response times] at [k − 1], each computing so many samples; infinite where
    /// there is no mean.
    std::vector<double> means(double samples) const;
    int workers() const { return static_cast<int>(m_workers.size()); }

private:
    std::vector<double> quadrature(double samples) const;
    std::vector<double> sampled(double samples) const;

    std::vector<WorkerResponse> m_workers;
    bool m_alike = true;
    double m_tailIndex;                      ///< of the heaviest worker
    std::vector<double> m_delays, m_factors; ///< by draw and worker, where sampled
};

} // namespace trainyard
