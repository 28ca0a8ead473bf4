// The views of waiting: what they draw is what the log and the explanations of the run say, and what theory
// says; in the window they follow the run, the cursor and the keyboard.
#include "export/ExportWork.h"
#include "plots/LaneStack.h"
#include "analysis/ResponseTimes.h"
#include "shell/FileActions.h"
#include "shell/Panels.h"
#include "support/BusyRun.h"
#include "support/StragglerRuns.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "waiting/ChartArea.h"
#include "waiting/ChoicePainter.h"
#include "waiting/IterationPainter.h"
#include "waiting/ParticipationPainter.h"
#include "waiting/RatePainter.h"
#include "waiting/StalenessPainter.h"
#include "waiting/WaitingChart.h"
#include "waiting/WaitingPanel.h"
#include "waiting/WaitingValues.h"

#include <QPainter>
#include <QPicture>

#include <cmath>

using namespace trainyard;

class tst_Waiting : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void finishLineIsTheKthAnswer();
    void iterationHoldsAllWork();
    void lateGradientsBelongToTheirIteration();
    void linesAreThePolicysOwn();
    void errorIsCarriedToTheNextChoice();
    void kAndLoadAreThoseChosen();
    void answerTimesAreTheGoldenOnes();
    void answerTimesOfUnlikeMachines();
    void stalenessHasItsExactMean_data();
    void stalenessHasItsExactMean();
    void participationCountsTheLog();
    void countsGrowAsFromTheStart();
    void saysWhatToDoWhereNothingIs();
    void axesHaveRoundTicks();
    void tablesSayTheSame();
    void followsARunInTheWindow();
    void keysStepThroughIterations();
    void layoutIsRestored();

private:
    const test::StragglerRun& adaptive();
    std::optional<test::StragglerRun> m_adaptive;
    test::OwnSettings m_settings{"tst_Waiting"};
};

namespace waiting_test {

constexpr int patience = 120'000; // milliseconds, for a run to end under a sanitizer

/// A canvas of 600 × 300 pixels that nothing is seen of.
struct Nowhere {
    QPicture picture;
    QPainter painter{&picture};
    Theme theme = Theme::light();
    LaneCanvas canvas{painter, theme, QFont()};
    Nowhere() {
        canvas.font.setPixelSize(12);
        canvas.plot = QRectF(100, 0, 600, 300);
        canvas.gutter = QRectF(0, 0, 100, 300);
        canvas.mostRow = 1e9;
    }
};

LaneInput inputAt(const RunFold& fold, SimTime at) {
    return {.run = &fold, .job = JobId(std::size_t{0}), .at = at, .end = fold.head()};
}

RunFold folded(const RunData& run) {
    RunFold fold(run);
    fold.update();
    return fold;
}

RunData busyData(const test::BusyRun& run) {
    return {.scenario = run.scenario, .seed = 11, .workload = run.workload, .log = run.log};
}

} // namespace waiting_test

using namespace waiting_test;

const test::StragglerRun& tst_Waiting::adaptive() {
    if (!m_adaptive) m_adaptive = test::stragglerRun("adaptive-load-exact", 12);
    return *m_adaptive;
}

