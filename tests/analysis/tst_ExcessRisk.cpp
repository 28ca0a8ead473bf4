// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The warning of the view Participation: where it is raised and where not, and that its excess risk is that
// of the shares of the run, known at once or a little later.
#include "analysis/ShardBias.h"
#include "analysis/UpdateValues.h"
#include "analysis/View.h"
#include "support/IndexedRun.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

using namespace trainyard;

class tst_ExcessRisk : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isThatOfTheShares();
    void isSilentWhereNothingIsBiased_data();
    void isSilentWhereNothingIsBiased();
    void comesAfterTheBars();
};

namespace excess_risk_test {

const JobId job{std::size_t{0}};
const Choice fastestTwo{"fastest-k", {{"k", std::int64_t{2}}}};

/// Four workers on machines with exponential times, the last of which is slow; 256 updates.
RunSource runOf(const Choice& synchronization, Shards shards, double slowdown = 3) {
    Scenario scenario = test::starScenario(4);
    for (auto& machine : scenario.cluster.machines) machine.straggler.factor = {.law = Law::exponential, .mean = 1};
    scenario.cluster.machines[3].straggler.persistentFactor = slowdown;
    Job spec = test::trainedJob();
    spec.workers = {4, 4};
    spec.servers = {0, 0};
    spec.serverDemand = {};
    spec.stop.iterations = 256;
    auto& work = std::get<TrainedWork>(spec.work);
    work.model.parameters["intercept"] = true;
    work.dataset.parameters["noise"] = 3.0; // or every share would have the same optimum
    work.shards = shards;
    scenario.jobs = {spec};
    scenario.policies.synchronization = synchronization;
    scenario.seed = 7;
    return test::sourceOfRun(std::move(scenario));
}

RunIndex folded(RunSource run) {
    RunIndex index(std::move(run));
    index.update();
    return index;
}

const View& view() { return *findView("participation"); }

std::optional<double> valueOf(const Picture& picture, const char* label) {
    for (const LegendItem& item : legendOf(picture))
        if (item.label.pattern == label && item.value) return item.value->value;
    return std::nullopt;
}

} // namespace excess_risk_test

using namespace excess_risk_test;

void tst_ExcessRisk::isThatOfTheShares() {
    const RunIndex run = folded(runOf(fastestTwo, Shards::sorted));
    std::vector<std::size_t> counts;
    addUsedByWorker(counts, run, job, 0, 256);
    QCOMPARE(counts.size(), std::size_t{4});
    QVERIFY(counts[3] < counts[0] / 2);
    const ShardBias bias(std::get<TrainedWork>(run.workload().jobs[0].work), 7, job, {});
    const auto expected = bias.of(counts);
    QVERIFY(expected && expected->excess > 0.01);
    const Picture picture = wholePicture(view(), {.run = run, .job = job, .at = run.head()});
    QCOMPARE(valueOf(picture, "excess risk").value(), expected->excess);
    QCOMPARE(valueOf(picture, "minimum loss").value(), expected->least);
    const std::string caution = cautionOf(picture).english();
    for (const char* word : {"more weight", "remembered gradients", "rows that all workers share"})
        QVERIFY2(caution.find(word) != std::string::npos, word);
    // At the first updates there is no telling yet, and no warning.
    const Picture early = wholePicture(view(), {.run = run, .job = job, .at = timeOfUpdate(run, job, 2)});
    QVERIFY(cautionOf(early).empty());
    QVERIFY(valueOf(early, "excess risk"));
}

void tst_ExcessRisk::isSilentWhereNothingIsBiased_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<bool>("reweight");
    QTest::addColumn<int>("shards");
    QTest::addColumn<QString>("says");
    const auto sorted = static_cast<int>(Shards::sorted);
    QTest::newRow("shuffled") << "fastest-k" << false << static_cast<int>(Shards::shuffled) << "hardly take part";
    QTest::newRow("shared") << "fastest-k" << false << static_cast<int>(Shards::shared) << "hardly take part";
    QTest::newRow("full-sync") << "full-sync" << false << sorted << "hardly take part";
    QTest::newRow("reweighted") << "fastest-k" << true << sorted << "corrects for";
    QTest::newRow("dsag") << "dsag" << false << sorted << "corrects for";
}

void tst_ExcessRisk::isSilentWhereNothingIsBiased() {
    QFETCH(QString, id);
    QFETCH(bool, reweight);
    QFETCH(int, shards);
    QFETCH(QString, says);
    Choice choice{id.toStdString(), {}};
    if (reweight) choice.parameters["reweight"] = true;
    const RunIndex run = folded(runOf(choice, static_cast<Shards>(shards)));
    const Picture picture = wholePicture(view(), {.run = run, .job = job, .at = run.head()});
    QVERIFY(meaningOf(picture).english().find(says.toStdString()) != std::string::npos);
    QVERIFY(cautionOf(picture).empty());
    // Everybody is used equally often: the risk is told, and is nothing.
    if (id == QLatin1String("full-sync"))
        QVERIFY(valueOf(picture, "excess risk").value() < 1e-9);
    else
        QVERIFY(!valueOf(picture, "excess risk"));
}

void tst_ExcessRisk::comesAfterTheBars() {
    const RunIndex run = folded(runOf(fastestTwo, Shards::sorted));
    const ViewRequest request{.run = run, .job = job, .at = run.head()};
    const Computation first = pictureNow(view(), request);
    QVERIFY(first.finish);
    QVERIFY(std::get<Chart>(first.picture).plots.at(0).series.at(0).size() == 4);
    QVERIFY(!valueOf(first.picture, "excess risk"));
    const Picture whole = first.finish({});
    QVERIFY(valueOf(whole, "excess risk"));
    const Computation again = pictureNow(view(), request); // it is known now
    QVERIFY(!again.finish);
    QVERIFY(valueOf(again.picture, "excess risk") == valueOf(whole, "excess risk"));
    // Asked to stop, it gives nothing that is taken for the result.
    const RunIndex other = folded(run.source());
    const Computation stopped = pictureNow(view(), {.run = other, .job = job, .at = other.head()});
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(!valueOf(stopped.finish(stop.get_token()), "excess risk"));
    QVERIFY(pictureNow(view(), {.run = other, .job = job, .at = other.head()}).finish);
}

TRAINYARD_TEST(tst_ExcessRisk)
#include "tst_ExcessRisk.moc"
