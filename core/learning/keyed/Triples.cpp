// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/keyed/Triples.h"

#include "base/Random.h"
#include "base/Stopped.h"
#include "learning/keyed/AliasTable.h"
#include "learning/keyed/NameTable.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

Triples plantTriples(const PlantedTriples& shape, std::uint64_t seed, const std::stop_token& stop) {
    RandomStream random(seed, Purpose::dataset, 0, 1);
    Triples out{.entities = shape.entities, .relations = shape.relations, .train = {}, .valid = {}, .test = {}};
    const std::uint32_t types = std::min(shape.types, shape.entities);
    // Entity e is the (e / types)-th of type e mod types: that is its place. Each relation leads from one type to another, and
    // shifts places by a number of its own; objects are next to each other.
    const std::uint32_t places = std::max(1u, shape.entities / types);
    struct Relation {
        std::uint32_t from, to, shift;
    };
    std::vector<Relation> relations;
    for (std::uint32_t r = 0; r < shape.relations; ++r)
        relations.push_back({static_cast<std::uint32_t>(random.below(types)),
                             static_cast<std::uint32_t>(random.below(types)),
                             static_cast<std::uint32_t>(random.below(places))});
    std::vector<double> weights(places);
    for (std::uint32_t p = 0; p < places; ++p) weights[p] = std::pow(p + 1.0, -shape.exponent);
    const AliasTable popular(weights);
    std::vector<double> relationWeights(shape.relations);
    for (std::uint32_t r = 0; r < shape.relations; ++r) relationWeights[r] = 1 / (r + 1.0);
    const AliasTable relationLaw(relationWeights);

    std::vector<Triple> facts;
    // Facts that were drawn before are drawn again; where there are not so many, there are fewer.
    for (std::size_t tries = 0; facts.size() < shape.facts && tries < 40; ++tries) {
        for (std::size_t n = facts.size(); n < shape.facts; ++n) {
            if (n % 1024 == 0) throwIfStopped(stop);
            const std::uint32_t r = relationLaw.draw(random);
            const std::uint32_t from = popular.draw(random);
            std::uint32_t to =
                (from + relations[r].shift + static_cast<std::uint32_t>(random.below(shape.objects))) % places;
            if (random.unit() < shape.noise) to = popular.draw(random);
            facts.push_back({from * types + relations[r].from, r, to * types + relations[r].to});
        }
        std::ranges::sort(facts);
        facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
    }
    for (std::size_t i = facts.size(); i > 1; --i) std::swap(facts[i - 1], facts[random.below(i)]);
    const std::size_t apart = facts.size() / 20;
    out.test.assign(facts.begin(), facts.begin() + static_cast<std::ptrdiff_t>(apart));
    out.valid.assign(facts.begin() + static_cast<std::ptrdiff_t>(apart),
                     facts.begin() + static_cast<std::ptrdiff_t>(2 * apart));
    out.train.assign(facts.begin() + static_cast<std::ptrdiff_t>(2 * apart), facts.end());
    return out;
}

namespace {

Problem notATriple(const char* text, std::size_t line) {
    return {.code = "not-a-triple",
            .message = {TRAINYARD_TEXT("{0}, line {1}: three names with a tab between them would be right"),
                        {text, std::to_string(line)}}};
}

} // namespace

Result<ReadTriples> readTriples(std::string_view train, std::string_view valid, std::string_view test) {
    ReadTriples out;
    NameTable entities, relations;
    Problems problems;
    const auto read = [&](const char* name, std::string_view text, std::vector<Triple>& into, bool teaches) {
        for (std::size_t line = 1; !text.empty(); ++line) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            std::string_view row = text.substr(0, end);
            text.remove_prefix(std::min(end + 1, text.size()));
            if (row.ends_with('\r')) row.remove_suffix(1);
            if (row.empty()) continue;
            const std::size_t first = row.find('\t');
            const std::size_t second = first == row.npos ? row.npos : row.find('\t', first + 1);
            if (second == row.npos || row.find('\t', second + 1) != row.npos || first == 0 || second == first + 1 ||
                second + 1 == row.size()) {
                problems.push_back(notATriple(name, line));
                if (problems.size() == 20) return;
                continue;
            }
            const std::string_view s = row.substr(0, first), r = row.substr(first + 1, second - first - 1),
                                   o = row.substr(second + 1);
            if (!teaches && !(entities.find(s) && relations.find(r) && entities.find(o))) {
                ++out.leftOut;
                continue;
            }
            const std::uint32_t subject = entities.numberOf(s), relation = relations.numberOf(r);
            into.push_back({subject, relation, entities.numberOf(o)});
        }
    };
    read("train", train, out.triples.train, true);
    read("valid", valid, out.triples.valid, false);
    read("test", test, out.triples.test, false);
    if (problems.empty() && out.triples.train.empty())
        problems.push_back({.code = "no-triples", .message = {TRAINYARD_TEXT("there is no triple to train on"), {}}});
    if (!problems.empty()) return problems;
    out.triples.entities = entities.size();
    out.triples.relations = relations.size();
    out.entityNames = entities.all();
    out.relationNames = relations.all();
    return out;
}

} // namespace trainyard
