#include "Start.h"

#include "shell/MainWindow.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPixmap>

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

} // namespace

int takeScreenshot(MainWindow& window, Workspace& workspace, const StartOptions& options) {
    constexpr int longestWaitMilliseconds = 60'000;
    constexpr double showSeconds = 3; // of real time, to get to the instant
    if (options.atSeconds > 0) workspace.playback().setSpeed(std::max(1.0, options.atSeconds / showSeconds));
    QElapsedTimer waited;
    waited.start();
    const auto reached = [&] {
        const auto frame = workspace.runs().latestFrame();
        if (!frame) return false;
        const bool ended = frame->status == RunStatus::finished || frame->status == RunStatus::failed;
        return ended || (options.atSeconds >= 0 ? frame->now.toSeconds() >= options.atSeconds
                                                : waited.elapsed() > 3000);
    };
    while (workspace.runs().current().id != 0 && !reached() && waited.elapsed() < longestWaitMilliseconds)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
    if (!options.change.isEmpty() && !choosePolicy(workspace, options.change)) return 2;
    constexpr int settleMilliseconds = 500; // what is drawn when there is nothing else to do
    for (waited.restart(); waited.elapsed() < settleMilliseconds;)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    return window.grab().save(options.screenshot) ? 0 : 1;
}

} // namespace trainyard
