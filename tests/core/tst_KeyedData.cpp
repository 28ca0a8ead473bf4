// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Files of data for keyed models: what is written is read, and what is damaged or made to mislead is refused.
#include "base/Random.h"
#include "learning/keyed/KeyedData.h"
#include "support/TestMain.h"

#include <QTemporaryDir>
#include <zlib.h>

#include <fstream>
#include <map>

using namespace trainyard;

namespace {

struct NamedData {
    KeyedData data;
    KeyedNames names;
};

std::string drawnName(RandomStream& random) {
    std::string out(1 + random.below(5), 'a');
    for (char& c : out) c = static_cast<char>('!' + random.below(90));
    return random.below(3) == 0 ? out + "ä€𝄞" : out;
}

std::vector<std::string> drawnNames(RandomStream& random, std::uint64_t many) {
    std::vector<std::string> out(many);
    for (std::string& name : out) name = drawnName(random);
    return out;
}

NamedData drawnTriples(RandomStream& random, bool named) {
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random.below(n)); };
    Triples out;
    out.entities = 1 + below(20);
    out.relations = 1 + below(5);
    const auto facts = [&](std::size_t many) {
        std::vector<Triple> list(many);
        for (Triple& fact : list) fact = {below(out.entities), below(out.relations), below(out.entities)};
        return list;
    };
    out.train = facts(1 + below(30));
    out.valid = facts(below(10));
    out.test = facts(below(10));
    if (!named) return {out, {}};
    return {out, {.entities = drawnNames(random, out.entities), .relations = drawnNames(random, out.relations)}};
}

NamedData drawnText(RandomStream& random, bool named) {
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random.below(n)); };
    Corpus out{.words = 1 + below(30)};
    for (std::uint32_t s = 1 + below(6); s > 0; --s) {
        out.sentences.push_back(out.text.size());
        for (std::uint32_t n = below(8); n > 0; --n) out.text.push_back(below(out.words));
    }
    if (out.text.empty()) out.text.push_back(0);
    out.sentences.push_back(out.text.size());
    if (below(2) == 0)
        for (std::uint32_t w = 0; w < out.words; ++w) out.topics.push_back(below(4));
    for (std::uint32_t n = below(4); n > 0; --n)
        out.analogies.push_back({below(out.words), below(out.words), below(out.words), below(out.words)});
    if (!named) return {out, {}};
    return {out, {.words = drawnNames(random, out.words)}};
}

NamedData drawnCells(RandomStream& random) {
    KnownCells out{.rows = static_cast<std::uint32_t>(1 + random.below(9)),
                   .columns = static_cast<std::uint32_t>(1 + random.below(9)),
                   .train = {},
                   .test = {}};
    const auto value = [&] { return static_cast<float>(random.normal() * std::pow(10, random.normal() * 5)); };
    for (std::uint32_t c = 0; c < out.columns; ++c)
        for (std::uint32_t r = 0; r < out.rows; ++r)
            if (random.below(2) == 0 || out.train.empty()) out.train.push_back({r, c, value()});
    for (std::uint64_t n = random.below(5); n > 0; --n)
        out.test.push_back({static_cast<std::uint32_t>(random.below(out.rows)),
                            static_cast<std::uint32_t>(random.below(out.columns)), value()});
    return {out, {}};
}

NamedData drawnData(RandomStream& random) {
    const bool named = random.below(2) == 0;
    switch (random.below(3)) {
    case 0: return drawnTriples(random, named);
    case 1: return drawnText(random, named);
    default: return drawnCells(random);
    }
}

bool equal(const Triples& a, const Triples& b) {
    return a.entities == b.entities && a.relations == b.relations && a.train == b.train && a.valid == b.valid &&
           a.test == b.test;
}
bool equal(const Corpus& a, const Corpus& b) {
    const auto same = [](const Corpus::Analogy& x, const Corpus::Analogy& y) {
        return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d;
    };
    return a.words == b.words && a.text == b.text && a.sentences == b.sentences && a.topics == b.topics &&
           std::ranges::equal(a.analogies, b.analogies, same);
}
bool equal(const KnownCells& a, const KnownCells& b) {
    const auto same = [](const Cell& x, const Cell& y) {
        return x.row == y.row && x.column == y.column && x.value == y.value;
    };
    return a.rows == b.rows && a.columns == b.columns && std::ranges::equal(a.train, b.train, same) &&
           std::ranges::equal(a.test, b.test, same);
}
bool equal(const KeyedData& a, const KeyedData& b) {
    return a.index() == b.index() && std::visit(
                                         [&](const auto& of) {
                                             using Kind = std::decay_t<decltype(of)>;
                                             return equal(of, std::get<Kind>(b));
                                         },
                                         a);
}

