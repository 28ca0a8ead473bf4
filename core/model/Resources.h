// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Amounts of named resources (cpu, gpu, memory_gb: any names, declared by the cluster). Kept as whole micro-units so that
// taking and giving back is exact and a capacity invariant can be an equality.
#include <boost/container/small_vector.hpp>

#include <cstdint>

namespace trainyard {

/// Amounts in the order of Cluster::resourceNames. A shorter vector means zeros.
class ResourceVector {
public:
    static constexpr std::int64_t unit = 1'000'000;

    ResourceVector() = default;
    /// From plain numbers, rounded to the nearest micro-unit.
    static ResourceVector of(std::initializer_list<double> amounts);

    std::size_t size() const { return m_micro.size(); }
    double amount(std::size_t resource) const { return static_cast<double>(micro(resource)) / unit; }
    std::int64_t micro(std::size_t resource) const { return resource < m_micro.size() ? m_micro[resource] : 0; }
    void set(std::size_t resource, double amount);
    void setMicro(std::size_t resource, std::int64_t amount);

    bool isZero() const;
    bool anyNegative() const;
    /// Every component at most the other's.
    bool fitsIn(const ResourceVector& free) const;
    ResourceVector& operator+=(const ResourceVector& other);
    ResourceVector& operator-=(const ResourceVector& other);
    friend ResourceVector operator+(ResourceVector a, const ResourceVector& b) { return a += b; }
    friend ResourceVector operator-(ResourceVector a, const ResourceVector& b) { return a -= b; }
    ResourceVector times(std::int64_t count) const;
    /// How many copies of this fit in `free`; a zero demand fits `limit` times.
    std::int64_t copiesIn(const ResourceVector& free, std::int64_t limit) const;
    friend bool operator==(const ResourceVector& a, const ResourceVector& b);

private:
    boost::container::small_vector<std::int64_t, 4> m_micro;
};

/// An order for maps: by the first resource of which the amounts differ.
bool lessByAmounts(const ResourceVector& a, const ResourceVector& b);

/// max over resources of demand/total: the dominant share of DRF. Resources with no capacity are skipped.
double dominantShare(const ResourceVector& demand, const ResourceVector& total);

} // namespace trainyard
