// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A dense matrix of a neural network, row by row: rows are the items of a batch. Arithmetic is in the layers.
#include <algorithm>
#include <cstddef>
#include <vector>

namespace trainyard::nets {

template <class S>
struct Matrix {
    std::size_t rows = 0, columns = 0;
    std::vector<S> numbers;

    Matrix() = default;
    Matrix(std::size_t rows, std::size_t columns) : rows(rows), columns(columns), numbers(rows * columns) {}
    /// All 0.
    void resize(std::size_t newRows, std::size_t newColumns) {
        rows = newRows;
        columns = newColumns;
        numbers.assign(rows * columns, S(0));
    }
    S* row(std::size_t r) { return numbers.data() + r * columns; }
    const S* row(std::size_t r) const { return numbers.data() + r * columns; }
};

} // namespace trainyard::nets
