// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What an agent sees, by hand; its net against finite differences; its file, whole and broken.
#include "base/Base64.h"
#include "learning/DataSet.h"
#include "planning/agents/DegreeAgent.h"
#include "planning/graphs/DegreeRules.h"
#include "scenario/agents/AgentFile.h"
#include "support/GraphSamples.h"

#include <QRegularExpression>

#include <cmath>

using namespace trainyard;

class tst_DegreeAgent : public QObject {
    Q_OBJECT
private slots:
    void base64ByHand();
    void halvesAreNearest();
    void anEmptyClusterByHand();
    void takenServersByHand();
    void optionsTellWhichRuleTakesThem();
    void theNetFollowsItsGradient();
    void theBestScoreIsTaken();
    void refusingByHand();
    void theNearestLawIsTaken();
    void filesComeBack();
    void brokenFilesAreNamed_data();
    void brokenFilesAreNamed();
    void pathsStayWithin();
};

namespace {

std::shared_ptr<const ServerBlocks> ramp() { return std::make_shared<const ServerBlocks>(OpticalNetwork{}); }

/// The number of that name.
float at(const AfterStates& states, const std::vector<float>& row, const std::string& name) {
    const auto names = states.names();
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? std::nanf("") : row[static_cast<std::size_t>(found - names.begin())];
}

ExpectedLoad quiet(double gap) { return {gap, std::vector<float>(AfterStates::loadNumbers)}; }

std::vector<float> stateOf(const AfterStates& states, const LossSystem& system, double now, ServerMask servers,
                           double seconds, double gap) {
    std::vector<float> row(states.stateSize());
    states.writeState(system, now, servers, seconds, quiet(gap), row);
    row.resize(states.optionSize());
    return row;
}

GraphOption inTime(int degree, ServerMask servers, double seconds) {
    return {.degree = degree, .state = OptionState::inTime, .allowed = true, .servers = servers, .seconds = seconds};
}

DegreeAgent sampleAgent() {
    const AfterStates states(ramp());
    DegreeNet net{.hidden = {4}, .parameters = {}, .mayRefuse = true};
    const auto mlp = afterStateNet(states.optionSize(), net.hidden);
    net.parameters.resize(mlp.parameters());
    RandomStream random(1, Purpose::test);
    mlp.initialise(net.parameters, random);
    roundToHalf(net.parameters);
    const DiscreteLaw law{{0.25, 0.5, 1}, {0.25, 0.5, 0.25}};
    DegreeAgent out{.title = "sample", .graphs = {"alexnet"}, .configuration = "{\n}\n", .seed = 7};
    out.members.push_back({.rules = GraphRules::corrected,
                           .law = "beta-a",
                           .quantiles = lawQuantiles(law),
                           .candidate = "distilled",
                           .blocking = 0.125,
                           .net = std::make_shared<const DegreeNet>(net),
                           .curve = {{100, 0.5}, {200, 0.75}}});
    return out;
}

} // namespace

void tst_DegreeAgent::base64ByHand() { // the vectors of RFC 4648, section 10
    const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                           {"f", "Zg=="},
                                                           {"fo", "Zm8="},
                                                           {"foo", "Zm9v"},
                                                           {"foob", "Zm9vYg=="},
                                                           {"fooba", "Zm9vYmE="},
                                                           {"foobar", "Zm9vYmFy"}};
    for (const auto& [plain, encoded] : vectors) {
        const std::string text(plain);
        const std::vector<std::uint8_t> bytes(text.begin(), text.end());
        QCOMPARE(toBase64(bytes), std::string(encoded));
        QVERIFY(fromBase64(encoded) == bytes);
    }
    for (const char* wrong : {"Zg=", "Zg", "Zh==", "Z===", "Zm9=Zm9v", "Zm9!", "===="}) QVERIFY(!fromBase64(wrong));
}

void tst_DegreeAgent::halvesAreNearest() {
    // 1 = 0 01111 0000000000; -2 = 1 10000 …; 65504 is the largest, 2^-24 the smallest.
    QCOMPARE(toHalf(1.0F), std::uint16_t{0x3c00});
    QCOMPARE(toHalf(-2.0F), std::uint16_t{0xc000});
    QCOMPARE(toHalf(65504.0F), std::uint16_t{0x7bff});
    QCOMPARE(toHalf(1e9F), std::uint16_t{0x7bff});
    QCOMPARE(toHalf(std::ldexp(1.0F, -24)), std::uint16_t{1});
    QCOMPARE(toHalf(0.0F), std::uint16_t{0});
    // Between 1 and 1 + 2^-10 lies a half at 1 + 2^-11: to even.
    QCOMPARE(toHalf(1 + std::ldexp(1.0F, -11)), std::uint16_t{0x3c00});
    QCOMPARE(toHalf(1 + 3 * std::ldexp(1.0F, -11)), std::uint16_t{0x3c02});
    for (std::uint32_t bits = 0; bits < 0x7c00; ++bits)
        QCOMPARE(toHalf(fromHalf(static_cast<std::uint16_t>(bits))), static_cast<std::uint16_t>(bits));
    RandomStream random(2, Purpose::test);
    for (int i = 0; i < 1000; ++i) {
        std::vector<float> x{static_cast<float>(random.normal())};
        const float before = x[0];
        roundToHalf(x);
        QVERIFY(std::abs(x[0] - before) <= std::abs(before) * std::ldexp(1.0F, -11) + std::ldexp(1.0F, -25));
    }
}

