// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How the tasks scale from one machine to sixteen; how NuPS depends on the number of replicas and on how often they are made equal; and
// how uneven the accesses of the tasks are.
#include "studies/nups/NupsTasks.h"

#include "learning/KeyRanks.h"

#include <cmath>

namespace trainyard::study {

void nupsTaskScaling(const StudyRequest& request, StudyReport& report) {
    StudyTable table{"nups-task-scaling",
                     {"task", "policy", "machines", "epoch_s", "over_one_machine", "server_thread_use", "sending_use"},
                     {}};
    const std::vector<std::int64_t> sizes =
        request.quick ? std::vector<std::int64_t>{1, 8} : std::vector<std::int64_t>{1, 2, 4, 8, 16};
    const std::vector<Choice> policies{{"static", {}}, {"relocating", {}}, tunedNups(), {"adaptive", {}}};
    for (const NupsTask& task : nupsTasks) {
        std::vector<TaskRun> runs;
        for (const Choice& policy : policies)
            for (const std::int64_t nodes : sizes)
                runs.push_back({&task,
                                {.nodes = nodes,
                                 .parameters = policy,
                                 .sampling = {.level = Conformity::nonConform, .scheme = SamplingScheme::local}},
                                1});
        const auto results = runTasks(request, runs, report, true);
        double farthest = 0;
        for (std::size_t n = 0; n < runs.size(); ++n) {
            const auto& result = results[n];
            const auto& first = results[n - n % sizes.size()];
            const double factor = result && first ? first->epochSeconds / result->epochSeconds : NAN;
            if (runs[n].settings.parameters.id == "adaptive" && factor > farthest) farthest = factor;
            table.rows.push_back({task.id, runs[n].settings.parameters.id, std::to_string(runs[n].settings.nodes),
                                  result ? number(result->epochSeconds) : "", number(factor),
                                  result ? number(result->metrics.at("server_thread_use")) : "",
                                  result ? number(result->metrics.at("sending_use")) : ""});
        }
        if (report.stopped) break;
        const auto most = static_cast<double>(sizes.back());
        Claim claim{
            .id = std::string("tasks/") + task.id + "/scaling",
            .claim =
                std::string("Epochs per second of ") + task.name + " on " + number(most) +
                " machines of two workers over one, adaptive policy, the most of all sizes: at least half of linear",
            .source =
                "Renz-Wieland et al. 2022, abstract: up to linear scalability; the task and the policy are not theirs",
            .unit = "1",
            .expected = most / 2};
        if (farthest > 0) {
            claim.measured = farthest;
            claim.n = 1;
            claim.holds = farthest >= most / 2;
            claim.finding = "virtual time, seed 1; the table has the use of server threads and networks";
        }
        report.claims.push_back(std::move(claim));
    }
    report.tables.push_back(std::move(table));
}

void nupsManagement(const StudyRequest& request, StudyReport& report) {
    StudyTable table{"nups-management",
                     {"task", "replicas", "rounds_per_s", "epoch_s", "to_quality_s", "quality", "copy_age_s"},
                     {}};
    const std::vector<double> rounds =
        request.quick ? std::vector<double>{5, 250} : std::vector<double>{1, 5, 25, 125, 625};
    for (const NupsTask& task : nupsTasks) {
        std::vector<TaskRun> runs;
        for (const std::int64_t replicas : {0, 10, 40, 160})
            for (const double perSecond : rounds) {
                if (replicas == 0 && perSecond > rounds.front()) continue;
                runs.push_back({&task,
                                {.parameters = {"nups",
                                                {{"rule", std::string("most-frequent")},
                                                 {"replicate", replicas},
                                                 {"syncs_per_second", perSecond}}},
                                 .sampling = {.level = Conformity::nonConform, .scheme = SamplingScheme::local}},
                                1});
            }
        const auto results = runTasks(request, runs, report, true);
        for (std::size_t n = 0; n < runs.size(); ++n) {
            const auto& values = runs[n].settings.parameters.parameters;
            table.rows.push_back({task.id, std::to_string(std::get<std::int64_t>(values.at("replicate"))),
                                  number(std::get<double>(values.at("syncs_per_second")))});
            auto& row = table.rows.back();
            const auto& result = results[n]; // a model that diverges has none
            row.push_back(result ? number(result->epochSeconds) : "");
            row.push_back(result ? number(result->toQuality) : "");
            row.push_back(result ? number(result->quality) : "diverged");
            row.push_back(result && result->metrics.contains("copy_age_s") ? number(result->metrics.at("copy_age_s"))
                                                                           : "");
        }
    }
    report.tables.push_back(std::move(table));
}

void nupsSkew(const StudyRequest& request, StudyReport& report) {
    StudyTable table{"nups-skew",
                     {"task", "keys", "most_over_mean", "share_of_first_tenth_percent", "share_of_first_percent",
                      "share_of_first_ten_percent", "keys_above_10_means", "keys_above_100_means"},
                     {}};
    for (const NupsTask& task : nupsTasks) {
        const auto known = keysOf(request, task);
        if (!known) return;
        const KeyRanks& keys = *known;
        const auto share = [&](double part) {
            return number(keys.probabilityOfFirst(static_cast<std::uint32_t>(std::ceil(part * keys.keys()))));
        };
        table.rows.push_back({task.id, std::to_string(keys.keys()), number(keys.probability(0) * keys.keys()),
                              share(0.001), share(0.01), share(0.1), std::to_string(keys.countAbove(10)),
                              std::to_string(keys.countAbove(100))});
    }
    report.tables.push_back(std::move(table));
}

} // namespace trainyard::study
