// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Comparisons as the window and the command line share them: arms across families, how many seeds are enough, what is corrected and
// counted, what is kept, the charts' numbers, and files that repeat it.
#include "base/Format.h"
#include "base/Random.h"
#include "run/TinyScenario.h"
#include "run/compare/ComparisonCharts.h"
#include "run/compare/ComparisonFile.h"
#include "run/compare/Response.h"
#include "run/compare/Seeds.h"
#include "run/files/AtomicFile.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <cmath>

using namespace trainyard;
using trainyard::test::tinyScenario;

namespace {

ComparisonRequest request(const std::vector<std::string>& arms, std::size_t seeds = 4,
                          Scenario scenario = tinyScenario()) {
    ComparisonRequest out{.scenario = std::make_shared<const Scenario>(std::move(scenario)),
                          .registry = std::make_shared<const Registry>(Registry::builtin())};
    for (const auto& text : arms) out.arms.push_back(armFrom(*out.scenario, *out.registry, text).value());
    for (std::size_t s = 1; s <= seeds; ++s) out.seeds.push_back(s);
    out.threads = 2;
    return out;
}

const std::vector<std::string> two{"synchronization=full-sync", "synchronization=async"};

/// Results with one metric "x" by arm and seed.
ComparisonResult made(const std::vector<std::vector<double>>& values) {
    ComparisonResult out;
    for (std::size_t a = 0; a < values.size(); ++a) {
        out.arms.push_back({.name = std::string(1, static_cast<char>('a' + a))});
        for (const double v : values[a])
            out.arms.back().runs.emplace_back(std::map<std::string, double>{{"x", v}, {"mean_jct_s", v}});
    }
    for (std::size_t s = 1; s <= values.front().size(); ++s) out.seeds.push_back(s);
    return out;
}

const Series& seriesOf(const Chart& chart, const std::string& key) {
    for (const Series& s : chart.plots.front().series)
        if (s.key == key) return s;
    throw std::runtime_error("no series " + key);
}

} // namespace

class tst_Comparison : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void armsAcrossFamilies();
    void refusedArmsAreCounted();
    void unfinishedRunsAreCounted();
    void choicesOfJobsAreSaid();
    void piecesMakeTheWhole();
    void lossesAreKept();
    void looksDouble();
    void stopsWhenNarrow();
    void ruleKeepsItsCoverage();
    void intervalsCoverAtTheirRate_data();
    void intervalsCoverAtTheirRate();
    void runsAreReadLikeMaps();
    void differencesAreCorrected();
    void lossBandByHand();
    void roundingIsNoDifference();
    void divergedRunsAreLeftOut();
    void meansByHand();
    void boxesByHand();
    void intervalsWithoutWidthAreExplained();
    void distributionByHand();
    void oneRunIsNoEvidence();
    void fileSaysWhatWasCompared();
    void commandRepeats();
    void seedsAsText();
    void responseByHand();
    void metricThatAnswers();
    void valuesOfARange();
};

void tst_Comparison::armsAcrossFamilies() {
    const auto r = request({"scheduler=srtf,synchronization=async", "scenario", "synchronization=async"});
    QCOMPARE(r.arms[0].name, std::string("srtf + async"));
    QCOMPARE(r.arms[0].choices.size(), std::size_t{2});
    const auto scenario = armScenario(r, 0);
    QCOMPARE((*scenario)->policies.scheduler.id, std::string("srtf"));
    QCOMPARE((*scenario)->policies.synchronization.id, std::string("async"));
    QVERIFY((*armScenario(r, 1))->policies == r.scenario->policies);
    for (const char* wrong : {"", "async", "synchronization", "colour=red", "synchronization=async,synchronization=ssp",
                              "synchronization=nope"})
        QVERIFY2(!armFrom(*r.scenario, *r.registry, wrong), wrong);
    const auto result = compare(r);
    QVERIFY(result.problems.empty());
    // Two jobs on machines of their own: the scheduler changes nothing, the synchronization does.
    QVERIFY(result.arms[0].metrics.at("makespan_s").mean != result.arms[1].metrics.at("makespan_s").mean);
}

