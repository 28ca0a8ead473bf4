#pragma once
// Why a policy decided as it did: every candidate, each constraint passed or failed, each number compared, and the rule
// that picked. Re-evaluating (evaluate()) must give the recorded choice; the conformance tests demand it.
#include "base/Ids.h"
#include "base/Problem.h"
#include "record/Event.h"

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
    firstFeasible,    ///< the first candidate whose checks all pass
    minimum, maximum, ///< the feasible candidate with the least/greatest number `criterion`; ties: the first
    everyFeasible,    ///< all feasible candidates
};

struct Explanation {
    SimTime time;
    PolicyFamily family = PolicyFamily::scheduler;
    std::string policy;
    JobId job;
    Text summary;               ///< one sentence in the policy's words
    Rule rule = Rule::firstFeasible;
    std::string criterion;      ///< name of the compared number (minimum, maximum)
    std::vector<Candidate> candidates;
    std::vector<std::size_t> chosen; ///< indices into candidates, ascending
    bool abridged = false;           ///< candidates and choice were left out: see ExplanationArena

    /// Applies the rule to the candidates; equals `chosen` in a truthful explanation.
    std::vector<std::size_t> evaluate() const;
};

/// Append-only; the decision event holds the index. Once the explanations fill the memory allowed, later ones keep their
/// summary only.
class ExplanationArena {
public:
    static constexpr std::size_t usualLimit = std::size_t{256} << 20; ///< bytes

    explicit ExplanationArena(WhyLevel level = WhyLevel::decisions, std::size_t memoryLimit = usualLimit)
        : m_level(level), m_memoryLimit(memoryLimit) {}
    WhyLevel level() const { return m_level; }
    std::uint32_t add(Explanation explanation);
    const std::vector<Explanation>& all() const { return m_explanations; }

private:
    WhyLevel m_level;
    std::size_t m_memoryLimit;
    std::size_t m_bytes = 0; ///< of m_explanations, nearly
    std::vector<Explanation> m_explanations;
};

} // namespace trainyard
