#pragma once
// What every policy call is given besides its view: the time, its own random stream, and where to explain itself.
#include "base/Random.h"
#include "record/Explanation.h"

namespace trainyard {

struct PolicyContext {
    SimTime now;
    RandomStream& random;    ///< keyed by (seed, Purpose::policy, family, job, number of this call)
    ExplanationArena* why = nullptr; ///< null when explanations are off; add() at most one per decision
    std::vector<std::uint32_t>* explained = nullptr; ///< indices added in this call; the engine logs a decision event for each

    /// Whether to spend time on an explanation at all.
    bool explaining() const { return why && why->level() != WhyLevel::off; }
    void explain(Explanation explanation) const {
        if (!explaining()) return;
        explanation.time = now;
        explained->push_back(why->add(std::move(explanation)));
    }
};

} // namespace trainyard
