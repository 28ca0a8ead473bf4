// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Data for keyed models out of files from elsewhere: against readers of whole texts, by hand, and with input that is wrong.
#include "base/Random.h"
#include "run/CliProcess.h"
#include "support/ImportedData.h"
#include "support/TestMain.h"

#include <QTemporaryDir>
#include <zlib.h>

#include <fstream>
#include <map>
#include <set>

using namespace trainyard;
using namespace trainyard::test;

namespace {

using Named = std::set<std::array<std::string, 3>>;

Named namedFacts(const std::vector<Triple>& facts, const KeyedNames& names) {
    Named out;
    for (const Triple& fact : facts)
        out.insert({names.entities[fact.subject], names.relations[fact.relation], names.entities[fact.object]});
    return out;
}

const Triples& triplesOf(const ReadImport& read) { return std::get<Triples>(read.data); }

std::string joined(const Problems& problems) {
    std::string out;
    for (const Problem& problem : problems) out += problem.text() + "\n";
    return out;
}

} // namespace

class tst_DataImport : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void theListIsWhole();
    void directoriesAreReadAsTexts();
    void publishedGraphsAreRead_data();
    void publishedGraphsAreRead();
    void filesAreSplit();
    void repeatedFactsCountOnce();
    void wrongTriplesAreNamed_data();
    void wrongTriplesAreNamed();
    void textIsReadAsAWhole();
    void vocabulariesAreCut();
    void invalidTextIsFound();
    void longWordsAreLeftOut();
    void matricesAreRead();
    void symmetricMatricesAreWhole();
    void wrongMatricesAreNamed_data();
    void wrongMatricesAreNamed();
    void wordNetIsRead();
    void wrongWordNetIsNamed_data();
    void wrongWordNetIsNamed();
    void damagedPackedFilesAreRefused();
    void spoiledFilesAreAnswered();
    void nothingHalfWrittenStays();
    void pipesAreRead();
    void optionsOfOthersAreRefused();

private:
    std::string write(const std::string& name, const std::string& text) const {
        const auto path = std::filesystem::path(m_dir.path().toStdString()) / name;
        std::filesystem::create_directories(path.parent_path());
        if (!(std::ofstream(path, std::ios::binary | std::ios::trunc) << text).flush()) qFatal("cannot write");
        return path.string();
    }
    ImportRequest requestOf(const std::string& file) const {
        return {.file = file,
                .shown = std::filesystem::path(file).filename().string(),
                .scratch = m_dir.path().toStdString()};
    }
    Result<ReadImport> imported(const std::string& format, const std::string& text) const {
        return importedFrom(format, requestOf(write("given", text)));
    }
    QTemporaryDir m_dir;
};

void tst_DataImport::initTestCase() { QVERIFY(QDir::setCurrent(m_dir.path())); }

void tst_DataImport::theListIsWhole() {
    std::set<std::string> names;
    const CliAnswer help = cli({"import", "--help"});
    for (const Importer& importer : importers()) {
        QVERIFY(names.insert(importer.name).second);
        QVERIFY2(help.out.find("  " + importer.name + ": ") != std::string::npos, importer.name.c_str());
        QVERIFY(findImporter(importer.name) == &importer);
        QVERIFY((importer.scenario == nullptr) != (importer.read == nullptr));
        for (const auto& named : {importer.required, importer.options})
            for (const std::string& option : named)
                QVERIFY2(help.out.find(option + " ") != std::string::npos, option.c_str());
    }
    QVERIFY(!findImporter("borg"));
}

