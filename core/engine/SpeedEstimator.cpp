// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/SpeedEstimator.h"

#include "base/PartitionPoint.h"
#include "base/Stopped.h"
#include "engine/JobStore.h"
#include "model/KnownLosses.h"
#include "planning/GraphLookahead.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();
/// Sharing of links that changes no answer by more than this is left out.
constexpr double negligible = 0.005;
/// Beyond so many worker–server pairs links have fixed shares: max-min sharing of more would take too long.
constexpr std::size_t mostSharingPairs = 1024;
/// Evaluations after more answers per worker than these are no matter of overlapping.
constexpr double seldom = 48;
/// More parameters than these are divided like these.
constexpr std::uint64_t mostDivided = 1'000'000;

const LossEvaluation* evaluationOf(const Job& job) {
    if (const auto* w = std::get_if<TrainedWork>(&job.work)) return &w->evaluation;
    if (const auto* w = std::get_if<AnalyticWork>(&job.work)) return &w->evaluation;
    return nullptr;
}

bool isSteady(const StragglerLaw& law) {
    return !law.burst && law.factor.law == Law::constant && (!law.delay || law.delay->law == Law::constant);
}

/// How many of the tasks each machine has; those without a machine are left out.
std::map<MachineId, std::uint32_t> tasksByMachine(const std::vector<MachineId>& tasks) {
    std::map<MachineId, std::uint32_t> out;
    for (const MachineId machine : tasks)
        if (machine.valid()) ++out[machine];
    return out;
}

double leastMean(const JobTimes& times) {
    double least = endless;
    for (const WorkerResponse& w : times.workers) {
        const double factor = w.straggler->factor.expectation();
        const double delay = w.straggler->delay ? w.straggler->delay->expectation() : 0;
        least = std::min(least, w.transferSeconds + delay + times.batch * w.secondsPerSample * factor);
    }
    return least;
}

/// By law and times, whether all workers do the same at the same instants, for ever.
bool inStep(const JobTimes& times) {
    const WorkerResponse& first = times.workers.front();
    return std::all_of(times.workers.begin(), times.workers.end(), [&](const WorkerResponse& w) {
        return isSteady(*w.straggler) && w.secondsPerSample == first.secondsPerSample &&
               w.transferSeconds == first.transferSeconds &&
               (w.straggler == first.straggler || *w.straggler == *first.straggler);
    });
}

void addLaw(const Distribution& d, std::vector<double>& key) {
    key.insert(key.end(), {static_cast<double>(d.law), d.value, d.low, d.high, d.mean, d.shift, d.shape, d.scale,
                           d.sigma, d.probability, d.factor, static_cast<double>(d.means.size())});
    key.insert(key.end(), d.means.begin(), d.means.end());
    key.push_back(static_cast<double>(d.quantiles.size()));
    key.insert(key.end(), d.quantiles.begin(), d.quantiles.end());
}

/// All that measuredUpdateTime() goes by, but for the policy.
std::vector<double> keyOf(const LoneJob& job) {
    std::vector<double> key{static_cast<double>(job.batch),
                            job.serverSeconds,
                            job.pulledBytes,
                            job.pushedBytes,
                            double(job.inOrder),
                            job.evaluationSeconds,
                            static_cast<double>(job.evaluationPeriod)};
    const StragglerLaw* last = nullptr;
    for (const LoneJob::Worker& w : job.workers) {
        key.push_back(w.secondsPerSample);
        key.push_back(last && *last == *w.straggler);
        if (!last || *last != *w.straggler) {
            addLaw(w.straggler->factor, key);
            key.push_back(w.straggler->delay.has_value());
            if (w.straggler->delay) addLaw(*w.straggler->delay, key);
            key.push_back(w.straggler->burst ? w.straggler->burst->stationaryShare() : 0);
            key.push_back(w.straggler->burst ? w.straggler->burst->factor : 0);
        }
        last = w.straggler;
        for (const auto* legs : {&w.pulls, &w.pushes})
            for (const auto& leg : *legs) {
                key.insert(key.end(),
                           {leg.share, leg.before, leg.seconds, job.inOrder ? static_cast<double>(leg.owner) : 0,
                            static_cast<double>(leg.links.size())});
                for (const DirectedLink link : leg.links) key.push_back(link);
            }
    }
    key.insert(key.end(), job.capacities.begin(), job.capacities.end());
    return key;
}

} // namespace

