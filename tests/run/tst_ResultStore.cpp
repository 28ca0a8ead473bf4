// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Results that are kept: found again by what they are of, by other processes, after a kill; comparisons, sweeps and studies that go on
// from them; shards put together.
#include "base/WholeFile.h"
#include "run/CliProcess.h"
#include "run/TinyScenario.h"
#include "run/compare/Comparison.h"
#include "run/compare/ResultStore.h"
#include "run/compare/Sweep.h"
#include "run/files/AtomicFile.h"
#include "scenario/ScenarioFile.h"
#include "studies/StudyRuns.h"
#include "support/Patience.h"
#include "support/StoreLock.h"
#include "support/TestMain.h"

#include <nlohmann/json.hpp>

#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>

#include <cmath>
#include <iterator>
#include <map>

#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace trainyard;
using namespace trainyard::test;
using Json = nlohmann::json;

class tst_ResultStore : public QObject {
    Q_OBJECT
private slots:
    void init();
    void foundByWhatTheyAreOf();
    void longScenariosTakeNoRoom();
    void metricsAsText();
    void merged();
    void damagedFilesAreTold();
    void comparisonsGoOn();
    void sweepsGoOn();
    void studiesGoOn();
    void shardsMakeAWhole();
    void killedAtAnyTimeNothingShownIsLost();
    void unwritableStoresAreNoSuccess();
    void linksAreNotFollowed();
    void damagedSourcesAreNamed();
    void changedResultsAreNone();
    void hostileStoresAreRefused();
    void triggersAreNotRun();
    void sourcesAreOnlyRead();
    void waitingForALockEnds();
    void madeByManyAtOnce();

private:
    std::filesystem::path at(const char* name) const {
        return m_dir->filePath(QString::fromLatin1(name)).toStdString();
    }
    std::shared_ptr<ResultStore> open(const char* name) const {
        auto store = ResultStore::open(at(name));
        require(store.ok(), "a test's store cannot be opened");
        return *store;
    }
    std::unique_ptr<QTemporaryDir> m_dir;
};

namespace {

/// As if Ctrl-C came before the first run: what is not kept is not done.
std::stop_token stopped() {
    std::stop_source source;
    source.request_stop();
    return source.get_token();
}

void execute(const std::filesystem::path& file, const char* script) {
    sqlite3* database = nullptr;
    require(sqlite3_open(file.c_str(), &database) == SQLITE_OK &&
                sqlite3_exec(database, script, nullptr, nullptr, nullptr) == SQLITE_OK,
            "a test's script for SQLite fails");
    sqlite3_close(database);
}

ComparisonRequest comparison(const KeptResults& kept) {
    ComparisonRequest request{.scenario = std::make_shared<const Scenario>(tinyScenario()),
                              .registry = std::make_shared<const Registry>(Registry::builtin()),
                              .arms = {{"full-sync", {{PolicyFamily::synchronization, {"full-sync", {}}}}},
                                       {"async", {{PolicyFamily::synchronization, {"async", {}}}}}},
                              .seeds = {1, 2, 3}};
    request.kept = kept;
    return request;
}

} // namespace

void tst_ResultStore::init() { m_dir = std::make_unique<QTemporaryDir>(); }