// The arrivals of a round, sorted: the k-th of them is where the line is, and where the update begins.
void tst_Waiting::finishLineIsTheKthAnswer() {
    const RunFold fold = folded(adaptive().data);
    const EventLog& log = *adaptive().data.log;
    const JobId job(std::size_t{0});
    const UpdateLog& updates = fold.jobs()[0].updates;
    QVERIFY(updates.size() > 100);
    IterationPainter painter;
    Nowhere nowhere;
    std::size_t several = 0;
    for (std::size_t u = 0; u < updates.size(); ++u) {
        std::vector<SimTime> arrivals;
        for (std::size_t i = u > 0 ? updates.position(u - 1) : 0; i < updates.position(u); ++i)
            if (log[i].type == EventType::gradientArrived) arrivals.push_back(log[i].time);
        std::sort(arrivals.begin(), arrivals.end());
        const std::size_t k = updates.gradientsOf(u);
        several += k > 1;
        const IterationBars iteration = iterationAt(fold, job, timeOfUpdate(fold, job, u));
        QCOMPARE(iteration.update, u);
        QCOMPARE(iteration.used, static_cast<int>(k));
        QCOMPARE(iteration.lastNeeded, arrivals.at(k - 1));
        const LaneInput input = inputAt(fold, timeOfUpdate(fold, job, u));
        const auto line = painter.finishLine(nowhere.canvas, input);
        QVERIFY(line);
        QVERIFY(std::abs(painter.secondsAt(nowhere.canvas, input, *line) - arrivals[k - 1].toSeconds()) <
                1e-6);
        QCOMPARE(painter.xOf(nowhere.canvas, input, arrivals[k - 1]).value(), *line);
    }
    QVERIFY(several > 3);
}

// Every worker has one bar in a round: k used, the others cancelled at the line, in order of time.
void tst_Waiting::iterationHoldsAllWork() {
    const RunFold fold = folded(adaptive().data);
    const JobId job(std::size_t{0});
    const std::size_t last = fold.jobs()[0].updates.size() - 2;
    const IterationBars iteration = iterationAt(fold, job, timeOfUpdate(fold, job, last));
    QCOMPARE(iteration.bars.size(), std::size_t{50});
    int used = 0, cancelled = 0;
    for (const TaskBar& bar : iteration.bars) {
        used += bar.fate == TaskBar::Fate::used;
        cancelled += bar.fate == TaskBar::Fate::cancelled;
        QVERIFY(bar.pull <= bar.compute && bar.compute < bar.end);
        QVERIFY(bar.start() >= iteration.from && bar.end <= iteration.to);
        if (bar.fate == TaskBar::Fate::used)
            QVERIFY(bar.push >= bar.compute && bar.end <= iteration.lastNeeded);
        if (bar.fate == TaskBar::Fate::cancelled) QCOMPARE(bar.end, iteration.to);
    }
    QCOMPARE(used, iteration.used);
    QCOMPARE(cancelled, 50 - used);
    QCOMPARE(iteration.byArrival.size(), std::size_t{50});
    SimTime before;
    for (int place = 1; place <= used; ++place)
        for (const TaskBar& bar : iteration.bars)
            if (bar.worker == iteration.byArrival[static_cast<std::size_t>(place - 1)]) {
                QCOMPARE(bar.place, place);
                QVERIFY(bar.end >= before);
                before = bar.end;
            }
}

// By hand: six workers, five fastest; the fourth is slow, its gradient comes in a later round and is dropped.
void tst_Waiting::lateGradientsBelongToTheirIteration() {
    const RunFold fold = folded(busyData(test::BusyRunWriter(8).write()));
    const JobId job(std::size_t{0});
    bool dropped = false;
    for (std::size_t u = 0; u < 8; ++u) {
        const IterationBars iteration = iterationAt(fold, job, timeOfUpdate(fold, job, u));
        QCOMPARE(iteration.used, 5);
        for (const TaskBar& bar : iteration.bars) {
            if (bar.worker != 3) QVERIFY(bar.start() >= iteration.from);
            if (bar.fate != TaskBar::Fate::dropped) continue;
            dropped = true;
            QCOMPARE(bar.worker, 3u);
            QVERIFY(bar.start() < iteration.from); // begun in a round before
            QVERIFY(bar.end > iteration.from && bar.end <= iteration.to);
        }
    }
    QVERIFY(dropped);
    QCOMPARE(iterationAt(fold, job, SimTime::seconds(1e6)).update, std::size_t{7});
    QCOMPARE(iterationAt(fold, job, SimTime{}).update, std::size_t{0});
}