void tst_Comparison::refusedArmsAreCounted() {
    auto r = request(two);
    r.arms.push_back({"fastest-0", {{PolicyFamily::synchronization, {"fastest-k", {{"k", std::int64_t{0}}}}}}});
    const auto result = compare(r);
    QCOMPARE(result.arms[2].failed, std::size_t{4});
    QCOMPARE(result.arms[0].failed, std::size_t{0});
    QCOMPARE(result.problems.size(), std::size_t{1}); // said once, not for every seed
    QVERIFY(result.problems.front().message.english().find("fastest-0") == 0);
    QCOMPARE(result.done(), std::size_t{8});
    const Chart chart = comparisonChart({result}, "makespan_s", ComparisonChartKind::means);
    QVERIFY(chart.caution.english().find("4 runs failed") != std::string::npos);
}

void tst_Comparison::unfinishedRunsAreCounted() {
    Scenario scenario = tinyScenario();
    scenario.horizonSeconds = 0.5;
    const auto result = compare(request(two, 3, scenario));
    QCOMPARE(result.arms[0].unfinished, std::size_t{3});
    QCOMPARE(result.arms[0].failed, std::size_t{0});
}

void tst_Comparison::choicesOfJobsAreSaid() {
    Scenario scenario = tinyScenario();
    for (Job& job : scenario.jobs) job.synchronization.id = "full-sync";
    auto r = request(two, 2, scenario);
    QCOMPARE(armScenario(r, 1).problems().size(), std::size_t{1});
    const auto same = compare(r);
    QCOMPARE(same.arms[1].differences.at("makespan_s").mean, 0.0);
    r.everyJob = true;
    QVERIFY(armScenario(r, 1).problems().empty());
    QVERIFY(compare(r).arms[1].differences.at("makespan_s").mean != 0.0);
}

void tst_Comparison::piecesMakeTheWhole() {
    auto r = request(two);
    auto pieces = emptyResult(r);
    r.finished = [&](const ComparisonRun& run) { addRun(pieces, run); };
    const auto whole = compare(r);
    summarise(pieces, 0);
    for (std::size_t a = 0; a < 2; ++a) {
        QVERIFY(pieces.arms[a].runs == whole.arms[a].runs);
        QVERIFY(pieces.arms[a].pValues == whole.arms[a].pValues);
        QCOMPARE(pieces.arms[a].metrics.at("makespan_s").mean, whole.arms[a].metrics.at("makespan_s").mean);
    }
}

void tst_Comparison::lossesAreKept() {
    const QTemporaryDir directory;
    const auto store = ResultStore::open(directory.filePath("results.db").toStdString()).value();
    auto r = request(two, 2);
    r.kept = KeptResults(store, true);
    compare(r); // without losses
    r.traces = true;
    const auto first = compare(r);
    QVERIFY(!first.arms[0].traces[0].empty());
    QCOMPARE(store->size(), std::size_t{8});
    const auto again = compare(r);
    QVERIFY(again.arms[1].traces == first.arms[1].traces);
    QVERIFY(again.arms[1].runs == first.arms[1].runs);
}

void tst_Comparison::looksDouble() {
    QVERIFY((HalfWidthRule::looks(1280) == std::vector<std::size_t>{10, 20, 40, 80, 160, 320, 640, 1280}));
    QVERIFY((HalfWidthRule::looks(50) == std::vector<std::size_t>{10, 20, 40, 50}));
    QVERIFY((HalfWidthRule::looks(4) == std::vector<std::size_t>{4}));
    QCOMPARE(HalfWidthRule::confidence(1), 0.95);
    QCOMPARE(HalfWidthRule::confidence(5), 0.99);
}

