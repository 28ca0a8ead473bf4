// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Each partitioner on options written by hand, of a job that is admitted at once; and the rule that it wraps on drawn ones.
#include "planning/graphs/DegreeRules.h"
#include "policy/Registry.h"
#include "support/TestMain.h"

#include <set>

using namespace trainyard;

class tst_Partitioners : public QObject {
    Q_OBJECT
private slots:
    void byHand_data();
    void byHand();
    void blockedSaysWhy();
    void blockedChoosesNothing();
    void acceptedSaysWhatItGets();
    void policiesAreTheirRules();
    void rolloutOfAQueuedJobFollowsItsBase();
    void learnedTakesTheBestScore();
    void learnedWithoutANetTakesTheFewest();
    void learnedSaysWhatDoesNotSuit();
};

namespace {

std::shared_ptr<const Workload> twelveMachines() {
    auto workload = std::make_shared<Workload>();
    for (int m = 1; m <= 12; ++m) workload->cluster.machines.push_back({.key = "m" + std::to_string(m)});
    return workload;
}

class ArrivalView final : public PartitionView {
public:
    ArrivalView(std::vector<GraphOption> options, double beta, std::optional<int> free,
                BlockedReason reason = BlockedReason::byChoice)
        : m_state(twelveMachines()), m_options(std::move(options)), m_beta(beta), m_free(free), m_reason(reason) {}
    const ClusterState& state() const override { return m_state; }
    JobId job() const override { return JobId(std::size_t{0}); }
    std::span<const GraphOption> options() const override { return m_options; }
    double deadlineSeconds() const override { return 100 * m_beta; }
    double deadlineFraction() const override { return m_beta; }
    std::optional<int> freeServers() const override { return m_free; }
    BlockedReason reason() const override { return m_reason; }

private:
    ClusterState m_state;
    std::vector<GraphOption> m_options;
    double m_beta;
    std::optional<int> m_free;
    BlockedReason m_reason;
};

/// 100 s in sequence and 2 s of messages from two parts on; 12 servers are free, but for 8 there is no block.
std::vector<GraphOption> options(double beta) {
    std::vector<GraphOption> out;
    for (const int degree : {1, 2, 4, 6, 8, 16}) {
        GraphOption& o = out.emplace_back();
        o.degree = degree;
        o.allowed = degree <= 12;
        o.state = OptionState::noBlock;
        if (degree > 12) o.state = OptionState::tooFewFree;
        if (degree > 6) continue;
        o.seconds = degree == 1 ? 100 : 100.0 / degree + 2;
        o.servers = (ServerMask{1} << degree) - 1;
        o.state = o.seconds <= 100 * beta ? OptionState::inTime : OptionState::late;
    }
    return out;
}

/// The same with an outlook on what is to come.
class OutlookView final : public PartitionView {
public:
    OutlookView(GraphPricer& pricer, const LossSystem& system, const GraphWorkload& expected, double beta)
        : m_state(std::make_shared<const Workload>()), m_pricer(pricer), m_system(system), m_expected(expected),
          m_beta(beta) {
        pricer.priceAll(0, deadlineSeconds(), system.occupied(), m_options);
    }
    const ClusterState& state() const override { return m_state; }
    JobId job() const override { return JobId(std::size_t{0}); }
    std::span<const GraphOption> options() const override { return m_options; }
    double deadlineSeconds() const override { return m_beta * m_pricer.sequentialSeconds(0); }
    double deadlineFraction() const override { return m_beta; }
    std::optional<int> freeServers() const override { return 32; }
    std::optional<LossOutlook> outlook() const override { return LossOutlook{m_pricer, m_system, m_expected}; }

private:
    ClusterState m_state;
    GraphPricer& m_pricer;
    const LossSystem& m_system;
    const GraphWorkload& m_expected;
    double m_beta;
    std::vector<GraphOption> m_options;
};

std::optional<int> chosen(const Choice& policy, const PartitionView& view, ExplanationArena* arena = nullptr,
                          std::uint32_t call = 0) {
    RandomStream random(5, Purpose::policy, 0, call);
    std::vector<std::uint32_t> explained;
    return Registry::builtin().makePartitioner(policy)->degree({SimTime{}, random, arena, &explained}, view);
}

Choice constantOf(std::int64_t degree) { return {"constant", {{"degree", degree}}}; }
Choice floorOf(std::int64_t k) { return {"floor-k", {{"k", k}}}; }

} // namespace

