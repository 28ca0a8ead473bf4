// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/import/PipeDreamProfile.h"

#include "base/Format.h"
#include "base/ReadableName.h"
#include "base/WholeFile.h"

#include <array>
#include <cmath>
#include <map>
#include <set>

namespace trainyard {

namespace {

constexpr std::uintmax_t mostProfileBytes = std::uintmax_t{16} << 20;
constexpr std::size_t mostProblems = 20;
constexpr std::string_view between = " -- ";

std::string_view trimmed(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

class ProfileParser {
public:
    ProfileParser(const std::string& name, double timeScale) : m_name(name), m_scale(timeScale) {}

    Result<ComputationGraph> parse(std::string_view text) {
        if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
        while (!text.empty() && m_problems.size() < mostProblems) {
            ++m_line;
            const std::size_t end = std::min(text.find('\n'), text.size());
            readLine(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        m_line = 0;
        if (m_problems.empty()) checkWhole();
        if (!m_problems.empty()) return m_problems;
        return {std::move(m_graph), std::move(m_warnings)};
    }

private:
    void report(const char* code, Text message) {
        m_problems.push_back({.code = code, .message = std::move(message), .file = m_name, .line = m_line});
    }

    void readLine(std::string_view line) {
        const bool indented = line.starts_with('\t');
        line = trimmed(line);
        if (line.empty()) return;
        const std::size_t first = line.find(between);
        if (first == std::string_view::npos || !line.starts_with("node"))
            report("bad-profile",
                   {TRAINYARD_TEXT("this is neither an operation, \"nodeID -- DESCRIPTION -- forward_compute_time=…, "
                                   "backward_compute_time=…, activation_size=…, parameter_size=…\", nor a dependency, "
                                   "\"nodeID -- nodeID\" after a tabulator"),
                    {}});
        else if (indented)
            readDependency(line.substr(0, first), trimmed(line.substr(first + between.size())));
        else
            readOperation(line, first);
    }

    /// nullopt and a problem: it is none.
    std::optional<std::uint64_t> idOf(std::string_view word) {
        std::uint64_t id = 0;
        const std::string_view digits = word.starts_with("node") ? word.substr(4) : std::string_view();
        bool good = !digits.empty() && digits.size() <= 18;
        for (const char c : digits) {
            good = good && c >= '0' && c <= '9';
            id = id * 10 + static_cast<std::uint64_t>(c - '0');
        }
        if (good) return id;
        report("bad-profile",
               {TRAINYARD_TEXT("\"{0}\" is no id of an operation; they are \"node\" and a number, as in node7"),
                {readableName(std::string(word.substr(0, 40)))}});
        return std::nullopt;
    }

    void readOperation(std::string_view line, std::size_t first) {
        const auto id = idOf(line.substr(0, first));
        if (!id) return;
        // Descriptions may hold the separator; a stage may follow the numbers.
        const std::size_t numbers = line.rfind(" -- forward_compute_time=");
        if (numbers == std::string_view::npos || numbers < first)
            return report("bad-profile", {TRAINYARD_TEXT("the operation has no forward_compute_time"), {}});
        std::string_view values = line.substr(numbers + between.size());
        values = values.substr(0, values.find(between));
        Operation op;
        const std::string_view described = numbers > first
                                               ? line.substr(first + between.size(), numbers - first - between.size())
                                               : std::string_view();
        op.name = "node" + std::to_string(*id) + (described.empty() ? "" : ": " + readableName(std::string(described)));
        const std::array<std::pair<const char*, double*>, 4> fields{{{"forward_compute_time=", &op.forwardSeconds},
                                                                     {"backward_compute_time=", &op.backwardSeconds},
                                                                     {"activation_size=", &op.activationBytes},
                                                                     {"parameter_size=", &op.parameterBytes}}};
        for (const auto& [key, value] : fields)
            if (!readValue(values, key, *value)) return;
        op.forwardSeconds *= m_scale * 1e-3;
        op.backwardSeconds *= m_scale * 1e-3;
        add(*id, std::move(op));
    }

    void add(std::uint64_t id, Operation op) {
        if (m_graph.operations.size() == ComputationGraph::mostOperations)
            return report("too-large", {TRAINYARD_TEXT("a graph has at most {0} operations"),
                                        {std::to_string(ComputationGraph::mostOperations)}});
        const auto number = static_cast<std::uint32_t>(m_graph.operations.size());
        if (!m_numbers.emplace(id, number).second)
            return report("bad-profile",
                          {TRAINYARD_TEXT("there are two operations node{0}; ids are unique"), {std::to_string(id)}});
        if (!m_graph.output || id > m_outputId) {
            m_graph.output = number;
            m_outputId = id;
        }
        m_graph.operations.push_back(std::move(op));
    }

    /// A number, or the sum of a list of them.
    bool readValue(std::string_view values, std::string_view key, double& out) {
        const std::string shown(key.substr(0, key.size() - 1));
        const std::size_t at = values.find(key);
        if (at == std::string_view::npos || (at > 0 && values[at - 1] != ' ' && values[at - 1] != ',')) {
            report("bad-profile", {TRAINYARD_TEXT("the operation has no {0}"), {shown}});
            return false;
        }
        std::string_view text = trimmed(values.substr(at + key.size()));
        const bool list = text.starts_with('[');
        text = list ? text.substr(1, text.find(']') - 1) : text.substr(0, text.find(','));
        out = 0;
        for (bool more = true; more;) {
            const std::size_t end = list ? text.find(';') : std::string_view::npos;
            const std::string_view one = trimmed(text.substr(0, end));
            const auto number = parseNumber(one);
            if (!number || !(*number >= 0) || !std::isfinite(*number) || *number > 1e18) {
                report("bad-profile",
                       {TRAINYARD_TEXT("{0} is \"{1}\"; it must be a number of at least 0 and at most 1e18"),
                        {shown, readableName(std::string(one.substr(0, 40)))}});
                return false;
            }
            out += *number;
            more = end != std::string_view::npos;
            if (more) text.remove_prefix(end + 1);
        }
        return true;
    }

    void readDependency(std::string_view from, std::string_view to) {
        const auto a = idOf(from);
        const auto b = a ? idOf(to) : std::nullopt;
        if (!b) return;
        const auto source = m_numbers.find(*a), target = m_numbers.find(*b);
        for (const auto& [found, id] : {std::pair{source, *a}, std::pair{target, *b}})
            if (found == m_numbers.end())
                return report("bad-profile",
                              {TRAINYARD_TEXT("there is no operation node{0} before this line"), {std::to_string(id)}});
        if (!m_known.emplace(source->second, target->second).second) {
            if (m_warnings.size() < mostProblems)
                m_warnings.push_back(
                    {.code = "repeated-dependency",
                     .message = {TRAINYARD_TEXT("this dependency has been given before; it counts once"), {}},
                     .severity = Severity::warning,
                     .file = m_name,
                     .line = m_line});
            return;
        }
        if (m_graph.dependencies.size() == ComputationGraph::mostDependencies)
            return report("too-large", {TRAINYARD_TEXT("a graph has at most {0} dependencies"),
                                        {std::to_string(ComputationGraph::mostDependencies)}});
        m_graph.dependencies.push_back({source->second, target->second});
    }

    void checkWhole() {
        if (m_graph.operations.empty())
            report("bad-profile", {TRAINYARD_TEXT("the profile has no operations"), {}});
        else if (m_graph.topologicalOrder().empty())
            report("cyclic", {TRAINYARD_TEXT("the dependencies form a cycle; a step could never end"), {}});
        else if (!(m_graph.sequentialSeconds() > 0))
            report("bad-profile", {TRAINYARD_TEXT("all operations take no time; at least one must take some"), {}});
    }

    const std::string& m_name;
    double m_scale;
    int m_line = 0;
    ComputationGraph m_graph;
    std::uint64_t m_outputId = 0;
    std::map<std::uint64_t, std::uint32_t> m_numbers; ///< by id
    std::set<std::pair<std::uint32_t, std::uint32_t>> m_known;
    Problems m_problems, m_warnings;
};

} // namespace

Result<ComputationGraph> parsePipeDreamProfile(std::string_view text, const std::string& name, double timeScale) {
    return ProfileParser(name, timeScale).parse(text);
}

Result<ComputationGraph> readPipeDreamProfile(const std::filesystem::path& file, double timeScale) {
    auto text = readWholeFile(file, mostProfileBytes);
    if (!text) return text.problems();
    return parsePipeDreamProfile(*text, file.string(), timeScale);
}

} // namespace trainyard
