// Jobs that advance without tasks: analytic jobs under the rate model, and graph jobs.
#include "engine/SimulationCore.h"
#include "engine/Words.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

// --- Jobs without tasks
// -----------------------------------------------------------------------------------------------------

void SimulationCore::startRate(JobId job) {
    const Job& spec = workload->job(job);
    const Placement& placement = state.job(job).placement;
    RateRun rate{.generation = ++m_generation, .since = m_now};
    rate.secondsPerUpdate = m_speed.secondsPerUpdate(job, placement);
    rate.updatesAtStart = static_cast<double>(state.job(job).updates);
    m_speed.setProgress(job, rate.updatesAtStart, state.job(job).samplesUsed);
    rate.samplesPerUpdate = m_speed.samplesPerUpdate(job, static_cast<int>(placement.workers.size()));
    const auto& work = std::get<AnalyticWork>(spec.work);
    rate.updatesGoal = std::numeric_limits<double>::infinity();
    const auto consider = [&](double goal, FinishReason reason) {
        if (goal < rate.updatesGoal) {
            rate.updatesGoal = goal;
            rate.reason = reason;
        }
    };
    if (spec.stop.iterations) consider(static_cast<double>(*spec.stop.iterations), FinishReason::iterations);
    if (spec.stop.epochs && rate.samplesPerUpdate > 0)
        consider(rate.updatesAtStart +
                     std::max(0.0, std::ceil((*spec.stop.epochs * work.samples - state.job(job).samplesUsed) /
                                             rate.samplesPerUpdate)),
                 FinishReason::epochs);
    if (spec.stop.loss) consider(rate.updatesAtStart + m_speed.updatesToLoss(job), FinishReason::loss);
    if (spec.stop.seconds)
        consider(rate.updatesAtStart +
                     std::floor(std::max(0.0, *spec.stop.seconds - m_lives[job.index()].ranSeconds) /
                                rate.secondsPerUpdate),
                 FinishReason::seconds);
    rate.bytesPerUpdate = 2 * work.parameterBytes;
    rate.links = m_speed.linksOfPairs(placement);
    const double seconds = std::max(0.0, rate.updatesGoal - rate.updatesAtStart) * rate.secondsPerUpdate;
    m_rates[job.index()] = rate;
    emit(EventType::lossEvaluated, job, lowWord(state.job(job).updates), highWord(state.job(job).updates),
         work.curve.at(rate.updatesAtStart));
    // A few looks at the loss on the way; schedulers that read losses and the curves have something to go by.
    constexpr int looks = 8;
    if (!std::isfinite(seconds)) return; // unreachable servers or no end in sight: the run ends it as stuck
    for (int i = 1; i <= looks; ++i)
        m_queue.push(m_now + Duration::seconds(seconds * i / looks),
                     static_cast<std::uint16_t>(Kind::rateTick), i == looks, job.value,
                     entityOf(rate.generation));
}

void SimulationCore::advanceRate(JobId job, bool final) {
    RateRun& rate = *m_rates[job.index()];
    const auto& work = std::get<AnalyticWork>(workload->job(job).work);
    const double progress = rate.updatesAtStart + (m_now - rate.since).toSeconds() / rate.secondsPerUpdate;
    const auto updates = static_cast<std::uint64_t>(final ? rate.updatesGoal
                                                          : std::floor(std::min(progress, rate.updatesGoal)));
    const std::uint64_t before = state.job(job).updates;
    if (updates > before) {
        const auto gained = static_cast<double>(updates - before);
        emit(EventType::updateApplied, job, lowWord(updates), highWord(updates),
             gained * rate.samplesPerUpdate);
        const double perPair = rate.bytesPerUpdate / 2 /
                               static_cast<double>(std::max<std::size_t>(
                                   1, std::max(state.job(job).placement.servers.size(), std::size_t{1})));
        std::vector<DirectedLink> links = rate.links;
        std::sort(links.begin(), links.end());
        for (std::size_t i = 0, n; i < links.size(); i += n) {
            n = static_cast<std::size_t>(
                    std::upper_bound(links.begin() + static_cast<std::ptrdiff_t>(i), links.end(), links[i]) -
                    links.begin()) -
                i;
            emit(EventType::linkCarried, job, links[i], 0, gained * perPair * static_cast<double>(n));
        }
        emit(EventType::lossEvaluated, job, lowWord(updates), highWord(updates),
             work.curve.at(static_cast<double>(updates)));
        m_speed.setProgress(job, static_cast<double>(updates), state.job(job).samplesUsed);
    }
    if (final) finishJob(job, rate.reason);
}

void SimulationCore::startGraph(JobId job) {
    const double seconds = m_lives[job.index()].graphLeft * graphSeconds(job, state.job(job).placement.workers);
    m_queue.push(m_now + Duration::seconds(seconds), static_cast<std::uint16_t>(Kind::graphDone), 0,
                 job.value, static_cast<std::uint64_t>(m_lives[job.index()].startedAt.ns));
}

} // namespace trainyard
