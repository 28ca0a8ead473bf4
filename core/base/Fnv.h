// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// FNV-1a, 64 bits: tells contents from each other, by accident only. For digests of files and of what is learned.
#include <cstddef>
#include <cstdint>
#include <string>

namespace trainyard {

class Fnv {
public:
    void add(const void* bytes, std::size_t count) {
        const auto* at = static_cast<const unsigned char*>(bytes);
        for (std::size_t i = 0; i < count; ++i) m_hash = (m_hash ^ at[i]) * 0x100000001b3ULL;
    }
    /// 16 hexadecimal digits.
    std::string text() const {
        std::string out;
        for (int shift = 60; shift >= 0; shift -= 4) out += "0123456789abcdef"[m_hash >> shift & 15];
        return out;
    }

private:
    std::uint64_t m_hash = 0xcbf29ce484222325ULL;
};

} // namespace trainyard
