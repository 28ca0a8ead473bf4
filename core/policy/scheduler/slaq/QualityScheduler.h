// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What schedulers that go by losses share: every epoch workers are divided anew among the jobs, first their least numbers, then one by
// one where one more is worth most, and the difference to what the jobs hold becomes one plan. A scheduler says what workers are worth.
// The order beyond what the machines hold, least shares, hysteresis and the times of updates are this program's.
#include "planning/GainAllocation.h"
#include "policy/Registry.h"
#include "policy/scheduler/slaq/QualityJobs.h"

namespace trainyard {

struct QualityRules {
    std::string curve = "better"; ///< as in PredictedGains
    double decay = 0.8;
    int window = 50;
    double floor = 0.9; ///< as in PredictedGains; 0: none
    double epochSeconds = 3;
    double minShare = 0.25; ///< of what an equal division gives, each job has so much at least
    double hysteresis = 1;  ///< running jobs keep what they have unless a new division is worth so many times as much
    bool chargesChanges = true; ///< whether it is then charged with the time that changes cost
    std::string placing = "pack";
};

/// What such schedulers note of each job once an epoch.
std::vector<SeriesInfo> qualitySeries();

class QualityScheduler : public Scheduler {
public:
    /// `id` signs the explanations.
    QualityScheduler(std::string id, const QualityRules& rules);

    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event>,
                SchedulingDecisions& decisions) final;

protected:
    using Jobs = std::vector<QualityJob>;

    /// After the jobs' losses have been taken in; perhaps on several threads, each for another job (`index` into those present).
    virtual void prepare(const SchedulerView&, const QualityJob&, std::size_t /*index*/) {}
    virtual void prepareAll(std::size_t /*jobs*/) {}
    /// What so many updates, fractions too, are worth to the job; not falling with updates.
    virtual double worth(const QualityJob& job, std::size_t index, double updates) const = 0;
    /// What it is worth that each job does so many updates.
    virtual double worthOfAll(const Jobs& jobs, std::span<const double> updates) const;
    /// Who gets the next worker: the one of the greatest priority for one more than `workers`.
    virtual double priority(const QualityJob& job, std::size_t index, int workers) const {
        return marginalGain(job, index, workers);
    }
    /// Workers by job, within their limits and the budget, which holds all minima.
    virtual std::vector<int> divide(const Jobs& jobs, std::span<const AllocationLimits> limits,
                                    std::int64_t budget) const;

    double marginalGain(const QualityJob& job, std::size_t index, int workers) const {
        return worthOfWorkers(job, index, workers + 1) - worthOfWorkers(job, index, workers);
    }
    /// What so many workers, of at least one, are worth to the job in an epoch.
    double worthOfWorkers(const QualityJob& job, std::size_t index, int workers) const {
        return worth(job, index, updatesWith(job, workers));
    }
    /// Updates, fractions too, in an epoch.
    double updatesWith(const QualityJob& job, int workers) const;
    const PredictedGains& gains(const QualityJob& job) const { return m_known.gains(job); }

private:
    std::vector<int> allocate(const SchedulerView& view, const Jobs& jobs, FreeCapacity& room) const;
    void raiseMinima(std::int64_t budget, std::int64_t least, std::vector<AllocationLimits>& limits) const;
    static std::int64_t keepUnderWay(const Jobs& jobs, std::int64_t budget, std::int64_t least,
                                     std::vector<AllocationLimits>& limits);
    std::vector<int> withFewestChanges(const Jobs& jobs, std::span<const AllocationLimits> limits,
                                       std::int64_t budget) const;
    double worthAfterChanges(const Jobs& jobs, std::span<const int> workers) const;
    void note(const PolicyContext& context, const Jobs& jobs, const std::vector<int>& workers) const;
    bool carryOut(const PolicyContext& context, const SchedulerView& view, const Jobs& jobs,
                  const std::vector<int>& workers, FreeCapacity& room, SchedulingDecisions& decisions);
    void grow(const SchedulerView& view, const QualityJob& member, int count, Placement& placement,
              FreeCapacity& room) const;
    void explain(const PolicyContext& context, const SchedulerView& view, const Jobs& jobs,
                 const std::vector<int>& workers, std::size_t j, const Placement& placement) const;

    std::string m_id;
    double m_epochSeconds, m_minShare, m_hysteresis;
    bool m_chargesChanges;
    PlacingStrategy m_placing;
    SimTime m_next; ///< when the next epoch begins
    QualityJobs m_known;
};

} // namespace trainyard