void tst_Partitioners::byHand_data() {
    QTest::addColumn<QString>("policy");
    QTest::addColumn<int>("number"); // its parameter
    QTest::addColumn<double>("beta");
    QTest::addColumn<int>("degree"); // 0: refused
    const auto row = [](const char* policy, int number, double beta, int degree) {
        QTest::addRow("%s %d, beta %g", policy, number, beta) << policy << number << beta << degree;
    };
    row("none", 0, .5, 1);
    row("min", 0, .5, 2);
    row("max", 0, .5, 8); // the most that are allowed, block or not
    // ⌈1/.5⌉ = 2 parts take 52 s of 50: blocked by a hair. ⌈1/.3⌉ = 4. ⌈1/.09⌉ = 12: more than there are, so 8.
    row("acceptable-jct", 0, .5, 2);
    row("acceptable-jct", 0, .3, 4);
    row("acceptable-jct", 0, .09, 8);
    row("constant", 4, .5, 4);
    row("constant", 16, .5, 0); // not allowed
    row("constant", 3, .5, 0);  // no such option
    // 50 s: 4 parts take 27, 6 take 18.7. 19 s: only 6. 18 s: none.
    row("floor-k", 1, .5, 4);
    row("floor-k", 5, .5, 6);
    row("floor-k", 8, .5, 6); // none from 8 on is placeable: the largest below
    row("floor-k", 1, .19, 6);
    row("floor-k", 1, .18, 0);
    row("floor-k", 16, 1, 6);
    row("floor-k", 1, 1, 1);
}

void tst_Partitioners::byHand() {
    QFETCH(QString, policy);
    QFETCH(int, number);
    QFETCH(double, beta);
    QFETCH(int, degree);
    Choice choice{policy.toStdString(), {}};
    if (policy == "constant") choice = constantOf(number);
    if (policy == "floor-k") choice = floorOf(number);
    ExplanationArena arena;
    const ArrivalView view(options(beta), beta, 12);
    QCOMPARE(chosen(choice, view, &arena).value_or(0), degree);
    QCOMPARE(arena.all().size(), std::size_t{1});
    const Explanation& why = arena.all().front();
    QCOMPARE(why.evaluate(), why.chosen);
    QCOMPARE(why.candidates.size(), std::size_t{6});
    QCOMPARE(why.candidates[4].label, std::string("8 parts: no block free"));
    QCOMPARE(why.candidates[5].label, std::string("16 parts: too few servers free"));
}

void tst_Partitioners::blockedSaysWhy() {
    const auto says = [](BlockedReason reason, double beta, const Choice& policy) {
        ExplanationArena arena;
        chosen(policy, ArrivalView(options(beta), beta, 12, reason), &arena);
        return arena.all().front().summary.english();
    };
    QVERIFY(says(BlockedReason::byChoice, .5, constantOf(2)).find("by choice") != std::string::npos);
    QVERIFY(says(BlockedReason::impossible, .1, floorOf(1)).find("even on the empty cluster") != std::string::npos);
    QVERIFY(says(BlockedReason::tooSlow, .1, floorOf(1)).find("deadline is missed") != std::string::npos);
    QVERIFY(says(BlockedReason::noBlock, .1, floorOf(1)).find("free block") != std::string::npos);
    QVERIFY(says(BlockedReason::byChoice, .5, constantOf(4)).find("blocked") == std::string::npos); // it is served
}