void tst_Comparison::stopsWhenNarrow() {
    auto r = request(two, 40);
    r.until = HalfWidthRule{"makespan_s", 1e3};
    const auto wide = compare(r);
    QCOMPARE(wide.seeds.size(), std::size_t{10});
    QCOMPARE(wide.reached, std::optional<bool>(true));
    QCOMPARE(wide.looks, std::size_t{3});
    QVERIFY(std::abs(wide.confidence() - (1 - 0.05 / 3)) < 1e-12);
    r.until->relative = 1e-9;
    const auto narrow = compare(r);
    QCOMPARE(narrow.seeds.size(), std::size_t{40});
    QCOMPARE(narrow.reached, std::optional<bool>(false));
}

// 1,000 repetitions of a normal metric, mean 10, deviation 2, until 10 %: the last interval misses the mean in at most 5 % of them. 50 are
// expected at the most, deviation 6.9: more than 71 have a chance below 0.1 %. Intervals at 95 % at every look, which is what the rule is
// not, miss it more often.
void tst_Comparison::ruleKeepsItsCoverage() {
    const auto looks = HalfWidthRule::looks(1280);
    const HalfWidthRule rule{"x", 0.1};
    int missed = 0, naiveMissed = 0;
    RandomStream random(11, Purpose::test);
    for (int repetition = 0; repetition < 1000; ++repetition) {
        std::vector<double> values;
        bool ended = false, naiveEnded = false;
        for (const std::size_t n : looks) {
            while (values.size() < n) values.push_back(10 + 2 * random.normal());
            const auto misses = [&](double confidence) {
                const Estimate e = estimateMean(values, confidence);
                return std::abs(e.mean - 10) > *e.halfWidth;
            };
            const Estimate plain = estimateMean(values);
            if (!naiveEnded && *plain.halfWidth <= 0.1 * plain.mean) {
                naiveEnded = true;
                naiveMissed += misses(0.95);
            }
            if (!ended && (rule.isReached(values, looks.size()) || n == looks.back())) {
                ended = true;
                missed += misses(HalfWidthRule::confidence(looks.size()));
            }
        }
    }
    QVERIFY2(missed <= 71, qPrintable(QString::number(missed)));
    QVERIFY2(naiveMissed > missed, qPrintable(QStringLiteral("%1 %2").arg(naiveMissed).arg(missed)));
}

void tst_Comparison::intervalsCoverAtTheirRate_data() {
    QTest::addColumn<int>("seeds");
    for (const int seeds : {2, 5, 20}) QTest::newRow(qPrintable(QString::number(seeds))) << seeds;
}

// A synthetic metric whose truth is known: its mean in each arm, and the difference of two arms that share half of their
// noise (common random numbers). Of 1,000 repetitions 50 miss on average; more than 71 or fewer than 31 come about by chance
// in one of 500 tests (binomial).
void tst_Comparison::intervalsCoverAtTheirRate() {
    QFETCH(const int, seeds);
    int missed = 0, missedDifference = 0;
    RandomStream random(12, Purpose::test, static_cast<std::uint32_t>(seeds));
    for (int repetition = 0; repetition < 1000; ++repetition) {
        std::vector<double> a, b;
        for (int s = 0; s < seeds; ++s) {
            const double common = random.normal();
            a.push_back(10 + common + random.normal());
            b.push_back(13 + common + 2 * random.normal());
        }
        const ComparisonResult r = [&] {
            auto result = made({a, b});
            summarise(result, 0);
            return result;
        }();
        const Estimate& mean = r.arms[0].metrics.at("x");
        const Estimate& difference = r.arms[1].differences.at("x");
        missed += std::abs(mean.mean - 10) > *mean.halfWidth;
        missedDifference += std::abs(difference.mean - 3) > *difference.halfWidth;
    }
    QVERIFY2(missed >= 31 && missed <= 71, qPrintable(QString::number(missed)));
    QVERIFY2(missedDifference >= 31 && missedDifference <= 71, qPrintable(QString::number(missedDifference)));
}

