// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The export panel as a person uses it: by clicks and keys; what it promises in its preview is what it
// writes, what it wrote it says, and every file of it, dropped on the window, is the run again.
#include "charts/ChartLane.h"
#include "export/ExportPanel.h"
#include "export/ExportSettings.h"
#include "export/ExportViews.h"
#include "export/FigurePreview.h"
#include "export/MoviePreview.h"
#include "lanes/Lane.h"
#include "lanes/LaneStack.h"
#include "session/ShownIndex.h"
#include "shell/ActionList.h"
#include "shell/ExportActions.h"
#include "shell/ExportProgress.h"
#include "shell/FileActions.h"
#include "shell/MessageBar.h"
#include "shell/Panels.h"
#include "support/Patience.h"
#include "support/SampleRun.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QDir>
#include <QDoubleSpinBox>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>
#include <QToolButton>
#include <QUrl>

using namespace trainyard;

class tst_ExportPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        test::OwnSettings::clear();
        QSettings().setValue(QStringLiteral("export/formats"), exportFormats());
    }
    void saysWhyNothingCanBeExported();
    void fewFilesAreProposed();
    void emptyLanesAreNotProposed();
    void allViewsHaveTheChosenFormats();
    void exportsWhatHasATick();
    void chosenViewStaysInSight();
    void textsBelongToTheirView();
    void sizeIsSaidInBothUnits();
    void previewShowsTheFigure();
    void ghostHasATick();
    void settingsAreKept();
    void everyFileDroppedIsTheRun();
    void contextMenusCopyAndExport();
    void tablesAreCopied();
    void cancelIsInTheStatusBar();
    void exportLeavesTheWindowsSize();
    void problemsAreSaid();
    void movieIsMade();
    void moviePreviewShowsItsFrames();

private:
    struct Window : test::WindowFixture {
        ExportPanel& panel;
        QTemporaryDir directory;
        Window() : panel(*window.findChild<ExportPanel*>()) {}
        void play();
        template <class Widget>
        Widget* find(const char* name) {
            Widget* found = panel.findChild<Widget*>(QLatin1String(name));
            if (!found) qFatal("no %s", name);
            return found;
        }
        void open();
        void write(QLineEdit* edit, const QString& text);
        void tick(const QString& view, bool on);
        bool exportNow();
        QStringList files() const { return QDir(directory.path()).entryList(QDir::Files, QDir::Name); }
    };
    test::OwnSettings m_settings{"tst_ExportPanel"};
};

/// Plays the starter to its end.
void tst_ExportPanel::Window::play() {
    QVERIFY(window.files().open(test::starter()));
    workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(ended(), test::patience);
}

/// By its menu command; files go to a folder of the test's.
void tst_ExportPanel::Window::open() {
    window.commands().find(QStringLiteral("file.export"))->trigger();
    QTRY_VERIFY(panel.isVisible());
    write(find<QLineEdit>("export-folder"), directory.path());
}

void tst_ExportPanel::Window::write(QLineEdit* edit, const QString& text) {
    edit->setFocus();
    edit->selectAll();
    QTest::keyClicks(edit, text);
    QCOMPARE(edit->text(), text);
}

void tst_ExportPanel::Window::tick(const QString& view, bool on) {
    QListWidget& views = panel.views();
    for (int i = 0; i < views.count(); ++i) {
        QListWidgetItem* item = views.item(i);
        if (item->data(Qt::UserRole).toString() != view) continue;
        views.setCurrentItem(item);
        views.setFocus();
        if ((item->checkState() == Qt::Checked) != on) QTest::keyClick(&views, Qt::Key_Space);
        QCOMPARE(item->checkState(), on ? Qt::Checked : Qt::Unchecked);
        return;
    }
    QFAIL(qPrintable(view));
}

/// Clicks the button and waits until that is done.
bool tst_ExportPanel::Window::exportNow() {
    QSignalSpy finished(&panel.controller().job(), &ExportJob::finished);
    if (!panel.exportButton().isEnabled()) return false;
    QTest::mouseClick(&panel.exportButton(), Qt::LeftButton);
    return finished.count() > 0 || finished.wait(test::patience);
}

