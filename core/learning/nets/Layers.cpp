// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/nets/Layers.h"

#include <Eigen/Core>

#include <cmath>

namespace trainyard::nets {

namespace {

template <class S>
using Map = Eigen::Map<Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
template <class S>
using ConstMap = Eigen::Map<const Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

Eigen::Index size(std::size_t n) { return static_cast<Eigen::Index>(n); }
template <class S>
ConstMap<S> of(const Matrix<S>& m) {
    return {m.numbers.data(), size(m.rows), size(m.columns)};
}
template <class S>
Map<S> of(Matrix<S>& m) {
    return {m.numbers.data(), size(m.rows), size(m.columns)};
}
/// A range of a network's parameters, as a matrix.
template <class S>
ConstMap<S> part(std::span<const S> all, std::size_t offset, std::size_t rows, std::size_t columns) {
    return {all.data() + offset, size(rows), size(columns)};
}
template <class S>
Map<S> part(std::span<S> all, std::size_t offset, std::size_t rows, std::size_t columns) {
    return {all.data() + offset, size(rows), size(columns)};
}

template <class S>
struct Row {
    S mean, deviation;
};
/// Of `width` numbers.
template <class S>
Row<S> momentsOf(const S* x, std::size_t width) {
    S sum = 0, squares = 0;
    for (std::size_t c = 0; c < width; ++c) sum += x[c];
    const S mean = sum / static_cast<S>(width);
    for (std::size_t c = 0; c < width; ++c) squares += (x[c] - mean) * (x[c] - mean);
    return {mean, std::sqrt(squares / static_cast<S>(width) + static_cast<S>(1e-5))};
}

} // namespace

template <class S>
void Dense<S>::initialise(std::span<S> all, RandomStream& random, double gain) const {
    const double spread = gain / std::sqrt(static_cast<double>(m_inputs));
    const std::size_t weights = m_inputs * m_outputs;
    for (std::size_t i = 0; i < weights; ++i) all[m_offset + i] = static_cast<S>(spread * random.normal());
    for (std::size_t i = weights; i < parameters(); ++i) all[m_offset + i] = 0;
}

template <class S>
void Dense<S>::forward(std::span<const S> all, const Matrix<S>& x, Matrix<S>& y) const {
    y.resize(x.rows, m_outputs);
    of(y).noalias() = of(x) * part<S>(all, m_offset, m_inputs, m_outputs);
    of(y).rowwise() += part<S>(all, m_offset + m_inputs * m_outputs, 1, m_outputs).row(0);
}

template <class S>
void Dense<S>::backward(std::span<const S> all, const Matrix<S>& x, const Matrix<S>& dy, std::span<S> gradient,
                        Matrix<S>* dx) const {
    part<S>(gradient, m_offset, m_inputs, m_outputs).noalias() += of(x).transpose() * of(dy);
    part<S>(gradient, m_offset + m_inputs * m_outputs, 1, m_outputs) += of(dy).colwise().sum();
    if (!dx) return;
    dx->resize(x.rows, m_inputs);
    of(*dx).noalias() = of(dy) * part<S>(all, m_offset, m_inputs, m_outputs).transpose();
}

template <class S>
void LayerNorm<S>::initialise(std::span<S> all) const {
    for (std::size_t c = 0; c < 2 * m_width; ++c) all[m_offset + c] = c < m_width ? S(1) : S(0);
}

template <class S>
void LayerNorm<S>::forward(std::span<const S> all, const Matrix<S>& x, Matrix<S>& y) const {
    const S *g = all.data() + m_offset, *b = g + m_width;
    y.resize(x.rows, m_width);
    for (std::size_t r = 0; r < x.rows; ++r) {
        const Row<S> row = momentsOf(x.row(r), m_width);
        for (std::size_t c = 0; c < m_width; ++c) y.row(r)[c] = (x.row(r)[c] - row.mean) / row.deviation * g[c] + b[c];
    }
}

template <class S>
void LayerNorm<S>::backward(std::span<const S> all, const Matrix<S>& x, const Matrix<S>& dy, std::span<S> gradient,
                            Matrix<S>* dx) const {
    const S* g = all.data() + m_offset;
    S *dg = gradient.data() + m_offset, *db = dg + m_width;
    if (dx) dx->resize(x.rows, m_width);
    const S width = static_cast<S>(m_width);
    for (std::size_t r = 0; r < x.rows; ++r) {
        const Row<S> row = momentsOf(x.row(r), m_width);
        S sum = 0, along = 0; // of the gradient of the normal row, and with that row
        for (std::size_t c = 0; c < m_width; ++c) {
            const S normal = (x.row(r)[c] - row.mean) / row.deviation, given = dy.row(r)[c];
            dg[c] += given * normal;
            db[c] += given;
            sum += given * g[c];
            along += given * g[c] * normal;
        }
        for (std::size_t c = 0; dx && c < m_width; ++c) {
            const S normal = (x.row(r)[c] - row.mean) / row.deviation;
            dx->row(r)[c] = (dy.row(r)[c] * g[c] - sum / width - normal * along / width) / row.deviation;
        }
    }
}

template class Dense<float>;
template class Dense<double>;
template class LayerNorm<float>;
template class LayerNorm<double>;

} // namespace trainyard::nets