// Random graphs in three files, some facts of valid and test with names that train lacks: as readTriples, which has all in memory.
void tst_DataImport::directoriesAreReadAsTexts() {
    RandomStream random(1, Purpose::test);
    for (int round = 0; round < 30; ++round) {
        const auto text = [&](std::size_t facts, std::uint64_t names) {
            std::string out;
            const auto name = [&](const char* of) { return of + std::to_string(random.below(names)); };
            for (std::size_t n = 0; n < facts; ++n)
                out += name("é") + '\t' + name("r ") + '\t' + name("é") + (random.below(2) ? "\r\n" : "\n") +
                       (random.below(5) ? "" : "\n");
            return out;
        };
        const std::string train = text(40, 12), valid = text(10, 16), test = text(10, 16);
        const std::string folder = "graph" + std::to_string(round);
        const bool packed = round % 3 == 0;
        write(folder + "/train.txt", train);
        if (round % 2) write(folder + "/valid.tsv", valid);
        const std::string last = write(folder + (packed ? "/test.txt.gz" : "/test.txt"), test);
        if (packed) {
            const gzFile out = gzopen(last.c_str(), "wb");
            QVERIFY(gzwrite(out, test.data(), static_cast<unsigned>(test.size())) > 0 && gzclose(out) == Z_OK);
        }
        const auto expected = readTriples(train, round % 2 ? valid : "", test);
        const auto read = importedFrom("triples", requestOf(std::filesystem::absolute(folder).string()));
        QVERIFY2(read, joined(read.problems()).c_str());
        const Triples& facts = triplesOf(*read);
        QVERIFY(facts.train == expected->triples.train && facts.valid == expected->triples.valid &&
                facts.test == expected->triples.test);
        QVERIFY(read->names.entities == expected->entityNames && read->names.relations == expected->relationNames);
        std::size_t leftOut = 0;
        for (const Problem& warning : read->warnings)
            if (warning.code == "unknown-name") leftOut += std::stoul(warning.message.arguments[0]);
        QCOMPARE(leftOut, expected->leftOut);
    }
}

// Counts as published with the data (pykeen's UMLS and Kinships).
void tst_DataImport::publishedGraphsAreRead_data() {
    QTest::addColumn<QString>("folder");
    QTest::addColumn<QList<std::size_t>>("counts");
    QTest::newRow("umls") << "umls" << QList<std::size_t>{135, 46, 5216, 652, 661};
    QTest::newRow("kinships") << "kinships" << QList<std::size_t>{104, 25, 8544, 1068, 1074};
}

void tst_DataImport::publishedGraphsAreRead() {
    QFETCH(QString, folder);
    QFETCH(QList<std::size_t>, counts);
    const QDir data(
        qEnvironmentVariable("TRAINYARD_TEST_DATA", QStringLiteral(TRAINYARD_SOURCE_DIR "/../shared/data")));
    const QString path = data.filePath(QStringLiteral("triples/") + folder);
    if (!QDir(path).exists()) QSKIP("the graphs are not here");
    const auto read = importedFrom("triples", requestOf(path.toStdString()));
    QVERIFY2(read, joined(read.problems()).c_str());
    const Triples& facts = triplesOf(*read);
    QCOMPARE((QList<std::size_t>{facts.entities, facts.relations, facts.train.size(), facts.valid.size(),
                                 facts.test.size()}),
             counts);
}

// A skewed graph in one file: every fact is in one part, every name in train, the shares are about those asked for, and the seed chooses.
void tst_DataImport::filesAreSplit() {
    const Triples planted = plantTriples({.entities = 300, .relations = 8, .facts = 6000}, 3);
    std::string text;
    Named all;
    for (const auto* part : {&planted.train, &planted.valid, &planted.test})
        for (const Triple& f : *part) {
            const std::array<std::string, 3> names{"e" + std::to_string(f.subject), "r" + std::to_string(f.relation),
                                                   "e" + std::to_string(f.object)};
            text += names[0] + '\t' + names[1] + '\t' + names[2] + '\n';
            all.insert(names);
        }
    auto request = requestOf(write("facts.txt", text + "only\tonce\tthere\n"));
    all.insert({"only", "once", "there"});
    request.testShare = 0.1;
    std::set<std::string> files;
    for (const std::uint64_t seed : {1, 2, 1}) {
        request.seed = seed;
        const auto read = importedFrom("triples", request);
        QVERIFY2(read, joined(read.problems()).c_str());
        files.insert(read->bytes);
        const Triples& facts = triplesOf(*read);
        const Named train = namedFacts(facts.train, read->names);
        Named found = train;
        for (const auto* part : {&facts.valid, &facts.test}) {
            for (const auto& fact : namedFacts(*part, read->names)) QVERIFY(found.insert(fact).second);
            const double share = static_cast<double>(part->size()) / static_cast<double>(all.size());
            QVERIFY2(share > 0.08 && share < 0.12, qPrintable(QString::number(share))); // 5 standard deviations
        }
        QVERIFY(found == all);
        std::set<std::uint32_t> entities, relations;
        for (const Triple& fact : facts.train) {
            entities.insert({fact.subject, fact.object});
            relations.insert(fact.relation);
        }
        QCOMPARE(entities.size(), std::size_t{facts.entities});
        QCOMPARE(relations.size(), std::size_t{facts.relations});
        QVERIFY(joined(read->warnings).find("facts.txt:" + std::to_string(all.size())) != std::string::npos ||
                joined(read->warnings).find("are in one fact alone") != std::string::npos);
    }
    QCOMPARE(files.size(), std::size_t{2});
    request.testShare = 0;
    QCOMPARE(triplesOf(*importedFrom("triples", request)).train.size(), all.size());
}

