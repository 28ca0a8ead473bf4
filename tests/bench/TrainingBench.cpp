// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "bench/BenchFigures.h"
#include "shell/MainWindow.h"
#include "shell/Places.h"
#include "training/TrainingForm.h"
#include "training/TrainingPage.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPushButton>
#include <QTemporaryDir>

namespace trainyard {

bool measureTraining(MainWindow& window, BenchFigures& figures) {
    constexpr int framesBefore = 60, measuredFrames = 600;
    const QTemporaryDir directory;
    TrainingPage& page = window.training();
    window.places().go("training");
    page.form().setDirectory(directory.filePath(QStringLiteral("agent")));
    while (!page.form().request()) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    page.findChild<QPushButton*>(QStringLiteral("training-go"))->click();
    BackgroundTraining& training = page.training();
    while (training.isRunning() && training.done() < 3) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    benchFrames(framesBefore);
    const std::size_t before = training.done();
    QElapsedTimer clock;
    clock.start();
    figures.addFrames(QStringLiteral("window_training_frame_work"), benchFrames(measuredFrames));
    figures.add(QStringLiteral("window_training_iterations_per_s"),
                static_cast<double>(training.done() - before) / (static_cast<double>(clock.nsecsElapsed()) * 1e-9),
                "1/s");
    window.places().go("lab");
    benchFrames(framesBefore);
    figures.addFrames(QStringLiteral("window_training_lab_frame_work"), benchFrames(measuredFrames));
    const bool stillOn = training.isRunning();
    training.end();
    while (training.isRunning()) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    return stillOn;
}

} // namespace trainyard
