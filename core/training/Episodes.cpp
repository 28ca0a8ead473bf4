// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "training/Episodes.h"

namespace trainyard {

namespace {

GraphPricer pricerOf(const TrainingSource& source) {
    GraphPricer pricer(source.network, source.setting);
    for (const auto& graph : source.graphs) pricer.add(graph, source.steps);
    for (const double factor : source.copies)
        for (const auto& graph : source.graphs) {
            ComputationGraph copy = *graph;
            for (Operation& op : copy.operations) {
                op.forwardSeconds *= factor;
                op.backwardSeconds *= factor;
            }
            pricer.add(std::make_shared<const ComputationGraph>(std::move(copy)), source.steps);
        }
    return pricer;
}

double meanSecondsOf(const GraphPricer& pricer, const GraphWorkload& workload) {
    double sum = 0;
    for (std::size_t g = 0; g < workload.graphs; ++g) sum += pricer.sequentialSeconds(workload.number(g));
    return sum / static_cast<double>(workload.graphs);
}

} // namespace

TrainingWorld::TrainingWorld(TrainingSource source)
    : m_source(std::move(source)), m_pricer(pricerOf(m_source)),
      m_states(std::make_shared<const AfterStates>(std::make_shared<const ServerBlocks>(m_source.network))) {}

GraphWorkload TrainingWorld::workload(const DiscreteLaw& law, double gapSeconds, bool poisson) const {
    return {.graphs = m_source.graphs.size(),
            .replication = 201,
            .beta = law,
            .gapSeconds = gapSeconds,
            .poisson = poisson};
}

double TrainingWorld::meanSequentialSeconds() const {
    return meanSecondsOf(m_pricer, {.graphs = m_source.graphs.size(), .beta = {}});
}

Episode drawEpisode(const TrainingWorld& world, GraphPricer& pricer, std::uint64_t seed, std::uint32_t iteration,
                    std::uint32_t number, std::size_t arrivals) {
    const TrainingSource& source = world.source();
    RandomStream random(seed, Purpose::training, entityOf(iteration, number));
    Episode out;
    out.workload = {
        .graphs = source.graphs.size(), .replication = 40, .beta = source.laws[random.below(source.laws.size())]};
    const bool mixed = random.unit() < 0.5 && !source.copies.empty();
    const double load = source.leastLoad + (source.mostLoad - source.leastLoad) * random.unit();
    out.workload.poisson = random.unit() < source.poissonShare;
    if (mixed) {
        out.workload.graphs = 3 + random.below(5);
        for (std::size_t g = 0; g < out.workload.graphs; ++g)
            out.workload.numbers.push_back(static_cast<std::uint32_t>(random.below(pricer.graphs())));
    }
    out.workload.gapSeconds = meanSecondsOf(pricer, out.workload) / (load * source.network.serverCount());
    out.load = AfterStates::expect(pricer, out.workload);
    out.arrivals = drawArrivals(out.workload, arrivals, random.bits());
    return out;
}

DegreeRule bestFloorOf(GraphPricer& pricer, const Episode& episode, std::size_t arrivals) {
    DegreeRule best;
    int most = -1;
    for (const int k : {1, 2, 4, 6, 8}) {
        const DegreeRule rule{DegreeRule::Kind::floor, k};
        LossSystem system;
        RandomStream unused(0, Purpose::training);
        int served = 0;
        for (std::size_t i = 0; i < std::min(arrivals, episode.arrivals.size()); ++i) {
            const GraphArrival& job = episode.arrivals[i];
            system.advance(job.seconds);
            const auto chosen = chosenOption(rule, pricer, system, job.graph, job.beta, unused);
            if (!chosen || chosen->state != OptionState::inTime) continue;
            system.place(chosen->servers, job.seconds + chosen->seconds);
            ++served;
        }
        if (served <= most) continue;
        most = served;
        best = rule;
    }
    return best;
}

} // namespace trainyard
