// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The map of keys, and why each is where it is: against the events of the run, the law of the draws summed one by one, and the homes.
#include "analysis/KeyReason.h"
#include "analysis/View.h"
#include "learning/PowerSums.h"
#include "record/Metrics.h"
#include "support/IndexedRun.h"
#include "support/KeyedLoop.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>

using namespace trainyard;
using namespace trainyard::test;

class tst_KeyMap : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void powerSums();
    void cellsAreWhereKeysAre();
    void barsHoldAllKeys_data();
    void barsHoldAllKeys();
    void manyKeys();
    void reasons();
    void movesOfAWatchedKey();
    void busiestOfAll();
    void labelsStandBesideTheirRows();
    void changingKeysClaimNoShares();
    void copiesAreShownWhereTheyAre();
    void largeNumbersAreWritten();
};

namespace {

RunIndex indexOf(Choice policy, int machines, std::int64_t keys, std::vector<double> watched = {},
                 std::int64_t operations = 2000) {
    Scenario scenario = keyedScenario(machines, 1, operations, std::move(policy));
    accessOf(scenario).keys = keys;
    accessOf(scenario).valuesPerKey = 4;
    accessOf(scenario).watchedRanks = std::move(watched);
    RunIndex run(sourceOfRun(std::move(scenario)));
    run.update();
    return run;
}

Picture pictureAt(const RunIndex& run, const char* view, SimTime at, ParamValues options = {}) {
    return wholePicture(*findView(view), {.run = run, .job = JobId(0), .at = at, .options = std::move(options)});
}

const Node* nodeOf(const Diagram& diagram, const std::string& id) {
    const auto it = std::ranges::find(diagram.nodes, id, &Node::id);
    return it == diagram.nodes.end() ? nullptr : &*it;
}

Choice replicating(std::int64_t keys) {
    return {"nups", {{"rule", std::string("most-frequent")}, {"replicate", keys}}};
}

} // namespace