SpeedEstimator::SpeedEstimator(std::shared_ptr<const Workload> workload, std::vector<JobFacts> facts,
                               std::shared_ptr<UpdateTimeMemo> memo, std::stop_token stop)
    : m_workload(workload), m_facts(std::move(facts)), m_memo(std::move(memo)), m_progress(workload->jobs.size()),
      m_routes(workload->cluster), m_delays(workload, 0, DelayModel::Streams::simulate, stop), m_stop(std::move(stop)) {
    const auto& machines = workload->cluster.machines;
    if (std::ranges::none_of(machines, [](const Machine& m) { return m.straggler.delay.has_value(); })) return;
    std::vector<StragglerLaw> laws;
    for (const Machine& machine : machines) laws.emplace_back(machine.straggler).delay.reset();
    m_undelayed = std::make_shared<const std::vector<StragglerLaw>>(std::move(laws));
}

// --- Transfers

const SpeedEstimator::Division& SpeedEstimator::divisionOf(JobId job, const Placement& placement) const {
    const JobFacts& facts = m_facts[job.index()];
    const bool serverless = placement.servers.empty();
    const std::size_t owners = ownersOf(placement).size();
    const std::uint64_t count = std::min(facts.parameterCount, mostDivided);
    const auto [it, fresh] = m_divisions.try_emplace({facts.parametersNumber, count, owners, serverless});
    Division& out = it->second;
    if (!fresh) return out;
    out.shares.assign(owners, 1.0 / static_cast<double>(owners));
    if (!facts.parameters) return out;
    const auto number = static_cast<std::uint32_t>(owners);
    const auto layout = std::make_shared<const StoreLayout>(makeLayout(
        count, facts.parameters->keyCount(count, number), serverless ? number : 0, serverless ? 0 : number, 1));
    double least = endless, most = 0;
    for (std::uint32_t owner = 0; owner < number; ++owner) {
        throwIfStopped(m_stop);
        const auto keys = facts.parameters->makeNode(layout, owner)->initialKeys();
        double numbers = 0;
        for (const Key key : keys) numbers += layout->length(key);
        out.shares[owner] = keys.empty() ? -1 : numbers / static_cast<double>(count);
        if (keys.empty()) continue;
        least = std::min(least, out.shares[owner]);
        most = std::max(most, out.shares[owner]);
    }
    out.even = most - least <= 1e-3 * most;
    const auto having = std::ranges::count_if(out.shares, [](double share) { return share >= 0; });
    if (out.even) // but for rounding
        for (double& share : out.shares) share = share < 0 ? -1 : 1.0 / static_cast<double>(having);
    return out;
}

SpeedEstimator::OwnersByMachine SpeedEstimator::ownersByMachine(const Placement& placement, const Division& division) {
    const auto& owners = ownersOf(placement);
    OwnersByMachine out;
    for (std::size_t o = 0; o < owners.size(); ++o) {
        if (!owners[o].valid() || division.shares[o] < 0) continue;
        OwnersThere& there = out[owners[o]];
        ++there.tasks;
        there.share = std::max(there.share, division.shares[o]);
    }
    return out;
}

SpeedEstimator::Pairs SpeedEstimator::pairsByLink(const Placement& placement, const OwnersByMachine& owners) const {
    std::map<DirectedLink, std::uint32_t> pulls, pushes;
    const auto add = [&](MachineId from, MachineId to, std::uint32_t pairs, auto& counts) {
        if (const auto route = m_routes.route(m_routes.vertexOf(from), m_routes.vertexOf(to)))
            for (const DirectedLink link : route->links) counts[link] += pairs;
    };
    for (const auto& [worker, workersThere] : tasksByMachine(placement.workers))
        for (const auto& [owner, there] : owners) {
            if (worker == owner) continue;
            add(owner, worker, workersThere * there.tasks, pulls);
            add(worker, owner, workersThere * there.tasks, pushes);
        }
    return {PairCounts(pulls), PairCounts(pushes)};
}

