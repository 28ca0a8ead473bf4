// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How good embeddings of a user's triples become, on one machine and on four, beside what was published for the same data.
#include "base/LocalPath.h"
#include "learning/keyed/KeyedData.h"
#include "scenario/ScenarioChecks.h"
#include "studies/nups/NupsStudy.h"
#include "studies/nups/NupsTasks.h"

#include <nlohmann/json.hpp>

namespace trainyard::study {

namespace nups_triples {

/// Filtered mean reciprocal rank on the test facts.
struct Published {
    const char* name;
    std::uint64_t entities, relations, facts; ///< that are trained on
    double mrr;
};
constexpr const char* source = "ComplEx-N3 (2018), as listed in \"Link Prediction Problem: Experiment Results on "
                               "Benchmark Datasets\" (github.com/irokin/Link-Prediction-Experiment-Results)";
constexpr std::array<Published, 2> published{{{"UMLS", 135, 46, 5216, 0.838}, {"Kinships", 104, 25, 8544, 0.823}}};

struct Way {
    const char* name;
    std::int64_t nodes;
    const char* policy;
};
constexpr std::array<Way, 3> ways{
    {{"one_machine", 1, "static"}, {"four_static", 4, "static"}, {"four_adaptive", 4, "adaptive"}}};
constexpr std::uint64_t seeds = 3;

} // namespace nups_triples

Result<std::string> runTriples(const StudyRequest& request, const std::string& file) {
    using namespace nups_triples;
    if (!isLocalPath(file))
        return Problem{.code = "bad-path",
                       .message = {TRAINYARD_TEXT("--triples names a file in this directory or below, without \"..\"; "
                                                  "trainyard-cli import triples makes one"),
                                   {}}};
    const auto summary = readKeyedSummary(file);
    if (!summary) return summary.problems();
    const auto& counts = summary->header.counts;
    nlohmann::ordered_json out{
        {"entities", counts[0]}, {"relations", counts[1]}, {"facts", counts[2]}, {"seeds", seeds}};
    StudyReport report;
    for (const Way& way : ways) {
        auto made = taskScenario(request, nupsTasks[0],
                                 {.nodes = way.nodes, .threads = 1, .parameters = {way.policy, {}}, .epochs = 20});
        if (!made) return made.problems();
        auto scenario = std::make_shared<Scenario>(**made);
        KeyedAccess& access = *std::get<AnalyticWork>(scenario->jobs.front().work).keyed;
        access.task->data = {"triples-file", {{"file", file}}};
        access.task->model.parameters = {{"dimension", std::int64_t{100}},
                                         {"negatives", std::int64_t{20}},
                                         {"penalty", 1e-3},
                                         {"asked", std::int64_t{1'000'000}}};
        if (Problems problems = validateScenario(*scenario, *request.registry); hasErrors(problems)) return problems;
        std::vector<StudyRun> runs;
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) runs.push_back({scenario, seed});
        std::vector<double> mrr, hits;
        for (const StudyOutcome& outcome : simulateAll(request, runs, {}, report)) {
            if (!outcome.done) return report.problems;
            mrr.push_back(outcome.metrics.at("final_mrr"));
            hits.push_back(outcome.metrics.at("final_hits_at_10"));
        }
        const std::string name = way.name;
        out[name + "_mrr"] = estimateMean(mrr).mean;
        out[name + "_mrr_half_width"] = estimateMean(mrr).halfWidth.value_or(0);
        out[name + "_hits_at_10"] = estimateMean(hits).mean;
    }
    for (const Published& of : published)
        if (counts[0] == of.entities && counts[1] == of.relations && counts[2] == of.facts)
            out["published_data"] = of.name, out["published_mrr"] = of.mrr, out["published_source"] = source;
    return out.dump(2);
}

} // namespace trainyard::study
