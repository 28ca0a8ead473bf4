// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/agents/JobObservation.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace trainyard {

namespace {

double meanOf(const std::vector<double>& values) {
    return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double medianOf(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    if (values.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// The longest way from an operation that depends on nothing, in dependencies, by operation.
std::vector<std::size_t> depthsOf(const SplitGraph& graph) {
    std::vector<std::size_t> out(graph.operations(), 0), waits(graph.operations(), 0), ready;
    for (std::size_t v = 0; v < graph.operations(); ++v)
        for (const SplitEdge& edge : graph.after(v)) ++waits[edge.to];
    for (std::size_t v = 0; v < graph.operations(); ++v)
        if (waits[v] == 0) ready.push_back(v);
    while (!ready.empty()) {
        const std::size_t v = ready.back();
        ready.pop_back();
        for (const SplitEdge& edge : graph.after(v)) {
            out[edge.to] = std::max(out[edge.to], out[v] + 1);
            if (--waits[edge.to] == 0) ready.push_back(edge.to);
        }
    }
    return out;
}

/// Share of the most, and whether it is the most.
void writeShare(double value, double most, float* out) {
    out[0] = most > 0 ? static_cast<float>(value / most) : 0.0F;
    out[1] = most > 0 && value == most ? 1.0F : 0.0F;
}

double mostOf(const std::vector<double>& values) { return values.empty() ? 0 : *std::ranges::max_element(values); }

nets::NetGraph<float> inputOf(const SplitGraph& graph, const std::vector<double>& seconds,
                              const std::vector<double>& memory, const std::vector<double>& bytes) {
    nets::NetGraph<float> out;
    const std::vector<std::size_t> depths = depthsOf(graph);
    const std::size_t deepest = std::max<std::size_t>(1, *std::ranges::max_element(depths));
    out.nodes.resize(graph.operations(), JobGraphs::nodeNumbers);
    for (std::size_t v = 0; v < graph.operations(); ++v) {
        float* row = out.nodes.row(v);
        writeShare(seconds[v], mostOf(seconds), row);
        writeShare(memory[v], mostOf(memory), row + 2);
        row[4] = static_cast<float>(depths[v]) / static_cast<float>(deepest);
    }
    out.edges.resize(bytes.size(), JobGraphs::edgeNumbers);
    std::vector<std::uint32_t> targets;
    for (std::size_t v = 0; v < graph.operations(); ++v)
        for (const SplitEdge& edge : graph.after(v)) {
            writeShare(edge.bytes, mostOf(bytes), out.edges.row(targets.size()));
            out.sources.push_back(static_cast<std::uint32_t>(v));
            targets.push_back(edge.to);
        }
    out.close(targets);
    return out;
}

} // namespace

JobGraphs::JobGraphs(const GraphPricer& pricer) : m_servers(pricer.blocks().network().serverCount()) {
    for (std::size_t g = 0; g < pricer.graphs(); ++g) {
        const auto graph = SplitGraph::make(pricer.graph(g), 1, pricer.setting()); // also where degree 1 is not offered
        require(static_cast<bool>(graph), "a graph that is not split is not too large");
        std::vector<double> seconds, memory, bytes;
        for (std::size_t v = 0; v < graph->operations(); ++v) {
            seconds.push_back(graph->partSeconds(v));
            memory.push_back(graph->partMemory(v));
            for (const SplitEdge& edge : graph->after(v)) bytes.push_back(edge.bytes);
        }
        m_graphs.push_back(inputOf(*graph, seconds, memory, bytes));
        m_numbers.push_back({static_cast<double>(seconds.size()), static_cast<double>(bytes.size()),
                             pricer.sequentialSeconds(g), std::accumulate(memory.begin(), memory.end(), 0.0),
                             std::accumulate(bytes.begin(), bytes.end(), 0.0), meanOf(seconds), medianOf(seconds),
                             meanOf(memory), medianOf(memory), meanOf(bytes), medianOf(bytes)});
    }
}

JobObservation::JobObservation(std::shared_ptr<const JobGraphs> graphs, const GraphWorkload& workload)
    : m_graphs(std::move(graphs)) {
    for (int n = 0; n < JobGraphs::numbers; ++n) {
        Range& range = m_ranges[static_cast<std::size_t>(n)];
        for (std::size_t g = 0; g < workload.graphs; ++g) {
            const double x = m_graphs->number(workload.number(g), static_cast<JobGraphs::Number>(n));
            range.least = g == 0 ? x : std::min(range.least, x);
            range.most = g == 0 ? x : std::max(range.most, x);
        }
    }
    if (workload.beta.values.empty()) return;
    const auto [least, most] = std::ranges::minmax(workload.beta.values);
    m_beta = {least, most};
    const Range& sequential = m_ranges[JobGraphs::sequential];
    m_acceptable = {least * sequential.least, most * sequential.most};
}

void JobObservation::write(std::uint32_t graph, double beta, const LossSystem& system,
                           std::span<const GraphOption> options, std::span<float> out) const {
    using N = JobGraphs;
    const auto number = [&](N::Number which) { return m_graphs->number(graph, which); };
    const auto place = [&](N::Number which) { return m_ranges[which].place(number(which)); };
    const auto share = [&](N::Number which) { return m_ranges[which].share(number(which)); };
    std::ranges::fill(out, 0.0F);
    std::size_t at = 0;
    for (const N::Number which : {N::operations, N::dependencies, N::sequential}) out[at++] = place(which);
    out[at++] = m_acceptable.place(beta * number(N::sequential));
    out[at++] = m_beta.place(beta);
    out[at++] = static_cast<float>(beta);
    for (const N::Number which : {N::memory, N::bytes}) out[at++] = share(which);
    out[at++] = 1; // steps, of the most
    for (const N::Number which :
         {N::meanSeconds, N::medianSeconds, N::meanMemory, N::medianMemory, N::meanBytes, N::medianBytes})
        out[at++] = share(which);
    const auto servers = static_cast<float>(m_graphs->servers());
    out[at++] = static_cast<float>(std::popcount(system.occupied())) / servers;
    out[at++] = static_cast<float>(system.running()) / servers;
    require(at == jobNumbers, "an observation has as many numbers as it says");
    out[at] = 1; // a job can always be refused
    for (const GraphOption& option : options)
        if (option.allowed && option.degree <= mostDegree) out[at + static_cast<std::size_t>(option.degree)] = 1;
}

} // namespace trainyard
