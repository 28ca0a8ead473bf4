// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One round of message passing over a directed graph, as PAC-ML's graph network has it (Parsonson et al., 2023; read in its configuration):
// of each edge a message, half of it from its source and half from its own numbers, of each node one to itself without the second half; what
// a node then is, is the mean of them, each through a layer of its own. With reverse mode; immutable, any thread.
#include "learning/nets/Layers.h"

#include <cstdint>

namespace trainyard::nets {

/// A graph as a network takes it: rows of numbers by node and by edge.
template <class S>
struct NetGraph {
    Matrix<S> nodes, edges;
    std::vector<std::uint32_t> sources; ///< nodes, by edge
    std::vector<std::vector<std::size_t>>
        incoming; ///< by node: itself, and the number of nodes + each edge that ends there

    /// `targets` by edge. Sets `incoming`.
    void close(std::span<const std::uint32_t> targets) {
        incoming.assign(nodes.rows, {});
        for (std::size_t v = 0; v < nodes.rows; ++v) incoming[v].push_back(v);
        for (std::size_t e = 0; e < targets.size(); ++e) incoming[targets[e]].push_back(nodes.rows + e);
    }
};

template <class S>
class MessageRound {
public:
    /// `half`: width of each half of a message.
    MessageRound(std::size_t nodeInputs, std::size_t edgeInputs, std::size_t half, std::size_t outputs,
                 std::size_t offset);
    std::size_t parameters() const { return m_parameters; }
    void initialise(std::span<S> all, RandomStream& random) const;

    struct Tape {
        Matrix<S> normalNodes, fromNodes, normalEdges, fromEdges, messages, normalMessages, reduced;
    };
    /// `h`: a row of numbers by node, of as many as `nodeInputs`; `out`: of `outputs`.
    void forward(std::span<const S> all, const NetGraph<S>& graph, const Matrix<S>& h, Tape& tape,
                 Matrix<S>& out) const;
    /// Adds to `gradient`; writes ∂/∂h unless it is null.
    void backward(std::span<const S> all, const NetGraph<S>& graph, const Matrix<S>& h, const Tape& tape,
                  const Matrix<S>& dOut, std::span<S> gradient, Matrix<S>* dh) const;

private:
    std::size_t m_half, m_parameters = 0;
    LayerNorm<S> m_nodeNorm, m_edgeNorm, m_messageNorm;
    Dense<S> m_node, m_edge, m_reduce;
};

} // namespace trainyard::nets
