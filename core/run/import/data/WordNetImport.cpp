// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// WordNet's pointers as facts: from the files data.noun, data.verb, data.adj and data.adv of its database (wndb(5WN), WordNet 3.0). An entity
// is a synset, named by its first word, its part of speech and its offset; a relation is a kind of pointer. Pointers between words count
// as pointers between their synsets, each once.
#include "base/Utf8.h"
#include "run/import/data/GatheredTriples.h"
#include "run/import/data/TextBlocks.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace trainyard {

namespace word_net {

constexpr std::array<const char*, 4> files{"noun", "verb", "adj", "adv"};

/// wninput(5WN).
constexpr std::array<std::pair<std::string_view, std::string_view>, 26> pointers{{{"!", "antonym"},
                                                                                  {"@", "hypernym"},
                                                                                  {"@i", "instance_hypernym"},
                                                                                  {"~", "hyponym"},
                                                                                  {"~i", "instance_hyponym"},
                                                                                  {"#m", "member_holonym"},
                                                                                  {"#s", "substance_holonym"},
                                                                                  {"#p", "part_holonym"},
                                                                                  {"%m", "member_meronym"},
                                                                                  {"%s", "substance_meronym"},
                                                                                  {"%p", "part_meronym"},
                                                                                  {"=", "attribute"},
                                                                                  {"+", "derivation"},
                                                                                  {";c", "topic"},
                                                                                  {"-c", "member_of_topic"},
                                                                                  {";r", "region"},
                                                                                  {"-r", "member_of_region"},
                                                                                  {";u", "usage"},
                                                                                  {"-u", "member_of_usage"},
                                                                                  {"*", "entailment"},
                                                                                  {">", "cause"},
                                                                                  {"^", "also_see"},
                                                                                  {"$", "verb_group"},
                                                                                  {"&", "similar_to"},
                                                                                  {"<", "participle"},
                                                                                  {"\\", "pertainym"}}};

std::optional<unsigned> numberIn(std::string_view text, int base) {
    unsigned out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return out;
}

bool isOffset(std::string_view text) {
    return text.size() == 8 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Of a synset: n, v, a or r and its offset; satellites (s) are adjectives. Empty: it is none.
std::string keyOf(std::string_view type, std::string_view offset) {
    if (type.size() != 1 || std::string_view("nvasr").find(type) == std::string_view::npos || !isOffset(offset))
        return {};
    return std::string(type == "s" ? "a" : type) + std::string(offset);
}

class Reader {
public:
    explicit Reader(GatheredTriples& into) : m_into(into) {}

    bool read(const std::filesystem::path& file, const std::string& shown) {
        TextLines lines(file, shown);
        m_lines = &lines;
        while (const auto line = lines.next()) {
            if (line->empty() || line->starts_with("  ")) continue; // the licence
            m_rest = line->substr(0, line->find(" | "));
            synset();
            if (m_problems.size() == mostImportProblems || m_into.failed()) return false;
        }
        m_problems.insert(m_problems.end(), lines.problems().begin(), lines.problems().end());
        return m_problems.empty();
    }

    /// By entity that was gathered.
    Result<std::vector<std::string>> names(const std::string& shown) {
        std::vector<std::string> out;
        for (std::uint32_t e = 0; e < m_into.entities().size(); ++e) {
            const std::string_view key = m_into.entities().name(e);
            const auto known = m_keys.find(key);
            if (!known)
                return Problem{.code = "bad-wordnet",
                               .message = {TRAINYARD_TEXT("a pointer leads to synset {0}, which is in none of the "
                                                          "files; all four must be of one version"),
                                           {std::string(key)}},
                               .file = shown};
            out.push_back(m_words[*known] + "." + std::string(key.substr(0, 1)) + "." + std::string(key.substr(1)));
        }
        return out;
    }
    Problems problems() { return std::move(m_problems); }

private:
    std::string_view field() {
        m_rest.remove_prefix(std::min(m_rest.find_first_not_of(' '), m_rest.size()));
        const std::string_view out = m_rest.substr(0, m_rest.find(' '));
        m_rest.remove_prefix(out.size());
        return out;
    }
    void wrong(const char* pattern, std::string_view found) {
        m_problems.push_back(m_lines->problemHere("bad-wordnet", {pattern, {std::string(found.substr(0, 40))}}));
    }

    /// offset file type words word id … pointers symbol offset type words …
    void synset() {
        const std::string_view offset = field();
        field();
        const std::string key = keyOf(field(), offset);
        if (key.empty())
            return wrong(TRAINYARD_TEXT("\"{0}\" does not begin a synset: an offset of eight digits, a number and n, "
                                        "v, a, s or r do"),
                         offset);
        const std::string_view wordCount = field();
        const auto words = numberIn(wordCount, 16);
        if (!words || *words == 0)
            return wrong(TRAINYARD_TEXT("\"{0}\" is no number of words (hexadecimal, from 01 on)"), wordCount);
        std::string first;
        for (unsigned w = 0; w < *words; ++w) {
            const std::string_view word = field(), id = field();
            if (id.empty()) return wrong(TRAINYARD_TEXT("the line ends before the last of its {0} words"), wordCount);
            if (w > 0) continue;
            if (firstInvalidUtf8(word) != word.size()) return wrong(TRAINYARD_TEXT("the first word is not UTF-8"), {});
            first = word.substr(0, word.find('(')); // adjectives may say where they stand: word(a)
        }
        const std::string_view pointerCount = field();
        const auto many = numberIn(pointerCount, 10);
        if (!many) return wrong(TRAINYARD_TEXT("\"{0}\" is no number of pointers"), pointerCount);
        if (m_keys.find(key)) return wrong(TRAINYARD_TEXT("synset {0} is there twice"), key);
        m_keys.numberOf(key);
        m_words.push_back(std::move(first));
        m_met.clear();
        for (unsigned p = 0; p < *many; ++p)
            if (!pointer(key)) return;
    }

    bool pointer(const std::string& from) {
        const std::string_view symbol = field(), offset = field(), type = field(), words = field();
        const auto* known = std::ranges::find(pointers, symbol, &std::pair<std::string_view, std::string_view>::first);
        if (known == pointers.end()) {
            wrong(TRAINYARD_TEXT("\"{0}\" is no kind of pointer"), symbol);
            return false;
        }
        const std::string to = keyOf(type, offset);
        if (to.empty() || words.size() != 4) {
            wrong(TRAINYARD_TEXT("the pointer to \"{0}\" is not an offset, a part of speech and two words' numbers"),
                  offset);
            return false;
        }
        if (m_met.emplace(symbol, to).second) m_into.add(from, known->second, to, m_lines->line());
        return true;
    }

    GatheredTriples& m_into;
    TextLines* m_lines = nullptr;
    std::string_view m_rest;
    NameTable m_keys; ///< of all synsets
    std::vector<std::string> m_words;
    std::set<std::pair<std::string, std::string>> m_met; ///< pointers of this synset
    Problems m_problems;
};

Result<ImportedData> read(const ImportRequest& request) {
    auto gathered = std::make_shared<GatheredTriples>(request);
    Reader reader(*gathered);
    for (const char* part : files) {
        const std::string name = std::string("data.") + part;
        const auto file = request.file / name;
        if (!reader.read(file, (std::filesystem::path(request.shown) / name).string()))
            return gathered->failed() ? gathered->problems() : reader.problems();
    }
    if (gathered->facts(GatheredTriples::train) == 0)
        return Problem{
            .code = "no-triples", .message = {TRAINYARD_TEXT("no synset has a pointer"), {}}, .file = request.shown};
    auto names = reader.names(request.shown);
    if (!names) return names.problems();
    gathered->rename(std::move(*names));
    gathered->split();
    if (gathered->failed()) return gathered->problems();
    return GatheredTriples::imported(std::move(gathered));
}

} // namespace word_net

Importer wordNetImporter() {
    return {
        .name = "wordnet",
        .what =
            "WordNet's pointers between synsets as triples; the directory of its files data.noun, data.verb, data.adj "
            "and data.adv, /usr/share/wordnet with Debian's wordnet-base",
        .options = {"--seed", "--test-share"},
        .read = word_net::read};
}

} // namespace trainyard
