// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/nets/Layers.h"

#include <cmath>

namespace trainyard::nets {

namespace {

template <class S>
using ConstMap = Eigen::Map<const Matrix<S>>;
template <class S>
using Map = Eigen::Map<Matrix<S>>;
template <class S>
using ConstRow = Eigen::Map<const Eigen::Matrix<S, 1, Eigen::Dynamic>>;
template <class S>
using Row = Eigen::Map<Eigen::Matrix<S, 1, Eigen::Dynamic>>;

} // namespace

template <class S>
void Dense<S>::initialise(std::span<S> all, RandomStream& random, double gain) const {
    const double spread = gain / std::sqrt(static_cast<double>(m_inputs));
    const auto weights = static_cast<std::size_t>(m_inputs) * static_cast<std::size_t>(m_outputs);
    for (std::size_t i = 0; i < weights; ++i) all[m_offset + i] = static_cast<S>(spread * random.normal());
    for (std::size_t i = weights; i < parameters(); ++i) all[m_offset + i] = 0;
}

template <class S>
void Dense<S>::forward(std::span<const S> all, const Matrix<S>& x, Matrix<S>& y) const {
    const S* w = all.data() + m_offset;
    y.noalias() = x * ConstMap<S>(w, m_inputs, m_outputs);
    y.rowwise() += ConstRow<S>(w + m_inputs * m_outputs, m_outputs);
}

template <class S>
void Dense<S>::backward(std::span<const S> all, const Matrix<S>& x, const Matrix<S>& dy, std::span<S> gradient,
                        Matrix<S>* dx) const {
    S* g = gradient.data() + m_offset;
    Map<S>(g, m_inputs, m_outputs).noalias() += x.transpose() * dy;
    Row<S>(g + m_inputs * m_outputs, m_outputs) += dy.colwise().sum();
    if (dx) dx->noalias() = dy * ConstMap<S>(all.data() + m_offset, m_inputs, m_outputs).transpose();
}

template <class S>
void LayerNorm<S>::initialise(std::span<S> all) const {
    for (int i = 0; i < 2 * m_width; ++i) all[m_offset + static_cast<std::size_t>(i)] = i < m_width ? S(1) : S(0);
}

template <class S>
void LayerNorm<S>::forward(std::span<const S> all, const Matrix<S>& x, Matrix<S>& y) const {
    const ConstRow<S> g(all.data() + m_offset, m_width), b(all.data() + m_offset + m_width, m_width);
    y.resize(x.rows(), x.cols());
    for (Eigen::Index r = 0; r < x.rows(); ++r) {
        const S mean = x.row(r).mean();
        const S deviation = std::sqrt((x.row(r).array() - mean).square().mean() + epsilon);
        y.row(r) = ((x.row(r).array() - mean) / deviation * g.array() + b.array()).matrix();
    }
}

template <class S>
void LayerNorm<S>::backward(std::span<const S> all, const Matrix<S>& x, const Matrix<S>& dy, std::span<S> gradient,
                            Matrix<S>* dx) const {
    const ConstRow<S> g(all.data() + m_offset, m_width);
    Row<S> dg(gradient.data() + m_offset, m_width), db(gradient.data() + m_offset + m_width, m_width);
    if (dx) dx->resize(x.rows(), x.cols());
    Eigen::Array<S, 1, Eigen::Dynamic> normal, ofNormal;
    for (Eigen::Index r = 0; r < x.rows(); ++r) {
        const S mean = x.row(r).mean();
        const S deviation = std::sqrt((x.row(r).array() - mean).square().mean() + epsilon);
        normal = (x.row(r).array() - mean) / deviation;
        dg.array() += dy.row(r).array() * normal;
        db.array() += dy.row(r).array();
        if (!dx) continue;
        ofNormal = dy.row(r).array() * g.array();
        dx->row(r) = ((ofNormal - ofNormal.mean() - normal * (ofNormal * normal).mean()) / deviation).matrix();
    }
}

template class Dense<float>;
template class Dense<double>;
template class LayerNorm<float>;
template class LayerNorm<double>;

} // namespace trainyard::nets
