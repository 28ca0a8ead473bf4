// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/keys/KeyClocks.h"

#include <algorithm>

namespace trainyard {

KeyClocks::KeyClocks(std::uint32_t nodes, std::uint32_t self, std::optional<std::uint64_t> bound)
    : m_nodes(nodes), m_self(self), m_bound(bound), m_step(bound ? std::max<std::uint64_t>(1, *bound / 2) : 1),
      m_known(bound && self == 0 ? nodes : 0) {}

void KeyClocks::restart() {
    m_least = m_told = 0;
    std::ranges::fill(m_known, 0);
}

void KeyClocks::advance(std::uint64_t least, KeyOutbox& out) {
    if (!m_bound) return;
    if (m_self == 0) return note(0, least, out);
    if (least - m_told < m_step) return;
    m_told = least;
    tell(0, least, out);
}

void KeyClocks::onMessage(const KeyMessage& message, KeyOutbox& out) {
    if (m_self == 0) return note(message.from, message.clock, out);
    learn(message.clock, out);
}

void KeyClocks::note(std::uint32_t node, std::uint64_t clock, KeyOutbox& out) {
    m_known[node] = clock;
    const std::uint64_t least = *std::ranges::min_element(m_known);
    if (least == m_least) return;
    learn(least, out);
    if (least == done || least - m_told < m_step) return; // nobody is left to be told
    m_told = least;
    for (std::uint32_t other = 1; other < m_nodes; ++other)
        if (m_known[other] != done) tell(other, least, out);
}

void KeyClocks::learn(std::uint64_t least, KeyOutbox& out) {
    m_least = least;
    out.clockAdvanced();
}

void KeyClocks::tell(std::uint32_t node, std::uint64_t clock, KeyOutbox& out) const {
    KeyMessage& message = out.compose(KeyMessageType::clock, node);
    message.clock = clock;
    out.send(message);
}

} // namespace trainyard
