// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A node of a keyed job whose keys stay at their homes, and which keeps copies of those that it has read, under a bound of clocks. A
// worker at clock c reads values that hold all that workers have added before clock c − s, and what its own node has added. A copy that
// is too old is asked for again (SSP: Ho et al., NIPS 2013); or homes send copies again whenever the least clock of all has advanced
// (ESSP: Dai et al., AAAI 2015). Additions are kept back and sent to homes together, at every half of the bound of the node's clock,
// with that clock: messages of two nodes stay in order, so that a home that has heard a clock has all additions before it.
#include "policy/keys/KeyNode.h"

#include <map>
#include <set>

namespace trainyard {

class CachingNode final : public KeyNode {
public:
    CachingNode(std::shared_ptr<const KeyJob> job, std::uint32_t self);
    std::unique_ptr<KeyNode> clone() const override { return std::unique_ptr<KeyNode>(new CachingNode(*this)); }

    bool mayRead(std::uint32_t key, std::uint64_t clock) const override;
    void pull(std::uint32_t worker, std::span<const std::uint32_t> keys, KeyOutbox& out, std::uint64_t clock) override;
    void advanceClock(std::uint64_t least, KeyOutbox& out) override;
    void onMessage(KeyMessage& message, KeyOutbox& out) override;
    /// Sends what has been kept back, and lets all reads go.
    void beginRound(bool all, KeyOutbox& out) override;
    bool isQuiet() const override;
    std::size_t copies() const override { return m_copies.size(); }
    void beginStretch() override;

private:
    struct Copy {
        SimTime sent;                                                       ///< when the values left their home
        std::vector<float> base;                                            ///< all but what is kept back
        std::vector<std::pair<std::uint32_t, std::vector<float>>> underWay; ///< sent, by number of the flush
    };
    CachingNode(const CachingNode&) = default;

    std::uint64_t neededAt(std::uint64_t clock) const { return clock > m_bound ? clock - m_bound : 0; }
    void flush(std::uint64_t clock, KeyOutbox& out);
    // As a home
    void onFlush(const KeyMessage& message, KeyOutbox& out);
    void answer(const KeyMessage& request, KeyOutbox& out);
    void hear(std::uint32_t node, std::uint64_t clock, KeyOutbox& out);
    void sendAgain(KeyOutbox& out);
    // As a holder
    void take(const KeyMessage& message, KeyOutbox& out);
    void install(std::uint32_t key, const float* values, const KeyMessage& from, KeyOutbox& out);

    std::uint64_t m_bound, m_step;
    bool m_eager;
    std::map<std::uint32_t, Copy> m_copies;
    std::vector<std::uint64_t> m_tags;     ///< by key: the clock whose additions its copy holds
    std::vector<std::uint64_t> m_homeTags; ///< by home: the same for all copies of its keys, where it sends them again
    std::uint32_t m_flushes = 0;
    std::uint64_t m_told = 0; ///< clock
    // As a home
    std::vector<std::uint64_t> m_heard;   ///< by node: its clock
    std::vector<std::uint32_t> m_applied; ///< by node: the last of its flushes
    std::uint64_t m_least = 0;
    std::vector<KeyMessage> m_waiting;                          ///< requests for clocks that have not been heard
    std::map<std::uint32_t, std::set<std::uint32_t>> m_holders; ///< by key: nodes that have a copy
};

} // namespace trainyard