/// What its rule picks blocks the job, for which there is no block or which is late: it is not told as chosen.
void tst_Partitioners::blockedChoosesNothing() {
    const auto why = [](const Choice& policy, double beta) {
        ExplanationArena arena;
        chosen(policy, ArrivalView(options(beta), beta, 12, BlockedReason::noBlock), &arena);
        return arena.all().front();
    };
    const auto failed = [](const Candidate& candidate) {
        std::vector<std::string> names;
        for (const Check& check : candidate.checks)
            if (!check.passed()) names.push_back(check.name);
        return names;
    };
    for (const Choice& policy : {constantOf(8), Choice{"max", {}}}) {
        const Explanation block = why(policy, .5);
        QVERIFY(block.chosen.empty() && block.evaluate().empty());
        QCOMPARE(failed(block.candidates[4]), std::vector<std::string>{"free blocks"});
    }
    QCOMPARE(failed(why({"max", {}}, .5).candidates[3]), std::vector<std::string>{"chosen"}); // nor is the next one
    QCOMPARE(failed(why(constantOf(8), .5).candidates[3]), std::vector<std::string>{"parts"});
    const Explanation late = why(constantOf(2), .5);
    QVERIFY(late.chosen.empty() && late.evaluate().empty());
    QCOMPARE(failed(late.candidates[1]), std::vector<std::string>{"in time"});
}

void tst_Partitioners::acceptedSaysWhatItGets() {
    const auto says = [](std::optional<int> free) {
        ExplanationArena arena;
        auto priced = options(.5);
        if (!free)
            for (GraphOption& option : priced) option.servers = 0; // of a queued job
        chosen(constantOf(4), ArrivalView(std::move(priced), .5, free), &arena);
        return arena.all().front().summary.english();
    };
    QCOMPARE(says(12), std::string("gets 4 parts on m1, m2, m3, m4: always 4 parts"));
    QCOMPARE(says(std::nullopt), std::string("gets 4 parts: always 4 parts"));
}

void tst_Partitioners::policiesAreTheirRules() {
    using Kind = DegreeRule::Kind;
    const std::vector<std::pair<Choice, DegreeRule>> all{
        {{"none", {}}, {Kind::constant, 1}},  {{"max", {}}, {Kind::max, 0}},
        {{"random", {}}, {Kind::random, 0}},  {{"acceptable-jct", {}}, {Kind::acceptableJct, 0}},
        {constantOf(4), {Kind::constant, 4}}, {floorOf(2), {Kind::floor, 2}},
        {floorOf(6), {Kind::floor, 6}}};
    RandomStream random(3, Purpose::test, 70);
    std::set<int> degrees;
    for (std::uint32_t i = 0; i < 500; ++i) {
        std::vector<GraphOption> drawn;
        const int free = static_cast<int>(random.below(17));
        const double beta = 0.05 + 0.95 * random.unit();
        for (const int degree : {1, 2, 4, 6, 8, 16}) {
            GraphOption& o = drawn.emplace_back();
            o.degree = degree;
            o.allowed = degree <= free;
            if (!o.allowed || random.below(4) == 0) {
                o.state = o.allowed ? OptionState::noBlock : OptionState::tooFewFree;
                continue;
            }
            o.seconds = 100.0 / degree * (1 + 0.5 * random.unit());
            o.servers = 1;
            o.state = o.seconds <= 100 * beta ? OptionState::inTime : OptionState::late;
        }
        const ArrivalView view(drawn, beta, free);
        for (const auto& [policy, rule] : all) {
            RandomStream same(5, Purpose::policy, 0, i);
            const auto expected = chosenOption(rule, drawn, beta, same);
            const auto degree = chosen(policy, view, nullptr, i);
            QCOMPARE(degree.value_or(0), expected ? drawn[*expected].degree : 0);
            degrees.insert(degree.value_or(0));
        }
    }
    QCOMPARE(degrees.size(), std::size_t{7});
}

void tst_Partitioners::rolloutOfAQueuedJobFollowsItsBase() {
    const ArrivalView view(options(.5), .5, std::nullopt);
    QCOMPARE(chosen({"rollout", {{"degree", std::int64_t{5}}}}, view), std::optional(6));
    QCOMPARE(chosen({"rollout", {{"base", std::string("max")}}}, view), std::optional(8));
    QCOMPARE(chosen({"rollout", {{"base", std::string("constant")}, {"degree", std::int64_t{3}}}}, view), std::nullopt);
}

