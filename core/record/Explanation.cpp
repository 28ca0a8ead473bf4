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

std::uint32_t ExplanationArena::add(Explanation explanation) {
    m_explanations.push_back(std::move(explanation));
    return static_cast<std::uint32_t>(m_explanations.size() - 1);
}

} // namespace trainyard
