// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// slaq beside the rules around it: simple rules that predict nothing, schedulers that grow jobs by their progress, and the exact division.
#include "studies/slaq/SlaqQuality.h"
#include "studies/slaq/SlaqStudy.h"

namespace trainyard::study {

namespace slaq_field {

using namespace slaq_quality;

const std::vector<Arm>& arms() {
    static const std::vector<Arm> all{
        {"fair", "Fair share of cores", {"fair", {}}},
        {"slaq-safeguarded", "SLAQ with safeguards", {"slaq", {{"rule", std::string("safeguarded")}}}},
        {"slaq-last-change",
         "SLAQ without safeguards that predicts that the last change goes on",
         {"slaq", {{"rule", std::string("faithful")}, {"curve", std::string("last-change")}}}},
        {"slaq-max-min",
         "SLAQ with safeguards that lowers the worst loss",
         {"slaq", {{"rule", std::string("safeguarded")}, {"objective", std::string("max-min")}}}},
        {"max-loss-first", "Highest loss first", {"max-loss-first", {}}},
        {"optimus", "Marginal gains (Optimus)", {"optimus", {}}},
        {"afs", "Short and efficient jobs (AFS-L)", {"afs", {}}},
        {"quality-rate", "Most quality per work ahead", {"quality-rate", {}}}};
    return all;
}

const std::vector<Arm>& divisions() {
    static const std::vector<Arm> both{
        {"exact",
         "the exact division",
         {"slaq", {{"rule", std::string("faithful")}, {"division", std::string("exact")}}}},
        {"greedy", "the greedy division of SLAQ without safeguards", {"slaq", {{"rule", std::string("faithful")}}}}};
    return both;
}

void judgeArms(const Measured& measured, double load, StudyReport& report) {
    for (std::size_t rival = 2; rival + 1 < arms().size(); ++rival)
        for (const char* metric : {"mean_active_loss", "time_to_90_s"}) {
            Claim claim =
                judged(measured, "At load " + number(load),
                       {.id = "field/load-" + number(load) + "/" + metric + "/slaq-safeguarded/" + arms()[rival].name,
                        .arm = arms()[1],
                        .against = arms()[rival],
                        .measure = measureOf(metric)});
            const auto last = change(measured, arms()[1].name, "time_to_99_s", arms()[rival].name);
            if (metric == measures().front().metric && claim.interval && claim.interval->first > 0 && last &&
                last->n > 1 && intervalOf(*last).second < 0)
                claim.finding += ", whose jobs wait longer for their last percent and lower this mean meanwhile";
            report.claims.push_back(std::move(claim));
        }
}

/// Marginal gains that fall make greedy exact; those of whole updates and of fits need not.
void judgeDivisions(const Measured& measured, double load, StudyReport& report) {
    report.claims.push_back(judged(measured, "With 40 jobs on 160 cores at load " + number(load),
                                   {.id = "field/load-" + number(load) + "/mean_active_loss/greedy/exact",
                                    .arm = divisions()[1],
                                    .against = divisions()[0],
                                    .measure = measureOf("mean_active_loss"),
                                    .expected = Difference::Expected::aboutNoMore,
                                    .source = "derived: greedy is exact where gains fall with each worker",
                                    .margin = 0.02}));
}

} // namespace slaq_field

void slaqField(const StudyRequest& request, StudyReport& report) {
    using namespace slaq_field;
    if (!areUsable(arms(), request, report) || !areUsable(divisions(), request, report)) return;
    const std::size_t seeds = request.quick ? 3 : 10;
    StudyTable table = measuredTable("slaq-field"), small = measuredTable("slaq-divisions"),
               changes = changesTable("slaq-field-changes");
    for (const double load : request.quick ? std::vector{3.0} : std::vector{1.5, 3.0}) {
        const Measured measured = measure(request, {.load = load}, arms(), seeds, report, table);
        if (report.stopped) return;
        const Measured divided =
            measure(request, {.jobs = 40, .machines = 5, .load = load}, divisions(), seeds, report, small);
        if (report.stopped) return;
        judgeArms(measured, load, report);
        judgeDivisions(divided, load, report);
        addChanges(measured, number(load), arms(), changes);
    }
    for (StudyTable* each : {&table, &small, &changes}) report.tables.push_back(std::move(*each));
}

} // namespace trainyard::study