std::uint32_t SpeedEstimator::PairCounts::of(DirectedLink link) const {
    const auto it = std::lower_bound(m_counts.begin(), m_counts.end(), std::pair(link, 0u));
    return it != m_counts.end() && it->first == link ? it->second : 1;
}

SpeedEstimator::Transfer SpeedEstimator::transfer(MachineId from, MachineId to, double bytes,
                                                  const PairCounts& pairs) const {
    const Cluster& cluster = m_workload->cluster;
    if (from == to) {
        const double seconds = cluster.localBandwidth > 0 ? bytes / cluster.localBandwidth : 0;
        return {.shared = seconds, .alone = seconds};
    }
    const auto route = m_routes.route(m_routes.vertexOf(from), m_routes.vertexOf(to));
    if (!route) return {.shared = endless, .alone = endless};
    double bandwidth = endless;
    for (const DirectedLink link : route->links)
        bandwidth = std::min(bandwidth, cluster.links[link / 2].bandwidth / pairs.of(link));
    const double latency = route->latency.toSeconds();
    return {.shared = latency + bytes / bandwidth, .alone = latency + bytes / route->bottleneck};
}

std::vector<SpeedEstimator::Transfer> SpeedEstimator::transfersOf(JobId job, const Placement& placement) const {
    const JobFacts& facts = m_facts[job.index()];
    const Division& division = divisionOf(job, placement);
    const OwnersByMachine owners = ownersByMachine(placement, division);
    const bool sends = facts.parameterBytes + facts.messageBytes > 0;
    const Pairs pairs = sends ? pairsByLink(placement, owners) : Pairs();
    const auto ofWorker = [&](MachineId worker, bool isOwner) {
        Transfer pull, push, out{.uneven = !division.even};
        double firstLatency = -1;
        for (const auto& [owner, owned] : owners) {
            if (owner == worker && owned.tasks == (isOwner ? 1u : 0u)) continue; // its own
            const Transfer there = transfer(worker, owner, 0, pairs.pushes),
                           back = transfer(owner, worker, facts.parameterBytes * owned.share, pairs.pulls),
                           up = transfer(worker, owner, facts.messageBytes * owned.share, pairs.pushes);
            pull.shared = std::max(pull.shared, there.shared + back.shared);
            pull.alone = std::max(pull.alone, there.alone + back.alone);
            push.shared = std::max(push.shared, up.shared);
            push.alone = std::max(push.alone, up.alone);
            out.uploads = true;
            if (owner == worker) continue;
            out.uneven = out.uneven || (firstLatency >= 0 && firstLatency != there.alone);
            firstLatency = there.alone;
        }
        out.shared = pull.shared + push.shared;
        out.alone = pull.alone + push.alone;
        return out;
    };
    std::map<std::pair<MachineId, bool>, Transfer> known; // workers of one machine are alike, but for what they own
    std::vector<Transfer> transfers;
    for (std::size_t w = 0; w < placement.workers.size(); ++w) {
        const bool isOwner = placement.servers.empty() && division.shares[w] >= 0;
        const auto [entry, fresh] = known.try_emplace({placement.workers[w], isOwner});
        if (fresh) entry->second = ofWorker(placement.workers[w], isOwner);
        transfers.push_back(entry->second);
    }
    return transfers;
}

const StragglerLaw* SpeedEstimator::lawOf(MachineId machine, bool uploads) const {
    return m_undelayed && !uploads ? &(*m_undelayed)[machine.index()] : &m_workload->machine(machine).straggler;
}

std::vector<WorkerResponse> SpeedEstimator::responses(JobId job, const Placement& placement) const {
    const Placement present = placement.withoutGaps();
    const auto known = responsesWith(job, present, m_progress[job.index()].batch, transfersOf(job, present));
    std::vector<WorkerResponse> out(placement.workers.size());
    std::size_t next = 0;
    for (std::size_t w = 0; w < out.size(); ++w)
        if (placement.workers[w].valid()) out[w] = known[next++];
    return out;
}