void tst_DataImport::repeatedFactsCountOnce() {
    std::string text = "once\tr\ta\n";
    for (int n = 0; n < 300; ++n) text += "e" + std::to_string(n * n % 17) + "\tr\te" + std::to_string(n % 5) + "\n";
    const auto read = imported("triples", text);
    QVERIFY2(read, joined(read.problems()).c_str());
    const Triples& facts = triplesOf(*read);
    std::set<Triple> all;
    for (const auto* part : {&facts.train, &facts.valid, &facts.test})
        for (const Triple& fact : *part) QVERIFY(all.insert(fact).second);
    const std::string told = joined(read->warnings);
    QVERIFY2(told.find("given: " + std::to_string(301 - all.size()) + " facts are there before") != std::string::npos,
             told.c_str());
    // Their order is that of the file: names are numbered as they come.
    QCOMPARE(read->names.entities[0], std::string("once"));
    QVERIFY((facts.train.front() == Triple{0, 0, 1}));
    QVERIFY2(told.find("given:1: 2 of ") != std::string::npos && told.find("\"once\" first") != std::string::npos,
             told.c_str());
}

void tst_DataImport::wrongTriplesAreNamed_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const std::string& text, const char* says) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(says);
    };
    row("a column missing", "a\tb\tc\na\tb\n", "given:2: the line has 2 columns");
    row("a column too many", "a\tb\tc\td\n", "given:1: the line has 4 columns");
    row("blanks", "a b c\n", "given:1: the line has 1 columns");
    row("no subject", "a\tb\tc\n\n\tb\tc\n", "given:3: the subject (column 1) is empty");
    row("no relation", "a\t\tc\n", "the relation (column 2) is empty");
    row("no object", "a\tb\t\r\n", "the object (column 3) is empty");
    row("not UTF-8", "a\tb\tc\na\tb\tc\xe4t\n", "given:2: the object (column 3) is not UTF-8 from its byte 2 on");
    row("nothing", "\n\n", "no fact to train on");
    row("a line without end", "a\tb\tc\n" + std::string((1 << 20) + 1, 'x'), "given:2: the line is longer than");
    std::string many;
    for (int n = 0; n < 30; ++n) many += "a\n";
    row("thirty", many, "given:20: ");
}

void tst_DataImport::wrongTriplesAreNamed() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, says);
    const auto read = imported("triples", text.toStdString());
    QVERIFY(!read);
    QVERIFY(read.problems().size() <= mostImportProblems);
    const std::string told = joined(read.problems());
    QVERIFY2(told.find(says.toStdString()) != std::string::npos, told.c_str());
}

// Texts longer than a block, with letters of one to four bytes at its ends: as readCorpus, which has all in memory.
void tst_DataImport::textIsReadAsAWhole() {
    RandomStream random(2, Purpose::test);
    constexpr std::array<const char*, 12> pieces{"a", "B", "ä", "€", "𝄞", " ", ".", "\n", "\n\n", "! ", "7", ", "};
    for (int round = 0; round < 12; ++round) {
        std::string text = round % 2 ? "\xef\xbb\xbf" : "";
        const std::size_t size = round < 6 ? 3000 : 600'000;
        while (text.size() < size) text += pieces[random.below(pieces.size())];
        auto request = requestOf(write("text", text));
        request.least = static_cast<std::uint32_t>(1 + random.below(9));
        const auto expected = readCorpus(std::string_view(text).substr(round % 2 ? 3 : 0), request.least);
        const auto read = importedFrom("text", request);
        QVERIFY2(read, joined(read.problems()).c_str());
        const auto& corpus = std::get<Corpus>(read->data);
        QVERIFY(read->names.words == expected.vocabulary);
        QVERIFY(corpus.text == expected.corpus.text && corpus.sentences == expected.corpus.sentences);
        QVERIFY(corpus.words > (round < 6 ? 3 : 100));
    }
}

