#pragma once
// What the adaptive synchronizations of a run said of their choices, read back from its explanations as lines
// and their upper envelope: each option's rate as the policy had it, nothing estimated anew. Views read it.
#include "planning/StepEnvelope.h"
#include "record/Explanation.h"

#include <memory>
#include <mutex>

namespace trainyard {

struct RateOption {
    int waitFor = 1;  ///< k
    double load = 1;  ///< β
    double cost = 0;  ///< of an update: expected seconds, and what else is weighed
    double floor = 0; ///< the error at which its updates lower it no more
    RateLine line;    ///< by how much the error falls per unit of cost, at an error
};

/// One choice of (k, β) by the rates of the options.
struct RateChoice {
    SimTime at;
    JobId job;
    std::uint32_t explanation = 0; ///< its index, which the decision event holds
    double error = 0;              ///< as the policy believed it to be
    std::vector<RateOption> options;
    std::size_t chosen = 0;
    std::vector<EnvelopeStep> envelope; ///< of the options' lines

    /// The error that the model of the chosen option expects so many updates later: e ← floor + f·(e − floor)
    /// where slope = −ln f / cost.
    double errorAfter(std::uint64_t updates) const;
};
/// Nothing if it explains something else.
std::optional<RateChoice> rateChoice(const Explanation& explanation, std::uint32_t index);

class RunIndex;

/// All of a run, in order, as far as its explanations have come. Any thread.
class RateChoices {
public:
    /// Null: of no run.
    explicit RateChoices(std::shared_ptr<const ExplanationLog> explanations)
        : m_explanations(std::move(explanations)) {}
    /// The choice that this explanation tells; null: it tells none.
    std::shared_ptr<const RateChoice> of(std::uint32_t explanation) const;
    std::vector<std::shared_ptr<const RateChoice>> ofJob(JobId job) const;

private:
    void catchUp() const; ///< with the mutex held

    std::shared_ptr<const ExplanationLog> m_explanations;
    mutable std::mutex m_mutex; ///< guards what follows
    mutable std::size_t m_seen = 0;
    mutable std::vector<std::shared_ptr<const RateChoice>> m_choices;
};
/// Of the run of an index, kept with it.
std::shared_ptr<const RateChoices> rateChoicesOf(const RunIndex& run);

} // namespace trainyard