namespace {

/// An agent whose score is one of the numbers that it sees, times a sign.
PolicyFiles agentThatScores(const std::string& number, float sign) {
    const AfterStates states(std::make_shared<const ServerBlocks>(OpticalNetwork{}));
    DegreeNet net{{1}, std::vector<float>(states.optionSize() + 3)};
    const auto names = states.names();
    net.parameters[static_cast<std::size_t>(std::ranges::find(names, number) - names.begin())] = 1;
    net.parameters[states.optionSize() + 1] = sign;
    auto agent = std::make_shared<DegreeAgent>();
    agent->members.push_back({.rules = GraphRules::corrected,
                              .law = "beta-a",
                              .quantiles = std::vector<double>(19, 0.5),
                              .candidate = {},
                              .net = std::make_shared<const DegreeNet>(std::move(net)),
                              .curve = {}});
    PolicyFiles files;
    files.agents.emplace("mine.json", std::move(agent));
    return files;
}

const Choice learnedChoice{"learned", {{"agent", std::string("mine.json")}}};

} // namespace

/// 40 s in two operations without messages: 1, 2, 4, … parts take 40, 20, 10, … s; β = 0.6 allows 2 parts and more. Of the two
/// planes of 16 servers, 8 parts (2 × 2 × 2) leave none free, and so do 2 parts (2 × 1 × 1) but one.
void tst_Partitioners::learnedTakesTheBestScore() {
    GraphPricer pricer({}, {});
    pricer.add(std::make_shared<const ComputationGraph>(
                   ComputationGraph{{{"a", 0.2, 0.2, 0, 0}, {"b", 0.2, 0.2, 0, 0}}, {{0, 1}}}),
               50);
    const LossSystem system{};
    const GraphWorkload expected{.graphs = 1, .beta = {{0.5}, {1}}, .gapSeconds = 2};
    const OutlookView view(pricer, system, expected, 0.6);
    const auto decided = [&](const std::string& number, float sign) {
        RandomStream random(5, Purpose::policy);
        std::vector<std::uint32_t> explained;
        return Registry::builtin()
            .makePartitioner(learnedChoice, agentThatScores(number, sign))
            ->degree({SimTime{}, random, nullptr, &explained}, view);
    };
    QCOMPARE(decided("is 4", 1), std::optional(4));
    QCOMPARE(decided("work left", 1), std::optional(2));               // all leave 40 server-seconds: the first
    QCOMPARE(decided("share of 16-blocks at 0", 1), std::optional(2)); // leaves a plane
    QCOMPARE(decided("as floor-8", 1), std::optional(8));
    QCOMPARE(decided("disjoint 2-blocks at 0", -1), std::optional(16)); // leaves the fewest
}

void tst_Partitioners::learnedWithoutANetTakesTheFewest() {
    const ArrivalView queued(options(0.6), 0.6, std::nullopt);
    QCOMPARE(chosen({"learned", {}}, queued), std::optional(2));
    const ArrivalView late(options(0.01), 0.01, 12);
    QVERIFY(!chosen({"learned", {}}, late));
}

void tst_Partitioners::learnedSaysWhatDoesNotSuit() {
    const Registry registry = Registry::builtin();
    const PolicyInfo* info = registry.find(PolicyFamily::partitioner, "learned");
    const PolicyFiles files = agentThatScores("is 4", 1);
    Cluster cluster;
    QVERIFY(!info->unsuited(learnedChoice.parameters, files, cluster)); // no optical network: jobs wait
    cluster.ramp.emplace();
    QVERIFY(!info->unsuited(learnedChoice.parameters, files, cluster));
    cluster.ramp->racks = 2;
    QCOMPARE(info->unsuited(learnedChoice.parameters, files, cluster)->arguments,
             (std::vector<std::string>{"4 × 4 × 2", "4 × 2 × 2"}));
}

TRAINYARD_TEST(tst_Partitioners)
#include "tst_Partitioners.moc"