void tst_Comparison::runsAreReadLikeMaps() {
    RandomStream random(13, Purpose::test);
    MetricValues before;
    for (int round = 0; round < 500; ++round) {
        std::map<std::string, double> map;
        for (int i = 0; i < 12; ++i)
            if (random.below(8) > 0) map["m" + std::to_string(i)] = random.normal();
        if (round % 50 == 0) map.clear();
        const MetricValues values(map, before);
        QCOMPARE(values.size(), map.size());
        QCOMPARE(values.empty(), map.empty());
        std::map<std::string, double> again;
        for (const auto& [name, value] : values) again.emplace(name, value);
        QCOMPARE(again, map);
        for (int i = 0; i < 12; ++i) {
            const std::string name = "m" + std::to_string(i);
            const auto it = values.find(name);
            QCOMPARE(it != values.end(), map.contains(name));
            if (it != values.end()) QCOMPARE(it->second, map.at(name));
            if (it != values.end()) QCOMPARE(values.at(name), map.at(name));
        }
        QVERIFY(MetricValues(map) == values);
        QVERIFY(map.empty() || MetricValues(map, values).sharesNamesWith(values));
        before = values;
    }
    QVERIFY_THROWS_EXCEPTION(std::out_of_range, static_cast<void>(before.at("nothing")));
}

// Differences to a: of b 1, 2, 3: mean 2, s 1, t = 2√3 = 3.464, two-sided p with 2 degrees of freedom 0.0742; of c 10, 10, 10: no spread.
void tst_Comparison::differencesAreCorrected() {
    auto result = made({{5, 5, 5}, {6, 7, 8}, {15, 15, 15}, {5, 5, 5}});
    summarise(result, 0);
    QCOMPARE(result.arms[1].differences.at("x").mean, 2.0);
    QCOMPARE(result.arms[2].differences.at("x").mean, 10.0);
    QVERIFY(!result.arms[2].pValues.contains("x")); // the same at every seed: there is nothing to test
    QVERIFY(std::abs(result.arms[1].pValues.at("x") - 2 * 0.0742) < 2e-4); // first of two
    QCOMPARE(result.arms[3].pValues.at("x"), 1.0);
    QCOMPARE(result.arms[0].pValues.count("x"), std::size_t{0});
    const std::vector<double> p{0.01, 0.04, 0.03};
    const auto adjusted = holmAdjusted(p);
    QCOMPARE(adjusted[0], 0.03);
    QCOMPARE(adjusted[1], 0.06);
    QCOMPARE(adjusted[2], 0.06);
    result.looks = 2; // twice the chances to be wrong
    summarise(result, 0);
    QVERIFY(std::abs(result.arms[1].pValues.at("x") - 4 * 0.0742) < 4e-4);
}

void tst_Comparison::lossBandByHand() {
    const LossTrace a{{0, 10}, {4, 1}}, b{{0, 5}, {6, 3}}, c{{5, 10}, {8, 5}};
    const LossBand band = lossBand({&a, &b, &c}, 3);
    QVERIFY((band.seconds == std::vector<double>{0, 5, 10}));
    QVERIFY((band.median == std::vector<double>{5, 4, 3})); // 4 6 | 3 4 8 | 1 3 5
    QVERIFY((band.low == std::vector<double>{4.5, 3.5, 2}));
    QVERIFY((band.high == std::vector<double>{5.5, 6, 4}));
    QVERIFY(lossTraceFrom(lossTraceText(a)) == a);
    QVERIFY(!lossTraceFrom("{}"));
}

// A nanosecond of hundreds of seconds is no difference, a millionth is one; and what differs is worth a chart, not what varies over seeds.
void tst_Comparison::roundingIsNoDifference() {
    auto result = made({{700, 800, 900}, {700 + 1e-9, 800 - 3e-10, 900}});
    summarise(result, 0);
    QCOMPARE(result.arms[1].differences.at("mean_jct_s").mean, 0.0);
    QCOMPARE(result.arms[1].pValues.at("mean_jct_s"), 1.0);
    QVERIFY(varyingMetrics(result).empty());
    auto differing = made({{700, 800, 900}, {700, 800 + 1e-3, 900}});
    summarise(differing, 0);
    QVERIFY(std::abs(differing.arms[1].differences.at("mean_jct_s").mean - 1e-3 / 3) < 1e-12);
    QVERIFY(varyingMetrics(differing) == std::vector<std::string>{"mean_jct_s"});
    QVERIFY(varyingMetrics(made({{700, 800}})) == std::vector<std::string>{"mean_jct_s"}); // alone: over seeds
    QVERIFY(varyingMetrics(made({{700, 700}})).empty());
}

