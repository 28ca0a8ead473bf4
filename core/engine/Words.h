#pragma once
// A 64-bit count in the two 32-bit fields of an event.
#include <cstdint>

namespace trainyard {

constexpr std::uint32_t lowWord(std::uint64_t n) { return static_cast<std::uint32_t>(n); }
constexpr std::uint32_t highWord(std::uint64_t n) { return static_cast<std::uint32_t>(n >> 32); }

} // namespace trainyard
