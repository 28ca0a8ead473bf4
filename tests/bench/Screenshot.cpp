// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "bench/BenchOptions.h"

#include "canvas/CanvasView.h"
#include "canvas/PortDrag.h"
#include "compare/ClaimsTab.h"
#include "compare/ComparePage.h"
#include "compare/ComparisonForm.h"
#include "compare/ParameterTab.h"
#include "compare/PoliciesTab.h"
#include "compare/TwoRunsTab.h"
#include "shell/MainWindow.h"
#include "shell/Places.h"
#include "training/TrainingForm.h"
#include "training/TrainingPage.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QLineF>
#include <QMouseEvent>
#include <QPixmap>
#include <QPushButton>
#include <QTemporaryDir>

#include <algorithm>

namespace trainyard {

namespace {

/// "synchronization=fastest-k,k=2": as a person would choose it, so that the run before becomes the ghost; waits for
/// the new run. False: there is no such family.
bool choosePolicy(Workspace& workspace, const QString& change) {
    const QStringList parts = change.split(QLatin1Char(','));
    const QString family = parts.front().section(QLatin1Char('='), 0, 0);
    Choice choice{parts.front().section(QLatin1Char('='), 1).toStdString(), {}};
    for (const QString& part : parts.mid(1)) {
        const QString value = part.section(QLatin1Char('='), 1);
        bool whole = false;
        const qlonglong number = value.toLongLong(&whole);
        choice.parameters.emplace(part.section(QLatin1Char('='), 0, 0).toStdString(),
                                  whole ? ParamValue(std::int64_t{number}) : ParamValue(value.toDouble()));
    }
    for (const auto each : {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters,
                            PolicyFamily::partitioner}) {
        if (std::string_view(familyName(each)) != family.toStdString()) continue;
        const RunId before = workspace.runs().current().id;
        workspace.document().choosePolicy(each, choice);
        while (workspace.runs().current().id == before || workspace.runs().current().running)
            QApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
        return true;
    }
    return false;
}

void moveMouse(QWidget* on, QPointF to, QEvent::Type type, Qt::MouseButton button, Qt::MouseButtons held) {
    QMouseEvent event(type, to, on->mapToGlobal(to), button, held, {});
    QApplication::sendEvent(on, &event);
}

/// "FROM=TO": as a person would drag it, from the port that is nearest onto the other, and still holds it. False:
/// there is no such machine or switch.
bool drawLink(CanvasView& canvas, const QString& link) {
    const auto find = [&](const QString& key) -> ClusterLayout::Hit {
        const ClusterLayout& layout = canvas.content().layout;
        for (const auto kind : {ClusterLayout::Kind::machine, ClusterLayout::Kind::switchNode}) {
            const auto& rects = kind == ClusterLayout::Kind::machine ? layout.machines : layout.switches;
            for (std::size_t i = 0; i < rects.size(); ++i)
                if (canvas.content().keyOf({kind, i}) == key.toStdString()) return {kind, i};
        }
        return {};
    };
    const auto from = find(link.section(QLatin1Char('='), 0, 0)), to = find(link.section(QLatin1Char('='), 1));
    if (from.kind == ClusterLayout::Kind::nothing || to.kind == ClusterLayout::Kind::nothing) return false;
    const QPointF end = canvas.rectOf(to).center();
    const auto ports = PortDrag::portsOf(canvas.rectOf(from), canvas.zoom());
    const QPointF start = *std::min_element(ports.begin(), ports.end(), [&](QPointF a, QPointF b) {
        return QLineF(a, end).length() < QLineF(b, end).length();
    });
    const auto at = [&](double share) { return QPointF(canvas.mapFromScene(start + share * (end - start))); };
    moveMouse(canvas.viewport(), at(0), QEvent::MouseMove, Qt::NoButton, Qt::NoButton);
    moveMouse(canvas.viewport(), at(0), QEvent::MouseButtonPress, Qt::LeftButton, Qt::LeftButton);
    for (const double share : {0.3, 0.6, 1.0})
        moveMouse(canvas.viewport(), at(share), QEvent::MouseMove, Qt::NoButton, Qt::LeftButton);
    return true;
}

/// A response of the number with this pointer, or a map of two.
bool sweepOver(MainWindow& window, const QStringList& pointers) {
    ParameterTab& tab = window.compare().parameter();
    window.compare().go("parameter");
    if (!tab.choose(pointers.value(0).toStdString(), pointers.value(1).toStdString())) return false;
    tab.run();
    while (tab.sweep().isRunning()) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
    return true;
}

/// Adds the arms, runs them and waits for their end. False: one is unknown.
bool compareAll(MainWindow& window, const BenchOptions& options) {
    PoliciesTab& tab = window.compare().policies();
    tab.form().setArms({});
    for (const QString& arm : options.compare)
        if (!tab.form().addArm(arm.toStdString())) return false;
    tab.form().setKind(static_cast<ComparisonChartKind>(options.chart));
    tab.run();
    while (tab.comparison().isRunning()) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
    return true;
}

/// The run and the one before it, where they first differ.
bool showBeside(MainWindow& window) {
    window.places().go("compare");
    window.compare().go("runs");
    TwoRunsTab& tab = window.compare().runs();
    if (!tab.whyNoPrevious().isEmpty()) return false;
    tab.showPrevious();
    const auto found = [&] { return tab.pair().difference() >= RunPair::Difference::same; };
    while (!found()) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
    tab.pair().goToDifference();
    return true;
}

/// "stragglers" or "stragglers/c1": measured, quickly.
bool measureClaims(MainWindow& window, const QString& study) {
    window.places().go("compare");
    window.compare().go("claims");
    ClaimsTab& tab = window.compare().claims();
    if (!tab.choose(study.section(QLatin1Char('/'), 0, 0).toStdString(),
                    study.section(QLatin1Char('/'), 1).toStdString()))
        return false;
    tab.setQuick(true);
    tab.run();
    while (tab.study().isRunning()) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
    return true;
}

/// The first configuration is trained for so many iterations, and goes on while the picture is taken.
void trainFor(MainWindow& window, std::size_t iterations, const QString& directory) {
    TrainingPage& page = window.training();
    window.places().go("training");
    page.form().setDirectory(directory);
    while (!page.form().request()) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    page.findChild<QPushButton*>(QStringLiteral("training-go"))->click();
    BackgroundTraining& training = page.training();
    while (training.isRunning() && training.done() < iterations)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
}

/// A job of the run, or parts of the cluster.
void select(Workspace& workspace, const QStringList& keys) {
    if (const auto& workload = workspace.runs().current().workload)
        for (std::size_t j = 0; j < workload->jobs.size(); ++j)
            if (workload->jobs[j].key == keys.front().toStdString()) return workspace.selection().selectJob(JobId(j));
    workspace.selection().selectEntities(keys);
}

} // namespace

int takeScreenshot(MainWindow& window, Workspace& workspace, const BenchOptions& options) {
    constexpr int longestWaitMilliseconds = 60'000;
    const QTemporaryDir training;
    constexpr double showSeconds = 3; // of real time, to get to the instant
    if (options.atSeconds > 0) workspace.playback().setSpeed(std::max(1.0, options.atSeconds / showSeconds));
    QElapsedTimer waited;
    waited.start();
    const auto reached = [&] {
        const auto frame = workspace.runs().latestFrame();
        if (!frame) return false;
        const bool ended = frame->status == RunStatus::finished || frame->status == RunStatus::failed;
        return ended ||
               (options.atSeconds >= 0 ? frame->now.toSeconds() >= options.atSeconds : waited.elapsed() > 3000);
    };
    while (workspace.runs().current().id != 0 && !reached() && waited.elapsed() < longestWaitMilliseconds)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
    if (!options.change.isEmpty() && !choosePolicy(workspace, options.change)) return 2;
    if (!options.select.isEmpty()) select(workspace, options.select);
    if (!options.link.isEmpty()) {
        workspace.playback().pause();
        QApplication::processEvents();
        if (!drawLink(window.canvas(), options.link)) return 2;
    }
    if (options.place == QLatin1String("two-runs")) {
        if (!showBeside(window)) return 2;
    } else if (options.place.startsWith(QLatin1String("training/"))) {
        trainFor(window, options.place.section(QLatin1Char('/'), 1).toUInt(),
                 training.filePath(QStringLiteral("agent")));
    } else if (options.place.startsWith(QLatin1String("claims/"))) {
        if (!measureClaims(window, options.place.section(QLatin1Char('/'), 1))) return 2;
    } else if (!options.place.isEmpty())
        window.places().go(options.place.toLatin1().constData());
    if (!options.compare.isEmpty() && !compareAll(window, options)) return 2;
    if (!options.sweep.isEmpty() && !sweepOver(window, options.sweep)) return 2;
    if (!options.page.isEmpty()) {
        ComparePage& compare = window.compare();
        const Problems problems = options.compare.isEmpty() ? compare.claims().writePage(options.page)
                                                            : compare.policies().writePage(options.page);
        if (!problems.empty()) return 1;
    }
    constexpr int settleMilliseconds = 500; // what is drawn when there is nothing else to do
    for (waited.restart(); waited.elapsed() < settleMilliseconds;)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    return window.grab().save(options.screenshot) ? 0 : 1;
}

} // namespace trainyard
