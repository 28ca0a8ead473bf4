// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Counts the frames that the window shows and the processor time that its thread spends on them, so that the
// status line can say how smoothly it runs. Costs nothing while nothing happens.
#include <QElapsedTimer>
#include <QObject>

namespace trainyard {

/// Processor time of the calling thread so far, in milliseconds.
double threadWork();

class FrameGauge final : public QObject {
    Q_OBJECT
public:
    explicit FrameGauge(QObject* parent = nullptr);

    struct Reading {
        double framesPerSecond = 0;  ///< 0: nothing moves
        double workMilliseconds = 0; ///< per frame
    };
    /// Since it was asked last, or since things began to move again.
    Reading take();

public Q_SLOTS:
    void countFrame();

private:
    void start();

    QElapsedTimer m_since;
    double m_workBefore = 0;
    int m_frames = 0;
};

} // namespace trainyard
