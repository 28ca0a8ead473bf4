// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "bench/BenchFigures.h"
#include "bench/BenchOptions.h"
#include "bench/BenchScenario.h"

#include "canvas/CanvasView.h"
#include "charts/PictureView.h"
#include "charts/ViewPanel.h"
#include "compare/ComparePage.h"
#include "compare/ComparisonForm.h"
#include "compare/PoliciesTab.h"
#include "compare/TwoRunsTab.h"
#include "lanes/Lane.h"
#include "lanes/LaneStack.h"
#include "scenario/ScenarioFile.h"
#include "session/ShownIndex.h"
#include "shell/FileActions.h"
#include "shell/MainWindow.h"
#include "shell/Panels.h"
#include "shell/Places.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTextStream>
#include <QWheelEvent>

#include <algorithm>
#include <numbers>

namespace trainyard {

namespace {

constexpr std::size_t wantedPoints = 1'000'000;
constexpr int measuredFrames = 300, framesBefore = 60, scrubs = 100, openings = 5, sliderSteps = 20;
constexpr double measuredSpeed = 5; // simulated seconds per second: 16,000 iterations a second
constexpr QSize smallWindow{1280, 800}, largeWindow{1920, 1080};

class WindowBench {
public:
    WindowBench(MainWindow& window, Workspace& workspace, int jobs)
        : m_window(window), m_workspace(workspace), m_canvas(window.canvas()), m_lanes(*window.findChild<LaneStack*>()),
          m_jobs(jobs) {}

    bool measure(BenchFigures& figures);
    bool measureGhost(BenchFigures& figures);
    bool measureComparison(BenchFigures& figures);

private:
    bool warmUp();
    bool live() const;
    std::size_t points() const;
    void resize(QSize size);
    void measureLive(const QString& name, BenchFigures& figures);
    BenchWork drag();
    BenchWork zoom();
    BenchWork panPlots();
    void measureScrubs(BenchFigures& figures);
    void measureViews(BenchFigures& figures);
    void measureViewsLive(BenchFigures& figures);
    void measureMap(BenchFigures& figures);
    bool measureOpening(BenchFigures& figures);
    bool measureSlider(BenchFigures& figures);
    void mouse(QEvent::Type type, QPoint at, Qt::MouseButton button, Qt::MouseButtons buttons);

