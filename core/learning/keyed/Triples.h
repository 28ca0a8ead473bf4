// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A knowledge graph: facts "subject relation object", numbered, and cut into those that are trained on and those that are asked for.
#include "base/Result.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

struct Triple {
    std::uint32_t subject = 0, relation = 0, object = 0;
    friend auto operator<=>(const Triple&, const Triple&) = default;
};

struct Triples {
    std::uint32_t entities = 0, relations = 0;
    std::vector<Triple> train, valid, test;
};

/// A graph with planted structure. Entities have a hidden type and place, relations lead from one type to another and shift places, so that
/// which facts hold follows a rule that embeddings can learn. Popular entities, by a power law, are in most facts.
struct PlantedTriples {
    std::uint32_t entities = 1000, relations = 12, facts = 10'000;
    std::uint32_t types = 6;   ///< of entities
    std::uint32_t objects = 8; ///< that a subject may have in a relation, but for noise
    double exponent = 0.8;     ///< of the power law
    double noise = 0.02;       ///< share of facts whose object is drawn without the rule
};
Triples plantTriples(const PlantedTriples& shape, std::uint64_t seed, const std::stop_token& stop = {});

/// Lines "subject<TAB>relation<TAB>object"; names are numbered as they come, across the three texts. Names that only `valid` or `test` have
/// cannot be learned: their lines are left out and counted. Problems name text and line.
struct ReadTriples {
    Triples triples;
    std::vector<std::string> entityNames, relationNames;
    std::size_t leftOut = 0;
};
Result<ReadTriples> readTriples(std::string_view train, std::string_view valid, std::string_view test);

} // namespace trainyard
