// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// replicated: keys stay at their homes, and machines keep copies of those that they have read, no older than the bound of clocks of ssp.
// The protocol is core/policy/keys/CachingNode.h.
#include "policy/Builtin.h"
#include "policy/keys/KeyedPolicy.h"

namespace trainyard {

namespace {

struct ReplicatedParams {
    std::string refresh = "on-demand";
    std::string homes = "range";
};

class Replicated final : public KeyedPolicy<ReplicatedParams> {
public:
    using KeyedPolicy::KeyedPolicy;
    std::optional<KeyPlan> keyPlan() const override {
        return KeyPlan{.homes = homes(), .caches = CachePlan{.eager = m_params.refresh == "pushed"}};
    }
};

} // namespace

ParametersEntry builtin::replicated() {
    using P = ReplicatedParams;
    return policyEntry<ParameterPolicy, Replicated, P>(
        {.id = "replicated",
         .label = "Replicated (SSP, ESSP)",
         .summary =
             "Keys stay at their homes; machines keep copies of what they have read, no older than the bound of the "
             "synchronization (Stale synchronous parallel).",
         .source = "Ho et al., NIPS 2013; Dai et al., AAAI 2015"},
        choice(&P::refresh, "refresh", "Refresh", {"on-demand", "pushed"},
               "on-demand (SSP): a copy that is too old is asked for again; pushed (ESSP): homes send copies again "
               "whenever the slowest worker has advanced by half the bound."),
        homesField<P>());
}

} // namespace trainyard
