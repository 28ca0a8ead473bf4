#pragma once
// Expected seconds per update of a job under a placement: nominal compute times, closed-form transfers (each
// link's bandwidth divided by the job's own worker–server pairs that cross it) and the k-th of n arrivals by
// a fixed sample of the straggler laws. Used by schedulers, by the rate model and by progress bars; draws
// nothing from a run's streams.
#include "engine/DelayModel.h"
#include "model/Routes.h"
#include "policy/Registry.h"
#include "policy/Scheduler.h"

namespace trainyard {

class SpeedEstimator final : public SpeedModel {
public:
    SpeedEstimator(std::shared_ptr<const Workload> workload,
                   std::vector<std::shared_ptr<const Synchronization>> policies,
                   std::vector<double> parameterBytes, std::vector<double> datasetRows);

    double secondsPerUpdate(JobId job, const Placement& placement) const override;
    double remainingUpdates(JobId job) const override;

    /// Samples that one update uses.
    double samplesPerUpdate(JobId job, int workers) const;
    /// Updates until an analytic job's curve falls to its target loss; infinity without target, or if it
    /// never does.
    double updatesToLoss(JobId job) const;
    /// How each worker of the placement answers, as machines and links are declared.
    std::vector<WorkerResponse> responses(JobId job, const Placement& placement) const;
    void setProgress(JobId job, double updates, double samples);
    /// The directed links of every worker–server pair of the placement, both ways, repeated.
    std::vector<DirectedLink> linksOfPairs(const Placement& placement) const;
    /// By directed link: its bandwidth, divided among the worker–server pairs of the placement that use it.
    std::vector<double> bandwidthShares(const Placement& placement) const;
    void setLinkUp(LinkId link, bool up) { m_routes.setLinkUp(link, up); }

private:
    /// Seconds of one transfer of `bytes` under the rate model, where each link gives it `shares`.
    double transferSeconds(MachineId from, MachineId to, double bytes, std::span<const double> shares) const;
    /// Seconds of pull and push, by worker; endless where a server cannot be reached.
    std::vector<double> transfersOf(JobId job, const Placement& placement) const;

    std::shared_ptr<const Workload> m_workload;
    std::vector<std::shared_ptr<const Synchronization>> m_policies;
    std::vector<double> m_parameterBytes, m_rows;
    std::vector<double> m_updates, m_samples;
    mutable RouteTable m_routes; ///< fills its trees on demand
    mutable DelayModel m_delays;
};

} // namespace trainyard