void tst_DegreeAgent::anEmptyClusterByHand() {
    const AfterStates states(ramp());
    QCOMPARE(states.names().size(), states.optionSize());
    const auto row = stateOf(states, LossSystem(), 0, 0, 0, 10);
    for (int s = 0; s < 32; ++s) QCOMPARE(at(states, row, "server " + std::to_string(s) + " taken"), 0.0F);
    // 32 servers: two planes of 16, four blocks of 8, eight of 4, sixteen of 2.
    for (const char* size : {"16", "8", "4", "2"}) {
        QCOMPARE(at(states, row, std::string("share of ") + size + "-blocks at 0"), 1.0F);
        QCOMPARE(at(states, row, std::string("disjoint ") + size + "-blocks at 0"), 1.0F);
        QCOMPARE(at(states, row, std::string("until a ") + size + "-block"), 0.0F);
    }
    QCOMPARE(at(states, row, "jobs"), 0.0F);
}

void tst_DegreeAgent::takenServersByHand() {
    // Server 0 is taken for 15 s and server 1, which is in the other plane, for 30 s; a gap is 10 s.
    const AfterStates states(ramp());
    LossSystem system;
    system.place(1, 15);
    const auto row = stateOf(states, system, 0, 2, 30, 10);
    QCOMPARE(at(states, row, "server 0 taken"), static_cast<float>(std::log1p(1.5) / std::log(17.0)));
    QCOMPARE(at(states, row, "server 1 taken"), static_cast<float>(std::log1p(3.0) / std::log(17.0)));
    QCOMPARE(at(states, row, "server 2 taken"), 0.0F);
    // Blocks for 16 are the planes: both are taken until 15 s, one until 30 s.
    QCOMPARE(at(states, row, "any of 16-blocks at 1"), 0.0F);
    QCOMPARE(at(states, row, "any of 16-blocks at 2"), 1.0F);
    QCOMPARE(at(states, row, "share of 16-blocks at 2"), 0.5F);
    QCOMPARE(at(states, row, "share of 16-blocks at 3"), 1.0F); // what ends at an instant is free at it
    QCOMPARE(at(states, row, "until a 16-block"), static_cast<float>(std::log1p(1.5) / std::log(17.0)));
    QCOMPARE(at(states, row, "jobs"), 2.0F / 32);
    QCOMPARE(at(states, row, "work left"), static_cast<float>(4.5 / 32 / 8));
    const auto glance = states.glance(system, 0, 2, 30);
    QCOMPARE(glance.free[4], 0);
    QCOMPARE(glance.wait[4], 15.0);
    QCOMPARE(glance.wait[0], 0.0);
}

void tst_DegreeAgent::optionsTellWhichRuleTakesThem() {
    // In time are 2 and 6 parts: floor-1 and floor-2 take 2, floor-4 and floor-6 take 6; floor-8 and floor-16 the largest below, 6.
    const AfterStates states(ramp());
    std::vector<GraphOption> options{{.degree = 1, .state = OptionState::late},
                                     inTime(2, 3, 5),
                                     {.degree = 4, .state = OptionState::noBlock},
                                     inTime(6, 63, 2)};
    std::vector<float> two(states.optionSize()), six(states.optionSize());
    states.writeOption(LossSystem(), 0, options, 1, quiet(1), two);
    states.writeOption(LossSystem(), 0, options, 3, quiet(1), six);
    for (const int k : AfterStates::degrees) {
        const std::string rule = "as floor-" + std::to_string(k);
        QCOMPARE(at(states, two, rule), k <= 2 ? 1.0F : 0.0F);
        QCOMPARE(at(states, six, rule), k <= 2 ? 0.0F : 1.0F);
        QCOMPARE(at(states, six, "is " + std::to_string(k)), k == 6 ? 1.0F : 0.0F);
        // The same as the rule itself says.
        RandomStream unused(1, Purpose::test);
        const auto chosen = chosenOption({DegreeRule::Kind::floor, k}, options, 1, unused);
        QCOMPARE(at(states, six, rule), chosen == std::size_t{3} ? 1.0F : 0.0F);
    }
}

