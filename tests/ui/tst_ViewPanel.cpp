// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The panel of views in the window: it offers what concerns the run, follows cursor, selection and keys, keeps options,
// computes what takes long beside the window; and exports write the same values.
#include "analysis/EntityHistory.h"
#include "analysis/RunIndex.h"
#include "charts/PictureView.h"
#include "charts/ViewChoice.h"
#include "charts/ViewPanel.h"
#include "export/ExportWork.h"
#include "forms/ParamForm.h"
#include "lanes/LaneStack.h"
#include "run/files/PictureFile.h"
#include "run/files/RunRecord.h"
#include "session/RecordedRun.h"
#include "session/ShownIndex.h"
#include "shell/FileActions.h"
#include "shell/Panels.h"
#include "support/IndexedRun.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QProcess>
#include <QStyleOptionComboBox>
#include <QTemporaryDir>

using namespace trainyard;

class tst_ViewPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void offersWhatConcernsTheRun();
    void anotherScenarioBeginsWithAnotherView();
    void everyViewIsShown();
    void saysWhoseItIs();
    void readingsOfAWholeRunAreMeans();
    void zoomShowsWhatLiesBetween();
    void followsTheCursor();
    void keysStepThroughIterations();
    void optionsAreAFormAndRemembered();
    void formNamesWhatIsDrawn();
    void chosenNamesAreWhole();
    void machinesAreChosenByName();
    void longFormsLeaveRoomForTheList();
    void selectionGoesBothWays();
    void windowFileAndCommandLineTellTheSameNumbers();

private:
    test::OwnSettings m_settings{"tst_ViewPanel"};
};

namespace {

struct Panel {
    test::WindowFixture w;
    ViewPanel* panel = nullptr;

    explicit Panel(const QString& file) {
        const bool opened = w.window.files().open(file);
        w.window.panels().show(QStringLiteral("views"));
        panel = opened ? w.window.findChild<ViewPanel*>() : nullptr;
        if (!panel) return;
        w.workspace.playback().toEnd();
        if (!QTest::qWaitFor([&] { return w.ended(); }, test::patience)) panel = nullptr;
        if (panel) settled();
    }
    /// Nothing is under way any more, and what the last frame brought is shown.
    bool settled() {
        QTest::qWait(30);
        const auto isThere = [&] { return !panel->isComputing() && !w.workspace.shownRuns().behind(); };
        if (!QTest::qWaitFor(isThere, test::patience)) return false;
        QTest::qWait(70); // the pause between two pictures
        return true;
    }
    const Picture& picture() const { return panel->picture().picture(); }
    QStringList listed() const {
        QStringList ids;
        const auto* list = panel->findChild<QListWidget*>();
        for (int i = 0; i < list->count(); ++i)
            if (const QString id = list->item(i)->data(Qt::UserRole).toString(); !id.isEmpty()) ids << id;
        return ids;
    }
    /// The number of a legend entry.
    double reading(const char* label) const {
        for (const LegendItem& item : legendOf(picture()))
            if (item.label.english() == label && item.value) return item.value->value;
        return qQNaN();
    }
};

} // namespace

void tst_ViewPanel::offersWhatConcernsTheRun() {
    Panel p(test::starter("one-slow-worker"));
    QVERIFY(p.panel);
    const ShownIndex* run = p.w.window.findChild<LaneStack*>()->makeInput().run;
    QVERIFY(run);
    QStringList expected;
    for (const View& view : views())
        if (concernsRun(view, run) || &view == &p.panel->view()) expected << QString::fromStdString(view.id);
    QTest::qWait(600); // what concerns a run is looked up now and then
    p.panel->refresh();
    QCOMPARE(p.listed(), expected);
    QVERIFY(expected.size() >= 3 && expected.size() < static_cast<qsizetype>(views().size()));
}

/// Of several jobs, the words begin with the name of that which is shown.
void tst_ViewPanel::saysWhoseItIs() {
    Panel p(test::starter("first-steps"));
    QVERIFY(p.panel);
    p.panel->choose(QStringLiteral("iteration"));
    QVERIFY(p.settled());
    const auto says = [&](const QString& begin) {
        for (const auto* label : p.panel->findChildren<QLabel*>())
            if (label->isVisible() && label->text().startsWith(begin)) return true;
        return false;
    };
    const auto& jobs = p.w.workspace.document().scenario().jobs;
    QCOMPARE(jobs.size(), std::size_t{2});
    for (const std::size_t j : {std::size_t{0}, std::size_t{1}}) {
        p.w.workspace.selection().selectJob(JobId(j));
        QTRY_VERIFY(says(QString::fromStdString(jobs[j].name) + QStringLiteral(": ")));
    }
    p.panel->choose(QStringLiteral("workers-by-job")); // of all jobs
    QVERIFY(p.settled());
    QVERIFY(!says(QString::fromStdString(jobs[1].name) + QStringLiteral(": ")));
}

