// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One call of progressive filling: jobs are admitted with their minima, then the job of the least share gets one worker
// more until nothing fits, and the difference to what they hold becomes decisions. Used by ProgressiveFilling alone.
#include "policy/scheduler/fair/ProgressiveFilling.h"

namespace trainyard {

class FillingCall {
public:
    struct Call {
        const PolicyContext& context;
        const SchedulerView& view;
        const ProgressiveFilling::Share& share;
        const std::string& policy; ///< signs the explanations
        PlacingStrategy strategy;
        bool stopAtFirstMisfit;
    };

    /// `plan`: the machines that are up, less the minima of running jobs.
    FillingCall(Call call, FreeCapacity& plan) : m_call(call), m_plan(plan), m_spare(call.view.free()) {}

    /// In order of arrival.
    void addRunning(JobId job, const ProgressiveFilling::Held& held);
    /// A waiting job, after all that run: it is placed with its minimum as a whole, or gets nothing (false).
    bool admit(JobId job);
    void fill();
    void decide(SchedulingDecisions& decisions);

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
        const ProgressiveFilling::Held* held = nullptr; ///< null: it waits
        Bounds bounds;
        int servers = 0;              ///< where they do not grow with the workers
        std::size_t kept = 0;         ///< so many of the first workers it has
        std::vector<MachineId> added; ///< machines of further workers
        std::size_t keptServers = 0;  ///< so many of the first servers it has, where they grow with the workers
        std::vector<MachineId> addedServers;
        Placement started;       ///< of a waiting job: its minimum
        std::vector<Step> steps; ///< only where explanations are on
        int granted = 0;
        bool running() const { return held != nullptr; }
        std::size_t heldWorkers() const { return held ? held->workers.size() : 0; }
        std::size_t heldServers() const { return held ? held->servers.size() : 0; }
    };
    /// A claim that can grow, by what it would grow from: the least share first, then the first to arrive.
    struct Growing {
        double share = 0;
        JobId job;
        std::size_t claim = 0;
        friend bool operator<(const Growing& a, const Growing& b) {
            return a.share != b.share ? a.share < b.share : a.job < b.job;
        }
    };
    class Heap;

    const Placement& placementOf(const Claim& claim) const;
    const ResourceVector& demandOf(const Claim& claim) const;
    int serversOf(const Claim& claim, int workers) const;
    double shareOf(const Claim& claim, int workers) const;
    Growing growing(std::size_t claim) const;
    bool canGrow(const Claim& claim) const { return claim.granted > 0 && claim.granted < claim.bounds.maximum; }

    bool fillSpare(Heap& heap);
    void fillPlan(Heap& heap);
    std::optional<Growing> lastToTakeBack() const;
    void takeBack(const Growing& until);
    bool grow(Claim& claim);
    bool growWorker(Claim& claim);
    bool growServer(Claim& claim);
    bool growInSpare(Claim& claim);
    void takeOne(MachineId machine, const ResourceVector& demand, bool fromSpare);
    MachineId chooseMachine(const Claim& claim, FreeCapacity& free, const ResourceVector& demand) const;
    MachineId chooseInRack(const Claim& claim, const FreeCapacity& free, const ResourceVector& demand) const;
    std::vector<MachineId> machinesOf(const Claim& claim) const;
    bool sharesRack(const Claim& claim, MachineId machine) const;
    Placement planned(const Claim& claim) const;
    void explain(const Claim& claim) const;

    Call m_call;
    FreeCapacity& m_plan;        ///< capacity of machines that are up, less what has been granted
    FreeCapacity& m_spare;       ///< part of m_plan that no running task holds now
    std::vector<Claim> m_claims; ///< those that may change: running ones, then admitted ones, each in order of arrival
    std::size_t m_running = 0;   ///< so many of them run
    bool m_planTaken = false;    ///< places that running tasks hold have been given away
    bool m_serversGrow = false;  ///< with the workers, of some job
    std::vector<ResourceVector> m_hopeless; ///< demands of one worker that fit nowhere in m_plan
};

} // namespace trainyard
