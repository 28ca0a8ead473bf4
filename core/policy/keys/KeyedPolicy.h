// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What parameters policies share that serve keyed jobs alone: a plan, and where keys have their homes.
#include "policy/Parameters.h"
#include "policy/keys/KeyedService.h"

namespace trainyard {

/// `Params` has a std::string homes.
template <class Params>
class KeyedPolicy : public ParameterPolicy {
public:
    explicit KeyedPolicy(Params params) : m_params(std::move(params)) {}
    std::uint32_t keyCount(std::uint64_t, std::uint32_t owners) const override { return owners; }
    std::unique_ptr<ParameterNode> makeNode(SharedLayout layout, NodeIndex self) const override {
        return makeHomeNode(std::move(layout), self);
    }

protected:
    KeyPlan::Homes homes() const { return m_params.homes == "hash" ? KeyPlan::Homes::hash : KeyPlan::Homes::range; }
    Params m_params;
};

template <class Params>
auto homesField() {
    return choice(
        &Params::homes, "homes", "Homes", {"range", "hash"},
        "Which machine knows a key's owner, and has the key at the start: contiguous ranges, or a hash of the key.");
}

} // namespace trainyard
