// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/graphs/GraphPricer.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard {

namespace {

constexpr std::uint64_t mostDirect = std::uint64_t{1} << 18;
constexpr std::size_t mostSizes = 40; ///< distinct numbers of parts: 1 and the even ones up to 64

/// The shape of each block, and for each of its servers the place at which that appears first among all: what a completion time depends
/// on. All-reduces are among the servers of one block, and messages one to one take equally long wherever they go.
std::string patternOf(const std::vector<int>& sizes, const std::vector<std::uint16_t>& chosen,
                      const ServerBlocks& blocks) {
    std::string out;
    std::vector<std::uint8_t> seen;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const ServerBlock& block = blocks.blocks(sizes[i])[chosen[i]];
        out += static_cast<char>(block.shape);
        for (const std::uint8_t s : block.servers) {
            const auto at = std::find(seen.begin(), seen.end(), s);
            out += static_cast<char>(at - seen.begin());
            if (at == seen.end()) seen.push_back(s);
        }
    }
    return out;
}

} // namespace

GraphPricer::GraphPricer(const OpticalNetwork& network, const GraphSetting& setting, int mostDegree)
    : m_blocks(std::make_shared<const ServerBlocks>(network)), m_setting(setting) {
    for (int d = 1; d <= mostDegree && d <= network.serverCount(); d += d == 1 ? 1 : 2)
        if (!m_blocks->blocks(d).empty()) m_degrees.push_back(d);
}

std::size_t GraphPricer::add(std::shared_ptr<const ComputationGraph> graph, int steps, Bounds within) {
    Graph& added = m_graphs.emplace_back();
    added.graph = std::move(graph);
    added.steps = steps;
    added.sequential = steps * added.graph->sequentialSeconds();
    const auto at = [&](int degree) {
        return static_cast<std::size_t>(std::lower_bound(m_degrees.begin(), m_degrees.end(), degree) -
                                        m_degrees.begin());
    };
    added.offered.first = at(within.minimum);
    added.offered.end = std::max(added.offered.first, at(within.maximum + 1));
    for (const int d : m_degrees) {
        Split& split = added.splits.emplace_back();
        if (d < within.minimum || d > within.maximum) continue;
        auto made = SplitGraph::make(*added.graph, d, m_setting);
        if (!made) continue;
        split.graph = std::make_shared<const SplitGraph>(std::move(*made));
        split.roomy = memoryNeverBinds(*split.graph, m_blocks->network().memoryBytes);
        const auto& sizes = split.graph->sizes();
        split.shaped = sizes.size() <= mostSizes &&
                       std::all_of(sizes.begin(), sizes.end(), [&](int k) { return !m_blocks->blocks(k).empty(); });
        std::uint64_t all = 1;
        for (const int k : sizes) all = std::min(all * m_blocks->blocks(k).size(), mostDirect + 1);
        if (split.shaped && all <= mostDirect) split.byBlocks.assign(all, std::nan(""));
    }
    return m_graphs.size() - 1;
}

GraphOption GraphPricer::option(std::size_t graph, std::size_t degree, ServerMask occupied, ServerMask ending) {
    Graph& g = m_graphs[graph];
    Split& split = g.splits[degree];
    GraphOption out{.degree = m_degrees[degree]};
    const bool possible = split.graph && split.shaped;
    const ServerMask counted = m_setting.endingJobsHoldServers ? occupied | ending : occupied;
    const int free = m_blocks->network().serverCount() - std::popcount(counted);
    out.allowed = out.degree <= free && (possible || m_setting.impossibleDegreesOffered);
    if (!possible)
        out.state = OptionState::impossible;
    else if (out.degree <= free)
        split.roomy ? place(g, split, occupied, out) : placeInMemory(g, split, occupied, out);
    return out;
}

void GraphPricer::place(Graph& graph, Split& split, ServerMask occupied, GraphOption& out) {
    out.state = OptionState::noBlock;
    std::array<std::uint16_t, mostSizes> chosen;
    std::size_t count = 0;
    std::uint64_t number = 0;
    ServerMask servers = 0;
    for (const int parts : split.graph->sizes()) {
        const int first = m_blocks->firstFree(parts, occupied);
        if (first < 0) return;
        chosen[count++] = static_cast<std::uint16_t>(first);
        const auto& blocks = m_blocks->blocks(parts);
        servers |= blocks[static_cast<std::size_t>(first)].mask;
        number = number * blocks.size() + static_cast<std::uint64_t>(first);
    }
    out.servers = servers;
    out.state = OptionState::late;
    const auto compute = [&] {
        return secondsOf(graph, split, {chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(count)});
    };
    if (m_setting.timesIgnorePlacement) {
        if (!split.first) split.first = compute();
        out.seconds = *split.first;
        return;
    }
    if (split.byBlocks.empty()) {
        out.seconds = compute();
        return;
    }
    double& known = split.byBlocks[number];
    if (std::isnan(known)) known = compute();
    out.seconds = known;
}