void tst_DegreeAgent::theNetFollowsItsGradient() {
    const AfterStates states(ramp());
    const nets::Mlp<double> net({states.optionSize(), 8, 4, 1});
    std::vector<double> parameters(net.parameters()), gradient(net.parameters(), 0.0);
    RandomStream random(3, Purpose::test);
    net.initialise(parameters, random);
    nets::Matrix<double> rows(3, states.optionSize());
    LossSystem system;
    system.place(0xff, 7);
    std::vector<GraphOption> options{inTime(1, 1 << 8, 20), inTime(4, 0xf00, 6), inTime(8, 0xff00, 3)};
    for (std::size_t r = 0; r < 3; ++r) {
        std::vector<float> row(states.optionSize());
        states.writeOption(system, 0, options, r, quiet(2), row);
        std::ranges::copy(row, rows.row(r));
    }
    nets::Mlp<double>::Tape tape;
    const double weights[] = {0.3, -1, 2};
    const auto loss = [&] {
        const auto& y = net.forward(parameters, rows, tape);
        return weights[0] * y.numbers[0] + weights[1] * y.numbers[1] + weights[2] * y.numbers[2];
    };
    loss();
    nets::Matrix<double> dy(3, 1);
    std::ranges::copy(weights, dy.numbers.begin());
    net.backward(parameters, tape, dy, gradient);
    double greatest = 0;
    for (std::size_t i = 0; i < parameters.size(); i += 7) {
        const double v = parameters[i], h = 1e-6;
        parameters[i] = v + h;
        const double above = loss();
        parameters[i] = v - h;
        const double below = loss();
        parameters[i] = v;
        QVERIFY(std::abs((above - below) / (2 * h) - gradient[i]) <= 1e-6 * (1 + std::abs(gradient[i])));
        greatest = std::max(greatest, std::abs(gradient[i]));
    }
    QVERIFY(greatest > 0.01);
}

void tst_DegreeAgent::theBestScoreIsTaken() {
    // A net that scores the share of free planes: of 8 servers in one plane and of 2 in both, the first is better.
    const auto states = std::make_shared<const AfterStates>(ramp());
    DegreeNet net{{1}, std::vector<float>(states->optionSize() + 3)};
    const auto names = states->names();
    const auto planes = std::ranges::find(names, "share of 16-blocks at 0") - names.begin();
    net.parameters[static_cast<std::size_t>(planes)] = 1; // to the hidden unit
    net.parameters[states->optionSize() + 1] = 1;         // from it
    GraphPricer pricer({}, {});
    pricer.add(std::make_shared<const ComputationGraph>(ComputationGraph{{{"a", 1, 1, 0, 0}}, {}}), 1);
    const auto scorer = makeScorer(states, std::make_shared<const DegreeNet>(net), pricer, {.beta = {{1}, {1}}});
    const LossSystem system{};
    const std::vector<GraphOption> options{
        {.degree = 1, .state = OptionState::late}, inTime(2, 0b11, 9), inTime(8, 0x5555, 4)};
    std::vector<double> scores;
    scorer->score({system, 0, 0, 1, options}, scores);
    QVERIFY(std::isnan(scores[0]));
    QCOMPARE(scores[1], 0.0);
    QCOMPARE(scores[2], 0.5);
    QVERIFY(std::isnan(scorer->refusal()));
    QCOMPARE(scorer->choose({system, 0, 0, 1, options}), std::optional<std::size_t>(2));
    QVERIFY(!scorer->choose({system, 0, 0, 1, std::span(options).first(1)}));

    // Refusing leaves both planes free. Nothing is refused of which no number of parts is in time.
    net.mayRefuse = true;
    const auto refusing = makeScorer(states, std::make_shared<const DegreeNet>(net), pricer, {.beta = {{1}, {1}}});
    refusing->score({system, 0, 0, 1, options}, scores);
    QCOMPARE(scores[2], 0.5);
    QCOMPARE(refusing->refusal(), 1.0);
    QVERIFY(!refusing->choose({system, 0, 0, 1, options}));
    refusing->score({system, 0, 0, 1, std::span(options).first(1)}, scores);
    QVERIFY(std::isnan(refusing->refusal()));
}

void tst_DegreeAgent::refusingByHand() {
    const AfterStates states(ramp());
    LossSystem system;
    system.place(1, 15);
    std::vector<float> row(states.optionSize(), 7.0F);
    states.writeRefusal(system, 0, quiet(10), row);
    const auto before = stateOf(states, system, 0, 0, 0, 10); // and no kind of option
    QCOMPARE(row, before);
}

