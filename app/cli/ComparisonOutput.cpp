#include "ComparisonOutput.h"

#include "run/Export.h"
#include "scenario/ScenarioFile.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace trainyard::cli {

namespace comparison_output {

using Json = nlohmann::ordered_json;

Json estimateJson(const Estimate& estimate) {
    Json out{{"mean", estimate.mean}, {"n", estimate.n}};
    out["interval"] = estimate.halfWidth
                          ? Json::array({estimate.mean - *estimate.halfWidth, estimate.mean + *estimate.halfWidth})
                          : Json();
    return out;
}

Json metricsJson(const ArmResult& arm) {
    Json metrics = Json::object();
    for (const auto& [name, estimate] : arm.metrics) {
        metrics[name] = estimateJson(estimate);
        if (const auto it = arm.differences.find(name); it != arm.differences.end())
            metrics[name]["difference"] = estimateJson(it->second);
    }
    return metrics;
}

Json agreementJson(const OrderAgreement& agreement) {
    Json policies = Json::array();
    for (const auto& arm : agreement.arms)
        policies.push_back(
            {{"policy", arm.name},
             {"executed", estimateJson(arm.executed)},
             {"simulated", estimateJson(arm.simulated)},
             {"gap", {{"iteration_time", arm.iterationGap ? estimateJson(*arm.iterationGap) : Json()}}}});
    Json out{{"metric", agreement.metric}, {"policies", std::move(policies)}, {"left_out", agreement.leftOut}};
    if (agreement.arms.size() < 2) {
        out["rank_correlation"] = nullptr;
        return out;
    }
    const auto& ranks = agreement.ranks;
    const auto& interval = agreement.interval;
    out["rank_correlation"] = {
        {"rho", ranks.rho},
        {"n", ranks.n},
        {"interval", interval ? Json::array({interval->first, interval->second}) : Json()},
        {"interval_over_policies", ranks.n >= 4 ? Json::array({ranks.low, ranks.high}) : Json()}};
    return out;
}

Json tuningJson(const TuningRequest& request, const TuningResult& result) {
    Json policies = Json::array();
    for (const auto& arm : result.arms)
        policies.push_back({{"policy", arm.arm},
                            {"learning_rate", arm.rate},
                            {"value", arm.metric ? estimateJson(*arm.metric) : Json()},
                            {"at_edge", arm.atEdge}});
    return {{"rates", request.rates},
            {"seeds", request.comparison.seeds},
            {"metric", request.metric},
            {"policies", std::move(policies)}};
}

std::string intervalText(const Estimate& estimate) {
    return tableNumber(estimate.mean) + (estimate.halfWidth ? " ± " + tableNumber(*estimate.halfWidth) : "");
}

std::string column(const std::string& name) { return name + std::string(name.size() < 24 ? 24 - name.size() : 1, ' '); }

void printRates(const ComparisonOutput& output) {
    if (!output.tuned) {
        std::cout << "learning rate: the scenario's, the same for all policies\n";
        return;
    }
    std::cout << "learning rate: tuned for each, by " << output.tuning->metric << " over "
              << output.tuning->comparison.seeds.size() << " other seeds\n";
    for (const auto& arm : output.tuned->arms)
        std::cout << "  " << column(arm.arm) << tableNumber(arm.rate)
                  << (arm.runs == 0 ? "   no rate reached it"
                      : arm.atEdge  ? "   at the edge of those tried"
                                    : "")
                  << "\n";
}

void printAgreement(const OrderAgreement& agreement) {
    std::cout << "\nexecuted compared with simulated: " << agreement.metric
              << ", and the gap of the iteration time (executed / simulated − 1)\n";
    for (const auto& arm : agreement.arms) {
        std::cout << "  " << column(arm.name) << intervalText(arm.executed) << "   simulated "
                  << intervalText(arm.simulated);
        if (arm.iterationGap) std::cout << "   gap " << tableNumber(100 * arm.iterationGap->mean) << " %";
        std::cout << "\n";
    }
    for (const auto& name : agreement.leftOut)
        std::cout << "  " << column(name) << "left out: not every run has " << agreement.metric << "\n";
    if (agreement.arms.size() < 2) return;
    std::cout << "rank correlation of the two orders (Spearman, " << agreement.ranks.n << " policies) "
              << tableNumber(agreement.ranks.rho);
    if (agreement.interval)
        std::cout << ", 95 % over seeds (bootstrap) " << tableNumber(agreement.interval->first) << " to "
                  << tableNumber(agreement.interval->second);
    if (agreement.ranks.n >= 4)
        std::cout << ", over policies (Fisher) " << tableNumber(agreement.ranks.low) << " to "
                  << tableNumber(agreement.ranks.high);
    std::cout << "\n";
}

bool isComplete(const ComparisonOutput& output) {
    return !output.result.stopped && output.result.missing == 0 &&
           (!output.simulated || (!output.simulated->stopped && output.simulated->missing == 0));
}

void appendObservations(std::string& text, const ComparisonRequest& request, const ComparisonResult& result,
                        RunMode mode) {
    for (const auto& arm : result.arms)
        for (std::size_t i = 0; i < arm.runs.size(); ++i)
            for (const auto& [name, value] : arm.runs[i])
                text += csvField(arm.name) + "," + std::to_string(request.seeds[i]) + "," + name + "," +
                        Json(value).dump() + "," + std::string(modeName(mode)) + "\n";
}

} // namespace comparison_output

