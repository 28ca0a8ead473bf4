// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Layers of small neural networks, with reverse mode: each writes the gradient of what it was given. Rows of a matrix are the items of a
// batch. Parameters and their gradients lie in vectors of the whole network, in which each layer has a range. No state: what the
// reverse pass needs is handed to it. For float (training) and double (checks by finite differences); immutable, any thread.
#include "base/Random.h"

#include <Eigen/Core>

#include <cstddef>
#include <span>
#include <vector>

namespace trainyard::nets {

template <class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// y = x W + b. Parameters: W (inputs × outputs, row by row), then b.
template <class S>
class Dense {
public:
    Dense(int inputs, int outputs, std::size_t offset) : m_inputs(inputs), m_outputs(outputs), m_offset(offset) {}
    int inputs() const { return m_inputs; }
    int outputs() const { return m_outputs; }
    std::size_t parameters() const {
        return static_cast<std::size_t>(m_inputs + 1) * static_cast<std::size_t>(m_outputs);
    }
    /// Normal weights of variance gain² / inputs; b = 0.
    void initialise(std::span<S> all, RandomStream& random, double gain) const;
    void forward(std::span<const S> all, const Matrix<S>& x, Matrix<S>& y) const;
    /// Adds to `gradient`, and writes ∂/∂x unless that is null. `dy`: ∂/∂y.
    void backward(std::span<const S> all, const Matrix<S>& x, const Matrix<S>& dy, std::span<S> gradient,
                  Matrix<S>* dx) const;

private:
    int m_inputs, m_outputs;
    std::size_t m_offset;
};

/// Each row to mean 0 and variance 1, then times g plus b, by column. Parameters: g, then b.
template <class S>
class LayerNorm {
public:
    LayerNorm(int width, std::size_t offset) : m_width(width), m_offset(offset) {}
    std::size_t parameters() const { return 2 * static_cast<std::size_t>(m_width); }
    void initialise(std::span<S> all) const; ///< g = 1, b = 0
    void forward(std::span<const S> all, const Matrix<S>& x, Matrix<S>& y) const;
    void backward(std::span<const S> all, const Matrix<S>& x, const Matrix<S>& dy, std::span<S> gradient,
                  Matrix<S>* dx) const;

private:
    static constexpr S epsilon = static_cast<S>(1e-5);
    int m_width;
    std::size_t m_offset;
};

/// max(x, 0), in place; and of its gradient, where `y` is what it gave.
template <class S>
void relu(Matrix<S>& x) {
    x = x.cwiseMax(S(0));
}
template <class S>
void reluBackward(const Matrix<S>& y, Matrix<S>& dy) {
    dy = (y.array() > S(0)).select(dy, S(0));
}

/// Row r of y is the mean of the rows of x that `segments` lists for it; no rows: 0. So that graphs of unlike sizes are one batch.
template <class S>
void segmentMean(const Matrix<S>& x, std::span<const std::vector<int>> segments, Matrix<S>& y) {
    y.setZero(static_cast<Eigen::Index>(segments.size()), x.cols());
    for (std::size_t r = 0; r < segments.size(); ++r) {
        for (const int row : segments[r]) y.row(static_cast<Eigen::Index>(r)) += x.row(row);
        if (!segments[r].empty()) y.row(static_cast<Eigen::Index>(r)) /= static_cast<S>(segments[r].size());
    }
}
/// Adds to dx, which has the rows of x.
template <class S>
void segmentMeanBackward(std::span<const std::vector<int>> segments, const Matrix<S>& dy, Matrix<S>& dx) {
    for (std::size_t r = 0; r < segments.size(); ++r)
        for (const int row : segments[r])
            dx.row(row) += dy.row(static_cast<Eigen::Index>(r)) / static_cast<S>(segments[r].size());
}

} // namespace trainyard::nets
