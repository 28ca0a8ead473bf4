// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Where two runs part: against every pair of effects compared one by one, and on runs that are known to part.
#include "analysis/FirstDifference.h"
#include "support/IndexedRun.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <algorithm>
#include <random>

using namespace trainyard;

namespace {

using Logs = std::array<std::vector<Event>, 2>;

EventLog logOf(const std::vector<Event>& events) {
    EventLog log;
    for (const Event& e : events) log.append(e);
    return log;
}

bool isSame(const Event& a, const Event& b) {
    return a.type == b.type && a.aux == b.aux && a.job == b.job && a.a == b.a && a.b == b.b;
}

/// Walks through all instants of both, and strikes out pairs that are the same.
std::optional<FirstDifference> bruteForce(const Logs& logs) {
    std::vector<SimTime> instants;
    for (const auto& log : logs)
        for (const Event& e : log)
            if (decidedBy(e)) instants.push_back(e.time);
    std::ranges::sort(instants);
    instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
    FirstDifference found;
    for (const SimTime at : instants) {
        std::array<std::vector<std::size_t>, 2> left;
        for (std::size_t side = 0; side < 2; ++side)
            for (std::size_t i = 0; i < logs[side].size(); ++i)
                if (logs[side][i].time == at && decidedBy(logs[side][i])) left[side].push_back(i);
        // The later of equal effects is what one run has more of: strike out from the front.
        std::size_t struck = 0;
        for (std::size_t i = 0; i < left[0].size();) {
            const auto twin = std::ranges::find_if(
                left[1], [&](std::size_t other) { return isSame(logs[0][left[0][i]], logs[1][other]); });
            if (twin == left[1].end()) {
                ++i;
                continue;
            }
            left[1].erase(twin);
            left[0].erase(left[0].begin() + static_cast<std::ptrdiff_t>(i));
            ++struck;
        }
        if (left[0].empty() && left[1].empty()) {
            found.alike += struck;
            continue;
        }
        found.at = at;
        for (std::size_t side = 0; side < 2; ++side) {
            std::optional<std::size_t> own;
            if (left[side].empty()) { // what it does next
                for (std::size_t i = 0; i < logs[side].size(); ++i) {
                    const bool isLater = logs[side][i].time > at && decidedBy(logs[side][i]);
                    if (isLater && (left[side].empty() || logs[side][i].time == logs[side][left[side][0]].time))
                        left[side].push_back(i);
                }
            }
            for (const std::size_t i : left[side])
                if (!own || *decidedBy(logs[side][i]) < *decidedBy(logs[side][*own])) own = i;
            if (own) found.sides[side] = PolicyEffect{*own, logs[side][*own], *decidedBy(logs[side][*own]), {}};
        }
        return found;
    }
    return std::nullopt;
}

Event randomEvent(std::mt19937& random) {
    constexpr EventType types[] = {EventType::taskPlaced,    EventType::jobStarted,    EventType::jobPreempted,
                                   EventType::workerBlocked, EventType::updateApplied, EventType::decision};
    Event e;
    e.type = types[random() % std::size(types)];
    e.aux = static_cast<std::uint16_t>(random() % 2);
    e.job = random() % 3 == 0 && e.type == EventType::decision ? JobId::none : random() % 2;
    e.a = random() % 2;
    return e;
}

std::vector<Event> randomLog(std::mt19937& random) {
    std::vector<Event> events;
    std::int64_t instant = 0;
    for (std::size_t n = random() % 14; n > 0; --n) {
        instant += random() % 2;
        events.push_back(randomEvent(random));
        events.back().time = SimTime::seconds(static_cast<double>(instant));
    }
    return events;
}

/// The same events with some moved, left out, or in another order within an instant.
std::vector<Event> altered(std::vector<Event> events, std::mt19937& random) {
    std::ranges::shuffle(events, random);
    std::ranges::stable_sort(events, {}, &Event::time);
    if (!events.empty() && random() % 2 == 0)
        events.erase(events.begin() + static_cast<std::ptrdiff_t>(random() % events.size()));
    if (random() % 2 == 0) events.resize(events.size() - random() % (1 + events.size() / 3));
    return events;
}

} // namespace

class tst_FirstDifference : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void agreesWithComparingEveryPair();
    void ordersCountWhereInstantsDoNot();
    void explanationIsThatOfTheSameJobAndInstant();
    void whyNotIsAboutTheSameJob();
    void runsPartWhereTheirPoliciesDo();
};

void tst_FirstDifference::agreesWithComparingEveryPair() {
    std::mt19937 random(1);
    int different = 0, alike = 0, oneSided = 0;
    for (int round = 0; round < 20'000; ++round) {
        const std::vector<Event> first = randomLog(random);
        const Logs logs{first, round % 4 == 0 ? randomLog(random) : altered(first, random)};
        const auto expected = bruteForce(logs);
        const auto found = firstDifference(logOf(logs[0]), logOf(logs[1]), true);
        QCOMPARE(found.has_value(), expected.has_value());
        ++(found ? different : alike);
        if (!found) continue;
        QCOMPARE(found->at, expected->at);
        QCOMPARE(found->alike, expected->alike);
        for (std::size_t side = 0; side < 2; ++side) {
            const auto &is = found->sides[side], &should = expected->sides[side];
            QCOMPARE(is.has_value(), should.has_value());
            oneSided += !is.has_value();
            if (is) QVERIFY(isSame(is->event, should->event) && is->event.time == should->event.time);
            if (is) QVERIFY(logs[side][is->position] == is->event);
        }
    }
    QVERIFY(different > 2000 && alike > 2000 && oneSided > 500);
}

