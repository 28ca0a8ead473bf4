// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/LossGroups.h"

#include "analysis/LossCourse.h"
#include "record/LossQuality.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {

struct GroupMember {
    double loss = 1, workers = 0; ///< normalised; on machines
    std::size_t job = 0;
};

/// What a job adds at the instants at which it is active.
void addMember(const RunIndex& run, std::size_t job, const std::vector<double>& seconds,
               std::vector<std::vector<GroupMember>>& active) {
    const JobHistory& history = run.jobs()[job];
    if (history.arrived() == SimTime::never() || run.workload().job(JobId(job)).kind() == JobKind::graph) return;
    const double arrived = history.arrived().toSeconds();
    const double ended =
        history.endedAt() == SimTime::never() ? std::numeric_limits<double>::infinity() : history.endedAt().toSeconds();
    const auto limit = limitOf(run, JobId(job));
    const LossSeries& losses = history.losses;
    const StepSeries& placed = history.placed();
    std::size_t known = 0, steps = 0; // losses, and changes of workers, up to the instant
    const auto first = std::lower_bound(seconds.begin(), seconds.end(), arrived);
    for (auto i = static_cast<std::size_t>(first - seconds.begin()); i < seconds.size() && seconds[i] < ended; ++i) {
        while (known < losses.size() && losses.time[known] <= seconds[i]) ++known;
        const double loss = known > 0 && limit ? normalisedLoss(losses.loss[known - 1], losses.loss[0], *limit) : 1;
        while (steps < placed.size() && placed.time(steps) <= seconds[i]) ++steps;
        active[i].push_back({loss, steps > 0 ? placed.value(steps - 1) : 0, job});
    }
}

std::array<double, 3> sharesOf(std::vector<GroupMember>& jobs) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    double all = 0;
    for (const GroupMember& member : jobs) all += member.workers;
    if (jobs.size() < LossGroupShares::fewestJobs || all <= 0) return {none, none, none};
    // Who is in which group is all that the order is needed for.
    const auto precedes = [](const GroupMember& a, const GroupMember& b) {
        return a.loss != b.loss ? a.loss > b.loss : a.job < b.job;
    };
    const auto lowest = jobs.end() - static_cast<std::ptrdiff_t>(jobs.size() / 2);
    const auto between = jobs.begin() + static_cast<std::ptrdiff_t>((jobs.size() + 3) / 4);
    std::nth_element(jobs.begin(), lowest, jobs.end(), precedes);
    std::nth_element(jobs.begin(), between, lowest, precedes);
    const auto share = [all](auto from, auto to) {
        double workers = 0;
        for (; from != to; ++from) workers += from->workers;
        return workers / all;
    };
    return {share(jobs.begin(), between), share(between, lowest), share(lowest, jobs.end())};
}

} // namespace

double LossGroupShares::mean(LossGroup group) const {
    double sum = 0, count = 0;
    for (const double value : of(group))
        if (std::isfinite(value)) sum += value, ++count;
    return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

LossGroupShares lossGroupShares(const RunIndex& run, std::size_t parts) {
    LossGroupShares out;
    const double end = run.head().toSeconds();
    for (std::size_t i = 0; i < parts && end > 0; ++i)
        out.seconds.push_back(end * (static_cast<double>(i) + 0.5) / static_cast<double>(parts));
    std::vector<std::vector<GroupMember>> active(out.seconds.size());
    for (auto& jobs : active) jobs.reserve(run.jobs().size());
    for (std::size_t job = 0; job < run.jobs().size(); ++job) addMember(run, job, out.seconds, active);
    for (auto& jobs : active) {
        const auto shares = sharesOf(jobs);
        for (std::size_t g = 0; g < shares.size(); ++g) out.share[g].push_back(shares[g]);
    }
    return out;
}

} // namespace trainyard