/// At its end a run uses nothing and runs nothing: that is no reading. Under a cursor it is what was then.
void tst_ViewPanel::readingsOfAWholeRunAreMeans() {
    Panel p(test::starter("one-slow-worker"));
    QVERIFY(p.panel);
    const auto heading = [&] { return QString::fromStdString(legendOf(p.picture()).front().label.english()); };
    for (const char* view : {"utilization", "queue", "workers", "machine"}) {
        p.panel->choose(QLatin1String(view));
        QVERIFY(p.settled());
        QTRY_COMPARE(heading(), QStringLiteral("Means"));
        const auto& legend = legendOf(p.picture());
        QVERIFY2(std::ranges::any_of(legend, [](const LegendItem& i) { return i.value && i.value->value > 0; }), view);
        p.w.workspace.axis().setCursor(SimTime::seconds(1));
        QTRY_COMPARE(heading(), QStringLiteral("Values now"));
        p.w.workspace.axis().setCursor(std::nullopt);
    }
}

/// Noted values are looked up; they do not greet the next scenario. What is not of this run is not shown of it.
void tst_ViewPanel::anotherScenarioBeginsWithAnotherView() {
    Panel p(test::starter("one-slow-worker"));
    QVERIFY(p.panel);
    for (const char* special : {"noted", "prices"}) {
        p.panel->choose(QLatin1String(special));
        QVERIFY(p.w.window.files().open(test::starter("two-racks")));
        p.w.workspace.playback().toEnd();
        QTRY_VERIFY_WITH_TIMEOUT(p.w.ended(), test::patience);
        QTRY_VERIFY2(p.panel->view().id != special && emptyOf(p.picture()).empty(), p.panel->view().id.c_str());
    }
}

void tst_ViewPanel::everyViewIsShown() {
    Panel p(QString::fromUtf8(test::canonicalStragglerRun));
    QVERIFY(p.panel);
    for (const View& view : views()) {
        p.panel->choose(QString::fromStdString(view.id));
        QCOMPARE(p.panel->view().id, view.id);
        QVERIFY(p.settled());
        QVERIFY2(emptyOf(p.picture()).empty() || view.concerns, view.id.c_str());
        QVERIFY2(!meaningOf(p.picture()).empty() || !emptyOf(p.picture()).empty(), view.id.c_str());
        QVERIFY(!p.panel->picture().grab().isNull());
        if (emptyOf(p.picture()).empty()) QVERIFY2(p.panel->picture().painter().items() > 0, view.id.c_str());
        const LaneInput input = p.w.window.findChild<LaneStack*>()->makeInput();
        const auto points = static_cast<std::size_t>(std::max(1000, 2 * p.panel->picture().width()));
        const Picture whole =
            wholePicture(view, {.run = *input.run, .job = input.job, .at = input.at, .mostPoints = points});
        QCOMPARE(pictureCsv(p.picture()), pictureCsv(whole));
        QCOMPARE(p.panel->picture().accessibleName().isEmpty(), false);
    }
}

