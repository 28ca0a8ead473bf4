// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Matrices in the exchange format of Matrix Market (Boisvert, Pozo and Remington, The Matrix Market exchange formats: initial design,
// NISTIR 5935, 1996): coordinate, real or integer, general or symmetric.
#include "base/Format.h"
#include "base/Random.h"
#include "base/ReadableName.h"
#include "run/import/Importer.h"
#include "run/import/data/SortedRuns.h"
#include "run/import/data/TextBlocks.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace trainyard {

namespace matrix_market {

struct ColumnFirst {
    bool operator()(const Cell& a, const Cell& b) const {
        return a.column != b.column ? a.column < b.column : a.row < b.row;
    }
};

class MatrixData {
public:
    explicit MatrixData(const ImportRequest& request)
        : m_request(request), m_sorted(request.scratch), m_train(request.scratch), m_test(request.scratch) {}

    Problems read() {
        TextLines lines(m_request.file, m_request.shown);
        m_lines = &lines;
        if (readHeader() && readSize()) readEntries();
        m_lines = nullptr;
        if (!lines.problems().empty()) return lines.problems();
        if (m_problems.empty()) return m_sorted.problems();
        return std::move(m_problems);
    }

    /// Puts about `testShare` of the cells apart, by the seed and by the place of the cell; but the last one of a row or a column stays.
    Problems split() {
        std::uint64_t before = std::numeric_limits<std::uint64_t>::max();
        m_sorted.forEach([&](const Cell& cell) {
            const std::uint64_t place = entityOf(cell.column, cell.row);
            if (place == before) {
                m_problems.push_back({.code = "repeated-cell",
                                      .message = {TRAINYARD_TEXT("the entry of row {0}, column {1} is there twice; "
                                                                 "each may be there once"),
                                                  {std::to_string(cell.row + 1), std::to_string(cell.column + 1)}},
                                      .file = m_request.shown});
                return false;
            }
            before = place;
            RandomStream draw(m_request.seed, Purpose::dataset, entityOf(cell.row, cell.column), cellsItem);
            std::uint32_t &ofRow = m_inRow[cell.row], &ofColumn = m_inColumn[cell.column];
            const bool apart = draw.unit() < m_request.testShare && ofRow > 1 && ofColumn > 1;
            if (apart) {
                --ofRow;
                --ofColumn;
            }
            (apart ? m_test : m_train).add(cell);
            return !m_test.failed() && !m_train.failed();
        });
        for (const Problems& of : {m_problems, m_sorted.problems(), m_train.problems(), m_test.problems()})
            if (!of.empty()) return of;
        if (m_train.bytes() / sizeof(Cell) > 0xffffffffu)
            return {{.code = "too-large",
                     .message = {TRAINYARD_TEXT("there are more than 4,294,967,295 entries"), {}},
                     .file = m_request.shown}};
        return {};
    }

    static ImportedData imported(std::shared_ptr<MatrixData> data) {
        ImportedData out;
        out.header = {.kind = KeyedKind::cells,
                      .counts = {data->m_inRow.size(), data->m_inColumn.size(), data->m_train.bytes() / sizeof(Cell),
                                 data->m_test.bytes() / sizeof(Cell)}};
        out.summary = {TRAINYARD_TEXT("{0} rows, {1} columns, {2} cells to train on, {3} to test"), {}};
        for (std::size_t i = 0; i < 4; ++i) out.summary.arguments.push_back(std::to_string(out.header.counts[i]));
        out.write = [data = std::move(data)](KeyedDataWriter& writer) {
            for (ScratchFile* part : {&data->m_train, &data->m_test}) {
                ScratchFile::Reader cells(*part);
                for (Cell cell; cells.next(cell);) writer.add(cell);
                if (part->failed()) return part->problems();
            }
            return Problems{};
        };
        return out;
    }

private:
    static constexpr std::uint32_t cellsItem = 0x43454c4c; ///< of the random stream

    bool wrong(const char* code, Text message) {
        m_problems.push_back(m_lines->problemHere(code, std::move(message)));
        return false;
    }
    static std::string shownField(std::string_view text) { return readableName(std::string(text.substr(0, 40))); }

