// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/nets/MessageRound.h"

#include <numbers>

namespace trainyard::nets {

namespace {

/// Offsets follow one another in the order of the members.
std::size_t taken(std::size_t& at, std::size_t parameters) {
    const std::size_t begin = at;
    at += parameters;
    return begin;
}

} // namespace

template <class S>
MessageRound<S>::MessageRound(std::size_t nodeInputs, std::size_t edgeInputs, std::size_t half, std::size_t outputs,
                              std::size_t offset)
    : m_half(half), m_parameters(offset), m_nodeNorm(nodeInputs, taken(m_parameters, 2 * nodeInputs)),
      m_edgeNorm(edgeInputs, taken(m_parameters, 2 * edgeInputs)),
      m_messageNorm(2 * half, taken(m_parameters, 4 * half)),
      m_node(nodeInputs, half, taken(m_parameters, (nodeInputs + 1) * half)),
      m_edge(edgeInputs, half, taken(m_parameters, (edgeInputs + 1) * half)),
      m_reduce(2 * half, outputs, taken(m_parameters, (2 * half + 1) * outputs)) {
    m_parameters -= offset;
}

template <class S>
void MessageRound<S>::initialise(std::span<S> all, RandomStream& random) const {
    m_nodeNorm.initialise(all);
    m_edgeNorm.initialise(all);
    m_messageNorm.initialise(all);
    m_node.initialise(all, random, std::numbers::sqrt2);
    m_edge.initialise(all, random, std::numbers::sqrt2);
    m_reduce.initialise(all, random, std::numbers::sqrt2);
}

template <class S>
void MessageRound<S>::forward(std::span<const S> all, const NetGraph<S>& graph, const Matrix<S>& h, Tape& tape,
                              Matrix<S>& out) const {
    m_nodeNorm.forward(all, h, tape.normalNodes);
    m_node.forward(all, tape.normalNodes, tape.fromNodes);
    relu(tape.fromNodes);
    m_edgeNorm.forward(all, graph.edges, tape.normalEdges);
    m_edge.forward(all, tape.normalEdges, tape.fromEdges);
    relu(tape.fromEdges);
    const std::size_t nodes = h.rows, edges = graph.sources.size();
    tape.messages.resize(nodes + edges, 2 * m_half);
    for (std::size_t v = 0; v < nodes; ++v) std::copy_n(tape.fromNodes.row(v), m_half, tape.messages.row(v));
    for (std::size_t e = 0; e < edges; ++e) {
        std::copy_n(tape.fromNodes.row(graph.sources[e]), m_half, tape.messages.row(nodes + e));
        std::copy_n(tape.fromEdges.row(e), m_half, tape.messages.row(nodes + e) + m_half);
    }
    m_messageNorm.forward(all, tape.messages, tape.normalMessages);
    m_reduce.forward(all, tape.normalMessages, tape.reduced);
    relu(tape.reduced);
    segmentMean<S>(tape.reduced, graph.incoming, out);
}

template <class S>
void MessageRound<S>::backward(std::span<const S> all, const NetGraph<S>& graph, const Matrix<S>& h, const Tape& tape,
                               const Matrix<S>& dOut, std::span<S> gradient, Matrix<S>* dh) const {
    const std::size_t nodes = h.rows, edges = graph.sources.size();
    Matrix<S> dReduced(nodes + edges, dOut.columns), dNormal, dMessages;
    segmentMeanBackward<S>(graph.incoming, dOut, dReduced);
    reluBackward(tape.reduced, dReduced);
    m_reduce.backward(all, tape.normalMessages, dReduced, gradient, &dNormal);
    m_messageNorm.backward(all, tape.messages, dNormal, gradient, &dMessages);
    Matrix<S> dNodes(nodes, m_half), dEdges(edges, m_half);
    for (std::size_t r = 0; r < nodes + edges; ++r) {
        const std::size_t v = r < nodes ? r : graph.sources[r - nodes];
        for (std::size_t c = 0; c < m_half; ++c) dNodes.row(v)[c] += dMessages.row(r)[c];
        if (r >= nodes) std::copy_n(dMessages.row(r) + m_half, m_half, dEdges.row(r - nodes));
    }
    reluBackward(tape.fromEdges, dEdges);
    m_edge.backward(all, tape.normalEdges, dEdges, gradient, &dNormal);
    m_edgeNorm.backward(all, graph.edges, dNormal, gradient, nullptr);
    reluBackward(tape.fromNodes, dNodes);
    m_node.backward(all, tape.normalNodes, dNodes, gradient, &dNormal);
    m_nodeNorm.backward(all, h, dNormal, gradient, dh);
}

template class MessageRound<float>;
template class MessageRound<double>;

} // namespace trainyard::nets
