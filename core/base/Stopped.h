// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How long work is given up in the middle: loops that a hostile scenario can make long look at a stop token, and throw. Whoever handed out
// the token (run/LimitGuard.h) catches it and knows why.
#include <exception>
#include <stop_token>

namespace trainyard {

struct Stopped : std::exception {
    const char* what() const noexcept override { return "stopped"; }
};

inline void throwIfStopped(const std::stop_token& stop) {
    if (stop.stop_requested()) throw Stopped();
}

} // namespace trainyard
