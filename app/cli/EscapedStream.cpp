// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "EscapedStream.h"

#include "base/ControlCharacters.h"

namespace trainyard::cli {

EscapedStream::~EscapedStream() {
    m_to->sputn(m_begun.data(), static_cast<std::streamsize>(m_begun.size()));
    m_stream.rdbuf(m_to);
}

EscapedStream::int_type EscapedStream::overflow(int_type c) {
    if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
    const char one = traits_type::to_char_type(c);
    return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

std::streamsize EscapedStream::xsputn(const char* text, std::streamsize size) {
    m_begun.append(text, static_cast<std::size_t>(size));
    // What may be the beginning of U+0080 to U+009F, U+202A … or U+2066 … waits for its end.
    std::size_t whole = m_begun.size();
    for (const char* begin : {"\xc2", "\xe2", "\xe2\x80", "\xe2\x81"})
        if (m_begun.ends_with(begin)) whole = m_begun.size() - std::char_traits<char>::length(begin);
    const std::string out = escapedControls(std::string_view(m_begun).substr(0, whole));
    m_begun.erase(0, whole);
    const auto length = static_cast<std::streamsize>(out.size());
    return m_to->sputn(out.data(), length) == length ? size : 0;
}

} // namespace trainyard::cli
