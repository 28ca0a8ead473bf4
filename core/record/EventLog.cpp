// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "record/EventLog.h"

#include "base/PartitionPoint.h"
#include "base/Result.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>

namespace trainyard {

namespace {
constexpr std::size_t blockBytes = EventLog::blockEvents * sizeof(Event);
/// Of a huge page: a long run's blocks are then mapped whole, not a page of 4 KiB at a time.
constexpr auto alignment = std::align_val_t{blockBytes};
static_assert(blockBytes == std::size_t{2} << 20);
} // namespace

struct EventLog::Block {
    Event* events = nullptr;
    bool mapped = false;

    /// whole: is likely to become full.
    Block(bool spill, bool whole) {
        if (spill) {
            // An unlinked file of one block: the system may write it out and reclaim the pages.
            std::string path = (std::filesystem::temp_directory_path() / "trainyard-XXXXXX").string();
            const int file = mkstemp(path.data());
            if (file >= 0) {
                unlink(path.c_str());
                // posix_fallocate reserves the space now: a full disk is an error here, not a SIGBUS later.
                if (posix_fallocate(file, 0, static_cast<off_t>(blockBytes)) == 0) {
                    void* at = mmap(nullptr, blockBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
                    if (at != MAP_FAILED) {
                        events = static_cast<Event*>(at);
                        mapped = true;
                    }
                }
                close(file);
            }
        }
        if (events) return;
        events = static_cast<Event*>(::operator new(blockBytes, alignment));
        if (whole) madvise(events, blockBytes, MADV_HUGEPAGE); // only advice
    }
    /// Makes the system provide the pages now.
    void touch() {
        constexpr std::size_t page = 4096 / sizeof(Event);
        for (std::size_t i = 0; i < blockEvents; i += page) events[i] = {};
    }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    ~Block() {
        if (mapped)
            munmap(events, blockBytes);
        else
            ::operator delete(events, alignment);
    }
};

EventLog::EventLog(std::size_t memoryLimit)
    : m_directory(new std::atomic<Event*>[maxBlocks]()), m_memoryLimit(memoryLimit) {}

EventLog::EventLog(const EventLog& other) : EventLog(other.m_memoryLimit) {
    const std::size_t size = other.size();
    const std::size_t full = size / blockEvents;
    for (std::size_t i = 0; i < full; ++i) {
        m_blocks.push_back(other.m_blocks[i]);
        m_directory[i].store(other.m_blocks[i]->events, std::memory_order_relaxed);
    }
    m_spilled = other.m_spilled;
    m_size.store(full * blockEvents, std::memory_order_relaxed);
    for (std::size_t i = full * blockEvents; i < size; ++i) append(other[i]);
}

EventLog::~EventLog() = default;

void EventLog::addBlock(std::size_t index) {
    require(index < maxBlocks, "the event log is full (2.1e9 events)");
    const auto spills = [this](std::size_t i) { return (i + 1) * blockBytes > m_memoryLimit; };
    auto block = m_next.valid() ? m_next.get() : std::make_shared<Block>(spills(index), index > 0);
    // The system takes a millisecond or more to provide a block's pages: it does so beside the run.
    if (index > 0)
        m_next = std::async(std::launch::async, [spill = spills(index + 1)] {
            auto next = std::make_shared<Block>(spill, true);
            next->touch();
            return next;
        });
    if (block->mapped) m_spilled += blockBytes;
    m_last = block->events;
    m_directory[index].store(block->events, std::memory_order_release);
    m_blocks.push_back(std::move(block));
}

std::size_t EventLog::positionAfter(SimTime t) const {
    return partitionPoint(std::size_t{0}, size(), [&](std::size_t i) { return (*this)[i].time <= t; });
}

std::string EventLog::digest() const {
    std::uint64_t hash = 0xcbf29ce484222325ull;
    const auto mix = [&](std::uint64_t word) {
        for (int i = 0; i < 8; ++i) hash = (hash ^ ((word >> (8 * i)) & 0xff)) * 0x100000001b3ull;
    };
    const std::size_t n = size();
    for (std::size_t i = 0; i < n; ++i) {
        const Event& e = (*this)[i];
        std::uint64_t bits;
        static_assert(sizeof bits == sizeof e.value);
        std::memcpy(&bits, &e.value, sizeof bits);
        mix(static_cast<std::uint64_t>(e.time.ns));
        mix((static_cast<std::uint64_t>(e.type) << 48) | (static_cast<std::uint64_t>(e.aux) << 32) | e.job);
        mix((static_cast<std::uint64_t>(e.a) << 32) | e.b);
        mix(bits);
    }
    std::array<char, 17> text;
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
    return text.data();
}

} // namespace trainyard
