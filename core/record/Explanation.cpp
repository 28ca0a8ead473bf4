// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "record/Explanation.h"

#include <algorithm>

namespace trainyard {

bool Check::passed() const {
    switch (comparison) {
    case Comparison::atMost: return value <= limit;
    case Comparison::atLeast: return value >= limit;
    case Comparison::less: return value < limit;
    case Comparison::greater: return value > limit;
    case Comparison::equal: return value == limit;
    }
    return false;
}

bool Candidate::feasible() const {
    return std::all_of(checks.begin(), checks.end(), [](const Check& c) { return c.passed(); });
}

std::vector<std::size_t> Explanation::evaluate() const {
    std::vector<std::size_t> out;
    std::optional<double> best;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (!candidates[i].feasible()) continue;
        if (rule == Rule::everyFeasible) {
            out.push_back(i);
        } else if (rule == Rule::firstFeasible) {
            return {i};
        } else {
            const auto& numbers = candidates[i].numbers;
            const auto it =
                std::find_if(numbers.begin(), numbers.end(), [&](const auto& n) { return n.name == criterion; });
            if (it == numbers.end()) continue;
            const bool better = !best || (rule == Rule::minimum ? it->value < *best : it->value > *best);
            if (better) {
                best = it->value;
                out = {i};
            }
        }
    }
    return out;
}

namespace {

std::size_t bytesOf(const std::string& text) {
    return text.capacity() > 15 ? text.capacity() : 0; // short ones lie in the string itself
}

std::size_t bytesOf(const Candidate& candidate) {
    std::size_t bytes = bytesOf(candidate.label) + candidate.checks.capacity() * sizeof(Check) +
                        candidate.numbers.capacity() * sizeof(NamedNumber);
    for (const Check& check : candidate.checks) bytes += bytesOf(check.name);
    for (const NamedNumber& number : candidate.numbers) bytes += bytesOf(number.name);
    return bytes;
}

std::size_t bytesOf(const Explanation& e) {
    std::size_t bytes =
        sizeof e + e.candidates.capacity() * sizeof(Candidate) + e.chosen.capacity() * sizeof(std::size_t);
    for (const Candidate& candidate : e.candidates) bytes += bytesOf(candidate);
    for (const std::string& argument : e.summary.arguments) bytes += sizeof argument + bytesOf(argument);
    return bytes;
}

} // namespace

ExplanationLog::ExplanationLog(const ExplanationLog& other) {
    const std::scoped_lock lock(other.m_mutex);
    m_all = other.m_all;
    m_refusals = other.m_refusals;
}

void ExplanationLog::addRefusal(Explanation refusal) {
    const std::scoped_lock lock(m_mutex);
    m_refusals.push_back(std::move(refusal));
}

std::size_t ExplanationLog::refusals() const {
    const std::scoped_lock lock(m_mutex);
    return m_refusals.size();
}

const Explanation* ExplanationLog::refusal(std::size_t index) const {
    const std::scoped_lock lock(m_mutex);
    return index < m_refusals.size() ? &m_refusals[index] : nullptr;
}

std::uint32_t ExplanationLog::add(Explanation explanation) {
    const std::scoped_lock lock(m_mutex);
    m_all.push_back(std::move(explanation));
    return static_cast<std::uint32_t>(m_all.size() - 1);
}

std::size_t ExplanationLog::size() const {
    const std::scoped_lock lock(m_mutex);
    return m_all.size();
}

const Explanation* ExplanationLog::at(std::size_t index) const {
    const std::scoped_lock lock(m_mutex);
    return index < m_all.size() ? &m_all[index] : nullptr;
}

ExplanationArena::ExplanationArena(const ExplanationArena& other)
    : m_level(other.m_level), m_memoryLimit(other.m_memoryLimit), m_bytes(other.m_bytes),
      m_log(std::make_shared<ExplanationLog>(*other.m_log)) {}

ExplanationArena& ExplanationArena::operator=(ExplanationArena other) noexcept {
    m_level = other.m_level;
    m_memoryLimit = other.m_memoryLimit;
    m_bytes = other.m_bytes;
    m_log.swap(other.m_log);
    return *this;
}

void ExplanationArena::refuse(Explanation refusal) {
    const std::size_t bytes = bytesOf(refusal);
    if (m_bytes + bytes > m_memoryLimit || m_log->refusals() >= mostRefusals) return;
    m_bytes += bytes;
    m_log->addRefusal(std::move(refusal));
}

std::uint32_t ExplanationArena::add(Explanation explanation) {
    std::size_t bytes = bytesOf(explanation);
    if (m_bytes + bytes > m_memoryLimit) {
        explanation.abridged = true;
        explanation.candidates = {};
        explanation.chosen = {};
        bytes = bytesOf(explanation);
    }
    m_bytes += bytes;
    return m_log->add(std::move(explanation));
}

} // namespace trainyard
