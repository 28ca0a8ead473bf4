// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The zipf loop on threads, beside virtual time: rates, and how long messages really took. On few cores threads wait for each other, so
// that ratios are those of this machine; what a ratio rests on, the delivery of messages, is printed with it.
#include "studies/nups/NupsStudy.h"

#include "studies/StudyRuns.h"

#include <cmath>

namespace trainyard::study {

void nupsExecuted(const StudyRequest& request, StudyReport& report) {
    StudyTable table{"nups-executed",
                     {"policy", "replicas", "run", "executed_per_s", "simulated_per_s", "executed_over_static",
                      "simulated_over_static", "executed_delivery_s", "simulated_delivery_s",
                      "executed_messages_per_iteration", "simulated_messages_per_iteration"},
                     {}};
    const int runs = request.quick ? 1 : 3;
    double least = NAN;
    for (int run = 0; run < runs; ++run) {
        double executedStatic = NAN, simulatedStatic = NAN;
        for (const KeyManagement& way : keyManagements) {
            const ZipfSettings settings{.operations = 10'000, .manager = way.manager, .replicate = way.replicas};
            auto simulated = zipfMetrics(request, settings, report);
            const auto scenario = zipfScenario(request, settings);
            if (!scenario || simulated.empty()) return; // it is said why
            auto kept = executeMetrics(request, *scenario, (*scenario)->seed, report);
            if (!kept) return;
            auto& executed = kept->metrics;
            const double rate = executed["iterations_per_s"], model = simulated["iterations_per_s"];
            if (way.manager == std::string("static")) executedStatic = rate, simulatedStatic = model;
            const double ratio = rate / executedStatic;
            if (way.replicas == 1000) least = std::isnan(least) ? ratio : std::min(least, ratio);
            table.rows.push_back({way.manager, way.replicas > 0 ? std::to_string(way.replicas) : std::string(),
                                  std::to_string(run + 1), number(rate), number(model), number(ratio),
                                  number(model / simulatedStatic), number(executed["delivery_s"]),
                                  number(simulated["delivery_s"]), number(executed["messages"] / executed["updates"]),
                                  number(simulated["messages"] / simulated["updates"])});
        }
    }
    Claim claim{
        .id = "zipf/executed/4x1-1000",
        .claim =
            "Executed on threads, 4 machines of 1, 80 µs: iterations per second with 1,000 replicas over those with "
            "static homes, the least of the runs: at least three times",
        .source =
            "Renz-Wieland et al. 2022, abstract: up to one order of magnitude; the loop and the machine are not theirs",
        .unit = "1"};
    if (!std::isnan(least)) {
        claim.measured = least;
        claim.n = static_cast<std::size_t>(runs);
        claim.holds = least >= 3;
        claim.finding = "real time: the table has how long messages took";
    }
    report.claims.push_back(std::move(claim));
    report.tables.push_back(std::move(table));
}

} // namespace trainyard::study
