// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The small data sets that ship with Trainyard: CSV with a header line, the class number in the last column.
#include "base/CsvTable.h"
#include "base/Format.h"
#include "learning/DataSetRows.h"
#include "learning/data/DataEntry.h"
#include "learning/data/StoredDataSet.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace csv_data {

struct CsvShape {
    std::size_t rows, features;
    int classes;
};

/// Appends one row's values; nothing if it is right.
std::optional<Text> readRow(const CsvTable::Row& row, const CsvShape& shape, Batch& out) {
    for (std::size_t column = 0; column < std::min(row.cells.size(), shape.features + 1); ++column) {
        const std::string_view word = row.cells[column];
        const auto value = parseNumber(word);
        if (!value || !std::isfinite(*value))
            return Text{TRAINYARD_TEXT("value {0} is \"{1}\", which is not a number"),
                        {std::to_string(column + 1), std::string(word)}};
        const bool isClass = column == shape.features;
        if (isClass && !(*value >= 0 && *value < shape.classes && *value == std::floor(*value)))
            return Text{TRAINYARD_TEXT("the last value is {0}; it must be a class, a whole number from 0 to {1}"),
                        {std::string(word), std::to_string(shape.classes - 1)}};
        (isClass ? out.y : out.x).push_back(*value);
    }
    if (row.cells.size() == shape.features + 1) return std::nullopt;
    return Text{TRAINYARD_TEXT("there are {0} values instead of {1}"),
                {std::to_string(row.cells.size()), std::to_string(shape.features + 1)}};
}

/// Problems name the file and the line: missing, wrong number of values, not a number, not a class, wrong number of rows.
Result<Batch> readCsv(const std::filesystem::path& file, const CsvShape& shape) {
    const auto damaged = [&](int line, Text message) {
        return Problem{.code = "damaged-data", .message = std::move(message), .file = file.string(), .line = line};
    };
    const auto table = readCsvTable(file, {.separator = ',', .comments = false});
    if (!table) {
        const Problem& problem = table.problems().front();
        if (problem.code != "cannot-read") return damaged(problem.line, problem.message);
        return Problem{
            .code = "missing-data",
            .message = {TRAINYARD_TEXT("the data file cannot be read; it ships with Trainyard: reinstall it, or set "
                                       "TRAINYARD_RESOURCES to the directory that holds data/{0}"),
                        {file.filename().string()}},
            .file = file.string()};
    }
    Batch out;
    out.features = shape.features;
    out.x.reserve(shape.rows * shape.features);
    out.y.reserve(shape.rows);
    for (std::size_t r = 1; r < table->rows.size(); ++r) { // the first one names the columns
        const CsvTable::Row& row = table->rows[r];
        if (out.y.size() == shape.rows)
            return damaged(row.line, {TRAINYARD_TEXT("there are more than {0} rows"), {std::to_string(shape.rows)}});
        if (auto wrong = readRow(row, shape, out)) return damaged(row.line, std::move(*wrong));
    }
    if (out.y.size() != shape.rows)
        return damaged(table->lines, {TRAINYARD_TEXT("the file ends after {0} rows instead of {1}"),
                                      {std::to_string(out.y.size()), std::to_string(shape.rows)}});
    out.rows = shape.rows;
    return out;
}

struct Params {
    bool standardise = true;
};

constexpr CsvShape breastCancer{569, 30, 2}, digits{1797, 64, 10}, wine{178, 13, 3}, iris{150, 4, 3};

DataEntry fileEntry(DataSetInfo info, CsvShape shape) {
    info.licence = "CC BY 4.0";
    const std::string name = "data/" + info.id + ".csv";
    const auto load = [name, shape](const Params& params, std::uint64_t,
                                    const ResourcePaths& paths) -> Result<std::shared_ptr<const DataSet>> {
        auto data = readCsv(paths.root / name, shape);
        if (!data) return data.problems();
        if (params.standardise) standardise(data.value());
        return {std::make_shared<const StoredDataSet>(std::move(data).value(), shape.classes)};
    };
    return dataEntry<Params>(std::move(info), load,
                             flag(&Params::standardise, "standardise", "Standardise",
                                  "Shift and scale each feature to mean 0 and variance 1."));
}

} // namespace csv_data

std::vector<DataEntry> storedFileEntries() {
    using namespace csv_data;
    return {
        fileEntry({.id = "breast-cancer",
                   .label = "Breast cancer (Wisconsin, diagnostic)",
                   .summary = "569 tumours, 30 features, benign (1) or malignant (0).",
                   .provenance = "UCI Machine Learning Repository, doi:10.24432/C5DW2B; Wolberg, "
                                 "Mangasarian, Street, Street 1995."},
                  breastCancer),
        fileEntry(
            {.id = "digits",
             .label = "Handwritten digits (8×8)",
             .summary = "1797 digits of 43 writers, 64 grey values, ten classes.",
             .provenance = "UCI Machine Learning Repository, doi:10.24432/C50P49 (test part); Alpaydin, Kaynak 1998."},
            digits),
        fileEntry({.id = "wine",
                   .label = "Wine",
                   .summary = "178 wines, 13 chemical measurements, three cultivars.",
                   .provenance = "UCI Machine Learning Repository, doi:10.24432/C5PC7J; Aeberhard, Forina 1992."},
                  wine),
        fileEntry({.id = "iris",
                   .label = "Iris",
                   .summary = "150 flowers, 4 lengths, three species.",
                   .provenance = "UCI Machine Learning Repository, doi:10.24432/C56C76; Fisher 1936."},
                  iris),
    };
}

std::int64_t rowsOf(const Choice& dataset) {
    using namespace csv_data;
    for (const auto& [id, shape] : {std::pair("breast-cancer", breastCancer), std::pair("digits", digits),
                                    std::pair("wine", wine), std::pair("iris", iris)})
        if (dataset.id == id) return static_cast<std::int64_t>(shape.rows);
    for (const DataSetInfo& info : dataSets()) {
        if (info.id != dataset.id || info.endless || !info.schema.check(dataset.parameters, {}).empty()) continue;
        const auto values = info.schema.complete(dataset.parameters);
        const auto it = values.find("rows");
        const auto* rows = it == values.end() ? nullptr : std::get_if<std::int64_t>(&it->second);
        return rows ? *rows : 0;
    }
    return 0;
}

} // namespace trainyard