std::string codeOf(const Result<KeyedData>& read) { return read ? "" : read.problems().front().code; }

/// With the checksum that the bytes before it need.
std::string withChecksum(std::string bytes) {
    const std::size_t end = bytes.size() - 4;
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(end));
    for (std::size_t i = 0; i < 4; ++i) bytes[end + i] = static_cast<char>(sum >> (8 * i));
    return bytes;
}

void put(std::string& bytes, std::size_t at, std::uint64_t number, std::size_t size) {
    for (std::size_t i = 0; i < size && at + i < bytes.size(); ++i)
        bytes[at + i] = static_cast<char>(number >> (8 * i));
}
constexpr std::size_t countsAt = 16, nameBytesAt = 64, bodyAt = 72;

} // namespace

class tst_KeyedData : public QObject {
    Q_OBJECT
private slots:
    void whatIsWrittenIsRead();
    void bytesAreAsDocumented();
    void plantedDataAreRead();
    void isRefusedTruncatedAtEachByte();
    void isRefusedWithAnyByteChanged();
    void misleadingFilesAreRefused_data();
    void misleadingFilesAreRefused();
    void randomBodiesAreAnswered();
    void countsDoNotMakeMemory();
    void filesAreRead();
};

void tst_KeyedData::whatIsWrittenIsRead() {
    RandomStream random(1, Purpose::test);
    std::map<std::size_t, int> met;
    for (int round = 0; round < 600; ++round) {
        const NamedData given = drawnData(random);
        const std::string bytes = keyedDataBytes(given.data, given.names);
        KeyedNames names{.entities = {"from before"}, .relations = {}, .words = {}};
        const auto read = readKeyedData(bytes, "data", &names);
        QVERIFY2(read, read ? "" : read.problems().front().text().c_str());
        QVERIFY(equal(*read, given.data));
        QVERIFY(names.entities == given.names.entities && names.relations == given.names.relations &&
                names.words == given.names.words);
        QVERIFY(equal(*readKeyedData(bytes), given.data)); // names are left out
        ++met[read->index()];
    }
    for (std::size_t kind = 0; kind < 3; ++kind) QVERIFY(met[kind] > 100);
}

// docs/format/keyed-data.md by hand: two words, "a" and "ü"; the text is 1 0 . 1 .
void tst_KeyedData::bytesAreAsDocumented() {
    const Corpus corpus{.words = 2, .text = {1, 0, 1}, .sentences = {0, 2, 3}, .topics = {}, .analogies = {}};
    std::string expected("TRYKEYED\x01\0\0\0\x02\0\0\0", 16);
    const auto number = [&](std::uint64_t value, std::size_t size) {
        expected.resize(expected.size() + size);
        put(expected, expected.size() - size, value, size);
    };
    for (const std::uint64_t count : {2, 3, 2, 0, 0, 0}) number(count, 8);
    number(5, 8);
    expected += "a\nü\n";
    for (const std::uint64_t word : {1u, 0u, 0xffffffffu, 1u, 0xffffffffu}) number(word, 4);
    number(0, 4);
    QCOMPARE(keyedDataBytes(corpus, {.entities = {}, .relations = {}, .words = {"a", "ü"}}), withChecksum(expected));
}

void tst_KeyedData::plantedDataAreRead() {
    for (const KeyedData& data :
         {KeyedData(plantTriples({.entities = 200, .facts = 1000}, 1)), KeyedData(plantCorpus({.sentences = 200}, 1)),
          KeyedData(plantCells({.rows = 100, .columns = 20, .cells = 500}, 1))})
        QVERIFY(equal(*readKeyedData(keyedDataBytes(data)), data));
}

void tst_KeyedData::isRefusedTruncatedAtEachByte() {
    RandomStream random(2, Purpose::test);
    for (int round = 0; round < 30; ++round) {
        const NamedData given = drawnData(random);
        const std::string bytes = keyedDataBytes(given.data, given.names);
        for (std::size_t end = 0; end < bytes.size(); ++end)
            QCOMPARE(codeOf(readKeyedData(std::string_view(bytes).substr(0, end))),
                     std::string(end == 0 ? "not-keyed-data" : "truncated"));
        QCOMPARE(codeOf(readKeyedData(bytes + '\0')), std::string("wrong-counts"));
    }
}

