// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/EventQueue.h"

#include <algorithm>
#include <bit>

namespace trainyard {

namespace {
// Objects, not functions: the sorts that use them inline them.
constexpr auto pendingLater = [](const PendingEvent& x, const PendingEvent& y) {
    return x.time != y.time ? x.time > y.time : x.sequence > y.sequence;
};
constexpr auto pendingEarlier = [](const PendingEvent& x, const PendingEvent& y) { return pendingLater(y, x); };
} // namespace

// Small and hot: the compiler is to inline them everywhere.

inline EventQueue::Place EventQueue::first() const {
    const PendingEvent* best = m_dueAt < m_due.size() ? &m_due[m_dueAt] : nullptr;
    Place place = Place::due;
    const auto offer = [&](const PendingEvent& event, Place at) {
        if (best && pendingEarlier(*best, event)) return;
        best = &event;
        place = at;
    };
    if (!m_near.empty()) offer(m_near.front(), Place::near);
    if (m_presentAt < m_present.size()) offer(m_present[m_presentAt], Place::present);
    return place;
}

inline bool EventQueue::needsRefill() const {
    if (m_dueAt < m_due.size() || !m_near.empty()) return false;
    return m_presentAt == m_present.size() || m_nearLast < key(*m_presentTime);
}

inline void EventQueue::append(Bucket& bucket, const PendingEvent& event) {
    if (bucket.tail == none || m_chunks[bucket.tail].count == m_chunks[bucket.tail].events.size()) {
        std::uint32_t fresh = m_freeChunk;
        if (fresh == none) {
            fresh = static_cast<std::uint32_t>(m_chunks.size());
            m_chunks.emplace_back();
        } else {
            m_freeChunk = m_chunks[fresh].next;
            m_chunks[fresh].count = 0;
            m_chunks[fresh].next = none;
        }
        (bucket.tail == none ? bucket.head : m_chunks[bucket.tail].next) = fresh;
        bucket.tail = fresh;
    }
    Chunk& chunk = m_chunks[bucket.tail];
    chunk.events[chunk.count++] = event;
    ++bucket.size;
}

inline void EventQueue::place(Rung& rung, const PendingEvent& event) {
    append(m_buckets[rung.first + ((key(event.time) - rung.start) >> rung.shift)], event);
}

void EventQueue::push(SimTime time, std::uint16_t kind, std::uint16_t small, std::uint32_t a, std::uint64_t b) {
    const PendingEvent event{time, m_sequence++, kind, small, a, b};
    const std::uint64_t when = key(time);
    ++m_size;
    if (time == m_presentTime) return m_present.push_back(event);
    if (when <= m_nearLast) return pushNear(event);
    for (std::size_t i = m_rungs.size(); i-- > 0;)
        if (when <= m_rungs[i].last) return place(m_rungs[i], event);
    m_far.push_back(event);
}

// Events that wait at the present time keep it: those before it have been popped, unless one was pushed into
// the past, and that one is served alone.
inline void EventQueue::setPresent(SimTime time) {
    if (m_present.empty()) m_presentTime = time;
}

inline const PendingEvent& EventQueue::at(Place place) const {
    return place == Place::due ? m_due[m_dueAt] : place == Place::near ? m_near.front() : m_present[m_presentAt];
}

inline void EventQueue::popAt(Place place) {
    switch (place) {
    case Place::near:
        setPresent(m_near.front().time);
        std::pop_heap(m_near.begin(), m_near.end(), pendingLater);
        m_near.pop_back();
        break;
    case Place::present: ++m_presentAt; break;
    case Place::due: setPresent(m_due[m_dueAt].time); ++m_dueAt;
    }
    if (m_presentAt == m_present.size()) {
        m_present.clear();
        m_presentAt = 0;
    }
    --m_size;
}

const PendingEvent& EventQueue::top() {
    if (needsRefill()) refill(nullptr);
    return at(first());
}

void EventQueue::pop() {
    if (needsRefill()) refill(nullptr);
    popAt(first());
}

void EventQueue::drop(PointlessEvents pointless) {
    while (!empty()) {
        if (needsRefill()) refill(&pointless);
        if (empty()) return;
        const Place place = first();
        if (!pointless(at(place))) return;
        popAt(place);
    }
}

std::optional<PendingEvent> EventQueue::next(PointlessEvents pointless, SimTime last) {
    while (!empty()) {
        if (needsRefill()) refill(&pointless);
        if (empty()) break;
        const Place place = first();
        const PendingEvent event = at(place);
        const bool over = pointless(event);
        if (!over && event.time > last) break;
        popAt(place);
        if (!over) return event;
    }
    return std::nullopt;
}

// So many events in the part that counts as sorted (say, all of a run's arrivals pushed behind one early
// event) would make this a plain heap: give them a rung of their own. Where all are at one time there is
// nothing to spread.
void EventQueue::pushNear(const PendingEvent& event) {
    m_near.push_back(event);
    std::push_heap(m_near.begin(), m_near.end(), pendingLater);
    if (m_near.size() <= m_nearLimit) return;
    m_near.insert(m_near.end(), m_due.begin() + static_cast<std::ptrdiff_t>(m_dueAt), m_due.end());
    m_due.clear();
    m_dueAt = 0;
    m_scratch.swap(m_near);
    m_near.clear();
    m_nearLimit *= 2;
    spread(m_scratch, m_nearLast);
}

/// Empties the bucket into `out`, in push order, without those that have no point.
void EventQueue::take(Bucket& bucket, std::vector<PendingEvent>& out, const PointlessEvents* pointless) {
    for (std::uint32_t c = bucket.head; c != none;) {
        Chunk& chunk = m_chunks[c];
        for (std::uint32_t i = 0; i < chunk.count; ++i) {
            if (pointless && (*pointless)(chunk.events[i]))
                --m_size;
            else
                out.push_back(chunk.events[i]);
        }
        const std::uint32_t next = chunk.next;
        chunk.next = m_freeChunk;
        m_freeChunk = c;
        c = next;
    }
    bucket = {};
}

void EventQueue::addRung(std::uint64_t start, std::uint64_t last, std::size_t events) {
    const int wanted = std::bit_width(std::max<std::size_t>(events / eventsPerBucket, 2) - 1); // log2, rounded up
    Rung rung{.start = start, .last = last};
    rung.shift = std::max(0, static_cast<int>(std::bit_width(last - start)) - wanted);
    rung.first = static_cast<std::uint32_t>(m_buckets.size());
    rung.count = static_cast<std::uint32_t>((last - start) >> rung.shift) + 1;
    m_buckets.resize(m_buckets.size() + rung.count);
    m_rungs.push_back(rung);
}

/// Spreads events, none later than `last`, over a new lowest rung, unless they are few or all at one time.
/// Clears `events`.
void EventQueue::spread(std::vector<PendingEvent>& events, std::uint64_t last) {
    const auto [least, most] =
        std::minmax_element(events.begin(), events.end(), [](const auto& x, const auto& y) { return x.time < y.time; });
    if (events.size() <= smallBucket || least->time == most->time) {
        m_due.swap(events);
        events.clear();
        return serveDue(last);
    }
    const std::uint64_t start = key(least->time);
    addRung(start, last, events.size());
    for (const PendingEvent& event : events) place(m_rungs.back(), event);
    events.clear();
    m_nearLast = start == 0 ? 0 : start - 1;
}

void EventQueue::serveDue(std::uint64_t last) {
    std::sort(m_due.begin(), m_due.end(), pendingEarlier);
    m_dueAt = 0;
    m_nearLast = last;
}

// The far events up to twice the distance of their median: outliers (a timer that never fires) would make the
// buckets too wide for all others. At least half of the events are taken, so that each is looked at a bounded
// number of times.
void EventQueue::takeFar(const PointlessEvents* pointless) {
    if (pointless) m_size -= std::erase_if(m_far, *pointless);
    if (m_far.empty()) return;
    std::uint64_t least = ~std::uint64_t{0}, most = 0;
    for (const PendingEvent& event : m_far) {
        least = std::min(least, key(event.time));
        most = std::max(most, key(event.time));
    }
    std::uint64_t last = most;
    if (m_far.size() > smallBucket) {
        std::array<std::uint64_t, 63> sample;
        for (std::size_t i = 0; i < sample.size(); ++i) sample[i] = key(m_far[m_far.size() * i / sample.size()].time);
        std::nth_element(sample.begin(), sample.begin() + sample.size() / 2, sample.end());
        const std::uint64_t distance = sample[sample.size() / 2] - least;
        if (distance < (most - least) / 2) last = least + 2 * distance;
    }
    m_scratch.clear();
    std::size_t kept = 0;
    for (const PendingEvent& event : m_far) {
        if (key(event.time) <= last)
            m_scratch.push_back(event);
        else
            m_far[kept++] = event;
    }
    m_far.resize(kept);
    spread(m_scratch, last);
}

/// Brings the earliest events into m_due, which is served up, as is all else; there may be none that has a
/// point.
void EventQueue::refill(const PointlessEvents* pointless) {
    m_due.clear();
    m_dueAt = 0;
    m_nearLimit = 512;
    while (m_due.empty()) {
        if (m_rungs.empty()) {
            if (m_far.empty()) return;
            takeFar(pointless);
            continue;
        }
        Rung& rung = m_rungs.back();
        while (rung.next < rung.count && m_buckets[rung.first + rung.next].size == 0) ++rung.next;
        if (rung.next == rung.count) {
            m_nearLast = rung.last;
            m_buckets.resize(rung.first);
            m_rungs.pop_back();
            continue;
        }
        const std::uint64_t offset = static_cast<std::uint64_t>(rung.next) << rung.shift;
        const std::uint64_t width = (std::uint64_t{1} << rung.shift) - 1;
        const std::uint64_t last = rung.start + std::min(rung.last - rung.start, offset | width);
        Bucket& bucket = m_buckets[rung.first + rung.next++];
        if (bucket.size <= smallBucket) {
            take(bucket, m_due, pointless);
            serveDue(last);
        } else {
            m_scratch.clear();
            take(bucket, m_scratch, pointless);
            spread(m_scratch, last);
        }
    }
}

} // namespace trainyard