void tst_ExportPanel::saysWhyNothingCanBeExported() {
    Window w;
    w.open();
    QVERIFY(!w.panel.exportButton().isEnabled());
    QVERIFY(w.panel.exportButton().toolTip().contains(QStringLiteral("press play")));
    QTRY_VERIFY(w.panel.preview().emptyText().contains(QStringLiteral("Press play")));
    QAction* all = w.window.commands().find(QStringLiteral("file.export-all"));
    QVERIFY(!all->isEnabled() && all->toolTip().contains(QStringLiteral("press play")));
    w.play();
    w.open();
    QTRY_VERIFY(w.panel.exportButton().isEnabled());
    QVERIFY(all->isEnabled());
    for (const QString& format : exportFormats())
        QTest::mouseClick(w.find<QCheckBox>(("export-" + format.toLatin1()).constData()), Qt::LeftButton, {}, {8, 8});
    QVERIFY(!w.panel.exportButton().isEnabled());
    QVERIFY(w.panel.exportButton().toolTip().contains(QStringLiteral("No format")));
}

/// Lanes and the cluster, once for paper and once for slides; the rest has to be asked for, and is remembered.
void tst_ExportPanel::fewFilesAreProposed() {
    test::OwnSettings::clear();
    {
        Window w;
        w.play();
        w.open();
        QCOMPARE(w.panel.exportButton().text(), QStringLiteral("Export 12 Files"));
        w.tick(QStringLiteral("metrics"), true);
        w.tick(QStringLiteral("queue"), false);
        QVERIFY(w.exportNow());
        QCOMPARE(w.files().filter(QStringLiteral("metrics")),
                 (QStringList{QStringLiteral("metrics.pdf"), QStringLiteral("metrics.png")}));
        QVERIFY(w.files().filter(QStringLiteral("queue")).isEmpty());
    }
    const ExportSettings kept = ExportSettings::remembered();
    QCOMPARE(kept.wanted, QStringList{QStringLiteral("metrics")});
    QCOMPARE(kept.unwanted, QStringList{QStringLiteral("queue")});
}

/// As the loss of jobs that train no model. One that is only folded is proposed.
void tst_ExportPanel::emptyLanesAreNotProposed() {
    const ShownIndex index({.workload = test::sampleWorkload(), .log = std::make_shared<EventLog>()});
    const auto loss = makeChartLane({QStringLiteral("loss")});
    LaneView lane{.id = QStringLiteral("loss"), .painter = loss.get(), .look = {.run = &index}, .folded = true};
    const auto isProposed = [&] {
        return ExportSettings().wants(exportViews([&] { return std::vector<LaneView>{lane}; }).front());
    };
    QVERIFY(!loss->emptyText(lane.look).isEmpty());
    QVERIFY(!isProposed());
    lane.folded = false;
    QVERIFY(isProposed());
}

void tst_ExportPanel::exportsWhatHasATick() {
    Window w;
    w.play();
    w.open();
    QVERIFY(w.panel.views().count() >= 8);
    QStringList ids;
    for (int i = 0; i < w.panel.views().count(); ++i) ids << w.panel.views().item(i)->data(Qt::UserRole).toString();
    for (const QString& id : ids) w.tick(id, id == QLatin1String("loss") || id == QLatin1String("metrics"));
    QTest::mouseClick(w.find<QCheckBox>("export-pdf"), Qt::LeftButton, {}, {8, 8});
    QCOMPARE(w.panel.exportButton().text(), QStringLiteral("Export 6 Files"));
    QVERIFY(w.exportNow());
    QCOMPARE(w.files(), QStringList({QStringLiteral("loss.csv"), QStringLiteral("loss.png"), QStringLiteral("loss.svg"),
                                     QStringLiteral("metrics.csv"), QStringLiteral("metrics.png"),
                                     QStringLiteral("metrics.svg")}));
    QVERIFY(w.panel.said().contains(QStringLiteral("6 files")));
    QVERIFY(w.panel.said().contains(w.directory.path()));
    QTest::mouseClick(&w.panel.exportButton(), Qt::LeftButton);
    QVERIFY(w.panel.said().isEmpty()); // of the one before, until this one has ended
    QTRY_VERIFY_WITH_TIMEOUT(!w.panel.said().isEmpty(), test::patience);
    QVERIFY2(w.panel.said().contains(QStringLiteral("6 replaced older files")), qPrintable(w.panel.said()));
}