void tst_DegreeAgent::theNearestLawIsTaken() {
    DegreeAgent agent = sampleAgent();
    agent.members.push_back(agent.members.front());
    agent.members.back().law = "late";
    agent.members.back().quantiles.assign(19, 0.9);
    QCOMPARE(agent.memberFor(GraphRules::corrected, {{0.3, 0.5}, {0.5, 0.5}})->law, std::string("beta-a"));
    QCOMPARE(agent.memberFor(GraphRules::corrected, {{0.8, 1}, {0.5, 0.5}})->law, std::string("late"));
    QVERIFY(!agent.memberFor(GraphRules::faithful, {{0.8, 1}, {0.5, 0.5}}));
    QVERIFY(agent.fits({}));
    QVERIFY(!agent.fits({.groups = 4, .racks = 2, .servers = 2}));
}

void tst_DegreeAgent::filesComeBack() {
    const DegreeAgent agent = sampleAgent();
    const std::string text = writeAgent(agent);
    const auto read = parseAgent(text, "a.json");
    QVERIFY(read.ok());
    QCOMPARE(writeAgent(**read), text);
    QVERIFY(*(*read)->members[0].net == *agent.members[0].net);
    QCOMPARE((*read)->members[0].curve.size(), std::size_t{2});
    QCOMPARE((*read)->configuration, agent.configuration);
    QCOMPARE((*read)->digest.size(), std::size_t{16});
}

void tst_DegreeAgent::brokenFilesAreNamed_data() {
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("pointer");
    const auto row = [](const char* name, const char* from, const char* to, const char* code, const char* pointer) {
        QTest::newRow(name) << QString::fromUtf8(from) << QString::fromUtf8(to) << QString::fromUtf8(code)
                            << QString::fromUtf8(pointer);
    };
    row("another version", "\"version\": 1", "\"version\": 2", "unknown-version", "/version");
    row("no agent", "trainyard-agent", "trainyard-scenario", "not-an-agent", "/format");
    row("truncated", "\"configuration\".*$", "", "invalid-json", "");
    row("fewer parameters", "\"parameters\": \"....", "\"parameters\": \"", "damaged-agent", "/members/0");
    row("no base64", "\"parameters\": \".", "\"parameters\": \"!", "damaged-agent", "/members/0");
    row("not a number", "\"parameters\": \"....", "\"parameters\": \"AH4A", "damaged-agent", "/members/0"); // 0x7e00
    row("a changed parameter", "\"parameters\": \"....", "\"parameters\": \"ADwA", "damaged-agent", "/digest");
    row("another shape", "\"racks\": 4", "\"racks\": 2", "damaged-agent", "/members/0");
    row("no shape", "\"servers\": 2", "\"servers\": 64", "damaged-agent", "/network");
    row("unknown key", "\"seed\"", "\"sead\"", "unknown-key", "/sead");
    row("no nets", "\"hidden\"", "\"hiden\"", "missing-key", "/members/0");
}

void tst_DegreeAgent::brokenFilesAreNamed() {
    QFETCH(QString, from);
    QFETCH(QString, to);
    QString text = QString::fromStdString(writeAgent(sampleAgent()));
    const auto before = text;
    const QRegularExpression pattern(from, QRegularExpression::DotMatchesEverythingOption);
    const auto match = pattern.match(text);
    QVERIFY(match.hasMatch());
    text.replace(match.capturedStart(), match.capturedLength(), to);
    QVERIFY(text != before);
    const auto read = parseAgent(text.toStdString(), "a.json");
    QVERIFY(!read.ok());
    QFETCH(QString, code);
    QFETCH(QString, pointer);
    const auto& problems = read.problems();
    const auto found = std::ranges::find_if(problems, [&](const Problem& p) {
        return p.pointer == pointer.toStdString() &&
               (code == QLatin1String("invalid-json") || p.code == code.toStdString());
    });
    QVERIFY2(found != problems.end(), problems.front().text().c_str());
    QCOMPARE(found->file, std::string("a.json"));
    QVERIFY(found->line > 0);
}

void tst_DegreeAgent::pathsStayWithin() {
    const ResourcePaths resources = ResourcePaths::find({});
    for (const char* wrong : {"", "/etc/passwd", "../agent.json", "a/../../agent.json"})
        QCOMPARE(agentPath(wrong, resources).problems().front().code, std::string("bad-path"));
    QCOMPARE(agentPath("runs/agent.json", resources)->string(), std::string("runs/agent.json"));
    for (const std::string& shipped : shippedAgents(resources))
        QCOMPARE(agentPath(shipped, resources)->string(), (resources.root / "agents" / (shipped + ".json")).string());
}

TRAINYARD_TEST(tst_DegreeAgent)
#include "tst_DegreeAgent.moc"