using namespace comparison_output;

nlohmann::ordered_json comparisonJson(const ComparisonOutput& output) {
    const auto& [request, result, input, simulated, agreement, tuning, tuned] = output;
    Json policies = Json::array();
    for (std::size_t a = 0; a < result.arms.size(); ++a) {
        policies.push_back({{"policy", result.arms[a].name}, {"metrics", metricsJson(result.arms[a])}});
        if (simulated) policies.back()["simulated"] = metricsJson(simulated->arms[a]);
    }
    Json out{{"scenario", input.name},
             {"version", TRAINYARD_VERSION},
             {"mode", modeName(input.mode)},
             {"complete", isComplete(output)},
             {"family", familyName(request.family)},
             {"baseline", request.arms[request.baseline].name},
             {"seeds", request.seeds},
             {"confidence", 0.95},
             {"learning_rate", tuned ? "tuned" : "same"},
             {"policies", std::move(policies)}};
    if (tuned) out["tuning"] = tuningJson(*tuning, *tuned);
    if (agreement) out["execution"] = agreementJson(*agreement);
    return out;
}

void printComparison(const ComparisonOutput& output) {
    const auto& result = output.result;
    const auto& base = result.arms[output.request.baseline];
    if (!isComplete(output)) std::cout << "STOPPED BEFORE THE END: of some seeds, runs are missing\n";
    std::cout << output.request.seeds.size() << " seeds; mean ± 95 % interval (Student t); differences to " << base.name
              << " are paired by seed\n";
    printRates(output);
    for (const auto& [metric, ignored] : base.metrics) {
        std::cout << "\n" << metric << "\n";
        for (const auto& arm : result.arms) {
            const auto it = arm.metrics.find(metric);
            if (it == arm.metrics.end()) continue;
            std::cout << "  " << column(arm.name) << intervalText(it->second);
            if (const auto d = arm.differences.find(metric); d != arm.differences.end() && &arm != &base)
                std::cout << "   difference " << intervalText(d->second);
            std::cout << "\n";
        }
    }
    if (output.agreement) printAgreement(*output.agreement);
}

std::string observationsCsv(const ComparisonOutput& output) {
    std::string text = isComplete(output)          ? ""
                       : output.result.missing > 0 ? "# runs of other shards are missing\n"
                                                   : "# stopped before the end: runs are missing\n";
    text += provenanceComments({.scenarioText = writeScenario(*output.input.scenario),
                                .scenarioName = output.input.name,
                                .seed = output.request.seeds.front(),
                                .version = TRAINYARD_VERSION}) +
            "policy,seed,metric,value,mode\n";
    appendObservations(text, output.request, output.result, output.input.mode);
    if (output.simulated) appendObservations(text, output.request, *output.simulated, RunMode::simulate);
    return text;
}

} // namespace trainyard::cli
