#pragma once
// The pending events of a simulation, earliest (time, sequence) first. Ties are served in the order they were
// pushed. Entries are 32 bytes; a plain value, copied when a simulation is cloned. Cancellation is by the
// caller's generations.
//
// A ladder queue after Tang, Goh and Thng, ACM TOMACS 15(3), 2005: a push and a pop cost the same whatever is
// pending. Far events lie unsorted; when their turn comes they are spread over the buckets of a rung by time,
// a bucket that holds too many over a finer rung below, and only a small bucket is sorted. Events pushed into
// the part that is sorted already go to a small heap beside it. Bucket widths are powers of two nanoseconds.
#include "base/SimTime.h"

#include <array>
#include <cstdint>
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

class EventQueue {
public:
    void push(SimTime time, std::uint16_t kind, std::uint16_t small = 0, std::uint32_t a = 0,
              std::uint64_t b = 0);
    /// Only if !empty(). top() may reorganise, so it is not const.
    const PendingEvent& top();
    void pop();
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
    static std::uint64_t key(SimTime t) {
        return static_cast<std::uint64_t>(t.ns) ^ (std::uint64_t{1} << 63);
    }

    bool nearFirst() const;
    void pushNear(const PendingEvent& event);
    void append(Bucket& bucket, const PendingEvent& event);
    void take(Bucket& bucket, std::vector<PendingEvent>& out);
    void addRung(std::uint64_t start, std::uint64_t last, std::size_t events);
    void place(Rung& rung, const PendingEvent& event);
    void refill();
    void spread(std::vector<PendingEvent>& events, std::uint64_t last);
    void takeFar();
    void serveDue(std::uint64_t last);

    // From the earliest on: due and near (up to m_nearLast), the last rung, …, the first rung, far.
    std::vector<PendingEvent> m_due; ///< sorted; served from m_dueAt
    std::size_t m_dueAt = 0;
    std::vector<PendingEvent> m_near; ///< a heap
    std::size_t m_nearLimit = 512;    ///< beyond it the near events are spread
    std::uint64_t m_nearLast = 0;
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
