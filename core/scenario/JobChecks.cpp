// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/Format.h"
#include "learning/DataSetRows.h"
#include "learning/Model.h"
#include "model/KnownLosses.h"
#include "scenario/KeyedModels.h"
#include "scenario/RunSize.h"
#include "scenario/ScenarioChecks.h"
#include "scenario/Suggest.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace trainyard {

namespace {

/// The number of workers within the bounds whose tasks together are furthest from the batch of the job, of equal ones the least; 0: all
/// divide it evenly, or where their number changes to a twentieth.
int worstDivision(const Job& job) {
    int worst = 0;
    const std::int64_t batch = job.declaredBatch();
    std::int64_t most = job.workers.fixed() ? 0 : batch / 20;
    for (int n = std::max(1, job.workers.minimum); n <= job.workers.maximum; ++n) {
        const std::int64_t off = std::abs(std::int64_t{n} * job.taskSamples(static_cast<std::size_t>(n)) - batch);
        if (off > most) worst = n, most = off;
    }
    return worst;
}

bool givesNoEnd(const Job& job, const FieldLaws* draws) {
    const StoppingRule& stop = job.stop;
    if (stop.iterations || stop.epochs || stop.loss || stop.seconds) return false;
    return !draws || (!draws->contains("epochs") && !draws->contains("iterations"));
}

} // namespace

namespace {

/// 12 of "12"; nullopt: no job of a generator is numbered so.
std::optional<std::uint64_t> numberOfName(std::string_view digits) {
    std::uint64_t number = 0;
    const auto end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, number);
    const bool isWritten = !digits.empty() && digits.front() != '0' && read.ec == std::errc{} && read.ptr == end;
    return isWritten ? std::optional(number) : std::nullopt;
}

} // namespace

void ScenarioChecks::checkJobs() {
    std::set<std::string> keys, generatorKeys;
    for (std::size_t i = 0; i < m_scenario.jobs.size(); ++i) {
        const std::string pointer = "/jobs/" + std::to_string(i);
        checkId(m_scenario.jobs[i].key, keys, TRAINYARD_TEXT("job"), pointer + "/id");
        checkJob(m_scenario.jobs[i], pointer, nullptr);
    }
    for (std::size_t i = 0; i < m_scenario.generators.size(); ++i) {
        const JobGenerator& generator = m_scenario.generators[i];
        const std::string pointer = "/generators/" + std::to_string(i);
        checkId(generator.key, generatorKeys, TRAINYARD_TEXT("generator"), pointer + "/id");
        checkTemplates(generator, pointer);
        // Generators with different ids never make the same: what follows the last dash is a number.
        const auto count = static_cast<double>(jobCount(generator));
        std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
        const std::string prefix = generator.key + "-";
        for (auto it = keys.lower_bound(prefix); it != keys.end() && it->starts_with(prefix); ++it)
            if (const auto number = numberOfName(std::string_view(*it).substr(prefix.size()));
                number && static_cast<double>(*number) <= count)
                least = std::min(least, *number);
        if (least != std::numeric_limits<std::uint64_t>::max())
            report("duplicate-id",
                   {TRAINYARD_TEXT("this generator creates a job \"{0}\", but that id exists already"),
                    {prefix + std::to_string(least)}},
                   pointer + "/id");
    }
    checkHorizon();
}

void ScenarioChecks::checkTemplates(const JobGenerator& generator, const std::string& pointer) {
    if (generator.pool) checkPool(generator, pointer);
    checkJob(generator.job, pointer + "/job", &generator.draws, generator.pool ? &*generator.pool : nullptr);
    std::vector<const Job*> jobs{&generator.job};
    for (std::size_t t = 0; t < generator.others.size(); ++t) {
        const JobTemplate& other = generator.others[t];
        const std::string place = pointer + "/other_jobs/" + std::to_string(t);
        FieldLaws draws = other.draws;
        draws.insert(generator.draws.begin(), generator.draws.end());
        checkJob(other.job, place + "/job", &draws);
        checkDraws(other.draws, std::array{&other.job}, place + "/draws");
        jobs.push_back(&other.job);
    }
    checkDraws(generator.draws, jobs, pointer + "/draws");
}

