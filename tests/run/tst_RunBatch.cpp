// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A batch of runs: each is over once and in one of four ways, the longest is begun first, what is kept is read, what cannot be read is run,
// progress ends at the last.
#include "run/TinyScenario.h"
#include "run/compare/RunBatch.h"
#include "support/TestMain.h"

#include <QTemporaryDir>

using namespace trainyard;
using namespace trainyard::test;
using How = EndedRun::How;

namespace {

/// A batch of 3 seeds, one run that has no scenario among them, with the value of each and how it ended.
struct Tried {
    std::vector<std::string> digests = std::vector<std::string>(4);
    std::vector<How> hows;
    std::vector<std::size_t> taken;
    Problems problems;
    std::size_t done = 0, all = 0;

    explicit Tried(BatchSettings settings, bool readable = true) : hows(4) {
        settings.registry = std::make_shared<const Registry>(Registry::builtin());
        settings.threads = 1;
        settings.progress = [&](std::size_t now, std::size_t of) { done = now, all = of; };
        RunBatch batch(std::move(settings));
        const auto scenario = std::make_shared<const Scenario>(tinyScenario(2));
        batch.runs = {{scenario, 1}, {scenario, 2}, {nullptr, 2}, {scenario, 3}};
        batch.kinds = {"digest", "again"};
        batch.take = [&](std::size_t i, RunOutcome& outcome) {
            digests[i] = outcome.digest;
            taken.push_back(i);
        };
        batch.write = [&](std::size_t i) { return std::vector<std::string>{digests[i], digests[i]}; };
        batch.read = [&](std::size_t i, const std::vector<std::string>& texts) {
            digests[i] = texts.at(1);
            return readable && texts[0] == texts[1];
        };
        batch.ended = [&](EndedRun& run) {
            hows[run.number] = run.how;
            problems.insert(problems.end(), run.problems.begin(), run.problems.end());
        };
        require(batch.run(0, 1).empty() && batch.run(1, 4).empty(), "the store of a test's batch cannot be used");
    }
};

} // namespace

class tst_RunBatch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachIsOverOnce();
    void longestFirst();
    void whatIsKeptIsRead();
    void othersShardsAreOnlyRead();
    void stoppedIsNoFailure();
};

void tst_RunBatch::eachIsOverOnce() {
    const Tried tried({});
    QCOMPARE(tried.hows, (std::vector{How::value, How::value, How::failed, How::value}));
    QCOMPARE(tried.taken, (std::vector<std::size_t>{0, 1, 3}));
    QVERIFY(tried.problems.empty()); // of the run without a scenario its owner knows them
    QCOMPARE(tried.done, std::size_t{4});
    QCOMPARE(tried.all, std::size_t{4});
    const Tried executed({.mode = RunMode::execute});
    QCOMPARE(executed.taken, tried.taken);
}

/// By size; alike ones, and executed ones, in order.
void tst_RunBatch::longestFirst() {
    const auto begun = [](RunMode mode) {
        RunBatch batch({.registry = std::make_shared<const Registry>(Registry::builtin()), .mode = mode, .threads = 1});
        std::vector<std::size_t> order;
        for (const int iterations : {1, 3, 2, 3})
            batch.runs.push_back({std::make_shared<const Scenario>(tinyScenario(iterations)), 1});
        batch.take = [](std::size_t, RunOutcome&) {};
        batch.ended = [&](EndedRun& run) { order.push_back(run.number); };
        batch.run(0, 4);
        return order;
    };
    QCOMPARE(begun(RunMode::simulate), (std::vector<std::size_t>{1, 3, 2, 0}));
    QCOMPARE(begun(RunMode::execute), (std::vector<std::size_t>{0, 1, 2, 3}));
}

void tst_RunBatch::whatIsKeptIsRead() {
    QTemporaryDir directory;
    const KeptResults kept(ResultStore::open(directory.filePath("r.db").toStdString()).value(), true);
    const Tried first({.kept = kept}), again({.kept = kept}), unreadable({.kept = kept}, false);
    QVERIFY(again.taken.empty());
    QCOMPARE(again.digests, first.digests);
    QCOMPARE(again.hows, first.hows);
    QCOMPARE(unreadable.taken, first.taken);
    QCOMPARE(unreadable.digests, first.digests);
}

void tst_RunBatch::othersShardsAreOnlyRead() {
    QTemporaryDir directory;
    const KeptResults kept(ResultStore::open(directory.filePath("r.db").toStdString()).value(), true);
    const Tried one({.shard = 1, .shards = 2, .kept = kept});
    QCOMPARE(one.hows, (std::vector{How::ofOtherShard, How::value, How::failed, How::value}));
    const Tried other({.shard = 0, .shards = 2, .kept = kept});
    QCOMPARE(other.taken, (std::vector<std::size_t>{0}));
    QCOMPARE(other.hows, (std::vector{How::value, How::value, How::failed, How::value}));
}

void tst_RunBatch::stoppedIsNoFailure() {
    std::stop_source source;
    source.request_stop();
    const Tried tried({.stop = source.get_token()});
    QCOMPARE(tried.hows, (std::vector{How::stopped, How::stopped, How::failed, How::stopped}));
    QVERIFY(tried.problems.front().code == "stopped");
}

TRAINYARD_TEST(tst_RunBatch)
#include "tst_RunBatch.moc"