    /// Fields between blanks; what is more than `most` counts, but is not kept.
    static std::size_t fieldsOf(std::string_view line, std::span<std::string_view> into) {
        constexpr std::string_view blank = " \t\v\f\r";
        std::size_t many = 0;
        for (;; ++many) {
            line.remove_prefix(std::min(line.find_first_not_of(blank), line.size()));
            if (line.empty()) return many;
            const std::size_t end = std::min(line.find_first_of(blank), line.size());
            if (many < into.size()) into[many] = line.substr(0, end);
            line.remove_prefix(end);
        }
    }
    static std::string lower(std::string_view text) {
        std::string out(text);
        for (char& c : out)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        return out;
    }
    static std::optional<std::uint64_t> wholeNumber(std::string_view text) {
        std::uint64_t out = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
        if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
        return out;
    }

    bool readHeader() {
        const auto line = m_lines->next();
        if (!line) {
            if (m_lines->problems().empty())
                m_problems.push_back({.code = "bad-matrix",
                                      .message = {TRAINYARD_TEXT("the file is empty"), {}},
                                      .file = m_request.shown});
            return false;
        }
        std::array<std::string_view, 5> fields;
        if (fieldsOf(*line, fields) != 5 || lower(fields[0]) != "%%matrixmarket")
            return wrong("bad-matrix", {TRAINYARD_TEXT("the first line must be \"%%MatrixMarket matrix coordinate "
                                                       "real general\", or integer, or symmetric"),
                                        {}});
        const std::array<std::vector<std::string>, 5> allowed{
            {{"%%matrixmarket"}, {"matrix"}, {"coordinate"}, {"real", "integer"}, {"general", "symmetric"}}};
        constexpr std::array<const char*, 5> names{"", "object", "format", "field", "symmetry"};
        for (std::size_t i = 1; i < 5; ++i)
            if (std::ranges::find(allowed[i], lower(fields[i])) == allowed[i].end())
                return wrong("unsupported-matrix",
                             {TRAINYARD_TEXT("{0} \"{1}\" is not read; it must be {2}"),
                              {names[i], shownField(fields[i]),
                               allowed[i].size() == 1 ? allowed[i][0] : allowed[i][0] + " or " + allowed[i][1]}});
        m_integer = lower(fields[3]) == "integer";
        m_symmetric = lower(fields[4]) == "symmetric";
        return true;
    }

    /// The next line that is neither empty nor a comment.
    std::optional<std::string_view> content() {
        while (const auto line = m_lines->next())
            if (!line->starts_with('%') && line->find_first_not_of(" \t\v\f\r") != line->npos) return line;
        return std::nullopt;
    }

    bool readSize() {
        const auto line = content();
        if (!line) {
            if (m_lines->problems().empty())
                wrong("bad-matrix",
                      {TRAINYARD_TEXT("the file ends before its size: rows, columns and number of entries"), {}});
            return false;
        }
        std::array<std::string_view, 3> fields;
        const std::size_t many = fieldsOf(*line, fields);
        std::array<std::optional<std::uint64_t>, 3> numbers;
        if (many == 3) std::ranges::transform(fields, numbers.begin(), wholeNumber);
        if (many != 3 || !std::ranges::all_of(numbers, [](const auto& n) { return n && *n > 0; }))
            return wrong("bad-matrix", {TRAINYARD_TEXT("the size must be three whole numbers from 1 on: rows, columns "
                                                       "and number of entries"),
                                        {}});
        const std::uint64_t rows = *numbers[0], columns = *numbers[1];
        if (rows > mostImportedNames || columns > mostImportedNames)
            return wrong("too-large",
                         {TRAINYARD_TEXT("the matrix has {0} rows and {1} columns; at most {2} of each are read"),
                          {std::to_string(rows), std::to_string(columns), std::to_string(mostImportedNames)}});
        if (m_symmetric && rows != columns)
            return wrong("bad-matrix",
                         {TRAINYARD_TEXT("a symmetric matrix has as many rows as columns, not {0} and {1}"),
                          {std::to_string(rows), std::to_string(columns)}});
        if (*numbers[2] > rows * columns)
            return wrong("bad-matrix", {TRAINYARD_TEXT("{0} rows and {1} columns have no {2} entries"),
                                        {std::to_string(rows), std::to_string(columns), std::to_string(*numbers[2])}});
        m_announced = *numbers[2];
        m_inRow.resize(rows);
        m_inColumn.resize(columns);
        return true;
    }