void tst_DataImport::vocabulariesAreCut() {
    auto request = requestOf(write("text", "a a a b b c c. d\n"));
    request.least = 1;
    request.most = 3; // c and b are as frequent, d is not kept
    const auto read = importedFrom("text", request);
    QVERIFY((read->names.words == std::vector<std::string>{"a", "b", "c"}));
    QVERIFY((std::get<Corpus>(read->data).sentences == std::vector<std::uint64_t>{0, 7}));
    request.least = 4;
    QCOMPARE(joined(importedFrom("text", request).problems()),
             std::string("text: of 4 words none is there 4 times; --least takes a smaller number\n"));
    QVERIFY(!imported("text", "")); // an empty file
}

// A byte that belongs to no character, anywhere near the end of a block and of the file, is named by place and line.
void tst_DataImport::invalidTextIsFound() {
    constexpr std::size_t block = std::size_t{1} << 18;
    for (const char* wrong : {"\xff", "\xc3", "\xe2\x82", "\xf0\x9d\x84", "\xed\xa0\x80", "\x80"})
        for (const std::size_t at :
             {std::size_t{0}, std::size_t{7}, block - 4, block - 3, block - 2, block - 1, block, 2 * block - 1})
            for (const bool last : {false, true}) {
                std::string text;
                while (text.size() < at) text += text.size() % 100 == 99 ? '\n' : 'x';
                const auto line = 1 + std::ranges::count(text, '\n');
                text += wrong;
                if (!last) text += " and more\n";
                const auto read = imported("text", text);
                QVERIFY(!read);
                const std::string begin =
                    "given:" + std::to_string(line) + ": byte " + std::to_string(at + 1) + " of the file";
                QVERIFY2(read.problems().front().text().starts_with(begin), joined(read.problems()).c_str());
            }
}

