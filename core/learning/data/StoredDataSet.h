// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A data set held in memory, as files and generators make them. Internal to learning/.
#include "learning/DataSet.h"

namespace trainyard {

class StoredDataSet final : public DataSet {
public:
    StoredDataSet(Batch data, int classes, std::size_t users = 0, std::vector<double> trueParameters = {});

    std::size_t rows() const override { return m_data.rows; }
    std::size_t features() const override { return m_data.features; }
    int classes() const override { return m_classes; }
    std::size_t users() const override { return m_users; }
    void gather(std::span<const std::uint32_t> rows, Batch& out) const override;
    void draw(RandomStream& random, std::size_t n, Batch& out) const override;
    std::span<const double> trueParameters() const override { return m_trueParameters; }

private:
    Batch m_data;
    int m_classes;
    std::size_t m_users;
    std::vector<double> m_trueParameters;
};

/// Shifts and scales each feature to mean 0 and variance 1 over the rows; a constant feature becomes 0.
void standardise(Batch& data);

} // namespace trainyard
