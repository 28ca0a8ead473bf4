// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/keys/KeyedService.h"

#include "base/Result.h"
#include "policy/Registry.h"
#include "policy/Synchronization.h"

namespace trainyard {

namespace {

class HomeNode final : public ParameterNode {
public:
    HomeNode(SharedLayout layout, NodeIndex self) : m_layout(std::move(layout)), m_self(self) {}
    std::unique_ptr<ParameterNode> clone() const override { return std::make_unique<HomeNode>(*this); }
    std::vector<Key> initialKeys() const override {
        std::vector<Key> out;
        for (Key key = 0; key < m_layout->keys(); ++key)
            if (std::uint64_t{key} * m_layout->nodes() / m_layout->keys() == m_self) out.push_back(key);
        return out;
    }
    void pull(ParameterContext&, std::uint64_t, std::span<const Key>) override { refuse(); }
    void push(ParameterContext&, std::uint64_t, std::span<const Key>, std::span<const double>) override { refuse(); }
    void onMessage(ParameterContext&, ParameterMessage) override { refuse(); }

private:
    [[noreturn]] static void refuse() {
        throw InvariantError("a policy of keyed jobs was to serve one that reads everything");
    }
    SharedLayout m_layout;
    NodeIndex m_self;
};

} // namespace

std::unique_ptr<ParameterNode> makeHomeNode(SharedLayout layout, NodeIndex self) {
    return std::make_unique<HomeNode>(std::move(layout), self);
}

namespace {

/// "Relocating [relocating]": as the window calls it, and as it stands in files.
std::string nameToChoose(const PolicyInfo& policy) { return policy.label + " [" + policy.id + "]"; }

/// "Relocating [relocating], NuPS [nups]": those of the family for which it holds.
template <class Entry, class Holds>
std::string choicesOf(const std::vector<Entry>& entries, Holds holds) {
    std::string out;
    for (const Entry& entry : entries)
        if (holds(*entry.make(entry.schema.complete({})))) out += (out.empty() ? "" : ", ") + nameToChoose(entry);
    return out;
}

std::string labelOf(const Registry& registry, PolicyFamily family, const Choice& choice) {
    const PolicyInfo* policy = registry.find(family, choice.id);
    return policy ? policy->label : choice.id;
}

/// Made only where its parameters are in order.
bool isInOrder(const Registry& registry, PolicyFamily family, const Choice& choice) {
    return registry.find(family, choice.id) && registry.check(family, choice, {}).empty();
}

std::optional<Text> notServedBy(const Registry& registry, const Job& job, const Choice& parameters) {
    const auto plan = registry.makeParameters(parameters)->keyPlan();
    if (!job.keyedAccess()) {
        if (!plan || !(plan->relocates || plan->replication || plan->caches)) return std::nullopt;
        return Text{
            TRAINYARD_TEXT("each iteration of the job reads all parameters: none is worth moving or copying. Choose "
                           "Static, or a job of \"access\": \"keyed\""),
            {}};
    }
    if (!plan)
        return Text{
            TRAINYARD_TEXT("{0} serves jobs whose iterations read all parameters; policies for keyed jobs are {1}"),
            {labelOf(registry, PolicyFamily::parameters, parameters),
             choicesOf(registry.parameters, [](const auto& p) { return p.keyPlan().has_value(); })}};
    if (!plan->relocates || job.keyedAccess()->lookAhead >= 1) return std::nullopt;
    return Text{TRAINYARD_TEXT("keys relocate ahead of their use: look_ahead must be at least 1"), {}};
}

} // namespace

std::optional<Text> keysAreNotServed(const Registry& registry, const Job& job, const Choice& synchronization,
                                     const Choice& parameters) {
    if (job.keyedAccess() && isInOrder(registry, PolicyFamily::synchronization, synchronization) &&
        !registry.makeSynchronization(synchronization)->keyedPace())
        return Text{TRAINYARD_TEXT("{0} waits for gradients of all parameters; keyed jobs run under {1}"),
                    {labelOf(registry, PolicyFamily::synchronization, synchronization),
                     choicesOf(registry.synchronizations, [](const auto& s) { return s.keyedPace().has_value(); })}};
    if (!isInOrder(registry, PolicyFamily::parameters, parameters)) return std::nullopt;
    if (const auto plan = registry.makeParameters(parameters)->keyPlan();
        job.keyedAccess() && plan && plan->caches &&
        isInOrder(registry, PolicyFamily::synchronization, synchronization) &&
        !registry.makeSynchronization(synchronization)->keyedPace()->bound)
        return Text{
            TRAINYARD_TEXT("{0} keeps copies that are no older than a bound of clocks, and {1} has none; choose {2}"),
            {labelOf(registry, PolicyFamily::parameters, parameters),
             labelOf(registry, PolicyFamily::synchronization, synchronization),
             choicesOf(registry.synchronizations, [](const auto& s) {
                 const auto pace = s.keyedPace();
                 return pace && pace->bound;
             })}};
    return notServedBy(registry, job, parameters);
}

} // namespace trainyard
