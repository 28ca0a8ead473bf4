// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A cluster without a queue: each arriving job takes its servers at once or is lost. The state is one word of occupied servers and the ends
// of the jobs that run. No engine and no log: what rollouts and training go through millions of times. The engine gives the same decisions
// and completions (tests).
#include "planning/graphs/GraphPricer.h"

#include <algorithm>
#include <array>

namespace trainyard {

struct GraphArrival {
    std::uint32_t graph = 0;
    double seconds = 0; ///< when
    double beta = 1;    ///< deadline as a share of the sequential time
};

class LossSystem {
public:
    /// Ends jobs that are done by now.
    void advance(double now) {
        m_ending = 0;
        while (m_running > 0 && m_jobs[m_running - 1].end <= now) {
            const Running& job = m_jobs[--m_running];
            m_occupied &= ~job.servers;
            if (job.end == now) m_ending |= job.servers;
        }
    }
    void place(ServerMask servers, double end) {
        std::size_t i = m_running++;
        for (; i > 0 && m_jobs[i - 1].end < end; --i) m_jobs[i] = m_jobs[i - 1];
        m_jobs[i] = {end, servers};
        m_occupied |= servers;
    }
    ServerMask occupied() const { return m_occupied; }
    ServerMask ending() const { return m_ending; } ///< at the instant advanced to, no longer occupied
    std::size_t running() const { return m_running; }
    /// visit(end, servers) for each job that runs, first end first.
    template <class Visit>
    void forEachRunning(Visit visit) const {
        for (std::size_t i = m_running; i-- > 0;) visit(m_jobs[i].end, m_jobs[i].servers);
    }

    LossSystem() = default;
    LossSystem(const LossSystem& other) { *this = other; }
    LossSystem& operator=(const LossSystem& other) {
        m_occupied = other.m_occupied;
        m_ending = other.m_ending;
        m_running = other.m_running;
        std::copy_n(other.m_jobs.begin(), m_running, m_jobs.begin());
        return *this;
    }

private:
    struct Running {
        double end;
        ServerMask servers;
    };
    ServerMask m_occupied = 0, m_ending = 0;
    std::size_t m_running = 0;
    std::array<Running, OpticalNetwork::mostServers> m_jobs; ///< latest end first; each holds a server at least
};

} // namespace trainyard
