// The alarm of the view Participation: where it is raised and where not, and that its excess risk is that of
// the shares of the run.
#include "export/ExportWork.h"
#include "run/RunSession.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"
#include "waiting/ParticipationPainter.h"
#include "waiting/WaitingValues.h"

#include <QPainter>
#include <QPicture>

using namespace trainyard;

class tst_Participation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void tellsTheExcessRisk();
    void isSilentWhereNothingLeans_data();
    void isSilentWhereNothingLeans();
    void computesBesideTheWindow();

private:
    static RunData runOf(const Choice& synchronization, Shards shards, double slowdown = 3);
};

namespace participation_test {

struct Nowhere {
    QPicture picture;
    QPainter painter{&picture};
    Theme theme = Theme::light();
    LaneCanvas canvas{painter, theme, QFont()};
    explicit Nowhere(bool gradual) {
        canvas.font.setPixelSize(12);
        canvas.plot = QRectF(100, 0, 600, 300);
        canvas.gutter = QRectF(0, 0, 100, 300);
        canvas.gradual = gradual;
    }
};

RunFold folded(const RunData& run) {
    RunFold fold(run);
    fold.update();
    return fold;
}

LaneInput inputAt(const RunFold& fold, SimTime at) {
    return {.run = &fold, .job = JobId(std::size_t{0}), .at = at, .end = fold.head()};
}

QString valueOf(const std::vector<LegendEntry>& legend, const char* label) {
    for (const LegendEntry& entry : legend)
        if (entry.label == QLatin1String(label)) return entry.value;
    return {};
}

const Choice fastestTwo{"fastest-k", {{"k", std::int64_t{2}}}};

} // namespace participation_test

using namespace participation_test;

/// Four workers on machines with exponential times, the last of which is slow; 256 updates.
RunData tst_Participation::runOf(const Choice& synchronization, Shards shards, double slowdown) {
    auto scenario = std::make_shared<Scenario>(test::starScenario(4));
    for (auto& machine : scenario->cluster.machines)
        machine.straggler.factor = {.law = Law::exponential, .mean = 1};
    scenario->cluster.machines[3].straggler.persistentFactor = slowdown;
    Job job = test::trainedJob();
    job.workers = {4, 4};
    job.servers = {0, 0};
    job.serverDemand = {};
    job.stop.iterations = 256;
    auto& work = std::get<TrainedWork>(job.work);
    work.model.parameters["intercept"] = true;
    work.dataset.parameters["noise"] = 3.0; // or every share would have the same optimum
    work.shards = shards;
    scenario->jobs = {job};
    scenario->policies.synchronization = synchronization;
    RunSession session(
        {.scenario = scenario, .registry = std::make_shared<const Registry>(Registry::builtin()), .seed = 7});
    session.wait();
    return {.id = 1, .scenario = scenario, .seed = 7, .workload = session.workload(), .log = session.log()};
}

void tst_Participation::tellsTheExcessRisk() {
    const RunData run = runOf(fastestTwo, Shards::sorted);
    const RunFold fold = folded(run);
    const LaneInput input = inputAt(fold, fold.head());
    std::vector<std::size_t> counts;
    addUsedByWorker(counts, fold, JobId(std::size_t{0}), 0, 256);
    QCOMPARE(counts.size(), std::size_t{4});
    QVERIFY(counts[3] < counts[0] / 2);
    const ShardBias bias(std::get<TrainedWork>(run.workload->jobs[0].work), 7, JobId(std::size_t{0}), {});
    const auto expected = bias.of(counts);
    QVERIFY(expected && expected->excess > 0.01);

    ParticipationPainter painter;
    Nowhere nowhere(false);
    painter.paint(nowhere.canvas, input);
    QVERIFY(!painter.unfinished());
    const auto legend = painter.legend(Theme::light(), input);
    QCOMPARE(valueOf(legend, "excess risk"), numberText(expected->excess, 3));
    QCOMPARE(valueOf(legend, "least loss"), numberText(expected->least, 3));
    const QString meaning = painter.meaning(input);
    for (const char* word : {"Warning", "reweight", "\"shards\": \"shared\"", "dsag"})
        QVERIFY2(meaning.contains(QLatin1String(word)), word);

    // At the first update there is no telling yet, and no warning.
    const LaneInput early = inputAt(fold, timeOfUpdate(fold, JobId(std::size_t{0}), 2));
    painter.paint(nowhere.canvas, early);
    QVERIFY(!painter.meaning(early).contains(QStringLiteral("Warning")));
    QVERIFY(!valueOf(painter.legend(Theme::light(), early), "excess risk").isEmpty());
}

void tst_Participation::isSilentWhereNothingLeans_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<bool>("reweight");
    QTest::addColumn<int>("shards");
    QTest::addColumn<QString>("says");
    const auto sorted = static_cast<int>(Shards::sorted);
    QTest::newRow("shuffled") << "fastest-k" << false << static_cast<int>(Shards::shuffled)
                              << "hardly take part";
    QTest::newRow("shared") << "fastest-k" << false << static_cast<int>(Shards::shared) << "hardly take part";
    QTest::newRow("full-sync") << "full-sync" << false << sorted << "hardly take part";
    QTest::newRow("reweighted") << "fastest-k" << true << sorted << "makes up for";
    QTest::newRow("dsag") << "dsag" << false << sorted << "makes up for";
}

void tst_Participation::isSilentWhereNothingLeans() {
    QFETCH(QString, id);
    QFETCH(bool, reweight);
    QFETCH(int, shards);
    QFETCH(QString, says);
    Choice choice{id.toStdString(), {}};
    if (reweight) choice.parameters["reweight"] = true;
    const RunFold fold = folded(runOf(choice, static_cast<Shards>(shards)));
    const LaneInput input = inputAt(fold, fold.head());
    ParticipationPainter painter;
    Nowhere nowhere(false);
    painter.paint(nowhere.canvas, input);
    const QString meaning = painter.meaning(input);
    QVERIFY2(meaning.contains(says), qPrintable(meaning));
    QVERIFY(!meaning.contains(QStringLiteral("Warning")));
    const auto legend = painter.legend(Theme::light(), input);
    // Everybody is used equally often: the risk is told, and is nothing.
    if (id == QLatin1String("full-sync"))
        QVERIFY(valueOf(legend, "excess risk").toDouble() < 1e-9);
    else
        QVERIFY(valueOf(legend, "excess risk").isEmpty());
}

void tst_Participation::computesBesideTheWindow() {
    const RunFold fold = folded(runOf(fastestTwo, Shards::sorted));
    const LaneInput input = inputAt(fold, fold.head());
    ParticipationPainter painter, here;
    Nowhere gradual(true), waiting(false);
    painter.paint(gradual.canvas, input);
    QVERIFY(painter.unfinished());
    QCOMPARE(valueOf(painter.legend(Theme::light(), input), "excess risk"), QStringLiteral("computing…"));
    QTRY_VERIFY_WITH_TIMEOUT(!painter.unfinished(), 60'000);
    here.paint(waiting.canvas, input);
    QCOMPARE(valueOf(painter.legend(Theme::light(), input), "excess risk"),
             valueOf(here.legend(Theme::light(), input), "excess risk"));
}

TRAINYARD_TEST(tst_Participation)
#include "tst_Participation.moc"