void ScenarioChecks::checkJob(const Job& job, const std::string& pointer, const FieldLaws* draws,
                              const GraphPool* pool) {
    const bool workersDrawn = draws && draws->contains("workers");
    checkWork(job, pointer);
    if (job.kind() == JobKind::graph) checkGraphJob(job, pointer, pool);
    checkKeyed(job, pointer);
    checkServers(job, pointer,
                 workersDrawn || (draws && job.workersPerServer && draws->contains("workers_per_server")));
    checkDivision(job, pointer, workersDrawn);
    checkStop(job, pointer, draws);
    checkPolicies(job, pointer);
    checkScheduler(job, draws);
    if (!isAdmittedAtOnce(job, m_scenario.cluster)) checkFit(job, pointer, workersDrawn);
}

void ScenarioChecks::checkWork(const Job& job, const std::string& pointer) {
    if (const auto* trained = std::get_if<TrainedWork>(&job.work)) {
        add(choiceProblems(models(), trained->model, "unknown-model",
                           TRAINYARD_TEXT("there is no model \"{0}\"; try {1}"), pointer + "/model"));
        add(choiceProblems(dataSets(), trained->dataset, "unknown-data-set",
                           TRAINYARD_TEXT("there is no data set \"{0}\"; try {1}"), pointer + "/dataset"));
        add(choiceProblems(optimizers(), trained->optimizer, "unknown-optimizer",
                           TRAINYARD_TEXT("there is no optimizer \"{0}\"; try {1}"), pointer + "/optimizer"));
        const auto& known = dataSets();
        const bool endless = std::any_of(known.begin(), known.end(), [&](const DataSetInfo& info) {
            return info.id == trained->dataset.id && info.endless;
        });
        if (endless && trained->shards == Shards::sorted) {
            Problem problem = nothingToSort(trained->dataset.id);
            problem.pointer = pointer + problem.pointer;
            add({std::move(problem)});
        }
        if (trained->stepWithBatch != StepWithBatch::same && trained->batchOf != BatchOf::job)
            report("step-without-batch",
                   {TRAINYARD_TEXT("a step grows with the batch of the job; say \"batch_of\": \"job\""), {}},
                   pointer + "/step_with_batch");
        // A batch of the job is divided as its data are.
        checkBatch(*trained, trained->batchOf == BatchOf::job ? 1 : job.workers.maximum, pointer);
    } else if (const auto* analytic = std::get_if<AnalyticWork>(&job.work)) {
        checkAnalytic(*analytic, pointer);
    }
}

void ScenarioChecks::checkAnalytic(const AnalyticWork& work, const std::string& pointer) {
    if (work.curve.family == LossCurve::Family::geometric && work.curve.b > 1)
        report("out-of-range",
               {TRAINYARD_TEXT("the base \"b\" of a geometric curve must be at most 1, or the loss would grow"), {}},
               pointer + "/loss_curve/b");
    if (work.curve.family == LossCurve::Family::recorded)
        checkReference(work.curve.name, m_curves, TRAINYARD_TEXT("curve"), pointer + "/loss_curve/curve");
    if (work.law && work.batchOf != BatchOf::job)
        report("law-without-division",
               {TRAINYARD_TEXT("an update law divides the batch among the workers; say \"batch_of\": \"job\""), {}},
               pointer + "/update_law");
    if (work.noiseScale > 0 && work.batchOf != BatchOf::job)
        report("noise-without-batch",
               {TRAINYARD_TEXT("a noise scale says what the batch of the job is worth; say \"batch_of\": \"job\""), {}},
               pointer + "/noise_scale");
    if (work.law && work.rates)
        report("two-laws",
               {TRAINYARD_TEXT("give either update_law or locality_rates; both say how long workers compute"), {}},
               pointer + "/locality_rates");
}

