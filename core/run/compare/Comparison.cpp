// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/Comparison.h"

#include "engine/UpdateTimeMemo.h"
#include "run/RunVerdict.h"
#include "scenario/agents/PolicyFileReading.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace trainyard {

namespace {

constexpr const char* traceKey = "loss-course";

/// Runs a comparison, look by look.
class ComparisonWork {
public:
    explicit ComparisonWork(const ComparisonRequest& request) : m_request(request), m_result(emptyResult(request)) {
        for (std::size_t a = 0; a < request.arms.size(); ++a) {
            auto scenario = armScenario(request, a);
            m_refusals.push_back(scenario ? Problems{} : scenario.problems());
            m_scenarios.push_back(scenario ? scenario.value() : nullptr);
            m_numbers.push_back(scenario ? numberOf(**scenario) : 0);
        }
    }

    /// Of a scenario for what is kept; what its policies read from files tells it from others.
    std::int64_t numberOf(const Scenario& scenario) {
        return m_request.kept.keeps()
                   ? m_request.kept.numberOf(withFileDigests(scenario, *m_request.registry, m_request.resources),
                                             m_ofStore)
                   : 0;
    }

    ComparisonResult take() {
        const std::size_t arms = m_request.arms.size(), most = m_request.seeds.size();
        const auto looks = m_request.until ? HalfWidthRule::looks(most) : std::vector<std::size_t>{most};
        std::size_t seeds = 0;
        for (const std::size_t look : looks) {
            runMany(seeds * arms, look * arms);
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
            if (!m_request.until->isReached(values, looks)) return false;
        }
        return any;
    }

    /// In the order of the runs, whenever each was done; why an arm cannot be run at all is said once.
    void orderRunProblems() {
        auto& runProblems = m_result.runProblems;
        std::erase_if(runProblems, [&](const RunProblem& r) { return r.seed > 0 && !m_scenarios[r.arm]; });
        std::ranges::stable_sort(runProblems, {}, [](const RunProblem& r) { return std::pair(r.seed, r.arm); });
        m_result.problems = std::move(m_ofStore);
        for (const RunProblem& found : runProblems)
            if (found.failed) m_result.problems.push_back(m_result.named(found));
    }

    void runMany(std::size_t from, std::size_t to) {
        m_all = to;
        if (m_request.mode == RunMode::execute)
            for (std::size_t i = from; i < to; ++i) runOne(i);
        else
            Parallel(m_request.threads).forEach(to - from, [&](std::size_t i) { runOne(from + i); });
        for (auto& [seed, together] : m_waiting) takeTogether(together); // of those that were stopped
    }

    bool takeKept(ComparisonRun& run, ResultKey key) const {
        const auto text = m_request.kept.found(key);
        auto known = text ? metricsFrom(*text) : std::nullopt;
        if (!known || known->metrics.empty()) return false;
        if (m_request.traces) {
            key.what = traceKey;
            const auto kept = m_request.kept.found(key);
            auto trace = kept ? lossTraceFrom(*kept) : std::nullopt;
            if (!trace) return false;
            run.trace = std::move(*trace);
        }
        run.metrics = std::move(known->metrics);
        run.warnings = std::move(known->warnings);
        run.losses = std::move(known->losses);
        return true;
    }

    /// Problems of keeping it.
    Problems runAnew(ComparisonRun& run, ResultKey key) const {
        SimulationOptions options{.scenario = m_scenarios[run.arm],
                                  .registry = m_request.registry,
                                  .resources = m_request.resources,
                                  .seed = key.seed,
                                  .threads = 1,
                                  .commands = {},
                                  .updateTimes = m_updateTimes};
        auto outcome = m_request.mode == RunMode::execute ? executeOnce(std::move(options), m_request.stop)
                                                          : simulateOnce(std::move(options), m_request.stop);
        if (!outcome) {
            run.problems = outcome.problems();
            return {};
        }
        run.warnings = jobWarnings(*outcome->workload, outcome->metrics);
        run.metrics = std::move(outcome->metrics.values);
        run.losses = outcome->metrics.losses;
        if (m_request.traces) run.trace = lossTrace(*outcome->log, *outcome->workload);
        Problems problems =
            m_request.kept.keep(key, metricsText({run.metrics, outcome->digest, run.warnings, run.losses}));
        if (m_request.traces && problems.empty()) {
            key.what = traceKey;
            problems = m_request.kept.keep(key, lossTraceText(run.trace));
        }
        return problems;
    }

    void runOne(std::size_t i) {
        const std::size_t arms = m_request.arms.size();
        ComparisonRun run{.arm = i % arms, .seed = i / arms};
        const ResultKey key{.scenario = m_numbers[run.arm], .mode = m_request.mode, .seed = m_request.seeds[run.seed]};
        Problems unkept;
        bool missing = false;
        if (!m_scenarios[run.arm]) {
            run.problems = m_refusals[run.arm];
        } else if (!takeKept(run, key)) {
            missing = i % m_request.shards != m_request.shard;
            if (!missing) unkept = runAnew(run, key);
        }
        const std::scoped_lock lock(m_mutex);
        m_ofStore.insert(m_ofStore.end(), unkept.begin(), unkept.end());
        ++m_done;
        if (!run.problems.empty() && run.problems.front().code == "stopped") {
            m_result.stopped = true;
            return;
        }
        m_result.missing += missing;
        auto& together = m_waiting[run.seed];
        ++together.over;
        if (!missing) take(std::move(run), together);
        if (together.over == arms) takeTogether(together);
        if (m_request.progress) m_request.progress(m_done, m_all);
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
            return;
        }
        addRun(m_result, run);
        if (m_request.finished) m_request.finished(run);
    }

    void takeTogether(Together& together) {
        for (ComparisonRun& run : std::exchange(together.waiting, {})) {
            measureBy(together.least, *run.losses, run.metrics);
            addRun(m_result, run);
            if (m_request.finished) m_request.finished(run);
        }
    }

    const ComparisonRequest& m_request;
    ComparisonResult m_result;
    std::map<std::size_t, Together> m_waiting;                ///< by position of the seed
    std::vector<std::shared_ptr<const Scenario>> m_scenarios; ///< null: refused
    std::vector<Problems> m_refusals;
    std::vector<std::int64_t> m_numbers;
    std::shared_ptr<UpdateTimeMemo> m_updateTimes = std::make_shared<UpdateTimeMemo>();
    std::mutex m_mutex;
    Problems m_ofStore;
    std::size_t m_done = 0, m_all = 0;
};

} // namespace

ComparisonResult compare(const ComparisonRequest& request) { return ComparisonWork(request).take(); }

} // namespace trainyard