void tst_Waiting::linesAreThePolicysOwn() {
    std::size_t seen = 0;
    for (std::size_t i = 0; i < adaptive().explanations.size(); ++i) {
        const Explanation& why = adaptive().explanations[i];
        const auto choice = rateChoice(why, static_cast<std::uint32_t>(i));
        if (why.criterion != "rate") {
            QVERIFY(!choice);
            continue;
        }
        QVERIFY(choice);
        ++seen;
        std::size_t feasible = 0;
        for (const Candidate& candidate : why.candidates) {
            if (candidate.numbers.empty()) continue;
            const RateOption& option = choice->options[feasible++];
            QCOMPARE(candidate.numbers[0].name, std::string("rate"));
            QVERIFY(std::abs(option.line.at(choice->error) - candidate.numbers[0].value) <=
                    1e-9 * option.line.slope * std::max(choice->error, option.floor));
        }
        QCOMPARE(choice->options.size(), feasible);
        // The envelope is on top everywhere, and the choice on top at the error.
        for (double error = 6000; error > 1e-3; error *= 0.7) {
            const double top =
                choice->options[choice->envelope[stepAt(choice->envelope, error)].line].line.at(error);
            for (const RateOption& option : choice->options)
                QVERIFY(option.line.at(error) <= top + 1e-12 * std::abs(top));
        }
        for (const RateOption& option : choice->options)
            QVERIFY(option.line.at(choice->error) <= choice->options[choice->chosen].line.at(choice->error) +
                                                         1e-9 * option.line.slope * choice->error);
    }
    QVERIFY(seen > 5);
}

// With constants given the policy's error is its model's: carried over from one choice, update by update, it
// is the error at the next.
void tst_Waiting::errorIsCarriedToTheNextChoice() {
    const RunFold fold = folded(adaptive().data);
    const JobId job(std::size_t{0});
    const auto choices = rateChoicesOf(RunFold(adaptive().data))->ofJob(job);
    QVERIFY(choices.size() > 5);
    QCOMPARE(choices[0]->error, 5000.0);
    for (std::size_t i = 1; i < choices.size(); ++i) {
        const ChoiceNow before = choiceAt(fold, job, SimTime{choices[i]->at.ns - 1});
        QCOMPARE(before.choice, choices[i - 1]);
        // The update that the choice was made in counts as done already.
        const double carried = before.choice->errorAfter(before.updatesSince + 1);
        QVERIFY2(std::abs(carried - choices[i]->error) <= 1e-9 * carried,
                 qPrintable(QStringLiteral("%1: %2 is not %3").arg(i).arg(carried).arg(choices[i]->error)));
        QCOMPARE(choiceAt(fold, job, choices[i]->at).error, choices[i]->error);
        QVERIFY(choices[i]->error < choices[i - 1]->error);
    }
}

void tst_Waiting::kAndLoadAreThoseChosen() {
    const RunFold fold = folded(adaptive().data);
    const JobId job(std::size_t{0});
    const UpdateLog& updates = fold.jobs()[0].updates;
    std::size_t compared = 0;
    for (const ExplainedChoice& explained : updates.choices()) {
        const auto choice = rateChoicesOf(RunFold(adaptive().data))->of(explained.explanation);
        const std::size_t next = explained.updates + (explained.inRound ? 1 : 0);
        if (!choice || next >= updates.size()) continue;
        const RateOption& option = choice->options[choice->chosen];
        QCOMPARE(updates.gradientsOf(next), static_cast<std::size_t>(option.waitFor));
        // Samples are whole: at most half of one apart.
        QVERIFY(std::abs(loadOfUpdate(fold, job, next) - option.load) <= 0.5 / 40 + 1e-12);
        ++compared;
    }
    QVERIFY(compared > 5);
    // The steps tell the same as the updates one by one.
    for (std::size_t u = 0, s = 0; u < updates.size(); ++u) {
        if (s + 1 < updates.steps().size() && updates.steps()[s + 1].update == u) ++s;
        QCOMPARE(updates.gradientsOf(u), updates.steps()[s].gradients);
    }
    ChoicePainter painter;
    const auto entries = painter.legend(Theme::light(), inputAt(fold, timeOfUpdate(fold, job, 0)));
    QCOMPARE(entries[1].value, QString::number(updates.gradientsOf(0)));
}