void ScenarioChecks::checkCurves() {
    std::set<std::string> keys;
    std::vector<std::string> ids;
    for (const RecordedCurve& curve : m_scenario.curves) ids.push_back(curve.key);
    m_curves = KnownIds(std::move(ids));
    for (std::size_t i = 0; i < m_scenario.curves.size(); ++i) {
        const RecordedCurve& curve = m_scenario.curves[i];
        const std::string pointer = "/curves/" + std::to_string(i);
        checkId(curve.key, keys, TRAINYARD_TEXT("curve"), pointer + "/id");
        if (curve.updates.size() != curve.losses.size() || curve.updates.empty()) {
            report("curve-with-holes",
                   {TRAINYARD_TEXT("a recorded curve needs one loss per update; there are {0} losses and {1} updates"),
                    {std::to_string(curve.losses.size()), std::to_string(curve.updates.size())}},
                   pointer + "/losses");
            continue;
        }
        for (std::size_t p = 0; p < curve.updates.size(); ++p)
            if (p == 0 ? curve.updates[p] != 0 : !(curve.updates[p] > curve.updates[p - 1])) {
                report("curve-not-rising",
                       {TRAINYARD_TEXT("the updates of a recorded curve begin with 0 and rise; number {0} does not"),
                        {std::to_string(p + 1)}},
                       pointer + "/updates/" + std::to_string(p));
                break;
            }
    }
}

void ScenarioChecks::checkServers(const Job& job, const std::string& pointer, bool drawsWorkers) {
    if (!job.workersPerServer || *job.workersPerServer < 1) return; // the range is told already
    const std::string field = pointer + "/workers_per_server", gamma = std::to_string(*job.workersPerServer);
    if (job.kind() == JobKind::graph) {
        report("unused", {TRAINYARD_TEXT("jobs of this kind have no servers"), {}}, field);
        return;
    }
    if (drawsWorkers) return; // the servers follow
    const int least = job.serversFor(job.workers.minimum, job.workers),
              most = job.serversFor(job.workers.maximum, job.workers);
    if (job.servers.minimum <= least && most <= job.servers.maximum) return;
    report(
        "servers-do-not-match",
        {TRAINYARD_TEXT(
             "{0} to {1} workers with {2} for each server have {3} to {4} servers, but \"servers\" allows {5} to {6}"),
         {std::to_string(job.workers.minimum), std::to_string(job.workers.maximum), gamma, std::to_string(least),
          std::to_string(most), std::to_string(job.servers.minimum), std::to_string(job.servers.maximum)}},
        field);
}

void ScenarioChecks::checkBatch(const TrainedWork& work, int workers, const std::string& pointer) {
    const std::int64_t rows = rowsOf(work.dataset);
    const std::int64_t share =
        std::max<std::int64_t>(1, work.shards == Shards::shared ? rows : rows / std::max(1, workers));
    if (rows <= 0 || work.batch <= share) return;
    report("batch-exceeds-share",
           {TRAINYARD_TEXT("a batch of {0} is more than a worker's share of the data, {1} of {2} rows: tasks of "
                           "{3} workers "
                           "train on, and are charged for, {1}"),
            {std::to_string(work.batch), std::to_string(share), std::to_string(rows), std::to_string(workers)}},
           pointer + "/batch", Severity::warning);
}

// Tasks have whole samples: what does not divide evenly is trained with more or fewer.
void ScenarioChecks::checkDivision(const Job& job, const std::string& pointer, bool drawsWorkers) {
    const auto* trained = std::get_if<TrainedWork>(&job.work);
    if (!trained || trained->batchOf != BatchOf::job || drawsWorkers) return;
    const std::array<int, 3> shape{trained->batch, job.workers.minimum, job.workers.maximum};
    if (m_divided.contains(shape)) return;
    const int workers = worstDivision(job);
    if (workers == 0) {
        m_divided.insert(shape);
        return;
    }
    const int samples = job.taskSamples(static_cast<std::size_t>(workers));
    report(
        "uneven-batch",
        {TRAINYARD_TEXT("the batch of {0} is divided to whole samples: {1} workers with {2} each train {3} per update"),
         {std::to_string(trained->batch), std::to_string(workers), std::to_string(samples),
          std::to_string(std::int64_t{workers} * samples)}},
        pointer + "/batch", Severity::warning);
}