void tst_ResultStore::foundByWhatTheyAreOf() {
    const ResultKey key{.scenario = 1, .mode = RunMode::simulate, .seed = ~std::uint64_t{0}, .what = "x"};
    {
        const auto store = open("r.db");
        QCOMPARE(*store->numberOf("one"), std::int64_t{1});
        QCOMPARE(*store->numberOf("two"), std::int64_t{2});
        QCOMPARE(*store->numberOf("one"), std::int64_t{1});
        QVERIFY(!store->find(key));
        QVERIFY(store->add(key, "first").empty());
        QVERIFY(store->add(key, std::string("sec\0ond", 7)).empty()); // in place of it
        QCOMPARE(store->size(), std::size_t{1});
    }
    const auto store = open("r.db"); // later
    QCOMPARE(*store->find(key), std::string("sec\0ond", 7));
    for (ResultKey other : {key, key, key, key}) {
        static int which = 0;
        switch (which++) {
        case 0: other.scenario = 2; break;
        case 1: other.mode = RunMode::execute; break;
        case 2: other.seed = 1; break;
        case 3: other.what = "y"; break;
        }
        QVERIFY(!store->find(other));
    }
    // Without --resume nothing is taken, without a store nothing is kept.
    QVERIFY(!KeptResults(store, false).found(key));
    QVERIFY(KeptResults(store, true).found(key));
    QVERIFY(!KeptResults().keeps() && !KeptResults().found(key) && KeptResults().keep(key, "z").empty());
}