// By seed: a has 1, 2, 3, 4, 5; b has 2, a run with a diverged job, a number whose square overflows, no number, and 7. Left are 2 and 7: mean
// 4.5, differences 1 and 2.
void tst_Comparison::divergedRunsAreLeftOut() {
    using Metrics = std::map<std::string, double>;
    const std::vector<std::vector<Metrics>> runs{{{{"x", 1}}, {{"x", 2}}, {{"x", 3}}, {{"x", 4}}, {{"x", 5}}},
                                                 {{{"x", 2}, {"diverged_jobs", 0}},
                                                  {{"x", 400}, {"diverged_jobs", 1}},
                                                  {{"x", 1.4e303}, {"diverged_jobs", 0}},
                                                  {{"x", NAN}, {"diverged_jobs", 0}},
                                                  {{"x", 7}, {"diverged_jobs", 0}}}};
    ComparisonRequest r;
    r.arms = {{"a", {}}, {"b", {}}};
    r.seeds = {1, 2, 3, 4, 5};
    ComparisonResult result = emptyResult(r);
    for (std::size_t arm = 0; arm < 2; ++arm)
        for (std::size_t seed = 0; seed < 5; ++seed)
            addRun(result, {.arm = arm, .seed = seed, .metrics = runs[arm][seed]});
    summarise(result, 0);
    QCOMPARE(result.arms[0].diverged, std::size_t{0});
    QCOMPARE(result.arms[1].diverged, std::size_t{3});
    const ArmResult& b = result.arms[1];
    QCOMPARE(b.metrics.at("x").mean, 4.5);
    QCOMPARE(b.metrics.at("x").n, std::size_t{2});
    QCOMPARE(b.differences.at("x").mean, 1.5);
    QVERIFY(b.pValues.at("x") > 0 && b.pValues.at("x") < 1);
    QCOMPARE(b.metrics.at("diverged_jobs").mean, 0.2); // of all five
    const Chart chart = comparisonChart({result}, "x", ComparisonChartKind::means);
    QVERIFY(chart.caution.english().find("3 runs diverged and are left out") != std::string::npos);
    const auto json = comparisonJson({r, result, "x"});
    QCOMPARE(json.at("policies").at(1).at("diverged").get<int>(), 3);
    // An arm of which nothing is left has no means, and says nothing false.
    ComparisonResult all = emptyResult(r);
    for (std::size_t seed = 0; seed < 5; ++seed) {
        addRun(all, {.arm = 0, .seed = seed, .metrics = {{"x", 1e200}}});
        addRun(all, {.arm = 1, .seed = seed, .metrics = {{"x", 1}}});
    }
    summarise(all, 0);
    QVERIFY(all.arms[0].metrics.empty() && all.arms[1].differences.empty() && all.arms[1].pValues.empty());
    QCOMPARE(all.arms[1].metrics.at("x").mean, 1.0);
}