void tst_DataImport::longWordsAreLeftOut() {
    auto request = requestOf(
        write("text", std::string(1000, 'a') + ' ' + std::string(1001, 'b') + ' ' + std::string(900'000, 'c') + " d"));
    request.least = 1;
    const auto read = importedFrom("text", request);
    QVERIFY((read->names.words == std::vector<std::string>{std::string(1000, 'a'), "d"}));
    QCOMPARE(joined(read->warnings), std::string("text: 2 words of more than 1000 bytes are left out\n"));
}

// A random matrix in a random order comes by column and row, each cell in one part, with every row and column in train.
void tst_DataImport::matricesAreRead() {
    RandomStream random(5, Purpose::test);
    std::map<std::pair<std::uint32_t, std::uint32_t>, float> all; // column, row
    while (all.size() < 4000)
        all.emplace(
            std::pair(static_cast<std::uint32_t>(random.below(60)), static_cast<std::uint32_t>(random.below(200))),
            static_cast<float>(random.normal()));
    std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, float>> order(all.begin(), all.end());
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    std::string text = "%%MatrixMarket MATRIX Coordinate real General\n% a comment\n\n 200\t60 4000\n";
    for (const auto& [place, value] : order)
        text += std::to_string(place.second + 1) + "  " + std::to_string(place.first + 1) + "\t" +
                QByteArray::number(double{value}, 'g', 9).toStdString() + (random.below(9) ? "\n" : " \r\n%\n\n");
    auto request = requestOf(write("matrix", text));
    request.testShare = 0.2;
    std::set<std::string> files;
    for (const std::uint64_t seed : {1, 2, 1}) {
        request.seed = seed;
        const auto read = importedFrom("matrixmarket", request);
        QVERIFY2(read, joined(read.problems()).c_str());
        files.insert(read->bytes);
        const auto& cells = std::get<KnownCells>(read->data); // in order: its reader looks
        QVERIFY(cells.rows == 200 && cells.columns == 60);
        auto left = all;
        std::set<std::uint32_t> rows, columns;
        for (const auto* part : {&cells.train, &cells.test})
            for (const Cell& cell : *part) {
                const auto found = left.find({cell.column, cell.row});
                QVERIFY(found != left.end() && found->second == cell.value);
                left.erase(found);
                if (part == &cells.train) rows.insert(cell.row), columns.insert(cell.column);
            }
        QVERIFY(left.empty());
        QCOMPARE(rows.size(), std::size_t{200});
        QCOMPARE(columns.size(), std::size_t{60});
        QVERIFY(std::abs(static_cast<double>(cells.test.size()) - 800) < 130); // 5 standard deviations
    }
    QCOMPARE(files.size(), std::size_t{2});
}

void tst_DataImport::symmetricMatricesAreWhole() {
    auto request =
        requestOf(write("matrix", "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n1 1 +4\n3 1 -2\n3 2 7"));
    request.testShare = 0;
    const auto read = importedFrom("matrixmarket", request);
    QVERIFY2(read, joined(read.problems()).c_str());
    std::string found;
    for (const Cell& c : std::get<KnownCells>(read->data).train)
        found += QStringLiteral("%1,%2=%3 ").arg(c.row).arg(c.column).arg(c.value).toStdString();
    QCOMPARE(found, std::string("0,0=4 2,0=-2 2,1=7 0,2=-2 1,2=7 "));
}

void tst_DataImport::wrongMatricesAreNamed_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const std::string& text, const char* says) {
        QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(says);
    };
    const std::string head = "%%MatrixMarket matrix coordinate real general\n",
                      whole = "%%MatrixMarket matrix coordinate integer general\n";
    row("nothing", "", "given: the file is empty");
    row("no header", "3 3 1\n1 1 1\n", "given:1: the first line must be \"%%MatrixMarket");
    row("complex", "%%MatrixMarket matrix coordinate complex general\n",
        "given:1: field \"complex\" is not read; it must be real or integer");
    row("pattern", "%%MatrixMarket matrix coordinate pattern general\n", "field \"pattern\" is not read");
    row("array", "%%MatrixMarket matrix array real general\n", "format \"array\" is not read; it must be coordinate");
    row("vector", "%%MatrixMarket vector coordinate real general\n",
        "object \"vector\" is not read; it must be matrix");
    row("skew", "%%MatrixMarket matrix coordinate real skew-symmetric\n",
        "symmetry \"skew-symmetric\" is not read; it must be general or symmetric");
    row("no size", head + "% only\n", "given:2: the file ends before its size");
    row("two numbers", head + "3 3\n1 1 1\n", "given:2: the size must be three whole numbers");
    row("no rows", head + "0 3 1\n1 1 1\n", "given:2: the size must be");
    row("negative", head + "-3 3 1\n1 1 1\n", "given:2: the size must be");
    row("no entries", head + "3 3 0\n", "given:2: the size must be");
    row("too large", head + "4000000000 3 1\n1 1 1\n", "given:2: the matrix has 4000000000 rows");
    row("more than room", head + "2 2 5\n", "2 rows and 2 columns have no 5 entries");
    row("not square", "%%MatrixMarket matrix coordinate real symmetric\n3 2 1\n1 1 1\n",
        "as many rows as columns, not 3 and 2");
    row("too few", head + "3 3 2\n1 1 1\n", "given:3: the file ends after 1 entries; the size in front says 2");
    row("too many", head + "3 3 1\n1 1 1\n2 2 2\n", "given:4: this is entry 2; the size in front says 1");
    row("row 0", head + "3 3 1\n0 1 1\n", "given:3: the row (field 1) is \"0\"; rows are from 1 to 3");
    row("row 4", head + "3 3 1\n4 1 1\n", "given:3: the row (field 1) is \"4\"");
    row("column 4", head + "3 3 1\n1 4 1\n", "given:3: the column (field 2) is \"4\"; columns are from 1 to 3");
    row("column x", head + "3 3 1\n1 x 1\n", "the column (field 2) is \"x\"");
    row("huge row", head + "3 3 1\n99999999999999999999 1 1\n", "the row (field 1)");
    row("no value", head + "3 3 1\n1 1\n", "given:3: the line has 2 fields; an entry has three");
    row("two values", head + "3 3 1\n1 1 1 2\n", "given:3: the line has 4 fields");
    row("no number", head + "3 3 1\n1 1 one\n", "given:3: the value (field 3) is \"one\"; a number is needed");
    row("not finite", head + "3 3 1\n1 1 nan\n", "the value (field 3) is \"nan\"");
    row("beyond float", head + "3 3 1\n1 1 1e39\n", "the value (field 3) is \"1e39\"");
    row("not whole", whole + "3 3 1\n1 1 1.5\n", "the value (field 3) is \"1.5\"; a whole number is needed");
    row("twice", head + "3 3 3\n2 1 1\n1 1 1\n2 1 1\n", "given: the entry of row 2, column 1 is there twice");
    row("above", "%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n1 2 1\n",
        "given:3: row 1, column 2 is above the diagonal");
}

void tst_DataImport::wrongMatricesAreNamed() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, says);
    const auto read = imported("matrixmarket", text.toStdString());
    QVERIFY(!read);
    const std::string told = joined(read.problems());
    QVERIFY2(told.find(says.toStdString()) != std::string::npos, told.c_str());
}

