#pragma once
// The pending events of a simulation, earliest (time, sequence) first. Ties are served in the order they were
// pushed. Entries are 32 bytes; a plain value, copied when a simulation is cloned. Cancellation is by the
// caller's generations.
#include "base/SimTime.h"

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
    std::vector<PendingEvent> m_heap;
    std::uint64_t m_sequence = 0;
    std::size_t m_size = 0;
};

} // namespace trainyard