void tst_Comparison::meansByHand() {
    auto result = made({{1, 2, 3, 4}, {2, 4, 6, 8}});
    summarise(result, 0);
    const Chart chart = comparisonChart({result}, "mean_jct_s", ComparisonChartKind::means);
    QCOMPARE(seriesOf(chart, "mean b").x.front(), 5.0);
    const Series& interval = seriesOf(chart, "interval a"); // t(3, 0.975) s/√4 = 3.182446 · 1.290994 / 2
    QVERIFY(std::abs(interval.x[0] - (2.5 - 2.054260)) < 1e-5 && std::abs(interval.x[1] - (2.5 + 2.054260)) < 1e-5);
    QCOMPARE(seriesOf(chart, "run b").x.size(), std::size_t{4});
    QCOMPARE(seriesOf(chart, "bar b").spans.front().to, 5.0);
    QCOMPARE(chart.plots.front().x.title.english(), std::string("Mean job completion time"));
    QVERIFY(chart.meaning.english().find("n = 4 seeds") != std::string::npos);
    QVERIFY(chart.meaning.english().find("95 % interval (Student's t)") != std::string::npos);
    QVERIFY(chart.caution.empty());
    // Far from 0, bars would hide the difference.
    auto far = made({{101, 102}, {103, 104}});
    summarise(far, 0);
    const Chart dots = comparisonChart({far}, "mean_jct_s", ComparisonChartKind::means);
    QVERIFY(dots.meaning.english().find("does not begin at 0") != std::string::npos);
    QVERIFY(pgfplotsText(chart).find("yticklabels={{a},{b}}") != std::string::npos);
}

void tst_Comparison::boxesByHand() {
    auto result = made({{1, 2, 3, 4, 100}});
    const Chart chart = comparisonChart({result}, "mean_jct_s", ComparisonChartKind::boxes);
    const Span& box = seriesOf(chart, "box a").spans.front();
    QCOMPARE(box.from, 2.0);
    QCOMPARE(box.to, 4.0);
    QCOMPARE(seriesOf(chart, "median a").x.front(), 3.0);
    QCOMPARE(seriesOf(chart, "whiskers a").x.front(), 1.0);
    QCOMPARE(seriesOf(chart, "whiskers a").x[4], 4.0); // 100 lies beyond 4 + 1.5 · 2
    QVERIFY((seriesOf(chart, "beyond a").x == std::vector<double>{100}));
}

void tst_Comparison::intervalsWithoutWidthAreExplained() {
    const auto saysSo = [](const ComparisonResult& result) {
        const Chart chart = comparisonChart({result}, "mean_jct_s", ComparisonChartKind::means);
        return chart.caution.english().find("No seed changes it") != std::string::npos;
    };
    QVERIFY(saysSo(made({{3, 3, 3}, {7, 7, 7}})));
    QVERIFY(saysSo(made({{0.1 + 0.2, 0.3}})));
    QVERIFY(!saysSo(made({{3, 3, 3}, {7, 7, 7.001}})));
    QVERIFY(!saysSo(made({{3}})));
}

void tst_Comparison::distributionByHand() {
    auto result = made({{3, 1, 3, 2}});
    const Chart chart = comparisonChart({result}, "mean_jct_s", ComparisonChartKind::distribution);
    const Series& steps = seriesOf(chart, "runs a");
    QVERIFY((steps.x == std::vector<double>{1, 1, 2, 3}));
    QVERIFY((steps.y == std::vector<double>{0, 25, 50, 100}));
}

void tst_Comparison::oneRunIsNoEvidence() {
    auto result = made({{1}, {2}});
    summarise(result, 0);
    const ComparisonView view{.result = result, .partial = true};
    const Chart chart = comparisonChart(view, "mean_jct_s", ComparisonChartKind::means);
    QVERIFY(chart.caution.english().find("One run is not evidence.") != std::string::npos);
    QVERIFY(chart.caution.english().find("Partial: 2 of 2 runs are done.") == 0);
    QVERIFY(!comparisonChart(view, "nothing", ComparisonChartKind::means).empty.empty());
    QVERIFY(!comparisonChart(view, {}, ComparisonChartKind::losses).empty.empty());
}

