// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "ComparisonOutput.h"

#include "Common.h"
#include "MetricWords.h"

#include "scenario/KeyedModels.h"

#include <iostream>

namespace trainyard::cli {

namespace comparison_output {

std::string intervalText(const Estimate& estimate) {
    return tableNumber(estimate.mean) + (estimate.halfWidth ? " ± " + tableNumber(*estimate.halfWidth) : "");
}

std::string column(const std::string& name) { return name + std::string(name.size() < 24 ? 24 - name.size() : 1, ' '); }

void printRates(const ComparisonReport& output) {
    if (!output.tuned) {
        std::cout << "learning rate: the scenario's, the same for all policies\n";
        return;
    }
    if (output.tuned->stopped) {
        std::cout << "learning rate: to be tuned for each; stopped before\n";
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
    if (agreement.arms.size() > 0 && agreement.arms[0].executed.n < 2)
        std::cout
            << "  one seed: both modes draw other times from random laws, so that gaps are also chance; give several seeds\n";
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

void printRule(const ComparisonReport& output) {
    const auto& rule = *output.request.until;
    std::cout << "until the half-width of " << rule.metric << " is at most " << tableNumber(100 * rule.relative)
              << " % of the mean: " << (output.result.reached.value_or(false) ? "reached" : "NOT REACHED") << "; "
              << output.result.looks << " looks at most, so each interval is at 100 - 5/" << output.result.looks
              << " %\n";
}

/// Under its name and unit a line for each of the arms; shares of one in percent.
void printMetric(const ComparisonReport& output, const MetricDefinition& metric) {
    const double scale = metric.isShare ? 100 : 1;
    const std::string unit = metric.isShare ? "%" : metric.unit == "bytes" ? "B" : metric.unit;
    const auto text = [&](Estimate estimate) {
        estimate.mean *= scale;
        if (estimate.halfWidth) *estimate.halfWidth *= scale;
        return intervalText(estimate);
    };
    std::cout << "  " << metricLabel(metric) << (unit.empty() ? "" : ", " + unit) << " (" << metric.id << ")\n";
    for (const auto& arm : output.result.arms) {
        const auto it = arm.metrics.find(metric.id);
        if (it == arm.metrics.end()) continue;
        std::cout << "    " << column(arm.name) << text(it->second);
        const bool isBase = &arm == &output.result.arms[output.request.baseline];
        if (const auto d = arm.differences.find(metric.id); d != arm.differences.end() && !isBase)
            std::cout << "   difference " << text(d->second);
        if (const auto p = arm.pValues.find(metric.id); p != arm.pValues.end())
            std::cout << "   p " << tableNumber(p->second);
        if (it->second.n < output.result.seeds.size()) std::cout << "   n " << it->second.n;
        std::cout << "\n";
    }
}

void printMetrics(const ComparisonReport& output, bool everyMetric) {
    const auto& arms = output.result.arms;
    const auto matters = [&](const MetricDefinition& metric) {
        bool has = false, says = everyMetric;
        for (const auto& arm : arms)
            if (const auto it = arm.metrics.find(metric.id); it != arm.metrics.end()) {
                has = true;
                says = says || !isNegligible(metric, it->second.mean);
            }
        return has && says;
    };
    const std::vector<MetricDefinition> definitions = metricDefinitionsFor(*output.request.scenario);
    for (const MetricGroup& group : metricsByGroup(definitions, matters, everyMetric)) {
        std::cout << "\n" << group.heading << "\n";
        for (const MetricDefinition& metric : group.metrics) printMetric(output, metric);
    }
    if (!everyMetric) std::cout << "\nAll metrics: --all\n";
}

} // namespace comparison_output

using namespace comparison_output;

namespace {
std::string countText(std::size_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}
} // namespace

void printComparison(const ComparisonReport& output, bool everyMetric) {
    const auto& result = output.result;
    const auto& base = result.arms[output.request.baseline];
    if (!isComplete(output)) std::cout << "NOT COMPLETE: " << missingRuns(output) << "\n";
    std::cout << countText(result.seeds.size(), "seed") << (isComplete(output) ? "" : " asked for") << "; mean ± "
              << tableNumber(100 * result.confidence()) << " % interval (Student t); differences to " << base.name
              << " are paired by seed, p values corrected for " << countText(result.arms.size() - 1, "comparison")
              << " (Holm)\n";
    if (output.request.until) printRule(output);
    for (const auto& arm : result.arms)
        if (arm.failed + arm.unfinished > 0)
            std::cout << "  " << column(arm.name) << arm.failed << " of " << arm.done() + arm.failed
                      << " runs failed or met a limit, " << arm.unfinished << " ended with unfinished jobs\n";
    for (const auto& arm : result.arms)
        if (arm.diverged > 0)
            std::cout << "  " << column(arm.name) << arm.diverged << " of " << arm.done()
                      << " runs diverged and are left out of the means\n";
    if (result.seeds.size() == 1) std::cout << "ONE RUN OF EACH IS NO EVIDENCE: take more seeds\n";
    printRates(output);
    printMetrics(output, everyMetric);
    if (output.agreement) printAgreement(*output.agreement);
}

} // namespace trainyard::cli