namespace {

const std::map<std::string, std::string> smallWordNet{
    {"noun", "  1 A licence that begins with blanks\n"
             "00000001 03 n 02 animal 0 beast 0 002 ~ 00000002 n 0000 ~ 00000002 n 0101 | a | b\n"
             "00000002 03 n 01 dog 0 002 @ 00000001 n 0000 + 00000001 v 0101 | barks\n"},
    {"verb", "00000001 29 v 01 bark 0 001 + 00000002 n 0101 02 + 02 00 + 08 00 | of a dog\n"},
    {"adj", "00000001 00 s 0a able(p) 0 b 0 c 0 d 0 e 0 f 0 g 0 h 0 i 0 j 0 000 | ten words\n"
            "00000002 00 a 01 apt 0 001 & 00000001 a 0000 | fit\n"},
    {"adv", "00000001 02 r 01 aptly 0 001 \\ 00000002 a 0101 | in an apt way\n"}};

} // namespace

void tst_DataImport::wordNetIsRead() {
    for (const auto& [part, text] : smallWordNet) write("wordnet/data." + part, text);
    auto request = requestOf(std::filesystem::absolute("wordnet").string());
    request.testShare = 0;
    const auto read = importedFrom("wordnet", request);
    QVERIFY2(read, joined(read.problems()).c_str());
    QVERIFY((namedFacts(triplesOf(*read).train, read->names) ==
             Named{{"animal.n.00000001", "hyponym", "dog.n.00000002"},
                   {"dog.n.00000002", "hypernym", "animal.n.00000001"},
                   {"dog.n.00000002", "derivation", "bark.v.00000001"},
                   {"bark.v.00000001", "derivation", "dog.n.00000002"},
                   {"apt.a.00000002", "similar_to", "able.a.00000001"},
                   {"aptly.r.00000001", "pertainym", "apt.a.00000002"}}));
    QCOMPARE(triplesOf(*read).train.size(), std::size_t{6});
    if (!std::filesystem::is_directory("/usr/share/wordnet")) QSKIP("WordNet is not installed");
    request = requestOf("/usr/share/wordnet");
    const auto whole = importedFrom("wordnet", request);
    QVERIFY2(whole, joined(whole.problems()).c_str());
    QVERIFY(triplesOf(*whole).entities > 110'000 && triplesOf(*whole).train.size() > 300'000);
}

void tst_DataImport::wrongWordNetIsNamed_data() {
    QTest::addColumn<QByteArray>("line"); ///< in place of the nouns
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* line, const char* says) {
        QTest::newRow(line) << QByteArray(line) << QByteArray(says);
    };
    row("0000001 03 n 01 dog 0 000 |", "data.noun:1: \"0000001\" does not begin a synset");
    row("00000001 03 x 01 dog 0 000 |", "does not begin a synset");
    row("00000001 03 n 00 000 |", "\"00\" is no number of words");
    row("00000001 03 n 02 dog 0", "the line ends before the last of its 02 words");
    row("00000001 03 n 01 dog 0 x |", "\"x\" is no number of pointers");
    row("00000001 03 n 01 dog 0 001 ? 00000002 n 0000 |", "\"?\" is no kind of pointer");
    row("00000001 03 n 01 dog 0 001 @ 0000002 n 0000 |", "the pointer to \"0000002\" is not");
    row("00000001 03 n 01 dog 0 002 @ 00000001 v 0000 | barks", "\"\" is no kind of pointer");
    row("00000001 03 n 01 dog 0 001 @ 00000009 n 0000 |", "leads to synset n00000009");
    row("00000001 03 n 01 dog 0 000 |\n00000001 03 n 01 dog 0 000 |", "data.noun:2: synset n00000001 is there twice");
}

