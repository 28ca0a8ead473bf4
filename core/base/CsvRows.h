// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Rows of fields as CSV (RFC 4180) or, with tabs, as spreadsheets paste them. Numbers in the C locale, 0.48 and not
// 0.48000000000000004. Text goes out in pieces, so that a long table needs no memory and can be stopped.
// Used by all that write tables.
#include "base/Format.h"
#include "base/SimTime.h"

#include <functional>
#include <string>
#include <string_view>

namespace trainyard {

class CsvRows {
public:
    /// Takes a piece of text; false: no more is wanted.
    using Sink = std::function<bool(std::string_view)>;
    explicit CsvRows(Sink sink, char separator = ',') : m_sink(std::move(sink)), m_separator(separator) {}
    ~CsvRows() { flush(); }
    CsvRows(const CsvRows&) = delete;
    CsvRows& operator=(const CsvRows&) = delete;

    CsvRows& operator<<(std::string_view field);
    CsvRows& operator<<(const char* field) { return *this << std::string_view(field); }
    CsvRows& operator<<(const std::string& field) { return *this << std::string_view(field); }
    CsvRows& operator<<(double value) { return *this << formatNumber(value, digits); }
    CsvRows& operator<<(SimTime t) { return *this << formatNumber(t.toSeconds(), 15); }
    void end(); ///< of the row
    /// Whole lines that are no rows of fields: comments.
    void text(std::string_view lines) { m_text += lines; }
    /// False once no more is wanted: long tables look at it.
    bool going() const { return m_going; }
    bool flush();

private:
    static constexpr int digits = 12; ///< of a number: more would tell of rounding, not of the run
    Sink m_sink;
    char m_separator;
    std::string m_text;
    bool m_first = true, m_going = true;
};

} // namespace trainyard