void GraphPricer::placeInMemory(Graph& graph, Split& split, ServerMask occupied, GraphOption& out) {
    const auto chosen = firstFitInMemory(*graph.graph, *split.graph, *m_blocks, occupied);
    out.state = OptionState::noBlock;
    if (!chosen) {
        if (occupied == 0 || !firstFitInMemory(*graph.graph, *split.graph, *m_blocks, 0))
            out.state = OptionState::impossible;
        return;
    }
    GraphPlacement placement;
    for (std::size_t v = 0; v < chosen->size(); ++v) {
        const ServerBlock& block = m_blocks->blocks(split.graph->parts(v))[(*chosen)[v]];
        placement.emplace_back(block.servers);
        out.servers |= block.mask;
    }
    out.state = OptionState::late;
    double& known = split.byOperation.emplace(*chosen, std::nan("")).first->second;
    if (std::isnan(known)) known = lookedAhead(graph, split, placement);
    if (m_setting.timesIgnorePlacement && !split.first) split.first = known;
    out.seconds = m_setting.timesIgnorePlacement ? *split.first : known;
}

double GraphPricer::secondsOf(Graph& graph, Split& split, const std::vector<std::uint16_t>& blocks) {
    double& known =
        split.byPattern.emplace(patternOf(split.graph->sizes(), blocks, *m_blocks), std::nan("")).first->second;
    if (std::isnan(known)) known = lookedAhead(graph, split, placementOf(*split.graph, *m_blocks, {blocks, 0}));
    return known;
}

double GraphPricer::lookedAhead(Graph& graph, Split& split, const GraphPlacement& placement) {
    ++m_lookaheads;
    return graph.steps * lookAhead(*split.graph, placement, m_blocks->network(), m_setting).seconds;
}

double GraphPricer::fastestSeconds(std::size_t graph) {
    std::optional<double>& fastest = m_graphs[graph].fastest;
    if (!fastest) {
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t d = offered(graph).first; d < offered(graph).end; ++d)
            least = std::min(least, emptySeconds(graph, d));
        fastest = least;
    }
    return *fastest;
}

void GraphPricer::priceAll(std::size_t graph, double deadline, ServerMask occupied, std::vector<GraphOption>& out,
                           ServerMask ending) {
    out.clear();
    for (std::size_t d = offered(graph).first; d < offered(graph).end; ++d)
        out.push_back(price(graph, d, deadline, occupied, ending));
}

BlockedReason GraphPricer::reasonOf(std::size_t graph, double deadline, const std::vector<GraphOption>& options) {
    const auto any = [&](auto is) { return std::any_of(options.begin(), options.end(), is); };
    if (any([](const GraphOption& o) { return o.state == OptionState::inTime; })) return BlockedReason::byChoice;
    if (!meets(fastestSeconds(graph), deadline)) return BlockedReason::impossible;
    return any([](const GraphOption& o) { return o.placeable(); }) ? BlockedReason::tooSlow : BlockedReason::noBlock;
}

void GraphPricer::forget() {
    for (Graph& g : m_graphs) {
        g.fastest.reset();
        for (Split& s : g.splits) s.first.reset();
    }
}

GraphPlacement GraphPricer::placement(std::size_t graph, std::size_t degree, ServerMask occupied) const {
    const Graph& g = m_graphs[graph];
    const Split& split = g.splits[degree];
    if (!split.graph || !split.shaped) return {};
    if (split.roomy) {
        const auto choice = firstFit(split.graph->sizes(), *m_blocks, occupied);
        return choice ? placementOf(*split.graph, *m_blocks, *choice) : GraphPlacement{};
    }
    const auto chosen = firstFitInMemory(*g.graph, *split.graph, *m_blocks, occupied);
    GraphPlacement out;
    for (std::size_t v = 0; chosen && v < chosen->size(); ++v)
        out.emplace_back(m_blocks->blocks(split.graph->parts(v))[(*chosen)[v]].servers);
    return out;
}

} // namespace trainyard
