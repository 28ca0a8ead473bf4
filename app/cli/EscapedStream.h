// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Standard output and error without control characters, whatever is written: names and titles come from files of others, and a terminal
// would obey them. Set up by main().
#include <ostream>
#include <streambuf>
#include <string>

namespace trainyard::cli {

class EscapedStream final : public std::streambuf {
public:
    explicit EscapedStream(std::ostream& stream) : m_stream(stream), m_to(stream.rdbuf(this)) {}
    ~EscapedStream() override; ///< the stream is as before
    EscapedStream(const EscapedStream&) = delete;
    EscapedStream& operator=(const EscapedStream&) = delete;

protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override { return m_to->pubsync(); }

private:
    std::ostream& m_stream;
    std::streambuf* m_to;
    std::string m_begun; ///< bytes of a character that is not whole yet
};

} // namespace trainyard::cli