void tst_DataImport::wrongWordNetIsNamed() {
    QFETCH(QByteArray, line);
    QFETCH(QByteArray, says);
    for (const char* part : {"verb", "adj", "adv"}) write(std::string("bad/data.") + part, "");
    write("bad/data.noun", line.toStdString() + "\n");
    const auto read = importedFrom("wordnet", requestOf(std::filesystem::absolute("bad").string()));
    QVERIFY(!read);
    const std::string told = joined(read.problems());
    QVERIFY2(told.find(says.toStdString()) != std::string::npos, told.c_str());
    std::filesystem::remove("bad/data.adv");
    QVERIFY(!importedFrom("wordnet", requestOf(std::filesystem::absolute("bad").string())));
}

// Packed data, cut at each byte and changed: read to the end, or refused.
void tst_DataImport::damagedPackedFilesAreRefused() {
    const std::string path = write("packed", "");
    const gzFile out = gzopen(path.c_str(), "wb");
    for (int n = 0; n < 300; ++n) gzprintf(out, "s%d\tr%d\to%d\n", n * n % 91, n % 3, n * 7 % 89);
    QCOMPARE(gzclose(out), Z_OK);
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string whole = file.readAll().toStdString();
    QVERIFY(imported("triples", whole));
    int early = 0;
    for (std::size_t end = 20; end < whole.size(); ++end) {
        const auto read = imported("triples", whole.substr(0, end));
        QVERIFY2(!read, qPrintable(QString::number(end)));
        early +=
            joined(read.problems()).find("given: cannot be read: the packed data end too early") != std::string::npos;
    }
    QCOMPARE(early, static_cast<int>(whole.size()) - 20);
    std::string changed = whole;
    changed[changed.size() / 2] = static_cast<char>(~changed[changed.size() / 2]);
    QVERIFY(!imported("triples", changed));
}

// Files with bytes changed, removed and doubled: read, or refused with a reason.
void tst_DataImport::spoiledFilesAreAnswered() {
    RandomStream random(6, Purpose::test);
    const std::map<std::string, std::string> right{
        {"triples", "a\tlikes\tb\nb\tlikes\tc\nc\thates\ta\na\tlikes\tc\n"},
        {"text", "The cat. The döG!\n\nA cat\nand THE dog €"},
        {"matrixmarket", "%%MatrixMarket matrix coordinate real general\n3 4 3\n1 1 2.5\n3 4 -1e3\n2 2 7\n"}};
    int read = 0, refused = 0;
    for (int round = 0; round < 900; ++round)
        for (const auto& [format, text] : right) {
            std::string bytes = text;
            for (std::uint64_t n = 1 + random.below(3); n > 0 && !bytes.empty(); --n) {
                const std::size_t at = random.below(bytes.size());
                switch (random.below(4)) {
                case 0: bytes[at] = static_cast<char>(random.below(256)); break;
                case 1: bytes.resize(at); break;
                case 2: bytes.insert(at, bytes.substr(at, random.below(20))); break;
                default: bytes.erase(at, random.below(5));
                }
            }
            auto request = requestOf(write("given", bytes));
            request.least = 1;
            const auto answer = importedFrom(format, request);
            ++(answer ? read : refused);
            if (!answer) QVERIFY(!joined(answer.problems()).empty() && hasErrors(answer.problems()));
        }
    QVERIFY(read > 300 && refused > 300);
}

