// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Ctrl-C, SIGTERM and SIGHUP while --render writes: the file in hand is given up, and no half of it stays.

namespace trainyard {

/// As long as it lives, such a signal asks to stop; a second of its kind ends the program at once. One at a time. Signals that are
/// ignored stay so.
class StopSignals {
public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    /// The signal that came; 0: none.
    int caught() const;
};

} // namespace trainyard
