// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Flows by finish time, earliest first and then by index: a four-way heap that knows where each flow stands,
// so that a finish time can be changed in place. A plain value. Used by FlowNetwork.
#include "base/SimTime.h"

#include <cstdint>
#include <vector>

namespace trainyard {

class FinishHeap {
public:
    bool empty() const { return m_heap.empty(); }
    SimTime time() const { return m_heap.front().time; }
    std::uint32_t flow() const { return m_heap.front().flow; }

    /// Inserts the flow or moves it.
    void set(std::uint32_t flow, SimTime time) {
        if (flow >= m_place.size()) m_place.resize(flow + 1, absent);
        std::uint32_t at = m_place[flow];
        if (at == absent) {
            at = static_cast<std::uint32_t>(m_heap.size());
            m_heap.push_back({time, flow});
            rise(at, {time, flow});
        } else if (Entry{time, flow} < m_heap[at]) {
            rise(at, {time, flow});
        } else {
            sink(at, {time, flow});
        }
    }
    /// Removes the flow if it is there.
    void erase(std::uint32_t flow) {
        if (flow >= m_place.size() || m_place[flow] == absent) return;
        const std::uint32_t at = m_place[flow];
        m_place[flow] = absent;
        const Entry last = m_heap.back();
        m_heap.pop_back();
        if (at == m_heap.size()) return;
        if (at > 0 && last < m_heap[(at - 1) / 4])
            rise(at, last);
        else
            sink(at, last);
    }

private:
    static constexpr std::uint32_t absent = ~std::uint32_t{0};
    struct Entry {
        SimTime time;
        std::uint32_t flow;
        bool operator<(const Entry& o) const { return time != o.time ? time < o.time : flow < o.flow; }
    };

    void put(std::uint32_t at, const Entry& entry) {
        m_heap[at] = entry;
        m_place[entry.flow] = at;
    }
    void rise(std::uint32_t at, const Entry entry) {
        while (at > 0 && entry < m_heap[(at - 1) / 4]) {
            put(at, m_heap[(at - 1) / 4]);
            at = (at - 1) / 4;
        }
        put(at, entry);
    }
    void sink(std::uint32_t at, const Entry entry) {
        const auto size = static_cast<std::uint32_t>(m_heap.size());
        for (;;) {
            const std::uint32_t first = 4 * at + 1, end = first + 4 < size ? first + 4 : size;
            if (first >= size) break;
            std::uint32_t least = first;
            for (std::uint32_t i = first + 1; i < end; ++i)
                if (m_heap[i] < m_heap[least]) least = i;
            if (!(m_heap[least] < entry)) break;
            put(at, m_heap[least]);
            at = least;
        }
        put(at, entry);
    }

    std::vector<Entry> m_heap;
    std::vector<std::uint32_t> m_place; ///< by flow
};

} // namespace trainyard
