// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What every policy call is given besides its view: the time, its own random stream, and where to explain itself.
#include "base/Parallel.h"
#include "base/Random.h"
#include "record/Events.h"
#include "record/Explanation.h"

namespace trainyard {

struct PolicyContext {
    SimTime now;
    RandomStream& random;            ///< keyed by (seed, Purpose::policy, family, job, number of this call)
    ExplanationArena* why = nullptr; ///< null when explanations are off; add() at most one per decision
    /// Indices added in this call; the engine logs a decision event for each
    std::vector<std::uint32_t>* explained = nullptr;
    PolicyFamily family = PolicyFamily::scheduler;
    std::vector<Event>* notes = nullptr; ///< of this call, for the log; null: nobody wants them
    const Parallel* parallel = nullptr;  ///< null: loops run on this thread

    /// Whether to spend time on an explanation at all.
    bool explaining() const { return why && why->level() != WhyLevel::off; }
    /// A value of the policy's own series number `series`, as its PolicyInfo declares it: of a job, or of the policy as a whole.
    void note(std::uint16_t series, double value, std::uint32_t first = 0, std::uint32_t second = 0,
              JobId job = {}) const {
        if (notes) notes->push_back(events::note(job, {family, series}, first, second, value));
    }
    /// Long loops of a policy call it: throws Stopped where the run is to end.
    void throwIfStopped() const {
        if (parallel) parallel->throwIfStopped();
    }
    /// body(0) … body(count − 1), each once, perhaps on several threads: each writes only what is its own, so that the result
    /// is the same for any number of them.
    void forEach(std::size_t count, const std::function<void(std::size_t)>& body) const {
        if (parallel) return parallel->forEach(count, body);
        for (std::size_t i = 0; i < count; ++i) body(i);
    }
    /// Why a job was tried and left waiting. No decision: no event tells of it.
    void refuse(Explanation explanation) const {
        if (!explaining()) return;
        explanation.time = now;
        why->refuse(std::move(explanation));
    }
    void explain(Explanation explanation) const {
        if (!explaining()) return;
        explanation.time = now;
        explained->push_back(why->add(std::move(explanation)));
    }
};

} // namespace trainyard
