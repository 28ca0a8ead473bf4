// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The choices by rates of the adaptive synchronizations of a run, folded out of their notes (policy/RateSeries.h): the options
// as lines with their upper envelope, each option's rate as the policy had it, nothing estimated anew. Views read it.
#include "analysis/RunIndex.h"
#include "planning/StepEnvelope.h"

#include <memory>

namespace trainyard {

struct RateOption {
    int waitFor = 1;  ///< k
    int samples = 1;  ///< of a task
    double load = 1;  ///< β
    double cost = 0;  ///< of an update: expected seconds, and what else is weighed
    double floor = 0; ///< the error at which its updates lower it no more
    RateLine line;    ///< by how much the error falls per unit of cost, at an error
};

/// One choice of (k, β) by the rates of the options.
struct RateChoice {
    SimTime at;
    JobId job;
    std::size_t number = 0; ///< among those of its job
    double error = 0;       ///< as the policy believed it to be
    std::vector<RateOption> options;
    std::size_t chosen = 0;
    std::vector<EnvelopeStep> envelope; ///< of the options' lines

    /// The error that the model of the chosen option expects so many updates later: e ← floor + f·(e − floor)
    /// where slope = −ln f / cost.
    double errorAfter(std::uint64_t updates) const;
};

class RateChoices final : public LogFold {
public:
    explicit RateChoices(const RunSource& run);
    void apply(const Event& event, std::size_t position) override;

    struct Made {
        std::shared_ptr<const RateChoice> choice; ///< may be read anywhere
        std::size_t position = 0;                 ///< of its note in the log
        std::size_t updates = 0;                  ///< applied before it
        bool inRound = false;                     ///< made while an update was being made, which it counts as done
    };
    /// In order.
    const std::vector<Made>& of(JobId job) const { return m_jobs[job.index()].made; }
    /// The last one before this position of the log; null: none.
    const Made* before(JobId job, std::size_t position) const;

private:
    struct Course {
        bool byRates = false;   ///< its synchronization declares such notes
        bool undecided = false; ///< whether the last choice was made while an update was being made
        bool chosen = false;    ///< an option that comes now is one of others
        std::size_t updates = 0;
        std::vector<RateOption> options; ///< as noted last
        std::vector<EnvelopeStep> envelope;
        std::vector<Made> made;
    };
    static void note(Course& job, const Event& event, std::size_t position);
    static void choose(Course& job, const Event& event, std::size_t position);

    std::vector<Course> m_jobs;
};

} // namespace trainyard
