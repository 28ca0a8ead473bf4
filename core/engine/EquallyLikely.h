// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A law as a table of equally likely values, for simulations whose means are to be exact: every value once in
// every pass. Used by LoneJob.
#include "base/Distribution.h"
#include "base/Random.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace trainyard {

/// Ascending: the means of the law between its quantiles i/size and (i + 1)/size; together they have the
/// law's mean, where it has one. A constant has a single value.
std::vector<double> equallyLikelyValues(const Distribution& law, std::size_t size);

struct ValueTable {
    const Distribution* law;
    std::vector<double> values; ///< ascending
};

/// One table for each law that several workers have. Laws and tables must outlive those who draw.
class ValueTables {
public:
    const ValueTable* of(const Distribution& law);

private:
    std::vector<std::unique_ptr<ValueTable>> m_tables;
};

/// One draw after the other, each value of the table once in every pass, in an order given by the key; the
/// highest, on which the slowest of many workers depends, anew from their part of the law.
class BalancedDraws {
public:
    /// Null: it draws 1.
    BalancedDraws(const ValueTable* table, std::uint64_t key) : m_table(table), m_random(0, Purpose::policy, key) {}
    double draw();
    double unit() { return m_random.unit(); } ///< uniform on [0, 1), beside the draws

private:
    const ValueTable* m_table;
    std::vector<std::uint16_t> m_order;
    std::size_t m_next = 0;
    RandomStream m_random;
};

} // namespace trainyard
