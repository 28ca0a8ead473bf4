// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The keys of one worker's iterations, drawn some time ahead: for localizing, and so that memory can be fetched early.
#include "learning/KeyRanks.h"
#include "record/KeyCounters.h"

#include <algorithm>
#include <bit>
#include <memory>

namespace trainyard {

class KeyCursor {
public:
    struct Drawn {
        std::uint32_t key = 0, bucket = 0; ///< the latter: rankBucket
    };
    /// Iterations that are asked for lie less than `ahead` after the oldest one still needed. `shiftEvery`: as of KeyedAccess.
    KeyCursor(std::shared_ptr<const KeyRanks> keys, std::uint64_t seed, std::uint32_t ahead, std::uint64_t shiftEvery)
        : m_keys(std::move(keys)), m_generator(seed), m_ring(std::bit_ceil(ahead)), m_shiftEvery(shiftEvery) {}
    const Drawn& at(std::uint64_t iteration) {
        while (m_drawn <= iteration) draw();
        return m_ring[iteration & (m_ring.size() - 1)];
    }

private:
    void draw() {
        const double u = static_cast<double>(m_generator() >> 11) * 0x1p-53;
        const std::uint32_t rank = m_keys->rankOf(u);
        m_ring[m_drawn & (m_ring.size() - 1)] = {m_keys->keyAt(shifted(rank)), rankBucket(rank)};
        ++m_drawn;
    }
    std::uint32_t shifted(std::uint32_t rank) const {
        if (m_shiftEvery == 0) return rank;
        const std::uint64_t keys = m_keys->keys(), times = m_drawn / m_shiftEvery % keys;
        return static_cast<std::uint32_t>((rank + times * std::max<std::uint64_t>(1, keys / 16)) % keys);
    }

    std::shared_ptr<const KeyRanks> m_keys;
    std::mt19937_64 m_generator;
    std::vector<Drawn> m_ring;
    std::uint64_t m_drawn = 0, m_shiftEvery = 0;
};

} // namespace trainyard