std::vector<WorkerResponse> SpeedEstimator::responsesWith(JobId job, const Placement& placement, int batch,
                                                          std::span<const Transfer> transfers) const {
    std::vector<WorkerResponse> out;
    for (std::size_t w = 0; w < transfers.size(); ++w)
        out.push_back(
            {.straggler = lawOf(placement.workers[w], transfers[w].uploads),
             .secondsPerSample = m_delays.nominalSeconds(
                 placement.workers[w], trainyard::secondsPerSample(m_workload->job(job), batch, transfers.size(),
                                                                   placement, placement.workers[w])),
             .transferSeconds = transfers[w].shared});
    return out;
}

// --- Updates

UpdateTime SpeedEstimator::updateTime(JobId job, const Placement& placement) const {
    return updateTime(job, placement, m_progress[job.index()].batch);
}

UpdateTime SpeedEstimator::updateTime(JobId job, const Placement& placement, int batch) const {
    if (placement.placedWorkers() < placement.workers.size()) return updateTime(job, placement.withoutGaps(), batch);
    const Job& spec = m_workload->job(job);
    const auto& policy = m_facts[job.index()].policy;
    if (placement.workers.empty()) return {endless};
    if (const auto* graph = std::get_if<GraphWork>(&spec.work)) {
        const auto devices = lookaheadDevices(m_workload->cluster, placement.workers, m_routes);
        return {stepSeconds(graph->computation(), static_cast<int>(placement.workers.size()), devices)};
    }
    if (!policy) return {endless};
    const auto transfers = transfersOf(job, placement);
    double hindrance = 0; // by transfers of the same job
    for (const Transfer& t : transfers) {
        if (!std::isfinite(t.shared)) return {endless};
        hindrance = std::max(hindrance, t.shared - t.alone);
    }
    const std::size_t workers = placement.workers.size();
    const JobTimes times{responsesWith(job, placement, batch, transfers),
                         taskBatch(spec, batch, m_facts[job.index()].rows, workers, workers),
                         trainyard::secondsPerUpdate(spec)};
    const std::size_t pairs = workers * ownersOf(placement).size();
    std::optional<UpdateTime> known = policy->updateTime(times);
    const IterationShape shape = policy->shape(static_cast<int>(workers));
    const bool rounds = policy->stalenessBound() == 0u && !shape.asynchronous;
    const double least = leastMean(times), leastUpdate = least / static_cast<double>(workers);
    const auto* evaluation = evaluationOf(spec);
    const auto period = evaluation && evaluation->costsTime ? evaluation->everyIterations : 0;
    const double evaluating = secondsPerSample(spec) * std::max(1.0, m_facts[job.index()].rows),
                 each = period > 0 ? evaluating / static_cast<double>(period) : 0;
    // Workers that do not wait for each other compute while the loss is evaluated. Seldom evaluations are an addition.
    const bool overlaps = !rounds && each > negligible * leastUpdate &&
                          static_cast<double>(period * shape.gradients) <= seldom * static_cast<double>(workers);
    const bool uneven = std::ranges::any_of(transfers, &Transfer::uneven),
               together = inStep(times) && (rounds || (times.serverSeconds == 0 && !overlaps));
    bool sharing = pairs <= mostSharingPairs && hindrance > 0 && (uneven || !together);
    // Workers that are owners, too, hold up each other's messages.
    const bool inEachOthersWay = pairs <= mostSharingPairs && placement.servers.empty() && workers > 1 && !rounds &&
                                 std::ranges::any_of(times.workers, [&](const WorkerResponse& w) {
                                     return w.straggler->delay || w.transferSeconds > negligible * leastUpdate;
                                 });
    if (inEachOthersWay) {
        sharing = true;
    } else if (sharing && known) {
        JobTimes alone = times;
        for (std::size_t w = 0; w < transfers.size(); ++w) alone.workers[w].transferSeconds = transfers[w].alone;
        sharing = known->seconds - policy->updateTime(alone)->seconds > negligible * known->seconds;
    } else if (sharing) { // an update may take no longer than one worker's part of an answer
        sharing = hindrance > negligible * leastUpdate;
    }
    if (overlaps) return measured(job, placement, times, sharing, evaluating, period);
    UpdateTime update = known && !sharing ? *known : measured(job, placement, times, sharing);
    update.seconds += each;
    return update;
}

