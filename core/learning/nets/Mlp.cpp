// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/nets/Mlp.h"

#include <numbers>

namespace trainyard::nets {

template <class S>
Mlp<S>::Mlp(const std::vector<std::size_t>& widths, std::size_t offset) {
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) {
        m_layers.emplace_back(widths[i], widths[i + 1], offset + m_parameters);
        m_parameters += m_layers.back().parameters();
    }
}

template <class S>
void Mlp<S>::initialise(std::span<S> all, RandomStream& random, double lastGain) const {
    for (std::size_t i = 0; i < m_layers.size(); ++i) // half of the units of a hidden layer are 0
        m_layers[i].initialise(all, random, i + 1 < m_layers.size() ? std::numbers::sqrt2 : lastGain);
}

template <class S>
const Matrix<S>& Mlp<S>::forward(std::span<const S> all, const Matrix<S>& x, Tape& tape) const {
    tape.inputs.resize(m_layers.size() + 1);
    tape.inputs[0] = x;
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        m_layers[i].forward(all, tape.inputs[i], tape.inputs[i + 1]);
        if (i + 1 < m_layers.size()) relu(tape.inputs[i + 1]);
    }
    return tape.inputs.back();
}

template <class S>
void Mlp<S>::backward(std::span<const S> all, const Tape& tape, Matrix<S>& dy, std::span<S> gradient,
                      Matrix<S>* dx) const {
    Matrix<S> before;
    for (std::size_t i = m_layers.size(); i-- > 0;) {
        if (i + 1 < m_layers.size()) reluBackward(tape.inputs[i + 1], dy);
        const bool wanted = i > 0 || dx != nullptr;
        m_layers[i].backward(all, tape.inputs[i], dy, gradient, wanted ? &before : nullptr);
        if (wanted) std::swap(dy, before);
    }
    if (dx) *dx = dy;
}

template class Mlp<float>;
template class Mlp<double>;

} // namespace trainyard::nets
