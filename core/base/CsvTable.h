// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Files of separated values. What is read: measured times (`trainyard-cli fit`), traces and curves (`trainyard-cli import`), and the data
// sets that ship with Trainyard.
#include "base/Result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// Larger files are refused.
constexpr std::uintmax_t mostCsvBytes = std::uintmax_t{1} << 30;

struct CsvTable {
    struct Row {
        int line = 0;                        ///< of the file, from 1; the first of those that a quoted value spans
        std::vector<std::string_view> cells; ///< without quotes, and without space around what is not quoted
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

struct CsvFormat {
    char separator = 0; ///< 0: a comma, a semicolon or a tab, the first of them that the first line has outside quotes
    bool comments = true; ///< lines that begin with # are left out
};

/// Quoted values may hold separators, line ends and doubled quotes (RFC 4180); a quote inside an unquoted value is a character like
/// others. Lines end with or without a carriage return; empty ones are left out, and so is a byte-order mark. At most 1 GiB, and 1 MiB
/// in a line or a quoted value. Problem: "cannot-read", or "bad-csv" with the line.
Result<CsvTable> readCsvTable(const std::filesystem::path& file, const CsvFormat& format = {});

/// A value, quoted where RFC 4180 asks for it. An apostrophe stands before a text that spreadsheets would take for a formula (it begins with
/// =, +, - or @ and is no number); readCsvTable() takes it away.
std::string csvField(std::string_view value, char separator = ',');
void appendCsvField(std::string& out, std::string_view value, char separator = ',');

/// The first row's cells, for messages.
std::string joinedCells(const CsvTable::Row& row);

} // namespace trainyard
