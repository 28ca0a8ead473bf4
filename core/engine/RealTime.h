#pragma once
// What threads of an execution share: the steady clock as SimTime, inboxes whose items become due at an
// instant, buffers of events that a collector drains, and the links' time tables. Used by JobExecution and
// Executor only.
#include "base/SimTime.h"
#include "model/Cluster.h"
#include "model/Routes.h"
#include "record/Event.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace trainyard {

/// Nanoseconds of the steady clock since the run began.
class RealClock {
public:
    using Clock = std::chrono::steady_clock;
    RealClock() : m_start(Clock::now()) {}
    SimTime now() const {
        return SimTime{std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - m_start).count()};
    }
    Clock::time_point at(SimTime t) const {
        // Far instants would overflow the clock's arithmetic.
        constexpr std::int64_t year = 365ll * 86400 * 1'000'000'000;
        return m_start + std::chrono::nanoseconds(std::min(t.ns, year));
    }

private:
    Clock::time_point m_start;
};

/// Items from any thread for one; each is handed over when it is due, earliest first, equals in the order
/// they were pushed.
template <class Item>
class Inbox {
public:
    void push(SimTime due, Item item) {
        {
            const std::scoped_lock lock(m_mutex);
            m_items.push_back({due, m_sequence++, std::move(item)});
            std::push_heap(m_items.begin(), m_items.end(), later);
        }
        m_changed.notify_one();
    }
    /// Waits for the next due item; nullopt when stop is requested.
    std::optional<Item> pop(const RealClock& clock, std::stop_token stop) {
        std::unique_lock lock(m_mutex);
        while (!stop.stop_requested()) {
            if (m_items.empty()) {
                m_changed.wait(lock, stop, [&] { return !m_items.empty(); });
                continue;
            }
            const SimTime due = m_items.front().due;
            if (due <= clock.now()) {
                std::pop_heap(m_items.begin(), m_items.end(), later);
                Item item = std::move(m_items.back().item);
                m_items.pop_back();
                return item;
            }
            m_changed.wait_until(lock, stop, clock.at(due),
                                 [&] { return !m_items.empty() && m_items.front().due < due; });
        }
        return std::nullopt;
    }

private:
    struct Entry {
        SimTime due;
        std::uint64_t sequence;
        Item item;
    };
    static bool later(const Entry& a, const Entry& b) {
        return a.due != b.due ? a.due > b.due : a.sequence > b.sequence;
    }

    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::vector<Entry> m_items;
    std::uint64_t m_sequence = 0;
};

/// Events of one thread on their way to the log. Its thread appends, the collector takes all.
class EventBuffer {
public:
    void append(const Event& event) {
        const std::scoped_lock lock(m_mutex);
        m_events.push_back(event);
    }
    void takeInto(std::vector<Event>& out) {
        const std::scoped_lock lock(m_mutex);
        out.insert(out.end(), m_events.begin(), m_events.end());
        m_events.clear();
    }

private:
    std::mutex m_mutex;
    std::vector<Event> m_events;
};

/// When each directed link is free again: a transfer occupies its links for bytes/bandwidth, one after
/// another. For transfers that begin together the last one ends when a fair link would end them all.
class LinkTimes {
public:
    explicit LinkTimes(const Cluster& cluster) : m_free(2 * cluster.links.size()) {
        for (const auto& link : cluster.links) m_bandwidth.push_back(link.bandwidth);
    }
    /// When `bytes` sent at `now` over the route have arrived.
    SimTime transmit(const RouteTable::Route& route, double bytes, SimTime now) {
        const std::scoped_lock lock(m_mutex);
        SimTime begin = now;
        if (bytes > 0) {
            for (const DirectedLink link : route.links) begin = std::max(begin, m_free[link]);
            for (const DirectedLink link : route.links)
                m_free[link] = begin + Duration::seconds(bytes / m_bandwidth[link / 2]);
            begin = begin + Duration::seconds(bytes / route.bottleneck);
        }
        return begin + route.latency;
    }

private:
    std::mutex m_mutex;
    std::vector<SimTime> m_free;
    std::vector<double> m_bandwidth;
};

} // namespace trainyard
