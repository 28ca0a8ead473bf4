// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Which rows each worker of a trained job has: dealt out at random, in order of the target, or all to
// everybody.
#include "learning/TrainingProblem.h"
#include "scenario/ScenarioFile.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <algorithm>
#include <set>

using namespace trainyard;

class tst_Shards : public QObject {
    Q_OBJECT
private slots:
    void everyRowIsDealtOutOnce_data();
    void everyRowIsDealtOutOnce();
    void sortedRowsAscend();
    void rowsOfOneTargetStayInRandomOrder();
    void ratingsAreSortedByUser();
    void sharedGivesEverybodyAllRows();
    void moreWorkersThanRows();
    void streamsCannotBeSorted();
    void filesSayOnlyWhatIsUnusual();
};

namespace shards_test {

using Pointer = std::shared_ptr<const TrainingProblem>;

TrainedWork regressionWork(Shards shards, std::int64_t rows = 103) {
    TrainedWork work;
    work.model = {"linear-regression", {}};
    work.dataset = {"synthetic-regression", {{"rows", rows}, {"features", std::int64_t{3}}}};
    work.optimizer = {"sgd", {}};
    work.shards = shards;
    return work;
}

Pointer problemOf(const TrainedWork& work) {
    auto made = TrainingProblem::make(work, 1, JobId(0u), {TRAINYARD_SOURCE_DIR "/resources"});
    for (const auto& p : made.problems()) qCritical("%s", p.text().c_str());
    return made.value();
}

Batch rowsOf(const TrainingProblem& problem, std::uint32_t worker, std::uint32_t workers) {
    Batch out;
    problem.data().gather(problem.share(worker, workers), out);
    return out;
}

} // namespace shards_test

using namespace shards_test;

void tst_Shards::everyRowIsDealtOutOnce_data() {
    QTest::addColumn<int>("shards");
    QTest::newRow("shuffled") << static_cast<int>(Shards::shuffled);
    QTest::newRow("sorted") << static_cast<int>(Shards::sorted);
}

// 103 rows for 7 workers: 14 or 15 each, none twice, none left out.
void tst_Shards::everyRowIsDealtOutOnce() {
    QFETCH(int, shards);
    const Pointer problem = problemOf(regressionWork(static_cast<Shards>(shards)));
    std::set<std::uint32_t> seen;
    std::size_t dealt = 0;
    for (std::uint32_t w = 0; w < 7; ++w) {
        const auto share = problem->share(w, 7);
        QVERIFY(share.size() == 14 || share.size() == 15);
        seen.insert(share.begin(), share.end());
        dealt += share.size();
    }
    QCOMPARE(dealt, std::size_t{103});
    QCOMPARE(seen.size(), std::size_t{103});
}

void tst_Shards::sortedRowsAscend() {
    const Pointer sorted = problemOf(regressionWork(Shards::sorted));
    const Pointer shuffled = problemOf(regressionWork(Shards::shuffled));
    std::vector<double> targets, random;
    for (std::uint32_t w = 0; w < 7; ++w) {
        const Batch ordered = rowsOf(*sorted, w, 7), other = rowsOf(*shuffled, w, 7);
        targets.insert(targets.end(), ordered.y.begin(), ordered.y.end());
        random.insert(random.end(), other.y.begin(), other.y.end());
    }
    QVERIFY(std::is_sorted(targets.begin(), targets.end()));
    QVERIFY(!std::is_sorted(random.begin(), random.end()));
    std::sort(random.begin(), random.end());
    QVERIFY(targets == random);
    // A task draws from its share alone: at w = 0 a loss is ½ y², and the whole share is its mean.
    std::vector<double> w(3), message(3);
    const Batch last = rowsOf(*sorted, 6, 7);
    double mean = 0;
    for (const double y : last.y) mean += y * y / 2 / static_cast<double>(last.rows);
    const double loss = sorted->gradient(w, {.partition = 6, .partitions = 7, .samples = 99}, message);
    QVERIFY(std::abs(loss - mean) < 1e-12);
}

// Iris: 50 rows of each class. Sorted into three shares each has a class, in the order of the seed's
// permutation.
void tst_Shards::rowsOfOneTargetStayInRandomOrder() {
    TrainedWork work = regressionWork(Shards::sorted);
    work.model.id = "softmax";
    work.dataset = {"iris", {}};
    const Pointer problem = problemOf(work);
    for (std::uint32_t w = 0; w < 3; ++w) {
        const Batch rows = rowsOf(*problem, w, 3);
        QCOMPARE(rows.rows, std::size_t{50});
        QVERIFY(std::all_of(rows.y.begin(), rows.y.end(), [w](double y) { return y == w; }));
        const auto share = problem->share(w, 3);
        QVERIFY(!std::is_sorted(share.begin(), share.end()));
    }
}

