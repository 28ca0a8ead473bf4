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
        m_deepest.assign(rows, 0);
        for (const auto& [layer, nodes] : inLayer)
            m_deepest[row(layer)] = std::max(m_deepest[row(layer)], static_cast<double>(nodes));
        m_lanes.resize(rows);
    }
    std::size_t row(std::size_t layer) const { return layer / m_columns; }
    /// 1: to the right.
    double way(std::size_t layer) const { return row(layer) % 2 == 0 ? 1 : -1; }
    double x(std::size_t layer) const {
        const std::size_t column = layer % m_columns;
        return across * static_cast<double>(way(layer) > 0 ? column : m_columns - 1 - column);
    }
    double y(std::size_t layer, std::size_t before) const {
        return top(row(layer)) + down * static_cast<double>(before);
    }
    /// A lane beneath the nodes of a row, which is nobody else's in these layers.
    std::size_t takeLane(std::size_t first, std::size_t last) {
        auto& lanes = m_lanes[row(first)];
        const auto isFree = [&](const std::vector<Taken>& lane) {
            return std::ranges::none_of(lane, [&](const Taken& t) { return t.first <= last && first <= t.last; });
        };
        const auto at = std::ranges::find_if(lanes, isFree);
        const auto lane = static_cast<std::size_t>(at - lanes.begin());
        if (at == lanes.end()) lanes.emplace_back();
        lanes[lane].push_back({first, last});
        return lane;
    }
    double laneY(std::size_t layer, std::size_t lane) const {
        return top(row(layer)) + down * (m_deepest[row(layer)] - 1) + high / 2 + apart * static_cast<double>(lane + 1);
    }
    /// Beside the last nodes of a row, where ways go down to the next one.
    double outside(std::size_t lastOfRow, std::size_t number) const {
        return x(lastOfRow) + way(lastOfRow) * (wide / 2 + 0.45 + apart * static_cast<double>(number));
    }

private:
    struct Taken {
        std::size_t first = 0, last = 0; ///< layers
    };
    static constexpr double across = 3.7, down = 1.15, between = 0.6, apart = 0.3;
    double top(std::size_t row) const {
        double sum = 0;
        for (std::size_t r = 0; r < row; ++r)
            sum += down * m_deepest[r] + between + apart * static_cast<double>(m_lanes[r].size());
        return sum;
    }
    std::size_t m_columns = 1;
    std::vector<double> m_deepest;                        ///< nodes in a layer of the row
    std::vector<std::vector<std::vector<Taken>>> m_lanes; ///< by row
};

