#include "Start.h"

#include "shell/MainWindow.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPixmap>

#include <algorithm>

namespace trainyard {

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
    constexpr int turns = 60; // what is drawn when there is nothing else to do
    for (int i = 0; i < turns; ++i) QApplication::processEvents(QEventLoop::AllEvents, 20);
    return window.grab().save(options.screenshot) ? 0 : 1;
}

} // namespace trainyard