void tst_KeyedData::isRefusedWithAnyByteChanged() {
    RandomStream random(3, Purpose::test);
    for (int round = 0; round < 20; ++round) {
        const NamedData given = drawnData(random);
        std::string bytes = keyedDataBytes(given.data, given.names);
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            const char before = bytes[at];
            bytes[at] = static_cast<char>(before ^ static_cast<char>(1 + random.below(255)));
            const std::string code = codeOf(readKeyedData(bytes));
            QVERIFY2(!code.empty(), qPrintable(QString::number(at)));
            if (at < 8) QCOMPARE(code, std::string("not-keyed-data"));
            if (at >= 8 && at < 12) QCOMPARE(code, std::string("other-version"));
            if (at >= bodyAt) QCOMPARE(code, std::string("damaged"));
            bytes[at] = before;
        }
    }
}

void tst_KeyedData::misleadingFilesAreRefused_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const std::string& bytes, const char* code, const char* says) {
        QTest::newRow(name) << QByteArray::fromStdString(withChecksum(bytes)) << QString(code) << QString(says);
    };
    const Triples facts{.entities = 3, .relations = 2, .train = {{0, 1, 2}}, .valid = {}, .test = {{2, 0, 1}}};
    const KeyedNames names{.entities = {"a", "b", "c"}, .relations = {"r", "s"}, .words = {}};
    const std::string triples = keyedDataBytes(facts), named = keyedDataBytes(facts, names);
    const auto changed = [](std::string bytes, std::size_t at, std::uint64_t number, std::size_t size) {
        put(bytes, at, number, size);
        return bytes;
    };
    row("another version", changed(triples, 8, 2, 4), "other-version", "version 2");
    row("no kind", changed(triples, 12, 0, 4), "unknown-kind", "kind 0");
    row("a kind of later", changed(triples, 12, 4, 4), "unknown-kind", "kind 4");
    row("subject", changed(triples, bodyAt, 3, 4), "out-of-range", "subject 3 at byte 72; there are 3");
    row("relation", changed(triples, bodyAt + 4, 2, 4), "out-of-range", "relation 2 at byte 76");
    row("object of test", changed(triples, bodyAt + 20, 0xffffffff, 4), "out-of-range", "object 4294967295");
    row("no entities", changed(triples, countsAt, 0, 8), "wrong-counts", "entities and relations");
    row("too many keys", changed(triples, countsAt, 0xffffffff, 8), "wrong-counts", "entities and relations");
    row("no facts", changed(changed(triples, countsAt + 16, 0, 8), countsAt + 24, 1, 8), "wrong-counts", "facts");
    row("too many facts", changed(triples, countsAt + 16, std::uint64_t{1} << 62, 8), "wrong-counts", "facts");
    row("fewer facts", changed(triples, countsAt + 32, 0, 8), "wrong-counts", "has 100 bytes; its counts need 88");
    row("more facts", changed(triples, countsAt + 32, 2, 8), "truncated", "100 bytes; whole, it has 112");
    row("a sixth count", changed(triples, countsAt + 40, 1, 8), "wrong-counts", "without a meaning");
    row("too few bytes of names", changed(triples, nameBytesAt, 9, 8), "wrong-counts", "bytes of names");
    row("an empty name", changed(named, bodyAt, '\n', 1), "wrong-names", "name 1 is empty");
    row("a name too few", changed(named, bodyAt + 1, 'x', 1), "wrong-names", "4 names; 5 are needed");
    row("a name not UTF-8", changed(named, bodyAt, 0xff, 1), "wrong-names", "UTF-8");
    row("a name without an end", changed(named, bodyAt + 9, 'x', 1), "wrong-names", "name 5");

    const Corpus corpus{.words = 3, .text = {2, 1}, .sentences = {0, 1, 2}, .topics = {}, .analogies = {{0, 1, 2, 0}}};
    const std::string text = keyedDataBytes(corpus);
    row("analogy", changed(text, bodyAt + 8, 3, 4), "out-of-range", "word 3 at byte 80");
    row("word", changed(text, bodyAt + 16, 3, 4), "out-of-range", "word 3 at byte 88");
    row("an end too few", changed(text, bodyAt + 20, 1, 4), "wrong-counts", "2 words in 2 sentences");
    row("an end too many", changed(text, bodyAt + 24, 0xffffffff, 4), "wrong-counts", "2 words in 2 sentences");
    row("no end", changed(changed(text, bodyAt + 28, 1, 4), bodyAt + 24, 0xffffffff, 4), "wrong-counts", "sentences");
    row("topics of some", changed(text, countsAt + 24, 2, 8), "wrong-counts", "topics");
    row("no words", changed(text, countsAt + 8, 0, 8), "wrong-counts", "words of the text");
    row("too much text", changed(text, countsAt + 8, ~std::uint64_t{0}, 8), "wrong-counts", "words of the text");

    const KnownCells cells{.rows = 2, .columns = 2, .train = {{1, 0, 1.5f}, {0, 1, 2}}, .test = {{0, 0, 3}}};
    const std::string matrix = keyedDataBytes(cells);
    row("row", changed(matrix, bodyAt, 2, 4), "out-of-range", "row 2");
    row("column of test", changed(matrix, bodyAt + 28, 2, 4), "out-of-range", "column 2");
    row("not a number", changed(matrix, bodyAt + 8, 0x7fc00000, 4), "out-of-range", "no finite number");
    row("infinite", changed(matrix, bodyAt + 32, 0x7f800000, 4), "out-of-range", "byte 104");
    row("order", changed(matrix, bodyAt + 16, 0, 4), "wrong-order", "byte 84");
    row("names of cells", changed(matrix, nameBytesAt, 4, 8), "wrong-counts", "bytes of names");
    // As another kind, the counts are others'.
    row("triples as cells", changed(triples, 12, 3, 4), "wrong-counts", "");
}

