// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is wrong with keyed jobs: in files, said with its place and what would be right; in messages between nodes, an error instead of
// a wrong value.
#include "base/Result.h"
#include "scenario/ScenarioFile.h"
#include "support/KeyedLoop.h"
#include "support/TestMain.h"

#include <deque>

using namespace trainyard;
using namespace trainyard::test;

namespace {

const Registry& registry() {
    static const Registry all = Registry::builtin();
    return all;
}

/// Of the shipped loop with these values set; what is wrong, or "".
std::string problemsOf(const QStringList& settings) {
    auto read = readScenario(TRAINYARD_SOURCE_DIR "/scenarios/papers/nups/zipf.json", registry());
    if (!read) return "unreadable";
    Scenario scenario = std::move(read).value().scenario;
    Problems problems;
    for (const QString& setting : settings) {
        const qsizetype sign = setting.indexOf('=');
        auto set = setValue(scenario, setting.left(sign).toStdString(), setting.mid(sign + 1).toStdString());
        if (set)
            scenario = std::move(set).value();
        else
            problems.insert(problems.end(), set.problems().begin(), set.problems().end());
    }
    if (problems.empty()) problems = validateScenario(scenario, registry());
    std::string out;
    for (const Problem& p : problems)
        if (p.severity == Severity::error) out += p.pointer + ": " + p.message.english() + "\n";
    return out;
}

/// Takes what a node sends, and drops it.
class Sink final : public KeyOutbox {
public:
    KeyMessage& compose(KeyMessageType type, std::uint32_t to) override {
        KeyMessage& message = m_messages.emplace_back();
        message.type = type;
        message.to = to;
        return message;
    }
    void send(KeyMessage&) override {}
    void pulled(std::uint32_t, std::uint32_t, const float*) override {}
    void pushed(std::uint32_t, std::uint32_t) override {}

private:
    std::deque<KeyMessage> m_messages;
};

} // namespace

class tst_KeyedInput : public QObject {
    Q_OBJECT
private slots:
    void saidWithPlaceAndCure_data();
    void saidWithPlaceAndCure();
    void messagesThatNoNodeSends_data();
    void messagesThatNoNodeSends();
    void repeatedKeysAreAskedForOnce();
};

void tst_KeyedInput::saidWithPlaceAndCure_data() {
    QTest::addColumn<QStringList>("settings");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("cure");
    const auto row = [](const char* name, const QStringList& settings, const char* place, const char* cure) {
        QTest::newRow(name) << settings << place << cure;
    };
    const QString keyed = QStringLiteral("/jobs/0/keyed"), policy = QStringLiteral("/policies/parameters");
    row("negative exponent", {keyed + "/exponent=-1"}, "/jobs/0/keyed/exponent", "0");
    row("exponent without end", {keyed + "/exponent=1e9"}, "/jobs/0/keyed/exponent", "20");
    row("no number", {keyed + "/exponent=steep"}, "/jobs/0/keyed/exponent", "number");
    row("no keys", {keyed + "/keys=0"}, "/jobs/0/keyed/keys", "1");
    row("half a key", {keyed + "/keys=1.5"}, "/jobs/0/keyed/keys", "whole");
    row("no values", {keyed + "/values_per_key=0"}, "/jobs/0/keyed/values_per_key", "1");
    row("replicas than keys", {keyed + "/keys=500"}, "/jobs/0", "must be at most that");
    row("no look-ahead", {keyed + "/look_ahead=0"}, "/jobs/0", "look_ahead must be at least 1");
    row("full-sync", {"/policies/synchronization=full-sync"}, "/jobs/0",
        "Asynchronous [async], Stale synchronous parallel [ssp]");
    row("another optimizer", {keyed + "/optimizer=adam"}, "/jobs/0/keyed/optimizer", "adagrad");
    row("servers", {"/jobs/0/servers=1"}, "/jobs/0/servers", "\"servers\": 0");
    row("shrink", {"/jobs/0/on_failure=shrink"}, "/jobs/0/on_failure", "restart");
    row("loss", {"/jobs/0/stop/loss=0.1"}, "/jobs/0/stop/loss", "iterations, epochs or seconds");
    row("all access", {"/jobs/0/access=all"}, "/jobs/0/keyed", "\"access\": \"keyed\"");
    row("memory", {keyed + "/keys=1000000000", keyed + "/values_per_key=1000000"}, "/jobs/0/keyed/keys", "GB");
    row("watched rank", {keyed + "/watched_ranks=[100001]"}, "/jobs/0/keyed/watched_ranks/0", "100000 keys");
    row("no rounds", {policy + "/parameters/syncs_per_second=0"}, "/policies/parameters/parameters/syncs_per_second",
        "0.001");
    row("wait before 0", {policy + "/parameters/wait_replica_sync=-1"},
        "/policies/parameters/parameters/wait_replica_sync", "0");
}