double SpeedEstimator::secondsPerUpdate(JobId job, const Placement& placement) const {
    return updateTime(job, placement).seconds;
}

double SpeedEstimator::secondsPerUpdate(JobId job, const Placement& placement, int batch) const {
    return updateTime(job, placement, batch).seconds;
}

LoneJob::Leg SpeedEstimator::legBetween(MachineId from, MachineId to, double bytes, double share,
                                        const PairCounts& pairs, std::map<DirectedLink, DirectedLink>* numbers) const {
    if (from == to || !numbers) return {.seconds = transfer(from, to, bytes * share, pairs).shared};
    const auto route = m_routes.route(m_routes.vertexOf(from), m_routes.vertexOf(to));
    LoneJob::Leg leg{.share = share, .seconds = route->latency.toSeconds()};
    for (const DirectedLink link : route->links)
        leg.links.push_back(numbers->try_emplace(link, static_cast<DirectedLink>(numbers->size())).first->second);
    return leg;
}

LoneJob SpeedEstimator::loneJob(JobId job, const Placement& placement, const JobTimes& times, bool sharing) const {
    const JobFacts& facts = m_facts[job.index()];
    const auto& owners = ownersOf(placement);
    const Division& division = divisionOf(job, placement);
    const bool inOrder = sharing && placement.servers.empty();
    LoneJob out{.spec = &m_workload->job(job),
                .id = job,
                .batch = times.batch,
                .serverSeconds = times.serverSeconds,
                .pulledBytes = facts.parameterBytes,
                .pushedBytes = facts.messageBytes,
                .workers = {},
                .capacities = {},
                .inOrder = inOrder,
                .stop = m_stop};
    const Pairs pairs = sharing ? Pairs() : pairsByLink(placement, ownersByMachine(placement, division));
    std::map<DirectedLink, DirectedLink> numbers; // links as they are met: jobs alike elsewhere look the same
    for (std::size_t w = 0; w < placement.workers.size(); ++w) {
        throwIfStopped(m_stop);
        auto& worker = out.workers.emplace_back();
        worker.straggler = times.workers[w].straggler;
        worker.secondsPerSample = times.workers[w].secondsPerSample;
        const MachineId machine = placement.workers[w];
        for (std::size_t o = 0; o < owners.size(); ++o) {
            const double share = division.shares[o];
            if (share < 0 || (placement.servers.empty() && o == w)) continue;
            auto* shared = sharing ? &numbers : nullptr;
            worker.pulls.push_back(legBetween(owners[o], machine, out.pulledBytes, share, pairs.pulls, shared));
            worker.pulls.back().before = transfer(machine, owners[o], 0, pairs.pushes).alone;
            worker.pushes.push_back(legBetween(machine, owners[o], out.pushedBytes, share, pairs.pushes, shared));
            worker.pulls.back().owner = worker.pushes.back().owner = static_cast<std::uint32_t>(o);
        }
        if (sharing || worker.pulls.empty()) continue;
        for (auto* legs : {&worker.pulls, &worker.pushes}) { // only the longest counts
            std::swap(legs->front(), *std::ranges::max_element(
                                         *legs, {}, [](const LoneJob::Leg& leg) { return leg.before + leg.seconds; }));
            legs->resize(1);
        }
    }
    out.capacities.resize(numbers.size());
    for (const auto& [link, number] : numbers) out.capacities[number] = m_workload->cluster.links[link / 2].bandwidth;
    return out;
}

UpdateTime SpeedEstimator::measured(JobId job, const Placement& placement, const JobTimes& times, bool sharing,
                                    double evaluationSeconds, std::int64_t evaluationPeriod) const {
    LoneJob lone = loneJob(job, placement, times, sharing);
    lone.evaluationSeconds = evaluationSeconds;
    lone.evaluationPeriod = evaluationPeriod;
    UpdateTimeMemo::Key key = keyOf(lone);
    key.push_back(m_facts[job.index()].policyNumber);
    if (const auto known = m_memo->find(key)) return *known;
    const UpdateTime time = measuredUpdateTime(lone, *m_facts[job.index()].policy);
    m_memo->keep(std::move(key), time);
    return time;
}

