// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Records of keyed jobs that train a model: read from disk they have the model, and give the same pictures and numbers.
#include "analysis/RunIndex.h"
#include "analysis/View.h"
#include "run/RunSession.h"
#include "run/files/RunFiles.h"
#include "run/files/RunRecord.h"
#include "support/KeyedTasks.h"
#include "support/TestMain.h"

#include <QTemporaryDir>

using namespace trainyard;
using namespace trainyard::test;

class tst_KeyedRecords : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void picturesAreTheSame();
};

namespace {

RunIndex indexOf(const RunRecord& record, const Scenario& scenario) {
    RunIndex run({.scenario = std::make_shared<const Scenario>(scenario),
                  .seed = record.seed,
                  .workload = record.workload,
                  .log = record.log,
                  .explanations = record.explanations});
    run.update();
    return run;
}

} // namespace

void tst_KeyedRecords::picturesAreTheSame() {
    Scenario scenario = taskScenario(smallGraphTask(), 3, 2);
    accessOf(scenario).watchedRanks = {1, 50};
    RunSession session({.scenario = std::make_shared<const Scenario>(scenario),
                        .registry = std::make_shared<const Registry>(Registry::builtin()),
                        .seed = scenario.seed});
    session.wait();
    const RunRecord written = recordOf(session, "task");
    QTemporaryDir directory;
    const std::filesystem::path path = directory.filePath("run").toStdString();
    QVERIFY(writeRecord(written, path).empty());
    QVERIFY(writeRunFiles(path, written.digest).empty());
    QVERIFY(verifyRunDirectory(path).empty());
    const auto read = readRecord(path);
    QVERIFY(read);
    const KeyedAccess& access = *read->workload->jobs[0].keyedAccess();
    QVERIFY(access.model && access.ranks);
    QCOMPARE(access.keys, std::int64_t{212}); // 200 entities and 12 relations
    QCOMPARE(read->metrics.values, written.metrics.values);
    QVERIFY(read->metrics.values.contains("final_mrr"));
    const RunIndex before = indexOf(written, scenario), after = indexOf(*read, scenario);
    int compared = 0;
    for (const View& view : views()) {
        const Picture first = wholePicture(view, {.run = before, .job = JobId(0), .at = before.head()});
        if (!(first == first)) continue; // gaps in lines are no numbers
        ++compared;
        QVERIFY2(first == wholePicture(view, {.run = after, .job = JobId(0), .at = after.head()}), view.id.c_str());
    }
    QVERIFY(compared > 30);
}

TRAINYARD_TEST(tst_KeyedRecords)
#include "tst_KeyedRecords.moc"
