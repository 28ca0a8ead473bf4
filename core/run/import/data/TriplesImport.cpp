// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Facts in lines "subject<TAB>relation<TAB>object": one file, which is split by the seed, or a directory with train, valid and test, as
// knowledge graphs are handed on.
#include "base/Utf8.h"
#include "run/import/data/GatheredTriples.h"
#include "run/import/data/TextBlocks.h"

namespace trainyard {

namespace triples_import {

constexpr std::array<const char*, 3> columns{"subject", "relation", "object"};

class Reader {
public:
    explicit Reader(GatheredTriples& into) : m_into(into) {}

    /// false: with problems.
    bool read(const std::filesystem::path& file, const std::string& shown, GatheredTriples::Part part) {
        TextLines lines(file, shown);
        std::uint64_t unknown = 0, firstUnknown = 0;
        while (const auto line = lines.next()) {
            if (line->empty()) continue;
            std::array<std::string_view, 3> names;
            if (!cut(lines, *line, names)) {
                if (m_problems.size() == mostImportProblems) return false;
            } else if (part != GatheredTriples::train) {
                if (!m_into.addApart(part, names[0], names[1], names[2]) && unknown++ == 0) firstUnknown = lines.line();
            } else if (!m_into.add(names[0], names[1], names[2], lines.line())) {
                m_problems.push_back(lines.problemHere("too-large", {TRAINYARD_TEXT("there are more than {0} names"),
                                                                     {std::to_string(mostImportedNames)}}));
                return false;
            }
            if (m_into.failed()) break;
        }
        m_problems.insert(m_problems.end(), lines.problems().begin(), lines.problems().end());
        if (unknown > 0)
            m_warnings.push_back(
                {.code = "unknown-name",
                 .message = {TRAINYARD_TEXT("{0} facts, this one first, are left out: a subject, relation or object "
                                            "is in no fact that is trained on"),
                             {std::to_string(unknown)}},
                 .severity = Severity::warning,
                 .file = shown,
                 .line = problemLine(firstUnknown)});
        return m_problems.empty();
    }
    Problems problems() { return std::move(m_problems); }
    Problems& warnings() { return m_warnings; }

private:
    bool cut(const TextLines& lines, std::string_view line, std::array<std::string_view, 3>& names) {
        std::size_t many = 0;
        for (std::string_view rest = line;; ++many) {
            const std::size_t end = rest.find('\t');
            if (many < 3) names[many] = rest.substr(0, end);
            if (end == rest.npos) break;
            rest.remove_prefix(end + 1);
        }
        ++many;
        if (many != 3)
            return wrong(lines, {TRAINYARD_TEXT("the line has {0} columns; a fact has three, subject, relation and "
                                                "object, with a tab between them"),
                                 {std::to_string(many)}});
        for (std::size_t i = 0; i < 3; ++i) {
            if (names[i].empty())
                return wrong(lines, {TRAINYARD_TEXT("the {0} (column {1}) is empty; a name is needed"),
                                     {columns[i], std::to_string(i + 1)}});
            if (const std::size_t at = firstInvalidUtf8(names[i]); at != names[i].size())
                return wrong(lines,
                             {TRAINYARD_TEXT("the {0} (column {1}) is not UTF-8 from its byte {2} on; iconv converts "
                                             "other encodings"),
                              {columns[i], std::to_string(i + 1), std::to_string(at + 1)}});
        }
        return true;
    }
    bool wrong(const TextLines& lines, Text message) {
        m_problems.push_back(lines.problemHere("not-a-triple", std::move(message)));
        return false;
    }

    GatheredTriples& m_into;
    Problems m_problems, m_warnings;
};

/// The file of a part in a directory: train.txt or train.tsv, perhaps packed; empty: there is none.
std::filesystem::path partIn(const std::filesystem::path& directory, const std::string& part) {
    for (const char* ending : {".txt", ".tsv", "", ".txt.gz", ".tsv.gz"}) {
        std::error_code error;
        if (std::filesystem::path file = directory / (part + ending); std::filesystem::is_regular_file(file, error))
            return file;
    }
    return {};
}

Result<ImportedData> read(const ImportRequest& request) {
    auto gathered = std::make_shared<GatheredTriples>(request);
    Reader reader(*gathered);
    const auto nothing = [&](Text message) {
        return Problem{.code = "no-triples", .message = std::move(message), .file = request.shown};
    };
    std::error_code error;
    std::string first = request.shown;
    if (std::filesystem::is_directory(request.file, error)) {
        constexpr std::array<const char*, 3> names{"train", "valid", "test"};
        for (const auto part : {GatheredTriples::train, GatheredTriples::valid, GatheredTriples::test}) {
            const auto file = partIn(request.file, names[part]);
            if (file.empty() && part == GatheredTriples::valid) continue;
            if (file.empty())
                return nothing({TRAINYARD_TEXT("the directory has no file {0}.txt or {0}.tsv; train and test are "
                                               "needed, valid may be there"),
                                {names[part]}});
            const std::string shown = (std::filesystem::path(request.shown) / file.filename()).string();
            if (part == GatheredTriples::train) first = shown;
            if (!reader.read(file, shown, part)) return reader.problems();
            if (gathered->failed()) return gathered->problems();
        }
    } else {
        if (!reader.read(request.file, request.shown, GatheredTriples::train)) return reader.problems();
    }
    if (gathered->failed()) return gathered->problems();
    if (gathered->facts(GatheredTriples::train) == 0)
        return nothing({TRAINYARD_TEXT("there is no fact to train on; lines are subject, relation and object, with "
                                       "a tab between them"),
                        {}});
    Problems warnings = std::move(reader.warnings());
    const bool splits = !std::filesystem::is_directory(request.file, error);
    if (const std::uint64_t repeated = splits ? gathered->dropRepeated() : 0; repeated > 0)
        warnings.push_back(
            {.code = "repeated-fact",
             .message = {TRAINYARD_TEXT("{0} facts are there before; each counts once"), {std::to_string(repeated)}},
             .severity = Severity::warning,
             .file = request.shown});
    const Problems once = gathered->occurringOnce(first);
    warnings.insert(warnings.end(), once.begin(), once.end());
    if (splits) gathered->split();
    if (gathered->failed()) return gathered->problems();
    if (gathered->facts(GatheredTriples::train) > 0xffffffffu)
        return Problem{.code = "too-large",
                       .message = {TRAINYARD_TEXT("there are more than 4,294,967,295 facts"), {}},
                       .file = request.shown};
    return {GatheredTriples::imported(std::move(gathered)), std::move(warnings)};
}

} // namespace triples_import

Importer triplesImporter() {
    return {.name = "triples",
            .what =
                "facts of a knowledge graph, lines of subject, relation and object with tabs between; a file, which "
                "is split, or a directory with train, valid and test (memory: 60 MB, and 60 bytes a name and the name)",
            .options = {"--seed", "--test-share"},
            .read = triples_import::read};
}

} // namespace trainyard
