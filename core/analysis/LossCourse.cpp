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

void addChanges(const RunIndex& run, JobId job, std::vector<LossChange>& changes) {
    const JobHistory& history = run.jobs()[job.index()];
    if (history.arrived() == SimTime::never() || run.workload().job(job).kind() == JobKind::graph) return;
    const auto limit = limitOf(run, job);
    changes.push_back({history.arrived().toSeconds(), 1, 1});
    double now = 1;
    for (std::size_t i = 0; limit && i < history.losses.size(); ++i) {
        const double next = normalisedLoss(history.losses.loss[i], history.losses.loss[0], *limit);
        if (next == now) continue;
        changes.push_back({history.losses.time[i], next - now, 0});
        now = next;
    }
    if (history.endedAt() != SimTime::never()) changes.push_back({history.endedAt().toSeconds(), -now, -1});
}

} // namespace

std::optional<double> limitOf(const RunIndex& run, JobId job) {
    const auto& losses = run.jobs()[job.index()].losses.loss;
    if (losses.empty()) return std::nullopt;
    const double limit = lossLimit(run.workload().job(job)).value_or(*std::min_element(losses.begin(), losses.end()));
    return losses[0] > limit ? std::optional(limit) : std::nullopt;
}

MeanLossCourse meanLossCourse(const RunIndex& run) {
    std::vector<LossChange> changes;
    for (std::size_t j = 0; j < run.jobs().size(); ++j) addChanges(run, JobId(j), changes);
    std::stable_sort(changes.begin(), changes.end(),
                     [](const LossChange& a, const LossChange& b) { return a.seconds < b.seconds; });
    MeanLossCourse out;
    double sum = 0;
    int jobs = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        sum += changes[i].loss;
        jobs += changes[i].jobs;
        if (jobs == 0) sum = 0; // nothing is left of rounding
        if (i + 1 < changes.size() && changes[i + 1].seconds == changes[i].seconds) continue;
        out.seconds.push_back(changes[i].seconds);
        out.loss.push_back(jobs > 0 ? sum / jobs : std::numeric_limits<double>::quiet_NaN());
        out.jobs.push_back(jobs);
    }
    return out;
}

std::optional<double> secondsToShare(const RunIndex& run, JobId job, double share) {
    const auto limit = limitOf(run, job);
    if (!limit) return std::nullopt;
    const JobHistory& history = run.jobs()[job.index()];
    const double first = history.losses.loss[0], target = first - (share - roundedShare) * (first - *limit);
    for (std::size_t i = 0; i < history.losses.size(); ++i)
        if (history.losses.loss[i] <= target) return history.losses.time[i] - history.arrived().toSeconds();
    return std::nullopt;
}

Text qualityGroup() { return {TRAINYARD_TEXT("Losses of all jobs"), {}}; }

} // namespace trainyard