    MainWindow& m_window;
    Workspace& m_workspace;
    CanvasView& m_canvas;
    LaneStack& m_lanes;
    const int m_jobs;
    double m_atMillion = 0; ///< resident bytes when the run had logged its first million events
};

std::size_t WindowBench::points() const {
    std::size_t points = 0;
    if (const ShownIndex* run = m_lanes.lanes().front()->input().run)
        for (const JobHistory& job : run->jobs()) points += job.losses.size();
    return points;
}

bool WindowBench::live() const {
    const auto frame = m_workspace.runs().latestFrame();
    return frame && frame->status == RunStatus::running && frame->state;
}

/// Computes as fast as possible until the curves have their points and the window has caught up with the run;
/// false if the run ends before.
bool WindowBench::warmUp() {
    m_workspace.playback().setSpeed(Playback::unlimited);
    m_workspace.restart();
    do {
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
        if (m_workspace.runs().current().id == 0 || !m_workspace.runs().current().running) return false;
        const auto& log = m_workspace.runs().current().log; // null until the first frame
        if (m_atMillion == 0 && log && log->size() >= 1'000'000) m_atMillion = benchMemory().now;
        if (points() >= wantedPoints && m_workspace.playback().speed() == Playback::unlimited)
            m_workspace.playback().setSpeed(measuredSpeed);
    } while (points() < wantedPoints || m_lanes.lanes().front()->input().run->behind());
    return true;
}

void WindowBench::resize(QSize size) {
    m_window.resize(size);
    m_canvas.fit();
    benchFrames(framesBefore);
}

void WindowBench::measureLive(const QString& name, BenchFigures& figures) {
    int shown = 0;
    const auto counting = QObject::connect(&m_workspace.runs(), &RunModel::frame, [&shown] { ++shown; });
    const auto logBefore = m_workspace.runs().current().log->size();
    QElapsedTimer clock;
    clock.start();
    const BenchWork work = benchFrames(measuredFrames);
    const double seconds = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
    QObject::disconnect(counting);
    figures.addFrames(name + QStringLiteral("_frame_work"), work);
    figures.add(name + QStringLiteral("_canvas_paint_ms"), m_canvas.medianPaintTime(), "ms");
    figures.add(name + QStringLiteral("_frames_per_s"), shown / seconds, "1/s");
    figures.add(name + QStringLiteral("_events_per_s"),
                static_cast<double>(m_workspace.runs().current().log->size() - logBefore) / seconds, "1/s");
}

void WindowBench::mouse(QEvent::Type type, QPoint at, Qt::MouseButton button, Qt::MouseButtons buttons) {
    QMouseEvent event(type, at, m_canvas.viewport()->mapToGlobal(at), button, buttons, {});
    QApplication::sendEvent(m_canvas.viewport(), &event);
}

/// A machine in the middle, around a circle, and back to where it was.
BenchWork WindowBench::drag() {
    m_canvas.fit();
    const QPoint home = m_canvas.screenPositionOf(QStringLiteral("r25-m10"));
    const double radius = m_canvas.viewport()->height() / 4.0;
    mouse(QEvent::MouseButtonPress, home, Qt::LeftButton, Qt::LeftButton);
    const BenchWork work = benchFrames(measuredFrames, [&](int frame) {
        const double turn = 2 * std::numbers::pi * (frame + 1) / measuredFrames;
        const QPointF away(radius * (std::cos(turn) - 1), radius * std::sin(turn));
        mouse(QEvent::MouseMove, home + away.toPoint(), Qt::NoButton, Qt::LeftButton);
    });
    mouse(QEvent::MouseButtonRelease, home, Qt::LeftButton, Qt::NoButton);
    return work;
}

/// In and out again by the wheel, through every level of detail.
BenchWork WindowBench::zoom() {
    m_canvas.fit();
    constexpr int oneWay = 20;
    const QPointF middle = m_canvas.viewport()->rect().center();
    return benchFrames(measuredFrames, [&](int frame) {
        const int turn = frame / oneWay % 2 == 0 ? 120 : -120;
        QWheelEvent event(middle, m_canvas.viewport()->mapToGlobal(middle), {}, {0, turn}, Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_canvas.viewport(), &event);
    });
}

/// The lanes by the wheel, sideways, at a fifth of the run.
BenchWork WindowBench::panPlots() {
    TimeAxis& axis = m_workspace.axis();
    const double end = axis.visibleTo();
    axis.setVisible(0, end / 5);
    benchFrames(framesBefore);
    Lane& lane = *m_lanes.lanes().front();
    const QPointF middle = lane.rect().center();
    const BenchWork work = benchFrames(measuredFrames, [&](int frame) {
        const int turn = frame < measuredFrames / 2 ? -15 : 15;
        QWheelEvent event(middle, lane.mapToGlobal(middle), {}, {turn, 0}, Qt::NoButton, {}, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&lane, &event);
    });
    axis.setFitting(true);
    return work;
}

/// From the moment the cursor is put anywhere in the run until everything shows that instant.
void WindowBench::measureScrubs(BenchFigures& figures) {
    const double end = m_workspace.runs().latestFrame()->now.toSeconds();
    std::vector<double> answers;
    for (int i = 0; i < scrubs; ++i) {
        const double share = std::fmod(0.5 + i * std::numbers::phi, 1.0); // evenly spread, never near the last
        answers.push_back(benchAnswer([&] { m_workspace.axis().setCursor(SimTime::seconds(share * end)); }));
    }
    m_workspace.axis().setCursor({});
    figures.add(QStringLiteral("window_scrub_ms"), benchQuantile(answers, 0.5), "ms");
    figures.add(QStringLiteral("window_scrub_p99_ms"), benchQuantile(answers, 0.99), "ms");
    figures.add(QStringLiteral("window_scrub_events"), static_cast<double>(m_workspace.runs().current().log->size()),
                "1");
}

/// From choosing a view again until it is painted, and until what takes longer is there as well; the slowest of all.
void WindowBench::measureViews(BenchFigures& figures) {
    m_window.panels().show(QStringLiteral("views"));
    auto& panel = *m_window.findChild<ViewPanel*>();
    benchFrames(framesBefore);
    double first = 0, whole = 0;
    for (const View& view : views()) {
        const double answer = benchAnswer([&] { panel.choose(QString::fromStdString(view.id)); });
        QElapsedTimer clock;
        clock.start();
        while (panel.isComputing()) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
        const double rest = static_cast<double>(clock.nsecsElapsed()) * 1e-6;
        qInfo("%s: painted after %.0f ms, whole after %.0f", view.id.c_str(), answer, answer + rest);
        first = std::max(first, answer);
        whole = std::max(whole, rest);
    }
    figures.add(QStringLiteral("window_view_ms"), first, "ms");
    figures.add(QStringLiteral("window_view_whole_ms"), first + whole, "ms");
    m_window.panels().show(QStringLiteral("lanes"));
}

/// From choosing a view for the first time, while the run goes on, until it is painted; and the work of a frame while it follows
/// the run; of the view that takes longest.
void WindowBench::measureViewsLive(BenchFigures& figures) {
    m_window.panels().show(QStringLiteral("views"));
    auto& panel = *m_window.findChild<ViewPanel*>();
    constexpr int framesOfAView = 25;
    BenchWork worst;
    double first = 0;
    for (const View& view : views()) {
        const double answer = benchAnswer([&] { panel.choose(QString::fromStdString(view.id)); });
        first = std::max(first, answer);
        benchFrames(5);
        BenchWork work = benchFrames(framesOfAView);
        qInfo("%s: painted after %.0f ms, then %.1f ms of CPU a frame", view.id.c_str(), answer,
              benchQuantile(work.cpu, 0.5));
        if (benchQuantile(work.cpu, 0.5) > benchQuantile(worst.cpu, 0.5)) worst = std::move(work);
    }
    figures.add(QStringLiteral("window_view_first_ms"), first, "ms");
    figures.addFrames(QStringLiteral("window_view_live"), worst);
    m_window.panels().show(QStringLiteral("lanes"));
}

/// A map of 10,000 by 200 cells, moved under the pointer.
void WindowBench::measureMap(BenchFigures& figures) {
    constexpr std::size_t columns = 10'000, rows = 200;
    Chart chart;
    Series series{.kind = Series::Kind::cells, .key = "cells"};
    series.cells = {.columns = columns, .rows = rows, .values = std::vector<double>(columns * rows)};
    for (std::size_t i = 0; i < series.cells.values.size(); ++i)
        series.cells.values[i] = std::fmod(static_cast<double>(i) * std::numbers::phi, 1.0);
    series.cells.x1 = columns;
    series.cells.y1 = rows;
    chart.plot().series = {std::move(series)};
    PictureView view;
    view.resize(largeWindow.width(), 400);
    view.setPicture(std::make_shared<const Picture>(std::move(chart)));
    view.show();
    benchFrames(framesBefore);
    const QPointF middle = QRectF(view.rect()).center();
    const auto wheel = [&](QPoint angle) {
        QWheelEvent event(middle, view.mapToGlobal(middle), {}, angle, Qt::NoButton, {}, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&view, &event);
    };
    for (int i = 0; i < 4; ++i) wheel({0, 120});
    benchFrames(framesBefore);
    figures.addFrames(QStringLiteral("window_map_pan"), benchFrames(measuredFrames, [&](int frame) {
                          wheel({frame < measuredFrames / 2 ? -15 : 15, 0});
                      }));
}

/// A run until its curves have their points, and the same workload under another scheduler as far, with the first as its
/// ghost.
bool WindowBench::measureGhost(BenchFigures& figures) {
    m_workspace.document().replace(benchScenario(m_jobs), {}, false);
    if (!warmUp()) return false;
    const RunId before = m_workspace.runs().current().id;
    m_workspace.runs().session()->stop();
    m_workspace.runs().session()->wait();
    const std::size_t events = m_workspace.runs().current().log->size();
    figures.add(QStringLiteral("window_memory_without_ghost_bytes"), benchMemory().now, "B");
    m_workspace.playback().setSpeed(Playback::unlimited);
    m_workspace.document().choosePolicy(PolicyFamily::scheduler, {"srtf", {}});
    const auto& run = m_workspace.runs().current();
    while (run.id == before || !run.log || run.log->size() < events) {
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
        if (run.id != before && !run.running) return false;
    }
    m_workspace.runs().session()->stop();
    m_workspace.runs().session()->wait();
    while (!m_lanes.lanes().front()->input().run || m_lanes.lanes().front()->input().run->behind())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    benchFrames(framesBefore);
    figures.add(QStringLiteral("window_events_with_ghost"), static_cast<double>(events + run.log->size()), "1");
    figures.add(QStringLiteral("window_memory_with_ghost_bytes"), benchMemory().now, "B");
    return m_workspace.runs().ghost();
}

/// A file with the same cluster and workload, from reading it until it is painted; its run has begun.
bool WindowBench::measureOpening(BenchFigures& figures) {
    QTemporaryDir directory;
    QFile file(directory.filePath(QStringLiteral("bench.json")));
    const std::string text = writeScenario(benchScenario(m_jobs));
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) < 0) return false;
    file.close();
    std::vector<double> answers;
    for (int i = 0; i < openings; ++i) {
        m_workspace.create({});
        benchFrames(framesBefore);
        bool opened = false;
        answers.push_back(benchAnswer([&] { opened = m_window.files().open(file.fileName()); }));
        if (!opened) return false;
    }
    figures.add(QStringLiteral("window_open_ms"), benchQuantile(answers, 0.5), "ms");
    figures.add(QStringLiteral("window_open_max_ms"), benchQuantile(answers, 1), "ms");
    return true;
}

