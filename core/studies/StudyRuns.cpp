// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/StudyRuns.h"

#include "base/Format.h"
#include "record/MetricsFold.h"
#include "run/compare/Comparison.h"
#include "run/compare/RunBatch.h"
#include "run/files/LossAccountsJson.h"
#include "run/files/RecordJson.h"
#include "scenario/ScenarioChecks.h"
#include "scenario/ScenarioFile.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <map>

namespace trainyard::study {

namespace {

/// Staleness of the first job's gradients as they are used.
class StalenessFold {
public:
    /// The staleness of a gradient that is used by this event, if it is such an event.
    std::optional<double> apply(const Event& event) {
        if (event.job != 0) return {};
        if (event.type == EventType::updateApplied) m_version = event.count();
        if (event.type == EventType::gradientArrived)
            m_read[{event.a, event.b}] = static_cast<double>(m_version) - event.value;
        if (event.type != EventType::gradientUsed) return {};
        const auto it = m_read.find({event.a, event.b});
        if (it == m_read.end()) return {};
        const double staleness = static_cast<double>(m_version) - it->second;
        m_read.erase(it);
        return staleness;
    }

private:
    std::uint64_t m_version = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> m_read; ///< version read, by worker and task
};

struct RunningMean {
    double sum = 0, count = 0;
    void add(double value) { sum += value, ++count; }
    double value() const { return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN(); }
};

Hit hitAt(const MetricsFold& fold, SimTime time) {
    auto now = fold.at(time).jobs.at(0);
    return {.seconds = time.toSeconds(),
            .executedSamples = now["executed_samples"],
            .assignedSamples = now["assigned_samples"],
            .usedSamples = now["used_samples"],
            .uplinks = now["uplinks"],
            .updates = now["updates"]};
}

/// One pass over a log: the metrics at each first hit, and the late losses and stalenesses.
StudyOutcome foldRun(const RunOutcome& run, const std::vector<double>& levels) {
    StudyOutcome out{.hits = std::vector<std::optional<Hit>>(levels.size()),
                     .metrics = run.metrics.values,
                     .jobs = run.metrics.jobs,
                     .losses = run.metrics.losses,
                     .done = true};
    MetricsFold fold(*run.workload);
    StalenessFold stalenesses;
    RunningMean loss, staleness;
    const EventLog& log = *run.log;
    const double updates = run.metrics.jobs.at(0).at("updates");
    std::optional<Event> settled, last; // updates
    const double middle = log.size() > 0 ? log[log.size() - 1].time.toSeconds() / 2 : 0;
    for (std::size_t i = 0; i < log.size(); ++i) {
        const Event event = log[i];
        fold.apply(event);
        const bool late = event.time.toSeconds() >= middle;
        if (const auto stale = stalenesses.apply(event); stale && late) staleness.add(*stale);
        if (event.type == EventType::updateApplied && event.job == 0) {
            last = event;
            if (!settled && static_cast<double>(event.count()) >= updates / 5) settled = event;
        }
        if (event.type != EventType::lossEvaluated || event.job != 0) continue;
        if (late) loss.add(event.value);
        for (std::size_t l = 0; l < levels.size(); ++l)
            if (!out.hits[l] && event.value <= levels[l]) out.hits[l] = hitAt(fold, event.time);
    }
    if (settled && last->count() > settled->count())
        out.settledSeconds =
            (last->time - settled->time).toSeconds() / static_cast<double>(last->count() - settled->count());
    out.lateLoss = loss.value();
    out.lateStaleness = staleness.value();
    return out;
}

using Json = nlohmann::ordered_json;

std::vector<double Hit::*> hitMembers() {
    return {&Hit::seconds,     &Hit::executedSamples, &Hit::assignedSamples,
            &Hit::usedSamples, &Hit::uplinks,         &Hit::updates};
}

/// Numbers that are not finite are null.
std::string outcomeText(const StudyOutcome& outcome) {
    Json hits = Json::array(), jobs = Json::array();
    for (const auto& hit : outcome.hits) {
        hits.push_back(nullptr);
        if (!hit) continue;
        hits.back() = Json::array();
        for (const auto member : hitMembers()) hits.back().push_back((*hit).*member);
    }
    for (const auto& job : outcome.jobs) jobs.push_back(numbersJson(job));
    Json json{{"hits", std::move(hits)},
              {"late", {outcome.lateLoss, outcome.lateStaleness, outcome.settledSeconds}},
              {"metrics", numbersJson(outcome.metrics)},
              {"jobs", std::move(jobs)}};
    if (outcome.losses) json["losses"] = lossesJson(*outcome.losses);
    return json.dump();
}

double numberOrNan(const Json& json) {
    return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

/// nullopt: not such a text.
std::optional<StudyOutcome> outcomeFrom(const std::string& text) try {
    const Json json = readJson(text);
    StudyOutcome out{.done = true};
    for (const Json& hit : json.at("hits")) {
        out.hits.emplace_back();
        if (hit.is_null()) continue;
        out.hits.back() = Hit{};
        const auto members = hitMembers();
        for (std::size_t i = 0; i < members.size(); ++i) (*out.hits.back()).*members[i] = numberOrNan(hit.at(i));
    }
    out.lateLoss = numberOrNan(json.at("late").at(0));
    out.lateStaleness = numberOrNan(json.at("late").at(1));
    out.settledSeconds = numberOrNan(json.at("late").at(2));
    out.metrics = numbersFrom(json.at("metrics"));
    for (const Json& job : json.at("jobs")) out.jobs.push_back(numbersFrom(job));
    if (json.contains("losses")) {
        auto losses = lossesFrom(json.at("losses"));
        if (!losses) return std::nullopt;
        out.losses = std::make_shared<const LossAccounts>(std::move(*losses));
    }
    return out;
} catch (const Json::exception&) { return std::nullopt; }

} // namespace

Result<std::shared_ptr<const Scenario>> loadScenario(const StudyRequest& request, const std::string& name) {
    auto loaded = readScenario(request.scenarios / name, *request.registry);
    if (!loaded) return loaded.problems();
    return std::shared_ptr<const Scenario>(std::make_shared<Scenario>(std::move(loaded).value().scenario));
}

Result<std::shared_ptr<const Scenario>> withValues(const std::shared_ptr<const Scenario>& scenario,
                                                   const std::vector<std::pair<std::string, std::string>>& values) {
    Scenario changed = *scenario;
    for (const auto& [pointer, value] : values) {
        auto next = setValue(changed, pointer, value);
        if (!next) return next.problems();
        changed = std::move(next).value();
    }
    return std::shared_ptr<const Scenario>(std::make_shared<Scenario>(std::move(changed)));
}

Result<std::shared_ptr<const Scenario>> withVariant(const std::shared_ptr<const Scenario>& scenario,
                                                    PolicyFamily family, const std::string& name,
                                                    const Registry& registry) {
    auto arm = armNamed(*scenario, registry, family, name);
    if (!arm) return arm.problems();
    auto changed = std::make_shared<Scenario>(*scenario);
    changed->policies.of(family) = arm->choices.front().choice;
    changed->explanations = WhyLevel::off; // nobody reads them here
    return std::shared_ptr<const Scenario>(std::move(changed));
}

namespace {

BatchSettings settingsOf(const StudyRequest& request, RunMode mode) {
    return {.registry = request.registry,
            .resources = request.resources,
            .mode = mode,
            .shard = mode == RunMode::execute && request.shards > 1 ? request.shards : request.shard,
            .shards = request.shards,
            .threads = request.threads,
            .kept = request.kept,
            .stop = request.stop,
            .progress = mode == RunMode::simulate ? request.progress : nullptr,
            .processes = request.processes,
            .everywhere = true};
}

/// Runs the batch; what prevented runs, or that they are kept, goes to the report.
void runAll(RunBatch& batch, StudyReport& report) {
    std::vector<Problems> problems(batch.runs.size());
    batch.ended = [&](EndedRun& run) {
        report.stopped |= run.how == EndedRun::How::stopped;
        if (run.how == EndedRun::How::failed) problems[run.number] = std::move(run.problems);
        if (run.how == EndedRun::How::value) problems[run.number] = std::move(run.unkept);
    };
    for (Problem& problem : batch.run(0, batch.runs.size())) report.problems.push_back(std::move(problem));
    for (std::size_t i = 0; i < problems.size(); ++i)
        for (Problem& problem : problems[i]) {
            problem.message = {"{0}, seed {1}: {2}",
                               {batch.runs[i].scenario->policies.of(PolicyFamily::synchronization).id,
                                std::to_string(batch.runs[i].seed), problem.message.english()}};
            report.problems.push_back(std::move(problem));
        }
}

} // namespace

std::vector<StudyOutcome> simulateAll(const StudyRequest& request, const std::vector<StudyRun>& runs,
                                      const std::vector<double>& levels, StudyReport& report) {
    std::vector<StudyOutcome> outcomes(runs.size());
    RunBatch batch(settingsOf(request, RunMode::simulate));
    for (const StudyRun& run : runs) batch.runs.push_back({run.scenario, run.seed});
    batch.kinds = {request.part};
    for (const double level : levels) batch.kinds.front() += " " + formatNumber(level);
    batch.take = [&](std::size_t i, RunOutcome& outcome) {
        outcomes[i] = foldRun(outcome, levels);
        if (runs[i].further) outcomes[i].metrics.merge(runs[i].further(outcome));
    };
    batch.write = [&](std::size_t i) { return std::vector{outcomeText(outcomes[i])}; };
    batch.read = [&](std::size_t i, const std::vector<std::string>& texts) {
        auto outcome = outcomeFrom(texts.front());
        if (outcome) outcomes[i] = std::move(*outcome);
        return outcome.has_value();
    };
    batch.release = [&](std::size_t i) { outcomes[i] = {}; };
    runAll(batch, report);
    return outcomes;
}

std::optional<KeptMetrics> executeMetrics(const StudyRequest& request, const std::shared_ptr<const Scenario>& scenario,
                                          std::uint64_t seed, StudyReport& report) {
    const std::int64_t number = request.kept.numberOf(*scenario, report.problems);
    const int before = report.executed[{number, seed}]++; // a study may execute one run again, to see it vary
    std::optional<KeptMetrics> metrics;
    RunBatch batch(settingsOf(request, RunMode::execute));
    batch.runs = {{scenario, seed}};
    batch.kinds = {request.part + " " + std::to_string(before)};
    batch.take = [&](std::size_t, RunOutcome& outcome) {
        metrics = {.metrics = outcome.metrics.values, .losses = outcome.metrics.losses};
    };
    batch.write = [&](std::size_t) { return std::vector{metricsText(*metrics)}; };
    batch.read = [&](std::size_t, const std::vector<std::string>& texts) {
        metrics = metricsFrom(texts.front());
        return metrics.has_value();
    };
    runAll(batch, report);
    return metrics;
}

Claim executedGap(std::string id, std::string claim, const Estimate& gap, std::string finding) {
    constexpr double tolerance = 0.05;
    const auto interval = intervalOf(gap);
    const bool beyond = interval.first > tolerance || interval.second < -tolerance;
    const bool wide = interval.second - interval.first > 2 * tolerance;
    Claim out{.id = std::move(id),
              .claim = std::move(claim),
              .source = "this engine, simulated",
              .unit = "1",
              .expected = 0,
              .measured = gap.mean,
              .interval = interval,
              .n = gap.n,
              .finding = std::move(finding) + (beyond ? "; the whole interval is beyond 5 %"
                                               : wide ? "; the interval is too wide to tell"
                                                      : "")};
    setVerdict(out, !beyond && !wide, beyond);
    return out;
}

void setVerdict(Claim& claim, bool holds, bool fails) {
    claim.holds = holds;
    claim.undecided = !holds && !fails;
}

std::string number(double value) { return std::isnan(value) ? std::string() : formatNumber(value, 6); }

std::pair<double, double> intervalOf(const Estimate& estimate) {
    const double half = estimate.halfWidth.value_or(std::numeric_limits<double>::infinity());
    return {estimate.mean - half, estimate.mean + half};
}

} // namespace trainyard::study
