// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/RateTuning.h"

#include "learning/Model.h"

#include <algorithm>

namespace trainyard {

namespace rate_tuning {

/// Whether `a` is better than `b`.
bool betterRate(const TunedRate& a, const TunedRate& b) {
    if (a.runs != b.runs) return a.runs > b.runs;
    return a.metric && (!b.metric || a.metric->mean < b.metric->mean);
}

Problems setRate(Job& job, const std::string& pointer, double rate) {
    auto* work = std::get_if<TrainedWork>(&job.work);
    if (!work) return {};
    work->optimizer.parameters["learning_rate"] = rate;
    const auto& all = optimizers();
    const auto it =
        std::find_if(all.begin(), all.end(), [&](const OptimizerInfo& info) { return info.id == work->optimizer.id; });
    if (it == all.end()) return {};
    return it->schema.check(work->optimizer.parameters, pointer + "/optimizer/parameters");
}

} // namespace rate_tuning

Result<Scenario> withLearningRate(const Scenario& scenario, double rate) {
    Scenario out = scenario;
    Problems problems;
    const auto add = [&](Problems found) { problems.insert(problems.end(), found.begin(), found.end()); };
    for (std::size_t j = 0; j < out.jobs.size(); ++j)
        add(rate_tuning::setRate(out.jobs[j], "/jobs/" + std::to_string(j), rate));
    for (std::size_t g = 0; g < out.generators.size(); ++g) {
        const std::string pointer = "/generators/" + std::to_string(g);
        auto& others = out.generators[g].others;
        add(rate_tuning::setRate(out.generators[g].job, pointer + "/job", rate));
        for (std::size_t t = 0; t < others.size(); ++t)
            add(rate_tuning::setRate(others[t].job, pointer + "/other_jobs/" + std::to_string(t) + "/job", rate));
    }
    if (!problems.empty()) return problems;
    return out;
}

TuningResult tuneRates(const TuningRequest& request) {
    TuningResult out;
    std::vector<double> rates = request.rates;
    std::sort(rates.begin(), rates.end());
    const auto& arms = request.comparison.arms;
    ComparisonRequest all = request.comparison;
    all.arms.clear();
    all.everywhere = true; // what is compared next is found by it
    for (const auto& arm : arms)
        for (const double rate : rates) {
            all.arms.push_back(arm);
            all.arms.back().learningRate = rate;
        }
    const ComparisonResult tried = compare(all);
    out.problems = tried.problems;
    out.stopped = tried.stopped;
    for (std::size_t a = 0; a < arms.size(); ++a) {
        TunedRate best{.arm = arms[a].name, .rate = rates.front()};
        for (std::size_t r = 0; r < rates.size(); ++r) {
            const auto& metrics = tried.arms[a * rates.size() + r].metrics;
            TunedRate candidate{.arm = arms[a].name, .rate = rates[r]};
            candidate.atEdge = rates.size() > 1 && (r == 0 || r + 1 == rates.size());
            if (const auto it = metrics.find(request.metric); it != metrics.end()) {
                candidate.metric = it->second;
                candidate.runs = it->second.n;
            }
            if (r == 0 || rate_tuning::betterRate(candidate, best)) best = std::move(candidate);
        }
        out.arms.push_back(std::move(best));
    }
    return out;
}

} // namespace trainyard
