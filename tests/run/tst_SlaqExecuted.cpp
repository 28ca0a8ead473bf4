// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How executed runs are judged beside simulated ones: one minimum of losses per seed over both modes and all schedulers, gaps, and whether
// the modes order the schedulers alike.
#include "studies/slaq/SlaqExecuted.h"
#include "support/TestMain.h"

#include <algorithm>

using namespace trainyard;
using namespace trainyard::study;
using namespace trainyard::study::slaq_executed;

class tst_SlaqExecuted : public QObject {
    Q_OBJECT
private slots:
    void seedsHaveOneMinimum();
    void modesAreCompared();
    void ordersAreCompared();
    void failedRunsAreLeftOut();
};

namespace {

/// Of one job from 10 down to `least` at second 5; its minimum alone gives times.
KeptMetrics fallingTo(double least) {
    LossAccounts losses{.jobs = {{.job = 0,
                                  .first = 10,
                                  .least = least,
                                  .since = 5,
                                  .lossSince = 50,
                                  .inSystem = 5,
                                  .lossIntegral = 50,
                                  .records = {{0, 10}, {4, 1.5}, {5, least}}}},
                        .seconds = 5};
    return {.metrics = {{"time_to_90_s", -1}}, .losses = std::make_shared<const LossAccounts>(losses)};
}

std::optional<KeptMetrics> valued(double value) {
    KeptMetrics out;
    for (const char* name : {"mean_active_loss", "time_to_90_s", "time_to_95_s", "time_to_99_s", "makespan_s"})
        out.metrics[name] = value;
    return out;
}

/// Each arm has the values of fair times its factor, nearly.
Runs runs(const std::string& mode, const std::map<std::string, double>& factors) {
    Runs out{mode, {}};
    for (const std::string& arm : arms)
        for (int seed = 0; seed < 4; ++seed) {
            const double factor = factors.contains(arm) ? factors.at(arm) : 1;
            out.of[arm].push_back(valued((10 + seed) * factor * (1 + 0.001 * (arm == "fair" ? 0 : seed))));
        }
    return out;
}

const Claim& claimOf(const StudyReport& report, const std::string& id) {
    const auto it = std::ranges::find(report.claims, id, &Claim::id);
    if (it == report.claims.end()) throw std::runtime_error("no claim " + id);
    return *it;
}

bool has(const StudyReport& report, const std::string& id) {
    return std::ranges::find(report.claims, id, &Claim::id) != report.claims.end();
}

} // namespace

// Seed 1: the executed run comes to 0, so that 90 % of the drop are at 1, which the simulated one, least 1, sees at 5 s, not at 4 s
// (10 − 0.9·9 = 1.9). Seed 2 has a simulated run alone.
void tst_SlaqExecuted::seedsHaveOneMinimum() {
    Runs simulated{"simulated", {{"fair", {fallingTo(1), fallingTo(1)}}}};
    Runs executed{"executed", {{"slaq", {fallingTo(0)}}}};
    measureTogether({&simulated, &executed});
    QCOMPARE(simulated.of["fair"][0]->metrics.at("time_to_90_s"), 5.0);
    QCOMPARE(simulated.of["fair"][1]->metrics.at("time_to_90_s"), 4.0);
    QCOMPARE(executed.of["slaq"][0]->metrics.at("time_to_90_s"), 5.0);
}

void tst_SlaqExecuted::modesAreCompared() {
    StudyReport report;
    Runs executed = runs("executed", {});
    for (auto& run : executed.of["slaq"]) run->metrics["makespan_s"] *= 1.2;
    for (auto& run : executed.of["quality-rate"]) run->metrics["makespan_s"] *= 1.03;
    judge(runs("simulated", {}), executed, report);
    const Claim& far = claimOf(report, "executed/slaq/makespan_s");
    QVERIFY(!far.holds && std::abs(*far.measured - 0.2) < 1e-9);
    QVERIFY(claimOf(report, "executed/quality-rate/makespan_s").holds);
    QVERIFY(claimOf(report, "executed/fair/time_to_99_s").holds);
}

// Better and worse in both; better simulated and worse executed; alike simulated: nothing is to be agreed with.
void tst_SlaqExecuted::ordersAreCompared() {
    StudyReport report;
    judge(runs("simulated", {{"slaq", 0.8}, {"slaq-faithful", 0.8}}),
          runs("executed", {{"slaq", 0.9}, {"slaq-faithful", 1.1}, {"quality-rate", 0.9}}), report);
    QVERIFY(claimOf(report, "executed/order/simulated/slaq").holds &&
            claimOf(report, "executed/order/executed/slaq").holds);
    QVERIFY(claimOf(report, "executed/same-order/slaq/mean_active_loss").holds);
    QVERIFY(!claimOf(report, "executed/same-order/slaq-faithful/time_to_99_s").holds);
    const Claim& loses = claimOf(report, "executed/order/executed/slaq-faithful/time_to_99_s");
    QVERIFY(!loses.holds && loses.finding.find("loses") != std::string::npos);
    QVERIFY(!claimOf(report, "executed/order/simulated/quality-rate").holds);
    QVERIFY(!has(report, "executed/order/simulated/fair") && !has(report, "executed/same-order/slaq/makespan_s"));
}

void tst_SlaqExecuted::failedRunsAreLeftOut() {
    StudyReport report;
    Runs executed = runs("executed", {{"slaq", 0.8}});
    executed.of["slaq"][1].reset();
    executed.of["slaq-faithful"].clear(); // not executed
    judge(runs("simulated", {{"slaq", 0.8}}), executed, report);
    QCOMPARE(claimOf(report, "executed/order/executed/slaq").n, std::size_t{3});
    QCOMPARE(claimOf(report, "executed/order/simulated/slaq").n, std::size_t{4});
    QVERIFY(!has(report, "executed/order/executed/slaq-faithful") && !has(report, "executed/slaq-faithful/makespan_s"));
}

TRAINYARD_TEST(tst_SlaqExecuted)
#include "tst_SlaqExecuted.moc"
