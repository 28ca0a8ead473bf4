// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Layers of small neural networks, with reverse mode: each writes the gradient of what it was given. Parameters and their gradients lie in
// vectors of the whole network, in which each layer has a range. No state: what the reverse pass needs is handed to it. For float
// (training) and double (checks by finite differences); immutable, any thread.
#include "base/Random.h"
#include "learning/nets/Matrix.h"

#include <span>

namespace trainyard::nets {

/// y = x W + b. Parameters: W (inputs × outputs, row by row), then b.
template <class S>
class Dense {
public:
    Dense(std::size_t inputs, std::size_t outputs, std::size_t offset)
        : m_inputs(inputs), m_outputs(outputs), m_offset(offset) {}
    std::size_t inputs() const { return m_inputs; }
    std::size_t outputs() const { return m_outputs; }
    std::size_t parameters() const { return (m_inputs + 1) * m_outputs; }
    /// Normal weights of variance gain² / inputs; b = 0.
    void initialise(std::span<S> all, RandomStream& random, double gain) const;
    void forward(std::span<const S> all, const Matrix<S>& x, Matrix<S>& y) const;
    /// Adds to `gradient`, and writes ∂/∂x unless that is null. `dy`: ∂/∂y.
    void backward(std::span<const S> all, const Matrix<S>& x, const Matrix<S>& dy, std::span<S> gradient,
                  Matrix<S>* dx) const;

private:
    std::size_t m_inputs, m_outputs, m_offset;
};

/// Each row to mean 0 and variance 1, then times g plus b, by column. Parameters: g, then b.
template <class S>
class LayerNorm {
public:
    LayerNorm(std::size_t width, std::size_t offset) : m_width(width), m_offset(offset) {}
    std::size_t parameters() const { return 2 * m_width; }
    void initialise(std::span<S> all) const; ///< g = 1, b = 0
    void forward(std::span<const S> all, const Matrix<S>& x, Matrix<S>& y) const;
    void backward(std::span<const S> all, const Matrix<S>& x, const Matrix<S>& dy, std::span<S> gradient,
                  Matrix<S>* dx) const;

private:
    std::size_t m_width, m_offset;
};

/// max(x, 0), in place; and of its gradient, where `y` is what it gave.
template <class S>
void relu(Matrix<S>& x) {
    for (S& number : x.numbers) number = std::max(number, S(0));
}
template <class S>
void reluBackward(const Matrix<S>& y, Matrix<S>& dy) {
    for (std::size_t i = 0; i < y.numbers.size(); ++i)
        if (y.numbers[i] <= S(0)) dy.numbers[i] = 0;
}

/// Row r of y is the mean of the rows of x that `segments` lists for it; no rows: 0. So that graphs of unlike sizes are one batch.
template <class S>
void segmentMean(const Matrix<S>& x, std::span<const std::vector<std::size_t>> segments, Matrix<S>& y) {
    y.resize(segments.size(), x.columns);
    for (std::size_t r = 0; r < segments.size(); ++r)
        for (const std::size_t from : segments[r])
            for (std::size_t c = 0; c < x.columns; ++c)
                y.row(r)[c] += x.row(from)[c] / static_cast<S>(segments[r].size());
}
/// Adds to dx, which has the shape of x.
template <class S>
void segmentMeanBackward(std::span<const std::vector<std::size_t>> segments, const Matrix<S>& dy, Matrix<S>& dx) {
    for (std::size_t r = 0; r < segments.size(); ++r)
        for (const std::size_t to : segments[r])
            for (std::size_t c = 0; c < dx.columns; ++c)
                dx.row(to)[c] += dy.row(r)[c] / static_cast<S>(segments[r].size());
}

} // namespace trainyard::nets
