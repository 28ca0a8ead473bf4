// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
#include "learning/DataSet.h"

#include <cstdint>
#include <numeric>
#include <vector>

namespace trainyard::test {

/// All rows of a data set, in their order.
inline Batch wholeBatch(const DataSet& data) {
    std::vector<std::uint32_t> rows(data.rows());
    std::iota(rows.begin(), rows.end(), 0u);
    Batch out;
    data.gather(rows, out);
    return out;
}

} // namespace trainyard::test
