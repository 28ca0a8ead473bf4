// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/Comparison.h"

#include "run/compare/RunBatch.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace trainyard {

namespace {

/// Runs a comparison, look by look.
class ComparisonWork {
public:
    explicit ComparisonWork(const ComparisonRequest& request)
        : m_request(request), m_batch({.registry = request.registry,
                                       .resources = request.resources,
                                       .mode = request.mode,
                                       .shard = request.shard,
                                       .shards = request.shards,
                                       .threads = request.threads,
                                       .kept = request.kept,
                                       .stop = request.stop,
                                       .progress = request.progress,
                                       .processes = request.processes,
                                       .everywhere = request.everywhere || request.until.has_value()}),
          m_result(emptyResult(request)) {
        const std::size_t arms = request.arms.size();
        std::vector<std::shared_ptr<const Scenario>> scenarios;
        for (std::size_t a = 0; a < arms; ++a) {
            auto scenario = armScenario(request, a);
            m_refusals.push_back(scenario ? Problems{} : scenario.problems());
            scenarios.push_back(scenario ? scenario.value() : nullptr);
        }
        m_batch.runs.reserve(arms * request.seeds.size());
        for (const std::uint64_t seed : request.seeds)
            for (const auto& scenario : scenarios) m_batch.runs.push_back({scenario, seed});
        m_values.resize(m_batch.runs.size());
        if (request.traces) m_batch.kinds.push_back("loss-course");
        m_batch.take = [this](std::size_t i, RunOutcome& outcome) {
            m_values[i] = std::make_unique<Value>(Value{keptMetrics(outcome), {}});
            if (m_request.traces) m_values[i]->trace = lossTrace(*outcome.log, *outcome.workload);
        };
        m_batch.write = [this](std::size_t i) {
            std::vector<std::string> texts{metricsText(m_values[i]->kept)};
            if (m_request.traces) texts.push_back(lossTraceText(m_values[i]->trace));
            return texts;
        };
        m_batch.read = [this](std::size_t i, const std::vector<std::string>& texts) { return read(i, texts); };
        m_batch.release = [this](std::size_t i) { m_values[i].reset(); };
        m_batch.ended = [this](EndedRun& run) { over(run); };
    }

    ComparisonResult take() {
        const std::size_t arms = m_request.arms.size(), most = m_request.seeds.size();
        const auto looks = m_request.until ? HalfWidthRule::looks(most) : std::vector<std::size_t>{most};
        std::size_t seeds = 0;
        for (const std::size_t look : looks) {
            const Problems ofStore = m_batch.run(seeds * arms, look * arms);
            m_ofStore.insert(m_ofStore.begin(), ofStore.begin(), ofStore.end());
            for (auto& [seed, together] : m_waiting) takeTogether(together); // of those that were stopped
            seeds = look;
            if (m_result.stopped || !m_request.until) break;
            m_result.reached = isReached(looks.size());
            if (*m_result.reached) break;
        }
        m_result.seeds.resize(seeds);
        for (auto& arm : m_result.arms) {
            arm.runs.resize(seeds);
            if (m_request.traces) arm.traces.resize(seeds);
        }
        orderRunProblems();
        summarise(m_result, m_request.baseline);
        return std::move(m_result);
    }

private:
    bool isReached(std::size_t looks) const {
        bool any = false;
        for (const auto& arm : m_result.arms) {
            const auto values = observations(arm.runs, m_request.until->metric, nullptr);
            if (values.empty()) continue;
            any = true;
            // A shard has some of the values: when it ends says how much is left to do, not what comes out.
            const double wider = std::sqrt(static_cast<double>(m_request.shards));
            const HalfWidthRule rule{m_request.until->metric, m_request.until->relative * wider};
            if (!rule.isReached(values, looks)) return false;
        }
        return any;
    }

    /// In the order of the runs, whenever each was done; why an arm cannot be run at all is said once.
    void orderRunProblems() {
        auto& runProblems = m_result.runProblems;
        std::erase_if(runProblems, [&](const RunProblem& r) { return r.seed > 0 && !m_refusals[r.arm].empty(); });
        std::ranges::stable_sort(runProblems, {}, [](const RunProblem& r) { return std::pair(r.seed, r.arm); });
        m_result.problems = std::move(m_ofStore);
        for (const RunProblem& found : runProblems)
            if (found.failed) m_result.problems.push_back(m_result.named(found));
    }

    bool read(std::size_t i, const std::vector<std::string>& texts) {
        auto known = metricsFrom(texts.front());
        auto trace = m_request.traces ? lossTraceFrom(texts.back()) : LossTrace();
        if (!known || known->metrics.empty() || !trace) return false;
        m_values[i] = std::make_unique<Value>(Value{std::move(*known), std::move(*trace)});
        return true;
    }

    void over(EndedRun& ended) {
        const std::size_t arms = m_request.arms.size();
        m_ofStore.insert(m_ofStore.end(), ended.unkept.begin(), ended.unkept.end());
        if (ended.how == EndedRun::How::stopped) {
            m_result.stopped = true;
            return;
        }
        ComparisonRun run{.arm = ended.number % arms, .seed = ended.number / arms};
        auto& together = m_waiting[run.seed];
        ++together.over;
        if (ended.how == EndedRun::How::ofOtherShard) {
            ++m_result.missing;
        } else {
            run.found = ended.found;
            run.problems = m_refusals[run.arm].empty() ? std::move(ended.problems) : m_refusals[run.arm];
            if (const auto value = std::move(m_values[ended.number])) {
                run.metrics = std::move(value->kept.metrics);
                run.warnings = std::move(value->kept.warnings);
                run.losses = std::move(value->kept.losses);
                run.trace = std::move(value->trace);
            }
            take(std::move(run), together);
        }
        if (together.over == arms) takeTogether(together);
    }

    /// The runs with one seed.
    struct Together {
        std::size_t over = 0;
        LeastLosses least;
        std::vector<ComparisonRun> waiting; ///< for the others' losses
    };

    /// At once where each job's limit is known.
    void take(ComparisonRun run, Together& together) {
        if (run.losses) {
            lower(together.least, *run.losses);
            together.waiting.push_back(std::move(run));
        } else {
            add(run);
        }
    }

    void takeTogether(Together& together) {
        for (ComparisonRun& run : std::exchange(together.waiting, {})) {
            measureBy(together.least, *run.losses, run.metrics);
            add(run);
        }
    }

    void add(const ComparisonRun& run) {
        addRun(m_result, run);
        if (m_request.finished) m_request.finished(run);
        if (m_request.grown) m_request.grown(m_result);
    }

    struct Value {
        KeptMetrics kept;
        LossTrace trace;
    };
    const ComparisonRequest& m_request;
    RunBatch m_batch;
    ComparisonResult m_result;
    std::vector<std::unique_ptr<Value>> m_values; ///< by run, until it is added
    std::map<std::size_t, Together> m_waiting;    ///< by position of the seed
    std::vector<Problems> m_refusals;             ///< by arm
    Problems m_ofStore;
};

} // namespace

ComparisonResult compare(const ComparisonRequest& request) { return ComparisonWork(request).take(); }

} // namespace trainyard