void tst_KeyedData::misleadingFilesAreRefused() {
    QFETCH(QByteArray, bytes);
    QFETCH(QString, code);
    QFETCH(QString, says);
    const auto read = readKeyedData(bytes.toStdString(), "given.keyed");
    QVERIFY(!read);
    QCOMPARE(QString::fromStdString(read.problems().front().code), code);
    const std::string text = read.problems().front().text();
    QVERIFY2(text.starts_with("given.keyed: ") && text.find(says.toStdString()) != std::string::npos, text.c_str());
}

// Bodies and counts of any kind under a right checksum: read, and then written to the same bytes, or refused.
void tst_KeyedData::randomBodiesAreAnswered() {
    RandomStream random(4, Purpose::test);
    int read = 0, refused = 0;
    for (int round = 0; round < 20'000; ++round) {
        const NamedData given = drawnData(random);
        std::string bytes = keyedDataBytes(given.data, given.names);
        for (std::uint64_t n = random.below(4); n > 0; --n) {
            const std::size_t at = 12 + random.below(bytes.size() - 12);
            put(bytes, at - at % 4, random.below(2) == 0 ? random.below(6) : random.bits(), 4);
        }
        KeyedNames names;
        const auto answer = readKeyedData(withChecksum(bytes), "data", &names);
        ++(answer ? read : refused);
        if (answer)
            QCOMPARE(keyedDataBytes(*answer, names), withChecksum(bytes));
        else
            QVERIFY(!answer.problems().front().message.english().empty());
    }
    QVERIFY(read > 1000 && refused > 1000);
}

// The size of the file limits what is made room for: the greatest counts end at once.
void tst_KeyedData::countsDoNotMakeMemory() {
    for (std::uint32_t kind = 1; kind <= 3; ++kind) {
        std::string bytes("TRYKEYED\x01\0\0\0\0\0\0\0", 16);
        put(bytes, 12, kind, 4);
        bytes.resize(KeyedHeader::bytes + 4);
        for (std::size_t i = 0; i < 5; ++i)
            put(bytes, countsAt + 8 * i, i < 2 ? 0x7fffff00 : i == 3 ? 0 : 0xffffffff, 8);
        if (kind == 3) put(bytes, countsAt + 32, 0, 8);
        QCOMPARE(codeOf(readKeyedData(withChecksum(bytes))), std::string("truncated"));
    }
}

void tst_KeyedData::filesAreRead() {
    QTemporaryDir dir;
    const std::string file = dir.filePath("data.keyed").toStdString();
    QCOMPARE(codeOf(readKeyedFile(file)), std::string("cannot-read"));
    std::ofstream(file) << "{\"title\": \"a scenario\"}";
    QCOMPARE(codeOf(readKeyedFile(file)), std::string("not-keyed-data"));
    const KeyedData data = plantCells({.rows = 20, .columns = 5, .cells = 50}, 2);
    std::ofstream(file, std::ios::binary) << keyedDataBytes(data);
    const auto read = readKeyedFile(file);
    QVERIFY(read && equal(*read, data));
    QCOMPARE(wrongKeyedKind(keyedKindOf(*read), KeyedKind::text, file).text(),
             file + ": the data are of kind cells; kind text is needed");
}

TRAINYARD_TEST(tst_KeyedData)
#include "tst_KeyedData.moc"