// An output that was there stays when the input is wrong or the output cannot be written, and nothing lies beside it.
void tst_DataImport::nothingHalfWrittenStays() {
    write("out/data.keyed", "as it was");
    write("wrong.txt", "a\tb\tc\na\tb\n");
    write("right.txt", "a\tb\tc\na\tb\td\n");
    const auto whatIsThere = [] {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator("out"))
            names.insert(entry.path().filename().string());
        return names;
    };
    const CliAnswer wrong = cli({"import", "triples", "wrong.txt", "-o", "out/data.keyed"});
    QCOMPARE(wrong.status, 2);
    QCOMPARE(wrong.err.substr(0, 12), std::string("wrong.txt:2:"));
    QFile kept("out/data.keyed");
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), QByteArray("as it was"));
    QVERIFY(whatIsThere() == std::set<std::string>{"data.keyed"});
    QCOMPARE(cli({"import", "triples", "right.txt", "-o", "/dev/full"}).status, 1);
    QCOMPARE(cli({"import", "triples", "right.txt", "-o", "missing/data.keyed"}).status, 1);
    QCOMPARE(bash("\"$0\" import triples right.txt -o - > /dev/full").status, 1);
    // A limit of the size of files, as a disk that is full.
    std::string large;
    for (int n = 0; n < 20'000; ++n) large += "s" + std::to_string(n % 999) + "\tr\to" + std::to_string(n) + "\n";
    write("large.txt", large);
    const CliAnswer full = bash("trap '' XFSZ; ulimit -f 64; exec \"$0\" import triples large.txt -o out/data.keyed");
    QCOMPARE(full.status, 1);
    QVERIFY2(full.err.find("cannot be put aside in this directory: File too large") != std::string::npos,
             full.err.c_str());
    QVERIFY(whatIsThere() == std::set<std::string>{"data.keyed"});
    // What is read is not replaced; a link stays one.
    QCOMPARE(cli({"import", "triples", "right.txt", "-o", "right.txt"}).status, 2);
    write("folder/train.txt", "a\tb\tc\n");
    write("folder/test.txt", "a\tb\tc\n");
    QCOMPARE(cli({"import", "triples", "folder", "-o", "folder/test.txt"}).status, 2);
    std::filesystem::create_symlink("data.keyed", "out/link");
    const CliAnswer done = cli({"import", "triples", "right.txt", "-o", "out/link"});
    QCOMPARE(done.status, 0);
    QVERIFY2(done.err.find("3 entities, 1 relations, 2 facts to train on, 0 to validate, 0 to test") !=
                 std::string::npos,
             done.err.c_str());
    QVERIFY(std::filesystem::is_symlink("out/link"));
    QVERIFY(readKeyedFile("out/data.keyed").ok());
}

void tst_DataImport::pipesAreRead() {
    write("piped.txt", "one two one. two three\none two three one\n");
    QCOMPARE(cli({"import", "text", "piped.txt", "-o", "piped.keyed", "--least", "2"}).status, 0);
    for (const char* words :
         {"cat piped.txt | \"$0\" import text - -o - --least 2 > other.keyed",
          "\"$0\" import text - --least 2 -o - < piped.txt > other.keyed",
          "gzip -c piped.txt | \"$0\" import text /dev/stdin -o other.keyed --least 2",
          "rm -f fifo; mkfifo fifo; cat piped.txt > fifo & \"$0\" import text fifo -o other.keyed --least 2",
          "\"$0\" import text piped.txt -o /dev/stdout --least 2 | cat > other.keyed"}) {
        std::filesystem::remove("other.keyed");
        QCOMPARE(bash(QString::fromLatin1(words)).status, 0);
        QCOMPARE(bash("cmp piped.keyed other.keyed").status, 0);
    }
    const CliAnswer wrong = bash("printf 'a\\xff' | \"$0\" import text - -o -");
    QCOMPARE(wrong.status, 2);
    QVERIFY2(wrong.err.starts_with("standard input:1: byte 2 of the file"), wrong.err.c_str());
    QVERIFY(wrong.out.empty());
}

void tst_DataImport::optionsOfOthersAreRefused() {
    for (const auto& [words, named] :
         {std::pair("text f -o x --seed 1", "--seed has no effect on format text"),
          {"text f -o x --test-share 0.1", "--test-share has no effect on format text"},
          {"triples f -o x --least 2", "--least has no effect on format triples"},
          {"matrixmarket f -o x --words 2", "--words has no effect on format matrixmarket"},
          {"tiresias f -o x --machines 1 --gpus 1 --seed 1", "--seed has no effect on format tiresias"},
          {"triples f -o x --machines 1", "--machines has no effect on format triples"},
          {"pipedream f -o x --curve c", "--curve has no effect on format pipedream"},
          {"tiresias f -o x --machines 1 --gpus 1 --cluster c", "--cluster has no effect on format tiresias"},
          {"philly f -o x --machines 1", "--gpus is required"},
          {"triples f -o x --test-share 0.5", "--test-share"},
          {"triples f -o x --test-share nan", "--test-share"},
          {"triples f -o x --seed -1", "--seed"},
          {"text f -o x --least 0", "0 is no number above 0"},
          {"text f -o x --words -1", "--words"},
          {"triples f", "--output"}}) {
        const CliAnswer answer = cli(QStringList{"import"} + QString::fromLatin1(words).split(QLatin1Char(' ')));
        QCOMPARE(answer.status, 2);
        QVERIFY2(answer.err.find(named) != std::string::npos, answer.err.c_str());
    }
}

TRAINYARD_TEST(tst_DataImport)
#include "tst_DataImport.moc"