/// The list has no scroll bar of its own: gone through by keys, it takes the page along.
void tst_ExportPanel::chosenViewStaysInSight() {
    Window w;
    w.window.resize(1280, 700);
    w.play();
    w.open();
    QTest::qWait(100);
    QListWidget& list = w.panel.views();
    list.setFocus(Qt::TabFocusReason);
    const auto inSight = [&] {
        return list.viewport()->visibleRegion().boundingRect().contains(list.visualItemRect(list.currentItem()));
    };
    for (const Qt::Key key : {Qt::Key_Down, Qt::Key_Up})
        for (int i = 0; i + 1 < list.count(); ++i) {
            QTest::keyClick(&list, key);
            QVERIFY2(inSight(), qPrintable(list.currentItem()->text()));
        }
}

void tst_ExportPanel::textsBelongToTheirView() {
    Window w;
    w.play();
    w.open();
    w.tick(QStringLiteral("loss"), true);
    auto* title = w.find<QLineEdit>("export-title");
    QTRY_VERIFY(title->placeholderText().startsWith(QStringLiteral("Loss: ")));
    QVERIFY(w.find<QLineEdit>("export-y-title")->placeholderText().startsWith(QStringLiteral("Loss")));
    w.write(title, QStringLiteral("What waiting costs"));
    w.write(w.find<QLineEdit>("export-y-title"), QStringLiteral("Cross entropy"));
    w.tick(QStringLiteral("utilization"), true);
    QVERIFY(title->text().isEmpty());
    QTRY_VERIFY(title->placeholderText().startsWith(QStringLiteral("Utilization: ")));
    w.tick(QStringLiteral("jobs"), true);
    QVERIFY(!w.find<QLineEdit>("export-y-title")->isEnabled());
    w.tick(QStringLiteral("loss"), true);
    QCOMPARE(title->text(), QStringLiteral("What waiting costs"));
    QVERIFY(w.exportNow());
    const auto read = [&](const char* name) {
        QFile file(w.directory.filePath(QLatin1String(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QVERIFY(read("loss.svg").contains(">What waiting costs<"));
    QVERIFY(read("loss.svg").contains(">Cross entropy<"));
    QVERIFY(read("loss.svg").contains(">Time (")); // what was left alone is there all the same
    QVERIFY(!read("utilization.svg").contains(">What waiting costs<"));
}

void tst_ExportPanel::sizeIsSaidInBothUnits() {
    Window w;
    w.play();
    w.open();
    auto* width = w.find<QDoubleSpinBox>("export-width");
    auto* unit = w.find<QComboBox>("export-size-unit");
    auto* dots = w.find<QSpinBox>("export-dpi");
    QVERIFY(std::abs(width->value() - 160) < 0.2);
    width->setValue(127); // 5 inches
    unit->setCurrentIndex(1);
    QCOMPARE(width->value(), 1500.0); // at 300 per inch
    dots->setValue(150);
    QCOMPARE(width->value(), 1500.0); // of the same pixels, on twice the paper
    unit->setCurrentIndex(0);
    QCOMPARE(width->value(), 254.0);
    for (const char* format : {"svg", "pdf", "csv"})
        QTest::mouseClick(w.find<QCheckBox>((QByteArrayLiteral("export-") + format).constData()), Qt::LeftButton, {},
                          {8, 8});
    QVERIFY(w.exportNow());
    const QImage png(w.directory.filePath(QStringLiteral("gantt.png")));
    QCOMPARE(png.width(), 1500);
    QCOMPARE(png.dotsPerMeterX(), 5906); // 150 / 0.0254
}

// The preview is the figure: the same picture, smaller.
void tst_ExportPanel::previewShowsTheFigure() {
    Window w;
    w.play();
    w.open();
    for (const char* view : {"gantt", "loss", "cluster", "jobs"}) {
        QSignalSpy painted(&w.panel.preview(), &FigurePreview::painted);
        w.tick(QLatin1String(view), true);
        QVERIFY(painted.wait(test::patience));
        const QImage image = w.panel.preview().picture();
        QVERIFY2(!image.isNull(), view);
        int ink = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) ink += image.pixelColor(x, y).lightness() < 200;
        QVERIFY2(ink > 100, view);
    }
    QVERIFY(std::abs(w.panel.preview().width() * 75.0 / 160 - w.panel.preview().height()) < 20 ||
            w.panel.preview().height() > 80);
    auto* theme = w.find<QComboBox>("export-theme");
    QSignalSpy painted(&w.panel.preview(), &FigurePreview::painted);
    theme->setCurrentIndex(2);
    QVERIFY(painted.wait(test::patience));
    QVERIFY(w.panel.preview().picture().pixelColor(2, 2).lightness() < 60);
}

// The run compared with is in the figure as long as it has a tick, and no tick can be given where there is none.
void tst_ExportPanel::ghostHasATick() {
    Window w;
    w.play();
    w.open();
    auto* ghost = w.find<QCheckBox>("export-ghost");
    w.tick(QStringLiteral("loss"), true);
    QVERIFY(!ghost->isEnabled());
    QVERIFY2(ghost->toolTip().contains(QStringLiteral("no other run yet")), qPrintable(ghost->toolTip()));
    const RunId first = w.workspace.runs().current().id;
    w.workspace.document().setSeed(100);
    QTRY_VERIFY_WITH_TIMEOUT(w.workspace.runs().current().id != first && w.ended(), test::patience);
    QTRY_VERIFY(ghost->isEnabled() && ghost->isChecked());
    w.workspace.runs().compareWith(RunModel::Ghost::none);
    QTRY_VERIFY(!ghost->isEnabled());
    QVERIFY2(ghost->toolTip().contains(QStringLiteral("Compare With")), qPrintable(ghost->toolTip()));
    w.workspace.runs().compareWith(RunModel::Ghost::before);
    w.tick(QStringLiteral("gantt"), true);
    QVERIFY(!ghost->isEnabled());
    QVERIFY2(ghost->toolTip().contains(QStringLiteral("one run alone")), qPrintable(ghost->toolTip()));
    w.tick(QStringLiteral("loss"), true);
    QTRY_VERIFY(ghost->isEnabled());
    const auto figure = [&] {
        if (!w.exportNow()) return QByteArray();
        QFile file(w.directory.filePath(QStringLiteral("loss.svg")));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QVERIFY(figure().contains(", previous run<")); // in the legend
    QSignalSpy painted(&w.panel.preview(), &FigurePreview::painted);
    QTest::mouseClick(ghost, Qt::LeftButton, {}, {8, 8});
    QVERIFY(painted.wait(test::patience));
    const QByteArray alone = figure();
    QVERIFY(alone.contains(">Loss") && !alone.contains(", previous run<"));
}

void tst_ExportPanel::settingsAreKept() {
    {
        Window w;
        w.open();
        w.tick(QStringLiteral("events"), true);
        w.tick(QStringLiteral("loss"), false);
        w.find<QSpinBox>("export-dpi")->setValue(600);
        w.find<QComboBox>("export-theme")->setCurrentIndex(1);
        QTest::mouseClick(w.find<QCheckBox>("export-pdf"), Qt::LeftButton, {}, {8, 8});
    }
    Window w;
    w.open();
    QCOMPARE(w.find<QSpinBox>("export-dpi")->value(), 600);
    QCOMPARE(w.find<QComboBox>("export-theme")->currentIndex(), 1);
    QVERIFY(!w.find<QCheckBox>("export-pdf")->isChecked());
    QVERIFY(w.find<QCheckBox>("export-svg")->isChecked());
    QStringList ticked;
    for (int i = 0; i < w.panel.views().count(); ++i)
        if (const QListWidgetItem* item = w.panel.views().item(i); item->checkState() == Qt::Checked)
            ticked << item->data(Qt::UserRole).toString();
    QVERIFY2(ticked.contains(QStringLiteral("events")) && ticked.contains(QStringLiteral("gantt")) &&
                 !ticked.contains(QStringLiteral("loss")) && !ticked.contains(QStringLiteral("metrics")),
             qPrintable(ticked.join(u',')));
}

/// One for paper and one for slides, unless more are asked for.
void tst_ExportPanel::allViewsHaveTheChosenFormats() {
    QSettings().remove(QStringLiteral("export/formats"));
    Window w;
    w.play();
    w.window.exports().exportAllTo(w.directory.path());
    QTRY_VERIFY_WITH_TIMEOUT(!w.panel.controller().job().isRunning(), test::patience);
    const QStringList files = w.files();
    const auto count = [&](const char* ending) {
        return std::ranges::count_if(files, [&](const QString& file) { return file.endsWith(QLatin1String(ending)); });
    };
    QVERIFY2(count(".pdf") > 5 && count(".pdf") == count(".png") && count(".pdf") + count(".png") == files.size(),
             qPrintable(files.join(u' ')));
}

void tst_ExportPanel::everyFileDroppedIsTheRun() {
    Window w;
    w.play();
    const QString digest = QString::fromStdString(w.workspace.runs().current().log->digest());
    w.window.exports().exportAllTo(w.directory.path());
    QTRY_VERIFY_WITH_TIMEOUT(!w.panel.controller().job().isRunning(), test::patience);
    QVERIFY(w.window.messages().text().contains(QStringLiteral("files were written")));
    const QStringList files = w.files();
    QVERIFY2(files.size() >= 32, qPrintable(files.join(QLatin1Char(' '))));
    for (const QString& file : files) {
        w.workspace.document().undoStack().setClean(); // so that nothing asks
        QMimeData dropped;
        dropped.setUrls({QUrl::fromLocalFile(w.directory.filePath(file))});
        const RunId before = w.workspace.runs().current().id;
        w.workspace.document().replace(w.workspace.document().scenario(), {}, false);
        w.window.files().openDropped(&dropped);
        QVERIFY2(w.workspace.runs().current().id != before, qPrintable(file));
        w.workspace.playback().toEnd();
        QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
        QCOMPARE(QString::fromStdString(w.workspace.runs().current().log->digest()), digest);
        w.workspace.document().undoStack().setClean();
    }
}

void tst_ExportPanel::contextMenusCopyAndExport() {
    Window w;
    w.play();
    const auto menuOver = [&](QWidget* widget) -> QMenu* {
        const QPoint at = widget->rect().center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget->mapToGlobal(at));
        QCoreApplication::sendEvent(widget, &event);
        return qobject_cast<QMenu*>(QApplication::activePopupWidget());
    };
    const auto action = [](QMenu* menu, const char* name) {
        for (QAction* each : menu->actions())
            if (each->objectName() == QLatin1String(name)) return each;
        return static_cast<QAction*>(nullptr);
    };
    auto* timeline = w.window.findChild<LaneStack*>();
    QSignalSpy finished(&w.panel.controller().job(), &ExportJob::finished);
    QMenu* menu = menuOver(timeline->lanes()[2]);
    QVERIFY(menu && action(menu, "view.copy-picture"));
    QApplication::clipboard()->clear();
    action(menu, "view.copy-picture")->trigger();
    menu->close();
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, test::patience);
    const QMimeData* copied = QApplication::clipboard()->mimeData();
    QVERIFY(copied->hasImage());
    QVERIFY(copied->data(QStringLiteral("image/svg+xml")).contains("run={&quot;"));
    QImage png;
    QVERIFY(png.loadFromData(copied->data(QStringLiteral("image/png")), "PNG"));
    QVERIFY(png.text(QStringLiteral("Comment")).startsWith(QStringLiteral("trainyard scenario=")));
    QVERIFY(w.window.messages().text().contains(QStringLiteral("clipboard")));

    menu = menuOver(timeline->lanes()[2]);
    QVERIFY(menu);
    action(menu, "view.export")->trigger();
    menu->close();
    QTRY_VERIFY(w.panel.isVisible());
    QCOMPARE(w.panel.exportButton().text(), QStringLiteral("Export 4 Files"));
    QCOMPARE(w.panel.views().currentItem()->data(Qt::UserRole).toString(), QStringLiteral("loss"));

    w.window.panels().show(QStringLiteral("jobs"));
    auto* jobs = w.window.panels().find(QStringLiteral("jobs"))->widget();
    QTRY_VERIFY(jobs->isVisible());
    menu = menuOver(jobs);
    QVERIFY(menu && action(menu, "view.copy-csv"));
    menu->close();
}

void tst_ExportPanel::tablesAreCopied() {
    Window w;
    w.play();
    w.open();
    QSignalSpy finished(&w.panel.controller().job(), &ExportJob::finished);
    const auto copy = [&](const char* view, CopyAs as) {
        for (const ExportView& each : exportViews(w.panel.controller().lanes()))
            if (each.id == QLatin1String(view)) w.panel.controller().copy(each, as, w.panel.look());
        finished.count() > 0 || finished.wait(test::patience);
        finished.clear();
        return QApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    };
    QStringList lines = copy("jobs", CopyAs::csv);
    const auto withoutComments = [](QStringList text) {
        text.removeIf([](const QString& line) { return line.startsWith(u'#'); });
        return text;
    };
    QVERIFY(lines[0].startsWith(QStringLiteral("# trainyard scenario=")) &&
            lines.filter(QStringLiteral("#+ run={")).size() == 1 && lines.last().startsWith(QStringLiteral("#+")));
    QVERIFY(withoutComments(lines)[0].startsWith(QStringLiteral("at_s,job,name")));
    lines = copy("metrics", CopyAs::spreadsheet);
    QVERIFY(lines[0].startsWith(QStringLiteral("# trainyard scenario=")));
    lines = withoutComments(lines);
    QCOMPARE(lines[0], QStringLiteral("metric\tof\tat_cursor\tat_end\tunit\tmeaning"));
    QCOMPARE(lines[1].count(QLatin1Char('\t')), 5);
    QVERIFY(w.panel.said().contains(QStringLiteral("clipboard")));
}

void tst_ExportPanel::cancelIsInTheStatusBar() {
    Window w;
    w.play();
    w.open();
    auto* progress = w.window.findChild<ExportProgress*>();
    QVERIFY(!progress->isVisible());
    ExportJob& job = w.panel.controller().job();
    job.start(QStringLiteral("Exporting charts"), [](const ExportControl& control) {
        ExportResult result;
        while (control.progress(0.5)) QThread::msleep(2);
        result.cancelled = true;
        return result;
    });
    QTRY_VERIFY(progress->isVisible());
    QVERIFY2(progress->text().contains(QStringLiteral("Exporting charts: 50 %")), qPrintable(progress->text()));
    QVERIFY(progress->text().contains(QStringLiteral("left")));
    QCOMPARE(w.panel.exportButton().text(), QStringLiteral("Cancel"));
    QTest::mouseClick(&progress->cancel(), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(!job.isRunning(), test::patience);
    QVERIFY(!progress->isVisible());
    QVERIFY(w.panel.said().contains(QStringLiteral("Cancelled")));
}

/// At 1280 pixels everything is exported, with a long name of what is being written: the window stays as wide.
void tst_ExportPanel::exportLeavesTheWindowsSize() {
    Window w;
    w.play();
    w.open();
    const QSize before = w.window.size();
    QCOMPARE(before, QSize(1280, 800));
    ExportJob& job = w.panel.controller().job();
    auto* progress = w.window.findChild<ExportProgress*>();
    job.start(QStringLiteral("Exporting %1")
                  .arg(QString(20, u'w') + QString(20, u' ').replace(u' ', QStringLiteral(" every view"))),
              [](const ExportControl& control) {
                  while (control.progress(0.5)) QThread::msleep(2);
                  return ExportResult{};
              });
    QTRY_VERIFY(progress->isVisible());
    QApplication::processEvents();
    QCOMPARE(w.window.size(), before);
    QVERIFY(w.window.minimumSizeHint().width() <= before.width());
    const QRect cancel(progress->cancel().mapTo(&w.window, QPoint()), progress->cancel().size());
    QVERIFY(w.window.rect().contains(cancel));
    job.cancel();
    QTRY_VERIFY_WITH_TIMEOUT(!job.isRunning(), test::patience);
    w.window.exports().exportAllTo(w.directory.path());
    QTRY_VERIFY_WITH_TIMEOUT(!job.isRunning(), test::patience);
    const QStringList files = w.files();
    QVERIFY(files.size() > 10);
    QCOMPARE(w.window.size(), before);
    // What has nothing to show is left out: nobody planned slots or predicted losses.
    const auto isThere = [&](const char* view) { return !files.filter(QLatin1String(view)).isEmpty(); };
    QVERIFY(isThere("loss") && isThere("iteration"));
    for (const char* view : {"prices", "reservations", "predicted-loss"}) QVERIFY2(!isThere(view), view);
}

void tst_ExportPanel::problemsAreSaid() {
    Window w;
    w.play();
    w.open();
    QFile file(w.directory.filePath(QStringLiteral("file")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    w.write(w.find<QLineEdit>("export-folder"), file.fileName() + QStringLiteral("/in"));
    QVERIFY(w.exportNow());
    QVERIFY2(w.panel.said().contains(QStringLiteral("Nothing was exported")), qPrintable(w.panel.said()));
    QVERIFY(w.panel.said().contains(QStringLiteral("/file/in")));
}

void tst_ExportPanel::movieIsMade() {
    Window w;
    w.play();
    w.open();
    auto* tabs = w.panel.findChild<QTabWidget*>();
    tabs->setCurrentIndex(1);
    w.find<QSpinBox>("movie-width")->setValue(400);
    w.find<QSpinBox>("movie-height")->setValue(300);
    w.find<QSpinBox>("movie-fps")->setValue(1);
    w.find<QDoubleSpinBox>("movie-speed")->setValue(w.head() / 2.5);
    auto* video = w.find<QComboBox>("movie-video");
    if (!whyNoVideo().isEmpty()) {
        QVERIFY(!video->isEnabled());
        QVERIFY(video->toolTip().contains(QStringLiteral("ffmpeg")));
    }
    video->setCurrentIndex(0);
    w.find<QDoubleSpinBox>("movie-from")->setValue(w.head() * 2);
    QVERIFY(!w.panel.exportButton().isEnabled());
    QVERIFY(w.panel.exportButton().toolTip().contains(QStringLiteral("is only at")));
    w.find<QDoubleSpinBox>("movie-from")->setValue(0);
    QCOMPARE(w.panel.exportButton().text(), QStringLiteral("Export the Movie"));
    QVERIFY(w.exportNow());
    QCOMPARE(QDir(w.directory.filePath(QStringLiteral("frames"))).entryList(QDir::Files).size(),
             4); // 0, 1, 2, 2.5
    QVERIFY(w.window.files().open(w.directory.filePath(QStringLiteral("provenance.json"))));
    QVERIFY(!w.workspace.document().isModified()); // its file still has it: nothing is to be saved
}

// Each frame of the preview is nearest to the same frame of the movie.
void tst_ExportPanel::moviePreviewShowsItsFrames() {
    Window w;
    w.play();
    w.open();
    w.panel.findChild<QTabWidget*>()->setCurrentIndex(1);
    w.find<QSpinBox>("movie-width")->setValue(640);
    w.find<QSpinBox>("movie-height")->setValue(480);
    w.find<QSpinBox>("movie-fps")->setValue(1);
    w.find<QDoubleSpinBox>("movie-speed")->setValue(w.head() / 2 + 0.001); // two steps
    w.find<QComboBox>("movie-video")->setCurrentIndex(0);
    QVERIFY(w.exportNow());
    auto* slider = w.find<QSlider>("movie-frame");
    QCOMPARE(slider->maximum(), 2);
    QCOMPARE(slider->value(), 1); // in the middle at first
    MoviePreview& preview = w.panel.moviePreview();
    const auto difference = [](const QImage& a, const QImage& b) {
        qint64 sum = 0;
        for (int y = 0; y < a.height(); ++y)
            for (int x = 0; x < a.width(); ++x) sum += std::abs(qGray(a.pixel(x, y)) - qGray(b.pixel(x, y)));
        return sum;
    };
    const auto nearest = [&] {
        QImage shown = preview.picture();
        shown.setDevicePixelRatio(1);
        QList<qint64> differences;
        for (int i = 1; i <= 3 && !shown.isNull(); ++i) {
            const QImage written(w.directory.filePath(QStringLiteral("frames/frame-00000%1.png").arg(i)));
            differences << difference(shown,
                                      written.scaled(shown.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
        }
        return static_cast<int>(std::min_element(differences.begin(), differences.end()) - differences.begin());
    };
    slider->setFocus();
    for (const auto& [key, frame] :
         {std::pair(Qt::Key_Home, 0), {Qt::Key_Right, 1}, {Qt::Key_End, 2}, {Qt::Key_Left, 1}}) {
        QTest::keyClick(slider, key);
        QCOMPARE(slider->value(), frame);
        QVERIFY(preview.caption().startsWith(QStringLiteral("Frame %1 of 3, at ").arg(frame + 1)));
        QTRY_COMPARE_WITH_TIMEOUT(nearest(), frame, test::patience);
    }
}

TRAINYARD_TEST(tst_ExportPanel)
#include "tst_ExportPanel.moc"
