// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The matrix products of one gradient of the small network and nothing else, at the same shapes: what
// `trainyard-cli bench` measures a training iteration against.
#include <cstddef>
#include <memory>
#include <vector>

namespace trainyard {

class MatrixProducts {
public:
    /// sizes: inputs, hidden layers, classes. The model "mlp" on digits with its defaults: {64, 32, 10}.
    MatrixProducts(std::vector<std::size_t> sizes, std::size_t rows);
    ~MatrixProducts();
    /// Once forward and once backward; the returned number keeps the work from being optimised away.
    double run();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace trainyard
