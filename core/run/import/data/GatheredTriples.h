// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Facts as an importer meets them: their names numbered, the facts put aside, and split into parts. Shared by importers of triples.
#include "learning/keyed/NameTable.h"
#include "run/files/ScratchFile.h"
#include "run/import/Importer.h"

#include <array>

namespace trainyard {

class GatheredTriples {
public:
    enum Part { train, valid, test, parts };

    explicit GatheredTriples(const ImportRequest& request);

    /// A fact that is trained on, or not yet split; `line` is where it stands, for warnings. false: there are too many names.
    bool add(std::string_view subject, std::string_view relation, std::string_view object, std::uint64_t line);
    /// A fact of another part. false: it has a name that no fact of train has, and is left out.
    bool addApart(Part part, std::string_view subject, std::string_view relation, std::string_view object);
    /// Keeps of equal facts the first one, in their order; how many were left out.
    std::uint64_t dropRepeated();
    /// Moves about `testShare` of the facts to test and as many to valid. By the seed and by what a fact is; but a fact stays if it is the last
    /// one in train of its subject, relation or object.
    void split();
    bool failed() const;
    Problems problems() const; ///< of scratch files
    std::uint64_t facts(Part part) const { return m_facts[part]->bytes() / sizeof(Triple); }
    const NameTable& entities() const { return m_entities; }
    /// Names of entities in place of those that they were gathered by. As many, each once.
    void rename(std::vector<std::string> names) { m_newNames = std::move(names); }

    /// A warning that tells how many entities are in one fact alone, and where the first of them is; nothing if there are none.
    Problems occurringOnce(const std::string& file) const;
    /// Takes what was gathered.
    static ImportedData imported(std::shared_ptr<GatheredTriples> gathered);

private:
    Problems write(KeyedDataWriter& writer);

    ImportRequest m_request;
    NameTable m_entities, m_relations;
    std::vector<std::uint32_t> m_uses, m_relationUses; ///< facts of train, by number; 2³² − 1: at least so many
    std::vector<std::uint32_t> m_firstLine;            ///< by entity
    std::array<std::unique_ptr<ScratchFile>, parts> m_facts;
    std::vector<std::string> m_newNames;
    Problems m_failures; ///< of what was put aside meanwhile
};

} // namespace trainyard