    void readEntries() {
        std::uint64_t entries = 0;
        while (const auto line = content()) {
            if (++entries > m_announced) {
                wrong("wrong-counts", {TRAINYARD_TEXT("this is entry {0}; the size in front says {1}"),
                                       {std::to_string(entries), std::to_string(m_announced)}});
                return;
            }
            entry(*line);
            if (m_problems.size() == mostImportProblems || m_sorted.failed()) return;
        }
        if (entries < m_announced && m_lines->problems().empty())
            wrong("wrong-counts", {TRAINYARD_TEXT("the file ends after {0} entries; the size in front says {1}"),
                                   {std::to_string(entries), std::to_string(m_announced)}});
    }

    bool entry(std::string_view line) {
        std::array<std::string_view, 3> fields;
        if (const std::size_t many = fieldsOf(line, fields); many != 3)
            return wrong("bad-matrix", {TRAINYARD_TEXT("the line has {0} fields; an entry has three, row, column and "
                                                       "value"),
                                        {std::to_string(many)}});
        const auto row = wholeNumber(fields[0]), column = wholeNumber(fields[1]);
        if (!row || *row < 1 || *row > m_inRow.size())
            return wrong("out-of-range", {TRAINYARD_TEXT("the row (field 1) is \"{0}\"; rows are from 1 to {1}"),
                                          {shownField(fields[0]), std::to_string(m_inRow.size())}});
        if (!column || *column < 1 || *column > m_inColumn.size())
            return wrong("out-of-range", {TRAINYARD_TEXT("the column (field 2) is \"{0}\"; columns are from 1 to {1}"),
                                          {shownField(fields[1]), std::to_string(m_inColumn.size())}});
        std::string_view text = fields[2];
        if (text.starts_with('+')) text.remove_prefix(1);
        const auto value = parseNumber(text);
        if (!value || !std::isfinite(*value) || std::abs(*value) > std::numeric_limits<float>::max() ||
            (m_integer && *value != std::floor(*value)))
            return wrong("out-of-range",
                         {m_integer ? TRAINYARD_TEXT("the value (field 3) is \"{0}\"; a whole number is needed")
                                    : TRAINYARD_TEXT("the value (field 3) is \"{0}\"; a number is needed, at most "
                                                     "3.4e38 in size"),
                          {shownField(fields[2])}});
        if (m_symmetric && *column > *row)
            return wrong("out-of-range", {TRAINYARD_TEXT("row {0}, column {1} is above the diagonal; of a symmetric "
                                                         "matrix the entries on and below it are given"),
                                          {std::to_string(*row), std::to_string(*column)}});
        const auto r = static_cast<std::uint32_t>(*row - 1), c = static_cast<std::uint32_t>(*column - 1);
        add({r, c, static_cast<float>(*value)});
        if (m_symmetric && r != c) add({c, r, static_cast<float>(*value)});
        return true;
    }
    void add(const Cell& cell) {
        ++m_inRow[cell.row];
        ++m_inColumn[cell.column];
        m_sorted.add(cell);
    }

    const ImportRequest m_request;
    TextLines* m_lines = nullptr;
    bool m_integer = false, m_symmetric = false;
    std::uint64_t m_announced = 0;
    std::vector<std::uint32_t> m_inRow, m_inColumn; ///< cells that are not in test
    SortedRuns<Cell, ColumnFirst> m_sorted;
    ScratchFile m_train, m_test;
    Problems m_problems;
};

Result<ImportedData> read(const ImportRequest& request) {
    auto data = std::make_shared<MatrixData>(request);
    if (Problems problems = data->read(); !problems.empty()) return problems;
    if (Problems problems = data->split(); !problems.empty()) return problems;
    return MatrixData::imported(std::move(data));
}

} // namespace matrix_market

Importer matrixMarketImporter() {
    return {
        .name = "matrixmarket",
        .what =
            "known cells of a matrix, a MatrixMarket file, coordinate, real or integer (memory: 60 MB, and 4 bytes a "
            "row and a column)",
        .options = {"--seed", "--test-share"},
        .read = matrix_market::read};
}

} // namespace trainyard