void tst_KeyMap::powerSums() {
    for (const double exponent : {0.0, 0.5, 1.0, 1.1, 3.0})
        for (const auto& [first, last] :
             {std::pair(1, 1), {1, 999}, {1, 1000}, {1, 1001}, {500, 4000}, {2000, 100'000}}) {
            double sum = 0;
            for (int r = last; r >= first; --r) sum += std::pow(r, -exponent);
            const double formula =
                powerSum(static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(last), exponent);
            QVERIFY2(std::abs(formula / sum - 1) < 1e-10, qPrintable(QString::number(formula / sum - 1)));
        }
    QCOMPARE(powerSum(5, 4, 1), 0.0);
}

// At each instant the cell of a rank is at the node that the last event named, and round if that was the last interval.
void tst_KeyMap::cellsAreWhereKeysAre() {
    const RunIndex run = indexOf(replicating(3), 4, 2000);
    const auto located = eventsOf(*run.source().log, EventType::keyLocated);
    std::size_t round = 0;
    for (const double seconds : {0.0, 0.003, 0.0105, 0.02, 1.0}) {
        const SimTime at = std::min(SimTime::seconds(seconds), run.head());
        const Diagram map = std::get<Diagram>(pictureAt(run, "key-map", at));
        std::map<std::uint32_t, std::uint32_t> nodes;
        for (const Event& e : located)
            if (e.time <= at) nodes[e.a] = e.b;
        for (std::size_t rank = 0; rank < 99; ++rank) {
            const Node* cell = nodeOf(map, "rank-" + std::to_string(rank + 1));
            QVERIFY(cell);
            const std::uint32_t node = nodes.at(located[rank].a); // the first hundred are in order of rank
            const std::string expected = node == everyNode ? "R" : std::to_string(node + 1);
            QCOMPARE(cell->label.arguments.at(0), expected);
            QCOMPARE(node == everyNode, rank < 3);
            round += cell->shape == Node::Shape::circle;
            QVERIFY(at > SimTime{} || cell->shape == Node::Shape::box);
        }
    }
    QVERIFY(round > 0);
}

void tst_KeyMap::barsHoldAllKeys_data() {
    QTest::addColumn<QString>("policy");
    for (const char* policy : {"static", "relocating", "nups"}) QTest::newRow(policy) << policy;
}

// Of 5,000 keys: bars of ranks 100 … 999 and 1,000 … 5,000. Their parts have the width of their keys; numbers add up to all keys,
// but for those under way, of which there are none at the end, when stores say the same.
void tst_KeyMap::barsHoldAllKeys() {
    QFETCH(QString, policy);
    const Choice choice = policy == "nups" ? replicating(400) : Choice{policy.toStdString(), {}};
    const RunIndex run = indexOf(choice, 4, 5000);
    for (const double share : {0.0, 0.3, 0.7, 1.0}) {
        const SimTime at = SimTime::seconds(share * run.head().toSeconds());
        const Diagram map = std::get<Diagram>(pictureAt(run, "key-map", at));
        for (const char* bucket : {"bucket-2", "bucket-3"}) {
            double width = 0, moving = 0;
            for (const Node& node : map.nodes)
                if (node.id.starts_with(std::string(bucket) + "-")) (node.ghost ? moving : width) += node.width;
            QVERIFY(std::abs(width + moving - 33) < 1e-9);
            if (share == 0 || share == 1 || policy == "static") QVERIFY(moving < 1e-9);
        }
        QVERIFY(!nodeOf(map, "bucket-4"));
        QCOMPARE(nodeOf(map, "bucket-2-replicas") != nullptr, policy == "nups");
        if (const Node* replicas = nodeOf(map, "bucket-2-replicas")) // ranks 100 … 400 of 100 … 999
            QVERIFY(std::abs(replicas->width - 33 * 301.0 / 900) < 1e-9);
    }
    const auto held = run.fold<KeyedCourse>().holdings(JobId(0), run.head());
    double sum = 0;
    for (const double count : held.replicated) sum += count;
    for (std::size_t n = 0; n < 4; ++n) sum += held.total(n);
    QCOMPARE(sum, 5000.0);
    if (policy == "static")
        for (std::size_t n = 0; n < 4; ++n) QCOMPARE(held.total(n), 1250.0);
}

// A picture of 150 nodes at most, whatever the number of keys.
void tst_KeyMap::manyKeys() {
    const RunIndex run = indexOf(replicating(1000), 4, 100'000);
    const Diagram map = std::get<Diagram>(pictureAt(run, "key-map", run.head()));
    QVERIFY(map.nodes.size() < 150);
    const Node* last =
        nodeOf(map, "bucket-4"); // 10,000 … 100,000: the one key of the next tenfold is no bar of its own
    QVERIFY(last && !nodeOf(map, "bucket-5"));
    QCOMPARE(last->label.arguments.at(0), std::string("10,000 – 100,000"));
    QVERIFY(std::abs(nodeOf(map, "bucket-2-replicas")->width - 33) < 1e-9); // all of 100 … 999
}

void tst_KeyMap::reasons() {
    const RunIndex run = indexOf({"nups", {}}, 4, 100'000); // 86 keys are drawn more than 100 × the mean
    const KeyRanks keys(100'000, 1.1, 5);
    for (const std::uint64_t rank : {1, 86, 87, 50'000}) {
        const auto why = keyReason(run, JobId(0), rank, run.head());
        QVERIFY(why && why->key);
        QCOMPARE(*why->key, keys.keyAt(static_cast<std::uint32_t>(rank - 1)));
        QVERIFY(std::abs(why->share / keys.probability(static_cast<std::uint32_t>(rank - 1)) - 1) < 1e-6);
        QCOMPARE(why->technique, rank <= 86 ? KeyTechnique::replicated : KeyTechnique::relocating);
        QCOMPARE(why->timesMean > 100, rank <= 86);
        if (rank > 86) QCOMPARE(*why->home, *why->key / 25'000);
        QCOMPARE(why->owner.has_value(), rank <= 87); // the hundred most frequent are followed
        for (const Text& sentence : why->text(run, JobId(0))) QVERIFY(!sentence.english().empty());
    }
    QVERIFY(!keyReason(run, JobId(0), 100'001, run.head()) && !keyReason(run, JobId(0), 0, run.head()));
    Scenario whole = starScenario(2);
    whole.jobs = {analyticJob()};
    RunIndex other(sourceOfRun(std::move(whole)));
    other.update();
    QVERIFY(!keyReason(other, JobId(0), 1, other.head()));
    for (const char* view : {"key-map", "key-load"})
        QVERIFY(!emptyOf(pictureAt(other, view, other.head())).pattern.empty());
    const RunIndex still = indexOf({"static", {}}, 4, 100'000);
    const auto why = keyReason(still, JobId(0), 50'000, still.head());
    QVERIFY(why->technique == KeyTechnique::fixed && why->owner == why->home && why->moves.empty());
}

// Each transfer of the key is a move to its receiver; its last one is to the owner that the log names at the end.
void tst_KeyMap::movesOfAWatchedKey() {
    const RunIndex run = indexOf({"relocating", {}}, 4, 2000, {30});
    const auto why = keyReason(run, JobId(0), 30, run.head());
    QVERIFY(why && why->byMessages);
    std::vector<std::uint32_t> receivers;
    for (const Event& e : eventsOf(*run.source().log, EventType::keyMessage))
        if (e.aux == static_cast<std::uint16_t>(KeyMessageType::transfer)) receivers.push_back(e.b & 0xffff);
    QVERIFY(receivers.size() > 2);
    QCOMPARE(why->moves.size(), receivers.size());
    QCOMPARE(why->owner, std::optional(receivers.back()));
    const auto located = eventsOf(*run.source().log, EventType::keyLocated);
    const auto last = std::find_if(located.rbegin(), located.rend(), [&](const Event& e) { return e.a == *why->key; });
    QCOMPARE(*why->owner, last->b);
    const auto before = keyReason(run, JobId(0), 30, why->moves[1].at);
    QCOMPARE(before->moves.size(), std::size_t{2});
}

// The busiest that the legend names is the one with the most seconds in the events; its share is that of the metric.
void tst_KeyMap::busiestOfAll() {
    const RunIndex run = indexOf({"static", {}}, 4, 2000);
    const auto metrics = computeMetrics(run.workload(), *run.source().log, run.head()).values;
    const double server = metrics.at("server_thread_use");
    QVERIFY(server > metrics.at("sending_use") && server > metrics.at("receiving_use") && server <= 1);
    const Chart chart = std::get<Chart>(pictureAt(run, "key-load", run.head()));
    const auto named = std::ranges::find(chart.legend, std::string("busiest overall"),
                                         [](const LegendItem& item) { return item.label.pattern; });
    QVERIFY(named != chart.legend.end());
    std::map<std::uint32_t, double> seconds;
    for (const Event& e : eventsOf(*run.source().log, EventType::keysCounted))
        if (static_cast<KeyCounter>(e.aux) == KeyCounter::serverSeconds) seconds[e.a] += e.value;
    const auto most = std::ranges::max_element(seconds, {}, [](const auto& s) { return s.second; });
    QVERIFY2(named->text.english().find("m" + std::to_string(most->first + 1)) != std::string::npos,
             named->text.english().c_str());
    QCOMPARE(chart.plots.at(0).series.size(), std::size_t{3});
    QCOMPARE(chart.plots.at(1).y.categories.size(), std::size_t{4});
    for (const Series& line : chart.plots[0].series)
        for (const double y : line.y) QVERIFY(y >= 0 && y <= 100);
}

namespace {

/// Other keys become frequent every 250 of a worker's 2,000 iterations.
RunIndex changingIndex(Choice policy) {
    Scenario scenario = keyedScenario(4, 1, 2000, std::move(policy));
    accessOf(scenario).keys = 5000;
    accessOf(scenario).valuesPerKey = 4;
    accessOf(scenario).shiftEvery = 250;
    RunIndex run(sourceOfRun(std::move(scenario)));
    run.update();
    return run;
}

} // namespace

/// What a row holds stands to the left of it, and never over its cells.
void tst_KeyMap::labelsStandBesideTheirRows() {
    const RunIndex run = indexOf(replicating(3), 4, 2000);
    const Diagram map = std::get<Diagram>(pictureAt(run, "key-map", run.head()));
    int labels = 0;
    for (const Node& node : map.nodes)
        if (node.shape == Node::Shape::block) {
            ++labels;
            QVERIFY(node.x + node.width / 2 <= 0);
            QVERIFY(node.label.english().size() <= 32);
        } else {
            QVERIFY(node.x - node.width / 2 >= -1e-9);
        }
    QVERIFY(labels >= 2);
}

/// Which keys are frequent at the cursor is not logged: ranks are said to be those of the start, and no shares are told.
void tst_KeyMap::changingKeysClaimNoShares() {
    for (const Choice& policy : {replicating(400), Choice{"adaptive", {}}}) {
        const RunIndex run = changingIndex(policy);
        const Diagram map = std::get<Diagram>(pictureAt(run, "key-map", run.head()));
        QVERIFY2(map.caution.english().find("250 iterations") != std::string::npos, map.caution.english().c_str());
        std::string said = map.meaning.english();
        for (const Node& node : map.nodes)
            if (node.id == "frequent" || node.id == "bucket-2" || node.id == "rank-1" || node.id == "rank-99")
                said += "; " + node.label.english() + "; " + node.note.english();
        for (const LegendItem& item : map.legend) said += "; " + item.label.english();
        for (const char* claim : {"of all draws", "of draws", "share of draws", "times the mean", "× the mean"})
            QVERIFY2(said.find(claim) == std::string::npos, said.c_str());
        QVERIFY2(said.find("ranks 1 – 99 at the start") != std::string::npos, said.c_str());
    }
    const RunIndex still = indexOf(replicating(3), 4, 2000);
    QVERIFY(std::get<Diagram>(pictureAt(still, "key-map", still.head())).caution.empty());
}

/// How many copies each machine holds, as Copies and moves says of the one with most; replicas are no copies.
void tst_KeyMap::copiesAreShownWhereTheyAre() {
    const RunIndex run = changingIndex({"adaptive", {}});
    const SimTime at = SimTime::seconds(run.head().toSeconds() / 2);
    const auto intervals = run.fold<KeyedCourse>().merged(JobId(0));
    const auto now = std::ranges::lower_bound(intervals, at.toSeconds(), {}, &KeyedCourse::Interval::to);
    const Diagram map = std::get<Diagram>(pictureAt(run, "key-map", at));
    double width = 0, most = 0;
    for (std::size_t n = 0; n < 4; ++n) {
        const Node* copies = nodeOf(map, "copies-" + std::to_string(n + 1));
        QVERIFY(copies && copies->ref.machine == MachineId(n));
        // A key is no machine: a click on it selects none.
        const Node* key = nodeOf(map, "rank-" + std::to_string(n + 1));
        QVERIFY(key && !key->ref.machine.valid());
        width += copies->width;
        most = std::max(most, now->copiesAt.at(n));
        QCOMPARE(copies->note.arguments.at(1), groupedText(std::round(now->copiesAt[n]), 15));
    }
    QVERIFY(std::abs(width - 33) < 1e-9);
    QVERIFY(most > 1);
    const Chart course = std::get<Chart>(pictureAt(run, "key-techniques", at));
    QVERIFY(std::ranges::any_of(course.plots.front().series.front().y, [&](double y) { return y == most; }));
    const RunIndex replicas = changingIndex(replicating(400));
    QVERIFY(!nodeOf(std::get<Diagram>(pictureAt(replicas, "key-map", replicas.head())), "copies-1"));
}

/// As elsewhere: 13,470, not 1.347e+04.
void tst_KeyMap::largeNumbersAreWritten() {
    QCOMPARE(groupedText(13469.7, 4), std::string("13,470"));
    QCOMPARE(groupedText(999.4, 3), std::string("999"));
    QCOMPARE(groupedText(1000, 15), std::string("1,000"));
    QCOMPARE(groupedText(-1234567, 15), std::string("-1,234,567"));
    QCOMPARE(groupedText(0.0123456, 3), std::string("0.0123"));
    const RunIndex run = indexOf(replicating(1000), 4, 100'000);
    const auto why = keyReason(run, JobId(0), 1, run.head());
    const auto sentences = why->text(run, JobId(0));
    QVERIFY2(sentences[0].english().find("13,470 × the mean") != std::string::npos, sentences[0].english().c_str());
    QVERIFY2(sentences[1].english().find("1,000 most") != std::string::npos, sentences[1].english().c_str());
    const Diagram map = std::get<Diagram>(pictureAt(run, "key-map", run.head(), {{"rank", std::int64_t{1}}}));
    const auto times = std::ranges::find(map.legend, std::string("times the mean"),
                                         [](const LegendItem& item) { return item.label.pattern; });
    QVERIFY(times != map.legend.end());
    QCOMPARE(times->value->unit, std::string("count")); // whole, not 1.347×10⁴
}

TRAINYARD_TEST(tst_KeyMap)
#include "tst_KeyMap.moc"
