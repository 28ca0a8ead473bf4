// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The values that one node holds of a keyed job. A slot per key says where its values lie, or that they are not here: workers read
// it first (it is an atomic: threads look without a lock whether a key is here, and look again under the lock if not). Values lie in
// aligned slabs, which copies of the store share until one of them writes. Concrete and not virtual: local reads and additions, by far
// the most frequent operations, come down to two loads and a loop. Where threads share a store, values are read and written under the
// latch of their key; only one thread at a time changes where keys are.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace trainyard {

/// Where a key is, as one node knows it.
struct KeySlot {
    enum class State : std::uint32_t { here = 0, replica = 1, underWay = 2, away = 3 };
    std::uint32_t bits = ~std::uint32_t{0};
    static KeySlot of(State state, std::uint32_t index) { return {static_cast<std::uint32_t>(state) << 30 | index}; }
    State state() const { return static_cast<State>(bits >> 30); }
    /// Of the values (here, replica), or of the transfer that brings them (underWay).
    std::uint32_t index() const { return bits & 0x3fffffffu; }
    bool isLocal() const { return bits < std::uint32_t{2} << 30; }
};

class KeyStore {
public:
    KeyStore(std::uint32_t keys, std::uint32_t valuesPerKey);
    KeyStore(const KeyStore& other); ///< of one that is not shared
    ~KeyStore();
    KeyStore& operator=(const KeyStore&) = delete;

    std::uint32_t keys() const { return static_cast<std::uint32_t>(m_slots.size()); }
    std::uint32_t valuesPerKey() const { return m_length; }
    KeySlot slot(std::uint32_t key) const { return {std::atomic_ref(m_slots[key]).load(std::memory_order_acquire)}; }
    void setSlot(std::uint32_t key, KeySlot slot) {
        std::atomic_ref(m_slots[key]).store(slot.bits, std::memory_order_release);
    }
    /// Of a place: valuesPerKey() numbers.
    const float* values(std::uint32_t place) const {
        return m_read[place >> m_shift] + static_cast<std::size_t>(place & m_mask) * m_stride;
    }
    float* writable(std::uint32_t place) {
        float* slab = m_write[place >> m_shift];
        if (!slab) slab = unshare(place >> m_shift);
        return slab + static_cast<std::size_t>(place & m_mask) * m_stride;
    }
    /// From now on several threads use it: guards have an effect.
    void share();
    /// Holds the latch of a key, if the store is shared. Not to be nested.
    class Guard {
    public:
        Guard(const KeyStore& store, std::uint32_t key) : m_latch(store.m_latches ? &store.latch(key) : nullptr) {
            if (m_latch) acquire(*m_latch);
        }
        ~Guard() {
            if (m_latch) m_latch->clear(std::memory_order_release);
        }
        Guard(const Guard&) = delete;
        Guard& operator=(const Guard&) = delete;

    private:
        static void acquire(std::atomic_flag& latch);
        std::atomic_flag* m_latch;
    };
    /// Copies the first values of a key that is here; false: it is not.
    bool read(std::uint32_t key, std::span<float> into) const {
        if (!slot(key).isLocal()) return false;
        const Guard guard(*this, key);
        const KeySlot found = slot(key); // it may have left
        if (found.isLocal()) std::copy_n(values(found.index()), into.size(), into.begin());
        return found.isLocal();
    }
    void prefetch(std::uint32_t place) const;
    void prefetchSlot(std::uint32_t key) const { __builtin_prefetch(&m_slots[key]); }
    /// A place for the values of a key, all 0 or of a key that has left; its slot is not set.
    std::uint32_t allocate();
    void free(std::uint32_t place) { m_free.push_back(place); }
    /// Of slots, slabs and lists, for measurements.
    std::size_t bytes() const;

private:
    struct Slab;
    struct Latches;
    std::atomic_flag& latch(std::uint32_t key) const;
    float* unshare(std::uint32_t slab);
    void addSlab();

    std::uint32_t m_length, m_stride;      ///< floats
    std::uint32_t m_shift = 0, m_mask = 0; ///< a slab has 2^m_shift places
    mutable std::vector<std::uint32_t> m_slots;
    std::vector<std::shared_ptr<Slab>> m_slabs;
    // As many as there may ever be: other threads read them while a slab is added.
    std::vector<const float*> m_read;
    mutable std::vector<float*> m_write; ///< null: perhaps shared with a copy, or not there yet
    std::unique_ptr<Latches> m_latches;  ///< null: one thread uses it
    std::vector<std::uint32_t> m_free;
    std::uint32_t m_used = 0; ///< places given out so far
};

/// values += delta
inline void addValues(float* values, const float* delta, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) values[i] += delta[i];
}

} // namespace trainyard