// Zoomed in, a curve has the steps that are seen, not the few of the whole run that lie there.
void tst_ViewPanel::zoomShowsWhatLiesBetween() {
    Panel p(QString::fromUtf8(test::canonicalStragglerRun));
    QVERIFY(p.panel);
    p.panel->choose(QStringLiteral("utilization"));
    QVERIFY(p.settled());
    const auto busy = [&]() -> const Series& {
        for (const Series& series : std::get<Chart>(p.picture()).plots.at(0).series)
            if (QString::fromStdString(series.key).endsWith(QStringLiteral("busy"))) return series;
        static const Series none;
        return none;
    };
    const Series whole = busy();
    QVERIFY(whole.y.size() > 100);
    PictureView& picture = p.panel->picture();
    QVERIFY(!picture.seenSeconds());
    picture.setFocus();
    for (int i = 0; i < 32; ++i) {
        QTest::keyClick(&picture, Qt::Key_Plus);
        QVERIFY(p.settled()); // painted anew
    }
    QVERIFY(p.settled());
    QVERIFY(picture.seenSeconds());
    const auto [from, to] = *picture.seenSeconds();
    QVERIFY2(to - from < 0.02 * whole.x.back(), qPrintable(QStringLiteral("%1 to %2").arg(from).arg(to)));
    const auto within = [&](const Series& series) {
        return std::ranges::count_if(series.x, [&](double x) { return x >= from && x <= to; });
    };
    const RunIndex& run = *p.w.workspace.shownRuns().current();
    const StepSeries& exact = run.busy()[0];
    QVERIFY(static_cast<std::size_t>(within(busy())) + 2 >= exact.after(to) - exact.after(from));
    for (std::size_t i = 0; i < busy().y.size(); ++i) QCOMPARE(busy().y[i], 100 * exact.at(busy().x[i])); // no means
    QVERIFY(busy().x.front() <= from && busy().x.back() >= to && busy().x.back() < whole.x.back());
    QTest::keyClick(&picture, Qt::Key_0);
    QVERIFY(p.settled());
    QVERIFY(!picture.seenSeconds());
    QCOMPARE(busy().x, whole.x);
}

void tst_ViewPanel::followsTheCursor() {
    Panel p(QString::fromUtf8(test::canonicalStragglerRun));
    QVERIFY(p.panel);
    p.panel->choose(QStringLiteral("rates"));
    const double end = p.w.window.findChild<LaneStack*>()->makeInput().end.toSeconds();
    const auto errorAt = [&](double share) {
        p.w.workspace.axis().setCursor(SimTime::seconds(share * end));
        p.settled();
        return p.reading("current error");
    };
    const double early = errorAt(0.3), late = errorAt(0.9);
    QVERIFY2(early > late && late > 0, qPrintable(QStringLiteral("%1, %2").arg(early).arg(late)));
    QTRY_VERIFY(p.panel->picture().accessibleDescription().contains(QStringLiteral(": ")));
}

