// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// One or two epochs of the tasks on threads, beside virtual time: whether the policies come in the same order, and to the same quality.
#include "studies/nups/NupsTasks.h"

#include <cmath>

namespace trainyard::study {

namespace nups_tasks_executed {

struct Measured {
    std::string policy;
    double simulated = NAN, executed = NAN; ///< seconds per epoch
};

/// Pairs of policies, simulated at least half as long again apart, that come in the same order executed; of how many.
std::pair<std::size_t, std::size_t> sameOrder(const std::vector<Measured>& all) {
    std::size_t same = 0, of = 0;
    for (const Measured& a : all)
        for (const Measured& b : all) {
            if (!(a.simulated > 1.5 * b.simulated)) continue;
            ++of;
            same += a.executed > b.executed;
        }
    return {same, of};
}

} // namespace nups_tasks_executed

void nupsTasksExecuted(const StudyRequest& request, StudyReport& report) {
    using namespace nups_tasks_executed;
    StudyTable table{"nups-tasks-executed",
                     {"task", "policy", "run", "executed_epoch_s", "simulated_epoch_s", "executed_quality",
                      "simulated_quality", "executed_delivery_s", "simulated_delivery_s"},
                     {}};
    const int runs = request.quick ? 1 : 3;
    for (const NupsTask& task : nupsTasks) {
        std::vector<Measured> all;
        for (const Choice& policy :
             {Choice{"static", {}}, Choice{"relocating", {}}, tunedNups(), Choice{"adaptive", {}}}) {
            const TaskSettings settings{.nodes = 2,
                                        .threads = 1,
                                        .parameters = policy,
                                        .sampling = {.level = Conformity::nonConform},
                                        .epochs = request.quick ? 1 : 2};
            const auto scenario = taskScenario(request, task, settings);
            if (!scenario) return;
            const auto simulated = runTasks(request, {{&task, settings, 1}}, report).front();
            if (!simulated) return;
            const std::string quality = std::string("final_") + task.quality;
            std::vector<double> seconds;
            for (int run = 0; run < runs; ++run) {
                const auto kept = executeMetrics(request, *scenario, 1, report);
                if (!kept) return;
                const auto& m = kept->metrics;
                if (!m.contains(quality)) continue; // it diverged
                seconds.push_back(m.at("makespan_s") / (*scenario)->jobs.front().stop.epochs.value_or(1));
                table.rows.push_back(
                    {task.id, policy.id, std::to_string(run + 1), number(seconds.back()),
                     number(simulated->epochSeconds), number(m.at(quality)), number(simulated->quality),
                     number(m.contains("delivery_s") ? m.at("delivery_s") : NAN),
                     number(simulated->metrics.contains("delivery_s") ? simulated->metrics.at("delivery_s") : NAN)});
            }
            all.push_back({policy.id, simulated->epochSeconds, seconds.empty() ? NAN : estimateMean(seconds).mean});
        }
        const auto [same, of] = sameOrder(all);
        Claim claim{.id = std::string("tasks-executed/") + task.id + "/order",
                    .claim = std::string("Executed on threads, two machines of one worker, ") + task.name +
                             ": pairs of policies whose simulated epochs differ by half or more that come in the same "
                             "order, share",
                    .source = "this engine, simulated",
                    .unit = "1",
                    .expected = 1};
        if (of > 0) {
            claim.measured = static_cast<double>(same) / static_cast<double>(of);
            claim.n = of;
            claim.holds = same == of;
            claim.finding = std::to_string(runs) + " runs each; the table has the gaps";
        }
        report.claims.push_back(std::move(claim));
    }
    report.tables.push_back(std::move(table));
}

} // namespace trainyard::study
