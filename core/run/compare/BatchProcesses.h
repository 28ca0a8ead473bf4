// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Processes, perhaps on several machines, that do the runs of a batch together. All of them do the same command and come to the same batches in
// the same order; the first hands out the runs, keeps the store, and tells the others what they need to go on. Implemented over MPI by the
// command line; how a batch uses them is in RunBatch.
#include "base/Problem.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace trainyard {

/// Thrown by a batch whose processes cannot go on together: the command ends. `problem`: for the first process to say.
struct ProcessesApart : std::runtime_error {
    explicit ProcessesApart(Problem why) : std::runtime_error(why.message.english()), problem(std::move(why)) {}
    Problem problem;
};

/// All members can be called by any thread.
class BatchProcesses {
public:
    virtual ~BatchProcesses() = default;
    virtual std::size_t rank() const = 0; ///< 0: the first
    virtual std::size_t size() const = 0;
    bool isFirst() const { return rank() == 0; }

    /// Waits for all. `identity`: of program and batch. Throws ProcessesApart where one has ended, or has another identity.
    virtual void meet(std::uint64_t identity) = 0;
    virtual void send(std::size_t to, int tag, const std::string& text) = 0; ///< returns, perhaps before it arrives
    virtual std::string receive(std::size_t from, int tag) = 0;              ///< waits
    struct Message {
        std::size_t from = 0;
        std::string text;
    };
    virtual std::optional<Message> poll(int tag) = 0; ///< from any; nullopt: none is there
    /// What the first gives, everywhere; called by all.
    virtual std::string fromFirst(const std::string& text) = 0;

    /// Called of another process, once in a batch, that the first has not heard of for `patience` when nothing is left to hand out.
    virtual void isWaitedFor(std::size_t rank) = 0;
    std::chrono::milliseconds patience{60'000};
};

} // namespace trainyard