// Two megabytes that differ in one character are different scenarios; neither is in the file.
void tst_ResultStore::longScenariosTakeNoRoom() {
    std::string text(2'000'000, 'x');
    std::int64_t first = 0, second = 0;
    {
        const auto store = open("long.db");
        first = *store->numberOf(text);
        text[1'234'567] = 'y';
        second = *store->numberOf(text);
        QVERIFY(first != second);
        QCOMPARE(*store->numberOf(text), second);
        QVERIFY(store->add({.scenario = second}, "value").empty());
    }
    const auto store = open("long.db");
    QCOMPARE(*store->numberOf(text), second);
    QVERIFY(*store->numberOf(std::string(65536, 'z')) != *store->numberOf(std::string(65537, 'z')));
    QVERIFY(store->find({.scenario = second}) && !store->find({.scenario = first}));
    QVERIFY(QFileInfo(m_dir->filePath("long.db")).size() < 400'000);
}

void tst_ResultStore::metricsAsText() {
    const std::map<std::string, double> metrics{{"a", 0.1 + 0.2}, {"b", -1e300}, {"c", 5e-324}};
    const auto back = metricsFrom(metricsText({metrics, "abc"}));
    QVERIFY(back && back->metrics == metrics && back->digest == "abc" && !back->losses);
    LossAccounts losses{
        .jobs = {{2, 5, 1.0 / 3, 1, 2, 3, 4, 5, {{0.1, 4}, {0.7, 1.0 / 3}}}}, .seconds = 7, .settled = 0.1};
    losses.times[1] = {2.5, 2};
    losses.normalised = {0.3, 1};
    const auto with =
        metricsFrom(metricsText({.metrics = metrics, .losses = std::make_shared<const LossAccounts>(losses)}));
    QVERIFY(with && with->losses && *with->losses == losses);
    QVERIFY(!metricsFrom("{\"metrics\":{},\"losses\":{}}"));
    QVERIFY(metricsFrom(metricsText({.metrics = {{"inf", INFINITY}}}))->metrics.empty());
    for (const char* text : {"", "{", "[]", "{\"metrics\":3}"}) QVERIFY(!metricsFrom(text));
}

void tst_ResultStore::merged() {
    const auto a = open("a.db"), b = open("b.db");
    const auto addTo = [](ResultStore& store, const char* scenario, std::uint64_t seed, const char* value) {
        QVERIFY(store.add({.scenario = *store.numberOf(scenario), .seed = seed}, value).empty());
    };
    addTo(*a, "one", 1, "a11");
    addTo(*a, "two", 1, "a21");
    addTo(*b, "two", 1, "b21"); // numbered otherwise
    addTo(*b, "two", 2, "b22");
    addTo(*b, "three", 1, "b31");
    QVERIFY(a->merge(at("b.db")).empty());
    QVERIFY(a->merge(at("b.db")).empty()); // again: nothing new
    QCOMPARE(a->size(), std::size_t{4});
    const auto value = [&](const char* scenario, std::uint64_t seed) {
        return a->find({.scenario = *a->numberOf(scenario), .seed = seed}).value_or("none");
    };
    QCOMPARE(value("one", 1), "a11");
    QCOMPARE(value("two", 1), "a21"); // what was there stays
    QCOMPARE(value("two", 2), "b22");
    QCOMPARE(value("three", 1), "b31");
    QVERIFY(!a->merge(at("none.db")).empty());
    QVERIFY(!std::filesystem::exists(at("none.db")));
}

void tst_ResultStore::damagedFilesAreTold() {
    QVERIFY(writeFileAtomically(at("junk.db"), std::string(5000, 'x')).empty());
    const auto junk = ResultStore::open(at("junk.db"));
    QVERIFY(!junk.ok());
    QVERIFY(junk.problems().front().message.english().find("junk.db") != std::string::npos);
    QVERIFY(!ResultStore::open(at("no/such/directory/r.db")).ok());
    QVERIFY(!open("a.db")->merge(at("junk.db")).empty());
}

void tst_ResultStore::comparisonsGoOn() {
    const auto store = open("r.db");
    const ComparisonResult whole = compare(comparison({}));
    auto request = comparison({store, true});
    request.arms.pop_back(); // the other arm is not done yet
    QVERIFY(compare(request).problems.empty());
    QCOMPARE(store->size(), std::size_t{3});
    request = comparison({store, true});
    request.stop = stopped();
    const ComparisonResult part = compare(request);
    QVERIFY(part.stopped);
    QCOMPARE(part.arms[0].runs, whole.arms[0].runs); // nothing ran: they were kept
    for (const auto& run : part.arms[1].runs) QVERIFY(run.empty());
    const ComparisonResult rest = compare(comparison({store, true}));
    QVERIFY(!rest.stopped && rest.problems.empty());
    QCOMPARE(store->size(), std::size_t{6});
    for (std::size_t arm = 0; arm < 2; ++arm) QCOMPARE(rest.arms[arm].runs, whole.arms[arm].runs);
    // Another parameter is another scenario.
    request = comparison({store, true});
    request.scenario = std::make_shared<const Scenario>(tinyScenario(7));
    request.stop = stopped();
    for (const ArmResult& arm : compare(request).arms)
        for (const auto& run : arm.runs) QVERIFY(run.empty());
}

void tst_ResultStore::sweepsGoOn() {
    SweepRequest request{.scenario = std::make_shared<const Scenario>(tinyScenario()),
                         .registry = std::make_shared<const Registry>(Registry::builtin()),
                         .axes = {{"/jobs/0/stop/iterations", {"2", "3"}}},
                         .seeds = {1, 2}};
    const auto whole = sweep(request);
    const auto store = open("r.db");
    request.kept = {store, true};
    request.shards = 2;
    QCOMPARE(sweep(request)->rows.size(), std::size_t{2});
    request.shards = 1;
    request.stop = stopped();
    std::size_t done = 0;
    request.finished = [&](const SweepRow&) { ++done; };
    QVERIFY(sweep(request)->stopped);
    QCOMPARE(done, std::size_t{2});
    request.stop = {};
    const auto rest = sweep(request);
    QCOMPARE(rest->rows.size(), whole->rows.size());
    for (std::size_t i = 0; i < whole->rows.size(); ++i) {
        QCOMPARE(rest->rows[i].metrics, whole->rows[i].metrics);
        QCOMPARE(rest->rows[i].digest, whole->rows[i].digest);
        QCOMPARE(rest->rows[i].values, whole->rows[i].values);
    }
}

void tst_ResultStore::studiesGoOn() {
    StudyRequest request{.registry = std::make_shared<const Registry>(Registry::builtin())};
    request.kept = {open("r.db"), true};
    request.part = "test/part";
    std::vector<study::StudyRun> runs;
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
        runs.push_back({std::make_shared<const Scenario>(tinyScenario()), seed, [](const RunOutcome& run) {
                            return std::map<std::string, double>{{"events", run.log->size()}};
                        }});
    StudyReport report;
    const auto first = study::simulateAll(request, runs, {0.5, -1e9}, report);
    QVERIFY(report.problems.empty());
    request.stop = stopped();
    const auto kept = study::simulateAll(request, runs, {0.5, -1e9}, report);
    QVERIFY(!report.stopped && report.problems.empty());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        QVERIFY(kept[i].done);
        QCOMPARE(kept[i].metrics, first[i].metrics);
        QCOMPARE(kept[i].jobs, first[i].jobs);
        QVERIFY(kept[i].metrics.at("events") > 0);
        QCOMPARE(kept[i].hits.size(), std::size_t{2});
        QVERIFY(!kept[i].hits[1]);
        QCOMPARE(kept[i].hits[0].has_value(), first[i].hits[0].has_value());
        if (first[i].hits[0]) QCOMPARE(kept[i].hits[0]->seconds, first[i].hits[0]->seconds);
        QVERIFY(kept[i].lateLoss == first[i].lateLoss || std::isnan(first[i].lateLoss));
        QCOMPARE(kept[i].settledSeconds, first[i].settledSeconds);
    }
    study::simulateAll(request, runs, {0.4}, report); // other levels: other results
    QVERIFY(report.stopped);
    // Executed again, a run is another observation.
    StudyReport executed;
    request.stop = {};
    const auto scenario = runs.front().scenario;
    const auto execute = [&](StudyReport& to) { return study::executeMetrics(request, scenario, 1, to); };
    const auto one = execute(executed), two = execute(executed);
    QVERIFY(one && two && two->metrics != one->metrics);
    request.stop = stopped();
    StudyReport again;
    for (const auto& before : {one, two}) QCOMPARE(execute(again)->metrics, before->metrics);
    QVERIFY(!again.stopped && !execute(again) && again.stopped);
}

