// Messages and other transfers between machines: over the flow network or, in the rate model, by closed form.
#include "engine/SimulationCore.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

std::uint32_t SimulationCore::vertexOfNode(const JobRun& run, NodeIndex node) const {
    const MachineId machine = node < run.layout.workers ? run.placement.workers[node]
                                                        : run.placement.servers[node - run.layout.workers];
    return machine.value;
}

std::uint32_t SimulationCore::storageVertex() const {
    return workload->cluster.storage.empty() ? static_cast<std::uint32_t>(m_routes.vertexCount())
                                             : m_routes.vertexOf(workload->cluster.storage);
}

std::uint32_t SimulationCore::newSlot(JobId job, std::uint32_t generation, Slot::Use use, std::uint32_t from,
                                      std::uint32_t to, double bytes) {
    std::uint32_t index;
    if (m_freeSlots.empty()) {
        index = static_cast<std::uint32_t>(m_slots.size());
        m_slots.emplace_back();
    } else {
        index = m_freeSlots.back();
        m_freeSlots.pop_back();
    }
    Slot& slot = m_slots[index];
    slot.live = true;
    slot.inFlow = slot.blocked = false;
    slot.latency = {};
    slot.links.clear();
    slot.serial = ++m_serial;
    slot.use = use;
    slot.job = job;
    slot.generation = generation;
    slot.from = from;
    slot.to = to;
    slot.bytes = bytes;
    return index;
}

/// The worker for whose current task the message is; null: none.
WorkerRun* SimulationCore::workerOf(JobRun& run, const ParameterMessage& message) {
    const auto worker = static_cast<std::size_t>(message.operation >> 32);
    if (worker >= run.workers.size()) return nullptr;
    WorkerRun& w = run.workers[worker];
    return w.task == static_cast<std::uint32_t>(message.operation) ? &w : nullptr;
}

void SimulationCore::releaseSlot(std::uint32_t slot) {
    m_slots[slot].live = false;
    m_freeSlots.push_back(slot);
}

void SimulationCore::sendMessage(JobRun& run, ParameterMessage&& message, double holdSeconds) {
    const std::uint32_t slot =
        newSlot(run.id, run.generation, Slot::Use::message, vertexOfNode(run, message.from),
                vertexOfNode(run, message.to), message.bytes);
    if (WorkerRun* worker = workerOf(run, message)) worker->slots.push_back(slot);
    m_slots[slot].message = std::move(message);
    if (holdSeconds > 0)
        m_queue.push(m_now + Duration::seconds(holdSeconds), static_cast<std::uint16_t>(Kind::slotLeave), 0,
                     slot, m_slots[slot].serial);
    else
        launch(slot);
}

const std::optional<RouteTable::Route>& SimulationCore::routeBetween(std::uint32_t from, std::uint32_t to) {
    const auto [it, fresh] = m_knownRoutes.try_emplace(entityOf(from, to));
    if (fresh) it->second = m_routes.route(from, to);
    return it->second;
}

void SimulationCore::launch(std::uint32_t index) {
    Slot& slot = m_slots[index];
    const auto arriveAfter = [&](Duration delay) {
        m_queue.push(m_now + delay, static_cast<std::uint16_t>(Kind::slotDeliver), 0, index, slot.serial);
    };
    if (slot.from == slot.to) {
        const double bandwidth = workload->cluster.localBandwidth;
        arriveAfter(Duration::seconds(bandwidth > 0 ? slot.bytes / bandwidth : 0));
        return;
    }
    const auto& route = routeBetween(slot.from, slot.to);
    slot.blocked = !route;
    if (slot.blocked) return; // waits for a repair
    slot.latency = route->latency;
    if (options.scenario->network == NetworkModel::rate) {
        double bandwidth = route->bottleneck;
        const JobRun* run = runOf(slot.job, slot.generation);
        if (run && !run->bandwidthShare.empty())
            for (const DirectedLink link : route->links)
                bandwidth = std::min(bandwidth, run->bandwidthShare[link]);
        if (slot.bytes > 0)
            for (const DirectedLink link : route->links) carry(slot.job, link, slot.bytes);
        arriveAfter(route->latency + Duration::seconds(slot.bytes / bandwidth));
    } else if (slot.bytes > 0) {
        slot.links = route->links;
        slot.flow = m_network.start(route->links, slot.bytes,
                                    (static_cast<std::uint64_t>(slot.serial) << 32) | index, m_now);
        slot.inFlow = true;
        m_networkTouched = true;
    } else {
        arriveAfter(route->latency);
    }
}

