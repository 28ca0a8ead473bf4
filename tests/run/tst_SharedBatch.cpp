// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Batches that processes share, here threads with mailboxes instead: the first has the result that one alone has, whatever their number;
// others have it where they need it; each run is done once; what is kept is not done again; one that differs ends all.
#include "run/TinyScenario.h"
#include "run/compare/ComparisonFile.h"
#include "run/compare/RunBatch.h"
#include "run/compare/Sweep.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <barrier>
#include <condition_variable>
#include <deque>
#include <thread>

using namespace trainyard;
using namespace trainyard::test;

namespace {

struct Mailboxes {
    explicit Mailboxes(std::size_t count) : size(count), met(static_cast<std::ptrdiff_t>(count)), identities(count) {}
    struct Letter {
        std::size_t from, to;
        int tag;
        std::string text;
    };
    std::size_t size;
    std::mutex mutex;
    std::condition_variable arrived;
    std::deque<Letter> letters;
    std::barrier<> met;
    std::vector<std::uint64_t> identities;
    std::string first;
};

class FakeProcess final : public BatchProcesses {
public:
    FakeProcess(Mailboxes& boxes, std::size_t rank) : m_boxes(boxes), m_rank(rank) {}
    std::size_t rank() const override { return m_rank; }
    std::size_t size() const override { return m_boxes.size; }
    void meet(std::uint64_t identity) override {
        m_boxes.identities[m_rank] = identity;
        m_boxes.met.arrive_and_wait();
        const bool same = std::ranges::count(m_boxes.identities, identity) == static_cast<long>(m_boxes.size);
        m_boxes.met.arrive_and_wait();
        if (!same) throw ProcessesApart({.code = "bad-usage", .message = {"apart", {}}});
    }
    void send(std::size_t to, int tag, const std::string& text) override {
        const std::scoped_lock lock(m_boxes.mutex);
        m_boxes.letters.push_back({m_rank, to, tag, text});
        m_boxes.arrived.notify_all();
        sent += to == 0;
    }
    std::string receive(std::size_t, int tag) override {
        std::unique_lock lock(m_boxes.mutex);
        std::optional<Message> found;
        m_boxes.arrived.wait(lock, [&] { return (found = take(tag)).has_value(); });
        return found->text;
    }
    std::optional<Message> poll(int tag) override {
        const std::scoped_lock lock(m_boxes.mutex);
        return take(tag);
    }
    std::string fromFirst(const std::string& text) override {
        if (m_rank == 0) m_boxes.first = text;
        m_boxes.met.arrive_and_wait();
        std::string out = m_boxes.first;
        m_boxes.met.arrive_and_wait();
        return out;
    }
    void isWaitedFor(std::size_t rank) override { waitedFor.push_back(rank); }
    std::size_t sent = 0; ///< to the first
    std::vector<std::size_t> waitedFor;

private:
    std::optional<Message> take(int tag) {
        const auto it = std::ranges::find_if(
            m_boxes.letters, [&](const Mailboxes::Letter& l) { return l.to == m_rank && l.tag == tag; });
        if (it == m_boxes.letters.end()) return std::nullopt;
        Message out{it->from, it->text};
        m_boxes.letters.erase(it);
        return out;
    }
    Mailboxes& m_boxes;
    std::size_t m_rank;
};

/// What the processes' work gives, by rank.
template <class Work>
auto together(std::size_t count, const Work& work) {
    Mailboxes boxes(count);
    std::vector<decltype(work(nullptr))> out(count);
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < count; ++rank)
        threads.emplace_back([&, rank] { out[rank] = work(std::make_shared<FakeProcess>(boxes, rank)); });
    threads.clear();
    return out;
}

