// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/CsvRows.h"

#include <array>

namespace trainyard {

namespace csv_rows {
constexpr std::size_t piece = 1 << 16; // characters
}

CsvRows& CsvRows::operator<<(std::string_view field) {
    if (!m_first) m_text += m_separator;
    m_first = false;
    const std::array<char, 4> special{m_separator, '"', '\r', '\n'};
    if (field.find_first_of(std::string_view(special.data(), special.size())) == std::string_view::npos) {
        m_text += field;
        return *this;
    }
    m_text += '"';
    for (const char c : field) {
        if (c == '"') m_text += '"';
        m_text += c;
    }
    m_text += '"';
    return *this;
}

void CsvRows::end() {
    m_text += '\n';
    m_first = true;
    if (m_text.size() > csv_rows::piece) flush();
}

bool CsvRows::flush() {
    if (m_going && !m_text.empty()) m_going = m_sink(m_text);
    m_text.clear();
    return m_going;
}

} // namespace trainyard
