// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/CsvTable.h"

#include "base/WholeFile.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace trainyard {

namespace csv_table {

constexpr std::size_t longest = std::size_t{1} << 20;

std::string_view trimmed(std::string_view text) {
    const char* space = " \t\r";
    const auto from = text.find_first_not_of(space);
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_last_not_of(space) - from + 1);
}

/// Characters that make spreadsheets take a cell for a formula.
constexpr std::string_view formulaSigns = "=+-@";

bool isMarked(std::string_view cell) {
    const auto first = cell.find_first_not_of('\'');
    return first != 0 && first != std::string_view::npos && formulaSigns.find(cell[first]) != std::string_view::npos;
}

bool isNumber(std::string_view text) {
    double value;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

/// Also of what would be read back as marked.
bool needsMark(std::string_view value) {
    if (isMarked(value)) return true;
    return !value.empty() && formulaSigns.find(value.front()) != std::string_view::npos && !isNumber(value);
}

std::string_view withoutMark(std::string_view cell) { return isMarked(cell) ? cell.substr(1) : cell; }

char separatorOf(std::string_view line) {
    for (const char separator : {',', ';', '\t'}) {
        bool quoted = false;
        for (const char c : line)
            if (c == '"')
                quoted = !quoted;
            else if (c == separator && !quoted)
                return separator;
    }
    return ',';
}

/// Row by row. Doubled quotes are halved in place, so that all cells are parts of the text.
class Reader {
public:
    Reader(CsvTable& table, std::string& text, const CsvFormat& format)
        : m_table(table), m_text(text), m_format(format) {}

    /// What is wrong; stops there.
    std::optional<Problem> read() {
        if (m_text.starts_with("\xEF\xBB\xBF")) m_at = 3; // the mark that some programs put before UTF-8
        while (m_at < m_text.size() && !m_problem) line();
        return std::move(m_problem);
    }

private:
    bool ended() const { return m_at == m_text.size() || m_text[m_at] == '\n'; }
    bool atSeparator() const { return m_at < m_text.size() && m_text[m_at] == m_format.separator; }
    void skipSpace() {
        while (!ended() && !atSeparator() && trimmed({&m_text[m_at], 1}).empty()) ++m_at;
    }

    void line() {
        CsvTable::Row row{++m_table.lines, {}};
        const std::size_t end = std::min(m_text.find('\n', m_at), m_text.size());
        const std::string_view whole = std::string_view(m_text).substr(m_at, end - m_at), content = trimmed(whole);
        if (whole.size() > longest) return report(row.line, TRAINYARD_TEXT("the line is longer than 1 MiB"));
        const bool isBlank =
            content.empty() && (m_format.separator != '\t' || whole.find('\t') == std::string_view::npos);
        if (isBlank || (m_format.comments && content.starts_with('#'))) {
            m_at = std::min(end + 1, m_text.size());
            return;
        }
        if (m_format.separator == 0) m_format.separator = separatorOf(whole);
        if (!m_table.rows.empty()) row.cells.reserve(m_table.rows.back().cells.size());
        for (row.cells.push_back(cell()); atSeparator() && !m_problem; row.cells.push_back(cell())) ++m_at;
        if (m_at < m_text.size()) ++m_at;
        m_table.rows.push_back(std::move(row));
    }

    std::string_view cell() {
        skipSpace();
        if (m_at < m_text.size() && m_text[m_at] == '"') return quoted();
        const std::size_t from = m_at;
        while (!ended() && !atSeparator()) ++m_at;
        return withoutMark(trimmed(std::string_view(m_text).substr(from, m_at - from)));
    }

    std::string_view quoted() {
        const int first = m_table.lines;
        const std::size_t from = ++m_at;
        std::size_t to = from;
        for (;;) {
            if (m_at == m_text.size() || m_at - from > longest) {
                report(first, TRAINYARD_TEXT("a quoted value does not end, or not within 1 MiB"));
                return {};
            }
            const char c = m_text[m_at++];
            if (c == '"' && (m_at == m_text.size() || m_text[m_at] != '"')) break;
            if (c == '"') ++m_at;
            if (c == '\n') ++m_table.lines;
            m_text[to++] = c;
        }
        skipSpace();
        if (!ended() && !atSeparator())
            report(m_table.lines, TRAINYARD_TEXT("after a quoted value a separator or the end of the line is needed"));
        return withoutMark(std::string_view(m_text).substr(from, to - from));
    }

    void report(int line, const char* text) { m_problem = m_table.problemAt(line, {text, {}}); }

    CsvTable& m_table;
    std::string& m_text;
    CsvFormat m_format;
    std::size_t m_at = 0;
    std::optional<Problem> m_problem;
};

} // namespace csv_table

std::size_t CsvTable::columnNamed(std::string_view name) const {
    if (rows.empty()) return 0;
    const auto& cells = rows.front().cells;
    return static_cast<std::size_t>(std::find(cells.begin(), cells.end(), name) - cells.begin());
}

Problem CsvTable::problemAt(int line, Text message) const {
    return {.code = "bad-csv", .message = std::move(message), .file = file, .line = line};
}

Result<CsvTable> readCsvTable(const std::filesystem::path& file, const CsvFormat& format) {
    auto whole = readWholeFile(file, mostCsvBytes);
    if (!whole) return whole.problems();
    const auto text = std::make_shared<std::string>(std::move(whole).value());
    CsvTable out{.file = file.string(), .text = text};
    if (auto problem = csv_table::Reader(out, *text, format).read()) return std::move(*problem);
    return out;
}

void appendCsvField(std::string& out, std::string_view value, char separator) {
    const std::string_view mark = csv_table::needsMark(value) ? "'" : "";
    const char special[] = {separator, '"', '\r', '\n', '#'}; // the last begins a comment for some readers
    const bool blank = !value.empty() && csv_table::trimmed(value).size() != value.size();
    if (!blank && value.find_first_of(std::string_view(special, sizeof special)) == std::string_view::npos) {
        out.append(mark).append(value);
        return;
    }
    out.append("\"").append(mark);
    for (const char c : value) {
        if (c == '"') out += '"';
        out += c;
    }
    out += '"';
}

std::string csvField(std::string_view value, char separator) {
    std::string out;
    appendCsvField(out, value, separator);
    return out;
}

std::string joinedCells(const CsvTable::Row& row) {
    std::string out;
    for (const auto cell : row.cells) out += (out.empty() ? "" : ", ") + std::string(cell);
    return out;
}

} // namespace trainyard
