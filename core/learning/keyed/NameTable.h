// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Names, numbered as they come: entities, relations, words. For many millions of them: a name takes its own bytes and about 30 others.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

class NameTable {
public:
    static constexpr std::size_t mostBytes = std::size_t{1} << 20; ///< of a name

    /// The number of the name, which is the next one if it is new. At most 2³² − 1 names, of at most mostBytes bytes.
    std::uint32_t numberOf(std::string_view name);
    std::optional<std::uint32_t> find(std::string_view name) const;
    /// Valid as long as the table.
    std::string_view name(std::uint32_t number) const;
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_places.size()); }
    std::uint64_t nameBytes() const { return m_nameBytes; } ///< of all names together
    std::vector<std::string> all() const;

private:
    static constexpr unsigned blockBits = 21;
    /// Where the name is, or the free slot for it.
    std::size_t slotOf(std::string_view name) const;
    void grow();
    std::uint64_t store(std::string_view name);

    std::vector<std::unique_ptr<char[]>> m_blocks; ///< of 2^blockBits bytes; a name follows its length
    std::size_t m_used = 0;                        ///< bytes of the last block
    std::vector<std::uint64_t> m_places;           ///< by number: block · 2^blockBits + byte
    std::vector<std::uint32_t> m_slots;            ///< number + 1, or 0; at most three quarters are taken
    std::uint64_t m_nameBytes = 0;
};

} // namespace trainyard
