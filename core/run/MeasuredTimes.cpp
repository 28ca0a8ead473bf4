#include "run/MeasuredTimes.h"

#include "run/AtomicFile.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace trainyard {

namespace measured_times {

constexpr std::size_t mostProblems = 20;
constexpr std::uintmax_t mostBytes = std::uintmax_t{1} << 30;
using Cells = std::vector<std::string_view>;

std::string_view trimmed(std::string_view text) {
    const char* space = " \t\r\"";
    const auto from = text.find_first_not_of(space);
    if (from == std::string_view::npos) return {};
    return text.substr(from, text.find_last_not_of(space) - from + 1);
}

std::optional<double> numberIn(std::string_view text) {
    double value = 0;
    const auto end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    if (text.empty() || result.ec != std::errc{} || result.ptr != end) return std::nullopt;
    return value;
}

char separatorOf(std::string_view line) {
    for (const char c : {',', ';', '\t'})
        if (line.find(c) != std::string_view::npos) return c;
    return ',';
}

Cells split(std::string_view line, char separator) {
    Cells out;
    for (;;) {
        const auto at = line.find(separator);
        out.push_back(trimmed(line.substr(0, at)));
        if (at == std::string_view::npos) return out;
        line.remove_prefix(at + 1);
    }
}

std::string joined(const Cells& cells) {
    std::string out;
    for (const auto cell : cells) out += (out.empty() ? "" : ", ") + std::string(cell);
    return out;
}

/// Line by line; knows where it is.
class Reader {
public:
    Reader(std::string file, std::string column) : m_file(std::move(file)), m_column(std::move(column)) {}

    void take(std::string_view line) {
        ++m_line;
        if (const auto text = trimmed(line); text.empty() || text.front() == '#') return;
        if (m_width > 0) return row(split(line, m_separator));
        m_separator = separatorOf(line);
        const Cells cells = split(line, m_separator);
        m_width = cells.size();
        const bool named = std::none_of(cells.begin(), cells.end(), [](auto c) { return numberIn(c); });
        m_chosen = chosen(cells, named);
        if (!named && m_chosen < m_width) row(cells);
    }
    bool givenUp() const { return m_problems.size() >= mostProblems || (m_width > 0 && m_chosen >= m_width); }

    Result<std::vector<double>> result() && {
        if (m_times.empty() && m_problems.empty()) report(TRAINYARD_TEXT("there are no times in it"), {});
        if (!m_problems.empty()) return std::move(m_problems);
        return std::move(m_times);
    }

private:
    void report(const char* pattern, std::vector<std::string> arguments) {
        m_problems.push_back(
            {.code = "bad-csv", .message = {pattern, std::move(arguments)}, .file = m_file, .line = m_line});
    }

    std::size_t chosen(const Cells& cells, bool named) {
        if (m_column.empty()) {
            if (cells.size() == 1) return 0;
            report(TRAINYARD_TEXT("there are {0} columns ({1}); choose one by its name or its number from 1"),
                   {std::to_string(cells.size()), joined(cells)});
            return cells.size();
        }
        if (named)
            for (std::size_t c = 0; c < cells.size(); ++c)
                if (cells[c] == m_column) return c;
        if (const auto number = numberIn(m_column);
            number && *number >= 1 && *number <= static_cast<double>(cells.size()) && *number == std::floor(*number))
            return static_cast<std::size_t>(*number) - 1;
        report(TRAINYARD_TEXT("there is no column \"{0}\"; the line has {1}"), {m_column, joined(cells)});
        return cells.size();
    }

    void row(const Cells& cells) {
        if (cells.size() != m_width)
            return report(TRAINYARD_TEXT("the line has {0} values, those before it {1}"),
                          {std::to_string(cells.size()), std::to_string(m_width)});
        const auto value = numberIn(cells[m_chosen]);
        if (value && *value > 0 && std::isfinite(*value))
            m_times.push_back(*value);
        else
            report(TRAINYARD_TEXT("\"{0}\" is not a time; a number above 0 is required"),
                   {std::string(cells[m_chosen])});
    }

    std::string m_file, m_column;
    int m_line = 0;
    char m_separator = ',';
    std::size_t m_width = 0, m_chosen = 0;
    std::vector<double> m_times;
    Problems m_problems;
};

} // namespace measured_times

Result<std::vector<double>> readMeasuredTimes(const std::filesystem::path& file, const std::string& column) {
    using namespace measured_times;
    const auto text = readWholeFile(file, mostBytes);
    if (!text) return text.problems();
    Reader reader(file.string(), column);
    for (std::string_view rest = *text; !rest.empty() && !reader.givenUp();) {
        const auto end = rest.find('\n');
        reader.take(rest.substr(0, end));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return std::move(reader).result();
}

} // namespace trainyard
