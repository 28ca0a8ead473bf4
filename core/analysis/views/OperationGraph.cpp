// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The operations of a graph job and into how many parts each is split, in layers from the first to the last; large graphs by groups of
// layers.
#include "analysis/AdmissionCourse.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard {

namespace operation_graph_view {

constexpr std::size_t mostNodes = 80;

/// How many operations lie before each on the longest way to it.
std::vector<std::size_t> layersOf(const ComputationGraph& graph) {
    std::vector<std::size_t> layer(graph.operations.size(), 0);
    std::vector<std::vector<std::uint32_t>> after(graph.operations.size());
    for (const Dependency& d : graph.dependencies) after[d.from].push_back(d.to);
    for (const std::uint32_t v : graph.topologicalOrder())
        for (const std::uint32_t w : after[v]) layer[w] = std::max(layer[w], layer[v] + 1);
    return layer;
}

/// Operations that are one node: an operation by itself, or all of some layers that have as many parts.
struct Group {
    std::size_t layer = 0;
    int parts = 1;
    std::size_t operations = 0;
    double seconds = 0; ///< of their parts, forward and backward
    std::string first;
};

/// Layers in rows, forth and back, so that a deep net fills the picture and its nodes have room for words.
class Rows {
public:
    static constexpr double wide = 3, high = 0.75; ///< of a node
    explicit Rows(const std::vector<Group>& groups) {
        constexpr double usual = 3.2; // width of a picture, as a multiple of its height
        std::size_t layers = 0, most = 0;
        std::map<std::size_t, std::size_t> inLayer;
        for (const Group& group : groups) {
            layers = std::max(layers, group.layer + 1);
            most = std::max(most, ++inLayer[group.layer]);
        }
        const double area = usual * static_cast<double>(layers) * (down * static_cast<double>(most) + between) / across;
        const std::size_t rows = layers / (static_cast<std::size_t>(std::sqrt(area)) + 1) + 1;
        m_columns = (layers + rows - 1) / rows;
        m_tops.assign(rows + 1, 0);
        for (std::size_t row = 0; row < rows; ++row) {
            std::size_t deepest = 0;
            for (const auto& [layer, nodes] : inLayer)
                if (layer / m_columns == row) deepest = std::max(deepest, nodes);
            m_tops[row + 1] = m_tops[row] + down * static_cast<double>(deepest) + between;
        }
    }
    double x(std::size_t layer) const {
        const std::size_t row = layer / m_columns, column = layer % m_columns;
        return across * static_cast<double>(row % 2 == 0 ? column : m_columns - 1 - column);
    }
    double y(std::size_t layer, std::size_t before) const {
        return m_tops[layer / m_columns] + down * static_cast<double>(before);
    }

private:
    static constexpr double across = 3.7, down = 1.15, between = 0.6;
    std::size_t m_columns = 1;
    std::vector<double> m_tops;
};

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT(
            "The operations of a step, forward; the backward pass mirrors them on the same servers. Behind each stands into how many "
            "parts it is split, its colour tells how long a part takes both ways. Rows go forth and back. Short operations are split less. In large graphs a "
            "node is all operations of neighbouring layers that have as many parts."),
        {}};
    const auto nothing = [&](Text why) {
        Diagram empty;
        empty.empty = std::move(why);
        empty.meaning = meaning;
        return empty;
    };
    if (!hasAdmissions(request.run.workload()))
        return nothing(
            {TRAINYARD_TEXT(
                 "No job is admitted at once: jobs say so by \"admission\", and the cluster needs \"ramp\"."),
             {}});
    const auto* arrival = request.run.foldSoFar<AdmissionCourse>().arrivalOf(request.job, request.at);
    if (!arrival) return nothing({TRAINYARD_TEXT("No job that is admitted at once has arrived by now."), {}});
    const Workload& workload = request.run.workload();
    const ComputationGraph& graph = std::get<GraphWork>(workload.job(arrival->job).work).computation();
    const GraphSetting setting = GraphSetting::of(*workload.cluster.ramp);
    const int degree = std::max(1, arrival->degree);
    const auto layers = layersOf(graph);
    const std::size_t depth = *std::ranges::max_element(layers) + 1;
    const bool whole = graph.operations.size() <= mostNodes;
    const std::size_t perGroup = whole ? 1 : (depth + mostNodes / 2 - 1) / (mostNodes / 2);
    std::vector<Group> groups;
    std::vector<std::size_t> groupOf(graph.operations.size());
    std::map<std::pair<std::size_t, int>, std::size_t> known;
    for (std::size_t v = 0; v < graph.operations.size(); ++v) {
        const Operation& op = graph.operations[v];
        const int parts = partsOf(op, degree, setting);
        const auto [at, fresh] = known.try_emplace({layers[v] / perGroup, parts}, groups.size());
        if (whole || fresh) at->second = groups.size();
        groupOf[v] = at->second;
        if (whole || fresh) groups.push_back({.layer = layers[v] / perGroup, .parts = parts, .first = op.name});
        ++groups[groupOf[v]].operations;
        groups[groupOf[v]].seconds += (op.forwardSeconds + op.backwardSeconds) / parts;
    }
    Diagram diagram;
    const Rows rows(groups);
    std::map<std::size_t, std::size_t> inLayer;
    for (const Group& group : groups) {
        Node& node = diagram.nodes.emplace_back();
        node.id = std::to_string(diagram.nodes.size()) + " " + group.first;
        node.x = rows.x(group.layer);
        node.y = rows.y(group.layer, inLayer[group.layer]++);
        node.shape = Node::Shape::box;
        node.width = Rows::wide;
        node.height = Rows::high;
        node.value = group.seconds;
        node.label = group.operations == 1 ? Text{"{0} ×{1}", {group.first, std::to_string(group.parts)}}
                                           : Text{TRAINYARD_TEXT("{0} operations ×{1}"),
                                                  {std::to_string(group.operations), std::to_string(group.parts)}};
        node.note = {TRAINYARD_TEXT("{0}: {1} a part, both ways"),
                     {node.label.english(), quantityText(group.seconds, "s")}};
    }
    diagram.scale.title = {TRAINYARD_TEXT("time of a part (s)"), {}};
    diagram.scale.to = 1e-9;
    for (const Group& group : groups) diagram.scale.to = std::max(diagram.scale.to, group.seconds);
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> edges;
    for (const Dependency& d : graph.dependencies)
        if (groupOf[d.from] != groupOf[d.to]) ++edges[{groupOf[d.from], groupOf[d.to]}];
    for (const auto& [ends, times] : edges) diagram.edges.push_back({.from = ends.first, .to = ends.second});
    std::size_t parts = 0;
    for (const Operation& op : graph.operations) parts += 2 * static_cast<std::size_t>(partsOf(op, degree, setting));
    diagram.legend = {legendItem({TRAINYARD_TEXT("job {0}"), {request.run.jobName(arrival->job)}}),
                      legendItem({TRAINYARD_TEXT("operations, forward"), {}}, count(graph.operations.size())),
                      legendItem({TRAINYARD_TEXT("parts, both ways"), {}}, count(parts))};
    diagram.meaning = std::move(meaning);
    return diagram;
}

} // namespace operation_graph_view

View operationGraphView() {
    return {
        .id = "operation-graph",
        .group = graphsGroup(),
        .title = {TRAINYARD_TEXT("Operations and their parts"), {}},
        .summary = {TRAINYARD_TEXT("The computation graph of a job, and into how many parts each operation is split."),
                    {}},
        .scope = View::Scope::run,
        .concerns = [](const RunIndex& run, JobId) { return hasAdmissions(run.workload()); },
        .compute = operation_graph_view::compute};
}

} // namespace trainyard