// E[C + βP]_(k:50), both exponential of mean 0.5 s: the golden values of the canonical scenario.
void tst_Waiting::answerTimesAreTheGoldenOnes() {
    const RunFold fold = folded(adaptive().data);
    const PlacedJob placed = responseInputs(fold, JobId(std::size_t{0}));
    QCOMPARE(placed.placement.workers.size(), std::size_t{50});
    const auto curves = responseTimeCurves(adaptive().data.workload, JobId(std::size_t{0}), placed.placement,
                                     placed.messageBytes, {1, 0.1});
    QCOMPARE(curves.size(), std::size_t{5}); // two loads, three references
    const auto mean = [&](std::size_t curve, std::size_t k) { return curves[curve].means.at(k - 1); };
    const std::tuple<std::size_t, std::size_t, double> golden[] = {
        {0, 1, .09543}, {0, 10, .40542}, {0, 25, .82846}, {0, 50, 3.24797}, {1, 1, .03217}, {1, 50, 2.30228}};
    for (const auto& [curve, k, seconds] : golden) QVERIFY(std::abs(mean(curve, k) - seconds) < 6e-6);
    // References have the mean of a whole batch, 1 s: μ_k of Exp(1), and x_m Γ(51)Γ(50.5 − …) of Pareto α
    // = 2.
    QCOMPARE(mean(2, 7), 1.0);
    QVERIFY(std::abs(mean(3, 10) - 0.2206622994) < 1e-6);
    QVERIFY(std::abs(mean(4, 10) - .55867) < 1e-5);
    QVERIFY(std::abs(mean(4, 50) - 6.28226) < 1e-4);
}

void tst_Waiting::answerTimesOfUnlikeMachines() {
    auto workload = std::make_shared<Workload>(*adaptive().data.workload);
    Machine slow = workload->cluster.machines[0];
    slow.key = "slow";
    slow.name = "Slow";
    slow.straggler.persistentFactor = 3;
    workload->cluster.machines.push_back(slow);
    Link link = workload->cluster.links[0];
    link.from = "slow";
    link.key = "slow--switch";
    workload->cluster.links.push_back(link);
    const MachineId fast(std::size_t{0}), other(workload->cluster.machines.size() - 1);
    const auto curves =
        responseTimeCurves(workload, JobId(std::size_t{0}), {{fast, fast, fast, other}, {}}, 800, {1});
    QCOMPARE(curves.size(), std::size_t{6}); // as placed, all like each, three references
    QCOMPARE(curves[1].kind, ResponseTimeCurve::Kind::alike);
    QCOMPARE(curves[2].name, std::string("Slow"));
    for (std::size_t k = 0; k < 4; ++k) {
        QVERIFY(curves[1].means[k] < curves[2].means[k]);
        // As placed lies between; sampled, hence 2 %.
        QVERIFY(curves[0].means[k] > 0.98 * curves[1].means[k] &&
                curves[0].means[k] < 1.02 * curves[2].means[k]);
    }
}

void tst_Waiting::stalenessHasItsExactMean_data() {
    QTest::addColumn<QString>("policy");
    QTest::addColumn<double>("exact");
    QTest::newRow("rounds") << "fastest-10" << 0.0;
    QTest::newRow("k-async") << "k-async-10" << 40.0 / 10;
    QTest::newRow("k-batch-async") << "k-batch-async-10" << 49.0 / 10;
}

