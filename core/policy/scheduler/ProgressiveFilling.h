#pragma once
// Max-min fair allocation of workers by progressive filling, the common part of `drf` and `fair`: again and
// again the job with the least share gets one worker more, on real machines. Running jobs keep their tasks
// where they are and are never preempted, only shrunk to their minimum; places that others need are taken
// from the tasks a job was given last.
#include "policy/scheduler/Placing.h"

#include <functional>

namespace trainyard {

class ProgressiveFilling {
public:
    /// The share of a job with so many workers and servers, weight included; what is made equal.
    using Share = std::function<double(JobId, int workers, int servers)>;

    ProgressiveFilling(const SchedulerView& view, Share share, PlacingStrategy strategy,
                       bool stopAtFirstMisfit);
    /// Plans, then decides: first what frees room, then what grows, then what starts. `policy` signs the
    /// explanations.
    void decide(const PolicyContext& context, const std::string& policy, SchedulingDecisions& decisions);

private:
    /// One attempt to give a job more, for its explanation.
    struct Step {
        int workers = 0;        ///< after it, if it succeeds
        double share = 0;       ///< before it
        double othersLeast = 0; ///< least share of the other jobs that could grow; negative = there was none
        bool placed = false;
    };
    struct Claim {
        JobId job;
        bool running = false, growing = false;
        Bounds bounds;
        int servers = 0;
        std::vector<std::uint32_t> held; ///< indices of the workers it has, in order
        std::vector<std::uint32_t> kept;  ///< those it keeps
        std::vector<MachineId> added;     ///< machines of further workers
        Placement started;                ///< of a waiting job that gets its minimum
        std::vector<Step> steps;
        int granted = 0;
    };

    void admit(Claim& claim);
    void fill();
    bool grow(Claim& claim);
    MachineId chooseMachine(const Claim& claim, std::span<const ResourceVector> free) const;
    bool hosts(const Claim& claim, MachineId machine) const;
    bool sharesRack(const Claim& claim, MachineId machine) const;
    void takeOne(MachineId machine, const ResourceVector& demand, bool fromSpare);
    double shareOf(const Claim& claim) const;
    Placement planned(const Claim& claim, bool keptOnly) const;
    void explain(const PolicyContext& context, const std::string& policy, const Claim& claim) const;

    const SchedulerView& m_view;
    Share m_share;
    PlacingStrategy m_strategy;
    bool m_stop;
    bool m_stopped = false;
    std::vector<ResourceVector> m_plan;  ///< capacity of machines that are up, less what has been granted
    std::vector<ResourceVector> m_spare; ///< part of m_plan that no running task holds now
    std::vector<Claim> m_claims;         ///< in order of JobId
};

} // namespace trainyard
