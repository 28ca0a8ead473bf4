// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How an agent is trained: the configuration that `trainyard-cli train` reads. JSON, described once, as scenarios are: the same description
// reads it, writes it and makes its schema.
#include "base/Result.h"
#include "model/OpticalNetwork.h"
#include "planning/agents/NetShape.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace trainyard {

/// Budgets are counts, never times, so that a training is the same on every machine.
struct TrainingSettings {
    std::vector<std::size_t> hidden{64, 32}; ///< widths of the layers of the net, and of that of values
    bool mayRefuse = false;                  ///< a job may be refused though an option is in time
    int warmUp = 200;                        ///< arrivals of an episode before those that are learned from

    int distillIterations = 60;
    int distillEpisodes = 128, distillArrivals = 32; ///< of an iteration; those that are labelled of each episode
    int futures = 4, futureArrivals = 48;            ///< of a label
    double exploration = 0.1;                        ///< share of arrivals at which any option in time is taken
    double distillRate = 2e-3;                       ///< learning rates fall linearly to a tenth
    int distillBatch = 256;                          ///< decisions

    int valueIterations = 10, policyIterations = 240; ///< for each law
    int episodes = 128, arrivals = 96;                ///< of an iteration; those that are learned from of each episode
    double discount = 0.98, lambda = 0.95;
    double policyRate = 1e-3, valueRate = 1e-3;
    double clip = 0.2, entropy = 0.01, temperature = 0.1;
    int epochs = 3, batch = 1024;
    int validateEvery = 30; ///< iterations
    friend bool operator==(const TrainingSettings&, const TrainingSettings&) = default;
};

/// Of a net of the paper's shape: double Q-learning (van Hasselt et al., Deep reinforcement learning with double Q-learning, 2016) with
/// returns over several arrivals and prioritised replay (Schaul et al., Prioritized experience replay, 2016).
struct QLearningSettings {
    std::vector<std::size_t> hidden{256, 256}; ///< widths of the hidden layer, then of those of each head
    int iterations = 600;
    int demonstrations = 60; ///< iterations from the first on in which half of the episodes are played by a floor rule
    int episodes = 64, arrivals = 64; ///< of an iteration; those that are learned from of each episode
    int warmUp = 100;                 ///< arrivals of an episode before those
    int replay = 60;                  ///< iterations whose arrivals are kept
    int returns = 3;                  ///< arrivals until the value of the state is taken
    int updates = 8, batch = 512;     ///< of an iteration; arrivals of an update
    int targetEvery = 200;            ///< updates
    double rate = 5e-4;               ///< falls linearly to a tenth
    double discount = 0.98;
    double priority = 0.6, importance = 0.4;               ///< exponents
    double mostExploration = 0.5, leastExploration = 0.02; ///< share of random degrees; falls over the first half
    int validateEvery = 50;                                ///< iterations
    friend bool operator==(const QLearningSettings&, const QLearningSettings&) = default;
};

struct SeedRange {
    std::uint64_t first = 1001;
    std::size_t count = 10;
    bool overlaps(const SeedRange& other) const {
        return first < other.first + other.count && other.first < first + count;
    }
    friend bool operator==(const SeedRange&, const SeedRange&) = default;
};

/// What one net is distilled for, and then improved for each law; or nets of the paper's shape, each trained for a law.
struct AgentTask {
    NetShape net = NetShape::afterStates;
    GraphRules rules = GraphRules::corrected;
    std::vector<std::string> laws;           ///< of β: names of tables in resources/laws, without .csv
    double leastLoad = 0.4, mostLoad = 0.95; ///< sequential seconds that arrive per second and server
    double poissonShare = 0.25;              ///< of episodes; the others have fixed gaps
    std::vector<double> copies;              ///< factors of computing times of copies of the graphs in mixtures
    std::vector<double> validationLoads;     ///< fixed gaps; the candidate with the least mean blocking is kept
    TrainingSettings settings;               ///< of nets that score after-states
    QLearningSettings learning;              ///< of graph networks

    bool distils() const { return net == NetShape::afterStates; } ///< once, before it trains for each law
    std::size_t stages() const { return laws.size() + (distils() ? 1 : 0); }
    int validateEvery() const { return distils() ? settings.validateEvery : learning.validateEvery; }
    friend bool operator==(const AgentTask&, const AgentTask&) = default;
};

struct AgentPlan {
    static constexpr int version = 1;
    std::string title, notes;
    std::uint64_t seed = 1;
    std::vector<std::string> graphs; ///< ids of those that ship, or names of profiles (NAME.txt) in a directory given
    bool profiles = false;
    int steps = 50; ///< of a job
    OpticalNetwork network;
    SeedRange validation{1001, 10}, test{1, 20};
    int validationArrivals = 1001;
    std::vector<AgentTask> tasks;
    friend bool operator==(const AgentPlan&, const AgentPlan&) = default;
};

/// Problems with file, line and pointer: syntax, "not-a-training", "unknown-version", unknown and missing keys, ranges, "no-graphs",
/// "no-laws", "seeds-overlap", "unknown-id" of graphs that do not ship.
Result<AgentPlan> readAgentPlan(const std::filesystem::path& file);
Result<AgentPlan> parseAgentPlan(std::string_view text, const std::string& name);
/// Canonical JSON, ending in a newline: two plans are the same where it is.
std::string writeAgentPlan(const AgentPlan& plan);
/// JSON Schema 2020-12, as resources/agents/schema.json has it.
std::string agentPlanSchema();

} // namespace trainyard
