// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/RealNetwork.h"

#include "record/Events.h"

#include <algorithm>

namespace trainyard {

RealNetwork::RealNetwork(const Workload& workload, NetworkModel model, const RealClock& clock, PendingWork& work)
    : m_clock(clock), m_work(work), m_table(workload.cluster, model) {
    m_thread = std::jthread([this](std::stop_token stop) { runThread(stop); });
}

RealNetwork::~RealNetwork() {
    m_thread.request_stop();
    m_thread.join();
    m_work.add(-m_counted);
}

void RealNetwork::runThread(std::stop_token stop) {
    std::unique_lock lock(m_mutex);
    while (!stop.stop_requested()) {
        catchUp();
        settle();
        m_waitsFor = nextTime();
        m_changed.wait_until(lock, stop, m_clock.at(m_waitsFor), [&] { return nextTime() < m_waitsFor; });
    }
}

SimTime RealNetwork::nextTime() {
    const SimTime completion = m_table.nextCompletion();
    return m_departures.empty() ? completion : std::min(completion, m_departures.front().at);
}

void RealNetwork::catchUp() {
    const SimTime present = std::max(m_now, m_clock.now());
    for (SimTime next = nextTime(); next <= present; next = nextTime()) {
        m_now = std::max(m_now, next);
        std::vector<TransferTable::Arrival> arrivals;
        m_table.complete(m_now, arrivals);
        for (const auto& arrival : arrivals) arrive(arrival);
        while (!m_departures.empty() && m_departures.front().at <= m_now) {
            std::pop_heap(m_departures.begin(), m_departures.end());
            const Departure due = m_departures.back();
            m_departures.pop_back();
            if (!m_table.live(due.transfer) || m_table.serial(due.transfer) != due.serial) continue;
            m_entries[due.transfer].held = false;
            --m_held;
            depart(due.transfer);
        }
        settle();
    }
    m_now = present;
}

void RealNetwork::settle() {
    if (m_table.takeTouched()) {
        std::vector<LinkReport> loads;
        m_table.takeLoads(loads);
        for (const LinkReport& r : loads) {
            if (r.unreportedBytes != 0) log(events::linkCarried({}, r.link, r.unreportedBytes));
            log(events::linkLoad(r.link, r.load));
        }
    }
    for (const auto& c : m_table.takeCarried()) log(events::linkCarried(c.job, c.link, c.bytes));
    const std::int64_t moving = static_cast<std::int64_t>(m_table.flows()) + m_held;
    m_work.add(moving - std::exchange(m_counted, moving));
}

void RealNetwork::finish() {
    settle();
    if (nextTime() < m_waitsFor) m_changed.notify_one();
}

void RealNetwork::log(Event event) {
    event.time = m_now;
    m_events.append(event);
}

RealNetwork::Entry& RealNetwork::enter(TransferTable::Id id, Arrived arrived) {
    if (id >= m_entries.size()) m_entries.resize(id + 1);
    return m_entries[id] = Entry{.arrived = std::move(arrived)};
}

void RealNetwork::send(const Message& message, std::uint32_t from, std::uint32_t to, double bytes, Arrived arrived) {
    const std::scoped_lock lock(m_mutex);
    catchUp();
    const auto id = m_table.addMessage(message.job, from, to, bytes, message.fromNode, message.toNode);
    Entry& entry = enter(id, std::move(arrived));
    entry.isMessage = true;
    entry.operation = message.operation;
    entry.stream = entityOf(message.fromNode, message.toNode);
    if (message.holdSeconds > 0) {
        entry.held = true;
        ++m_held;
        m_departures.push_back({m_now + Duration::seconds(message.holdSeconds), id, m_table.serial(id)});
        std::push_heap(m_departures.begin(), m_departures.end());
    } else {
        depart(id);
    }
    finish();
}

std::optional<RouteTable::Route> RealNetwork::routeBetween(std::uint32_t from, std::uint32_t to) {
    const std::scoped_lock lock(m_mutex);
    return m_table.routeBetween(from, to);
}

void RealNetwork::transfer(JobId job, std::uint32_t from, std::uint32_t to, double bytes, Arrived arrived) {
    const std::scoped_lock lock(m_mutex);
    catchUp();
    const auto id = m_table.add(job, from, to, bytes);
    enter(id, std::move(arrived));
    depart(id);
    finish();
}

void RealNetwork::depart(TransferTable::Id id) {
    if (const auto arrival = m_table.depart(id, m_now)) arrive(*arrival);
}

void RealNetwork::arrive(TransferTable::Arrival arrival) {
    m_entries[arrival.transfer].at = arrival.at;
    if (m_table.mayArrive(arrival.transfer)) handOver(arrival.transfer, arrival.at);
}

// To the receiver, who waits for the latency itself; then those that have waited behind it.
void RealNetwork::handOver(TransferTable::Id id, SimTime at) {
    for (std::optional next = id; next;) {
        Entry entry = std::exchange(m_entries[*next], {});
        at = std::max(at, entry.at);
        if (entry.isMessage) {
            SimTime& last = m_lastArrival[{m_table.job(*next).value, entry.stream}];
            last = at = std::max(last, at);
        }
        entry.arrived(at);
        next = m_table.release(*next, m_now);
    }
}

void RealNetwork::cancelIf(const std::function<bool(TransferTable::Id)>& which) {
    std::vector<TransferTable::Id> freed;
    for (TransferTable::Id id = 0; id < m_table.size(); ++id) {
        if (!m_table.live(id) || !which(id)) continue;
        m_held -= m_entries[id].held;
        m_entries[id] = {};
        if (const auto next = m_table.release(id, m_now)) freed.push_back(*next);
    }
    for (const auto id : freed) // if it has not been cancelled, too
        if (m_table.live(id)) handOver(id, m_now);
}

void RealNetwork::cancel(JobId job, std::uint64_t operation) {
    const std::scoped_lock lock(m_mutex);
    catchUp();
    cancelIf([&](TransferTable::Id id) {
        const Entry& entry = m_entries[id];
        return entry.isMessage && m_table.job(id) == job && entry.operation == operation;
    });
    finish();
}

void RealNetwork::cancelAll(JobId job) {
    const std::scoped_lock lock(m_mutex);
    catchUp();
    cancelIf([&](TransferTable::Id id) { return m_table.job(id) == job; });
    m_table.forget(job);
    m_lastArrival.erase(m_lastArrival.lower_bound({job.value, 0}), m_lastArrival.lower_bound({job.value + 1, 0}));
    finish();
}

void RealNetwork::setLink(LinkId link, bool up) {
    const std::scoped_lock lock(m_mutex);
    catchUp();
    std::vector<TransferTable::Arrival> arrivals;
    m_table.setLink(link, up, m_now, arrivals);
    for (const auto& arrival : arrivals) arrive(arrival);
    finish();
}

} // namespace trainyard
