// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How long jobs still take with so many workers and servers, by speeds fitted to profiled placements and losses fitted to their own
// histories. Kept from call to call by schedulers that plan by marginal gains; jobs alike share one fit.
#include "policy/Scheduler.h"
#include "policy/scheduler/elastic/TrainingFits.h"

#include <map>
#include <optional>
#include <span>
#include <vector>

namespace trainyard {

/// What a scheduler takes a job to have before it, as of one instant.
struct JobOutlook {
    const SpeedFit* speed = nullptr;
    double updates = 0;      ///< still to do, with the most workers the job may have
    double limitSeconds = 0; ///< by its limit of running time; infinity: none
    /// It goes by epochs and each worker brings a batch of its own: w workers need mostWorkers/w times as many updates. Else 0.
    int mostWorkers = 0;
    bool converged = false; ///< its loss hardly falls any more
    double secondsToGo(int workers, int servers) const;
};

/// A job's losses, all of them so far, fitted anew only where some have come since.
class FittedLosses {
public:
    void follow(std::span<const LossPoint> losses);
    const std::optional<LossHyperbola>& fit() const { return m_fit; }
    double greatest() const { return m_greatest; } ///< magnitude of a loss

private:
    std::size_t m_seen = 0;
    double m_greatest = 0;
    std::optional<LossHyperbola> m_fit;
};

class JobOutlooks {
public:
    /// The loss is taken to have converged where it has fallen by less than `convergedDrop` of its greatest value over
    /// `convergedEvaluations` evaluations (0: never).
    JobOutlooks(double convergedDrop, int convergedEvaluations)
        : m_convergedDrop(convergedDrop), m_convergedEvaluations(convergedEvaluations) {}
    /// `idle`: the machines that are up, empty; speeds are profiled there, once for jobs alike. The fit it points to stays until
    /// forget().
    JobOutlook of(const SchedulerView& view, JobId job, FreeCapacity& idle);
    /// Machines or links have come or gone: speeds are to be profiled anew.
    void forget() { m_alike.clear(); }
    /// Counts of workers and servers that are profiled: ends and middles of the bounds, at most nine; five with servers by γ.
    static std::vector<std::pair<int, int>> profiledCounts(const Job& job, Bounds workers);

private:
    /// Jobs of the same work and shape.
    struct Alike {
        JobId first;
        Bounds workers;
        SpeedFit fit;
        bool runs = false; ///< some profiled placement has a pace
    };
    const Alike& alike(const SchedulerView& view, JobId job, FreeCapacity& idle);
    bool converged(std::span<const LossPoint> losses, double greatest) const;

    double m_convergedDrop;
    int m_convergedEvaluations;
    std::multimap<std::vector<double>, Alike> m_alike; ///< by what is quickly compared
    std::vector<FittedLosses> m_losses;                ///< by job; empty for those that do not end by their loss
};

} // namespace trainyard
