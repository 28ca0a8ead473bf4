// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What pdors earns by how it rounds, and by how well it knows the bounds of its prices: the same workloads, seed by seed.
#include "studies/pdors/Pdors.h"

#include <algorithm>
#include <cmath>

namespace trainyard::study {

namespace pdors_choices {

struct Arm {
    std::string name;
    ParamValues parameters;
};

std::vector<Arm> arms() {
    const auto plain = [](double gain) {
        return Arm{"G = " + number(gain), {{"gain", gain}, {"repair", false}, {"draws", std::int64_t{50}}}};
    };
    std::vector<Arm> out{{"as declared", {}}};
    for (const double gain : {0.2, 0.6, 0.8, 1.0, 1.2, 1.8}) out.push_back(plain(gain));
    out.push_back({"history", {{"bounds", std::string("history")}}});
    for (const double span : {8.0, 10.0, 12.0}) out.push_back({"span " + number(span), {{"span", span}}});
    for (const double floor : {0.03, 0.1, 0.3, 0.6, 1.0}) out.push_back({"floor " + number(floor), {{"floor", floor}}});
    for (const double factor : {1e-3, 1e3}) out.push_back({"L × " + number(factor), {{"low_factor", factor}}});
    for (const double factor : {0.1, 10.0}) out.push_back({"U × " + number(factor), {{"high_factor", factor}}});
    return out;
}

/// Mean over seeds of the relative difference.
Estimate relativeDifference(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> out;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::isfinite(a[i]) && b[i] > 0) out.push_back(a[i] / b[i] - 1);
    return estimateMean(out);
}

} // namespace pdors_choices

void pdorsChoices(const StudyRequest& request, StudyReport& report) {
    using namespace pdors_choices;
    const std::size_t seeds = request.quick ? 5 : 20;
    const auto all = arms();
    std::vector<StudyRun> runs;
    const PdorsWorkload workload{.machines = 20};
    for (const Arm& arm : all)
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            Scenario scenario = pdorsScenario(workload, seed);
            ParamValues parameters = arm.parameters;
            parameters["slot_s"] = pdorsSlotSeconds;
            parameters["margin"] = pdorsMargin;
            scenario.policies.scheduler = {"pdors", parameters};
            runs.push_back({std::make_shared<const Scenario>(std::move(scenario)), seed});
        }
    const auto outcomes = simulateAll(request, runs, {}, report);
    if (report.stopped) return;
    StudyTable table{.name = "pdors-choices", .columns = {"choice", "seed", "utility"}, .rows = {}};
    std::vector<std::vector<double>> utility(all.size());
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const auto it = outcomes[i].metrics.find("utility_total");
        utility[i / seeds].push_back(it == outcomes[i].metrics.end() ? std::nan("") : it->second);
        table.rows.push_back({all[i / seeds].name, std::to_string(i % seeds + 1), number(utility[i / seeds].back())});
    }
    report.tables.push_back(std::move(table));
    const auto armOf = [&](const char* name) -> const std::vector<double>& {
        return utility[static_cast<std::size_t>(
            std::find_if(all.begin(), all.end(), [name](const Arm& a) { return a.name == name; }) - all.begin())];
    };
    for (std::size_t a = 0; a < all.size(); ++a) {
        const bool gain = all[a].name.starts_with("G = ");
        if (all[a].name == "as declared" || all[a].name == "G = 1") continue;
        const Estimate change = relativeDifference(utility[a], armOf(gain ? "G = 1" : "as declared"));
        const auto interval = intervalOf(change);
        Claim claim{.id = "choices/" + all[a].name,
                    .claim = {},
                    .source = {},
                    .unit = "1",
                    .measured = change.mean,
                    .interval = interval,
                    .n = change.n};
        if (gain) {
            claim.claim = "Plain redrawing with " + all[a].name + " earns no more than with G = 1 (20 machines).";
            claim.source = "arXiv 2108.02917, as its brief recalls it, not verified: best near 1";
            claim.holds = interval.first <= 0;
        } else {
            claim.claim = "With " + all[a].name + " PD-ORS earns as much as with the paper's bounds, within 10 %.";
            claim.source = "this program";
            claim.holds = interval.first > -0.1;
        }
        claim.finding = "relative difference of the utility, mean over seeds";
        report.claims.push_back(std::move(claim));
    }
}

} // namespace trainyard::study
