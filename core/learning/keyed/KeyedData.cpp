// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/keyed/KeyedData.h"

#include "base/Utf8.h"
#include "base/WholeFile.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>

namespace trainyard {

namespace keyed_data {

constexpr std::string_view magic = "TRYKEYED";
constexpr std::uint32_t version = 1;
constexpr std::uint64_t mostNumbers = 0xffffffff; ///< keys and examples are numbered in 32 bits
constexpr std::uint64_t mostText = std::uint64_t{1} << 40, mostNameBytes = std::uint64_t{1} << 40;
constexpr std::uintmax_t mostFileBytes = std::uintmax_t{1} << 36;
constexpr std::size_t blockBytes = std::size_t{1} << 16;

template <class Number>
Number littleEndian(std::string_view bytes, std::size_t at) {
    Number out = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i)
        out |= static_cast<Number>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
    return out;
}

std::uint32_t checksumOf(std::uint32_t before, std::string_view bytes) {
    return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// Of four bytes, behind the names.
std::uint64_t bodyNumbers(const KeyedHeader& header) {
    const auto& n = header.counts;
    switch (header.kind) {
    case KeyedKind::triples: return 3 * (n[2] + n[3] + n[4]);
    case KeyedKind::text: return n[1] + n[2] + n[3] + 4 * n[4];
    default: return 3 * (n[2] + n[3]);
    }
}

/// Why such counts cannot be; empty: they can.
std::string wrongCounts(const KeyedHeader& header) {
    const auto& n = header.counts;
    const auto above = [&](std::size_t i, std::uint64_t most) { return n[i] > most; };
    if (header.nameBytes > mostNameBytes || (header.nameBytes > 0 && header.nameBytes / 2 < header.names()))
        return "bytes of names";
    switch (header.kind) {
    case KeyedKind::triples:
        if (n[0] == 0 || n[1] == 0 || above(0, mostNumbers) || above(1, mostNumbers - n[0]))
            return "entities and relations";
        if (n[2] == 0 || above(2, mostNumbers) || above(3, mostNumbers) || above(4, mostNumbers)) return "facts";
        return n[5] == 0 ? "" : "fields without a meaning";
    case KeyedKind::text:
        if (n[0] == 0 || above(0, mostNumbers / 2)) return "words of the vocabulary";
        if (n[1] == 0 || above(1, mostText)) return "words of the text";
        if (n[2] == 0 || above(2, mostText)) return "sentences";
        if (n[3] != 0 && n[3] != n[0]) return "topics";
        if (above(4, mostNumbers)) return "analogies";
        return n[5] == 0 ? "" : "fields without a meaning";
    default:
        if (n[0] == 0 || n[1] == 0 || above(0, mostNumbers) || above(1, mostNumbers - n[0])) return "rows and columns";
        if (n[2] == 0 || above(2, mostNumbers) || above(3, mostNumbers)) return "cells";
        if (header.nameBytes != 0) return "bytes of names";
        return n[4] == 0 && n[5] == 0 ? "" : "fields without a meaning";
    }
}

class Reader {
public:
    Reader(std::string_view bytes, const std::string& file) : m_bytes(bytes), m_file(file) {}

    Result<KeyedHeader> readFront(std::uint64_t fileBytes) {
        if (!readHeader(fileBytes)) return m_problem;
        return m_header;
    }
    Result<KeyedData> read(KeyedNames* names) {
        if (!readHeader(m_bytes.size()) || !isWhole() || !readNames(names)) return m_problem;
        switch (m_header.kind) {
        case KeyedKind::triples: return resultOf(triples());
        case KeyedKind::text: return resultOf(text());
        default: return resultOf(cells());
        }
    }

private:
    Result<KeyedData> resultOf(KeyedData data) {
        if (!m_problem.code.empty()) return m_problem;
        return data;
    }
    bool fail(const char* code, const char* pattern, std::vector<std::string> arguments = {}) {
        if (m_problem.code.empty())
            m_problem = {.code = code, .message = {pattern, std::move(arguments)}, .file = m_file};
        return false;
    }
    std::uint32_t next() {
        m_at += 4;
        return littleEndian<std::uint32_t>(m_bytes, m_at - 4);
    }
    std::uint64_t count(std::size_t i) const { return m_header.counts[i]; }

    /// `fileBytes`: of the whole file, of which m_bytes may be the beginning.
    bool readHeader(std::uint64_t fileBytes) {
        if (!m_bytes.substr(0, magic.size()).starts_with(magic.substr(0, m_bytes.size())) || m_bytes.empty())
            return fail("not-keyed-data",
                        TRAINYARD_TEXT("this is no file of data for keyed models; trainyard-cli import makes them"));
        const auto truncated = [&](std::uint64_t whole) {
            return fail("truncated", TRAINYARD_TEXT("the file ends after {0} bytes; whole, it has {1}"),
                        {std::to_string(fileBytes), std::to_string(whole)});
        };
        if (m_bytes.size() < magic.size() + 8) return truncated(KeyedHeader::bytes);
        m_at = magic.size();
        if (const auto is = next(); is != version)
            return fail("other-version", TRAINYARD_TEXT("the file has version {0} of the format; version {1} is read"),
                        {std::to_string(is), std::to_string(version)});
        const std::uint32_t kind = next();
        if (kind < 1 || kind > 3)
            return fail("unknown-kind",
                        TRAINYARD_TEXT("data of kind {0} are not known; kinds are 1 triples, 2 text, 3 cells"),
                        {std::to_string(kind)});
        if (m_bytes.size() < KeyedHeader::bytes) return truncated(KeyedHeader::bytes);
        m_header.kind = static_cast<KeyedKind>(kind);
        for (std::uint64_t& number : m_header.counts) {
            number = littleEndian<std::uint64_t>(m_bytes, m_at);
            m_at += 8;
        }
        m_header.nameBytes = littleEndian<std::uint64_t>(m_bytes, m_at);
        m_at += 8;
        if (const std::string wrong = wrongCounts(m_header); !wrong.empty())
            return fail("wrong-counts", TRAINYARD_TEXT("the counts in front cannot be: {0}"), {wrong});
        const std::uint64_t whole = m_header.fileBytes();
        if (fileBytes < whole) return truncated(whole);
        if (fileBytes > whole)
            return fail("wrong-counts", TRAINYARD_TEXT("the file has {0} bytes; its counts need {1}"),
                        {std::to_string(fileBytes), std::to_string(whole)});
        return true;
    }
    bool isWhole() {
        const std::uint64_t whole = m_header.fileBytes();
        if (checksumOf(0, m_bytes.substr(0, whole - 4)) != littleEndian<std::uint32_t>(m_bytes, whole - 4))
            return fail("damaged", TRAINYARD_TEXT("the checksum at the end is not that of the file"));
        return true;
    }

    bool readNames(KeyedNames* into) {
        std::string_view text = m_bytes.substr(m_at, m_header.nameBytes);
        m_at += m_header.nameBytes;
        if (text.empty()) return true;
        if (firstInvalidUtf8(text) != text.size())
            return fail("wrong-names", TRAINYARD_TEXT("the names are not UTF-8"));
        std::uint64_t found = 0;
        for (; !text.empty(); ++found) {
            const std::size_t end = text.find('\n');
            if (end == 0 || end == text.npos || found == m_header.names())
                return fail("wrong-names",
                            TRAINYARD_TEXT("{0} names are needed; name {1} is empty, without an end or "
                                           "one too many"),
                            {std::to_string(m_header.names()), std::to_string(found + 1)});
            if (into) namesOf(found, *into).emplace_back(text.substr(0, end));
            text.remove_prefix(end + 1);
        }
        if (found == m_header.names()) return true;
        return fail("wrong-names", TRAINYARD_TEXT("there are {0} names; {1} are needed"),
                    {std::to_string(found), std::to_string(m_header.names())});
    }
    std::vector<std::string>& namesOf(std::uint64_t number, KeyedNames& into) const {
        if (m_header.kind == KeyedKind::text) return into.words;
        return number < count(0) ? into.entities : into.relations;
    }

    /// Of a number, whether it is below the count; a problem if not.
    bool inRange(std::uint32_t number, std::uint64_t below, const char* what) {
        if (number < below) return true;
        return fail("out-of-range", TRAINYARD_TEXT("{0} {1} at byte {2}; there are {3}, numbered from 0"),
                    {what, std::to_string(number), std::to_string(m_at - 4), std::to_string(below)});
    }

    Triples triples() {
        Triples out{.entities = static_cast<std::uint32_t>(count(0)),
                    .relations = static_cast<std::uint32_t>(count(1)),
                    .train = {},
                    .valid = {},
                    .test = {}};
        const auto facts = [&](std::vector<Triple>& into, std::uint64_t many) {
            into.resize(many);
            for (Triple& fact : into) {
                fact.subject = next();
                if (!inRange(fact.subject, count(0), "subject")) return false;
                fact.relation = next();
                if (!inRange(fact.relation, count(1), "relation")) return false;
                fact.object = next();
                if (!inRange(fact.object, count(0), "object")) return false;
            }
            return true;
        };
        (void)(facts(out.train, count(2)) && facts(out.valid, count(3)) && facts(out.test, count(4)));
        return out;
    }

    Corpus text() {
        Corpus out{.words = static_cast<std::uint32_t>(count(0))};
        out.topics.resize(count(3));
        for (std::uint32_t& topic : out.topics) topic = next();
        const auto word = [&] {
            const std::uint32_t number = next();
            inRange(number, count(0), "word");
            return number;
        };
        out.analogies.resize(count(4));
        for (auto& [a, b, c, d] : out.analogies) {
            for (std::uint32_t* of : {&a, &b, &c, &d}) *of = word();
            if (!m_problem.code.empty()) return out;
        }
        out.text.reserve(count(1));
        out.sentences.reserve(count(2) + 1);
        out.sentences.push_back(0);
        for (std::uint64_t n = 0; n < count(1) + count(2); ++n) {
            const std::uint32_t number = next();
            if (number == KeyedDataWriter::sentenceEnd)
                out.sentences.push_back(out.text.size());
            else if (inRange(number, count(0), "word"))
                out.text.push_back(number);
            else
                return out;
            if (out.text.size() > count(1) || out.sentences.size() > count(2) + 1) break;
        }
        if (out.text.size() != count(1) || out.sentences.back() != count(1))
            fail("wrong-counts", TRAINYARD_TEXT("the text is not {0} words in {1} sentences, as the counts say"),
                 {std::to_string(count(1)), std::to_string(count(2))});
        return out;
    }

    KnownCells cells() {
        KnownCells out{.rows = static_cast<std::uint32_t>(count(0)),
                       .columns = static_cast<std::uint32_t>(count(1)),
                       .train = {},
                       .test = {}};
        const auto read = [&](std::vector<Cell>& into, std::uint64_t many, bool ordered) {
            into.resize(many);
            const Cell* before = nullptr;
            for (Cell& cell : into) {
                cell.row = next();
                if (!inRange(cell.row, count(0), "row")) return false;
                cell.column = next();
                if (!inRange(cell.column, count(1), "column")) return false;
                cell.value = std::bit_cast<float>(next());
                if (!std::isfinite(cell.value))
                    return fail("out-of-range", TRAINYARD_TEXT("the value at byte {0} is no finite number"),
                                {std::to_string(m_at - 4)});
                if (ordered && before && columnFirst(cell) <= columnFirst(*before))
                    return fail("wrong-order",
                                TRAINYARD_TEXT("the cell at byte {0} is not behind the one before it; cells are by "
                                               "column, then by row, each once"),
                                {std::to_string(m_at - 12)});
                before = &cell;
            }
            return true;
        };
        (void)(read(out.train, count(2), true) && read(out.test, count(3), false));
        return out;
    }
    static std::uint64_t columnFirst(const Cell& cell) { return std::uint64_t{cell.column} << 32 | cell.row; }

    std::string_view m_bytes;
    std::string m_file;
    std::size_t m_at = 0;
    KeyedHeader m_header;
    Problem m_problem;
};

KeyedHeader headerOf(const Triples& facts) {
    return {.kind = KeyedKind::triples,
            .counts = {facts.entities, facts.relations, facts.train.size(), facts.valid.size(), facts.test.size()}};
}
KeyedHeader headerOf(const Corpus& corpus) {
    return {.kind = KeyedKind::text,
            .counts = {corpus.words, corpus.text.size(), corpus.sentences.size() - 1, corpus.topics.size(),
                       corpus.analogies.size()}};
}
KeyedHeader headerOf(const KnownCells& cells) {
    return {.kind = KeyedKind::cells, .counts = {cells.rows, cells.columns, cells.train.size(), cells.test.size()}};
}

void writeBody(KeyedDataWriter& writer, const Triples& facts) {
    for (const auto* part : {&facts.train, &facts.valid, &facts.test})
        for (const Triple& fact : *part) writer.add(fact);
}
void writeBody(KeyedDataWriter& writer, const Corpus& corpus) {
    for (const std::uint32_t topic : corpus.topics) writer.word(topic);
    for (const auto& analogy : corpus.analogies) writer.add(analogy);
    for (std::size_t s = 0; s + 1 < corpus.sentences.size(); ++s) {
        for (std::uint64_t i = corpus.sentences[s]; i < corpus.sentences[s + 1]; ++i) writer.word(corpus.text[i]);
        writer.endSentence();
    }
}
void writeBody(KeyedDataWriter& writer, const KnownCells& cells) {
    for (const auto* part : {&cells.train, &cells.test})
        for (const Cell& cell : *part) writer.add(cell);
}

} // namespace keyed_data

const char* keyedKindName(KeyedKind kind) {
    return kind == KeyedKind::triples ? "triples" : kind == KeyedKind::text ? "text" : "cells";
}

std::uint64_t KeyedHeader::names() const {
    return kind == KeyedKind::triples ? counts[0] + counts[1] : kind == KeyedKind::text ? counts[0] : 0;
}

std::uint64_t KeyedHeader::fileBytes() const { return bytes + nameBytes + 4 * keyed_data::bodyNumbers(*this) + 4; }

Result<KeyedData> readKeyedData(std::string_view bytes, const std::string& file, KeyedNames* names) {
    if (names) *names = {};
    return keyed_data::Reader(bytes, file).read(names);
}

Result<KeyedData> readKeyedFile(const std::filesystem::path& file, KeyedNames* names) {
    const auto bytes = readWholeFile(file, keyed_data::mostFileBytes);
    if (!bytes) return bytes.problems();
    return readKeyedData(*bytes, file.string(), names);
}

Result<KeyedSummary> readKeyedSummary(const std::filesystem::path& file) {
    const Problem unreadable{
        .code = "cannot-read", .message = {TRAINYARD_TEXT("the file cannot be read"), {}}, .file = file.string()};
    std::error_code failed;
    const std::uintmax_t size = std::filesystem::file_size(file, failed); // a device or a pipe has none
    std::ifstream in(file, std::ios::binary);
    if (failed || !in) return unreadable;
    std::string front(std::min<std::uintmax_t>(size, KeyedHeader::bytes), '\0');
    in.read(front.data(), static_cast<std::streamsize>(front.size()));
    if (!in) return unreadable;
    const auto header = keyed_data::Reader(front, file.string()).readFront(size);
    if (!header) return header.problems();
    std::string end(4, '\0');
    in.seekg(static_cast<std::streamoff>(size - 4));
    in.read(end.data(), 4);
    if (!in) return unreadable;
    return KeyedSummary{*header, keyed_data::littleEndian<std::uint32_t>(end, 0)};
}

KeyedKind keyedKindOf(const KeyedData& data) { return static_cast<KeyedKind>(data.index() + 1); }

Problem wrongKeyedKind(KeyedKind is, KeyedKind needed, const std::string& file) {
    return {.code = "wrong-kind",
            .message = {TRAINYARD_TEXT("the data are of kind {0}; kind {1} is needed"),
                        {keyedKindName(is), keyedKindName(needed)}},
            .file = file};
}

KeyedDataWriter::KeyedDataWriter(const KeyedHeader& header, Sink sink)
    : m_sink(std::move(sink)), m_expected(header.fileBytes() - 4) {
    put(keyed_data::magic);
    put(keyed_data::version);
    put(static_cast<std::uint32_t>(header.kind));
    const auto wide = [&](std::uint64_t number) {
        put(static_cast<std::uint32_t>(number));
        put(static_cast<std::uint32_t>(number >> 32));
    };
    for (const std::uint64_t number : header.counts) wide(number);
    wide(header.nameBytes);
}

void KeyedDataWriter::put(std::string_view bytes) {
    m_block += bytes;
    if (m_block.size() >= keyed_data::blockBytes) flush();
}

void KeyedDataWriter::put(std::uint32_t number) {
    const char bytes[4] = {static_cast<char>(number), static_cast<char>(number >> 8), static_cast<char>(number >> 16),
                           static_cast<char>(number >> 24)};
    put(std::string_view(bytes, 4));
}

void KeyedDataWriter::flush() {
    m_checksum = keyed_data::checksumOf(m_checksum, m_block);
    m_written += m_block.size();
    m_sink(m_block);
    m_block.clear();
}

void KeyedDataWriter::name(std::string_view name) {
    put(name);
    put(std::string_view("\n"));
}

void KeyedDataWriter::add(const Triple& fact) {
    for (const std::uint32_t number : {fact.subject, fact.relation, fact.object}) put(number);
}

void KeyedDataWriter::add(const Cell& cell) {
    for (const std::uint32_t number : {cell.row, cell.column, std::bit_cast<std::uint32_t>(cell.value)}) put(number);
}

void KeyedDataWriter::add(const Corpus::Analogy& analogy) {
    for (const std::uint32_t number : {analogy.a, analogy.b, analogy.c, analogy.d}) put(number);
}

void KeyedDataWriter::finish() {
    flush();
    require(m_written == m_expected, "another number of bytes than the counts need");
    const std::uint32_t checksum = m_checksum;
    put(checksum);
    flush();
}

std::string keyedDataBytes(const KeyedData& data, const KeyedNames& names) {
    KeyedHeader header = std::visit([](const auto& of) { return keyed_data::headerOf(of); }, data);
    const auto lists = {&names.entities, &names.relations, &names.words};
    std::uint64_t many = 0, bytes = 0;
    for (const auto* list : lists)
        for (const std::string& name : *list) {
            ++many;
            bytes += name.size() + 1;
        }
    if (many > 0 && many == header.names()) header.nameBytes = bytes;
    std::string out;
    out.reserve(header.fileBytes());
    KeyedDataWriter writer(header, [&](std::string_view block) { out += block; });
    if (header.nameBytes > 0)
        for (const auto* list : lists)
            for (const std::string& name : *list) writer.name(name);
    std::visit([&](const auto& of) { keyed_data::writeBody(writer, of); }, data);
    writer.finish();
    return out;
}

} // namespace trainyard
