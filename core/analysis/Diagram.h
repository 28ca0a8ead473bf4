// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A picture without axes, as a value: nodes and edges at given places, each with a number and what it stands
// for. A computation graph and its split, servers on a grid, messages between nodes. The sister of Chart.
#include "analysis/PictureParts.h"

namespace trainyard {

/// Places are in any unit, x to the right and y down; the drawing is scaled to fit and keeps its proportions.
struct Node {
    enum class Shape { circle, box, block }; ///< block: a titled frame behind others
    std::string id;                          ///< unique, for files and edges
    double x = 0, y = 0;                     ///< of the middle
    double depth = 0;                        ///< the greater, the farther behind
    double width = 1, height = 1;
    Shape shape = Shape::circle;
    Text label;
    std::optional<double> value; ///< its colour on the scale; nothing: in its role
    Role role = Role::muted(2);
    bool ghost = false; ///< palely: what is not there yet, or not taken
    ElementRef ref;
    Text note; ///< told under the pointer
    friend bool operator==(const Node&, const Node&) = default;
};

struct Edge {
    struct Bend {
        double x = 0, y = 0;
        friend bool operator==(const Bend&, const Bend&) = default;
    };
    std::size_t from = 0, to = 0; ///< nodes, by place in the list
    std::vector<Bend> bends;      ///< that it goes through, beside other nodes; none: it is straight
    bool directed = true;
    double weight = 1; ///< its width, as a multiple of the usual
    std::optional<double> value;
    Role role = Role::muted();
    Dash dash = Dash::solid;
    Text label;
    ElementRef ref;
    Text note;
    friend bool operator==(const Edge&, const Edge&) = default;
};

struct Diagram {
    std::vector<Node> nodes; ///< drawn in order of depth, those of one depth in order of the list
    std::vector<Edge> edges; ///< behind all nodes but blocks
    ColourScale scale;
    std::vector<LegendItem> legend;
    Text meaning, caution, empty; ///< as in Chart
    std::optional<Stops> stops;
    friend bool operator==(const Diagram&, const Diagram&) = default;
};

} // namespace trainyard
