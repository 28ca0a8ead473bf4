// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The metrics of one run as many runs are kept: numbers, and names that runs with the same metrics share. A tenth of a map's
// memory. Read like a map. Used by comparisons.
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace trainyard {

/// Such a run's numbers are no sample of anything, and are left out of means: a job of it diverged, or one of its numbers is not finite or
/// so large (1e150) that squares overflow.
bool isDiverged(const std::map<std::string, double>& metrics);

class MetricValues {
public:
    struct Item {
        const std::string& first;
        double second;
    };
    class Iterator {
    public:
        using difference_type = std::ptrdiff_t;
        using value_type = Item;
        Iterator() = default;
        Iterator(const MetricValues* of, std::size_t at) : m_of(of), m_at(at) {}
        Item operator*() const { return {(*m_of->m_names)[m_at], m_of->m_values[m_at]}; }
        struct Arrow {
            Item item;
            const Item* operator->() const { return &item; }
        };
        Arrow operator->() const { return {**this}; }
        Iterator& operator++() { return ++m_at, *this; }
        Iterator operator++(int) { return {m_of, m_at++}; }
        friend bool operator==(const Iterator&, const Iterator&) = default;

    private:
        const MetricValues* m_of = nullptr;
        std::size_t m_at = 0;
    };

    MetricValues() : m_isDiverged(false) {}
    /// `like`: shares its names if they are the same.
    explicit MetricValues(const std::map<std::string, double>& metrics, const MetricValues& like = {});

    bool empty() const { return m_values.empty(); }
    bool isDiverged() const { return m_isDiverged; }
    std::size_t size() const { return m_values.size(); }
    Iterator begin() const { return {this, 0}; } ///< by name
    Iterator end() const { return {this, m_values.size()}; }
    Iterator find(const std::string& name) const;
    double at(const std::string& name) const; ///< throws std::out_of_range
    bool sharesNamesWith(const MetricValues& other) const { return m_names == other.m_names; }
    friend bool operator==(const MetricValues& a, const MetricValues& b);

private:
    std::shared_ptr<const std::vector<std::string>> m_names; ///< sorted; null: none
    std::vector<double> m_values;
    bool m_isDiverged;
};

} // namespace trainyard
