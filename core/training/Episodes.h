// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What agents are trained on: stretches of arrivals at an optical cluster, each with a law of deadlines, a load and graphs of its own. Half of
// them have the graphs as they are; the others have mixtures of copies that take longer or shorter to compute beside the same communication,
// which carries over to graphs that were never seen.
#include "planning/agents/DegreeNet.h"
#include "planning/graphs/DegreeRules.h"

namespace trainyard {

/// What episodes are drawn from.
struct TrainingSource {
    OpticalNetwork network;
    GraphSetting setting;
    std::vector<std::shared_ptr<const ComputationGraph>> graphs; ///< with times as the setting wants them
    int steps = 50;
    std::vector<DiscreteLaw> laws;
    double leastLoad = 0.4, mostLoad = 0.95;       ///< sequential seconds that arrive per second and server
    double poissonShare = 0.25;                    ///< of episodes
    std::vector<double> copies{0.35, 0.6, 1.7, 3}; ///< factors of computing times in mixtures; none: no mixtures
};

/// The same for all episodes; immutable.
class TrainingWorld {
public:
    explicit TrainingWorld(TrainingSource source);
    /// The same with other laws.
    TrainingWorld withLaws(std::vector<DiscreteLaw> laws) const {
        TrainingWorld out = *this;
        out.m_source.laws = std::move(laws);
        return out;
    }
    const TrainingSource& source() const { return m_source; }
    const GraphPricer& pricer() const { return m_pricer; } ///< the graphs, then their copies
    const std::shared_ptr<const AfterStates>& states() const { return m_states; }
    /// Graphs as they are.
    GraphWorkload workload(const DiscreteLaw& law, double gapSeconds, bool poisson) const;
    double meanSequentialSeconds() const;

private:
    TrainingSource m_source;
    GraphPricer m_pricer;
    std::shared_ptr<const AfterStates> m_states;
};

struct Episode {
    GraphWorkload workload;
    ExpectedLoad load;
    std::vector<GraphArrival> arrivals;
    LossSystem system;
    std::size_t next = 0; ///< position of the arrival that is decided next

    const GraphArrival& arrival() const { return arrivals[next]; }
};

/// A pure function of the world, the seed and the two numbers. The pricer is asked for times on the empty cluster.
Episode drawEpisode(const TrainingWorld& world, GraphPricer& pricer, std::uint64_t seed, std::uint32_t iteration,
                    std::uint32_t number, std::size_t arrivals);

/// Of floor rules, the one that serves most of the first of its arrivals.
DegreeRule bestFloorOf(GraphPricer& pricer, const Episode& episode, std::size_t arrivals);

} // namespace trainyard
