// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Why a policy decided as it did: every candidate, each constraint passed or failed, each number compared, and the rule
// that picked. Re-evaluating (evaluate()) must give the recorded choice; the conformance tests demand it.
#include "base/Ids.h"
#include "base/Problem.h"
#include "record/Event.h"

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

enum class WhyLevel { off, decisions, full };
enum class Comparison { atMost, atLeast, less, greater, equal };

struct Check {
    std::string name; ///< "free cpu", "deadline_s", …
    double value = 0;
    Comparison comparison = Comparison::atMost;
    double limit = 0;
    bool passed() const;
};

struct NamedNumber {
    std::string name;
    double value = 0;
};

struct Candidate {
    std::string label; ///< a machine, a job, a k …
    std::vector<Check> checks;
    std::vector<NamedNumber> numbers;
    bool feasible() const;
};

enum class Rule {
    firstFeasible, ///< the first candidate whose checks all pass
    minimum,
    maximum,       ///< the feasible candidate with the least/greatest number `criterion`; ties: the first
    everyFeasible, ///< all feasible candidates
};

struct Explanation {
    SimTime time;
    PolicyFamily family = PolicyFamily::scheduler;
    std::string policy;
    JobId job;
    Text summary; ///< one sentence in the policy's words
    Rule rule = Rule::firstFeasible;
    std::string criterion; ///< name of the compared number (minimum, maximum)
    std::vector<Candidate> candidates;
    std::vector<std::size_t> chosen; ///< indices into candidates, ascending
    bool abridged = false;           ///< candidates and choice were left out: see ExplanationArena

    /// Applies the rule to the candidates; equals `chosen` in a truthful explanation.
    std::vector<std::size_t> evaluate() const;
};

/// All of a run, in order; a decision event holds the index. Beside them refused attempts, which are no decisions.
/// Append-only; one thread adds while others read.
class ExplanationLog {
public:
    ExplanationLog() = default;
    ExplanationLog(const ExplanationLog& other);
    ExplanationLog& operator=(const ExplanationLog&) = delete;

    std::uint32_t add(Explanation explanation);
    std::size_t size() const;
    /// Null: there is none yet. It stays where it is as long as the log lives.
    const Explanation* at(std::size_t index) const;
    const Explanation& operator[](std::size_t index) const { return *at(index); }
    const Explanation& front() const { return *at(0); }
    const Explanation& back() const { return *at(size() - 1); }
    void addRefusal(Explanation refusal);
    std::size_t refusals() const;
    /// Null: there is none yet.
    const Explanation* refusal(std::size_t index) const;
    /// Only while nobody adds.
    auto begin() const { return m_all.begin(); }
    auto end() const { return m_all.end(); }

private:
    mutable std::mutex m_mutex; ///< guards the structure of both
    std::deque<Explanation> m_all, m_refusals;
};

/// Where policies tell why. Once the explanations fill the memory allowed, later ones keep their summary only.
class ExplanationArena {
public:
    static constexpr std::size_t usualLimit = std::size_t{256} << 20; ///< bytes

    explicit ExplanationArena(WhyLevel level = WhyLevel::decisions, std::size_t memoryLimit = usualLimit)
        : m_level(level), m_memoryLimit(memoryLimit), m_log(std::make_shared<ExplanationLog>()) {}
    ExplanationArena(const ExplanationArena& other);
    ExplanationArena& operator=(ExplanationArena other) noexcept;
    WhyLevel level() const { return m_level; }
    std::uint32_t add(Explanation explanation);
    /// Dropped once there are very many, or the memory is full.
    void refuse(Explanation refusal);
    static constexpr std::size_t mostRefusals = 20'000;
    const ExplanationLog& all() const { return *m_log; }
    std::shared_ptr<const ExplanationLog> shared() const { return m_log; } ///< the same; it may outlive the arena

private:
    WhyLevel m_level;
    std::size_t m_memoryLimit;
    std::size_t m_bytes = 0;               ///< of all explanations, nearly
    std::shared_ptr<ExplanationLog> m_log; ///< this arena's own
};

} // namespace trainyard
