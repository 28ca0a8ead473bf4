// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Asynchronous successive halving: at certain numbers of updates, the rungs, a job goes on only if its loss is among the best 1/η of all
// that were recorded there so far. Rule of Li et al., A system for massively parallel hyperparameter tuning, MLSys 2020, as recalled; used
// by schedulers that end jobs early. A value, kept from call to call.
#include "policy/PolicyWarning.h"
#include "policy/Registry.h"
#include "policy/Scheduler.h"

#include <string>
#include <vector>

namespace trainyard {

/// Whose losses are compared.
inline const std::vector<std::string> comparedChoices{"work", "name", "all"};

/// What a job found at a rung.
struct RungVerdict {
    JobId job;
    int rung = 0; ///< from 0
    std::uint64_t update = 0;
    double loss = 0, limit = 0; ///< limit: the worst loss that goes on
    std::size_t group = 0;      ///< of the jobs that it is compared with
    std::size_t count = 0;      ///< losses recorded there, with its own
    std::size_t kept = 0;       ///< so many of them go on, and those that equal the worst of these
    std::vector<JobId> others;  ///< recorded there, best first, a few; the job is among them
    std::vector<double> theirs; ///< their losses
    bool goesOn() const { return loss <= limit; }
};

class Rungs {
public:
    struct Rules {
        double grace = 10; ///< updates to the first rung
        double eta = 4;    ///< > 1: the next rung is at so many times the updates
        int most = 10;     ///< rungs
        std::string compare = "work";
    };
    explicit Rungs(Rules rules) : m_rules(std::move(rules)) {}

    /// The losses evaluated since the last call, in order of time; what jobs found at the rungs that they have reached by them. A loss
    /// that passes several rungs counts at the last of these.
    std::vector<RungVerdict> follow(const SchedulerView& view, std::span<const Event> since);
    /// Updates of the job's next rung, as they are evaluated; 0: there is none, or nobody evaluates its losses.
    std::uint64_t nextUpdate(const SchedulerView& view, JobId job) const;
    /// Updates of a rung: grace·η^i, rounded up.
    double updatesOf(int rung) const;
    /// Of n losses: ⌊n/η⌋, but one at least.
    std::size_t keptOf(std::size_t n) const;
    /// Jobs that are compared have the same group; nullopt: it tells no loss.
    std::optional<std::size_t> groupOf(const SchedulerView& view, JobId job);

    /// Follows, notes and explains, and ends running jobs that are not good enough: those are returned. One that waits meanwhile, for a
    /// failed machine, is spared. `policy` signs; its series are those of series(), first of all.
    std::vector<JobId> halve(const PolicyContext& context, const SchedulerView& view, std::span<const Event> since,
                             const std::string& policy, SchedulingDecisions& decisions);
    static std::vector<SeriesInfo> series();
    /// A warning where the job ends before its losses reach a rung, by the "grace" and "rungs" given; none where its end is not known.
    static std::optional<PolicyWarning> noneReached(const Job& job, const ParamValues& given);

private:
    struct Recorded {
        double loss;
        JobId job;
        friend bool operator<(const Recorded& a, const Recorded& b) {
            return a.loss != b.loss ? a.loss < b.loss : a.job < b.job;
        }
    };
    static void explain(const PolicyContext& context, const SchedulerView& view, const RungVerdict& verdict,
                        const std::string& policy);
    std::optional<RungVerdict> take(const SchedulerView& view, JobId job, std::uint64_t update, double loss);
    bool areCompared(const Job& a, const Job& b) const;

    Rules m_rules;
    std::vector<JobId> m_groups;                                ///< the first job of each
    std::vector<std::optional<std::size_t>> m_groupOf;          ///< by job, as far as asked
    std::vector<std::uint8_t> m_asked;                          ///< by job
    std::vector<int> m_next;                                    ///< by job: its next rung
    std::vector<std::vector<std::vector<Recorded>>> m_recorded; ///< by group and rung, best first
};

} // namespace trainyard
