// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/CsvRows.h"

#include "base/CsvTable.h"

namespace trainyard {

namespace csv_rows {
constexpr std::size_t piece = 1 << 16; // characters
}

CsvRows& CsvRows::operator<<(std::string_view field) {
    if (!m_first) m_text += m_separator;
    m_first = false;
    appendCsvField(m_text, field, m_separator);
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
