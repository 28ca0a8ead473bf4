// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Pieces of a scenario: what is copied comes back under free ids, with what it needs.
#include "scenario/Fragment.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

using namespace trainyard;

class tst_Fragment : public QObject {
    Q_OBJECT
private slots:
    void freeKeysCountOn();
    void rackBringsItsMembers();
    void textComesBack();
    void pastedTwiceIsThreeTimesThere();
    void resourcesAreMatchedByName();
    void wrongTextIsExplained();

private:
    static Scenario starter(const char* name) {
        auto loaded = readScenario(std::string(TRAINYARD_SOURCE_DIR "/scenarios/start/") + name, Registry::builtin());
        require(loaded.ok(), "a starter scenario is in order");
        return loaded->scenario;
    }
};

void tst_Fragment::freeKeysCountOn() {
    QCOMPARE(freeKey("m3", {"m1", "m3"}), std::string("m2"));
    QCOMPARE(freeKey("m3", {"m1"}), std::string("m3"));
    QCOMPARE(freeKey("switch", {"switch"}), std::string("switch-1"));
    QCOMPARE(freeKey("", {"1"}), std::string("2"));
}

void tst_Fragment::rackBringsItsMembers() {
    const Scenario s = starter("two-racks.json");
    const Scenario piece = excerptOf(s, {s.cluster.racks[0].key});
    std::size_t members = 0;
    for (const auto& machine : s.cluster.machines) members += machine.rack == s.cluster.racks[0].key;
    QVERIFY(members > 0);
    QCOMPARE(piece.cluster.machines.size(), members);
    QVERIFY(!piece.cluster.links.empty());
    for (const Link& link : piece.cluster.links) {
        const auto keys = nodeKeysOf(piece.cluster);
        QVERIFY(keys.contains(link.from) && keys.contains(link.to));
    }
}

void tst_Fragment::textComesBack() {
    const Scenario s = starter("two-racks.json");
    const Scenario piece = excerptOf(s, nodeKeysOf(s.cluster), {0, 1});
    const auto read = readFragment(writeFragment(piece));
    QVERIFY(read.ok());
    QVERIFY(*read == piece);
    QVERIFY(readFragment(writeScenario(s)).ok());
}

void tst_Fragment::pastedTwiceIsThreeTimesThere() {
    Scenario s = starter("two-racks.json");
    std::set<std::string> all = nodeKeysOf(s.cluster);
    for (const Rack& rack : s.cluster.racks) all.insert(rack.key);
    std::set<std::size_t> jobs;
    for (std::size_t j = 0; j < s.jobs.size(); ++j) jobs.insert(j);
    const Scenario piece = excerptOf(s, all, jobs);
    const auto machines = s.cluster.machines.size(), links = s.cluster.links.size(), count = s.jobs.size();
    for (int i = 1; i <= 2; ++i) {
        const Inserted inserted = insertFragment(s, piece, {100.0 * i, 0});
        QCOMPARE(inserted.keys.size(), all.size());
        QCOMPARE(inserted.jobs.size(), count);
    }
    QCOMPARE(s.cluster.machines.size(), 3 * machines);
    QCOMPARE(s.cluster.links.size(), 3 * links);
    // All ids differ and all references hold; only the islands are not joined.
    for (const Problem& p : validateScenario(s, Registry::builtin()))
        QVERIFY2(p.code == "unreachable" || p.severity != Severity::error, p.text().c_str());
    if (s.cluster.machines[0].position)
        QCOMPARE(s.cluster.machines[machines].position->x, s.cluster.machines[0].position->x + 100);
}

void tst_Fragment::resourcesAreMatchedByName() {
    Scenario to;
    to.cluster.resourceNames = {"gpu", "memory"};
    to.cluster.machines.push_back({.key = "a", .capacity = ResourceVector::of({2, 64})});
    Scenario piece;
    piece.cluster.resourceNames = {"cpu", "gpu"};
    piece.cluster.machines.push_back({.key = "a", .capacity = ResourceVector::of({16, 4})});
    insertFragment(to, piece, {});
    QCOMPARE(to.cluster.resourceNames, (std::vector<std::string>{"gpu", "memory", "cpu"}));
    QVERIFY(to.cluster.machines[0].capacity == ResourceVector::of({2, 64}));
    QVERIFY(to.cluster.machines[1].capacity == ResourceVector::of({4, 0, 16}));
    QVERIFY(to.cluster.machines[1].key != "a");
}

void tst_Fragment::wrongTextIsExplained() {
    const auto broken = readFragment("{\"format\": \"trainyard-fragment\",\n \"cluster\": [1,}");
    QVERIFY(!broken.ok());
    QCOMPARE(broken.problems().front().line, 2);
    const auto foreign = readFragment("{\"format\": \"something\"}");
    QVERIFY(!foreign.ok());
    QCOMPARE(foreign.problems().front().pointer, std::string("/format"));
    QVERIFY(!readFragment("hello").ok());
}

TRAINYARD_TEST(tst_Fragment)
#include "tst_Fragment.moc"
