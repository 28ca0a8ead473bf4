// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "MpiProcesses.h"

#include "Common.h"

#include <algorithm>
#include <cstdlib>

#ifdef TRAINYARD_MPI
#include <mpi.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <thread>
#include <unistd.h>
#endif

namespace trainyard::cli {

std::size_t launchedProcesses() {
    // Without --mpi=pmix the tasks of srun may each have a command of their own.
    const char* ofSrun = std::getenv("PMIX_RANK") ? "SLURM_STEP_NUM_TASKS" : "";
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", ofSrun})
        if (const char* size = std::getenv(name)) return std::max(1UL, std::strtoul(size, nullptr, 10));
    return 1;
}

#ifdef TRAINYARD_MPI

namespace {

/// Waits without taking the core from those that compute.
MPI_Status waitFor(MPI_Request& request) {
    MPI_Status status{};
    int done = 0;
    while (MPI_Test(&request, &done, &status), !done) std::this_thread::sleep_for(std::chrono::microseconds(200));
    return status;
}

} // namespace

struct MpiProcesses::Outgoing {
    std::string text;
    MPI_Request request;
};

MpiProcesses::MpiProcesses() {
    sigset_t ending, before; // MPI's threads are to leave these to Interrupt
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ending, &before);
    int level = 0, rank = 0, size = 1;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    m_rank = static_cast<std::size_t>(rank);
    m_size = static_cast<std::size_t>(size);
    const char* why = level < MPI_THREAD_MULTIPLE ? "this MPI does not allow calls by several threads"
                      : m_size != launchedProcesses()
                          ? "these processes were started by another MPI than that of this program"
                          : nullptr;
    if (why) {
        if (rank == 0) say(why);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (isFirst()) return;
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

MpiProcesses::~MpiProcesses() {
    while (!m_apart) // those that are about to begin a batch learn of the end there
        m_apart = std::ranges::all_of(gather({.ended = 1, .identity = 0, .host = {}}),
                                      [](const Place& place) { return place.ended != 0; });
    MPI_Finalize();
}

std::vector<MpiProcesses::Place> MpiProcesses::gather(Place own) {
    gethostname(own.host, sizeof own.host - 1);
    std::vector<Place> all(m_size);
    MPI_Request request{};
    MPI_Iallgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, MPI_COMM_WORLD, &request);
    waitFor(request);
    return all;
}

void MpiProcesses::meet(std::uint64_t identity) {
    const auto all = gather({.ended = 0, .identity = identity, .host = {}});
    const auto named = [&](std::size_t r) { return std::vector<std::string>{std::to_string(r), all[r].host}; };
    m_hosts.clear();
    for (const Place& place : all) m_hosts.emplace_back(place.host);
    for (std::size_t r = 0; r < m_size; ++r)
        if (all[r].ended != 0)
            throw ProcessesApart({.code = "bad-usage",
                                  .message = {TRAINYARD_TEXT("process {0} on {1} could not begin: can it read the same "
                                                             "files? The command alone on that machine says why not"),
                                              named(r)}});
    for (std::size_t r = 1; r < m_size; ++r)
        if (all[r].identity != all[0].identity)
            throw ProcessesApart(
                {.code = "bad-usage",
                 .message = {TRAINYARD_TEXT("process {0} on {1} has another version of the program or another scenario "
                                            "than the first"),
                             named(r)}});
}

void MpiProcesses::send(std::size_t to, int tag, const std::string& text) {
    const std::scoped_lock lock(m_sending);
    std::erase_if(m_outgoing, [](Outgoing& sent) {
        int done = 0;
        MPI_Test(&sent.request, &done, MPI_STATUS_IGNORE);
        return done != 0;
    });
    Outgoing& sent = m_outgoing.emplace_back(text, MPI_Request{}); // a long one goes when the receiver looks
    MPI_Isend(sent.text.data(), static_cast<int>(sent.text.size()), MPI_BYTE, static_cast<int>(to), tag, MPI_COMM_WORLD,
              &sent.request);
}

std::string MpiProcesses::receive(std::size_t from, int tag) {
    for (;;) {
        int there = 0, size = 0;
        MPI_Message message{};
        MPI_Status status{};
        MPI_Improbe(static_cast<int>(from), tag, MPI_COMM_WORLD, &there, &message, &status);
        if (there) {
            MPI_Get_count(&status, MPI_BYTE, &size);
            std::string text(static_cast<std::size_t>(size), '\0');
            MPI_Mrecv(text.data(), size, MPI_BYTE, &message, &status);
            return text;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
}

std::optional<BatchProcesses::Message> MpiProcesses::poll(int tag) {
    int there = 0, size = 0;
    MPI_Message message{};
    MPI_Status status{};
    MPI_Improbe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &there, &message, &status);
    if (!there) return std::nullopt;
    MPI_Get_count(&status, MPI_BYTE, &size);
    Message out{static_cast<std::size_t>(status.MPI_SOURCE), std::string(static_cast<std::size_t>(size), '\0')};
    MPI_Mrecv(out.text.data(), size, MPI_BYTE, &message, &status);
    return out;
}

std::string MpiProcesses::fromFirst(const std::string& text) {
    constexpr std::size_t piece = std::size_t{1} << 30;
    std::string out = text;
    std::uint64_t size = out.size();
    MPI_Request request{};
    MPI_Ibcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD, &request);
    waitFor(request);
    out.resize(size);
    for (std::size_t at = 0; at < size; at += piece) {
        MPI_Ibcast(out.data() + at, static_cast<int>(std::min<std::size_t>(piece, size - at)), MPI_BYTE, 0,
                   MPI_COMM_WORLD, &request);
        waitFor(request);
    }
    return out;
}

void MpiProcesses::isWaitedFor(std::size_t rank) {
    say("process " + std::to_string(rank) + " on " + m_hosts[rank] + " has not answered for " +
        std::to_string(std::chrono::duration_cast<std::chrono::seconds>(patience).count()) +
        " s: its last run takes long, or the process is lost; with --out, --resume goes on after Ctrl-C");
}

int MpiProcesses::threads() const {
    MPI_Comm machine{};
    int here = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_size(machine, &here);
    MPI_Comm_free(&machine);
    cpu_set_t cores;
    CPU_ZERO(&cores);
    sched_getaffinity(0, sizeof cores, &cores);
    const int mine = CPU_COUNT(&cores), online = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    return std::max(1, mine < online ? mine : mine / here); // bound to its cores, or free on all
}

#endif

} // namespace trainyard::cli