// Of some thousands of gradients, the first updates left out: the sum of staleness over a stretch differs
// from the law only at its ends, by at most n·(updates a worker is behind).
void tst_Waiting::stalenessHasItsExactMean() {
    QFETCH(QString, policy);
    QFETCH(double, exact);
    const test::StragglerRun run = test::stragglerRun(policy.toStdString(), 40);
    const RunFold fold = folded(run.data);
    const JobId job(std::size_t{0});
    const Registry registry = Registry::builtin();
    const auto law = registry.makeSynchronization(run.data.scenario->policies.synchronization)->exactMeanStaleness(50);
    QVERIFY(law);
    QCOMPARE(*law, exact);
    const std::size_t updates = fold.jobs()[0].updates.size();
    QVERIFY(updates > 60);
    const StalenessCounts counts = stalenessOf(fold, job, 30, updates);
    QVERIFY2(std::abs(counts.mean - exact) <= 0.15 * exact, qPrintable(QString::number(counts.mean)));
    double sum = 0;
    for (const std::size_t count : counts.gradients) sum += static_cast<double>(count);
    QCOMPARE(sum, static_cast<double>(counts.total));
    StalenessPainter painter;
    const auto legend = painter.legend(Theme::light(), inputAt(fold, fold.head()));
    QCOMPARE(legend[2].value, numberText(exact, 3));
    QVERIFY(!registry.makeSynchronization({"dsag", {}})->exactMeanStaleness(50));
}

void tst_Waiting::participationCountsTheLog() {
    const test::BusyRun busy = test::BusyRunWriter(8).write();
    const RunFold fold = folded(busyData(busy));
    std::vector<std::size_t> counts, expected(6, 0);
    addUsedByWorker(counts, fold, JobId(std::size_t{0}), 0, 8);
    for (std::size_t i = 0; i < busy.log->size(); ++i)
        if ((*busy.log)[i].type == EventType::gradientUsed && (*busy.log)[i].job == 0)
            ++expected[(*busy.log)[i].a];
    QCOMPARE(counts, expected);
    QCOMPARE(counts[3], std::size_t{0}); // the slow one
    ParticipationPainter painter;
    Nowhere nowhere;
    const LaneInput input = inputAt(fold, fold.head());
    // Of six columns of 99 pixels the second is w2's.
    const LaneHit hit = painter.hit(nowhere.canvas, input, {100 + 1.5 * 99, 200});
    QVERIFY2(hit.text.contains(QStringLiteral("w2: 8 gradients, 20 %")), qPrintable(hit.text));
}

// Going on in time adds; going back counts anew: both are what a fresh painter says.
void tst_Waiting::countsGrowAsFromTheStart() {
    const RunFold fold = folded(adaptive().data);
    ParticipationPainter participation;
    StalenessPainter staleness;
    for (const double seconds : {1.0, 4.0, 9.0, 2.0, 3.0}) {
        const LaneInput input = inputAt(fold, SimTime::seconds(seconds));
        const auto same = [&](LanePainter& kept, LanePainter&& fresh) {
            const auto a = kept.legend(Theme::light(), input), b = fresh.legend(Theme::light(), input);
            for (std::size_t i = 0; i < a.size(); ++i) QCOMPARE(a[i].value, b[i].value);
            QVERIFY(!a[0].value.isEmpty());
        };
        same(participation, ParticipationPainter());
        same(staleness, StalenessPainter());
    }
}

void tst_Waiting::saysWhatToDoWhereNothingIs() {
    const RunFold fold = folded(busyData(test::BusyRunWriter(4).write()));
    for (const auto& painter : makeWaitingPainters()) {
        QVERIFY(painter->emptyText({}).contains(QStringLiteral("Press play")));
        QVERIFY(painter->meaning({}).size() > 60);
        QVERIFY(!painter->horizontalTitle({}).isEmpty());
        QVERIFY(painter->legend(Theme::light(), {}).empty());
        const bool rates =
            painter->id() == QLatin1String("rates") || painter->id() == QLatin1String("trade-off");
        QCOMPARE(painter->emptyText(inputAt(fold, fold.head())).contains(QStringLiteral("adaptive-load")),
                 rates);
    }
    // Before the first update of a job there is no k to tell of.
    ChoicePainter choice;
    const RunFold fresh(busyData(test::BusyRunWriter(4).write()));
    QVERIFY(!choice.emptyText(inputAt(fresh, SimTime{})).isEmpty());
}

