// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Dividing workers among jobs by what one more is worth to each: greedily with a heap, which is optimal where no worker is worth more
// than the one before, and exactly by a dynamic programme (the multiple-choice knapsack), to compare with. Used by schedulers that go by
// marginal gains.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace trainyard {

struct AllocationLimits {
    int minimum = 1, maximum = 1; ///< workers; 1 ≤ minimum ≤ maximum
    std::int64_t cost = 1;        ///< of a worker, in units of the budget; at least 1
};

namespace gain_allocation {

struct Entry {
    double gain = 0; ///< of one worker more, per unit of cost
    int workers = 0; ///< without it
    std::uint32_t job = 0;
    /// A heap's top is the greatest: the most gain, then the fewest workers, then the first job.
    friend bool operator<(const Entry& a, const Entry& b) {
        if (a.gain != b.gain) return a.gain < b.gain;
        if (a.workers != b.workers) return a.workers > b.workers;
        return a.job > b.job;
    }
};

} // namespace gain_allocation

/// Workers by job. First each job, in order, gets its minimum, until one finds no budget for it: that one and all after it get
/// nothing. Then again and again the job gets a worker to which it is worth most: gain(job, workers) is what one more than `workers`
/// is worth. Ties go to the job with the fewest workers, then to the first. All of the budget is spent as far as maxima allow, also
/// where nothing is gained; a gain that is not a number counts as 0. O(jobs + workers · log jobs).
template <class Gain>
std::vector<int> allocateByGain(std::span<const AllocationLimits> jobs, std::int64_t budget, const Gain& gain) {
    using gain_allocation::Entry;
    std::vector<int> workers(jobs.size(), 0);
    std::vector<Entry> heap;
    heap.reserve(jobs.size());
    const auto entry = [&](std::size_t j) {
        const double worth = gain(j, workers[j]);
        return Entry{std::isnan(worth) ? 0 : worth / static_cast<double>(jobs[j].cost), workers[j],
                     static_cast<std::uint32_t>(j)};
    };
    for (std::size_t j = 0; j < jobs.size() && jobs[j].minimum * jobs[j].cost <= budget; ++j) {
        workers[j] = jobs[j].minimum;
        budget -= jobs[j].minimum * jobs[j].cost;
    }
    for (std::size_t j = 0; j < jobs.size() && budget > 0; ++j)
        if (workers[j] > 0 && workers[j] < jobs[j].maximum && jobs[j].cost <= budget) heap.push_back(entry(j));
    std::make_heap(heap.begin(), heap.end());
    while (!heap.empty() && budget > 0) {
        std::pop_heap(heap.begin(), heap.end());
        const std::size_t j = heap.back().job;
        heap.pop_back();
        if (jobs[j].cost > budget) continue;
        ++workers[j];
        budget -= jobs[j].cost;
        if (workers[j] == jobs[j].maximum) continue;
        heap.push_back(entry(j));
        std::push_heap(heap.begin(), heap.end());
    }
    return workers;
}

/// The workers, one unit each whatever `cost` says, of the greatest Σ value(job, workers): every job has its minimum at least and its
/// maximum at most, all together `workers` at most. Empty if the minima do not fit. O(jobs · workers²).
std::vector<int> exactAllocation(std::span<const AllocationLimits> jobs, int workers,
                                 const std::function<double(std::size_t job, int workers)>& value);

} // namespace trainyard