/// Counts bytes that cross a link now in the rate model. All messages of a job over one link at one instant
/// become one event: thousands of workers begin at once and read the same parameters.
void SimulationCore::carry(JobId job, DirectedLink link, double bytes) {
    std::uint32_t& at = m_carriedAt[link];
    if (at >= m_carried.size() || m_carried[at].link != link || m_carried[at].job != job) {
        at = static_cast<std::uint32_t>(m_carried.size());
        m_carried.push_back({job, link, 0});
    }
    m_carried[at].bytes += bytes;
}

void SimulationCore::logCarried() {
    for (const Carried& c : m_carried) emit(EventType::linkCarried, c.job, c.link, 0, c.bytes);
    m_carried.clear();
}

void SimulationCore::deliver(std::uint32_t index) {
    Slot& slot = m_slots[index];
    JobRun* run = runOf(slot.job, slot.generation);
    releaseSlot(index);
    if (!run) return;
    switch (slot.use) {
    case Slot::Use::message:
        if (WorkerRun* worker = workerOf(*run, slot.message)) std::erase(worker->slots, index);
        deliverMessage(*run, std::move(slot.message)); // taken out before an answer can use the slot
        break;
    case Slot::Use::checkpoint:
        if (--run->checkpointTransfers == 0) checkpointArrived(*run);
        break;
    case Slot::Use::prepare:
        if (--run->transfersMissing == 0) beginRun(*run);
        break;
    }
}

void SimulationCore::cancelSlot(std::uint32_t index) {
    if (m_slots[index].inFlow) {
        m_network.cancel(m_slots[index].flow, m_now);
        m_networkTouched = true;
    }
    m_slots[index].message = {};
    releaseSlot(index);
}

/// All transfers of a job.
void SimulationCore::cancelSlots(JobId job) {
    for (std::uint32_t i = 0; i < m_slots.size(); ++i)
        if (m_slots[i].live && m_slots[i].job == job) cancelSlot(i);
}

/// The messages of a worker's current task, in order of their slots.
void SimulationCore::cancelMessages(JobRun& run, std::uint32_t index) {
    WorkerRun& worker = run.workers[index];
    std::sort(worker.slots.begin(), worker.slots.end());
    for (const std::uint32_t slot : worker.slots) cancelSlot(slot);
    worker.slots.clear();
}

// A link went down or came back: transfers on it take another way with what they have left; blocked ones try
// again.
void SimulationCore::rerouteAfter(LinkId link, bool up) {
    m_routes.setLinkUp(link, up);
    m_knownRoutes.clear();
    m_speed.setLinkUp(link, up);
    for (const DirectedLink d : {2 * link.value, 2 * link.value + 1})
        m_network.setCapacity(d, up ? workload->cluster.links[link.index()].bandwidth : 0, m_now);
    m_networkTouched = true;
    for (std::uint32_t i = 0; i < m_slots.size(); ++i) {
        Slot& slot = m_slots[i];
        if (!slot.live) continue;
        const bool crosses =
            std::any_of(slot.links.begin(), slot.links.end(), [&](auto l) { return l / 2 == link.value; });
        if (!up && slot.inFlow && crosses) {
            slot.bytes = m_network.cancel(slot.flow, m_now);
            slot.inFlow = false;
            launch(i);
        } else if (up && slot.blocked) {
            launch(i);
        }
    }
}

void SimulationCore::completeFlows() {
    std::vector<std::uint64_t> tags;
    m_network.complete(m_now, tags);
    m_networkTouched = true;
    for (const auto tag : tags) {
        const auto index = static_cast<std::uint32_t>(tag);
        Slot& slot = m_slots[index];
        if (!slot.live || slot.serial != tag >> 32) continue;
        slot.inFlow = false;
        m_queue.push(m_now + slot.latency, static_cast<std::uint16_t>(Kind::slotDeliver), 0, index,
                     slot.serial);
    }
}

// Solves what changed, logs the new loads, and sees that the next completion is in the queue.
void SimulationCore::flushNetwork() {
    if (!m_networkTouched) return;
    m_networkTouched = false;
    const SimTime next = m_network.nextCompletion();
    m_network.takeLinkReports(m_linkReports);
    for (const LinkReport& report : m_linkReports) {
        if (report.unreportedBytes != 0)
            emit(EventType::linkCarried, {}, report.link, 0, report.unreportedBytes);
        emit(EventType::linkLoad, {}, report.link, 0, report.load);
    }
    if (next == m_networkAt && next != SimTime::never() && next > m_now) return;
    m_networkAt = next;
    ++m_networkEvent; // an older entry in the queue is stale
    if (next != SimTime::never())
        m_queue.push(std::max(next, m_now), static_cast<std::uint16_t>(Kind::network), 0, 0, m_networkEvent);
}

} // namespace trainyard