void tst_ResultStore::shardsMakeAWhole() {
    const ComparisonResult whole = compare(comparison({}));
    const auto all = open("all.db");
    for (std::size_t shard = 0; shard < 4; ++shard) {
        const std::string name = std::to_string(shard) + ".db";
        auto request = comparison({open(name.c_str()), false});
        request.shard = shard;
        request.shards = 4;
        const ComparisonResult part = compare(request);
        QCOMPARE(part.missing, std::size_t(shard < 2 ? 4 : 5)); // of six runs it does two, or one
        QVERIFY(!part.stopped);
        QVERIFY(all->merge(at(name.c_str())).empty());
    }
    auto request = comparison({all, true});
    request.stop = stopped();
    const ComparisonResult together = compare(request);
    QVERIFY(!together.stopped && together.missing == 0);
    for (std::size_t arm = 0; arm < 2; ++arm) QCOMPARE(together.arms[arm].runs, whole.arms[arm].runs);
}

// A comparison that tells each run as it is done is killed after some of them: all that it told are kept, and those that go on from
// there end as one that nobody killed.
void tst_ResultStore::killedAtAnyTimeNothingShownIsLost() {
    const QString program = qEnvironmentVariable("TRAINYARD_CLI"), scenario = m_dir->filePath("s.json");
    QVERIFY2(!program.isEmpty(), "TRAINYARD_CLI must name the program");
    QVERIFY(writeFileAtomically(scenario.toStdString(), writeScenario(tinyScenario(200))).empty());
    const QStringList base{"compare", scenario, "--vary",    "synchronization=full-sync,async",
                           "--seeds", "1-40",   "--threads", "2"};
    const auto output = [&](const QStringList& more) {
        QProcess process;
        process.start(program, base + more);
        process.waitForFinished(test::patience);
        return process.exitCode() == 0 ? process.readAllStandardOutput() : QByteArray();
    };
    const QByteArray whole = output({"--json"});
    QVERIFY(!whole.isEmpty());
    std::size_t killed = 0;
    for (const int lines : {1, 2, 5, 17, 40}) {
        const QString out = m_dir->filePath(QStringLiteral("out%1").arg(lines));
        QProcess process;
        process.start(program, base + QStringList{"--rows", "--out", out});
        QByteArray told;
        while (told.count('\n') < lines && process.waitForReadyRead(test::patience))
            told += process.readAllStandardOutput();
        process.kill();
        process.waitForFinished(test::patience);
        killed += process.exitStatus() == QProcess::CrashExit;
        told += process.readAllStandardOutput();
        auto store = ResultStore::open((out + "/results.db").toStdString());
        QVERIFY(store.ok());
        QVERIFY(static_cast<int>((*store)->size()) >= told.count('\n'));
        QCOMPARE(output({"--json", "--resume", "--out", out}), whole);
        QCOMPARE((*store)->size(), std::size_t{80});
    }
    QVERIFY2(killed > 0, "every comparison had ended before it was killed: nothing was tested");
}