void ScenarioChecks::checkStop(const Job& job, const std::string& pointer, const FieldLaws* draws) {
    if (job.kind() != JobKind::graph && givesNoEnd(job, draws))
        report("no-stop",
               {TRAINYARD_TEXT("the job would never end; set at least one of iterations, epochs, loss, seconds in "
                               "\"stop\""),
                {}},
               pointer + "/stop");
    if (!draws && job.arrival.toSeconds() > m_scenario.horizonSeconds)
        report("after-horizon", {TRAINYARD_TEXT("the job arrives after the horizon and never runs"), {}},
               pointer + "/arrival_s", Severity::warning);
    checkLossTarget(job, pointer);
    if (!draws) checkUpdateTimes(job, pointer);
}

/// Simulated, updates that take no time never bring a job to its limit of seconds.
void ScenarioChecks::checkUpdateTimes(const Job& job, const std::string& pointer) {
    const auto* analytic = std::get_if<AnalyticWork>(&job.work);
    const auto* trained = std::get_if<TrainedWork>(&job.work);
    const auto takesNone = [](const auto& work) {
        return work.secondsPerSample <= 0 && work.secondsPerUpdate <= 0 && !work.evaluation.costsTime;
    };
    const bool computes =
        analytic ? analytic->law || analytic->rates || !takesNone(*analytic) : !trained || !takesNone(*trained);
    if (computes || job.stop.iterations || job.stop.epochs || job.stop.loss) return;
    const bool waits = std::ranges::any_of(m_scenario.cluster.links, [](const Link& l) { return l.latency.ns > 0; }) ||
                       std::ranges::any_of(m_scenario.cluster.machines,
                                           [](const Machine& m) { return m.straggler.delay.has_value(); });
    const bool sends = job.servers.maximum > 0 && (!analytic || analytic->parameterBytes > 0 || waits);
    if (sends) return;
    report("no-time",
           {TRAINYARD_TEXT("the job's updates take no time: simulated, it never comes to its limit of seconds; give "
                           "them a time (seconds_per_sample, seconds_per_update), or \"stop\" a number of iterations"),
            {}},
           pointer + "/stop", Severity::warning);
}

/// Where no number of updates leads to the loss.
void ScenarioChecks::checkLossTarget(const Job& job, const std::string& pointer) {
    const LossCurve* known = knownCurve(job);
    if (!known || !job.stop.loss) return;
    constexpr double most = 1e15; // updates
    double least = std::min(known->at(0), known->at(most));
    if (known->family == LossCurve::Family::recorded) {
        const auto curve = std::find_if(m_scenario.curves.begin(), m_scenario.curves.end(),
                                        [&](const RecordedCurve& c) { return c.key == known->name; });
        if (curve == m_scenario.curves.end() || curve->losses.empty()) return;
        least = *std::min_element(curve->losses.begin(), curve->losses.end());
    }
    if (*job.stop.loss < least)
        report("never-reached",
               {TRAINYARD_TEXT("the loss {0} is never reached: those of the job's curve stay at {1} or above"),
                {formatNumber(*job.stop.loss), formatNumber(least)}},
               pointer + "/stop/loss", Severity::warning);
}

namespace {

/// Whether a job of it can arrive before the time.
bool canArriveBefore(const JobGenerator& generator, double seconds) {
    if (generator.arrivals != JobGenerator::Arrivals::trace)
        return generator.count > 0 && generator.startSeconds < seconds;
    return std::ranges::any_of(generator.arrivalSeconds,
                               [&](double at) { return generator.startSeconds + at < seconds; });
}

} // namespace

void ScenarioChecks::checkHorizon() {
    const double horizon = m_scenario.horizonSeconds;
    if (m_scenario.jobs.empty() && m_scenario.generators.empty()) return;
    if (std::ranges::any_of(m_scenario.jobs, [&](const Job& job) { return job.arrival.toSeconds() < horizon; }) ||
        std::ranges::any_of(m_scenario.generators, [&](const auto& g) { return canArriveBefore(g, horizon); }))
        return;
    report(
        "nothing-runs",
        {TRAINYARD_TEXT("no job arrives before the horizon of {0} s: nothing can ever run"), {formatNumber(horizon)}},
        "/horizon_s");
}

