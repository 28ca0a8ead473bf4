// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// relocating: a key moves to the machine that will use it next. Renz-Wieland, Gemulla, Zeuch and Markl, Dynamic parameter
// allocation in parameter servers (Lapse), PVLDB 2020. The protocol is core/policy/keys/KeyNode.h.
#include "policy/Builtin.h"
#include "policy/keys/KeyedService.h"

namespace trainyard {

namespace {

struct RelocatingParams {
    std::string homes = "range";
};

class Relocating final : public ParameterPolicy {
public:
    explicit Relocating(RelocatingParams params) : m_params(std::move(params)) {}
    std::uint32_t keyCount(std::uint64_t, std::uint32_t owners) const override { return owners; }
    std::unique_ptr<ParameterNode> makeNode(SharedLayout layout, NodeIndex self) const override {
        return makeHomeNode(std::move(layout), self);
    }
    std::optional<KeyPlan> keyPlan() const override {
        return KeyPlan{.homes = m_params.homes == "hash" ? KeyPlan::Homes::hash : KeyPlan::Homes::range,
                       .relocates = true};
    }

private:
    RelocatingParams m_params;
};

} // namespace

ParametersEntry builtin::relocating() {
    using P = RelocatingParams;
    return policyEntry<ParameterPolicy, Relocating, P>(
        {.id = "relocating",
         .label = "Relocating (Lapse)",
         .summary = "A key moves to the machine that will use it next; keys that several machines want keep moving.",
         .source = "Renz-Wieland et al., PVLDB 2020"},
        choice(
            &P::homes, "homes", "Homes", {"range", "hash"},
            "Which machine knows a key's owner, and has the key at the start: contiguous ranges, or a hash of the key."));
}

} // namespace trainyard
