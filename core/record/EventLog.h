// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The append-only log of one run. One thread appends; any thread may read events below size() at any time, without locks.
// Events live in blocks of 65,536; past a memory limit new blocks are mapped from an unlinked temporary file, so that the
// system can move them to disk. Copying shares all full blocks (clone and continue costs one block).
#include "record/Event.h"

#include <atomic>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace trainyard {

class EventLog {
public:
    static constexpr std::size_t blockEvents = 1 << 16;
    static constexpr std::size_t maxBlocks = 1 << 15; ///< 2.1e9 events

    /// memoryLimit: bytes of events kept in ordinary memory before blocks are mapped from a file.
    explicit EventLog(std::size_t memoryLimit = std::size_t{512} << 20);
    EventLog(const EventLog& other);
    EventLog& operator=(const EventLog&) = delete;
    ~EventLog();

    void append(const Event& event) {
        const std::size_t at = m_size.load(std::memory_order_relaxed);
        if (at % blockEvents == 0) addBlock(at / blockEvents);
        m_last[at % blockEvents] = event;
        m_size.store(at + 1, std::memory_order_release);
    }
    std::size_t size() const { return m_size.load(std::memory_order_acquire); }
    const Event& operator[](std::size_t i) const {
        return m_directory[i / blockEvents].load(std::memory_order_acquire)[i % blockEvents];
    }
    /// Calls f(event) for each of the events [from, to), in order.
    template <class F>
    void walk(std::size_t from, std::size_t to, F&& f) const {
        for (std::size_t i = from; i < to; ++i) f((*this)[i]);
    }
    /// First position whose event is later than t.
    std::size_t positionAfter(SimTime t) const;
    /// FNV-1a over the events, 16 hexadecimal digits. Equal digests: equal runs.
    std::string digest() const;
    std::size_t spilledBytes() const { return m_spilled; }

private:
    struct Block;
    void addBlock(std::size_t index);

    std::unique_ptr<std::atomic<Event*>[]> m_directory;
    std::vector<std::shared_ptr<Block>> m_blocks;
    std::future<std::shared_ptr<Block>> m_next; ///< the one after the last, once a run has turned out to be long
    Event* m_last = nullptr;
    std::atomic<std::size_t> m_size{0};
    std::size_t m_memoryLimit;
    std::size_t m_spilled = 0;
};

} // namespace trainyard
