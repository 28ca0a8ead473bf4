// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Random scenarios from a seed, which reach every field of the format and every parameter of every policy, model, data set and
// optimizer: for property tests of the format, the engine and the policies. Every scenario made here is valid in structure; with
// `runnable` it is also what `validate` accepts, and of a size that a test can run.
#include "policy/keys/KeySampler.h"
#include "scenario/EntityFields.h"
#include "scenario/KeyedModels.h"
#include "scenario/RunRequirements.h"
#include "scenario/ScenarioFields.h"
#include "support/FieldDrawer.h"
#include "support/SuitedAgents.h"

#include <algorithm>
#include <set>

namespace trainyard::test {

class RandomScenarioMaker {
public:
    RandomScenarioMaker(std::uint64_t seed, const RandomScenarioOptions& options)
        : m_seed(seed), m_options(options), m_builtin(options.registry ? Registry{} : Registry::builtin()) {
        if (!m_options.registry) m_options.registry = &m_builtin;
    }

    Scenario make() {
        for (std::uint32_t attempt = 0; attempt < 100; ++attempt) {
            Scenario scenario = drawnScenario(attempt);
            if (!m_options.runnable) return scenario;
            if (!mended(scenario, attempt)) continue;
            if (m_options.runnable) suitAgents(scenario, *m_options.registry);
            for (Job& job : scenario.jobs) boundToAct(job.synchronization);
            boundToAct(scenario.policies.synchronization);
            return scenario;
        }
        throw InvariantError("no scenario can be drawn from seed " + std::to_string(m_seed));
    }

private:
    Scenario drawnScenario(std::uint32_t attempt) {
        RandomStream random(m_seed, Purpose::test, 77, attempt);
        Scenario scenario;
        FieldDrawer drawer(random, scenario, m_options);
        scenarioFields(drawer, scenario);
        for (Job& job : scenario.jobs) endInTime(job);
        if (m_options.runnable) makeServersAlike(scenario.cluster);
        return scenario;
    }
    /// Runs are short: a staleness bound that some of them come to.
    void boundToAct(Choice& synchronization) const {
        if (synchronization.id == "ssp")
            synchronization.parameters["staleness"] = static_cast<std::int64_t>(m_seed % 3);
    }
    /// As jobs that are admitted at once need them.
    static void makeServersAlike(Cluster& cluster) {
        if (!cluster.ramp) return;
        for (std::size_t m = 0; m < cluster.machines.size() && int(m) < cluster.ramp->serverCount(); ++m) {
            cluster.machines[m].capacity = cluster.machines.front().capacity;
            cluster.machines[m].device = cluster.machines.front().device;
            cluster.machines[m].straggler = {};
        }
    }
    /// A keyed job that validation accepts, of keys so few that a run of them takes no time.
    void makeKeyedRunnable(Job& job) const {
        auto* work = std::get_if<AnalyticWork>(&job.work);
        if (!m_options.runnable || !work) return;
        if (work->access != AccessKind::keyed) {
            work->keyed.reset();
            return;
        }
        KeyedAccess keyed = work->keyed.value_or(KeyedAccess{});
        keyed.keys = std::min<std::int64_t>(keyed.keys, 1000);
        keyed.valuesPerKey = std::min(keyed.valuesPerKey, 8);
        keyed.lookAhead = std::min(keyed.lookAhead, 64);
        keyed.localizeEvery = std::min(keyed.localizeEvery, 64);
        // Thousands of accesses, on machines that may be a million times slower, end before the end of time.
        for (double* seconds : {&keyed.costs.pullSeconds, &keyed.costs.pushSeconds, &keyed.costs.messageSeconds,
                                &keyed.costs.perKeySeconds, &work->secondsPerSample})
            *seconds = std::min(*seconds, 1e-3);
        work->batch = std::min(work->batch, 64);
        const bool trains = keyed.task.has_value();
        if (trains) makeTaskRunnable(keyed);
        work->keyed = std::move(keyed);
        const auto keys = static_cast<double>(withKeyedSizes(job).keyedAccess()->keys);
        std::erase_if(work->keyed->watchedRanks, [&](double rank) { return rank > keys; });
        work->batchOf = BatchOf::worker;
        work->law.reset();
        work->rates.reset();
        job.servers = {0, 0};
        job.workersPerServer.reset();
        job.onFailure = FailureReaction::restart;
        job.synchronization = {m_seed % 2 == 0 ? "async" : "ssp", {}};
        if (!trains) job.stop.loss.reset();
        job.stop.iterations = std::min<std::int64_t>(job.stop.iterations.value_or(2000), 2000);
    }
    /// A task has sizes of its own; its scheme keeps to its level.
    static void makeTaskRunnable(KeyedAccess& keyed) {
        const KeyedAccess fresh;
        keyed.keys = fresh.keys;
        keyed.valuesPerKey = fresh.valuesPerKey;
        keyed.exponent = fresh.exponent;
        keyed.permutationSeed = fresh.permutationSeed;
        keyed.workerSeed = fresh.workerSeed;
        keyed.shiftEvery = fresh.shiftEvery;
        keyed.push = fresh.push;
        keyed.optimizer = fresh.optimizer;
        keyed.step = fresh.step;
        KeyedSampling& sampling = keyed.task->sampling;
        if (sampling.scheme != SamplingScheme::byLevel)
            sampling.level = std::max(sampling.level, conformityOf(sampling.scheme));
    }
    /// A target loss alone may never be reached.
    void endInTime(Job& job) const {
        makeKeyedRunnable(job);
        if (m_options.runnable && job.kind() != JobKind::graph && !job.stop.epochs && !job.stop.seconds &&
            !job.stop.iterations)
            job.stop.iterations = 20;
    }
    /// Draws what validateScenario refuses anew, until nothing is left; false: it will not do.
    bool mended(Scenario& scenario, std::uint32_t attempt) const {
        for (std::uint32_t round = 1; round <= 60; ++round) {
            Problems problems = validateScenario(scenario, *m_options.registry);
            if (!hasErrors(problems)) problems = runRefusals(scenario, ResourcePaths::find({}));
            if (!hasErrors(problems)) return true;
            // Most jobs read everything, and only static serves those.
            const auto isIncompatible = [](const Problem& p) { return p.code == "incompatible"; };
            if (round % 4 == 0 && std::ranges::any_of(problems, isIncompatible))
                scenario.policies.parameters = {"static", {}};
            std::set<EntityRef> refused;
            for (const Problem& problem : problems)
                if (problem.severity == Severity::error) refused.insert(entityAt(scenario, problem.pointer).first);
            for (const EntityRef entity : refused) drawAnew(scenario, entity, 100 * (attempt + 1) + round);
        }
        return false;
    }
    void drawAnew(Scenario& scenario, EntityRef entity, std::uint32_t item) const {
        RandomStream random(
            m_seed, Purpose::test,
            entityOf(78 + static_cast<std::uint32_t>(entity.kind), static_cast<std::uint32_t>(entity.index)), item);
        FieldDrawer drawer(random, scenario, m_options);
        const auto& resources = scenario.cluster.resourceNames;
        switch (entity.kind) {
        case EntityRef::Kind::job: {
            Job job;
            jobFields(drawer, job, resources, false);
            job.key = scenario.jobs[entity.index].key;
            endInTime(job);
            scenario.jobs[entity.index] = std::move(job);
            return;
        }
        case EntityRef::Kind::generator: {
            JobGenerator generator;
            generatorFields(drawer, generator, resources);
            generator.key = scenario.generators[entity.index].key;
            endInTime(generator.job);
            for (JobTemplate& other : generator.others) endInTime(other.job);
            scenario.generators[entity.index] = std::move(generator);
            return;
        }
        case EntityRef::Kind::variant: {
            Variant variant;
            variantFields(drawer, variant);
            variant.name = scenario.variants[entity.index].name;
            scenario.variants[entity.index] = std::move(variant);
            return;
        }
        case EntityRef::Kind::fault:
            scenario.faults[entity.index] = {};
            faultFields(drawer, scenario.faults[entity.index]);
            return;
        case EntityRef::Kind::machine: {
            Machine& machine = scenario.cluster.machines[entity.index];
            machine = {.key = machine.key, .capacity = machine.capacity, .rack = machine.rack};
            return;
        }
        default: {
            Scenario other = scenario;
            settingsFields(drawer, other);
            scenario.policies = other.policies;
            scenario.curves = other.curves;
            namedGraphFields(drawer, scenario);
            scenario.expect = other.expect;
        }
        }
    }

    std::uint64_t m_seed;
    RandomScenarioOptions m_options;
    Registry m_builtin;
};

inline Scenario randomScenario(std::uint64_t seed, const RandomScenarioOptions& options = {}) {
    return RandomScenarioMaker(seed, options).make();
}

} // namespace trainyard::test