ComparisonRequest comparison(const std::shared_ptr<BatchProcesses>& processes, std::size_t seeds = 12) {
    ComparisonRequest out{.scenario = std::make_shared<const Scenario>(tinyScenario()),
                          .registry = std::make_shared<const Registry>(Registry::builtin())};
    for (const char* arm : {"synchronization=full-sync", "synchronization=async"})
        out.arms.push_back(armFrom(*out.scenario, *out.registry, arm).value());
    for (std::size_t s = 1; s <= seeds; ++s) out.seeds.push_back(s);
    out.threads = 1;
    out.traces = true;
    out.processes = processes;
    return out;
}

std::string textOf(const ComparisonRequest& request, const ComparisonResult& result) {
    const ComparisonReport report{request, result, "tiny.json"};
    return comparisonJson(report).dump() + observationsCsv(report);
}

} // namespace

class tst_SharedBatch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFirstHasTheResult_data();
    void theFirstHasTheResult();
    void othersFollowTheRule();
    void sweepsAreShared();
    void eachRunIsDoneOnceAndKept();
    void othersKeepNoValues();
    void whoIsSilentIsNamed();
    void stoppedEverywhere();
    void whoDiffersEndsAll();
    void otherFilesEndAll();
};

void tst_SharedBatch::theFirstHasTheResult_data() {
    QTest::addColumn<int>("processes");
    for (const int n : {1, 2, 3, 5}) QTest::addRow("%d", n) << n;
}

void tst_SharedBatch::theFirstHasTheResult() {
    QFETCH(const int, processes);
    const auto request = comparison(nullptr);
    const std::string alone = textOf(request, compare(request));
    const auto all = together(static_cast<std::size_t>(processes), [](const std::shared_ptr<FakeProcess>& process) {
        const auto own = comparison(process);
        return textOf(own, compare(own));
    });
    QVERIFY(all.front() == alone);
}

/// All look as often, and have the same in the end.
void tst_SharedBatch::othersFollowTheRule() {
    const auto run = [](const std::shared_ptr<FakeProcess>& process) {
        auto request = comparison(process, 80);
        request.until = HalfWidthRule{"mean_jct_s", 0.05};
        return textOf(request, compare(request));
    };
    const std::string alone = run(nullptr);
    for (const std::string& text : together(3, run)) QVERIFY(text == alone);
}

void tst_SharedBatch::sweepsAreShared() {
    const auto run = [](const std::shared_ptr<FakeProcess>& process) {
        std::string out;
        const auto result = sweep({.scenario = std::make_shared<const Scenario>(tinyScenario()),
                                   .registry = std::make_shared<const Registry>(Registry::builtin()),
                                   .axes = {{"/jobs/0/stop/iterations", {"2", "3", "4"}}},
                                   .seeds = {1, 2, 3},
                                   .threads = 1,
                                   .processes = process});
        for (const SweepRow& row : result->rows) out += row.digest + "\n";
        return out;
    };
    QVERIFY(together(3, run).front() == run(nullptr));
}

void tst_SharedBatch::eachRunIsDoneOnceAndKept() {
    QTemporaryDir directory;
    const auto store = ResultStore::open(directory.filePath("r.db").toStdString()).value();
    const auto results = [&](const std::shared_ptr<FakeProcess>& process) {
        auto request = comparison(process);
        if (process->isFirst()) request.kept = {store, true};
        compare(request);
        return process->sent;
    };
    const auto first = together(2, results);
    QCOMPARE(store->size(), std::size_t{2 * 2 * 12}); // metrics and losses
    QVERIFY(first[1] >= 2);
    const auto again = together(2, results);
    QCOMPARE(again[1], std::size_t{2}); // it asked, was given nothing, and left
}

