// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The work of single frames, measured in a window that really paints: quantiles of it, and what the process
// holds.
#include <functional>
#include <vector>

namespace trainyard {

/// The value below which a share p of them lies; 0 if there are none.
double benchQuantile(std::vector<double> values, double p);

/// Milliseconds, one entry per frame. `cpu` leaves out the time during which other programs had the
/// processor.
struct BenchWork {
    std::vector<double> wall, cpu;
};

/// All that the event loop does in a refresh of 16 ms, waiting excluded. `act`, if given, is done first in
/// each frame and is part of its work.
BenchWork benchFrames(int frames, const std::function<void(int frame)>& act = {});

/// Milliseconds from before `act` until the event loop has nothing left to do, painting included.
double benchAnswer(const std::function<void()>& act);

/// Resident memory of this process in bytes, now and at its greatest; 0 where the system does not say.
struct BenchMemory {
    double now = 0, peak = 0;
};
BenchMemory benchMemory();

} // namespace trainyard
