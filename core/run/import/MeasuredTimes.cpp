// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/import/MeasuredTimes.h"

#include "base/CsvTable.h"
#include "base/Format.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace trainyard {

namespace measured_times {

constexpr std::size_t mostProblems = 20;

/// Row by row; the first one tells the columns.
class Reader {
public:
    Reader(const CsvTable& table, std::string column) : m_table(table), m_column(std::move(column)) {}

    void take(const CsvTable::Row& row) {
        if (m_width > 0) return value(row);
        m_width = row.cells.size();
        const bool named = std::none_of(row.cells.begin(), row.cells.end(), [](auto c) { return parseNumber(c); });
        m_chosen = chosen(row, named);
        if (!named && m_chosen < m_width) value(row);
    }
    bool givenUp() const { return m_problems.size() >= mostProblems || (m_width > 0 && m_chosen >= m_width); }

    Result<std::vector<double>> result() && {
        if (m_times.empty() && m_problems.empty())
            report(m_table.lines, TRAINYARD_TEXT("there are no times in it"), {});
        if (!m_problems.empty()) return std::move(m_problems);
        return std::move(m_times);
    }

private:
    void report(int line, const char* pattern, std::vector<std::string> arguments) {
        m_problems.push_back(m_table.problemAt(line, {pattern, std::move(arguments)}));
    }

    std::size_t chosen(const CsvTable::Row& row, bool named) {
        const std::size_t width = row.cells.size();
        if (m_column.empty()) {
            if (width == 1) return 0;
            report(row.line, TRAINYARD_TEXT("there are {0} columns ({1}); choose one by its name or its number from 1"),
                   {std::to_string(width), joinedCells(row)});
            return width;
        }
        if (named)
            if (const std::size_t column = m_table.columnNamed(m_column); column < width) {
                if (std::ranges::count(row.cells, m_column) == 1) return column;
                report(row.line, TRAINYARD_TEXT("the column \"{0}\" is there more than once; choose one by its number"),
                       {m_column});
                return width;
            }
        if (const auto number = parseNumber(m_column);
            number && *number >= 1 && *number <= static_cast<double>(width) && *number == std::floor(*number))
            return static_cast<std::size_t>(*number) - 1;
        report(row.line, TRAINYARD_TEXT("there is no column \"{0}\"; the line has {1}"), {m_column, joinedCells(row)});
        return width;
    }

    void value(const CsvTable::Row& row) {
        if (row.cells.size() != m_width)
            return report(row.line, TRAINYARD_TEXT("the line has {0} values, those before it {1}"),
                          {std::to_string(row.cells.size()), std::to_string(m_width)});
        const auto time = parseNumber(row.cells[m_chosen]);
        if (time && *time > 0 && std::isfinite(*time))
            m_times.push_back(*time);
        else
            report(row.line, TRAINYARD_TEXT("\"{0}\" is not a time; a number above 0 is required"),
                   {std::string(row.cells[m_chosen])});
    }

    const CsvTable& m_table;
    std::string m_column;
    std::size_t m_width = 0, m_chosen = 0;
    std::vector<double> m_times;
    Problems m_problems;
};

} // namespace measured_times

Result<std::vector<double>> readMeasuredTimes(const std::filesystem::path& file, const std::string& column) {
    const auto table = readCsvTable(file);
    if (!table) return table.problems();
    measured_times::Reader reader(*table, column);
    for (std::size_t r = 0; r < table->rows.size() && !reader.givenUp(); ++r) reader.take(table->rows[r]);
    return std::move(reader).result();
}

} // namespace trainyard