void tst_KeyedInput::saidWithPlaceAndCure() {
    QFETCH(QStringList, settings);
    QFETCH(QString, place);
    QFETCH(QString, cure);
    const std::string problems = problemsOf(settings);
    QVERIFY2(problems.find(place.toStdString() + ": ") != std::string::npos, problems.c_str());
    QVERIFY2(problems.find(cure.toStdString()) != std::string::npos, problems.c_str());
    QCOMPARE(problemsOf({}), std::string());
}

void tst_KeyedInput::messagesThatNoNodeSends_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<int>("keys");
    QTest::addColumn<int>("values");
    QTest::newRow("an addition that is too long") << int(KeyMessageType::push) << 1 << 4;
    QTest::newRow("an addition that is too short") << int(KeyMessageType::push) << 1 << 2;
    QTest::newRow("a key twice in one request") << int(KeyMessageType::pullRequest) << 2 << 0;
    QTest::newRow("a request of no key") << int(KeyMessageType::pullRequest) << 0 << 0;
    QTest::newRow("a key twice in one localize") << int(KeyMessageType::localize) << 2 << 0;
    QTest::newRow("a key twice in one hand-over") << int(KeyMessageType::handOver) << 2 << 0;
    QTest::newRow("keys without values") << int(KeyMessageType::transfer) << 1 << 0;
    QTest::newRow("a key that nobody asked for") << int(KeyMessageType::transfer) << 1 << 3;
}

// To node 0 of two, of key 1, whose home and owner it is.
void tst_KeyedInput::messagesThatNoNodeSends() {
    QFETCH(int, type);
    QFETCH(int, keys);
    QFETCH(int, values);
    const auto job =
        std::make_shared<const KeyJob>(KeyPlan{.relocates = true}, std::make_shared<KeyRanks>(10, 1.0, 1), 3u, 2u);
    KeyNode node(job, 0);
    Sink out;
    KeyMessage message;
    message.type = static_cast<KeyMessageType>(type);
    message.from = message.requester = 1;
    message.keys.assign(static_cast<std::size_t>(keys), 1);
    message.values.assign(static_cast<std::size_t>(values), 1.0f);
    QVERIFY_EXCEPTION_THROWN(node.onMessage(message, out), InvariantError);
}

void tst_KeyedInput::repeatedKeysAreAskedForOnce() {
    struct Counting final : KeyOutbox {
        KeyMessage& compose(KeyMessageType type, std::uint32_t to) override {
            message.type = type;
            message.to = to;
            return message;
        }
        void send(KeyMessage&) override { ++sent; }
        void pulled(std::uint32_t, std::uint32_t, const float*) override {}
        void pushed(std::uint32_t, std::uint32_t) override {}
        KeyMessage message;
        int sent = 0;
    } out;
    const auto job =
        std::make_shared<const KeyJob>(KeyPlan{.relocates = true}, std::make_shared<KeyRanks>(10, 1.0, 1), 3u, 2u);
    KeyNode node(job, 0);
    const std::uint32_t keys[] = {7, 7, 1, 7};
    node.localize(keys, out);
    QCOMPARE(out.sent, 1);
    QCOMPARE(out.message.keys, std::vector<std::uint32_t>{7});
    QCOMPARE(node.keysUnderWay(), std::size_t{1});
}

TRAINYARD_TEST(tst_KeyedInput)
#include "tst_KeyedInput.moc"