void tst_ResultStore::unwritableStoresAreNoSuccess() {
    if (geteuid() == 0) { // who may write everywhere: a directory in its place
        std::filesystem::create_directories(at("out/results.db"));
    } else {
        std::filesystem::create_directories(at("out"));
        QVERIFY(writeFileAtomically(at("out/results.db"), "").empty());
        std::filesystem::permissions(at("out/results.db"), std::filesystem::perms::owner_read);
    }
    const QString scenario = m_dir->filePath("s.json");
    QVERIFY(writeFileAtomically(scenario.toStdString(), writeScenario(tinyScenario())).empty());
    for (const QStringList& arguments :
         {QStringList{"compare", scenario, "--vary", "synchronization=full-sync", "--seeds", "1-2"},
          QStringList{"sweep", scenario, "--grid", "/jobs/0/stop/iterations=2,3"},
          QStringList{"reproduce", "stragglers", "--part", "formulas", "--quick"}}) {
        QProcess process;
        process.start(qEnvironmentVariable("TRAINYARD_CLI"), arguments + QStringList{"--out", m_dir->filePath("out")});
        QVERIFY(process.waitForFinished(test::patience));
        QCOMPARE(process.exitCode(), 1);
        QVERIFY2(process.readAllStandardError().contains("results.db"), qPrintable(arguments.join(' ')));
    }
}

// A link in place of a store may lead to somebody's file; links to directories are usual.
void tst_ResultStore::linksAreNotFollowed() {
    { const auto victim = open("victim.db"); }
    std::filesystem::create_directories(at("real"));
    std::filesystem::create_directory_symlink(at("real"), at("link"));
    std::filesystem::create_symlink(at("victim.db"), at("real/results.db"));
    std::filesystem::create_symlink(at("none.db"), at("real/other.db"));
    QVERIFY(!ResultStore::open(at("link/results.db")).ok());
    QVERIFY(!ResultStore::open(at("link/other.db")).ok());
    QVERIFY(!std::filesystem::exists(at("none.db")));
    const auto store = ResultStore::open(at("link/mine.db"));
    QVERIFY(store.ok());
    QVERIFY(std::filesystem::exists(at("real/mine.db")));
    QVERIFY((*store)->merge(at("real/results.db")).empty()); // only read
}