/// From a step of k, as the slider makes it, until a state of the run that begins anew is painted: *One slow worker*.
bool WindowBench::measureSlider(BenchFigures& figures) {
    const auto file = m_workspace.resources().root.parent_path() / "scenarios/start/one-slow-worker.json";
    if (!m_window.files().open(QString::fromStdString(file.string()))) return false;
    benchFrames(framesBefore);
    std::vector<double> answers;
    for (int i = 0; i < sliderSteps; ++i) {
        const RunId before = m_workspace.runs().current().id;
        const auto isShown = [&] {
            const auto frame = m_workspace.runs().latestFrame();
            return m_workspace.runs().current().id != before && frame && frame->state;
        };
        QElapsedTimer clock;
        clock.start();
        m_workspace.document().choosePolicy(PolicyFamily::synchronization,
                                            Choice{"fastest-k", {{"k", std::int64_t{1 + i % 4}}}});
        while (!isShown()) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 1);
        benchAnswer([] {}); // until it is painted
        answers.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
        benchFrames(framesBefore);
    }
    figures.add(QStringLiteral("window_slider_ms"), benchQuantile(answers, 0.5), "ms");
    figures.add(QStringLiteral("window_slider_p90_ms"), benchQuantile(answers, 0.9), "ms");
    return true;
}

