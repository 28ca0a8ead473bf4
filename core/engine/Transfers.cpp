// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Messages and other transfers between machines, in virtual time.
#include "engine/SimulationCore.h"

#include <algorithm>

namespace trainyard {

/// The place for the message of a new transfer of the job.
std::optional<ParameterMessage>& SimulationCore::payloadOf(TransferTable::Id transfer, const JobRun& run) {
    if (transfer >= m_payloads.size()) m_payloads.resize(transfer + 1);
    m_payloads[transfer].generation = run.generation;
    return m_payloads[transfer].message;
}

void SimulationCore::send(const JobRun& run, const std::vector<ParameterTransfer>& transfers) {
    for (const auto& [from, to, bytes] : transfers) {
        const auto transfer = m_transfers.add(run.id, from, to, bytes);
        payloadOf(transfer, run).reset();
        depart(transfer);
    }
}

/// The worker for whose current task the message is; null: none.
WorkerRun* SimulationCore::workerOf(JobRun& run, const ParameterMessage& message) {
    const auto worker = static_cast<std::size_t>(message.operation >> 32);
    if (!message.ofTask() || worker >= run.tasks.size()) return nullptr;
    WorkerRun& w = run.tasks[worker];
    return w.task == static_cast<std::uint32_t>(message.operation) ? &w : nullptr;
}

void SimulationCore::sendMessage(JobRun& run, ParameterMessage&& message, double holdSeconds) {
    const auto transfer = m_transfers.addMessage(run.id, machineOf(run.placement, run.layout(), message.from).value,
                                                 machineOf(run.placement, run.layout(), message.to).value,
                                                 message.bytes, message.from, message.to);
    if (!message.ofTask()) emit(events::messageSent(run.id, message.kind, message.from, message.to, message.bytes));
    if (WorkerRun* worker = workerOf(run, message)) worker->transfers.push_back(transfer);
    payloadOf(transfer, run).emplace(std::move(message));
    if (holdSeconds > 0)
        push(m_now + Duration::seconds(holdSeconds), Kind::slotLeave, transfer, m_transfers.serial(transfer));
    else
        depart(transfer);
}

void SimulationCore::depart(TransferTable::Id transfer) {
    if (const auto arrival = m_transfers.depart(transfer, m_now)) pushArrival(*arrival);
}

void SimulationCore::pushArrival(const TransferTable::Arrival& arrival) {
    push(arrival.at, Kind::slotDeliver, arrival.transfer, m_transfers.serial(arrival.transfer));
}

// Thousands of workers begin at once and read the same parameters: what they carry at one instant is one
// event.
void SimulationCore::logCarried() {
    for (const auto& c : m_transfers.takeCarried()) emit(events::linkCarried(c.job, c.link, c.bytes));
}

void SimulationCore::deliver(TransferTable::Id transfer) {
    if (!m_transfers.mayArrive(transfer)) return; // named again when those before it are through
    JobRun* run = runOf(m_transfers.job(transfer), m_payloads[transfer].generation);
    release(transfer);
    if (!run) return;
    // Taken out before an answer can use the place.
    auto message = std::exchange(m_payloads[transfer].message, std::nullopt);
    if (!message) return partArrived(*run);
    if (WorkerRun* worker = workerOf(*run, *message)) std::erase(worker->transfers, transfer);
    deliverMessage(*run, std::move(*message));
}

void SimulationCore::release(TransferTable::Id transfer) {
    if (const auto next = m_transfers.release(transfer, m_now)) pushArrival({*next, m_now});
}

/// All transfers of a job.
void SimulationCore::cancelTransfers(JobId job) {
    for (TransferTable::Id t = 0; t < m_transfers.size(); ++t) {
        if (!m_transfers.live(t) || m_transfers.job(t) != job) continue;
        m_payloads[t].message.reset();
        release(t);
    }
}

/// The messages of a worker's current task.
void SimulationCore::cancelMessages(JobRun& run, std::uint32_t index) {
    WorkerRun& worker = run.tasks[index];
    std::sort(worker.transfers.begin(), worker.transfers.end());
    for (const auto transfer : worker.transfers) {
        m_payloads[transfer].message.reset();
        release(transfer);
    }
    worker.transfers.clear();
}

void SimulationCore::reroute(LinkId link, bool up) {
    std::vector<TransferTable::Arrival> arrivals;
    m_transfers.setLink(link, up, m_now, arrivals);
    for (const auto& arrival : arrivals) pushArrival(arrival);
    rerouteKeyed();
}

void SimulationCore::completeFlows() {
    std::vector<TransferTable::Arrival> arrivals;
    m_transfers.complete(m_now, arrivals);
    for (const auto& arrival : arrivals) pushArrival(arrival);
}

// Solves what changed, logs the new loads, and sees that the next completion is in the queue.
void SimulationCore::flushNetwork() {
    if (!m_transfers.takeTouched()) return;
    const SimTime next = m_transfers.nextCompletion();
    m_transfers.takeLoads(m_linkReports);
    for (const LinkReport& report : m_linkReports) {
        if (report.unreportedBytes != 0) emit(events::linkCarried({}, report.link, report.unreportedBytes));
        emit(events::linkLoad(report.link, report.load));
    }
    if (next == m_networkAt && next != SimTime::never() && next > m_now) return;
    m_networkAt = next;
    ++m_networkEvent; // an older entry in the queue is stale
    if (next != SimTime::never()) push(std::max(next, m_now), Kind::network, 0, m_networkEvent);
}

} // namespace trainyard
