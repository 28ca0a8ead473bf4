// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/FrameGauge.h"

#include <ctime>

namespace trainyard {

namespace {
constexpr qint64 restMilliseconds = 500; // without a frame: what comes next is a new movement
}

double threadWork() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

FrameGauge::FrameGauge(QObject* parent) : QObject(parent) { start(); }

void FrameGauge::start() {
    m_since.start();
    m_workBefore = threadWork();
    m_frames = 0;
}

void FrameGauge::countFrame() {
    if (m_frames == 0 && m_since.elapsed() > restMilliseconds) start();
    ++m_frames;
}

FrameGauge::Reading FrameGauge::take() {
    Reading reading;
    const double seconds = static_cast<double>(m_since.nsecsElapsed()) * 1e-9;
    if (m_frames > 1 && seconds > 0) reading = {m_frames / seconds, (threadWork() - m_workBefore) / m_frames};
    start();
    return reading;
}

} // namespace trainyard