/// Frames of the place Compare while eight policies run over many seeds on all cores but one, and of two runs played side by
/// side.
bool WindowBench::measureComparison(BenchFigures& figures) {
    QTemporaryDir directory;
    const QString file = directory.filePath(QStringLiteral("scenario.json"));
    if (!QFile::copy(QString::fromStdString(
                         (m_workspace.resources().root.parent_path() / "scenarios/start/two-racks.json").string()),
                     file) ||
        !m_window.files().open(file))
        return false;
    m_workspace.playback().toEnd();
    while (m_workspace.runs().current().running || !m_workspace.runs().current().log)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    m_window.places().go("compare");
    PoliciesTab& tab = m_window.compare().policies();
    tab.form().setArms({});
    for (const char* arm :
         {"full-sync", "fastest-k", "backup-workers", "ssp", "async", "k-async", "k-batch-sync", "local-sgd"})
        if (!tab.form().addArm(std::string("synchronization=") + arm)) return false;
    m_window.findChild<QLineEdit*>(QStringLiteral("seeds"))->setText(QStringLiteral("1-240"));
    tab.run();
    benchFrames(framesBefore);
    const std::size_t before = tab.comparison().done();
    QElapsedTimer clock;
    clock.start();
    figures.addFrames(QStringLiteral("window_comparison_frame_work"), benchFrames(measuredFrames));
    figures.add(QStringLiteral("window_comparison_runs_per_s"),
                static_cast<double>(tab.comparison().done() - before) /
                    (static_cast<double>(clock.nsecsElapsed()) * 1e-9),
                "1/s");
    if (!tab.comparison().isRunning()) return false;
    tab.cancel();
    while (tab.comparison().isRunning()) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);

    m_workspace.document().choosePolicy(PolicyFamily::scheduler, Choice{"drf", {}});
    const RunId first = m_workspace.runs().current().id;
    while (m_workspace.runs().current().id == first || m_workspace.runs().current().running)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    m_window.compare().go("runs");
    TwoRunsTab& runs = m_window.compare().runs();
    runs.showPrevious();
    while (!runs.pair().isShown()) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    runs.pair().playback().toStart();
    benchFrames(framesBefore);
    runs.pair().playback().play();
    figures.addFrames(QStringLiteral("window_two_runs_frame_work"), benchFrames(measuredFrames));
    return runs.pair().playback().isPlaying();
}

