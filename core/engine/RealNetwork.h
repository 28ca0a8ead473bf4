// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The network of an executed run: the simulation's transfers (TransferTable) on the steady clock. Any thread
// sends, cancels and fails links; a thread of its own waits for the next transfer to end. Times are those of
// the model, not of the wake-ups: a flow ends when its bytes are through, and what it leaves to others is
// theirs from that instant on. One per run; made by Executor.
#include "engine/RealTime.h"
#include "engine/TransferTable.h"

#include <functional>
#include <map>
#include <thread>

namespace trainyard {

class RealNetwork {
public:
    /// All three outlive it.
    RealNetwork(const Workload& workload, NetworkModel model, const RealClock& clock, PendingWork& work);
    ~RealNetwork();
    RealNetwork(const RealNetwork&) = delete;
    RealNetwork& operator=(const RealNetwork&) = delete;

    /// Called once a transfer's time of arrival is certain, with that time; it must not call the network.
    using Arrived = std::function<void(SimTime at)>;
    struct Message {
        JobId job;
        std::uint32_t fromNode = 0, toNode = 0;
        std::uint64_t operation = 0; ///< what cancel() names
        double holdSeconds = 0;      ///< how long it waits before it leaves
    };
    /// Between machines or switches (vertices); messages of two nodes of a job arrive in the order sent.
    void send(const Message& message, std::uint32_t from, std::uint32_t to, double bytes, Arrived arrived);
    void transfer(JobId job, std::uint32_t from, std::uint32_t to, double bytes, Arrived arrived);
    /// The job's messages of this operation leave the network at once.
    void cancel(JobId job, std::uint64_t operation);
    /// All transfers of the job; none of them arrives after this returns.
    void cancelAll(JobId job);
    void setLink(LinkId link, bool up);
    /// The present way; nothing: there is none.
    std::optional<RouteTable::Route> routeBetween(std::uint32_t from, std::uint32_t to);

    /// Events of links since the last call, in order of time.
    void takeEvents(std::vector<Event>& out) { m_events.takeInto(out); }

private:
    struct Entry {
        std::uint64_t operation = 0, stream = 0; ///< of a message; its stream is its two nodes
        bool isMessage = false, held = false;
        Arrived arrived;
        SimTime at; ///< when it would have arrived, while it waits behind another of its stream
    };
    struct Departure {
        SimTime at;
        TransferTable::Id transfer = 0;
        std::uint32_t serial = 0;
        bool operator<(const Departure& o) const { return at > o.at; } ///< a heap, earliest first
    };

    void runThread(std::stop_token stop);
    SimTime nextTime();
    /// Everything up to the present happens; every call begins with it.
    void catchUp();
    /// Logs what has changed now and counts the moving transfers anew.
    void settle();
    /// settle(), and wakes the thread if something comes sooner than it waits for; every call ends with it.
    void finish();
    Entry& enter(TransferTable::Id id, Arrived arrived);
    void depart(TransferTable::Id id);
    void arrive(TransferTable::Arrival arrival);
    void handOver(TransferTable::Id id, SimTime at);
    void cancelIf(const std::function<bool(TransferTable::Id)>& which);
    void log(Event event);

    const RealClock& m_clock;
    PendingWork& m_work;
    std::mutex m_mutex; ///< of all below
    std::condition_variable_any m_changed;
    TransferTable m_table;
    std::vector<Entry> m_entries;                                             ///< by transfer
    std::vector<Departure> m_departures;                                      ///< a heap: held messages
    std::map<std::pair<std::uint32_t, std::uint64_t>, SimTime> m_lastArrival; ///< by job and stream
    SimTime m_now, m_waitsFor;
    std::int64_t m_held = 0, m_counted = 0; ///< messages held; moving transfers in m_work
    EventBuffer m_events;
    std::jthread m_thread;
};

} // namespace trainyard
