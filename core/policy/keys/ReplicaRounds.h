// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Replicas of frequent keys at one node, and the rounds that make those of all nodes equal. A round collects what has been added to
// each replica since the last one (its change), adds up the changes of all nodes by a sparse all-reduce, and applies the sum:
// state + Σ, value = new state + (value − value at collection), so that additions made meanwhile are kept and go into the next
// round. The all-reduce is a butterfly: in step s = 1 … log2 P node n exchanges its partial sum with node n xor 2^(s−1); with P the
// greatest power of two, the other nodes give theirs to node n − P first and get the whole sum from it at last. Both partners add
// the same two numbers, so that sums are equal bit for bit at all nodes. (Renz-Wieland et al., NuPS, SIGMOD 2022, without its
// restriction to powers of two.) Part of KeyNode: no locks, no clock, no transport.
#include "policy/keys/KeyJob.h"
#include "policy/keys/KeyOutbox.h"
#include "policy/keys/KeyStore.h"

#include <optional>

namespace trainyard {

class ReplicaRounds {
public:
    /// Number of the series that policies with replicas declare first: how many replicas a round has changed.
    static constexpr std::uint16_t changedReplicas = 0;

    /// Takes the first places of the store, in order, and sets their slots.
    ReplicaRounds(std::shared_ptr<const KeyJob> job, std::uint32_t self, KeyStore& store);

    std::uint32_t count() const { return static_cast<std::uint32_t>(m_dirty.size()); }
    bool active() const { return m_step != none; }
    std::uint32_t rounds() const { return m_round; } ///< begun so far
    bool isClean() const { return std::atomic_ref(m_dirtyCount).load(std::memory_order_relaxed) == 0; }
    /// The last round, when it has ended: at no node was a change or a worker left. Known at all nodes after the same round, so that
    /// none begins a further one; else rounds that take longer than their interval would never end.
    bool idle() const { return m_idle; }
    /// Something is added to the replica in this place; called with its latch held, where threads share the store. True: it is the
    /// first since the replica was last collected.
    bool touch(std::uint32_t place) {
        const std::atomic_ref dirty(m_dirty[place]);
        if (dirty.load(std::memory_order_relaxed) != 0) return false;
        dirty.store(1, std::memory_order_relaxed);
        std::atomic_ref(m_dirtyCount).fetch_add(1, std::memory_order_relaxed);
        return true;
    }
    /// Places whose changes at this node are in the present round, or were in the last one; ascending.
    const std::vector<std::uint32_t>& collected() const { return m_collected.places; }
    /// Begins a round; none may be active. `all`: this node's workers are done, and changes below the threshold are collected, too.
    void begin(bool all, KeyStore& store, KeyOutbox& out);
    /// The store's values are those of all nodes.
    void restore(const KeyStore& store);
    void onMessage(KeyMessage& message, KeyStore& store, KeyOutbox& out);

private:
    /// Changes of some replicas: places ascending, and their values one after the other.
    struct Changes {
        std::vector<std::uint32_t> places;
        std::vector<float> values;
    };
    struct Early {
        std::uint32_t round = 0, step = 0;
        Changes changes;
        bool idle = false;
    };
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    void collect(bool all, KeyStore& store);
    void proceed(KeyStore& store, KeyOutbox& out);
    void sendChanges(std::uint32_t to, std::uint32_t step, KeyOutbox& out);
    /// Takes the partner's changes of this step, if they are there.
    std::optional<Early> take();
    void merge(const Changes& other);
    void apply(KeyStore& store, KeyOutbox& out);
    double limitOf(double norm);
    Changes changesOf(const KeyMessage& message) const;

    std::shared_ptr<const KeyJob> m_job;
    std::uint32_t m_self, m_power = 1, m_steps = 0; ///< P, and log2 P
    std::vector<float> m_state;                     ///< by place: what the last rounds made of it
    std::vector<std::uint8_t> m_dirty;              ///< by place
    mutable std::uint32_t m_dirtyCount = 0;
    bool m_idle = false; ///< those whose changes are in m_sum
    std::uint32_t m_round = 0, m_step = none;
    Changes m_collected; ///< places, and their values when they were collected
    Changes m_sum;
    Changes m_merged; ///< working memory
    std::vector<Early> m_early;
    double m_normSum = 0; ///< of changes applied so far, where they are clipped
    std::uint64_t m_norms = 0;
};

} // namespace trainyard
