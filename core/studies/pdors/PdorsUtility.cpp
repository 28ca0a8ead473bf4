// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Utility and training time of schedulers on the same random workloads, seed by seed: pdors beside fifo, drf, dorm and oasis, over
// numbers of machines and jobs and shares of time-critical jobs.
#include "studies/pdors/Pdors.h"

#include "base/SampleStatistics.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard::study {

namespace pdors_utility {

struct Setting {
    std::string name;
    PdorsWorkload workload;
};

const std::vector<std::string> schedulers{"fifo", "drf", "dorm", "oasis", "pdors", "pdors-plus"};

/// As claims call it.
std::string nameOf(const std::string& id) {
    static const std::map<std::string, std::string> names{{"fifo", "first in, first out"},
                                                          {"drf", "DRF"},
                                                          {"dorm", "Dorm"},
                                                          {"oasis", "OASiS"},
                                                          {"pdors", "PD-ORS"},
                                                          {"pdors-plus", "PD-ORS with a price floor"}};
    return names.at(id);
}

Choice choiceOf(const std::string& id, int horizon) {
    if (id == "fifo") return {id, {{"placing", std::string("spread")}}};
    if (id == "drf" || id == "dorm") return {id, {}};
    return {id, {{"slot_s", pdorsSlotSeconds}, {"horizon", std::int64_t{horizon}}, {"margin", pdorsMargin}}};
}

/// By scheduler, then by seed; runs that failed are NaN.
struct Measured {
    std::map<std::string, std::vector<double>> utility, training;
};

Measured measure(const StudyRequest& request, const Setting& setting, std::size_t seeds, StudyReport& report,
                 StudyTable& table) {
    std::vector<StudyRun> runs;
    for (const std::string& id : schedulers)
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            Scenario scenario = pdorsScenario(setting.workload, seed);
            scenario.policies.scheduler = choiceOf(id, setting.workload.horizon);
            runs.push_back({std::make_shared<const Scenario>(std::move(scenario)), seed});
        }
    const auto outcomes = simulateAll(request, runs, {}, report);
    Measured out;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const std::string& id = schedulers[i / seeds];
        const auto of = [&](const char* metric) {
            const auto it = outcomes[i].metrics.find(metric);
            return it == outcomes[i].metrics.end() ? std::nan("") : it->second;
        };
        out.utility[id].push_back(of("utility_total"));
        out.training[id].push_back(of("training_time_s"));
        table.rows.push_back({setting.name, std::to_string(setting.workload.jobs),
                              std::to_string(setting.workload.machines), id, std::to_string(i % seeds + 1),
                              number(out.utility[id].back()), number(out.training[id].back()),
                              number(of("finished_jobs")), number(of("rejected_jobs"))});
    }
    return out;
}

/// Mean over seeds of the difference, where both are known.
Estimate difference(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> out;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::isfinite(a[i]) && std::isfinite(b[i])) out.push_back(a[i] - b[i]);
    return estimateMean(out);
}

double meanOf(const std::vector<double>& values) {
    std::vector<double> known;
    std::copy_if(values.begin(), values.end(), std::back_inserter(known), [](double x) { return std::isfinite(x); });
    return sampleMean(known);
}

Claim compared(const Setting& setting, const std::string& better, const std::string& other, const char* what,
               const std::vector<double>& a, const std::vector<double>& b, int sign, std::string source) {
    const Estimate gain = difference(a, b);
    const auto interval = intervalOf(gain);
    const bool holds = sign > 0 ? interval.first > 0 : interval.second < 0;
    const bool reversed = sign > 0 ? interval.second < 0 : interval.first > 0;
    Claim claim{.id = setting.name + "/" + what + "/" + better + "-" + other,
                .claim = nameOf(better) + (sign > 0 ? " has more " : " has less ") + what + " than " + nameOf(other) +
                         " (" + std::to_string(setting.workload.jobs) + " jobs, " +
                         std::to_string(setting.workload.machines) + " machines, same workloads)",
                .source = std::move(source),
                .unit = std::string(what) == "utility" ? "1" : "s",
                .expected = {},
                .measured = gain.mean,
                .interval = interval,
                .n = gain.n,
                .finding = nameOf(better) + " " + number(meanOf(a)) + ", " + nameOf(other) + " " + number(meanOf(b)) +
                           (holds      ? "; the whole interval of the difference is on this side of zero"
                            : reversed ? "; the whole interval is on the other side of zero"
                                       : "; the interval holds zero")};
    setVerdict(claim, holds, reversed);
    return claim;
}

} // namespace pdors_utility

