// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/keys/KeyedService.h"

#include "base/Result.h"

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

std::optional<Text> readsEverything(const Job& job) {
    if (job.keyedAccess()) return std::nullopt;
    return Text{
        TRAINYARD_TEXT("each iteration of the job reads all parameters: none is worth moving or copying. Choose the "
                       "parameter policy static, or a job of \"access\": \"keyed\""),
        {}};
}

std::optional<Text> cannotRelocate(const Job& job) {
    if (auto why = readsEverything(job)) return why;
    if (job.keyedAccess()->lookAhead >= 1) return std::nullopt;
    return Text{TRAINYARD_TEXT("keys relocate ahead of their use: look_ahead must be at least 1"), {}};
}

} // namespace trainyard
