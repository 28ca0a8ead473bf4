// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The pending events of a simulation, earliest (time, sequence) first. Ties are served in the order they were
// pushed. Entries are 32 bytes; a plain value, copied when a simulation is cloned. Cancellation is by the
// caller's generations.
//
// A ladder queue after Tang, Goh and Thng, ACM TOMACS 15(3), 2005: a push and a pop cost the same whatever is
// pending. Far events lie unsorted; when their turn comes they are spread over the buckets of a rung by time,
// a bucket that holds too many over a finer rung below, and only a small bucket is sorted. Events pushed into
// the part that is sorted already go to a small heap beside it, those at the time of the event popped last to
// a list: whatever else is pending at that time was pushed before them. Bucket widths are powers of two
// nanoseconds.
#include "base/SimTime.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace trainyard {

struct PendingEvent {
    SimTime time;
    std::uint64_t sequence = 0; ///< set by push()
    std::uint16_t kind = 0;
    std::uint16_t small = 0;
    std::uint32_t a = 0;
    std::uint64_t b = 0;
};
static_assert(sizeof(PendingEvent) == 32);

/// Says of an event whether it has become pointless; once it has, it must stay so. Refers to the function
/// that it is made of.
class PointlessEvents {
public:
    template <class F>
    PointlessEvents(const F& f)
        : m_function(&f), m_call([](const void* function, const PendingEvent& event) -> bool {
              return (*static_cast<const F*>(function))(event);
          }) {}
    bool operator()(const PendingEvent& event) const { return m_call(m_function, event); }

private:
    const void* m_function;
    bool (*m_call)(const void*, const PendingEvent&);
};

class EventQueue {
public:
    void push(SimTime time, std::uint16_t kind, std::uint16_t small = 0, std::uint32_t a = 0, std::uint64_t b = 0);
    /// Only if !empty(). top() may reorganise, so it is not const.
    const PendingEvent& top();
    void pop();
    /// Throws away events until the top one has a point, or none is left; where it must reorganise for that,
    /// whatever pointless ones it meets, so that they are neither sorted nor moved.
    void drop(PointlessEvents pointless);
    /// drop(), and takes the top event out if it is there and comes no later than `last`.
    std::optional<PendingEvent> next(PointlessEvents pointless, SimTime last);
    bool empty() const { return m_size == 0; }
    std::size_t size() const { return m_size; }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr std::size_t smallBucket = 48;    ///< sorted rather than spread
    static constexpr std::size_t eventsPerBucket = 8; ///< aimed at when spreading

    /// Buckets are lists of these, in push order.
    struct Chunk {
        std::array<PendingEvent, 7> events;
        std::uint32_t count = 0;
        std::uint32_t next = none;
    };
    struct Bucket {
        std::uint32_t head = none, tail = none;
        std::uint32_t size = 0;
    };
    /// Buckets [next, count) of width 2^shift from `start`; those below `next` have been taken. Times are
    /// unsigned, see key().
    struct Rung {
        std::uint64_t start = 0, last = 0; ///< both inclusive
        int shift = 0;
        std::uint32_t first = 0, count = 0, next = 0; ///< in m_buckets
    };

    /// Order-preserving, so that differences do not overflow.
    static std::uint64_t key(SimTime t) { return static_cast<std::uint64_t>(t.ns) ^ (std::uint64_t{1} << 63); }

    enum class Place { due, near, present };
    /// Where the top event is; due or near may have to be refilled first.
    Place first() const;
    const PendingEvent& at(Place place) const;
    void popAt(Place place);
    /// Whether the top event may lie in a rung or among the far ones.
    bool needsRefill() const;
    void setPresent(SimTime time);
    void pushNear(const PendingEvent& event);
    void append(Bucket& bucket, const PendingEvent& event);
    void take(Bucket& bucket, std::vector<PendingEvent>& out, const PointlessEvents* pointless);
    void addRung(std::uint64_t start, std::uint64_t last, std::size_t events);
    void place(Rung& rung, const PendingEvent& event);
    void refill(const PointlessEvents* pointless);
    void spread(std::vector<PendingEvent>& events, std::uint64_t last);
    void takeFar(const PointlessEvents* pointless);
    void serveDue(std::uint64_t last);

    // From the earliest on: due, near and present (up to m_nearLast), the last rung, …, the first rung, far.
    std::vector<PendingEvent> m_due; ///< sorted; served from m_dueAt
    std::size_t m_dueAt = 0;
    std::vector<PendingEvent> m_near; ///< a heap
    std::size_t m_nearLimit = 512;    ///< beyond it the near events are spread
    std::uint64_t m_nearLast = 0;
    std::vector<PendingEvent> m_present; ///< pushed at m_presentTime, in this order; served from m_presentAt
    std::size_t m_presentAt = 0;
    std::optional<SimTime> m_presentTime; ///< of the event popped last
    std::vector<Rung> m_rungs;
    std::vector<Bucket> m_buckets; ///< of all rungs, one after the other
    std::vector<PendingEvent> m_far;
    std::vector<PendingEvent> m_scratch;
    std::vector<Chunk> m_chunks;
    std::uint32_t m_freeChunk = none;

    std::uint64_t m_sequence = 0;
    std::size_t m_size = 0;
};

} // namespace trainyard