bool WindowBench::measure(BenchFigures& figures) {
    m_workspace.document().replace(benchScenario(m_jobs), {}, false);
    m_window.resize(smallWindow);
    m_canvas.fit();
    if (!warmUp()) return false;
    benchFrames(framesBefore);
    measureLive(QStringLiteral("window"), figures);
    resize(largeWindow);
    measureLive(QStringLiteral("window_large"), figures);
    figures.addFrames(QStringLiteral("window_large_drag_live"), drag());
    figures.addFrames(QStringLiteral("window_large_zoom_live"), zoom());
    measureViewsLive(figures);
    const bool stillOn = live();
    const auto frame = m_workspace.runs().latestFrame();
    const auto running = stillOn ? std::count_if(frame->state->jobs().begin(), frame->state->jobs().end(),
                                                 [](const JobState& job) { return job.phase == JobPhase::running; })
                                 : 0;
    figures.add(QStringLiteral("window_loss_points"), static_cast<double>(points()), "1");
    figures.add(QStringLiteral("window_jobs_running"), static_cast<double>(running), "1");
    figures.add(QStringLiteral("window_still_running"), stillOn ? 1 : 0, "1");
    if (!stillOn) return false;

    m_workspace.runs().session()->stop();
    m_workspace.runs().session()->wait();
    m_canvas.fit();
    benchFrames(framesBefore);
    figures.addFrames(QStringLiteral("window_large_drag"), drag());
    figures.addFrames(QStringLiteral("window_large_zoom"), zoom());
    figures.addFrames(QStringLiteral("window_large_pan_plots"), panPlots());
    benchFrames(framesBefore);
    measureScrubs(figures);
    measureViews(figures);
    measureMap(figures);
    const BenchMemory withRun = benchMemory();
    figures.add(QStringLiteral("window_memory_1m_events_bytes"), m_atMillion, "B");
    figures.add(QStringLiteral("window_memory_bytes"), withRun.now, "B");
    figures.add(QStringLiteral("window_memory_peak_bytes"), withRun.peak, "B");
    if (!measureOpening(figures) || !measureSlider(figures)) return false;
    if (m_workspace.runs().session()) m_workspace.runs().session()->stop();
    return true;
}

} // namespace

int runBench(MainWindow& window, Workspace& workspace, const BenchOptions& options, double secondsToFirstPaint) {
    BenchFigures figures;
    figures.add(QStringLiteral("window_start_s"), secondsToFirstPaint, "s");
    WindowBench bench(window, workspace, options.jobs);
    const bool done = options.memory       ? bench.measureGhost(figures)
                      : options.comparison ? bench.measureComparison(figures)
                      : options.training   ? measureTraining(window, figures)
                                           : bench.measure(figures);
    figures.print(options.json);
    if (!done) QTextStream(stderr) << QApplication::translate("main", "The run to be measured ended too early") << '\n';
    return done ? 0 : 1;
}

} // namespace trainyard
