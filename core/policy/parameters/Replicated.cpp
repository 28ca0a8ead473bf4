// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// replicated: keys stay at their homes, and machines keep copies of those that they have read, no older than the bound of clocks of ssp.
// The protocol is core/policy/keys/CachingNode.h.
#include "policy/Builtin.h"
#include "policy/keys/KeyedService.h"

namespace trainyard {

namespace {

struct ReplicatedParams {
    std::string refresh = "on-demand";
    std::string homes = "range";
};

class Replicated final : public ParameterPolicy {
public:
    explicit Replicated(ReplicatedParams params) : m_params(std::move(params)) {}
    std::uint32_t keyCount(std::uint64_t, std::uint32_t owners) const override { return owners; }
    std::unique_ptr<ParameterNode> makeNode(SharedLayout layout, NodeIndex self) const override {
        return makeHomeNode(std::move(layout), self);
    }
    std::optional<KeyPlan> keyPlan() const override {
        return KeyPlan{.homes = m_params.homes == "hash" ? KeyPlan::Homes::hash : KeyPlan::Homes::range,
                       .caches = CachePlan{.eager = m_params.refresh == "pushed"}};
    }

private:
    ReplicatedParams m_params;
};

} // namespace

ParametersEntry builtin::replicated() {
    using P = ReplicatedParams;
    return policyEntry<ParameterPolicy, Replicated, P>(
        {.id = "replicated",
         .label = "Replicated (SSP, ESSP)",
         .summary =
             "Keys stay at their homes; machines keep copies of what they have read, no older than the bound of ssp.",
         .source = "Ho et al., NIPS 2013; Dai et al., AAAI 2015"},
        choice(&P::refresh, "refresh", "Refresh", {"on-demand", "pushed"},
               "on-demand (SSP): a copy that is too old is asked for again; pushed (ESSP): homes send copies again "
               "whenever the slowest worker has advanced by half the bound."),
        choice(&P::homes, "homes", "Homes", {"range", "hash"},
               "Which machine has a key: contiguous ranges, or a hash of the key."));
}

} // namespace trainyard
