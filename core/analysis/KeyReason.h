// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Why a key of a keyed job is where it is: how often it is drawn, which rule of the parameters policy applies to it, what that makes
// of it, who has it and how it got there. For the key map and for `trainyard-cli explain`.
#include "analysis/KeyedCourse.h"
#include "policy/keys/KeyPlan.h"

#include <optional>

namespace trainyard {

enum class KeyTechnique { fixed, relocating, replicated };

struct KeyReason {
    std::uint64_t rank = 1;           ///< from 1
    std::optional<std::uint32_t> key; ///< its number; of more keys than can be looked up at once nothing
    bool ofStart = false; ///< other keys become frequent during the run: rank and share are those of the start
    double share = 0;     ///< of all draws
    double timesMean = 0; ///< share × keys
    KeyTechnique technique = KeyTechnique::fixed;
    Text rule;
    std::optional<std::uint32_t> home;
    std::optional<std::uint32_t> owner; ///< at the instant; of a key that is not followed nothing
    struct Move {
        SimTime at;
        std::uint32_t to = 0; ///< node
    };
    std::vector<Move> moves; ///< until the instant, the oldest first
    bool byMessages = false; ///< a watched key: moves are exact; else they are as of the ends of intervals
    /// Sentences for people: what it is, why, where, and its last moves.
    std::vector<Text> text(const RunIndex& run, JobId job) const;
};

/// Keys that are put in order in a few milliseconds, to find the one of a rank that is not followed.
inline constexpr std::int64_t keysAtOnce = 200'000;

/// Nothing: the job is no keyed one, or its policy is not known, or there is no such rank. Of more keys than `mostKeys` only the
/// numbers of followed ones are told.
std::optional<KeyReason> keyReason(const RunIndex& run, JobId job, std::uint64_t rank, SimTime at,
                                   std::int64_t mostKeys = keysAtOnce);
/// How the job's parameters policy serves it.
std::optional<KeyPlan> keyPlanOf(const RunIndex& run, JobId job);

} // namespace trainyard
