// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a run is to stop at, and the watch that looks for it in a log: while the run grows (RunSession) or when
// it is looked at again (the window's Playback). One meaning for both.
#include "record/EventLog.h"

#include <optional>
#include <vector>

namespace trainyard {

/// The next time that it comes about: what is so already has to cease before.
struct Breakpoint {
    enum class Kind {
        time,        ///< `time` has come; no event, so a watch never finds it
        jobStarted,  ///< also after an interruption
        jobEnded,    ///< finished, failed or rejected
        lossAtMost,  ///< an evaluated loss of the job is at most `loss`, and the one before was not
        jobsWaiting, ///< at least `jobs` jobs wait for machines, and before there were fewer
        failure,     ///< a machine, a link or a job fails
        decision,    ///< a policy decides something about the job
    };
    Kind kind = Kind::time;
    SimTime time{};
    JobId job{};
    double loss = 0;
    int jobs = 1;
    friend bool operator==(const Breakpoint&, const Breakpoint&) = default;
};

class BreakpointWatch {
public:
    /// `from`: position in the log of the first event that counts; earlier ones are only folded.
    BreakpointWatch(Breakpoint until, std::size_t from) : m_until(until), m_from(from) {}
    const Breakpoint& until() const { return m_until; }
    /// Position of the first event below `end` that brings it about; goes on from where the last look ended.
    std::optional<std::size_t> look(const EventLog& log, std::size_t end);

private:
    bool brings(const Event& event);
    bool changesWaiting(const Event& event);

    Breakpoint m_until;
    std::size_t m_from, m_position = 0;
    bool m_below = false;          ///< the loss is at most what is waited for
    std::vector<bool> m_isWaiting; ///< by JobId
    int m_waiting = 0;
};

} // namespace trainyard
