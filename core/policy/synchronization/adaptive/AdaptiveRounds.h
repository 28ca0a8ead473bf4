// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Synchronous rounds whose k and load are chosen anew as training goes on: by the upper envelope of what
// every option is expected to gain at the present error (planning/StepEnvelope), or one option after another
// whenever a test says that training makes no more progress. The common part of adaptive-k and adaptive-load.
#include "policy/synchronization/RoundSync.h"
#include "policy/synchronization/adaptive/LossEstimate.h"
#include "policy/synchronization/adaptive/StationarityTests.h"

namespace trainyard {

/// Parameters of adaptive-k and adaptive-load; each declares those that it has.
struct AdaptiveParams {
    std::string rule = "bound";    ///< adaptive-k: bound, exact, pflug, distance
    std::string model = "bound";   ///< adaptive-load: bound, exact
    std::string advance = "model"; ///< adaptive-load: model, measured, pflug, distance
    int firstK = 1, kStep = 1;
    std::string sequence = "add"; ///< adaptive-k: add, double
    int loads = 1;
    double leastLoad = 0.1;
    double smoothness = 0, convexity = 0, noise = 0, growth = 0, initialError = 0, leastLoss = 0;
    double computeCost = 0, communicationCost = 0;
    int threshold = 10, burnIn = 20;
    double slope = 0.6;
    double timeout = 0;
};

class AdaptiveRounds : public RoundSync {
public:
    IterationShape shape(int workers) const override;
    std::optional<RateRule> rateRule() const override;
    /// By letting it run: which k and load it takes is not known beforehand.
    std::optional<UpdateTime> updateTime(const JobTimes&) const override { return std::nullopt; }
    std::optional<Text> hasNoRate() const override;

    /// How options succeed each other.
    enum class Advance { model, measured, signs, distance };
    struct Settings {
        bool exact = false, envelope = true;
        Advance advance = Advance::model;
    };

protected:
    AdaptiveRounds(std::string id, AdaptiveParams params, Settings settings);
    int wanted(int launched) const override;
    Assignment work(const TrainingView& view, std::uint32_t worker) const override;
    void starting(const PolicyContext&, const TrainingView&) override;
    void roundOver(const PolicyContext&, const TrainingView&, std::span<const HeldGradient> fresh) override;

private:
    struct Option : StepOption {
        int taskSamples = 1;
    };
    bool probing() const { return m_settings.envelope && !m_blind && !m_loss.complete(); }
    bool feasible(std::size_t option) const;
    void planOptions(const TrainingView& view);
    void planLines(const TrainingView& view);
    /// The first feasible option of the greatest rate at the present error.
    std::size_t bestOption() const;
    /// Takes the option that is on top at the present error, or, testing, the first of the envelope.
    void choose(const PolicyContext&, const TrainingView&);
    bool stationary(const TrainingView& view);
    void goOn(const PolicyContext&, const TrainingView&);
    void take(std::size_t option);
    void explainBlindness(const PolicyContext&, const TrainingView&) const;
    void noteOptions(const PolicyContext&, std::size_t best);
    void noteChoice(const PolicyContext&, std::size_t best);
    void explainEnvelope(const PolicyContext&, const TrainingView&, std::size_t best) const;
    void explainTest(const PolicyContext&, const TrainingView&, std::size_t next) const;
    std::string labelOf(std::size_t option) const;

    std::string m_policy;
    AdaptiveParams m_params;
    Settings m_settings;
    LossEstimate m_loss;
    std::vector<Option> m_options; ///< for m_plannedFor workers and a batch of m_plannedBatch
    std::vector<RateLine> m_lines;
    std::vector<EnvelopeStep> m_envelope;
    ErrorModel m_model;
    LossConstants m_constants;
    double m_stepSize = 0, m_reached = 0; ///< m_reached: samples of an update, where the workers have changed
    bool m_noted = false;                 ///< all of m_lines are
    bool m_planned = false;               ///< m_lines and m_envelope are those of m_options and fixed constants
    bool m_blind = false;                 ///< no gradients to estimate from
    int m_plannedFor = 0, m_plannedBatch = 0;
    std::optional<std::size_t> m_current;
    double m_error = 0;
    ReflectedSignTest m_signs;
    DistanceTest m_distance;
    std::vector<double> m_lastGradient; ///< of the update before, for the products of signs
};

} // namespace trainyard
