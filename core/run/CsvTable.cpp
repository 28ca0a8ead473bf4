// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/CsvTable.h"

#include "run/AtomicFile.h"

#include <algorithm>

namespace trainyard {

namespace csv_table {

constexpr std::uintmax_t mostBytes = std::uintmax_t{1} << 30;

std::string_view trimmed(std::string_view text) {
    const char* space = " \t\r\"";
    const auto from = text.find_first_not_of(space);
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_last_not_of(space) - from + 1);
}

char separatorOf(std::string_view line) {
    for (const char c : {',', ';', '\t'})
        if (line.find(c) != std::string_view::npos) return c;
    return ',';
}

std::vector<std::string_view> split(std::string_view line, char separator) {
    std::vector<std::string_view> out;
    for (;;) {
        const auto at = line.find(separator);
        out.push_back(trimmed(line.substr(0, at)));
        if (at == std::string_view::npos) return out;
        line.remove_prefix(at + 1);
    }
}

} // namespace csv_table

std::size_t CsvTable::columnNamed(std::string_view name) const {
    if (rows.empty()) return 0;
    const auto& cells = rows.front().cells;
    return static_cast<std::size_t>(std::find(cells.begin(), cells.end(), name) - cells.begin());
}

Problem CsvTable::problemAt(int line, Text message) const {
    return {.code = "bad-csv", .message = std::move(message), .file = file, .line = line};
}

Result<CsvTable> readCsvTable(const std::filesystem::path& file) {
    using namespace csv_table;
    auto text = readWholeFile(file, mostBytes);
    if (!text) return text.problems();
    CsvTable out{.file = file.string(), .text = std::make_shared<const std::string>(std::move(text).value())};
    char separator = 0;
    std::string_view rest = *out.text;
    if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3); // the mark that some programs put before UTF-8
    while (!rest.empty()) {
        const auto end = rest.find('\n');
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        ++out.lines;
        if (const auto cells = trimmed(line); cells.empty() || cells.front() == '#') continue;
        if (separator == 0) separator = separatorOf(line);
        out.rows.push_back({out.lines, split(line, separator)});
    }
    return out;
}

std::string joinedCells(const CsvTable::Row& row) {
    std::string out;
    for (const auto cell : row.cells) out += (out.empty() ? "" : ", ") + std::string(cell);
    return out;
}

} // namespace trainyard
