// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/nets/DuelingGraphNet.h"

#include <numbers>

namespace trainyard::nets {

namespace {

std::vector<std::size_t> headWidths(const std::vector<std::size_t>& hidden, std::size_t outputs) {
    std::vector<std::size_t> out = hidden;
    out.push_back(outputs);
    return out;
}

template <class Layer>
std::size_t after(std::size_t& at, const Layer& layer) {
    return at += layer.parameters();
}

} // namespace

template <class S>
DuelingGraphNet<S>::DuelingGraphNet(const Widths& w)
    : m_actions(w.actions), m_hidden(w.hidden.front()), m_first(w.node, w.edge, half, middle, 0),
      m_second(middle, w.edge, half, embedded, after(m_parameters, m_first)),
      m_norm(w.whole, after(m_parameters, m_second)), m_whole(w.whole, summary, after(m_parameters, m_norm)),
      m_joint(embedded + summary, m_hidden, after(m_parameters, m_whole)),
      m_advantage(headWidths(w.hidden, w.actions), after(m_parameters, m_joint)),
      m_value(headWidths(w.hidden, 1), after(m_parameters, m_advantage)) {
    after(m_parameters, m_value);
}

template <class S>
void DuelingGraphNet<S>::initialise(std::span<S> all, RandomStream& random) const {
    m_first.initialise(all, random);
    m_second.initialise(all, random);
    m_norm.initialise(all);
    m_whole.initialise(all, random, 1);
    m_joint.initialise(all, random, std::numbers::sqrt2);
    m_advantage.initialise(all, random, 0.1);
    m_value.initialise(all, random, 0.1);
}

template <class S>
void DuelingGraphNet<S>::embed(std::span<const S> all, const NetGraph<S>& graph, GraphTape& tape) const {
    m_first.forward(all, graph, graph.nodes, tape.first, tape.middle);
    m_second.forward(all, graph, tape.middle, tape.second, tape.last);
    tape.mean.resize(1, embedded);
    for (std::size_t v = 0; v < tape.last.rows; ++v)
        for (std::size_t c = 0; c < embedded; ++c)
            tape.mean.numbers[c] += tape.last.row(v)[c] / static_cast<S>(tape.last.rows);
}

template <class S>
const Matrix<S>& DuelingGraphNet<S>::forward(std::span<const S> all, std::span<const GraphTape> graphTapes,
                                             std::span<const std::uint32_t> graphs, const Matrix<S>& whole,
                                             Tape& tape) const {
    tape.graphs.assign(graphs.begin(), graphs.end());
    tape.whole = whole;
    m_norm.forward(all, tape.whole, tape.normal);
    Matrix<S> summed;
    m_whole.forward(all, tape.normal, summed);
    tape.joint.resize(whole.rows, embedded + summary);
    for (std::size_t r = 0; r < whole.rows; ++r) {
        std::copy_n(graphTapes[graphs[r]].mean.row(0), embedded, tape.joint.row(r));
        std::copy_n(summed.row(r), summary, tape.joint.row(r) + embedded);
    }
    m_joint.forward(all, tape.joint, tape.hidden);
    relu(tape.hidden);
    const Matrix<S>& advantage = m_advantage.forward(all, tape.hidden, tape.advantage);
    const Matrix<S>& value = m_value.forward(all, tape.hidden, tape.value);
    tape.actions = advantage;
    for (std::size_t r = 0; r < whole.rows; ++r) {
        S* row = tape.actions.row(r);
        S mean = 0;
        for (std::size_t a = 0; a < m_actions; ++a) mean += row[a] / static_cast<S>(m_actions);
        for (std::size_t a = 0; a < m_actions; ++a) row[a] += value.row(r)[0] - mean;
    }
    return tape.actions;
}

template <class S>
void DuelingGraphNet<S>::backward(std::span<const S> all, std::span<const NetGraph<S>* const> inputs,
                                  std::span<const GraphTape> graphTapes, const Tape& tape, const Matrix<S>& d,
                                  std::span<S> gradient) const {
    Matrix<S> dAdvantage = d, dValue(d.rows, 1), dHidden, more, dJoint, dSummed(d.rows, summary), dNormal;
    for (std::size_t r = 0; r < d.rows; ++r) {
        S sum = 0;
        for (std::size_t a = 0; a < m_actions; ++a) sum += d.row(r)[a];
        dValue.row(r)[0] = sum;
        for (std::size_t a = 0; a < m_actions; ++a) dAdvantage.row(r)[a] -= sum / static_cast<S>(m_actions);
    }
    m_advantage.backward(all, tape.advantage, dAdvantage, gradient, &dHidden);
    m_value.backward(all, tape.value, dValue, gradient, &more);
    for (std::size_t i = 0; i < dHidden.numbers.size(); ++i) dHidden.numbers[i] += more.numbers[i];
    reluBackward(tape.hidden, dHidden);
    m_joint.backward(all, tape.joint, dHidden, gradient, &dJoint);

    std::vector<Matrix<S>> dMeans(graphTapes.size());
    for (std::size_t r = 0; r < d.rows; ++r) {
        std::copy_n(dJoint.row(r) + embedded, summary, dSummed.row(r));
        Matrix<S>& mean = dMeans[tape.graphs[r]];
        if (mean.rows == 0) mean.resize(1, embedded);
        for (std::size_t c = 0; c < embedded; ++c) mean.numbers[c] += dJoint.row(r)[c];
    }
    m_whole.backward(all, tape.normal, dSummed, gradient, &dNormal);
    m_norm.backward(all, tape.whole, dNormal, gradient, nullptr);
    for (std::size_t g = 0; g < graphTapes.size(); ++g) {
        if (dMeans[g].rows == 0) continue; // no item of the batch has it
        const GraphTape& of = graphTapes[g];
        Matrix<S> dLast(of.last.rows, embedded), dMiddle;
        for (std::size_t v = 0; v < dLast.rows; ++v)
            for (std::size_t c = 0; c < embedded; ++c)
                dLast.row(v)[c] = dMeans[g].numbers[c] / static_cast<S>(dLast.rows);
        m_second.backward(all, *inputs[g], of.middle, of.second, dLast, gradient, &dMiddle);
        m_first.backward(all, *inputs[g], inputs[g]->nodes, of.first, dMiddle, gradient, nullptr);
    }
}

template class DuelingGraphNet<float>;
template class DuelingGraphNet<double>;

} // namespace trainyard::nets
