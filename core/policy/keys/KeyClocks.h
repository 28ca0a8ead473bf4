// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How far workers of a keyed job may run ahead of the slowest one, where their synchronization bounds it. A clock counts a worker's
// iterations since the last quiet point. Nodes tell node 0 the least clock of their workers; it tells them the least of all. What a
// node knows is old, hence never too great: no worker is ever more than the bound ahead. Told in steps of half the bound: the
// slowest worker's advance is always told before all others wait for it. Part of KeyNode: no locks, no clock, no transport.
// Source: Ho et al., More effective distributed ML via a stale synchronous parallel parameter server, NIPS 2013.
#include "policy/keys/KeyOutbox.h"

#include <optional>
#include <vector>

namespace trainyard {

class KeyClocks {
public:
    /// Of a node whose workers are done.
    static constexpr std::uint64_t done = ~std::uint64_t{0};

    KeyClocks(std::uint32_t nodes, std::uint32_t self, std::optional<std::uint64_t> bound);
    bool bounded() const { return m_bound.has_value(); }
    /// Of a worker with this clock, for its next iteration.
    bool mayBegin(std::uint64_t clock) const { return !m_bound || clock <= *m_bound || clock - *m_bound <= m_least; }
    /// The least clock of this node's workers, which does not fall; `done`: all have done their share.
    void advance(std::uint64_t least, KeyOutbox& out);
    void onMessage(const KeyMessage& message, KeyOutbox& out);
    /// A further stretch begins, at a quiet point: all clocks are 0.
    void restart();

private:
    void note(std::uint32_t node, std::uint64_t clock, KeyOutbox& out);
    void learn(std::uint64_t least, KeyOutbox& out);
    void tell(std::uint32_t node, std::uint64_t clock, KeyOutbox& out) const;

    std::uint32_t m_nodes, m_self;
    std::optional<std::uint64_t> m_bound;
    std::uint64_t m_step = 1;
    std::uint64_t m_least = 0;          ///< of all workers, as it is known here
    std::uint64_t m_told = 0;           ///< last, to node 0, or by node 0 to the others
    std::vector<std::uint64_t> m_known; ///< by node, at node 0
};

} // namespace trainyard
