// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/graphs/DegreeRules.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

/// Both ways of asking: `at(i)` is option i, `degreeOf(i)` its degree.
template <class At, class DegreeOf>
std::optional<std::size_t> choose(const DegreeRule& rule, std::size_t count, At at, DegreeOf degreeOf, double beta,
                                  RandomStream& random) {
    using Kind = DegreeRule::Kind;
    std::optional<std::size_t> last;
    switch (rule.kind) {
    case Kind::constant:
        for (std::size_t i = 0; i < count; ++i)
            if (degreeOf(i) == rule.degree) return at(i).allowed ? std::optional(i) : std::nullopt;
        return std::nullopt;
    case Kind::max:
        for (std::size_t i = count; i-- > 0;)
            if (at(i).allowed) return i;
        return std::nullopt;
    case Kind::random: {
        std::vector<std::size_t> allowed;
        for (std::size_t i = 0; i < count; ++i)
            if (at(i).allowed) allowed.push_back(i);
        if (allowed.empty()) return std::nullopt;
        return allowed[random.below(allowed.size())];
    }
    case Kind::acceptableJct:
        for (std::size_t i = 0; i < count; ++i) {
            if (!at(i).allowed) continue;
            last = i;
            if (degreeOf(i) >= std::ceil(1 / beta)) break;
        }
        return last;
    case Kind::floor:
        for (std::size_t i = 0; i < count; ++i)
            if (degreeOf(i) >= rule.degree && at(i).state == OptionState::inTime) return i;
        for (std::size_t i = count; i-- > 0;)
            if (degreeOf(i) < rule.degree && at(i).state == OptionState::inTime) return i;
        return std::nullopt;
    }
    return std::nullopt;
}

} // namespace

std::optional<std::size_t> chosenOption(const DegreeRule& rule, std::span<const GraphOption> options, double beta,
                                        RandomStream& random) {
    return choose(
        rule, options.size(), [&](std::size_t i) -> const GraphOption& { return options[i]; },
        [&](std::size_t i) { return options[i].degree; }, beta, random);
}

std::optional<GraphOption> chosenOption(const DegreeRule& rule, GraphPricer& pricer, const LossSystem& system,
                                        std::uint32_t graph, double beta, RandomStream& random) {
    const double deadline = beta * pricer.sequentialSeconds(graph);
    const auto [first, end] = pricer.offered(graph);
    const std::span degrees = std::span(pricer.degrees()).subspan(first, end - first);
    GraphOption seen;
    const auto at = [&, first = first](std::size_t i) -> const GraphOption& {
        return seen = pricer.price(graph, first + i, deadline, system.occupied(), system.ending());
    };
    const auto chosen = choose(
        rule, degrees.size(), at, [&](std::size_t i) { return degrees[i]; }, beta, random);
    if (!chosen) return std::nullopt;
    return seen.degree == degrees[*chosen] ? seen : at(*chosen);
}

} // namespace trainyard