void tst_Waiting::axesHaveRoundTicks() {
    QCOMPARE((ChartAxis{0, 1}.ticks(5)), (std::vector<double>{0, .2, .4, .6000000000000001, .8, 1}));
    QCOMPARE((ChartAxis{1, 1000, true}.ticks(4)), (std::vector<double>{1, 10, 100, 1000}));
    QCOMPARE((ChartAxis{5000, 0.03, true}.share(5000)), 0.0);
    QVERIFY(std::abs(ChartAxis{5000, 0.03, true}.value(1) - 0.03) < 1e-12);
    QCOMPARE(axisFromZero(7.3).to, 8.0);
    QCOMPARE(axisFromZero(0).to, 1.0);
    QVERIFY((ChartAxis{2, 2}.ticks(5)).empty());
}

void tst_Waiting::tablesSayTheSame() {
    QTemporaryDir directory;
    const QStringList views{QStringLiteral("iteration"),  QStringLiteral("rates"),
                            QStringLiteral("k-and-load"), QStringLiteral("response-times"),
                            QStringLiteral("staleness"),  QStringLiteral("participation")};
    const ExportResult result =
        exportRun(adaptive().data, {.directory = directory.path(), .views = views, .at = 9.0});
    QVERIFY(result.problems.empty());
    QCOMPARE(result.files.size(), 4 * views.size());
    const auto rowsOf = [&](const QString& view) {
        QFile file(directory.filePath(view + QStringLiteral(".csv")));
        if (!file.open(QIODevice::ReadOnly)) return QList<QByteArray>();
        QList<QByteArray> lines = file.readAll().split('\n');
        lines.removeLast();
        return lines.mid(2); // provenance, head
    };
    // Rates: slope·(error − floor), one chosen, the greatest.
    int chosen = 0;
    double greatest = -1e300, rateOfChosen = 0;
    for (const QByteArray& line : rowsOf(QStringLiteral("rates"))) {
        const auto f = line.split(',');
        const double rate = f[5].toDouble() * (f[2].toDouble() - f[6].toDouble());
        QVERIFY(std::abs(rate - f[8].toDouble()) <= 1e-9 * f[5].toDouble() * f[2].toDouble());
        greatest = std::max(greatest, f[8].toDouble());
        if (f[9] == "1") rateOfChosen = f[8].toDouble();
        chosen += f[9] == "1";
    }
    QCOMPARE(chosen, 1);
    QVERIFY(rateOfChosen > 0 && rateOfChosen <= greatest);
    QCOMPARE(rowsOf(QStringLiteral("iteration")).size(), 50);
    QCOMPARE(rowsOf(QStringLiteral("participation")).size(), 50);
    QCOMPARE(rowsOf(QStringLiteral("response-times")).size() % 50, 0);
    const RunFold fold = folded(adaptive().data);
    QCOMPARE(rowsOf(QStringLiteral("k-and-load")).size(),
             static_cast<qsizetype>(fold.jobs()[0].updates.size()));
    // Pictures show more than the frame around them.
    for (const auto& painter : makeWaitingPainters()) {
        Nowhere nowhere;
        painter->paint(nowhere.canvas, inputAt(fold, SimTime::seconds(9)));
        QVERIFY2(nowhere.canvas.items > 0, qPrintable(painter->id()));
    }
}

