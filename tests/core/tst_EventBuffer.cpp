// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Events of an executed job on their way to the log: who reads the clock and then takes misses none of before.
#include "engine/RealTime.h"
#include "record/Events.h"
#include "support/TestMain.h"

#include <thread>

using namespace trainyard;

class tst_EventBuffer : public QObject {
    Q_OBJECT
private slots:
    void takingWaitsForWhoHasReadTheClock();
    void nothingOfBeforeComesLater();
};

namespace {

/// Whoever reads it is held up until `taken`, or 50 ms.
struct InterruptedClock {
    std::atomic<bool>& read;
    std::atomic<bool>& taken;
    SimTime now() const {
        read = true;
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
        while (!taken && std::chrono::steady_clock::now() < end) std::this_thread::yield();
        return SimTime{1};
    }
};

} // namespace

// The appending thread has read instant 1 and is interrupted; the collector, at instant 2, takes. Were the clock read
// outside the lock, it would find nothing, and the event of instant 1 would follow what it records until 2.
void tst_EventBuffer::takingWaitsForWhoHasReadTheClock() {
    EventBuffer buffer;
    std::atomic<bool> read = false, taken = false;
    std::jthread appending([&] { buffer.appendNow(events::schedulerWoken(), InterruptedClock{read, taken}); });
    while (!read) std::this_thread::yield();
    std::vector<Event> found;
    buffer.takeInto(found);
    taken = true;
    QCOMPARE(found.size(), std::size_t(1));
    QCOMPARE(found.front().time, SimTime{1});
}

// Four threads of 20,000 events each: whatever is taken after an instant was read is complete up to it.
void tst_EventBuffer::nothingOfBeforeComesLater() {
    constexpr std::size_t threads = 4, each = 20'000;
    const RealClock clock;
    std::vector<EventBuffer> buffers(threads);
    std::vector<std::jthread> appending;
    for (EventBuffer& buffer : buffers)
        appending.emplace_back([&] {
            for (std::size_t i = 0; i < each; ++i) buffer.appendNow(events::schedulerWoken(), clock);
        });
    std::size_t count = 0, late = 0;
    SimTime before;
    while (count < threads * each) {
        const SimTime until = clock.now();
        std::vector<Event> found;
        for (EventBuffer& buffer : buffers) buffer.takeInto(found);
        for (const Event& event : found) late += event.time < before;
        count += found.size();
        before = until;
    }
    QCOMPARE(late, std::size_t(0));
}

TRAINYARD_TEST(tst_EventBuffer)
#include "tst_EventBuffer.moc"
