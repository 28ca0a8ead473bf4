#include "Start.h"

#include "canvas/CanvasView.h"
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

/// 50 racks of 20 machines under two layers of switches, 5,000 links, 1,000 analytic jobs that arrive all the
/// time.
Scenario benchScenario() {
    Scenario s;
    s.title = "Bench";
    s.network = NetworkModel::rate;
    s.explanations = WhyLevel::off;
    s.cluster.resourceNames = {"cpu", "gpu"};
    constexpr int racks = 50, perRack = 20, spines = 4;
    for (int r = 0; r < racks; ++r) {
        const std::string rack = "r" + std::to_string(r), top = "tor" + std::to_string(r);
        s.cluster.racks.push_back({.key = rack});
        s.cluster.switches.push_back({.key = top, .rack = rack});
        for (int m = 0; m < perRack; ++m) {
            const std::string key = rack + "-m" + std::to_string(m);
            s.cluster.machines.push_back({.key = key, .capacity = ResourceVector::of({16, 4}), .rack = rack});
            s.cluster.links.push_back({.key = key + "--" + top, .from = key, .to = top});
        }
    }
    for (int i = 0; i < spines; ++i) {
        const std::string spine = "spine" + std::to_string(i);
        s.cluster.switches.push_back({.key = spine});
        for (int r = 0; r < racks; ++r)
            for (int lane = 0; lane < 20; ++lane) {
                const std::string top = "tor" + std::to_string(r);
                s.cluster.links.push_back(
                    {.key = top + "--" + spine + "-" + std::to_string(lane), .from = top, .to = spine});
            }
    }
    JobGenerator generator{.key = "job", .arrivals = JobGenerator::Arrivals::fixed, .count = 1000};
    generator.meanInterarrivalSeconds = 0.5;
    generator.job.workerDemand = ResourceVector::of({4, 1});
    generator.job.serverDemand = ResourceVector::of({2, 0});
    generator.job.workers = {4, 4};
    generator.job.stop.iterations = 4000;
    generator.job.work = AnalyticWork{.batch = 32, .secondsPerSample = 0.01};
    s.generators.push_back(generator);
    return s;
}

double benchMedian(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

double benchQuantile(std::vector<double> values, double p) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

} // namespace

int runBench(MainWindow& window, Workspace& workspace, const StartOptions& options,
             double secondsToFirstPaint) {
    constexpr int frames = 300;
    workspace.document().replace(benchScenario(), {}, false);
    workspace.playback().setSpeed(200); // busy from beginning to end of the measurement
    workspace.restart();
    window.resize(options.size);
    window.canvas().fit();
    // Work per frame: all that the event loop does in one refresh of 16 ms, waiting excluded. Half a second
    // to warm up.
    std::vector<double> work;
    QElapsedTimer refresh, busy;
    for (int i = 0; i < frames + 30; ++i) {
        refresh.start();
        double spent = 0;
        do {
            busy.start();
            QApplication::processEvents();
            spent += static_cast<double>(busy.nsecsElapsed()) * 1e-6;
            QThread::usleep(500);
        } while (refresh.elapsed() < 16);
        if (i >= 30) work.push_back(spent);
    }
    const auto frame = workspace.runs().latestFrame();
    QJsonArray benchmarks;
    const auto add = [&](const char* name, double value, const char* unit) {
        benchmarks.append(QJsonObject{{QStringLiteral("name"), QLatin1String(name)},
                                      {QStringLiteral("value"), value},
                                      {QStringLiteral("unit"), QLatin1String(unit)}});
    };
    add("window_start_s", secondsToFirstPaint, "s");
    add("window_frame_work_ms", benchMedian(work), "ms");
    add("window_frame_work_p95_ms", benchQuantile(work, 0.95), "ms");
    add("window_canvas_paint_ms", window.canvas().medianPaintTime(), "ms");
    add("window_events_per_s", frame ? frame->eventsPerSecond : 0, "1/s");
    add("window_events_shown", frame ? static_cast<double>(frame->logSize) : 0, "1");
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
    return frame && frame->status != RunStatus::failed ? 0 : 1;
}

} // namespace trainyard