void tst_Comparison::fileSaysWhatWasCompared() {
    auto r = request({"synchronization=full-sync", "scheduler=srtf,synchronization=async"});
    r.arms.push_back({"fastest", {{PolicyFamily::synchronization, {"fastest-k", {{"k", std::int64_t{1}}}}}}, 0.25});
    r.baseline = 1;
    r.everyJob = true;
    r.until = HalfWidthRule{"makespan_s", 0.02};
    const auto again = comparisonFrom(comparisonProvenance(r, "tiny.json").comparison);
    QVERIFY(again.ok());
    QVERIFY(again->arms == r.arms);
    QVERIFY(again->seeds == r.seeds);
    QVERIFY(again->until == r.until);
    QCOMPARE(again->baseline, std::size_t{1});
    QVERIFY(again->everyJob);
    const QTemporaryDir directory;
    const std::string path = directory.filePath("comparison.csv").toStdString();
    r.until.reset();
    r.arms.pop_back(); // tiny jobs have no learning rate
    const auto result = compare(r);
    QVERIFY(writeFileAtomically(path, observationsCsv({r, result, "tiny.json"})).empty());
    const auto provenance = readProvenance(path);
    QVERIFY(provenance.ok() && provenance->has_value());
    QVERIFY(comparisonFrom((*provenance)->comparison)->arms == r.arms);
    for (const char* wrong : {"", "{}", "{\"arms\":[],\"baseline\":0,\"seeds\":\"1\"}"})
        QVERIFY2(!comparisonFrom(wrong), wrong);
}

void tst_Comparison::commandRepeats() {
    auto r = request(two, 20);
    QCOMPARE(comparisonCommand(r, "my file.json"),
             std::string("trainyard-cli compare 'my file.json' --vary synchronization=full-sync,async --seeds 1-20"));
    r = request({"scheduler=srtf,synchronization=async", "scenario"}, 2);
    r.baseline = 1;
    r.everyJob = true;
    r.until = HalfWidthRule{"makespan_s", 0.02};
    QCOMPARE(
        comparisonCommand(r, "f.json"),
        std::string(
            "trainyard-cli compare f.json --arm scheduler=srtf,synchronization=async --arm scenario --baseline scenario "
            "--seeds 1-2 --until-half-width 2% --until-metric makespan_s --every-job"));
}

void tst_Comparison::seedsAsText() {
    QCOMPARE(seedsText({1, 2, 3, 7, 9, 10}), std::string("1-3,7,9-10"));
    QVERIFY((parseSeeds("1-3,7,9-10").value() == std::vector<std::uint64_t>{1, 2, 3, 7, 9, 10}));
    QVERIFY(!parseSeeds("1-"));
}

// Values 1, 2, 3 with two seeds each: 9 11, 1 3, 2 4. The best is 2; at 3 the difference is 1 for both seeds, which is no chance, and neither is
// that of 1: 8 for both. With noise in 3, it is as good.
void tst_Comparison::responseByHand() {
    SweepRequest sweep{.axes = {{"/x", {"1", "2", "3"}}}, .seeds = {1, 2}};
    std::vector<SweepRow> rows;
    const double values[] = {9, 11, 1, 3, 2, 4};
    for (std::size_t i = 0; i < 6; ++i)
        rows.push_back({.number = i,
                        .values = {std::to_string(i / 2 + 1)},
                        .seed = i % 2 + 1,
                        .metrics = {{"mean_jct_s", values[i]}}});
    ResponseView view{sweep, rows, {{.pointer = "/x", .label = "x", .present = 3}}, "mean_jct_s"};
    auto best = bestOf(view, responsePoints(view));
    QCOMPARE(best->point, std::size_t{1});
    QVERIFY((best->asGood == std::vector<std::size_t>{1}));
    rows[5].metrics["mean_jct_s"] = 7;
    best = bestOf(view, responsePoints(view));
    QVERIFY((best->asGood == std::vector<std::size_t>{1, 2}));
    const Chart chart = responseChart(view);
    QVERIFY((seriesOf(chart, "mean").y == std::vector<double>{10, 2, 4.5}));
    QVERIFY((seriesOf(chart, "as good as the best").x == std::vector<double>{2, 3}));
    QCOMPARE(chart.plots.front().lines.front().value, 2.0); // best
    QCOMPARE(chart.plots.front().lines.back().value, 3.0);  // now
    QVERIFY(chart.meaning.english().find("Best: 2. No significant difference from it (paired, Holm, 5 %): 3.") !=
            std::string::npos);
    view.smallerIsBetter = false;
    QCOMPARE(bestOf(view, responsePoints(view))->point, std::size_t{0});
    for (SweepRow& row : rows) row.metrics["mean_jct_s"] = 0.1 * 3; // nothing changes: none is best
    rows[3].metrics["mean_jct_s"] = 0.3;                            // but for rounding
    QVERIFY(!bestOf(view, responsePoints(view)));
    const Chart alike = responseChart(view);
    QCOMPARE(alike.plots.front().lines.size(), std::size_t{1}); // now
    QVERIFY(alike.meaning.english().find("All values give the same") != std::string::npos);
    rows.clear();
    QVERIFY(!responseChart(view).empty.empty());
    // A map whose cells are all alike has no dark and no bright ones.
    const SweepRequest pairs{.axes = {{"/x", {"1", "2"}}, {"/y", {"1", "2"}}}, .seeds = {1}};
    for (std::size_t i = 0; i < 4; ++i)
        rows.push_back({.number = i,
                        .values = {std::to_string(i / 2 + 1), std::to_string(i % 2 + 1)},
                        .seed = 1,
                        .metrics = {{"mean_jct_s", 5}}});
    const ResponseView map{
        pairs, rows, {{.pointer = "/x", .label = "x"}, {.pointer = "/y", .label = "y"}}, "mean_jct_s"};
    QVERIFY(responseChart(map).meaning.english().find("5 s for all values") != std::string::npos);
    rows[3].metrics["mean_jct_s"] = 6;
    QVERIFY(responseChart(map).meaning.english().find("from 5 s (dark) to 6 s (bright)") != std::string::npos);
}

