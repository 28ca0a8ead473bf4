// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// relocating: a key moves to the machine that will use it next. Renz-Wieland, Gemulla, Zeuch and Markl, Dynamic parameter
// allocation in parameter servers (Lapse), PVLDB 2020. The protocol is core/policy/keys/KeyNode.h.
#include "policy/Builtin.h"
#include "policy/keys/KeyedPolicy.h"

namespace trainyard {

namespace {

struct RelocatingParams {
    std::string homes = "range";
};

class Relocating final : public KeyedPolicy<RelocatingParams> {
public:
    using KeyedPolicy::KeyedPolicy;
    std::optional<KeyPlan> keyPlan() const override { return KeyPlan{.homes = homes(), .relocates = true}; }
};

} // namespace

ParametersEntry builtin::relocating() {
    using P = RelocatingParams;
    return policyEntry<ParameterPolicy, Relocating, P>(
        {.id = "relocating",
         .label = "Relocating (Lapse)",
         .summary = "A key moves to the machine that will use it next; keys that several machines want keep moving.",
         .source = "Renz-Wieland et al., PVLDB 2020"},
        homesField<P>());
}

} // namespace trainyard
