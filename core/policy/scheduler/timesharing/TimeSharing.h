// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What schedulers share that give jobs shares of the time on kinds of machines and keep to them in rounds, as Gavel does (Narayanan et
// al., OSDI 2020): kinds and rates, the round rule, placing and explanations. A policy says what the shares are (divide()).
#include "base/ParamSchema.h"
#include "policy/scheduler/Refusals.h"
#include "policy/scheduler/WaitingJobs.h"
#include "policy/scheduler/timesharing/MachineKinds.h"
#include "policy/scheduler/timesharing/TimeShares.h"

#include <map>
#include <tuple>

namespace trainyard {

struct TimeSharingParams {
    double roundSeconds = 360;
    std::string size = "as-many-as-fit";
    bool fill = true;
    std::string placing = "pack";
};

class TimeSharing : public Scheduler {
public:
    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                SchedulingDecisions& decisions) final;

protected:
    TimeSharing(std::string id, TimeSharingParams params) : m_params(std::move(params)), m_id(std::move(id)) {}

    /// A job that runs or waits, and can run somewhere.
    struct Member {
        JobId id;
        double processors = 1; ///< of all its workers: processorsPerWorker()
        /// Where it can run alone: machines of one kind, or any where no kind holds it.
        SharingJob shape;
    };
    /// The shares of each member from now on; called at the beginning of a round.
    virtual TimeShares divide(const PolicyContext& context, const SchedulerView& view,
                              const std::vector<Member>& members) = 0;
    /// Whether divide() gives the same as long as the members and the machines are the same.
    virtual bool isSteady() const = 0;

private:
    /// What is known of a job, by kind; one more: machines of any kind.
    struct Known {
        bool profiled = false;
        int workers = 0, servers = 0;
        Member member;
        std::vector<std::size_t> kinds; ///< of each option of the member
        std::vector<double> target;     ///< share of the time
        std::vector<double> received;   ///< seconds
        std::vector<double> due;        ///< seconds, by the targets so far
        std::size_t runsOn = 0;
        bool told = false; ///< why it waits, since it last ran
    };
    /// An option that the round looks at.
    struct Try {
        JobId job;
        std::size_t kind = 0;
        double priority = 0, deficit = 0, target = 0, received = 0;
        bool fits = false;
    };
    /// A job in the round.
    struct Turn {
        std::vector<Try> tried; ///< in order
        Placement placement;    ///< empty: it waits
        std::size_t kind() const { return tried.back().kind; }
    };

    using Turns = std::map<JobId, Turn>;

    void follow(const SchedulerView& view, std::span<const Event> since, SimTime now);
    Known& known(const SchedulerView& view, JobId job);
    void chooseCounts(const SchedulerView& view, JobId job, Known& known, KindRooms& idle) const;
    void addOption(const SchedulerView& view, Known& known, std::size_t kind, KindRooms& idle) const;

    void planRound(const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions);
    std::vector<JobId> membersOf(const PolicyContext& context, const SchedulerView& view);
    void share(const PolicyContext& context, const SchedulerView& view, const std::vector<JobId>& jobs);
    Try tryOf(const SchedulerView& view, JobId job, std::size_t kind, SimTime now) const;
    std::vector<Try> triesOf(const SchedulerView& view, const std::vector<JobId>& jobs, SimTime now) const;
    void attempt(const SchedulerView& view, Try option, Turn& turn, KindRooms& rooms) const;
    void fillUp(const SchedulerView& view, JobId job, SimTime now, Turn& turn, KindRooms& rooms) const;
    bool staysOn(const SchedulerView& view, JobId job, std::size_t kind) const;
    void stayWherePossible(const SchedulerView& view, Turns& turns) const;
    void carryOut(const PolicyContext& context, const SchedulerView& view, const Turns& turns,
                  SchedulingDecisions& decisions);
    void startWaiting(const PolicyContext& context, const SchedulerView& view, SchedulingDecisions& decisions);

    Explanation whyOf(const SchedulerView& view, JobId job, const Turn& turn) const;
    void explainRunning(const PolicyContext& context, const SchedulerView& view, JobId job, const Turn& turn) const;
    void explainWaiting(const PolicyContext& context, const SchedulerView& view, JobId job, const Turn& turn);

    TimeSharingParams m_params;
    std::string m_id;
    std::vector<MachineKind> m_kinds;
    std::optional<KindRooms> m_idle;        ///< the machines that are up, empty
    std::vector<ResourceVector> m_capacity; ///< by kind, of the machines that are up
    std::vector<Known> m_jobs;
    std::vector<JobId> m_divided; ///< among whom the time was divided last
    bool m_stale = true;          ///< machines or links have come or gone since
    WaitingJobs m_waiting;
    Refusals m_refusals;
    std::vector<JobId> m_ran; ///< since the last call
    SimTime m_next;           ///< of the next round
    SimTime m_last;           ///< of the last call
    SimTime m_dueTo;          ///< to which `due` is counted
};

/// The fields of the parameters of a P that derives from TimeSharingParams.
template <class P>
auto timeSharingFields() {
    using B = TimeSharingParams;
    return std::tuple(
        field<P>(static_cast<double P::*>(&B::roundSeconds), "round_s", "Round", {1, 86400}, "s",
                 "How often it is decided anew who runs where.")
            .logarithmic()
            .usual(3600)
            .effect("Fewer changes of machines, and shares that are met later."),
        sizeField<P>(
            static_cast<std::string P::*>(&B::size), "Workers",
            "How many workers, within its bounds, a job has in all rounds: what fits on an idle kind of machines."),
        flag<P>(static_cast<bool P::*>(&B::fill), "fill", "Fill",
                "Whether jobs whose turn it is not run, also during a round, on machines that the plan leaves idle."),
        placingField<P>(static_cast<std::string P::*>(&B::placing)));
}

} // namespace trainyard
