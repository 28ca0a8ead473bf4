// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Reads a file of separated values, line by line: for measured times (`trainyard-cli fit`) and for traces (`trainyard-cli
// import`).
#include "base/Result.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

struct CsvTable {
    struct Row {
        int line = 0;                        ///< of the file, from 1
        std::vector<std::string_view> cells; ///< without space and quotes around them
    };
    std::string file;
    std::shared_ptr<const std::string> text; ///< that the cells are parts of
    int lines = 0;                           ///< of the whole file
    std::vector<Row> rows;

    /// Nowhere in the first row: as many as it has cells.
    std::size_t columnNamed(std::string_view name) const;
    /// "bad-csv", at this line.
    Problem problemAt(int line, Text message) const;
};

/// Values separated by commas, semicolons or tabs, whichever the first line has; empty lines and lines that begin with # are
/// left out. Quotes are taken off and do not protect separators. At most 1 GiB. Problem: it cannot be read.
Result<CsvTable> readCsvTable(const std::filesystem::path& file);

/// The first row's cells, for messages.
std::string joinedCells(const CsvTable::Row& row);

} // namespace trainyard
