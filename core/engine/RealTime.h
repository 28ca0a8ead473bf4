// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What threads of an execution share: the steady clock as SimTime, the count of what is still to happen,
// inboxes whose items become due at an instant, and buffers of events that a collector drains. Used by
// JobExecution, RealNetwork and Executor.
#include "base/SimTime.h"
#include "record/Event.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
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

/// Sleeping is no finer than this: what is due sooner is waited for by yielding.
inline constexpr Duration finestSleep = Duration::nanoseconds(60'000);

/// Returns at t, or when stop is requested.
inline void waitUntil(const RealClock& clock, SimTime t, const std::stop_token& stop) {
    if (t > clock.now() + finestSleep) {
        std::mutex mutex;
        std::condition_variable_any never;
        std::unique_lock lock(mutex);
        never.wait_until(lock, stop, clock.at(t - finestSleep), [] { return false; });
    }
    while (!stop.stop_requested() && clock.now() < t) std::this_thread::yield();
}

/// How much is still to happen in a run by itself: items in inboxes or being handled, transfers that move.
/// Whatever causes something counts it before it stops counting itself, so at 0 nothing happens any more
/// until Executor's own thread does something.
class PendingWork {
public:
    void add(std::int64_t count) { m_count.fetch_add(count); }
    bool none() const { return m_count.load() == 0; }

private:
    std::atomic<std::int64_t> m_count{0};
};

/// Lets Executor's thread sleep until something needs it.
class WakeUp {
public:
    void call() {
        {
            const std::scoped_lock lock(m_mutex);
            m_called = true;
        }
        m_changed.notify_one();
    }
    /// Returns when it was called since the last time, or at t.
    void waitUntil(RealClock::Clock::time_point t) {
        std::unique_lock lock(m_mutex);
        m_changed.wait_until(lock, t, [&] { return m_called; });
        m_called = false;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_called = false;
};

/// Items from any thread for one; each is handed over when it is due, earliest first, equals in the order
/// they were pushed. An item counts as pending work until the next is asked for.
template <class Item>
class Inbox {
public:
    explicit Inbox(PendingWork& work) : m_work(work) {}
    ~Inbox() { m_work.add(-static_cast<std::int64_t>(m_items.size()) - m_handling); }

    void push(SimTime due, Item item) {
        {
            const std::scoped_lock lock(m_mutex);
            if (m_closed) return;
            m_work.add(1);
            m_items.push_back({due, m_sequence++, std::move(item)});
            std::push_heap(m_items.begin(), m_items.end(), later);
        }
        m_changed.notify_one();
    }
    /// After its owner's thread has ended: what it has, and what is pushed from now on, is lost. Until open().
    void close() {
        const std::scoped_lock lock(m_mutex);
        m_work.add(-static_cast<std::int64_t>(m_items.size()) - std::exchange(m_handling, 0));
        m_items.clear();
        m_closed = true;
    }
    void open() {
        const std::scoped_lock lock(m_mutex);
        m_closed = false;
    }
    /// Waits for the next due item; nullopt when stop is requested.
    std::optional<Item> pop(const RealClock& clock, std::stop_token stop) {
        m_work.add(-std::exchange(m_handling, 0));
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
                m_handling = 1;
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
    bool m_closed = false;
    PendingWork& m_work;
    std::int64_t m_handling = 0; ///< items handed over and not done with; the owner's thread's
};

/// Events of one thread on their way to the log. Its thread appends, the collector takes all.
class EventBuffer {
public:
    void append(const Event& event) {
        const std::scoped_lock lock(m_mutex);
        m_events.push_back(event);
    }
    /// Stamped under the lock: whoever reads the clock and then takes has all events of before that reading.
    /// @return the stamp
    template <class Clock>
    SimTime appendNow(Event event, const Clock& clock) {
        const std::scoped_lock lock(m_mutex);
        event.time = clock.now();
        m_events.push_back(event);
        return event.time;
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

} // namespace trainyard
