// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How the zipf loop scales from one machine to sixteen, under each policy, with more and less to compute per iteration: what is local
// everywhere scales, what is asked for over the network does not.
#include "studies/nups/NupsStudy.h"

#include "studies/StudyRuns.h"

#include <cmath>

namespace trainyard::study {

namespace {

constexpr std::int64_t threadsOfANode = 8;

Claim scalingClaim(double factor) {
    Claim claim{
        .id = "zipf/scaling/100us-1000",
        .claim =
            "Iterations per second of 16 machines of 8 over those of one, 100 µs of computing per iteration, 1,000 "
            "replicas: at least twelve times",
        .source = "Renz-Wieland et al. 2022, abstract: up to linear scalability; the loop is not theirs",
        .unit = "1"};
    if (std::isnan(factor)) return claim;
    claim.measured = factor;
    claim.n = 1;
    claim.holds = factor >= 12;
    claim.finding = "virtual time, one run: it has no other draws";
    return claim;
}

} // namespace

void nupsScaling(const StudyRequest& request, StudyReport& report) {
    StudyTable table{
        "nups-scaling",
        {"compute_us", "policy", "replicas", "nodes", "iterations_per_s", "over_one_node", "busiest", "use"},
        {}};
    for (const double compute : {0.0, 20.0, 100.0})
        for (const KeyManagement& way : keyManagements) {
            if (request.quick && (compute < 100 || way.replicas < 1000)) continue;
            double one = NAN, factor = NAN;
            for (const std::int64_t nodes : {1, 2, 4, 8, 16}) {
                if (request.quick && nodes != 1 && nodes != 16) continue;
                const ZipfSettings settings{.nodes = nodes,
                                            .threads = threadsOfANode,
                                            .manager = way.manager,
                                            .replicate = way.replicas,
                                            .computeUs = compute};
                auto metrics = zipfMetrics(request, settings, report);
                if (!metrics.contains("iterations_per_s")) continue;
                const double rate = metrics["iterations_per_s"];
                if (nodes == 1) one = rate;
                factor = rate / one;
                const auto busiest = busiestResource(metrics, settings);
                table.rows.push_back(
                    {number(compute), way.manager, way.replicas > 0 ? std::to_string(way.replicas) : std::string(),
                     std::to_string(nodes), number(rate), number(factor), busiest.first, number(busiest.second)});
            }
            if (compute == 100 && way.replicas == 1000) report.claims.push_back(scalingClaim(factor));
        }
    report.tables.push_back(std::move(table));
}

} // namespace trainyard::study
