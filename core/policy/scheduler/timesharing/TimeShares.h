// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which share of the time each of several jobs runs on each kind of machines: linear programs over x[job, kind], as in the policies of
// Gavel (Narayanan et al., OSDI 2020), whose public code the formulas were taken from. Used by schedulers that share time in rounds.
#include <cstddef>
#include <utility>
#include <vector>

namespace trainyard {

/// A job, or several alike: where each can run, and what it takes there.
struct SharingJob {
    struct Option {
        double rate = 0; ///< updates per second while it runs there; positive and finite
        /// Capacities, by number, each once, and the part (0 to 1) of each that one job takes while it runs there.
        std::vector<std::pair<std::size_t, double>> uses;
        /// Jobs of this shape that the capacities hold at once, fractions too; at most 1e9.
        double fitting() const;
    };
    std::vector<Option> options; ///< none: the job takes no part
    int copies = 1;              ///< jobs alike, each of which gets the same shares
    double bestRate() const;
};

/// x[job][option] of each copy: x ≥ 0, Σ over options ≤ 1, and for each capacity Σ over jobs copies · use · x ≤ 1.
using TimeShares = std::vector<std::vector<double>>;

/// Σ over options rate · x: updates per second on average.
double rateWith(const SharingJob& job, const std::vector<double>& shares);

/// An nth of every option, n jobs in all: x = fitting / max(n, Σ over options fitting).
TimeShares equalShares(const std::vector<SharingJob>& jobs);

/// Updates per second, at most, on a cluster with an nth of the machines of every kind: fastest options first, x ≤ fitting / n each. No two
/// options use the same capacity.
double rateOfAnNth(const SharingJob& job, double n);

/// Updates per second where time is divided among the options in proportion to how many such jobs each holds.
double proportionalRate(const SharingJob& job);

struct Sharing {
    bool solved = false; ///< false: the program failed numerically; shares are equalShares()
    TimeShares shares;
    double worst = 0; ///< the least worth, or the greatest ratio, of any job
};

/// max min_j worth_j · rateWith_j, worth_j > 0; of the shares that reach it, ones with the greatest sum of all worth · rate.
Sharing maxMinShares(const std::vector<SharingJob>& jobs, const std::vector<double>& worth);

/// What a job's time to its end is compared with.
struct FinishGoal {
    double elapsed = 0;   ///< seconds since it arrived
    double remaining = 0; ///< updates still to do; positive and finite
    double isolated = 1;  ///< seconds from arrival to end with an nth of the cluster for itself; positive
    /// ρ = (elapsed + remaining / rate) / isolated.
    double ratio(double rate) const { return (elapsed + remaining / rate) / isolated; }
};

/// min max_j ρ_j within `precision`, relatively: for a given ρ it asks rateWith_j ≥ remaining / (ρ · isolated − elapsed), which is
/// linear; ρ is searched by halves. Of the shares that reach it, ones with the greatest sum of rates relative to each job's best one.
Sharing leastWorstRatio(const std::vector<SharingJob>& jobs, const std::vector<FinishGoal>& goals,
                        double precision = 1e-4);

} // namespace trainyard
