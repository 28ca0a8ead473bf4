#include "run/Comparison.h"

#include "engine/UpdateTimeMemo.h"
#include "run/RateTuning.h"

#include <algorithm>
#include <mutex>

namespace trainyard {

namespace {

/// Values of one metric over the runs; with a baseline, paired differences to it.
std::vector<double> observations(const std::vector<std::map<std::string, double>>& runs, const std::string& metric,
                                 const std::vector<std::map<std::string, double>>* baseline) {
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

void summarise(ComparisonResult& comparison, std::size_t baseline) {
    for (auto& arm : comparison.arms) {
        std::vector<std::string> names;
        for (const auto& run : arm.runs)
            for (const auto& [name, value] : run) names.push_back(name);
        std::sort(names.begin(), names.end());
        names.erase(std::unique(names.begin(), names.end()), names.end());
        for (const auto& name : names) {
            arm.metrics[name] = estimateMean(observations(arm.runs, name, nullptr));
            const auto paired = observations(arm.runs, name, &comparison.arms[baseline].runs);
            if (!paired.empty()) arm.differences[name] = estimateMean(paired);
        }
    }
}

} // namespace

Result<ComparisonArm> armNamed(const Scenario& scenario, const Registry& registry, PolicyFamily family,
                               const std::string& name) {
    for (const auto& variant : scenario.variants)
        if (variant.name == name && variant.family == family) return ComparisonArm{name, variant.choice};
    const Choice choice{name, {}};
    if (const Problems problems = registry.check(family, choice, {}); !problems.empty()) {
        std::string known;
        for (const auto& variant : scenario.variants)
            if (variant.family == family) known += (known.empty() ? "" : ", ") + variant.name;
        for (const auto* info : registry.list(family)) known += (known.empty() ? "" : ", ") + info->id;
        return Problem{.code = "unknown-policy",
                       .message = {TRAINYARD_TEXT("there is no {0} policy or variant \"{1}\"; known are {2}"),
                                   {std::string(familyName(family)), name, known}}};
    }
    return ComparisonArm{name, choice};
}

ComparisonResult compare(const ComparisonRequest& request) {
    ComparisonResult out;
    for (const auto& arm : request.arms) out.arms.push_back({.name = arm.name});
    for (auto& arm : out.arms) arm.runs.resize(request.seeds.size());
    std::vector<std::shared_ptr<const Scenario>> scenarios;
    for (const auto& arm : request.arms) {
        auto scenario = std::make_shared<Scenario>(*request.scenario);
        if (arm.learningRate) {
            auto changed = withLearningRate(*scenario, *arm.learningRate);
            require(changed.ok(), "a comparison was requested with a learning rate that no optimizer accepts");
            *scenario = std::move(changed).value();
        }
        scenario->policies.of(request.family) = arm.choice;
        scenario->explanations = WhyLevel::off; // nobody reads them here
        scenarios.push_back(std::move(scenario));
    }
    const std::size_t arms = request.arms.size(), all = arms * request.seeds.size();
    const bool executed = request.mode == RunMode::execute;
    std::vector<Problems> problems(all);
    std::vector<std::int64_t> numbers;
    for (const auto& scenario : scenarios) numbers.push_back(request.kept.numberOf(*scenario, out.problems));
    std::mutex mutex;
    std::size_t done = 0;
    const auto updateTimes = std::make_shared<UpdateTimeMemo>();
    const auto runOne = [&](std::size_t i) {
        const std::size_t arm = i % arms, seed = i / arms;
        const ResultKey key{.scenario = numbers[arm], .mode = request.mode, .seed = request.seeds[seed]};
        auto& metrics = out.arms[arm].runs[seed];
        if (const auto kept = request.kept.found(key))
            if (auto known = metricsFrom(*kept)) metrics = std::move(known->metrics);
        bool missing = metrics.empty();
        if (missing && i % request.shards == request.shard) {
            SimulationOptions options{.scenario = scenarios[arm],
                                      .registry = request.registry,
                                      .resources = request.resources,
                                      .seed = request.seeds[seed],
                                      .threads = 1,
                                      .commands = {},
                                      .updateTimes = updateTimes};
            auto outcome = executed ? executeOnce(std::move(options), request.stop)
                                    : simulateOnce(std::move(options), request.stop);
            missing = false;
            if (outcome) {
                metrics = std::move(outcome->metrics.values);
                problems[i] = request.kept.keep(key, metricsText(metrics, outcome->digest));
            } else {
                problems[i] = outcome.problems();
            }
        }
        const std::scoped_lock lock(mutex);
        out.missing += missing;
        if (request.finished && !metrics.empty()) request.finished(request.arms[arm], request.seeds[seed], metrics);
        if (request.progress) request.progress(++done, all);
    };
    if (executed)
        for (std::size_t i = 0; i < all; ++i) runOne(i);
    else
        Parallel(request.threads).forEach(all, runOne);
    for (std::size_t i = 0; i < all; ++i)
        for (auto& problem : problems[i]) {
            if (problem.code == "stopped") {
                out.stopped = true;
                continue;
            }
            problem.message = {
                "{0}, seed {1}: {2}",
                {request.arms[i % arms].name, std::to_string(request.seeds[i / arms]), problem.message.english()}};
            out.problems.push_back(std::move(problem));
        }
    summarise(out, request.baseline);
    return out;
}

} // namespace trainyard