void tst_FirstDifference::ordersCountWhereInstantsDoNot() {
    std::mt19937 random(2);
    for (int round = 0; round < 2000; ++round) {
        const std::vector<Event> first = randomLog(random);
        std::vector<Event> later = first;
        for (Event& e : later) e.time = SimTime::seconds(2 * e.time.toSeconds() + 1);
        QVERIFY(!firstDifference(logOf(first), logOf(later), false));
        std::vector<Event> effects;
        std::ranges::copy_if(first, std::back_inserter(effects),
                             [](const Event& e) { return decidedBy(e).has_value(); });
        if (effects.empty()) continue;
        QCOMPARE(firstDifference(logOf(first), logOf(later), true)->alike, std::size_t{0});
        const std::size_t changed = random() % effects.size();
        std::vector<Event> other = effects;
        other[changed].b += 7;
        const auto found = firstDifference(logOf(effects), logOf(other), false);
        QVERIFY(found);
        QCOMPARE(found->alike, changed);
        QCOMPARE(found->sides[0]->position, changed);
        QCOMPARE(found->sides[1]->event.b, effects[changed].b + 7);
    }
}

void tst_FirstDifference::explanationIsThatOfTheSameJobAndInstant() {
    const auto event = [](double at, EventType type, std::uint32_t job, std::uint32_t a, std::uint16_t aux = 0) {
        Event e;
        e.time = SimTime::seconds(at);
        e.type = type;
        e.job = job;
        e.a = a;
        e.aux = aux;
        return e;
    };
    const auto waiting = static_cast<std::uint16_t>(PolicyFamily::synchronization);
    std::vector<Event> events{
        event(0, EventType::decision, 0, 1),           event(1, EventType::decision, 0, 2),
        event(1, EventType::decision, 1, 3),           event(1, EventType::decision, 0, 4, waiting),
        event(1, EventType::taskPlaced, 0, 0),         event(2, EventType::taskPlaced, 1, 1),
        event(2, EventType::decision, 1, 5),           event(3, EventType::taskPlaced, 0, 2),
        event(3, EventType::decision, JobId::none, 6), event(4, EventType::taskPlaced, 0, 3)};
    const std::uint32_t behind[] = {2, 5, 6, 6}; // of the four placements, in order
    for (std::uint32_t placed = 0; placed < 4; ++placed) {
        std::vector<Event> other = events;
        std::erase_if(other, [&](const Event& e) { return e.type == EventType::taskPlaced && e.a == placed; });
        const auto found = firstDifference(logOf(events), logOf(other), true);
        QVERIFY(found && found->sides[0] && found->sides[0]->explanation);
        QCOMPARE(*found->sides[0]->explanation, behind[placed]);
        QCOMPARE(found->sides[1].has_value(), placed < 3);
    }
    std::erase_if(events, [](const Event& e) { return e.type == EventType::decision; });
    QVERIFY(!firstDifference(logOf(events), logOf({}), true)->sides[0]->explanation);
}

/// Not the refusal of another job at that instant: the last that was told of this one, before it or then.
void tst_FirstDifference::whyNotIsAboutTheSameJob() {
    const auto told = [](double at, std::size_t job, const char* text) {
        Explanation e;
        e.time = SimTime::seconds(at);
        e.job = JobId(job);
        e.policy = text;
        return e;
    };
    const auto effect = [](double at, std::size_t job) {
        Event e;
        e.time = SimTime::seconds(at);
        e.type = EventType::jobStarted;
        e.job = static_cast<std::uint32_t>(job);
        return PolicyEffect{0, e, PolicyFamily::scheduler, {}};
    };
    ExplanationLog log;
    log.add(told(0, 1, "starts"));
    log.add(told(3, 1, "too late"));
    log.addRefusal(told(1, 1, "does not fit"));
    log.addRefusal(told(2, 5, "of another job"));
    FirstDifference found{SimTime::seconds(2), 0, {effect(2, 1), effect(2, 4)}};
    QCOMPARE(whyNotTheSame(found, 1, log)->policy, "does not fit");
    QCOMPARE(whyNotTheSame(found, 0, log)->policy,
             "of another job");    // of job 4 nothing was told: it waits behind job 5
    found.sides[1] = effect(4, 1); // later
    QCOMPARE(whyNotTheSame(found, 1, log)->policy, "does not fit");
    found.sides[1] = effect(2, 1); // to the same job, in its own way
    QVERIFY(!whyNotTheSame(found, 1, log));
}

void tst_FirstDifference::runsPartWhereTheirPoliciesDo() {
    const auto run = [](const char* synchronization) {
        Scenario scenario = test::starScenario(4);
        scenario.jobs = {test::trainedJob()};
        scenario.policies.synchronization = {synchronization, {}};
        return test::sourceOfRun(std::move(scenario));
    };
    const RunSource everyone = run("full-sync"), again = run("full-sync"), async = run("async");
    QVERIFY(!firstDifference(*everyone.log, *again.log, true));
    const auto found = firstDifference(*everyone.log, *async.log, true);
    QVERIFY(found && found->alike > 0); // both place the same tasks
    QCOMPARE(found->sides[1]->family, PolicyFamily::synchronization);
    QVERIFY(found->at > SimTime::zero());
}

TRAINYARD_TEST(tst_FirstDifference)
#include "tst_FirstDifference.moc"
