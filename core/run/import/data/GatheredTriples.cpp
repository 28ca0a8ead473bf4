// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/import/data/GatheredTriples.h"

#include "base/Random.h"
#include "run/import/data/SortedRuns.h"
#include "run/import/data/TextBlocks.h"

#include <algorithm>

namespace trainyard {

namespace {

void countUse(std::vector<std::uint32_t>& uses, std::uint32_t number) {
    if (number >= uses.size()) uses.resize(number + 1);
    if (uses[number] != 0xffffffffu) ++uses[number];
}

struct PlacedTriple {
    Triple fact;
    std::uint32_t placeLow = 0, placeHigh = 0; ///< in the file, in halves that leave no gap

    std::uint64_t place() const { return std::uint64_t{placeHigh} << 32 | placeLow; }
};
struct ByFact {
    bool operator()(const PlacedTriple& a, const PlacedTriple& b) const {
        return a.fact != b.fact ? a.fact < b.fact : a.place() < b.place();
    }
};
struct ByPlace {
    bool operator()(const PlacedTriple& a, const PlacedTriple& b) const { return a.place() < b.place(); }
};

} // namespace

GatheredTriples::GatheredTriples(const ImportRequest& request) : m_request(request) {
    for (auto& part : m_facts) part = std::make_unique<ScratchFile>(request.scratch);
}

bool GatheredTriples::add(std::string_view subject, std::string_view relation, std::string_view object,
                          std::uint64_t line) {
    const auto numberOf = [&](std::string_view name) {
        const std::uint32_t number = m_entities.numberOf(name);
        if (number == m_firstLine.size()) m_firstLine.push_back(static_cast<std::uint32_t>(problemLine(line)));
        countUse(m_uses, number);
        return number;
    };
    Triple fact;
    fact.subject = numberOf(subject);
    fact.relation = m_relations.numberOf(relation);
    fact.object = numberOf(object);
    countUse(m_relationUses, fact.relation);
    m_facts[train]->add(fact);
    return m_entities.size() <= mostImportedNames && m_relations.size() <= mostImportedNames;
}

bool GatheredTriples::addApart(Part part, std::string_view subject, std::string_view relation,
                               std::string_view object) {
    const auto s = m_entities.find(subject), r = m_relations.find(relation), o = m_entities.find(object);
    if (!s || !r || !o) return false;
    m_facts[part]->add(Triple{*s, *r, *o});
    return true;
}

std::uint64_t GatheredTriples::dropRepeated() {
    SortedRuns<PlacedTriple, ByFact> byFact(m_request.scratch);
    SortedRuns<PlacedTriple, ByPlace> byPlace(m_request.scratch);
    ScratchFile::Reader all(*m_facts[train]);
    std::uint64_t place = 0;
    for (PlacedTriple placed; all.next(placed.fact); ++place) {
        placed.placeLow = static_cast<std::uint32_t>(place);
        placed.placeHigh = static_cast<std::uint32_t>(place >> 32);
        byFact.add(placed);
    }
    std::uint64_t dropped = 0;
    std::optional<Triple> before;
    byFact.forEach([&](const PlacedTriple& placed) {
        if (placed.fact == before) {
            ++dropped;
            --m_uses[placed.fact.subject];
            --m_uses[placed.fact.object];
            --m_relationUses[placed.fact.relation];
        } else {
            byPlace.add(placed);
        }
        before = placed.fact;
        return !byPlace.failed();
    });
    if (dropped == 0 && !byFact.failed() && !byPlace.failed()) return 0;
    auto kept = std::make_unique<ScratchFile>(m_request.scratch);
    byPlace.forEach([&](const PlacedTriple& placed) {
        kept->add(placed.fact);
        return !kept->failed();
    });
    m_failures = byFact.problems();
    if (m_failures.empty()) m_failures = byPlace.problems();
    if (!m_facts[train]->failed()) m_facts[train] = std::move(kept);
    return dropped;
}

void GatheredTriples::split() {
    const double share = m_request.testShare;
    if (share <= 0) return;
    auto kept = std::make_unique<ScratchFile>(m_request.scratch);
    ScratchFile::Reader all(*m_facts[train]);
    for (Triple fact; all.next(fact);) {
        RandomStream draw(m_request.seed, Purpose::dataset, entityOf(fact.subject, fact.object), fact.relation);
        const double which = draw.unit();
        const std::uint32_t ownUses = fact.subject == fact.object ? 2 : 1;
        const bool stays = which >= 2 * share || m_uses[fact.subject] <= ownUses || m_uses[fact.object] <= ownUses ||
                           m_relationUses[fact.relation] <= 1;
        if (stays) {
            kept->add(fact);
            continue;
        }
        --m_uses[fact.subject];
        --m_uses[fact.object];
        --m_relationUses[fact.relation];
        m_facts[which < share ? test : valid]->add(fact);
    }
    if (!m_facts[train]->failed()) m_facts[train] = std::move(kept);
}

bool GatheredTriples::failed() const {
    return !m_failures.empty() || std::ranges::any_of(m_facts, [](const auto& part) { return part->failed(); });
}

Problems GatheredTriples::problems() const {
    for (const auto& part : m_facts)
        if (part->failed()) return part->problems();
    return m_failures;
}

Problems GatheredTriples::occurringOnce(const std::string& file) const {
    std::uint64_t many = 0;
    std::uint32_t first = 0;
    for (std::uint32_t e = 0; e < m_uses.size(); ++e)
        if (m_uses[e] == 1 && many++ == 0) first = e;
    if (many == 0) return {};
    return {{.code = "occurs-once",
             .message = {TRAINYARD_TEXT("{0} of {1} entities are in one fact alone, \"{2}\" first: it stays in the "
                                        "facts that are trained on, since nothing else tells of them"),
                         {std::to_string(many), std::to_string(m_entities.size()),
                          std::string(m_entities.name(first).substr(0, 60))}},
             .severity = Severity::warning,
             .file = file,
             .line = static_cast<int>(m_firstLine[first])}};
}

ImportedData GatheredTriples::imported(std::shared_ptr<GatheredTriples> gathered) {
    const GatheredTriples& of = *gathered;
    ImportedData out;
    std::uint64_t names = of.m_relations.nameBytes() + of.m_relations.size() + of.m_entities.size();
    if (of.m_newNames.empty())
        names += of.m_entities.nameBytes();
    else
        for (const std::string& name : of.m_newNames) names += name.size();
    out.header = {
        .kind = KeyedKind::triples,
        .counts = {of.m_entities.size(), of.m_relations.size(), of.facts(train), of.facts(valid), of.facts(test)},
        .nameBytes = names};
    out.summary = {TRAINYARD_TEXT("{0} entities, {1} relations, {2} facts to train on, {3} to validate, {4} to test"),
                   {}};
    for (std::size_t i = 0; i < 5; ++i) out.summary.arguments.push_back(std::to_string(out.header.counts[i]));
    out.write = [gathered = std::move(gathered)](KeyedDataWriter& writer) { return gathered->write(writer); };
    return out;
}

Problems GatheredTriples::write(KeyedDataWriter& writer) {
    for (std::uint32_t e = 0; e < m_entities.size(); ++e)
        writer.name(m_newNames.empty() ? m_entities.name(e) : std::string_view(m_newNames[e]));
    for (std::uint32_t r = 0; r < m_relations.size(); ++r) writer.name(m_relations.name(r));
    for (const auto& part : m_facts) {
        ScratchFile::Reader facts(*part);
        for (Triple fact; facts.next(fact);) writer.add(fact);
    }
    return problems();
}

} // namespace trainyard
