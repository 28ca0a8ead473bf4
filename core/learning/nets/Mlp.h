// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A multilayer perceptron: dense layers with max(·, 0) between them.
#include "learning/nets/Layers.h"

namespace trainyard::nets {

template <class S>
class Mlp {
public:
    /// Widths from the input to the output, at least two. Its parameters begin at `offset` of the network's.
    explicit Mlp(const std::vector<std::size_t>& widths, std::size_t offset = 0);
    std::size_t parameters() const { return m_parameters; }
    std::size_t inputs() const { return m_layers.front().inputs(); }
    std::size_t outputs() const { return m_layers.back().outputs(); }
    /// `lastGain`: of the last layer, whose outputs may have to begin near 0.
    void initialise(std::span<S> all, RandomStream& random, double lastGain = 1) const;

    /// What forward() leaves for backward(): the input of each layer.
    struct Tape {
        std::vector<Matrix<S>> inputs;
    };
    /// Returns the output, which lies in the tape.
    const Matrix<S>& forward(std::span<const S> all, const Matrix<S>& x, Tape& tape) const;
    /// Adds to `gradient`; writes ∂/∂x unless it is null. `dy` is overwritten.
    void backward(std::span<const S> all, const Tape& tape, Matrix<S>& dy, std::span<S> gradient,
                  Matrix<S>* dx = nullptr) const;

private:
    std::vector<Dense<S>> m_layers;
    std::size_t m_parameters = 0;
};

} // namespace trainyard::nets
