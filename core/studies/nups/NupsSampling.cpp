// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What each scheme of sampling costs and brings: time per epoch, time to the stated quality, the quality at last, and how many reads
// were local; under relocation, where samples have to come, and with replicas.
#include "studies/nups/NupsTasks.h"

#include <cmath>

namespace trainyard::study {

namespace nups_sampling {

struct Scheme {
    const char* name;
    KeyedSampling sampling;
};

std::vector<Scheme> schemes() {
    using C = Conformity;
    using S = SamplingScheme;
    return {{"independent", {.level = C::conform, .scheme = S::independent}},
            {"pre-localized", {.level = C::conform, .scheme = S::preLocalized}},
            {"reuse 16", {.level = C::bounded, .scheme = S::reuse, .reuse = 16}},
            {"reuse 64", {.level = C::bounded, .scheme = S::reuse, .reuse = 64}},
            {"postponed 16", {.level = C::longTerm, .scheme = S::postponed, .reuse = 16}},
            {"local", {.level = C::nonConform, .scheme = S::local}},
            {"repurposed", {.level = C::nonConform, .scheme = S::repurposed}}};
}

Estimate meanOf(const std::vector<double>& values) {
    return values.empty() ? Estimate{.mean = NAN} : estimateMean(values);
}

} // namespace nups_sampling

void nupsSampling(const StudyRequest& request, StudyReport& report) {
    using namespace nups_sampling;
    StudyTable table{"nups-sampling",
                     {"task", "policy", "scheme", "seeds", "epoch_s", "reached", "to_quality_s", "half_width_s",
                      "quality", "quality_half_width", "local_reads"},
                     {}};
    const std::uint64_t seeds = request.quick ? 2 : 5;
    const auto all = schemes();
    for (const NupsTask& task : nupsTasks) {
        if (!task.samples) continue;
        for (const Choice& policy : {Choice{"relocating", {}}, tunedNups()}) {
            if (request.quick && policy.id == "relocating") continue; // nothing is claimed of it
            std::vector<TaskRun> runs;
            for (const Scheme& scheme : all)
                for (std::uint64_t seed = 1; seed <= seeds; ++seed)
                    runs.push_back({&task, {.parameters = policy, .sampling = scheme.sampling}, seed});
            const auto results = runTasks(request, runs, report, true);
            std::map<std::string, double> epochOf;
            for (std::size_t n = 0; n < all.size(); ++n) {
                std::vector<double> epochs, reached, qualities, local;
                for (std::size_t s = 0; s < seeds; ++s) {
                    const auto& result = results[n * seeds + s];
                    if (!result) continue;
                    const double here = result->metrics.at("local_pulls"),
                                 elsewhere = result->metrics.at("pulls_not_local");
                    epochs.push_back(result->epochSeconds);
                    qualities.push_back(result->quality);
                    local.push_back(here / (here + elsewhere));
                    if (!std::isnan(result->toQuality)) reached.push_back(result->toQuality);
                }
                const Estimate r = meanOf(reached), q = meanOf(qualities);
                epochOf[all[n].name] = meanOf(epochs).mean;
                table.rows.push_back({task.id, policy.id, all[n].name, std::to_string(epochs.size()),
                                      number(meanOf(epochs).mean), std::to_string(reached.size()), number(r.mean),
                                      number(r.halfWidth.value_or(NAN)), number(q.mean),
                                      number(q.halfWidth.value_or(NAN)), number(meanOf(local).mean)});
            }
            if (report.stopped || policy.id != "nups") continue;
            Claim claim{
                .id = std::string("sampling/") + task.id + "/local-over-independent",
                .claim = std::string("Time per epoch of ") + task.name +
                         ", NuPS with replicas: independent samples over samples among the keys that are there, at "
                         "least 1",
                .source = "Renz-Wieland et al. 2022, abstract: sampling is one of the causes of non-uniform access; "
                          "the size of the effect is not theirs",
                .unit = "1"};
            if (epochOf["local"] > 0) {
                claim.measured = epochOf["independent"] / epochOf["local"];
                claim.n = seeds;
                claim.holds = *claim.measured >= 1;
                claim.finding = "the table has the quality that each scheme comes to";
            }
            report.claims.push_back(std::move(claim));
        }
    }
    report.tables.push_back(std::move(table));
}

} // namespace trainyard::study
