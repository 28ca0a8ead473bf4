// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/Comparison.h"

#include "engine/UpdateTimeMemo.h"
#include "run/RunVerdict.h"

#include <algorithm>
#include <mutex>
#include <set>

namespace trainyard {

namespace {

constexpr const char* traceKey = "loss-trace";

/// Values of one metric over the runs; with a baseline, paired differences to it.
std::vector<double> observations(const std::vector<MetricValues>& runs, const std::string& metric,
                                 const std::vector<MetricValues>* baseline) {
    std::vector<double> out;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto it = runs[i].find(metric);
        if (it == runs[i].end()) continue;
        if (!baseline) {
            out.push_back(it->second);
        } else if (const auto other = (*baseline)[i].find(metric); other != (*baseline)[i].end()) {
            out.push_back(it->second - other->second);
        }
    }
    return out;
}

bool endedEarly(const std::map<std::string, double>& metrics) {
    const auto count = [&](const char* name) {
        const auto it = metrics.find(name);
        return it == metrics.end() ? 0.0 : it->second;
    };
    return count("finished_jobs") + count("rejected_jobs") + count("failed_jobs") < count("arrived_jobs");
}

void correctTogether(ComparisonResult& result, std::size_t baseline, const std::string& metric) {
    std::vector<std::size_t> arms;
    std::vector<double> p;
    for (std::size_t a = 0; a < result.arms.size(); ++a) {
        if (a == baseline) continue;
        const auto paired = observations(result.arms[a].runs, metric, &result.arms[baseline].runs);
        if (const auto own = paired.empty() ? std::nullopt : pairedTest(paired)) {
            arms.push_back(a);
            p.push_back(std::min(1.0, *own * static_cast<double>(result.looks)));
        }
    }
    const auto adjusted = holmAdjusted(p);
    for (std::size_t i = 0; i < arms.size(); ++i) result.arms[arms[i]].pValues[metric] = adjusted[i];
}

} // namespace

std::size_t ArmResult::done() const {
    return static_cast<std::size_t>(std::ranges::count_if(runs, [](const auto& run) { return !run.empty(); }));
}

std::size_t ComparisonResult::done() const {
    std::size_t out = 0;
    for (const auto& arm : arms) out += arm.done();
    return out;
}

std::size_t ComparisonResult::failed() const {
    std::size_t out = 0;
    for (const auto& arm : arms) out += arm.failed;
    return out;
}

Problem ComparisonResult::named(const RunRemark& remark) const {
    Problem out = remark.problem;
    out.message = {"{0}, seed {1}: {2}",
                   {arms[remark.arm].name, std::to_string(seeds[remark.seed]), remark.problem.message.english()}};
    return out;
}

Problems doubtsOf(const ComparisonResult& result) {
    Problems out;
    for (const RunRemark& remark : result.remarks)
        if (!remark.failed) out.push_back(result.named(remark));
    return out;
}

ComparisonResult emptyResult(const ComparisonRequest& request) {
    ComparisonResult out;
    out.seeds = request.seeds;
    if (request.until) out.looks = HalfWidthRule::looks(request.seeds.size()).size();
    for (const auto& arm : request.arms) {
        out.arms.push_back({.name = arm.name});
        out.arms.back().runs.resize(request.seeds.size());
        if (request.traces) out.arms.back().traces.resize(request.seeds.size());
    }
    return out;
}

void addRun(ComparisonResult& result, const ComparisonRun& run) {
    ArmResult& arm = result.arms[run.arm];
    const auto named = [](const MetricValues& other) { return !other.empty(); };
    const auto like = std::ranges::find_if(arm.runs, named); // among the first there are
    arm.runs[run.seed] = MetricValues(run.metrics, like != arm.runs.end() ? *like : MetricValues());
    if (!arm.traces.empty()) arm.traces[run.seed] = run.trace;
    if (run.metrics.empty())
        ++arm.failed;
    else
        arm.unfinished += endedEarly(run.metrics);
    for (const Problem& problem : run.problems) {
        result.remarks.push_back({run.arm, run.seed, true, problem});
        result.problems.push_back(result.named(result.remarks.back()));
    }
    for (const Problem& problem : run.doubts) result.remarks.push_back({run.arm, run.seed, false, problem});
}

void summarise(ComparisonResult& result, std::size_t baseline) {
    std::set<std::string> all;
    for (auto& arm : result.arms) {
        std::set<std::string> names;
        for (const auto& run : arm.runs)
            for (const auto& [name, value] : run) names.insert(name);
        arm.metrics.clear();
        arm.differences.clear();
        arm.pValues.clear();
        for (const auto& name : names) {
            arm.metrics[name] = estimateMean(observations(arm.runs, name, nullptr), result.confidence());
            const auto paired = observations(arm.runs, name, &result.arms[baseline].runs);
            if (!paired.empty()) arm.differences[name] = estimateMean(paired, result.confidence());
        }
        all.merge(names);
    }
    for (const auto& name : all) correctTogether(result, baseline, name);
}

namespace {

/// Runs a comparison, look by look.
class ComparisonWork {
public:
    explicit ComparisonWork(const ComparisonRequest& request) : m_request(request), m_result(emptyResult(request)) {
        for (std::size_t a = 0; a < request.arms.size(); ++a) {
            auto scenario = armScenario(request, a);
            m_refusals.push_back(scenario ? Problems{} : scenario.problems());
            m_scenarios.push_back(scenario ? scenario.value() : nullptr);
            m_numbers.push_back(scenario ? request.kept.numberOf(**scenario, m_ofStore) : 0);
        }
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
        orderRemarks();
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
    void orderRemarks() {
        auto& remarks = m_result.remarks;
        std::erase_if(remarks, [&](const RunRemark& r) { return r.seed > 0 && !m_scenarios[r.arm]; });
        std::ranges::stable_sort(remarks, {}, [](const RunRemark& r) { return std::pair(r.seed, r.arm); });
        m_result.problems = std::move(m_ofStore);
        for (const RunRemark& remark : remarks)
            if (remark.failed) m_result.problems.push_back(m_result.named(remark));
    }

    void runMany(std::size_t from, std::size_t to) {
        m_all = to;
        if (m_request.mode == RunMode::execute)
            for (std::size_t i = from; i < to; ++i) runOne(i);
        else
            Parallel(m_request.threads).forEach(to - from, [&](std::size_t i) { runOne(from + i); });
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
        run.doubts = std::move(known->doubts);
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
        run.doubts = doubtfulJobs(*outcome->workload, outcome->metrics);
        run.metrics = std::move(outcome->metrics.values);
        if (m_request.traces) run.trace = lossTrace(*outcome->log, outcome->workload->jobs.size());
        Problems problems = m_request.kept.keep(key, metricsText(run.metrics, outcome->digest, run.doubts));
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
        if (!missing) {
            addRun(m_result, run);
            if (m_request.finished) m_request.finished(run);
        }
        if (m_request.progress) m_request.progress(m_done, m_all);
    }

    const ComparisonRequest& m_request;
    ComparisonResult m_result;
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
