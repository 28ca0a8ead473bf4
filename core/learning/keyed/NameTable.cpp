// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/keyed/NameTable.h"

#include "base/Result.h"

#include <cstring>

namespace trainyard {

namespace {

/// FNV-1a, and a multiplication that brings what differs into the lower bits.
std::uint64_t hashOfName(std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u >> 20;
}

} // namespace

std::size_t NameTable::slotOf(std::string_view sought) const {
    const std::size_t mask = m_slots.size() - 1;
    std::size_t at = hashOfName(sought) & mask;
    while (m_slots[at] != 0 && name(m_slots[at] - 1) != sought) at = (at + 1) & mask;
    return at;
}

std::uint32_t NameTable::numberOf(std::string_view name) {
    if (4 * (m_places.size() + 1) > 3 * m_slots.size()) grow();
    std::uint32_t& slot = m_slots[slotOf(name)];
    if (slot == 0) {
        require(m_places.size() < 0xffffffffu, "too many names");
        m_places.push_back(store(name));
        slot = static_cast<std::uint32_t>(m_places.size());
    }
    return slot - 1;
}

std::optional<std::uint32_t> NameTable::find(std::string_view name) const {
    if (m_slots.empty()) return std::nullopt;
    const std::uint32_t slot = m_slots[slotOf(name)];
    if (slot == 0) return std::nullopt;
    return slot - 1;
}

std::string_view NameTable::name(std::uint32_t number) const {
    constexpr std::uint64_t mask = (std::uint64_t{1} << blockBits) - 1;
    const char* at = m_blocks[m_places[number] >> blockBits].get() + (m_places[number] & mask);
    std::uint32_t length = 0;
    std::memcpy(&length, at, sizeof length);
    return {at + sizeof length, length};
}

std::vector<std::string> NameTable::all() const {
    std::vector<std::string> out;
    out.reserve(size());
    for (std::uint32_t n = 0; n < size(); ++n) out.emplace_back(name(n));
    return out;
}

void NameTable::grow() {
    std::vector<std::uint32_t> slots(m_slots.empty() ? 16 : 2 * m_slots.size());
    const std::size_t mask = slots.size() - 1;
    for (std::uint32_t n = 0; n < m_places.size(); ++n) {
        std::size_t at = hashOfName(name(n)) & mask;
        while (slots[at] != 0) at = (at + 1) & mask;
        slots[at] = n + 1;
    }
    m_slots = std::move(slots);
}

std::uint64_t NameTable::store(std::string_view name) {
    require(name.size() <= mostBytes, "a name is too long");
    const auto length = static_cast<std::uint32_t>(name.size());
    const std::size_t needed = sizeof length + name.size();
    if (m_blocks.empty() || m_used + needed > std::size_t{1} << blockBits) {
        m_blocks.push_back(std::make_unique_for_overwrite<char[]>(std::size_t{1} << blockBits));
        m_used = 0;
    }
    char* to = m_blocks.back().get() + m_used;
    std::memcpy(to, &length, sizeof length);
    std::memcpy(to + sizeof length, name.data(), name.size());
    const std::uint64_t place = static_cast<std::uint64_t>(m_blocks.size() - 1) << blockBits | m_used;
    m_used += needed;
    m_nameBytes += name.size();
    return place;
}

} // namespace trainyard
