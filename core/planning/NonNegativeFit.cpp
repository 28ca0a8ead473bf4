// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/NonNegativeFit.h"

#include <Eigen/Dense>

#include <algorithm>
#include <limits>

namespace trainyard {

namespace non_negative_fit {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Least squares over the free columns; 0 for the others.
Eigen::VectorXd solve(const RowMajor& a, const Eigen::VectorXd& b, const std::vector<bool>& isFree) {
    std::vector<Eigen::Index> columns;
    for (std::size_t j = 0; j < isFree.size(); ++j)
        if (isFree[j]) columns.push_back(static_cast<Eigen::Index>(j));
    const Eigen::VectorXd some = a(Eigen::all, columns).colPivHouseholderQr().solve(b);
    Eigen::VectorXd out = Eigen::VectorXd::Zero(a.cols());
    for (std::size_t k = 0; k < columns.size(); ++k) out[columns[k]] = some[static_cast<Eigen::Index>(k)];
    return out;
}

} // namespace non_negative_fit

std::vector<double> nonNegativeFit(std::span<const double> a, std::size_t columns, std::span<const double> b) {
    using namespace non_negative_fit;
    const auto rows = static_cast<Eigen::Index>(b.size()), width = static_cast<Eigen::Index>(columns);
    RowMajor matrix = Eigen::Map<const RowMajor>(a.data(), rows, width);
    const Eigen::VectorXd target = Eigen::Map<const Eigen::VectorXd>(b.data(), rows);
    Eigen::VectorXd scale = matrix.colwise().norm();
    for (Eigen::Index j = 0; j < width; ++j) {
        if (!(scale[j] > 0)) scale[j] = 1;
        matrix.col(j) /= scale[j]; // columns of unlike size would hide each other's slopes
    }
    const double tolerance = 1e-12 * std::max(target.norm(), std::numeric_limits<double>::min());
    std::vector<bool> isFree(columns, false);
    Eigen::VectorXd x = Eigen::VectorXd::Zero(width);
    for (std::size_t exchange = 0; exchange < 3 * columns + 3; ++exchange) {
        const Eigen::VectorXd slope = matrix.transpose() * (target - matrix * x);
        Eigen::Index enters = -1;
        for (Eigen::Index j = 0; j < width; ++j)
            if (!isFree[static_cast<std::size_t>(j)] && slope[j] > tolerance &&
                (enters < 0 || slope[j] > slope[enters]))
                enters = j;
        if (enters < 0) break;
        isFree[static_cast<std::size_t>(enters)] = true;
        for (;;) {
            const Eigen::VectorXd to = solve(matrix, target, isFree);
            double share = 1;
            for (Eigen::Index j = 0; j < width; ++j)
                if (isFree[static_cast<std::size_t>(j)] && to[j] <= 0) share = std::min(share, x[j] / (x[j] - to[j]));
            if (share == 1) {
                x = to;
                break;
            }
            x += share * (to - x);
            for (Eigen::Index j = 0; j < width; ++j) // what has come to 0 leaves; the one that entered may, at once
                if (isFree[static_cast<std::size_t>(j)] &&
                    (x[j] <= 1e-14 * x.maxCoeff() || (to[j] <= 0 && x[j] <= 0))) {
                    x[j] = 0;
                    isFree[static_cast<std::size_t>(j)] = false;
                }
        }
    }
    std::vector<double> out(columns);
    for (std::size_t j = 0; j < columns; ++j)
        out[j] = std::max(0.0, x[static_cast<Eigen::Index>(j)] / scale[static_cast<Eigen::Index>(j)]);
    return out;
}

} // namespace trainyard