void tst_Waiting::followsARunInTheWindow() {
    test::WindowFixture w;
    QVERIFY(w.window.files().open(QString::fromUtf8(test::canonicalStragglers)));
    w.window.panels().show(QStringLiteral("waiting"));
    auto* panel = w.window.findChild<WaitingPanel*>();
    QVERIFY(panel);
    QTRY_VERIFY(panel->isVisible());
    panel->choose(QStringLiteral("rates"));
    QCOMPARE(panel->chart().accessibleName(), panel->view().title());
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), patience);
    auto& rates = dynamic_cast<RatePainter&>(panel->view());
    Nowhere nowhere;
    const auto markerAt = [&](double seconds) {
        w.workspace.axis().setCursor(SimTime::seconds(seconds));
        return rates.marker(nowhere.canvas, panel->makeInput());
    };
    QTRY_VERIFY(rates.emptyText(panel->makeInput()).isEmpty());
    const RunFold& fold = *panel->makeInput().run;
    const JobId job(std::size_t{0});
    const UpdateLog& updates = fold.jobs()[0].updates;
    const double end = timeOfUpdate(fold, job, updates.size() - 1).toSeconds();
    // The error falls: the marker goes to the right.
    const auto early = markerAt(0.3 * end), late = markerAt(0.9 * end);
    QVERIFY(early && late);
    QVERIFY2(late->x() > early->x() + 20,
             qPrintable(QStringLiteral("%1, %2").arg(early->x()).arg(late->x())));
    // The staircase: more samples per update late than early.
    panel->choose(QStringLiteral("k-and-load"));
    const auto samplesAt = [&](double seconds) {
        return updates.samples(updatesUntil(fold, job, SimTime::seconds(seconds)) - 1);
    };
    QVERIFY(samplesAt(0.95 * end) > samplesAt(0.3 * end));
    QVERIFY(updates.steps().size() > 3);
    // What is read out is told to screen readers, too.
    w.workspace.axis().setCursor(SimTime::seconds(0.5 * end));
    QTRY_VERIFY(panel->chart().accessibleDescription().contains(QStringLiteral("β: ")));
    QCOMPARE(panel->chart().readings(), panel->chart().accessibleDescription());
}

void tst_Waiting::keysStepThroughIterations() {
    test::WindowFixture w;
    QVERIFY(w.window.files().open(test::starter("one-slow-worker")));
    w.window.panels().show(QStringLiteral("waiting"));
    auto* panel = w.window.findChild<WaitingPanel*>();
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), patience);
    panel->choose(QStringLiteral("iteration"));
    QTRY_VERIFY(panel->chart().painter()->emptyText(panel->makeInput()).isEmpty());
    WaitingChart& chart = panel->chart();
    chart.setFocus();
    const auto shown = [&] {
        const LaneInput input = panel->makeInput();
        return iterationAt(*input.run, input.run->jobWithWorkers(input.job), input.at).update;
    };
    QTest::keyClick(&chart, Qt::Key_Home);
    QCOMPARE(shown(), std::size_t{0});
    QTest::keyClick(&chart, Qt::Key_Right);
    QTest::keyClick(&chart, Qt::Key_Right);
    QCOMPARE(shown(), std::size_t{2});
    QTest::keyClick(&chart, Qt::Key_Left);
    QCOMPARE(shown(), std::size_t{1});
    QTest::keyClick(&chart, Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(shown(), std::size_t{11});
    QTest::keyClick(&chart, Qt::Key_End);
    QVERIFY(!w.workspace.axis().cursor());
    // A press in the chart goes to that instant of the same iteration.
    QTest::keyClick(&chart, Qt::Key_Left);
    const std::size_t before = shown();
    QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.plotRect().center().toPoint());
    QCOMPARE(shown(), before);
    const LaneHit hit = chart.hitAt(chart.plotRect().center());
    QVERIFY2(hit.text.contains(QStringLiteral("compute")), qPrintable(hit.text));
}

void tst_Waiting::layoutIsRestored() {
    test::WindowFixture w;
    auto* panel = w.window.findChild<WaitingPanel*>();
    const QByteArray first = panel->saveLayout();
    panel->choose(QStringLiteral("staleness"));
    const QByteArray second = panel->saveLayout();
    panel->restoreLayout(first);
    QCOMPARE(panel->view().id(), QStringLiteral("iteration"));
    panel->restoreLayout(second);
    QCOMPARE(panel->view().id(), QStringLiteral("staleness"));
    panel->restoreLayout("broken");
    QCOMPARE(panel->view().id(), QStringLiteral("staleness"));
}

TRAINYARD_TEST(tst_Waiting)
#include "tst_Waiting.moc"