void tst_ResultStore::damagedSourcesAreNamed() {
    const auto mine = open("mine.db");
    std::string bytes;
    {
        const auto theirs = open("theirs.db");
        const auto number = theirs->numberOf(std::string(40'000, 'x'));
        for (std::uint64_t seed = 1; seed <= 200; ++seed)
            QVERIFY(theirs->add({.scenario = *number, .seed = seed}, std::string(1000, 'v')).empty());
    } // closed: all of it is in one file
    bytes = readWholeFile(at("theirs.db"), 1 << 24).value();
    QVERIFY(bytes.size() > 100'000);
    std::string damaged = bytes;
    std::fill(damaged.begin() + 8192, damaged.end(), '\x55');
    for (const std::string& text :
         {std::string("no database, but as long as the head of one: ") + std::string(200, '.'), damaged,
          std::string()}) {
        QVERIFY(writeFileAtomically(at("damaged.db"), text).empty());
        const Problems problems = mine->merge(at("damaged.db"));
        QCOMPARE(problems.size(), std::size_t{1});
        const std::string said = problems.front().message.english();
        QVERIFY2(said.find("damaged.db cannot be read") != std::string::npos, said.c_str());
        QCOMPARE(mine->size(), std::size_t{0});
    }
    QVERIFY(mine->merge(at("theirs.db")).empty()); // and goes on
    QCOMPARE(mine->size(), std::size_t{200});
}

// One changed digit or letter, in what a result is of as in its value.
void tst_ResultStore::changedResultsAreNone() {
    const std::string texts[]{R"({"batch":4})", R"({"batch":5})"};
    const auto valueOf = [](std::uint64_t seed) {
        return R"({"metrics":{"best_loss":0.06521)" + std::to_string(seed) + "}}";
    };
    {
        const auto store = open("r.db");
        for (const std::string& text : texts)
            for (std::uint64_t seed = 11; seed <= 13; ++seed) {
                QVERIFY(store->add({.scenario = *store->numberOf(text), .seed = seed}, valueOf(seed)).empty());
            }
    }
    const std::string whole = readWholeFile(at("r.db"), 1 << 24).value();
    int changed = 0, lost = 0;
    for (const char* part : {"0.0652111", "0.0652112", "best_loss", "simulate12", "batch\":4", "metrics{"})
        for (std::size_t where = whole.find(part); where != std::string::npos; where = whole.find(part, where + 1)) {
            std::string damaged = whole;
            damaged[where + std::string_view(part).size() - 1] ^= 1;
            QVERIFY(writeFileAtomically(at("damaged.db"), damaged).empty());
            ++changed;
            const auto store = open("damaged.db");
            for (const std::string& text : texts)
                for (std::uint64_t seed = 10; seed <= 13; ++seed)
                    if (const auto found = store->find({.scenario = *store->numberOf(text), .seed = seed}))
                        QVERIFY2(seed > 10 && *found == valueOf(seed), found->c_str());
                    else if (seed > 10)
                        ++lost;
            const auto other = open(("merged-" + std::to_string(changed) + ".db").c_str());
            const Problems problems = other->merge(at("damaged.db"));
            QVERIFY(other->size() == 6 || !problems.empty());
        }
    QVERIFY2(changed >= 6 && lost >= 6, qPrintable(QString::number(changed)));
}

/// A store whose tables are views (one without an end), or that has other columns, is named before anything is computed, and at once.
void tst_ResultStore::hostileStoresAreRefused() {
    const std::pair<const char*, const char*> kinds[] = {
        {"view.db",
         "CREATE VIEW results AS SELECT 1 AS scenario; CREATE VIEW scenarios AS SELECT 1 AS id, 'x' AS text;"},
        {"endless.db",
         "CREATE TABLE scenarios(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE); CREATE VIEW results AS WITH RECURSIVE "
         "n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS scenario, '' AS mode, '' AS seed, '' AS version, '' AS "
         "what, '' AS value FROM n;"},
        {"columns.db",
         "CREATE TABLE results(scenario INTEGER, other TEXT); CREATE TABLE scenarios(id INTEGER, text TEXT);"}};
    for (const auto& [name, script] : kinds) {
        execute(at(name), script);
        const auto store = ResultStore::open(at(name));
        QVERIFY2(!store.ok(), name);
        QVERIFY(store.problems().front().message.english().find("is no store of results") != std::string::npos);
        QVERIFY2(!open("mine.db")->merge(at(name)).empty(), name); // nor is it waited for
    }
}

void tst_ResultStore::triggersAreNotRun() {
    const std::int64_t scenario = open("trigger.db")->numberOf("{}").value();
    execute(at("trigger.db"), "CREATE TRIGGER t AFTER INSERT ON results BEGIN DELETE FROM results; END;");
    const ResultKey key{.scenario = scenario};
    QVERIFY(open("trigger.db")->add(key, "kept").empty());
    QCOMPARE(open("trigger.db")->find(key), std::optional<std::string>("kept"));
}

/// What is merged need not be writable, and nothing is written beside it.
void tst_ResultStore::sourcesAreOnlyRead() {
    QVERIFY(std::filesystem::create_directory(at("a & b?c#d%41")));
    const std::filesystem::path source = at("a & b?c#d%41/results.db");
    {
        const auto store = ResultStore::open(source).value();
        QVERIFY(store->add({.scenario = store->numberOf("{}").value()}, "kept").empty());
    }
    const std::string before = readWholeFile(source, 1 << 20).value();
    std::filesystem::permissions(source, std::filesystem::perms::owner_read);
    std::filesystem::permissions(source.parent_path(),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    const auto mine = open("mine.db");
    QVERIFY(mine->merge(source).empty());
    QCOMPARE(mine->size(), std::size_t{1});
    std::filesystem::permissions(source.parent_path(), std::filesystem::perms::owner_all);
    QCOMPARE(readWholeFile(source, 1 << 20).value(), before);
    QCOMPARE(std::distance(std::filesystem::directory_iterator(source.parent_path()), {}), std::ptrdiff_t{1});
}

/// Another program holds the store and does not let go of it: Ctrl-C ends the waiting, before the patience does.
void tst_ResultStore::waitingForALockEnds() {
    QVERIFY(std::filesystem::create_directory(at("out")));
    const std::filesystem::path file = at("out") / ResultStore::fileName;
    QVERIFY(ResultStore::open(file).ok());
    test::StoreLock lock(file.string());
    const CliAnswer answer =
        bash(QStringLiteral("timeout --preserve-status -s INT 2 \"$0\" compare \"$1\" --vary "
                            "synchronization=full-sync,async --seeds 1-2 --resume --out \"$2\""),
             {QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/start/first-steps.json"), m_dir->filePath("out")});
    lock.release();
    QCOMPARE(answer.status, 130);
    QVERIFY2(answer.err.find("results.db is locked by another process") != std::string::npos, answer.err.c_str());
    QVERIFY2(answer.err.find("ended a second after the signal") != std::string::npos, answer.err.c_str());
}

// Processes that make the same store at the same instant, keep a result and close it, which locks others out for a moment.
void tst_ResultStore::madeByManyAtOnce() {
    for (int round = 0; round < 40; ++round) {
        const std::filesystem::path file = at(("at-once-" + std::to_string(round) + ".db").c_str());
        int gate[2];
        QCOMPARE(pipe(gate), 0);
        std::vector<pid_t> children;
        for (std::uint64_t c = 0; c < 6; ++c)
            if (const pid_t child = fork(); child == 0) {
                close(gate[1]);
                char byte = 0;
                const bool opened = read(gate[0], &byte, 1) == 0; // when the parent closes it
                const auto store = ResultStore::open(file);
                const auto scenario = store ? (*store)->numberOf("scenario") : Result<std::int64_t>(Problem{});
                _exit(opened && scenario && (*store)->add({.scenario = *scenario, .seed = c}, "value").empty() ? 0 : 1);
            } else {
                children.push_back(child);
            }
        close(gate[0]);
        close(gate[1]);
        for (const pid_t child : children) {
            int status = 0;
            QCOMPARE(waitpid(child, &status, 0), child);
            QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        }
        QCOMPARE(open(("at-once-" + std::to_string(round) + ".db").c_str())->size(), std::size_t{6});
    }
}

TRAINYARD_TEST(tst_ResultStore)
#include "tst_ResultStore.moc"