void tst_Shards::ratingsAreSortedByUser() {
    TrainedWork work = regressionWork(Shards::sorted);
    work.model.id = "matrix-factorization";
    work.dataset = {"synthetic-ratings", {{"rows", std::int64_t{500}}, {"users", std::int64_t{20}}}};
    const Pointer problem = problemOf(work);
    double before = -1;
    for (std::uint32_t w = 0; w < 5; ++w) {
        const Batch rows = rowsOf(*problem, w, 5);
        for (std::size_t i = 0; i < rows.rows; ++i) {
            QVERIFY(rows.x[2 * i] >= before);
            before = rows.x[2 * i];
        }
    }
    QCOMPARE(before, 19.0);
}

// Batches are keyed by worker and task, and drawn from all rows: 40 draws of one row of 40 by the last of
// eight workers meet rows of every eighth of the order (none of them is missed but once in 200).
void tst_Shards::sharedGivesEverybodyAllRows() {
    const Pointer shared = problemOf(regressionWork(Shards::shared, 40));
    const Pointer shuffled = problemOf(regressionWork(Shards::shuffled, 40));
    for (std::uint32_t w = 0; w < 8; ++w) QCOMPARE(shared->share(w, 8).size(), std::size_t{40});
    std::vector<double> w(3), message(3), other(3);
    std::set<double> ofAll, ofShare;
    for (std::uint32_t t = 0; t < 200; ++t) {
        const TrainingProblem::Task task{.worker = 7, .task = t, .partition = 7, .partitions = 8, .samples = 1};
        ofAll.insert(shared->gradient(w, task, message));
        ofShare.insert(shuffled->gradient(w, task, message));
    }
    QCOMPARE(ofShare.size(), std::size_t{5});
    QVERIFY(ofAll.size() > 30);
    const TrainingProblem::Task once{.worker = 2, .task = 9, .partition = 2, .partitions = 8, .samples = 4};
    const double loss = shared->gradient(w, once, message);
    QCOMPARE(shared->gradient(w, once, other), loss);
    QVERIFY(message == other);
    // The key says which rows, not the partition: a coded part is the same wherever it is computed.
    const TrainingProblem::Task elsewhere{.worker = 2, .task = 9, .partition = 5, .partitions = 8, .samples = 4};
    QCOMPARE(shared->gradient(w, elsewhere, other), loss);
}

void tst_Shards::moreWorkersThanRows() {
    for (const Shards shards : {Shards::shuffled, Shards::sorted, Shards::shared}) {
        const Pointer problem = problemOf(regressionWork(shards, 4));
        for (std::uint32_t w = 0; w < 9; ++w) QVERIFY(!problem->share(w, 9).empty());
    }
}

void tst_Shards::streamsCannotBeSorted() {
    TrainedWork work = regressionWork(Shards::sorted);
    work.dataset = {"gaussian-stream", {}};
    const auto made = TrainingProblem::make(work, 1, JobId(0u), {});
    QVERIFY(!made.ok());
    QCOMPARE(made.problems().size(), std::size_t{1});
    QCOMPARE(made.problems()[0].pointer, std::string("/shards"));
    Scenario scenario = test::starScenario(4);
    scenario.jobs = {test::trainedJob()};
    scenario.jobs[0].work = work;
    const Problems problems = validateScenario(scenario, Registry::builtin());
    QCOMPARE(problems.size(), std::size_t{1});
    QVERIFY(problems[0].severity == Severity::error);
    QCOMPARE(problems[0].text(),
             std::string("/jobs/0/shards: \"gaussian-stream\" has no rows to sort, since it is an endless "
                         "stream; choose \"shuffled\", or another data set"));
    work.shards = Shards::shared; // as it is anyway
    scenario.jobs[0].work = work;
    QVERIFY(validateScenario(scenario, Registry::builtin()).empty());
}

void tst_Shards::filesSayOnlyWhatIsUnusual() {
    Scenario scenario = test::starScenario(4);
    scenario.title = "Shards";
    scenario.jobs = {test::trainedJob()};
    QVERIFY(writeScenario(scenario).find("shards") == std::string::npos);
    for (const auto& [shards, word] :
         {std::pair{Shards::sorted, "\"shards\": \"sorted\""}, std::pair{Shards::shared, "\"shards\": \"shared\""}}) {
        std::get<TrainedWork>(scenario.jobs[0].work).shards = shards;
        const std::string text = writeScenario(scenario);
        QVERIFY(text.find(word) != std::string::npos);
        const auto read = parseScenario(text, "test");
        QVERIFY(read.ok() && read->isCanonical());
        QVERIFY(std::get<TrainedWork>(read->scenario.jobs[0].work).shards == shards);
        QCOMPARE(writeScenario(read->scenario), text);
    }
    const auto set = setValue(scenario, "/jobs/t/shards", "shuffled");
    QVERIFY(set.ok());
    QVERIFY(std::get<TrainedWork>(set->jobs[0].work).shards == Shards::shuffled);
    const auto wrong = setValue(scenario, "/jobs/t/shards", "iid");
    QVERIFY(!wrong.ok());
    QCOMPARE(wrong.problems()[0].pointer, std::string("/jobs/0/shards"));
}

TRAINYARD_TEST(tst_Shards)
#include "tst_Shards.moc"
