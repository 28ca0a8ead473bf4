// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "bench/BenchFrames.h"

#include "shell/FrameGauge.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QThread>

#include <algorithm>

namespace trainyard {

double benchQuantile(std::vector<double> values, double p) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

BenchWork benchFrames(int frames, const std::function<void(int)>& act) {
    BenchWork work;
    QElapsedTimer refresh, busy;
    for (int i = 0; i < frames; ++i) {
        refresh.start();
        double spent = 0, computed = 0;
        bool acted = !act;
        do {
            const double before = threadWork();
            busy.start();
            if (!acted) act(i);
            acted = true;
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

double benchAnswer(const std::function<void()>& act) {
    QElapsedTimer busy;
    busy.start();
    act();
    // Posted updates are painted in the first pass; what that asks for, in the next.
    for (int pass = 0; pass < 3; ++pass) QApplication::processEvents();
    return static_cast<double>(busy.nsecsElapsed()) * 1e-6;
}

BenchMemory benchMemory() {
    BenchMemory memory;
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly)) return memory;
    const auto bytes = [](const QByteArray& line) {
        return line.simplified().split(' ').value(1).toDouble() * 1024; // "VmRSS:   1234 kB"
    };
    const QByteArray text = status.readAll(); // such files tell no size: not line by line until the end
    for (const QByteArray& line : text.split('\n')) {
        if (line.startsWith("VmRSS:")) memory.now = bytes(line);
        if (line.startsWith("VmHWM:")) memory.peak = bytes(line);
    }
    return memory;
}

} // namespace trainyard