/// Ways of edges that are not straight to the next node: in lanes beneath the rows and beside their ends. Those from one node share a way.
class Ways {
public:
    struct End {
        std::size_t layer = 0, before = 0; ///< nodes above it
        bool lowest = true;                ///< of its layer
    };
    Ways(Rows& rows, const std::vector<End>& ends, const std::vector<Edge>& edges) : m_rows(rows), m_ends(ends) {
        std::map<std::size_t, std::size_t> reach; // how far the ways from each node go
        for (const Edge& edge : edges) {
            if (isStraight(edge)) continue;
            auto& last = reach.try_emplace(edge.from, 0).first->second;
            last = std::max(last, ends[edge.to].layer);
        }
        for (const auto& [from, last] : reach) takeLanes(from, last);
    }
    /// Once all lanes are taken: they move the rows.
    std::vector<Edge::Bend> bends(const Edge& edge) const {
        const End &from = m_ends[edge.from], &to = m_ends[edge.to];
        std::vector<Edge::Bend> out;
        if (isStraight(edge)) return out;
        double y = m_rows.y(from.layer, from.before);
        for (std::size_t layer = from.layer; layer < to.layer; ++layer) {
            const double side = m_rows.way(layer) * Rows::wide / 2;
            out.push_back({m_rows.x(layer) + side, y}); // where it leaves the column
            const bool ends = layer + 1 == to.layer;
            const double then = ends ? m_rows.y(to.layer, to.before)
                                     : m_rows.laneY(layer + 1, m_lanes.at({edge.from, m_rows.row(layer + 1)}));
            if (m_rows.row(layer + 1) != m_rows.row(layer)) {
                const double outside = m_rows.outside(layer, m_turns.at({edge.from, m_rows.row(layer)}));
                out.push_back({outside, y});
                out.push_back({outside, then});
                out.push_back({m_rows.x(layer + 1) + side, then});
            } else {
                out.push_back({m_rows.x(layer + 1) - side, then});
            }
            y = then;
        }
        return out;
    }

private:
    /// To the node beside it, or from the last of a row down to the first of the next; groups of layers may also lead back.
    bool isStraight(const Edge& edge) const {
        const End &from = m_ends[edge.from], &to = m_ends[edge.to];
        if (to.layer != from.layer + 1) return to.layer <= from.layer;
        return m_rows.row(to.layer) == m_rows.row(from.layer) ? to.before == from.before
                                                              : to.before == 0 && from.lowest;
    }
    void takeLanes(std::size_t from, std::size_t last) {
        const std::size_t layer = m_ends[from].layer;
        for (std::size_t row = m_rows.row(layer); row <= m_rows.row(last); ++row) {
            if (row < m_rows.row(last)) m_turns[{from, row}] = m_taken[row]++;
            std::size_t first = layer + 1, end = layer + 1; // passed in this row
            while (first < last && m_rows.row(first) < row) ++first;
            for (end = first; end < last && m_rows.row(end) == row; ++end) {}
            if (end > first) m_lanes[{from, row}] = m_rows.takeLane(first, end - 1);
        }
    }
    Rows& m_rows;
    const std::vector<End>& m_ends;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> m_lanes,
        m_turns;                                ///< by node that they are from, and row
    std::map<std::size_t, std::size_t> m_taken; ///< turns of a row
};

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT(
            "The operations of a step's forward pass; the backward pass mirrors them on the same servers. After each name stands "
            "into how many parts it is split; the colour goes from blue, where a part takes least time in both passes, to yellow. "
            "Rows are read in turn from the left and from the right. Short operations are split less. In large graphs a node stands for "
            "all operations of neighbouring layers that have as many parts."),
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
    const bool split = arrival->degree > 0; // else it was blocked
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
    Rows rows(groups);
    std::map<std::size_t, std::size_t> inLayer;
    std::vector<Ways::End> ends;
    for (const Group& group : groups) ends.push_back({.layer = group.layer, .before = inLayer[group.layer]++});
    for (Ways::End& end : ends) end.lowest = end.before + 1 == inLayer[end.layer];
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> edges;
    for (const Dependency& d : graph.dependencies)
        if (groupOf[d.from] != groupOf[d.to]) ++edges[{groupOf[d.from], groupOf[d.to]}];
    for (const auto& [pair, times] : edges) diagram.edges.push_back({.from = pair.first, .to = pair.second});
    const Ways ways(rows, ends, diagram.edges);
    for (Edge& edge : diagram.edges) edge.bends = ways.bends(edge);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const Group& group = groups[g];
        Node& node = diagram.nodes.emplace_back();
        node.id = std::to_string(diagram.nodes.size()) + " " + group.first;
        node.x = rows.x(group.layer);
        node.y = rows.y(group.layer, ends[g].before);
        node.shape = Node::Shape::box;
        node.width = Rows::wide;
        node.height = Rows::high;
        node.value = group.seconds;
        const bool one = group.operations == 1;
        const std::string what = one ? group.first : std::to_string(group.operations);
        node.label = split ? Text{one ? "{0} ×{1}" : TRAINYARD_TEXT("{0} {0:operation|operations} ×{1}"),
                                  {what, std::to_string(group.parts)}}
                           : Text{one ? "{0}" : TRAINYARD_TEXT("{0} {0:operation|operations}"), {what}};
        node.note = {split ? TRAINYARD_TEXT("{0}: {1} a part, both ways") : TRAINYARD_TEXT("{0}: {1}, both ways"),
                     {node.label.english(), quantityText(group.seconds, "s")}};
    }
    diagram.scale.title = {split ? TRAINYARD_TEXT("time of a part (s)") : TRAINYARD_TEXT("time of an operation (s)"),
                           {}};
    diagram.scale.to = 1e-9;
    for (const Group& group : groups) diagram.scale.to = std::max(diagram.scale.to, group.seconds);
    std::size_t parts = 0;
    for (const Operation& op : graph.operations) parts += 2 * static_cast<std::size_t>(partsOf(op, degree, setting));
    diagram.legend = {legendItem({TRAINYARD_TEXT("job"), {}}),
                      legendItem({TRAINYARD_TEXT("operations, forward"), {}}, count(graph.operations.size()))};
    diagram.legend[0].text = nameText(request.run.jobName(arrival->job));
    if (split) diagram.legend.push_back(legendItem({TRAINYARD_TEXT("parts, both ways"), {}}, count(parts)));
    if (arrival->rejected) {
        diagram.legend.push_back(legendItem({TRAINYARD_TEXT("outcome"), {}}));
        diagram.legend.back().text = {TRAINYARD_TEXT("blocked"), {}};
        diagram.caution = {TRAINYARD_TEXT("The job was blocked: its graph is shown whole, as it is before any split."),
                           {}};
    }
    diagram.meaning =
        split ? std::move(meaning)
              : Text{TRAINYARD_TEXT(
                         "The operations of a step, forward; the colour tells how long each takes, both ways. Rows "
                         "go forth and back. In large graphs a node is all operations of neighbouring layers."),
                     {}};
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
