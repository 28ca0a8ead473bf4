// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// themis: finish-time fairness. The greatest ratio ρ of a job's time to its end to that with an nth of the cluster for itself is made
// as small as it can be. The measure is that of Mahajan et al., Themis, NSDI 2020; the program is the one that Gavel's public code has for
// it, as briefed, and the rounds are Gavel's. The auction of the paper is not here: resources/help/themis.md says why.
#include "policy/Builtin.h"
#include "policy/scheduler/timesharing/TimeSharing.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

struct ThemisParams : TimeSharingParams {
    double precision = 1e-4;
};

enum ThemisSeries : std::uint16_t { themisRatio, themisWorst, themisUnsolved };

class Themis final : public TimeSharing {
public:
    explicit Themis(const ThemisParams& params) : TimeSharing("themis", params), m_precision(params.precision) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Themis>(*this); }

protected:
    bool isSteady() const override { return false; } // time passes, and work is done

    TimeShares divide(const PolicyContext& context, const SchedulerView& view,
                      const std::vector<Member>& members) override {
        std::vector<SharingJob> jobs;
        double count = 0;
        for (const Member& member : members) {
            jobs.push_back(member.shape);
            count += member.shape.options.empty() ? 0 : member.shape.copies;
        }
        m_past.resize(view.state().jobs().size());
        std::vector<FinishGoal> goals;
        for (std::size_t j = 0; j < jobs.size(); ++j)
            goals.push_back(goalOf(context, view, members[j], rateOfAnNth(jobs[j], count)));
        const Sharing sharing = leastWorstRatio(jobs, goals, m_precision);
        for (std::size_t j = 0; j < jobs.size(); ++j)
            context.note(themisRatio, goals[j].ratio(rateWith(jobs[j], sharing.shares[j])), 0, 0, members[j].id);
        context.note(themisWorst, sharing.worst);
        context.note(themisUnsolved, sharing.solved ? 0 : 1);
        return sharing.shares;
    }

private:
    /// What a job had left when it was last asked for, and how long what it has done would have taken with an nth of the cluster, n as
    /// it was at each time.
    struct Past {
        double left = 0, isolatedSeconds = 0, isolatedRate = 0;
    };

    FinishGoal goalOf(const PolicyContext& context, const SchedulerView& view, const Member& member,
                      double isolatedRate) {
        Past& past = m_past[member.id.index()];
        const double left = updatesLeft(view, member);
        if (past.isolatedRate > 0 && left < past.left) past.isolatedSeconds += (past.left - left) / past.isolatedRate;
        past.left = left;
        past.isolatedRate = isolatedRate;
        FinishGoal goal{.elapsed = (context.now - view.workload().job(member.id).arrival).toSeconds(),
                        .remaining = std::max(1e-3, left)};
        goal.isolated = past.isolatedSeconds + goal.remaining / isolatedRate;
        return goal;
    }

    /// Also by its limit of running time at its best rate. Where nothing tells the end: as much again as it has done.
    static double updatesLeft(const SchedulerView& view, const Member& member) {
        const double best = 1 / member.shape.bestRate();
        const double left = view.speed().remainingSeconds(member.id, best) / best;
        if (std::isfinite(left)) return std::min(left, 1e15);
        return std::max(1.0, static_cast<double>(view.state().job(member.id).updates));
    }

    double m_precision;
    std::vector<Past> m_past; ///< by job
};

} // namespace

SchedulerEntry builtin::themis() {
    using P = ThemisParams;
    PolicyInfo info{
        .id = "themis",
        .label = "Finish-time fairness (Themis)",
        .summary =
            "Rounds keep the greatest ratio of a job's time to its end to that with its part of the cluster small.",
        .source = "After Mahajan et al., NSDI 2020, by the program of Narayanan et al., OSDI 2020"};
    info.series = {{"finish_time_ratio", "Finish-time ratio", "",
                    "ρ that a job is expected to have at its end, if the shares of the round lasted.", "", ""},
                   {"worst_ratio", "Worst ratio", "", "The greatest of them.", "", ""},
                   {"unsolved", "Not solved", "",
                    "1 where the linear program failed numerically and equal shares were taken, else 0.", "", ""}};
    return std::apply(
        [&](auto... fields) {
            return policyEntry<Scheduler, Themis, P>(
                std::move(info), std::move(fields)...,
                field(&P::precision, "precision", "Precision", {1e-6, 0.5}, "",
                      "How near the least possible worst ratio the bisection comes, relatively.")
                    .logarithmic());
        },
        timeSharingFields<P>());
}

} // namespace trainyard
