// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/Resources.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

ResourceVector ResourceVector::of(std::initializer_list<double> amounts) {
    ResourceVector out;
    for (double a : amounts) out.m_micro.push_back(std::llround(a * static_cast<double>(unit)));
    return out;
}

void ResourceVector::set(std::size_t resource, double amount) {
    setMicro(resource, std::llround(amount * static_cast<double>(unit)));
}

void ResourceVector::setMicro(std::size_t resource, std::int64_t amount) {
    if (resource >= m_micro.size()) m_micro.resize(resource + 1, 0);
    m_micro[resource] = amount;
}

bool ResourceVector::isZero() const {
    return std::all_of(m_micro.begin(), m_micro.end(), [](auto a) { return a == 0; });
}

bool ResourceVector::anyNegative() const {
    return std::any_of(m_micro.begin(), m_micro.end(), [](auto a) { return a < 0; });
}

bool ResourceVector::fitsIn(const ResourceVector& free) const {
    for (std::size_t r = 0; r < m_micro.size(); ++r)
        if (m_micro[r] > free.micro(r)) return false;
    return true;
}

ResourceVector& ResourceVector::operator+=(const ResourceVector& other) {
    if (other.size() > size()) m_micro.resize(other.size(), 0);
    for (std::size_t r = 0; r < other.size(); ++r) m_micro[r] += other.m_micro[r];
    return *this;
}

ResourceVector& ResourceVector::operator-=(const ResourceVector& other) {
    if (other.size() > size()) m_micro.resize(other.size(), 0);
    for (std::size_t r = 0; r < other.size(); ++r) m_micro[r] -= other.m_micro[r];
    return *this;
}

ResourceVector ResourceVector::times(std::int64_t count) const {
    ResourceVector out = *this;
    for (auto& a : out.m_micro) a *= count;
    return out;
}

std::int64_t ResourceVector::copiesIn(const ResourceVector& free, std::int64_t limit) const {
    std::int64_t copies = limit;
    for (std::size_t r = 0; r < m_micro.size(); ++r)
        if (m_micro[r] > 0) copies = std::min(copies, std::max<std::int64_t>(0, free.micro(r)) / m_micro[r]);
    return copies;
}

bool operator==(const ResourceVector& a, const ResourceVector& b) {
    for (std::size_t r = 0; r < std::max(a.size(), b.size()); ++r)
        if (a.micro(r) != b.micro(r)) return false;
    return true;
}

bool lessByAmounts(const ResourceVector& a, const ResourceVector& b) {
    for (std::size_t r = 0; r < std::max(a.size(), b.size()); ++r)
        if (a.micro(r) != b.micro(r)) return a.micro(r) < b.micro(r);
    return false;
}

double dominantShare(const ResourceVector& demand, const ResourceVector& total) {
    double share = 0;
    for (std::size_t r = 0; r < demand.size(); ++r)
        if (total.micro(r) > 0)
            share = std::max(share, static_cast<double>(demand.micro(r)) / static_cast<double>(total.micro(r)));
    return share;
}

} // namespace trainyard