/// The first has all values, the others none of those that they computed.
void tst_SharedBatch::othersKeepNoValues() {
    const auto values = [](const std::shared_ptr<FakeProcess>& process) {
        std::map<std::size_t, std::string> digests;
        std::mutex mutex;
        RunBatch batch(
            {.registry = std::make_shared<const Registry>(Registry::builtin()), .threads = 1, .processes = process});
        const auto put = [&](std::size_t i, const std::string& digest) {
            const std::scoped_lock lock(mutex);
            digests[i] = digest;
            return true;
        };
        const auto scenario = std::make_shared<const Scenario>(tinyScenario());
        for (std::uint64_t seed = 1; seed <= 12; ++seed) batch.runs.push_back({scenario, seed});
        batch.take = [&](std::size_t i, RunOutcome& outcome) { put(i, outcome.digest); };
        batch.write = [&](std::size_t i) {
            const std::scoped_lock lock(mutex);
            return std::vector{digests.at(i)};
        };
        batch.read = [&](std::size_t i, const std::vector<std::string>& texts) { return put(i, texts.front()); };
        batch.release = [&](std::size_t i) { digests.erase(i); };
        batch.ended = [](EndedRun&) {};
        batch.run(0, 12);
        return digests.size();
    };
    QCOMPARE(together(3, values), (std::vector<std::size_t>{12, 0, 0}));
}

/// A process that stops for a while with a run in hand, when nothing is left to hand out.
void tst_SharedBatch::whoIsSilentIsNamed() {
    using std::chrono::milliseconds;
    const auto waitedFor = together(3, [](const std::shared_ptr<FakeProcess>& process) {
        process->patience = milliseconds(100);
        RunBatch batch(
            {.registry = std::make_shared<const Registry>(Registry::builtin()), .threads = 1, .processes = process});
        batch.runs.assign(30, {.scenario = std::make_shared<const Scenario>(tinyScenario())});
        std::atomic<int> taken = 0;
        batch.take = [&](std::size_t, RunOutcome&) {
            if (process->rank() == 1 && taken++ == 0) std::this_thread::sleep_for(milliseconds(600));
        };
        batch.write = [](std::size_t) { return std::vector<std::string>{"value"}; };
        batch.read = [](std::size_t, const std::vector<std::string>&) { return true; };
        batch.release = [](std::size_t) {};
        batch.ended = [](EndedRun&) {};
        batch.run(0, batch.runs.size());
        return process->waitedFor;
    });
    QCOMPARE(waitedFor, (std::vector<std::vector<std::size_t>>{{1}, {}, {}}));
}

void tst_SharedBatch::stoppedEverywhere() {
    std::stop_source source;
    source.request_stop();
    const auto stopped = together(2, [&](const std::shared_ptr<FakeProcess>& process) {
        auto request = comparison(process);
        if (process->isFirst()) request.stop = source.get_token();
        return compare(request).stopped ? 1 : 0;
    });
    QCOMPARE(stopped, (std::vector<int>{1, 1}));
}

void tst_SharedBatch::whoDiffersEndsAll() {
    const auto ended = together(3, [](const std::shared_ptr<FakeProcess>& process) {
        auto request = comparison(process);
        if (process->rank() == 2) request.scenario = std::make_shared<const Scenario>(tinyScenario(7));
        try {
            compare(request);
        } catch (const ProcessesApart&) { return 1; }
        return 0;
    });
    QCOMPARE(ended, (std::vector<int>{1, 1, 1}));
}

/// The scenario is the same, and what it names is not there for one.
void tst_SharedBatch::otherFilesEndAll() {
    const Registry registry = Registry::builtin();
    const auto loaded = readScenario(TRAINYARD_SOURCE_DIR "/scenarios/papers/pacml/faithful.json", registry);
    const auto scenario = std::make_shared<const Scenario>(loaded.value().scenario);
    const auto ended = together(2, [&](const std::shared_ptr<FakeProcess>& process) {
        auto request = comparison(process, 1);
        request.scenario = scenario;
        request.arms = {armFrom(*scenario, registry, "partitioner=learned").value()};
        if (process->isFirst()) request.resources = ResourcePaths::find({});
        try {
            compare(request);
        } catch (const ProcessesApart&) { return 1; }
        return 0;
    });
    QCOMPARE(ended, (std::vector<int>{1, 1}));
}

TRAINYARD_TEST(tst_SharedBatch)
#include "tst_SharedBatch.moc"