void tst_ViewPanel::keysStepThroughIterations() {
    Panel p(test::starter("one-slow-worker"));
    QVERIFY(p.panel);
    p.panel->choose(QStringLiteral("iteration"));
    QVERIFY(p.settled());
    PictureView& picture = p.panel->picture();
    picture.setFocus();
    const auto shown = [&] {
        p.settled();
        return stopsOf(p.picture())->number;
    };
    const std::size_t last = shown();
    QVERIFY(last > 20);
    QCOMPARE(last, stopsOf(p.picture())->count);
    QTest::keyClick(&picture, Qt::Key_Left);
    QCOMPARE(shown(), last - 1);
    QTest::keyClick(&picture, Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(shown(), last - 11);
    QTest::keyClick(&picture, Qt::Key_Right);
    QCOMPARE(shown(), last - 10);
    QTest::keyClick(&picture, Qt::Key_Home);
    QCOMPARE(shown(), std::size_t{1});
    QTest::keyClick(&picture, Qt::Key_End);
    QVERIFY(!p.w.workspace.axis().cursor());
    QCOMPARE(shown(), last);
}

void tst_ViewPanel::optionsAreAFormAndRemembered() {
    Panel p(test::starter("one-slow-worker"));
    QVERIFY(p.panel);
    const View* with = nullptr; // any view with a switch
    const ParamField* field = nullptr;
    for (const View& view : views())
        for (const ParamField& each : view.options.fields())
            if (each.type == ParamType::boolean && !with) with = &view, field = &each;
    QVERIFY(with);
    p.panel->choose(QString::fromStdString(with->id));
    const QPointer<QCheckBox> control = // it goes when another view's form comes
        qobject_cast<QCheckBox*>(p.panel->findChild<ParamForm*>()->control(QString::fromStdString(field->key)));
    QVERIFY(control && control->isVisible());
    const Picture before = p.picture();
    control->click();
    QVERIFY(p.settled());
    QCOMPARE(p.panel->options(*with).at(field->key), ParamValue(control->isChecked()));
    const QByteArray kept = p.panel->saveLayout();
    control->click();
    p.panel->choose(QStringLiteral("staleness"));
    QVERIFY(!control || !control->isVisible());
    p.panel->restoreLayout(kept);
    QCOMPARE(&p.panel->view(), with);
    QCOMPARE(p.panel->options(*with).at(field->key), ParamValue(!std::get<bool>(field->defaultValue)));
    p.panel->restoreLayout("nonsense");
    QCOMPARE(&p.panel->view(), with);
}

/// Until one is chosen the view is of the first machine or link, and so says its form.
void tst_ViewPanel::formNamesWhatIsDrawn() {
    Panel p(test::starter("one-slow-worker"));
    QVERIFY(p.panel);
    const Cluster& cluster = p.w.workspace.shownRuns().current()->workload().cluster;
    QVERIFY(!cluster.machines.front().name.empty());
    for (const auto& [option, name] :
         {std::pair("machine", cluster.machines.front().name), {"link", linkTitle(cluster, cluster.links.front())}}) {
        p.panel->choose(QString::fromUtf8(option));
        const auto* box =
            qobject_cast<QComboBox*>(p.panel->findChild<ParamForm*>()->control(QString::fromUtf8(option)));
        QVERIFY(box);
        QCOMPARE(box->currentText().toStdString(), name);
    }
}

/// A name beside its label: "Machine 12", not "Mach…".
void tst_ViewPanel::chosenNamesAreWhole() {
    Panel p(test::starter("one-slow-worker"));
    QVERIFY(p.panel);
    p.w.window.resize(1280, 700);
    p.panel->choose(QStringLiteral("machine"));
    QVERIFY(p.settled());
    const auto* box = qobject_cast<QComboBox*>(p.panel->findChild<ParamForm*>()->control(QStringLiteral("machine")));
    QVERIFY(box && box->lineEdit());
    QTRY_VERIFY2(box->fontMetrics().horizontalAdvance(box->currentText()) + 4 <= box->lineEdit()->width(),
                 qPrintable(QString::number(box->lineEdit()->width())));
}

/// By its name, chosen or typed; the option keeps the key, which does not change with names.
void tst_ViewPanel::machinesAreChosenByName() {
    Panel p(test::starter("one-slow-worker"));
    QVERIFY(p.panel);
    const Machine& second = p.w.workspace.shownRuns().current()->workload().cluster.machines.at(1);
    p.panel->choose(QStringLiteral("machine"));
    auto* box = qobject_cast<QComboBox*>(p.panel->findChild<ParamForm*>()->control(QStringLiteral("machine")));
    QVERIFY(box);
    box->setEditText(QString::fromStdString(second.name));
    Q_EMIT box->lineEdit()->editingFinished();
    QCOMPARE(p.panel->options(p.panel->view()).at("machine"), ParamValue(second.key));
    QCOMPARE(box->currentText(), QString::fromStdString(second.name));
}

/// At the least height: the list keeps some lines with the chosen one among them, and nothing of the form is cut.
void tst_ViewPanel::longFormsLeaveRoomForTheList() {
    Panel p(test::starter("one-slow-worker"));
    QVERIFY(p.panel);
    p.w.window.resize(1280, 781);
    p.panel->choose(QStringLiteral("loss"));
    QVERIFY(p.settled());
    const auto* list = p.panel->findChild<QListWidget*>();
    const QRect chosen = list->visualItemRect(list->currentItem());
    QTRY_VERIFY(list->viewport()->rect().contains(list->visualItemRect(list->currentItem())));
    QVERIFY2(list->viewport()->height() >= 4 * chosen.height(), qPrintable(QString::number(list->height())));
    const auto* form = p.panel->findChild<ParamForm*>();
    for (const ParamField& field : p.panel->view().options.fields()) {
        const QWidget* control = form->control(QString::fromStdString(field.key));
        QTRY_VERIFY2(control && control->height() >= control->minimumSizeHint().height(),
                     qPrintable(QStringLiteral("%1: %2 of %3")
                                    .arg(QString::fromStdString(field.key))
                                    .arg(control->height())
                                    .arg(control->minimumSizeHint().height())));
        if (const auto* box = qobject_cast<const QComboBox*>(control)) {
            QStyleOptionComboBox option;
            option.initFrom(box);
            const int room =
                box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box).width();
            const int wide = box->fontMetrics().horizontalAdvance(box->currentText());
            QVERIFY2(wide <= room,
                     qPrintable(QStringLiteral("%1: %2 > %3").arg(box->currentText()).arg(wide).arg(room)));
        }
    }
}

