// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The canonical text of a JSON tree. Containers stay on one line where they fit and hold little, so that
// links, positions and small machines read as table rows; lists of objects always have one element per line.
#include "scenario/JsonTree.h"

#include <algorithm>
#include <array>

namespace trainyard {

namespace {

constexpr std::size_t lineWidth = 110;
constexpr int oneLineDepth = 3; // containers nested deeper than this are broken even if they would fit

void appendQuoted(std::string& out, std::string_view text) {
    static constexpr std::array<char, 16> hex{'0', '1', '2', '3', '4', '5', '6', '7',
                                              '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    out += '"';
    for (const char c : text) {
        switch (c) {
        case '"': out += "\\\""; break;
        case '\\': out += "\\\\"; break;
        case '\n': out += "\\n"; break;
        case '\t': out += "\\t"; break;
        case '\r': out += "\\r"; break;
        default:
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
                out += "\\u00";
                out += hex[static_cast<unsigned char>(c) >> 4];
                out += hex[static_cast<unsigned char>(c) & 15];
            } else {
                out += c;
            }
        }
    }
    out += '"';
}

class JsonPrinter {
public:
    std::string take() { return std::move(m_out); }

    void print(const JsonNode& node, int indent, bool root) {
        if (m_inObject) {
            appendQuoted(m_out, node.key);
            m_out += ": ";
        }
        const bool object = node.is(JsonNode::Type::object);
        if (!object && !node.is(JsonNode::Type::array)) {
            printScalar(m_out, node);
            return;
        }
        if (!root && printOnOneLine(node)) return;
        m_out += object ? '{' : '[';
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            m_out += i > 0 ? ",\n" : "\n";
            m_lineStart = m_out.size();
            m_out.append(static_cast<std::size_t>(indent + 2), ' ');
            m_inObject = object;
            print(node.items[i], indent + 2, false);
        }
        if (!node.items.empty()) {
            m_out += '\n';
            m_out.append(static_cast<std::size_t>(indent), ' ');
        }
        m_out += object ? '}' : ']';
    }

private:
    static void printScalar(std::string& out, const JsonNode& node) {
        switch (node.type) {
        case JsonNode::Type::null: out += "null"; break;
        case JsonNode::Type::boolean: out += node.truth ? "true" : "false"; break;
        case JsonNode::Type::number: out += node.text; break;
        default: appendQuoted(out, node.text); break;
        }
    }

    bool printOnOneLine(const JsonNode& node) {
        const bool rows =
            node.is(JsonNode::Type::array) && !node.items.empty() && node.items.front().is(JsonNode::Type::object);
        if (rows) return false;
        // One place of the line is kept for the comma that may follow.
        const std::size_t used = m_out.size() - m_lineStart + 1;
        std::string line;
        if (used >= lineWidth || !appendInline(line, node, lineWidth - used, oneLineDepth)) return false;
        m_out += line;
        return true;
    }

    /// False as soon as the text exceeds `room` or nests deeper than `depth`.
    static bool appendInline(std::string& out, const JsonNode& node, std::size_t room, int depth) {
        const bool object = node.is(JsonNode::Type::object);
        if (!object && !node.is(JsonNode::Type::array)) {
            printScalar(out, node);
            return out.size() <= room;
        }
        if (depth == 0) return false;
        out += object ? '{' : '[';
        for (std::size_t i = 0; i < node.items.size(); ++i) {
            if (i > 0) out += ", ";
            if (object) {
                appendQuoted(out, node.items[i].key);
                out += ": ";
            }
            if (!appendInline(out, node.items[i], room, depth - 1)) return false;
        }
        out += object ? '}' : ']';
        return out.size() <= room;
    }

    std::string m_out;
    std::size_t m_lineStart = 0;
    bool m_inObject = false;
};

} // namespace

std::string formatJson(const JsonNode& root) {
    JsonPrinter printer;
    printer.print(root, 0, true);
    return printer.take() + "\n";
}

} // namespace trainyard
