#include "Start.h"

#include "canvas/CanvasView.h"
#include "plots/Lane.h"
#include "plots/LaneStack.h"
#include "plots/RunFold.h"
#include "shell/FrameGauge.h"
#include "shell/MainWindow.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTextStream>
#include <QThread>

#include <algorithm>
#include <vector>

namespace trainyard {

namespace {

constexpr std::size_t wantedPoints = 1'000'000;
constexpr int measuredFrames = 300, framesBefore = 60;
constexpr double measuredSpeed = 5; // simulated seconds per second: 16,000 iterations a second

/// 50 racks of 20 machines under two layers of switches, 5,000 links.
Cluster benchCluster() {
    Cluster cluster;
    cluster.resourceNames = {"cpu", "gpu"};
    constexpr int racks = 50, perRack = 20, spines = 4;
    for (int r = 0; r < racks; ++r) {
        const std::string rack = "r" + std::to_string(r), top = "tor" + std::to_string(r);
        cluster.racks.push_back({.key = rack});
        cluster.switches.push_back({.key = top, .rack = rack});
        for (int m = 0; m < perRack; ++m) {
            const std::string key = rack + "-m" + std::to_string(m);
            cluster.machines.push_back({.key = key, .capacity = ResourceVector::of({16, 4}), .rack = rack});
            cluster.links.push_back({.key = key + "--" + top, .from = key, .to = top});
        }
    }
    for (int i = 0; i < spines; ++i) {
        const std::string spine = "spine" + std::to_string(i);
        cluster.switches.push_back({.key = spine});
        for (int r = 0; r < racks; ++r)
            for (int lane = 0; lane < 20; ++lane) {
                const std::string top = "tor" + std::to_string(r);
                cluster.links.push_back(
                    {.key = top + "--" + spine + "-" + std::to_string(lane), .from = top, .to = spine});
            }
    }
    return cluster;
}

/// 1,000 jobs that all run from the beginning, past the end of the measurement, and evaluate their loss after
/// every update: 900 on a machine each, 100 of four workers and a server that use the network.
Scenario benchScenario() {
    Scenario s;
    s.title = "Bench";
    s.explanations = WhyLevel::off;
    s.cluster = benchCluster();
    for (int j = 0; j < 1000; ++j) {
        const bool wide = j % 10 == 9;
        Job job;
        job.key = "job-" + std::to_string(j + 1);
        job.workerDemand = wide ? ResourceVector::of({2, 1}) : ResourceVector::of({16, 4});
        job.serverDemand = ResourceVector::of({2, 0});
        job.workers = wide ? Bounds{4, 4} : Bounds{1, 1};
        job.servers = wide ? Bounds{1, 1} : Bounds{0, 0};
        job.stop.iterations = 100'000;
        AnalyticWork work{.parameterBytes = 1e5, .batch = 32, .secondsPerSample = wide ? 0.04 : 0.01};
        work.secondsPerSample *= 1 + 0.3 * (j % 17) / 17;
        work.curve = {.a = 1 + j % 13 * 0.2, .b = 0.01 + j % 7 * 0.01, .c = j % 100 * 0.01, .p = 0.7};
        job.work = work;
        s.jobs.push_back(job);
    }
    return s;
}

double benchQuantile(std::vector<double> values, double p) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

std::size_t benchPoints(const LaneStack& lanes) {
    std::size_t points = 0;
    if (const RunFold* run = lanes.lanes().front()->input().run)
        for (const JobLane& job : run->jobs()) points += job.losses.size();
    return points;
}

/// Computes as fast as possible until the curves have their points and the window has caught up with the run;
/// false if the run ends before.
bool benchWarmUp(Workspace& workspace, const LaneStack& lanes) {
    workspace.playback().setSpeed(Playback::unlimited);
    workspace.restart();
    do {
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
        if (workspace.runs().current().id == 0 || !workspace.runs().current().running) return false;
        if (benchPoints(lanes) >= wantedPoints && workspace.playback().speed() == Playback::unlimited)
            workspace.playback().setSpeed(measuredSpeed);
    } while (benchPoints(lanes) < wantedPoints || lanes.lanes().front()->input().run->behind());
    return true;
}

/// Work per frame: all that the event loop does in one refresh of 16 ms, waiting excluded. In milliseconds;
/// `cpu` leaves out the time during which other programs had the processor.
struct BenchWork {
    std::vector<double> wall, cpu;
};

BenchWork benchFrames(int frames) {
    BenchWork work;
    QElapsedTimer refresh, busy;
    for (int i = 0; i < frames; ++i) {
        refresh.start();
        double spent = 0, computed = 0;
        do {
            const double before = threadWork();
            busy.start();
            QApplication::processEvents();
            spent += static_cast<double>(busy.nsecsElapsed()) * 1e-6;
            computed += threadWork() - before;
            QThread::usleep(500);
        } while (refresh.elapsed() < 16);
        work.wall.push_back(spent);
        work.cpu.push_back(computed);
    }
    return work;
}

} // namespace

int runBench(MainWindow& window, Workspace& workspace, const StartOptions& options,
             double secondsToFirstPaint) {
    const auto* lanes = window.findChild<LaneStack*>();
    workspace.document().replace(benchScenario(), {}, false);
    window.resize(options.size);
    window.canvas().fit();
    if (!benchWarmUp(workspace, *lanes)) {
        QTextStream(stderr) << QApplication::translate("main", "The run to be measured ended too early")
                            << '\n';
        return 1;
    }
    benchFrames(framesBefore);
    int shown = 0;
    const auto counting = QObject::connect(&workspace.runs(), &RunModel::frame, [&shown] { ++shown; });
    const auto logBefore = workspace.runs().current().log->size();
    QElapsedTimer clock;
    clock.start();
    const BenchWork work = benchFrames(measuredFrames);
    const double seconds = static_cast<double>(clock.nsecsElapsed()) * 1e-9;
    QObject::disconnect(counting);
    const auto frame = workspace.runs().latestFrame();
    const bool stillOn = frame && frame->status == RunStatus::running && frame->state;
    const auto running =
        stillOn ? std::count_if(frame->state->jobs().begin(), frame->state->jobs().end(),
                                [](const JobState& job) { return job.phase == JobPhase::running; })
                : 0;
    QJsonArray benchmarks;
    const auto add = [&](const char* name, double value, const char* unit) {
        benchmarks.append(QJsonObject{{QStringLiteral("name"), QLatin1String(name)},
                                      {QStringLiteral("value"), value},
                                      {QStringLiteral("unit"), QLatin1String(unit)}});
    };
    add("window_start_s", secondsToFirstPaint, "s");
    add("window_frame_work_ms", benchQuantile(work.wall, 0.5), "ms");
    add("window_frame_work_p95_ms", benchQuantile(work.wall, 0.95), "ms");
    add("window_frame_cpu_ms", benchQuantile(work.cpu, 0.5), "ms");
    add("window_frame_cpu_p95_ms", benchQuantile(work.cpu, 0.95), "ms");
    add("window_canvas_paint_ms", window.canvas().medianPaintTime(), "ms");
    add("window_frames_per_s", shown / seconds, "1/s");
    add("window_events_per_s",
        static_cast<double>(workspace.runs().current().log->size() - logBefore) / seconds, "1/s");
    add("window_events_shown", frame ? static_cast<double>(frame->logSize) : 0, "1");
    add("window_loss_points", static_cast<double>(benchPoints(*lanes)), "1");
    add("window_jobs_running", static_cast<double>(running), "1");
    add("window_still_running", stillOn ? 1 : 0, "1");
    if (workspace.runs().session()) workspace.runs().session()->stop();
    QTextStream out(stdout);
    if (options.json) {
        out << QJsonDocument(QJsonObject{{QStringLiteral("benchmarks"), benchmarks}}).toJson();
    } else {
        for (const auto& b : benchmarks)
            out << b.toObject()[QStringLiteral("name")].toString() << '\t'
                << b.toObject()[QStringLiteral("value")].toDouble() << ' '
                << b.toObject()[QStringLiteral("unit")].toString() << '\n';
    }
    return stillOn ? 0 : 1;
}

} // namespace trainyard