// --- What remains

CurveCourse SpeedEstimator::course(JobId job, double samples) const {
    const Progress& progress = m_progress[job.index()];
    const auto* work = std::get_if<AnalyticWork>(&m_workload->job(job).work);
    if (samples <= 0) samples = progress.batch;
    return {progress.updates, progress.ahead, work ? work->gainOf(samples) : 1};
}

double SpeedEstimator::updatesToLoss(JobId job, double done, const CurveCourse& course) const {
    const Job& spec = m_workload->job(job);
    const auto* work = std::get_if<AnalyticWork>(&spec.work);
    const LossCurve* curve = knownCurve(spec);
    if (!curve || !spec.stop.loss) return endless;
    const auto lossAfter = [&](double updates) { return curve->at(course.at(updates)); };
    const double every = static_cast<double>(work->evaluation.everyIterations);
    if (every <= 0) return endless;                                // nobody looks
    const auto next = static_cast<std::int64_t>(done / every) + 1; // evaluation
    if (curve->recorded)
        return curve->recorded->firstAtMost(*spec.stop.loss, static_cast<double>(next) * every, every, course) - done;
    // The curve falls monotonically: the first evaluation at or below the target.
    const auto end = static_cast<std::int64_t>((done + 1e12) / every) + 2;
    const auto first = partitionPoint(next, end, [&](std::int64_t evaluation) {
        return lossAfter(static_cast<double>(evaluation) * every) > *spec.stop.loss;
    });
    return first == end ? endless : static_cast<double>(first) * every - done;
}

double SpeedEstimator::updatesDone(JobId job) const {
    const Progress& progress = m_progress[job.index()];
    return progress.path ? progress.path->updatesAt(m_now) : progress.updates;
}

double SpeedEstimator::remainingUpdates(JobId job) const {
    const Job& spec = m_workload->job(job);
    const Progress& progress = m_progress[job.index()];
    const double done = updatesDone(job);
    double remaining = endless;
    if (const auto* graph = std::get_if<GraphWork>(&spec.work)) return std::max(0.0, graph->steps - done);
    if (progress.path) return std::max(0.0, progress.path->goal() - done);
    if (spec.stop.iterations) remaining = static_cast<double>(*spec.stop.iterations) - done;
    const auto& policy = m_facts[job.index()].policy;
    if (spec.stop.epochs && m_facts[job.index()].rows > 0 && policy) {
        const IterationShape shape = policy->shape(spec.workers.maximum);
        const auto workers = static_cast<std::size_t>(spec.workers.maximum);
        const int batch = taskBatch(spec, progress.batch, m_facts[job.index()].rows, workers, workers);
        const double perUpdate = std::max(1.0, std::round(batch * shape.load)) * shape.localSteps * shape.partitions *
                                 (shape.asynchronous ? shape.gradients : shape.waitFor);
        remaining = std::min(remaining,
                             std::ceil((*spec.stop.epochs * m_facts[job.index()].rows - progress.samples) / perUpdate));
    }
    const LossCurve* curve = knownCurve(spec); // its loss is evaluated at the start
    const bool metAtStart = curve && spec.stop.loss && done == 0 && curve->at(0) <= *spec.stop.loss;
    remaining = std::min(remaining, metAtStart ? 0 : updatesToLoss(job, done, course(job)));
    return std::max(0.0, remaining);
}

double SpeedEstimator::remainingSeconds(JobId job, double secondsPerUpdate) const {
    const double updates = remainingUpdates(job);
    double seconds = updates > 0 ? updates * secondsPerUpdate : 0;
    const Progress& progress = m_progress[job.index()];
    if (const auto limit = m_workload->job(job).stop.seconds) {
        const double running = progress.since ? (m_now - *progress.since).toSeconds() : 0;
        seconds = std::min(seconds, std::max(0.0, *limit - progress.ranSeconds - running));
    }
    return seconds;
}

} // namespace trainyard