void tst_ViewPanel::selectionGoesBothWays() {
    Panel p(test::starter("one-slow-worker"));
    QVERIFY(p.panel);
    p.panel->choose(QStringLiteral("iteration"));
    QVERIFY(p.settled());
    PictureView& picture = p.panel->picture();
    picture.grab();
    const QRectF plot = picture.plotRects().at(0);
    // A row's name stands for its worker, and so for the machine that it is on.
    const QPointF name(plot.left() - 20, plot.top() + 8);
    const MachineId machine = picture.painter().labelAt(name).machine;
    QVERIFY(machine.valid());
    QTest::mouseClick(&picture, Qt::LeftButton, {}, name.toPoint());
    const QStringList keys = p.w.workspace.selection().entities();
    QCOMPARE(keys.size(), 1);
    const auto& machines = p.w.workspace.document().scenario().cluster.machines;
    QCOMPARE(keys[0], QString::fromStdString(machines.at(machine.index()).key));
    // In a chart over time a press moves the cursor.
    QVERIFY(p.settled());
    picture.grab();
    QTest::mouseClick(&picture, Qt::LeftButton, {}, plot.center().toPoint());
    QVERIFY(p.w.workspace.axis().cursor());
}

// What `trainyard-cli chart` writes of a record is, number by number, what the window's export writes of it and what the value
// says that the window draws.
void tst_ViewPanel::windowFileAndCommandLineTellTheSameNumbers() {
    QTemporaryDir directory;
    const QString recorded = directory.filePath(QStringLiteral("record"));
    const auto cli = [](const QStringList& arguments) {
        QProcess process;
        process.start(qEnvironmentVariable("TRAINYARD_CLI"), arguments);
        return process.waitForFinished(test::patience) && process.exitCode() == 0;
    };
    QVERIFY(cli({QStringLiteral("run"), QLatin1String(test::canonicalStragglerRun), QStringLiteral("--set"),
                 QStringLiteral("/jobs/0/stop/seconds=12"), QStringLiteral("--out"), recorded}));
    const auto record = readRecord(recorded.toStdString());
    QVERIFY(record.ok());
    RunData run = recordedRun(*record);
    run.id = 1;
    QStringList ids;
    for (const View& view : views()) ids << QString::fromStdString(view.id);
    for (const char* lane : {"loss", "utilization", "queue"}) ids.removeAll(QLatin1String(lane)); // files of lanes
    const ExportResult result = exportFigures(run, *record, {.directory = directory.path(), .views = ids, .at = 9.0});
    for (const Problem& problem : result.problems) qWarning("%s", problem.text().c_str());
    QVERIFY(result.problems.empty());
    QCOMPARE(result.files.size(), 4 * ids.size());
    ShownIndex index(run);
    index.update();
    const auto content = [&](const QString& name) {
        QFile file(directory.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("missing");
    };
    int told = 0;
    for (const QString& id : ids) {
        const QString out = directory.filePath(QStringLiteral("cli-%1.csv").arg(id));
        QVERIFY(cli({QStringLiteral("chart"), recorded, id, QStringLiteral("--at"), QStringLiteral("9"),
                     QStringLiteral("-o"), out}));
        QByteArray exported = content(id + QStringLiteral(".csv"));
        QVERIFY(exported.startsWith("# ")); // of which run it is
        while (exported.startsWith('#')) exported.remove(0, exported.indexOf('\n') + 1);
        exported.truncate(exported.indexOf("\n#+") + 1); // it ends with what it takes to run the run again
        const Picture drawn = wholePicture(*findView(id.toStdString()), {.run = index,
                                                                         .job = JobId(std::size_t{0}),
                                                                         .at = SimTime::seconds(9),
                                                                         .mostPoints = static_cast<std::size_t>(-1),
                                                                         .isFile = true});
        QCOMPARE(QString::fromUtf8(exported), QString::fromStdString(pictureCsv(drawn)));
        QCOMPARE(QString::fromUtf8(content(QStringLiteral("cli-%1.csv").arg(id))), QString::fromUtf8(exported));
        told += exported.count('\n') > 3 ? 1 : 0;
        QVERIFY(content(id + QStringLiteral(".svg")).size() > 2000);
    }
    QVERIFY(told >= 8);
}

TRAINYARD_TEST(tst_ViewPanel)
#include "tst_ViewPanel.moc"
