// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Strong ids. An id is the position of an entity in the vector that owns it (Cluster::machines, Workload::jobs, …);
// it is stable for the length of a run. Files use textual keys instead (Machine::key).
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace trainyard {

template <class Tag>
struct Id {
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t value = none;

    constexpr Id() = default;
    constexpr explicit Id(std::size_t index) : value(static_cast<std::uint32_t>(index)) {}
    constexpr bool valid() const { return value != none; }
    constexpr std::size_t index() const { return value; }
    friend constexpr auto operator<=>(Id, Id) = default;
};

using MachineId = Id<struct MachineTag>;
using RackId = Id<struct RackTag>;
using SwitchId = Id<struct SwitchTag>;
using LinkId = Id<struct LinkTag>;
using JobId = Id<struct JobTag>;

} // namespace trainyard

template <class Tag>
struct std::hash<trainyard::Id<Tag>> {
    std::size_t operator()(trainyard::Id<Tag> id) const noexcept { return std::hash<std::uint32_t>{}(id.value); }
};
