// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// An optical cluster so small that what can be served of arrivals at fixed gaps, each graph and deadline equally and independently likely, is a
// Markov decision problem that dynamic programming solves: by value iteration over all states that decisions lead to.
#include "planning/graphs/GraphArrivals.h"

#include <cmath>
#include <functional>
#include <map>

namespace trainyard::test {

class ToyLossProblem {
public:
    using Chooser =
        std::function<std::optional<std::size_t>(const LossSystem&, const GraphArrival&, std::span<const GraphOption>)>;

    ToyLossProblem(GraphPricer pricer, GraphWorkload workload)
        : m_pricer(std::move(pricer)), m_workload(std::move(workload)) {
        stateOf({});
        for (std::size_t s = 0; s < m_states.size(); ++s) explore(s);
    }
    std::size_t states() const { return m_states.size(); }

    /// The least share of arrivals that any policy blocks; `mayRefuse`: also a job for which some degree is in time.
    double leastBlocking(bool mayRefuse = true) const {
        return blocking([&](const Decision& decision, const std::vector<double>& values) {
            double best = mayRefuse || decision.inTime.empty() ? values[decision.refused] : -1e9;
            for (const auto& [option, next] : decision.inTime) best = std::max(best, 1 + values[next]);
            return best;
        });
    }
    /// What a policy without memory blocks.
    double blockingOf(const Chooser& choose) const {
        std::map<const Decision*, std::optional<std::size_t>> chosen;
        for (std::size_t s = 0; s < m_states.size(); ++s)
            for (const Decision& decision : m_decisions[s])
                chosen[&decision] = choose(systemOf(m_states[s]), {decision.graph, 0, decision.beta}, decision.options);
        return blocking([&](const Decision& decision, const std::vector<double>& values) {
            for (const auto& [option, next] : decision.inTime)
                if (chosen.at(&decision) == option) return 1 + values[next];
            return values[decision.refused];
        });
    }

private:
    /// Jobs that run when one arrives: servers, and nanoseconds left.
    using State = std::map<ServerMask, std::int64_t>;
    struct Decision {
        std::uint32_t graph = 0;
        double beta = 1, probability = 0;
        std::vector<GraphOption> options;
        std::size_t refused = 0;                                 ///< the state that follows
        std::vector<std::pair<std::size_t, std::size_t>> inTime; ///< option, and the state that follows
    };

    static LossSystem systemOf(const State& state) {
        LossSystem out;
        for (const auto& [servers, left] : state) out.place(servers, static_cast<double>(left) * 1e-9);
        return out;
    }
    std::size_t stateOf(const State& state) {
        const auto [at, isNew] = m_numbers.emplace(state, m_states.size());
        if (isNew) m_states.push_back(state);
        return at->second;
    }
    std::size_t afterGap(State state) {
        const auto gap = std::llround(m_workload.gapSeconds * 1e9);
        for (auto& [servers, left] : state) left -= gap;
        std::erase_if(state, [](const auto& job) { return job.second <= 0; });
        return stateOf(state);
    }
    void explore(std::size_t s) {
        const State state = m_states[s];
        std::vector<Decision>& decisions = m_decisions.emplace_back();
        const LossSystem system = systemOf(state);
        for (std::uint32_t g = 0; g < m_workload.graphs; ++g)
            for (std::size_t b = 0; b < m_workload.beta.values.size(); ++b) {
                Decision& d = decisions.emplace_back();
                d.graph = g;
                d.beta = m_workload.beta.values[b];
                d.probability = m_workload.beta.probabilities[b] / static_cast<double>(m_workload.graphs);
                m_pricer.priceAll(g, d.beta * m_pricer.sequentialSeconds(g), system.occupied(), d.options);
                d.refused = afterGap(state);
                for (std::size_t i = 0; i < d.options.size(); ++i) {
                    if (d.options[i].state != OptionState::inTime) continue;
                    State next = state;
                    next.emplace(d.options[i].servers, std::llround(d.options[i].seconds * 1e9));
                    d.inTime.emplace_back(i, afterGap(std::move(next)));
                }
            }
    }
    /// Of a policy by its values: relative value iteration, each step half of the time none, so that no period remains.
    double blocking(const std::function<double(const Decision&, const std::vector<double>&)>& act) const {
        std::vector<double> values(m_states.size(), 0.0), next(values.size());
        double least = 0, most = 1;
        for (int i = 0; i < 200'000 && most - least > 1e-9; ++i) {
            least = 1;
            most = 0;
            for (std::size_t s = 0; s < values.size(); ++s) {
                double sum = 0;
                for (const Decision& decision : m_decisions[s]) sum += decision.probability * act(decision, values);
                least = std::min(least, sum - values[s]);
                most = std::max(most, sum - values[s]);
                next[s] = values[s] + (sum - values[s]) / 2;
            }
            for (std::size_t s = 0; s < values.size(); ++s) values[s] = next[s] - next[0];
        }
        return 1 - (least + most) / 2;
    }

    GraphPricer m_pricer;
    GraphWorkload m_workload;
    std::map<State, std::size_t> m_numbers;
    std::vector<State> m_states;
    std::vector<std::vector<Decision>> m_decisions; ///< by state
};

} // namespace trainyard::test
