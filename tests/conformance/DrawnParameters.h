// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Parameters of policies, jobs and laws drawn from their whole declared ranges, ends included: for the properties that hold
// whatever they are. What comes out passes validation.
#include "base/Result.h"
#include "conformance/ConformancePolicies.h"

#include <cmath>

namespace trainyard::test {

/// An end of the range, or anything between: as likely small as large.
inline double drawnNumber(double low, double high, RandomStream& random) {
    if (random.below(8) == 0) return random.below(2) == 0 ? low : high;
    if (low < 0) return low + (high - low) * random.unit();
    const double from = std::max(low, high * 1e-9);
    return std::clamp(from * std::pow(high / from, random.unit()), low, high);
}

inline int drawnCount(double low, double high, RandomStream& random) {
    return static_cast<int>(std::lround(drawnNumber(low, high, random)));
}

inline ParamValues drawnParameters(const ParamSchema& schema, RandomStream& random) {
    ParamValues out;
    for (const ParamField& field : schema.fields()) {
        if (random.below(3) == 0) continue; // the default
        const auto number = [&] { return drawnNumber(field.minimum, field.maximum, random); };
        switch (field.type) {
        case ParamType::boolean: out[field.key] = random.below(2) == 0; break;
        case ParamType::choice: out[field.key] = field.choices[random.below(field.choices.size())]; break;
        case ParamType::integer: out[field.key] = static_cast<std::int64_t>(std::llround(number())); break;
        case ParamType::real: out[field.key] = number(); break;
        }
    }
    return out;
}

inline Distribution drawnLaw(RandomStream& random) {
    const double mean = drawnNumber(0, 100, random);
    Distribution law{.law = static_cast<Law>(random.below(11))};
    law.value = law.mean = mean;
    law.low = mean * random.unit();
    law.high = mean + drawnNumber(0, 100, random);
    law.shift = drawnNumber(0, 10, random);
    law.shape = drawnNumber(0.05, 100, random);
    law.scale = drawnNumber(1e-3, 100, random);
    law.sigma = drawnNumber(0, 5, random);
    law.probability = random.unit();
    law.factor = drawnNumber(1, 1000, random);
    for (std::uint64_t i = 0; i <= random.below(4); ++i) {
        law.means.push_back(drawnNumber(1e-6, 100, random));
        law.quantiles.push_back((law.quantiles.empty() ? 0 : law.quantiles.back()) + drawnNumber(0, 10, random));
    }
    return law;
}

inline void drawMachine(Machine& machine, RandomStream& random) {
    StragglerLaw& s = machine.straggler;
    if (random.below(2) == 0) s.factor = drawnLaw(random);
    if (random.below(3) == 0) s.delay = drawnLaw(random);
    if (random.below(3) == 0) s.persistentFactor = drawnNumber(0.01, 100, random);
    if (random.below(4) == 0) s.burst = Burst{random.unit(), random.unit(), drawnNumber(1, 100, random), 0.5};
}

inline void drawLoads(auto& work, RandomStream& random) {
    work.secondsPerSample = drawnNumber(0, 1, random);
    work.secondsPerUpdate = random.below(2) == 0 ? 0 : drawnNumber(0, 10, random);
    work.evaluation = {1 + static_cast<std::int64_t>(random.below(30)), random.below(3) == 0};
}

inline void drawJob(Job& job, RandomStream& random) {
    job.weight = drawnNumber(1e-3, 1e9, random);
    job.restartSeconds = random.below(2) == 0 ? 0 : drawnNumber(0, 1000, random);
    job.stop.iterations = 1 + static_cast<std::int64_t>(random.below(20));
    if (random.below(4) == 0) job.stop.seconds = drawnNumber(1e-6, 1e4, random);
    if (random.below(3) == 0) job.checkpoint.everyIterations = 1 + static_cast<std::int64_t>(random.below(20));
    if (random.below(3) == 0)
        job.utility = Utility{drawnNumber(0, 1e3, random), drawnNumber(0, 10, random), drawnNumber(0, 1e3, random),
                              random.below(2) == 0 ? 0 : drawnNumber(0, 100, random)};
    if (random.below(3) == 0) job.deadlineSeconds = drawnNumber(1e-3, 1e4, random);
    if (random.below(3) == 0) job.finalLoss = drawnNumber(-10, 10, random);
    job.lossFamily = static_cast<LossFamilyHint>(random.below(3));
    if (auto* trained = std::get_if<TrainedWork>(&job.work)) {
        drawLoads(*trained, random);
        trained->batch = drawnCount(1, 1e4, random);
        trained->shards = static_cast<Shards>(random.below(3));
    } else if (auto* analytic = std::get_if<AnalyticWork>(&job.work)) {
        drawLoads(*analytic, random);
        analytic->batch = drawnCount(1, mostBatch, random);
        analytic->parameterBytes = drawnNumber(0, 1e9, random);
        if (analytic->law)
            *analytic->law = {drawnNumber(0, 10, random), drawnNumber(1e-6, 10, random), drawnNumber(0, 10, random)};
        if (analytic->rates) *analytic->rates = {drawnNumber(1e-3, 1e12, random), drawnNumber(1e-3, 1e12, random)};
    } else {
        job.stop = {};
    }
}

/// One policy in its family with drawn parameters, drawn ones in the others, and drawn jobs and machines; where these do not go
/// together, others are drawn.
inline Scenario drawnScenario(PolicyFamily family, const std::string& id, std::uint64_t seed) {
    for (std::uint32_t attempt = 0;; ++attempt) {
        Scenario scenario = scenarioWith(family, id, seed + 1000 * attempt);
        RandomStream random(seed, Purpose::test, 81, attempt);
        for (const auto each : allFamilies) {
            Choice& choice = scenario.policies.of(each);
            choice.parameters = drawnParameters(conformanceRegistry().find(each, choice.id)->schema, random);
        }
        for (Machine& machine : scenario.cluster.machines) drawMachine(machine, random);
        for (Job& job : scenario.jobs) drawJob(job, random);
        const Problems problems = validateScenario(scenario, conformanceRegistry());
        if (!hasErrors(problems)) return scenario;
        if (attempt == 200) throw InvariantError("no scenario could be drawn: " + problems.front().text());
    }
}

} // namespace trainyard::test
