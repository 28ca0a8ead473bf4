// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The files that data of keyed models are kept in (docs/format/keyed-data.md): one format for triples, text and cells, little-endian, with
// counts in front and a checksum at the end. Written by `trainyard-cli import`, block by block, and read at once by whoever trains.
#include "learning/keyed/Cells.h"
#include "learning/keyed/Corpus.h"
#include "learning/keyed/Triples.h"

#include <array>
#include <filesystem>
#include <functional>
#include <variant>

namespace trainyard {

enum class KeyedKind : std::uint32_t { triples = 1, text, cells };
const char* keyedKindName(KeyedKind kind); ///< "triples", "text", "cells"

/// What a file says of itself in front.
struct KeyedHeader {
    KeyedKind kind = KeyedKind::triples;
    /// triples: entities, relations, facts of train, of valid, of test. text: words, words of the text, sentences, words with a topic
    /// (all or none), analogies. cells: rows, columns, cells of train, of test. Others are 0.
    std::array<std::uint64_t, 6> counts{};
    std::uint64_t nameBytes = 0; ///< of all names with their line ends; 0: there are none

    static constexpr std::uint64_t bytes = 72;
    /// Names that there are if nameBytes > 0: of entities, then relations; of words; of cells none.
    std::uint64_t names() const;
    std::uint64_t fileBytes() const; ///< of the whole file
};

/// Names of what the data number. Empty: they have none, as planted data.
struct KeyedNames {
    std::vector<std::string> entities, relations, words;
};

using KeyedData = std::variant<Triples, Corpus, KnownCells>;

/// Of a whole file. `file` is what problems name. Problems, one of: "not-keyed-data" (another beginning), "other-version", "unknown-kind",
/// "wrong-counts" (counts that cannot be, or more bytes than they need), "truncated", "damaged" (checksum), "out-of-range" (an entity,
/// relation, word, row or column that there is not; a value that is no number), "wrong-order" (cells), "wrong-names".
Result<KeyedData> readKeyedData(std::string_view bytes, const std::string& file = {}, KeyedNames* names = nullptr);
/// The same of a file of at most 64 GiB, which is in memory beside the data until it is read. Besides: "cannot-read".
Result<KeyedData> readKeyedFile(const std::filesystem::path& file, KeyedNames* names = nullptr);
/// What a file says of itself, without its body being read: its counts, which fit its length, and its checksum.
struct KeyedSummary {
    KeyedHeader header;
    std::uint32_t checksum = 0;
};
Result<KeyedSummary> readKeyedSummary(const std::filesystem::path& file);
/// Data of another kind than is needed. "wrong-kind".
Problem wrongKeyedKind(KeyedKind is, KeyedKind needed, const std::string& file);
KeyedKind keyedKindOf(const KeyedData& data);

/// Writes a file in its order: names, then for triples the facts of train, valid and test; for text the topics of words, the analogies and
/// the text; for cells those of train and of test. Numbers that are out of range are not looked for.
class KeyedDataWriter {
public:
    using Sink = std::function<void(std::string_view)>; ///< takes the next bytes of the file
    KeyedDataWriter(const KeyedHeader& header, Sink sink);
    void name(std::string_view name); ///< without line ends, not empty
    void add(const Triple& fact);
    void add(const Cell& cell);
    void add(const Corpus::Analogy& analogy);
    void word(std::uint32_t number) { put(number); } ///< also the topic of a word
    void endSentence() { put(sentenceEnd); }
    /// Throws InvariantError if the header announced another number of bytes.
    void finish();

    static constexpr std::uint32_t sentenceEnd = 0xffffffff;

private:
    void put(std::uint32_t number);
    void put(std::string_view bytes);
    void flush();

    Sink m_sink;
    std::string m_block;
    std::uint64_t m_expected, m_written = 0;
    std::uint32_t m_checksum = 0;
};

/// The whole file. Names are written where there are as many as the data number.
std::string keyedDataBytes(const KeyedData& data, const KeyedNames& names = {});

} // namespace trainyard
