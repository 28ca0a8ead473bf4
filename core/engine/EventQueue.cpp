#include "engine/EventQueue.h"

#include <algorithm>

namespace trainyard {

namespace {
bool later(const PendingEvent& x, const PendingEvent& y) {
    return x.time != y.time ? x.time > y.time : x.sequence > y.sequence;
}
} // namespace

void EventQueue::push(SimTime time, std::uint16_t kind, std::uint16_t small, std::uint32_t a, std::uint64_t b) {
    m_heap.push_back({time, m_sequence++, kind, small, a, b});
    std::push_heap(m_heap.begin(), m_heap.end(), later);
    ++m_size;
}

const PendingEvent& EventQueue::top() { return m_heap.front(); }

void EventQueue::pop() {
    std::pop_heap(m_heap.begin(), m_heap.end(), later);
    m_heap.pop_back();
    --m_size;
}

} // namespace trainyard
