// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A set of jobs in order of their ids, which is the order of arrival: a bit per job and a bit per 64 of these, so that
// adding, removing and going on to the next one cost next to nothing, and a copy a quarter of a byte per job.
#include "base/Ids.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace trainyard {

class JobSet {
public:
    class Iterator {
    public:
        using value_type = JobId;
        using difference_type = std::ptrdiff_t;
        Iterator() = default;
        Iterator(const JobSet& set, std::size_t at) : m_set(&set), m_at(at) {}
        JobId operator*() const { return JobId(m_at); }
        Iterator& operator++() {
            m_at = m_set->from(m_at + 1);
            return *this;
        }
        Iterator operator++(int) {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const Iterator& a, const Iterator& b) { return a.m_at == b.m_at; }

    private:
        const JobSet* m_set = nullptr;
        std::size_t m_at = 0;
    };

    /// Of jobs with ids below `jobs`; empty.
    explicit JobSet(std::size_t jobs = 0)
        : m_jobs(jobs), m_bits((jobs + 63) / 64), m_words((m_bits.size() + 63) / 64) {}

    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    bool contains(JobId job) const { return m_bits[job.index() / 64] >> (job.index() % 64) & 1; }
    void insert(JobId job) {
        m_size += !contains(job);
        m_bits[job.index() / 64] |= bit(job.index());
        m_words[job.index() / 4096] |= bit(job.index() / 64);
    }
    void erase(JobId job) {
        m_size -= contains(job);
        m_bits[job.index() / 64] &= ~bit(job.index());
        if (m_bits[job.index() / 64] == 0) m_words[job.index() / 4096] &= ~bit(job.index() / 64);
    }
    Iterator begin() const { return {*this, from(0)}; }
    Iterator end() const { return {*this, m_jobs}; }

private:
    static std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << (i % 64); }
    /// The bits of a word from the i-th on.
    static std::uint64_t rest(std::uint64_t word, std::size_t i) { return word & ~(bit(i) - 1); }
    static std::size_t first(std::uint64_t word) { return static_cast<std::size_t>(std::countr_zero(word)); }

    /// The first id in the set that is not below `id`.
    std::size_t from(std::size_t id) const {
        if (id >= m_jobs) return m_jobs;
        if (const auto here = rest(m_bits[id / 64], id)) return id / 64 * 64 + first(here);
        const std::size_t next = id / 64 + 1; // word of 64 jobs
        for (std::size_t w = next / 64; w < m_words.size(); ++w) {
            const auto words = w == next / 64 ? rest(m_words[w], next) : m_words[w];
            if (words == 0) continue;
            const std::size_t found = 64 * w + first(words);
            return 64 * found + first(m_bits[found]);
        }
        return m_jobs;
    }

    std::size_t m_jobs = 0, m_size = 0;
    std::vector<std::uint64_t> m_bits, m_words;
};

} // namespace trainyard