void pdorsUtility(const StudyRequest& request, StudyReport& report) {
    using namespace pdors_utility;
    const std::size_t seeds = request.quick ? 5 : 20;
    std::vector<Setting> settings{{"usual", {}},
                                  {"few-machines", {.machines = 20}},
                                  {"many-machines", {.machines = 100}},
                                  {"few-jobs", {.jobs = 20}},
                                  {"many-jobs", {.jobs = 100}},
                                  {"no-critical", {.insensitive = 0.30, .sensitive = 0.69}},
                                  {"all-critical", {.insensitive = 0, .sensitive = 0}}};
    if (request.quick) settings.resize(1);
    StudyTable table{.name = "pdors-utility",
                     .columns = {"setting", "jobs", "machines", "scheduler", "seed", "utility", "training_time_s",
                                 "finished", "rejected"},
                     .rows = {}};
    const char* recalled = "arXiv 2108.02917, as its brief recalls it, not verified";
    std::map<std::string, Measured> all;
    for (const Setting& setting : settings) {
        all[setting.name] = measure(request, setting, seeds, report, table);
        if (report.stopped) return;
        Measured& m = all[setting.name];
        for (const char* other : {"fifo", "drf", "dorm", "oasis"})
            report.claims.push_back(
                compared(setting, "pdors", other, "utility", m.utility["pdors"], m.utility[other], 1, recalled));
        report.claims.push_back(compared(setting, "pdors-plus", "pdors", "utility", m.utility["pdors-plus"],
                                         m.utility["pdors"], 1, "this program"));
    }
    Measured& usual = all["usual"];
    for (const char* other : {"fifo", "drf", "dorm", "oasis"})
        report.claims.push_back(compared(settings[0], "pdors", other, "training time", usual.training["pdors"],
                                         usual.training[other], -1, recalled));
    if (!request.quick) {
        const auto gap = [&](const char* setting, const char* other) {
            std::vector<double> out;
            Measured& m = all[setting];
            for (std::size_t i = 0; i < seeds; ++i) out.push_back(m.utility["pdors"][i] - m.utility[other][i]);
            return out;
        };
        const auto grows = [&](const char* id, const char* claim, const char* less, const char* more,
                               const char* other) {
            const Estimate change = difference(gap(more, other), gap(less, other));
            const auto interval = intervalOf(change);
            report.claims.push_back({.id = id,
                                     .claim = claim,
                                     .source = recalled,
                                     .unit = "1",
                                     .measured = change.mean,
                                     .interval = interval,
                                     .n = change.n,
                                     .finding = "the lead is " + number(meanOf(gap(less, other))) + " and " +
                                                number(meanOf(gap(more, other)))});
            setVerdict(report.claims.back(), interval.first > 0, interval.second <= 0);
        };
        grows("lead/jobs", "The lead of PD-ORS over DRF grows with the number of jobs (20 and 100).", "few-jobs",
              "many-jobs", "drf");
        grows("lead/machines", "The lead of PD-ORS over DRF grows with the number of machines (20 and 100).",
              "few-machines", "many-machines", "drf");
        grows("lead/critical",
              "The lead of PD-ORS over OASiS grows with the share of time-critical jobs (1 % and all).", "no-critical",
              "all-critical", "oasis");
    }
    report.tables.push_back(std::move(table));
}

} // namespace trainyard::study
