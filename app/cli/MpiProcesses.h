// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The processes that mpirun or srun started for one command (-DTRAINYARD_MPI=ON). Only the first one writes: to the others nothing is
// standard output or error, and no directory is given.
#include "run/compare/BatchProcesses.h"

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace trainyard::cli {

/// How many processes a launcher of MPI started, by its environment; 1 without one.
std::size_t launchedProcesses();

#ifdef TRAINYARD_MPI

class MpiProcesses final : public BatchProcesses {
public:
    /// Begins MPI; once in a process, before any other thread.
    MpiProcesses();
    /// Ends MPI, after all have come here or have been told that one has.
    ~MpiProcesses() override;
    MpiProcesses(const MpiProcesses&) = delete;
    MpiProcesses& operator=(const MpiProcesses&) = delete;

    std::size_t rank() const override { return m_rank; }
    std::size_t size() const override { return m_size; }
    void meet(std::uint64_t identity) override;
    void send(std::size_t to, int tag, const std::string& text) override;
    std::string receive(std::size_t from, int tag) override;
    std::optional<Message> poll(int tag) override;
    std::string fromFirst(const std::string& text) override;
    void isWaitedFor(std::size_t rank) override;

    /// This process's share of the cores of its machine.
    int threads() const;

private:
    struct Place {
        std::uint64_t ended, identity;
        char host[64];
    };
    std::vector<Place> gather(Place own);

    struct Outgoing; ///< a text that has perhaps not arrived
    std::list<Outgoing> m_outgoing;
    std::mutex m_sending;
    std::size_t m_rank = 0, m_size = 1;
    std::vector<std::string> m_hosts; ///< by rank, after meet()
    bool m_apart = false;             ///< some have ended: nobody is waited for
};

#endif

} // namespace trainyard::cli
