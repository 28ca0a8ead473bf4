// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Completion times of graphs by degree and free servers of an optical cluster, computed once for each placement pattern: the shape of each
// block, and which servers they share. Not for several threads at once; a copy knows what the original has computed. Read by the loss
// system, the engine and studies.
#include "model/Job.h"
#include "planning/graphs/BlockPlacement.h"
#include "planning/graphs/GraphOption.h"

#include <map>
#include <memory>
#include <string>

namespace trainyard {

class GraphPricer {
public:
    /// Degrees are 1 and the even numbers up to `mostDegree` for which the network has a block.
    GraphPricer(const OpticalNetwork& network, const GraphSetting& setting, int mostDegree = 16);

    /// Its number, from 0. The graph has no cycle and takes time; steps ≥ 1. `within`: degrees that are offered.
    std::size_t add(std::shared_ptr<const ComputationGraph> graph, int steps, Bounds within = {1, 1 << 20});
    std::size_t graphs() const { return m_graphs.size(); }
    const ServerBlocks& blocks() const { return *m_blocks; }
    const GraphSetting& setting() const { return m_setting; }
    const std::vector<int>& degrees() const { return m_degrees; }
    /// Those of degrees() that a graph is offered: positions from `first` to before `end`.
    struct Offered {
        std::size_t first = 0, end = 0;
    };
    Offered offered(std::size_t graph) const { return m_graphs[graph].offered; }

    const ComputationGraph& graph(std::size_t graph) const { return *m_graphs[graph].graph; }
    /// Of all steps on one server.
    double sequentialSeconds(std::size_t graph) const { return m_graphs[graph].sequential; }
    /// `degree`: index in degrees(), here and below. Infinite: impossible.
    double emptySeconds(std::size_t graph, std::size_t degree) { return option(graph, degree, 0, 0).seconds; }
    /// Least of them.
    double fastestSeconds(std::size_t graph);

    /// `deadline` in seconds from now; `ending`: servers of jobs that end at this instant, which are not among the occupied ones.
    GraphOption price(std::size_t graph, std::size_t degree, double deadline, ServerMask occupied,
                      ServerMask ending = 0) {
        GraphOption out = option(graph, degree, occupied, ending);
        if (out.placeable()) out.state = meets(out.seconds, deadline) ? OptionState::inTime : OptionState::late;
        return out;
    }
    /// One for each degree that it is offered, ascending.
    void priceAll(std::size_t graph, double deadline, ServerMask occupied, std::vector<GraphOption>& out,
                  ServerMask ending = 0);
    /// Of options none of which, or not the chosen one, is in time.
    BlockedReason reasonOf(std::size_t graph, double deadline, const std::vector<GraphOption>& options);
    bool meets(double seconds, double deadline) const {
        return seconds <= (m_setting.exactDeadlines ? deadline : deadline * (1 + 1e-12));
    }

    /// Where times ignore the placement: what was kept is forgotten, as for a new episode.
    void forget();
    std::size_t lookaheads() const { return m_lookaheads; } ///< so far

    /// For timelines and views: the split graph and the blocks of its forward operations. Empty blocks: there are none.
    std::shared_ptr<const SplitGraph> split(std::size_t graph, std::size_t degree) const {
        return m_graphs[graph].splits[degree].graph;
    }
    GraphPlacement placement(std::size_t graph, std::size_t degree, ServerMask occupied) const;

private:
    struct Split {
        std::shared_ptr<const SplitGraph> graph; ///< null: too large
        bool shaped = false;                     ///< the network has shapes for all numbers of parts
        bool roomy = false;                      ///< memory never binds
        std::vector<double>
            byBlocks; ///< seconds by the blocks' numbers, mixed radix, NaN: not computed; empty: too many
        std::map<std::string, double> byPattern;
        std::map<std::vector<std::uint16_t>, double> byOperation; ///< where memory binds
        std::optional<double> first;                              ///< where times ignore the placement
    };
    struct Graph {
        std::shared_ptr<const ComputationGraph> graph;
        int steps = 1;
        double sequential = 0;
        std::optional<double> fastest;
        Offered offered;
        std::vector<Split> splits; ///< by degree
    };

    GraphOption option(std::size_t graph, std::size_t degree, ServerMask occupied, ServerMask ending);
    /// Sets servers, seconds and state.
    void place(Graph& graph, Split& split, ServerMask occupied, GraphOption& out);
    void placeInMemory(Graph& graph, Split& split, ServerMask occupied, GraphOption& out);
    double secondsOf(Graph& graph, Split& split, const std::vector<std::uint16_t>& blocks);
    double lookedAhead(Graph& graph, Split& split, const GraphPlacement& placement);

    std::shared_ptr<const ServerBlocks> m_blocks;
    GraphSetting m_setting;
    std::vector<int> m_degrees;
    std::vector<Graph> m_graphs;
    std::size_t m_lookaheads = 0;
};

} // namespace trainyard
