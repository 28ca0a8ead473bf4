// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the updates of a job are expected to take under a placement, alone on its machines and links: its
// synchronization says it in closed form (Synchronization::updateTime) where transfers do not hinder each
// other, else it is measured by letting the synchronization run in the small (LoneJob), once for jobs and
// placements that are alike. Used by schedulers, by the rate model and by progress bars; draws nothing from a
// run's streams. Not for several threads at once.
#include "engine/DelayModel.h"
#include "engine/LoneJob.h"
#include "engine/RatePath.h"
#include "engine/UpdateTimeMemo.h"
#include "model/Routes.h"
#include "policy/Parameters.h"
#include "policy/Registry.h"
#include "policy/Scheduler.h"

#include <map>
#include <tuple>

namespace trainyard {

class SpeedEstimator final : public SpeedModel {
public:
    /// What is needed of a job besides its declaration.
    struct JobFacts {
        std::shared_ptr<const Synchronization> policy; ///< null: a graph job
        double policyNumber = 0;                       ///< in the memo
        double parameterBytes = 0;                     ///< of all parameters, which a worker pulls
        double messageBytes = 0;                       ///< of what it pushes for them: a gradient, sums, histograms
        double rows = 0;                               ///< of the data
        std::shared_ptr<const ParameterPolicy> parameters = nullptr; ///< divides them among owners; null: evenly
        double parametersNumber = 0;                                 ///< of that policy, in the memo
        std::uint64_t parameterCount = 1;
    };
    SpeedEstimator(std::shared_ptr<const Workload> workload, std::vector<JobFacts> facts,
                   std::shared_ptr<UpdateTimeMemo> memo, std::stop_token stop = {});

    double secondsPerUpdate(JobId job, const Placement& placement) const override;
    double secondsPerUpdate(JobId job, const Placement& placement, int batch) const override;
    double updatesDone(JobId job) const override;
    bool keepsFractions(JobId job) const override { return m_progress[job.index()].path.has_value(); }
    double remainingUpdates(JobId job) const override;
    double remainingSeconds(JobId job, double secondsPerUpdate) const override;

    /// Infinite seconds if the placement cannot run. Of a graph job an update is a step.
    UpdateTime updateTime(JobId job, const Placement& placement) const;
    UpdateTime updateTime(JobId job, const Placement& placement, int batch) const; ///< 0: as declared
    /// Updates from `done` on until the first evaluation after them that finds an analytic job's curve at its target loss or
    /// below; infinity without target, or if none does.
    double updatesToLoss(JobId job, double done, const CurveCourse& course) const;
    /// From here on, with so many samples per update; 0: with the job's batch.
    CurveCourse course(JobId job, double samplesPerUpdate = 0) const;
    /// How each worker of the placement answers, as machines and links are declared; by number, nothing where there is none.
    /// Laws are the workload's or, where nothing is uploaded, this estimator's, which its copies share.
    std::vector<WorkerResponse> responses(JobId job, const Placement& placement) const;

    /// What is known of a job's course so far.
    struct Progress {
        double updates = 0, samples = 0, ranSeconds = 0; ///< as last told; the seconds, before `since`
        double ahead = 0;                                ///< on its loss curve, after those updates: CurveCourse
        std::optional<SimTime> since;                    ///< it has been running from then on
        int batch = 0;                                   ///< 0: as declared
        std::optional<RatePath> path; ///< of a running job under the rate model, instead of `updates`
    };
    Progress& progress(JobId job) { return m_progress[job.index()]; }
    void setProgress(JobId job, double updates, double samples, double ahead) {
        progress(job).updates = updates;
        progress(job).samples = samples;
        progress(job).ahead = ahead;
    }
    /// The present instant: what remains is reckoned from here.
    void setNow(SimTime now) { m_now = now; }

    /// By owner of the parameters (a server, or a worker where there is none), the share of them that it has; negative: it
    /// has none of their keys, and nobody writes to it.
    std::span<const double> ownerShares(JobId job, const Placement& placement) const {
        return divisionOf(job, placement).shares;
    }
    void setLinkUp(LinkId link, bool up) { m_routes.setLinkUp(link, up); }

private:
    /// How many transfers cross each directed link if all workers make theirs at once; as large as these links are many.
    class PairCounts {
    public:
        explicit PairCounts(const std::map<DirectedLink, std::uint32_t>& counts = {})
            : m_counts(counts.begin(), counts.end()) {}
        std::uint32_t of(DirectedLink link) const; ///< at least 1

    private:
        std::vector<std::pair<DirectedLink, std::uint32_t>> m_counts; ///< ascending
    };
    /// Workers pull, compute and push: parameters and gradients of one round do not meet.
    struct Pairs {
        PairCounts pulls, pushes;
    };
    /// How the parameters of a job are divided among their owners.
    struct Division {
        std::vector<double> shares; ///< see ownerShares()
        bool even = true;           ///< those who have any have as much
    };
    /// The owners on one machine.
    struct OwnersThere {
        std::uint32_t tasks = 0; ///< that have a share
        double share = 0;        ///< the largest
    };
    using OwnersByMachine = std::map<MachineId, OwnersThere>;
    const Division& divisionOf(JobId job, const Placement& placement) const;
    static OwnersByMachine ownersByMachine(const Placement& placement, const Division& division);
    /// Reckoned by pairs of machines, which are fewer than pairs of tasks.
    Pairs pairsByLink(const Placement& placement, const OwnersByMachine& owners) const;
    /// Seconds of a transfer where each link gives every pair its share, and where it has the links to
    /// itself.
    struct Transfer {
        double shared = 0, alone = 0;
        bool uploads = false; ///< something: only a worker that has all parameters itself does not
        bool uneven =
            false; ///< its transfers to and from its owners do not begin at one time, or are of unequal lengths
    };
    Transfer transfer(MachineId from, MachineId to, double bytes, const PairCounts& pairs) const;
    /// Of pull and push together, by worker; endless where a server cannot be reached.
    std::vector<Transfer> transfersOf(JobId job, const Placement& placement) const;
    const StragglerLaw* lawOf(MachineId machine, bool uploads) const;
    std::vector<WorkerResponse> responsesWith(JobId job, const Placement& placement, int batch,
                                              std::span<const Transfer> transfers) const;
    UpdateTime measured(JobId job, const Placement& placement, const JobTimes& times, bool sharing,
                        double evaluationSeconds = 0, std::int64_t evaluationPeriod = 0) const;
    LoneJob loneJob(JobId job, const Placement& placement, const JobTimes& times, bool sharing) const;
    LoneJob::Leg legBetween(MachineId from, MachineId to, double bytes, double share, const PairCounts& pairs,
                            std::map<DirectedLink, DirectedLink>* numbers) const;

    std::shared_ptr<const Workload> m_workload;
    std::vector<JobFacts> m_facts; ///< by job
    std::shared_ptr<UpdateTimeMemo> m_memo;
    /// By machine, its law without delays of uploads; null where no machine has any. Copies share it, so that answers hold.
    std::shared_ptr<const std::vector<StragglerLaw>> m_undelayed;
    /// By policy, number of parameters, number of owners and whether these are workers.
    mutable std::map<std::tuple<double, std::uint64_t, std::size_t, bool>, Division> m_divisions;
    std::vector<Progress> m_progress;
    SimTime m_now;
    mutable RouteTable m_routes; ///< fills its trees on demand
    mutable DelayModel m_delays;
    std::stop_token m_stop; ///< ends an estimate: Stopped is thrown
};

} // namespace trainyard
