// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// adaptive: a key that one machine will use soon moves there; one that several will is owned by one, and the others hold copies until
// they have used it. Workers say what they will need; nothing is tuned. The protocol is core/policy/keys/AdaptiveNode.h.
#include "policy/Builtin.h"
#include "policy/keys/KeyedPolicy.h"

namespace trainyard {

namespace {

struct AdaptiveParams {
    std::string homes = "range";
};

class Adaptive final : public KeyedPolicy<AdaptiveParams> {
public:
    using KeyedPolicy::KeyedPolicy;
    std::optional<KeyPlan> keyPlan() const override {
        return KeyPlan{.homes = homes(), .relocates = true, .adapts = true};
    }
};

} // namespace

ParametersEntry builtin::adaptive() {
    using P = AdaptiveParams;
    return policyEntry<ParameterPolicy, Adaptive, P>(
        {.id = "adaptive",
         .label = "Adaptive (by intent)",
         .summary = "A key moves to the machine that will use it next; where several will, one owns it and the others "
                    "hold copies as long as they need them.",
         .source = "after Renz-Wieland et al., AdaPM, 2022"},
        homesField<P>());
}

} // namespace trainyard
