// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/data/StoredDataSet.h"

#include <cmath>

namespace trainyard {

StoredDataSet::StoredDataSet(Batch data, int classes, std::size_t users, std::vector<double> trueParameters)
    : m_data(std::move(data)), m_classes(classes), m_users(users), m_trueParameters(std::move(trueParameters)) {}

void StoredDataSet::gather(std::span<const std::uint32_t> rows, Batch& out) const {
    const std::size_t width = m_data.features;
    out.features = width;
    out.rows += rows.size();
    out.x.reserve(out.rows * width);
    out.y.reserve(out.rows);
    for (std::uint32_t row : rows) {
        require(row < m_data.rows, "a row beyond the data set was requested");
        const auto first = m_data.x.begin() + static_cast<std::ptrdiff_t>(row * width);
        out.x.insert(out.x.end(), first, first + static_cast<std::ptrdiff_t>(width));
        out.y.push_back(m_data.y[row]);
    }
}

void StoredDataSet::draw(RandomStream&, std::size_t, Batch&) const {
    throw InvariantError("fresh rows were requested from a stored data set");
}

void standardise(Batch& data) {
    const auto n = static_cast<double>(data.rows);
    for (std::size_t j = 0; j < data.features; ++j) {
        double sum = 0, squares = 0;
        for (std::size_t i = 0; i < data.rows; ++i) sum += data.x[i * data.features + j];
        const double mean = sum / n;
        for (std::size_t i = 0; i < data.rows; ++i) {
            const double d = data.x[i * data.features + j] - mean;
            squares += d * d;
        }
        const double deviation = std::sqrt(squares / n);
        const double scale = deviation > 1e-12 * (1 + std::abs(mean)) ? 1 / deviation : 0;
        for (std::size_t i = 0; i < data.rows; ++i) {
            double& x = data.x[i * data.features + j];
            x = (x - mean) * scale;
        }
    }
}

} // namespace trainyard
