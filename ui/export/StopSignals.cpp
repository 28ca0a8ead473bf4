// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/StopSignals.h"

#include <csignal>
#include <iterator>

namespace trainyard {

namespace stop_signals {

constexpr int ending[] = {SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t caught = 0;
struct sigaction before[std::size(ending)];

extern "C" {
static void takeStopSignal(int signal) { caught = signal; }
}

} // namespace stop_signals

StopSignals::StopSignals() {
    using namespace stop_signals;
    stop_signals::caught = 0;
    struct sigaction action {};
    action.sa_handler = takeStopSignal;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    for (std::size_t i = 0; i < std::size(ending); ++i) {
        sigaction(ending[i], nullptr, &before[i]);
        if (before[i].sa_handler != SIG_IGN) sigaction(ending[i], &action, nullptr);
    }
}

StopSignals::~StopSignals() {
    using namespace stop_signals;
    for (std::size_t i = 0; i < std::size(ending); ++i) sigaction(ending[i], &before[i], nullptr);
}

int StopSignals::caught() const { return stop_signals::caught; }

} // namespace trainyard