namespace {

bool hasMember(const Job& job, const std::string& drawn) {
    const auto* analytic = std::get_if<AnalyticWork>(&job.work);
    if (drawn == "samples" || drawn == "parameter_bytes") return analytic;
    if (drawn == "local_per_s" || drawn == "remote_per_s") return analytic && analytic->rates;
    if (drawn.starts_with("theta")) return job.utility.has_value();
    if (drawn == "workers_per_server") return job.workersPerServer.has_value();
    if (drawn == "workers" || drawn == "weight" || drawn == "deadline_s") return true;
    return job.kind() != JobKind::graph;
}

} // namespace

void ScenarioChecks::checkDraws(const FieldLaws& draws, std::span<const Job* const> jobs, const std::string& pointer) {
    for (const auto& [name, law] : draws)
        if (std::none_of(jobs.begin(), jobs.end(), [&name = name](const Job* job) { return hasMember(*job, name); }))
            report("unused-draw", {TRAINYARD_TEXT("jobs of this kind have no \"{0}\" to draw"), {name}},
                   pointer + "/" + pointerToken(name));
}

void ScenarioChecks::checkScheduler(const Job& job, const FieldLaws* draws) {
    const Choice& scheduler = m_scenario.policies.scheduler;
    const PolicyInfo* info = m_registry.find(PolicyFamily::scheduler, scheduler.id);
    if (m_hasUnwarned || !info || !info->compatibilityWarning) return;
    const bool known = !draws || (!draws->contains("iterations") && !draws->contains("epochs"));
    auto warning = known ? info->compatibilityWarning(job, scheduler.parameters) : std::nullopt;
    m_hasUnwarned = !warning;
    m_schedulerWarning = std::move(warning);
}

void ScenarioChecks::checkPolicies(const Job& job, const std::string& pointer) {
    const auto own = [&](PolicyFamily family, const Choice& choice) {
        if (!choice.id.empty()) add(m_registry.check(family, choice, pointer + "/" + std::string(familyName(family))));
    };
    own(PolicyFamily::synchronization, job.synchronization);
    own(PolicyFamily::parameters, job.parameters);
    own(PolicyFamily::partitioner, job.partitioner);
    const auto& policies = m_scenario.policies;
    const Choice& synchronization = job.synchronization.id.empty() ? policies.synchronization : job.synchronization;
    const Choice& parameters = job.parameters.id.empty() ? policies.parameters : job.parameters;
    const bool known = m_registry.find(PolicyFamily::synchronization, synchronization.id) &&
                       m_registry.find(PolicyFamily::parameters, parameters.id);
    if (!known) return;
    std::optional<Job> sized;
    if (job.keyedAccess() && job.keyedAccess()->task) sized = withKeyedSizes(job);
    if (auto why = m_registry.incompatible(sized ? *sized : job, synchronization, parameters))
        report("incompatible", std::move(*why), pointer);
    else if (m_registry.check(PolicyFamily::synchronization, synchronization, {}).empty()) {
        if (auto warning = m_registry.compatibilityWarning(job, synchronization)) {
            const std::string choice =
                job.synchronization.id.empty() ? "/policies/synchronization" : pointer + "/synchronization";
            if (!warning->parameter.empty())
                warning->text.arguments.push_back(job.key.empty() ? "at " + pointer : "\"" + job.key + "\"");
            report("doubtful", std::move(warning->text),
                   warning->parameter.empty() ? pointer + warning->ofJob
                                              : choice + "/parameters/" + pointerToken(warning->parameter),
                   Severity::warning);
        }
        if (job.keyedAccess()) return; // it has no tasks, and no messages that share links
        checkTails(job, synchronization, pointer);
        checkRate(job, synchronization, pointer);
        checkShards(job, synchronization, pointer);
        checkOrder(job, synchronization, pointer);
    }
}

} // namespace trainyard