void tst_Comparison::metricThatAnswers() {
    Scenario scenario = tinyScenario();
    QCOMPARE(answeringMetric(scenario), std::string("mean_jct_s"));
    for (Job& job : scenario.jobs) job.stop = {.seconds = 40};
    QCOMPARE(answeringMetric(scenario), std::string("final_loss"));
    scenario.jobs.front().stop.loss = 0.2; // it may end before
    QCOMPARE(answeringMetric(scenario), std::string("mean_jct_s"));
    const auto of = [](const char* file) {
        const auto read =
            readScenario(std::string(TRAINYARD_SOURCE_DIR "/scenarios/papers/") + file, Registry::builtin());
        return read ? answeringMetric(read->scenario) : std::string();
    };
    QCOMPARE(of("pacml/faithful.json"), std::string("blocking_rate"));
    QCOMPARE(of("nups/zipf.json"), std::string("mean_jct_s"));
}

void tst_Comparison::valuesOfARange() {
    QVERIFY((valuesBetween(1, 4, 7, true, false) == std::vector<std::string>{"1", "2", "3", "4"}));
    QVERIFY((valuesBetween(0.01, 1, 3, false, true) == std::vector<std::string>{"0.01", "0.1", "1"}));
    const Scenario scenario = tinyScenario();
    const auto fields = variedFields(scenario, Registry::builtin());
    QVERIFY(std::any_of(fields.begin(), fields.end(),
                        [](const auto& f) { return f.pointer == "/jobs/0/batch" && f.present == 10; }));
    const auto isHorizon = [](const VariedField& field) { return field.pointer == "/horizon_s"; };
    QVERIFY(std::none_of(fields.begin(), fields.end(), isHorizon)); // 30 years are no end, and none to vary around
    Scenario ending = scenario;
    ending.horizonSeconds = 60;
    const auto some = variedFields(ending, Registry::builtin());
    QVERIFY(std::any_of(some.begin(), some.end(), isHorizon));
    std::set<std::string> labels;
    for (const VariedField& field : fields) QVERIFY2(labels.insert(field.label).second, field.label.c_str());
    for (const VariedField& field : fields) // each can be set to what it is
        QVERIFY2(setValue(scenario, field.pointer, formatNumber(field.present, 17)).ok(), field.pointer.c_str());
}

TRAINYARD_TEST(tst_Comparison)
#include "tst_Comparison.moc"
