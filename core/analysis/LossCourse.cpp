// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/LossCourse.h"

#include "record/LossQuality.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {

constexpr double roundedShare = 1e-9; // limits by formula are rounded

struct LossChange {
    double seconds = 0, loss = 0;
    int jobs = 0;
};

/// Tells of each change of a job's normalised loss, in order of time: when it arrives, learns and is over.
template <class Tell>
void walkChanges(const RunIndex& run, JobId job, Tell&& tell) {
    const JobHistory& history = run.jobs()[job.index()];
    if (history.arrived() == SimTime::never() || run.workload().job(job).kind() == JobKind::graph) return;
    const auto limit = limitOf(run, job);
    tell(LossChange{history.arrived().toSeconds(), 1, 1});
    double now = 1;
    for (std::size_t i = 0; limit && i < history.losses.size(); ++i) {
        const double next = normalisedLoss(history.losses.loss[i], history.losses.loss[0], *limit);
        if (next == now) continue;
        tell(LossChange{history.losses.time[i], next - now, 0});
        now = next;
    }
    if (history.endedAt() != SimTime::never()) tell(LossChange{history.endedAt().toSeconds(), -now, -1});
}

class CourseMaker {
public:
    /// What is told of all at an instant.
    void add(double seconds, double loss, int jobs) {
        m_sum += loss;
        m_jobs += jobs;
        if (m_jobs == 0) m_sum = 0; // nothing is left of rounding
        course.seconds.push_back(seconds);
        course.loss.push_back(m_jobs > 0 ? m_sum / m_jobs : std::numeric_limits<double>::quiet_NaN());
        course.jobs.push_back(m_jobs);
    }
    MeanLossCourse course;

private:
    double m_sum = 0;
    int m_jobs = 0;
};

MeanLossCourse wholeCourse(const RunIndex& run) {
    std::vector<LossChange> changes;
    for (std::size_t j = 0; j < run.jobs().size(); ++j)
        walkChanges(run, JobId(j), [&](const LossChange& change) { changes.push_back(change); });
    std::stable_sort(changes.begin(), changes.end(),
                     [](const LossChange& a, const LossChange& b) { return a.seconds < b.seconds; });
    CourseMaker maker;
    for (std::size_t i = 0; i < changes.size();) {
        LossChange all = changes[i++];
        for (; i < changes.size() && changes[i].seconds == all.seconds; ++i) {
            all.loss += changes[i].loss;
            all.jobs += changes[i].jobs;
        }
        maker.add(all.seconds, all.loss, all.jobs);
    }
    return std::move(maker.course);
}

MeanLossCourse courseInParts(const RunIndex& run, std::size_t parts) {
    constexpr double never = std::numeric_limits<double>::infinity();
    const double perSecond = static_cast<double>(parts) / std::max(run.head().toSeconds(), 1e-9);
    std::vector<LossChange> sums(parts, {never, 0, 0});
    for (std::size_t j = 0; j < run.jobs().size(); ++j)
        walkChanges(run, JobId(j), [&](const LossChange& change) {
            LossChange& part = sums[std::min(parts - 1, static_cast<std::size_t>(change.seconds * perSecond))];
            part.seconds = std::min(part.seconds, change.seconds);
            part.loss += change.loss;
            part.jobs += change.jobs;
        });
    CourseMaker maker;
    for (const LossChange& part : sums)
        if (part.seconds != never) maker.add(part.seconds, part.loss, part.jobs);
    return std::move(maker.course);
}

} // namespace

std::optional<double> limitOf(const RunIndex& run, JobId job) {
    const LossSeries& series = run.jobs()[job.index()].losses;
    const std::vector<double>& losses = series.loss;
    if (losses.empty()) return std::nullopt;
    auto limit = lossLimit(run.workload().job(job));
    if (!limit) limit = losses[Extremes::of(losses, 0, losses.size(), &series.extremes).least];
    return losses[0] > *limit ? limit : std::nullopt;
}

MeanLossCourse meanLossCourse(const RunIndex& run, std::size_t mostSteps) {
    std::size_t changes = 0; // at most
    for (const JobHistory& job : run.jobs()) changes += 2 + job.losses.size();
    return changes > mostSteps ? courseInParts(run, mostSteps) : wholeCourse(run);
}

MeanLoss meanLossAt(const RunIndex& run, double seconds) {
    MeanLoss out;
    for (std::size_t j = 0; j < run.jobs().size(); ++j) {
        const JobHistory& history = run.jobs()[j];
        const bool isActive = history.arrived() != SimTime::never() && history.arrived().toSeconds() <= seconds &&
                              (history.endedAt() == SimTime::never() || history.endedAt().toSeconds() > seconds);
        if (!isActive || run.workload().jobs[j].kind() == JobKind::graph) continue;
        const auto limit = limitOf(run, JobId(j));
        const std::size_t known = limit ? history.losses.indexAt(seconds) : history.losses.size();
        const bool isKnown = known < history.losses.size();
        out.loss += isKnown ? normalisedLoss(history.losses.loss[known], history.losses.loss[0], *limit) : 1;
        ++out.jobs;
    }
    out.loss = out.jobs > 0 ? out.loss / out.jobs : std::numeric_limits<double>::quiet_NaN();
    return out;
}

std::vector<std::optional<double>> secondsToShares(const RunIndex& run, JobId job, std::span<const double> shares) {
    std::vector<std::optional<double>> out(shares.size());
    const auto limit = limitOf(run, job);
    if (!limit) return out;
    const JobHistory& history = run.jobs()[job.index()];
    const double first = history.losses.loss[0];
    const auto target = [&](std::size_t level) { return first - (shares[level] - roundedShare) * (first - *limit); };
    std::size_t i = 0;
    for (std::size_t level = 0; level < shares.size(); ++level) {
        i = history.losses.extremes.firstAtMost(history.losses.loss, i, target(level));
        if (i == history.losses.size()) break;
        out[level] = history.losses.time[i] - history.arrived().toSeconds();
    }
    return out;
}

Text qualityGroup() { return {TRAINYARD_TEXT("Losses of all jobs"), {}}; }

} // namespace trainyard
