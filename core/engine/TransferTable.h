// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The transfers that are under way between machines, in both modes: their routes, what they have left, which
// of them wait for the repair of a link, and which wait for an earlier one of their stream. Has no clock of
// its own: SimulationCore moves it by the event queue, RealNetwork by the steady clock. A copyable value.
#include "engine/FlowNetwork.h"
#include "model/Cluster.h"
#include "model/Routes.h"
#include "scenario/Scenario.h"

#include <array>
#include <optional>
#include <unordered_map>

namespace trainyard {

class TransferTable {
public:
    /// Position in the table; reused after release().
    using Id = std::uint32_t;
    /// When a transfer is there.
    struct Arrival {
        Id transfer = 0;
        SimTime at;
    };
    /// Bytes of a job that cross a link (rate model).
    struct Carried {
        JobId job;
        DirectedLink link = 0;
        double bytes = 0;
    };

    /// The cluster outlives the table. Rate model: each job has all links to itself.
    TransferTable(const Cluster& cluster, NetworkModel model);

    /// A transfer that has not left yet. `from`, `to`: vertices of the route table.
    Id add(JobId job, std::uint32_t from, std::uint32_t to, double bytes);
    /// The same, of a message between two nodes of a job: these arrive in the order in which they were added.
    Id addMessage(JobId job, std::uint32_t from, std::uint32_t to, double bytes, std::uint32_t fromNode,
                  std::uint32_t toNode);
    /// It leaves now. When it will be there, if that is known: no flow shares its way, or none is needed.
    std::optional<Arrival> depart(Id transfer, SimTime now);
    /// It is there now. false: an earlier message of its stream is not; it is named again by release().
    bool mayArrive(Id transfer);
    /// Ends a transfer that has arrived, or abandons one. Returns the message that has waited for this one
    /// and may arrive now.
    std::optional<Id> release(Id transfer, SimTime now);

    /// Transfers on a link that has failed take another way with what they have left; those without a way
    /// wait, and try again when a link is back.
    void setLink(LinkId link, bool up, SimTime now, std::vector<Arrival>& arrivals);
    /// When the next flow ends if nothing changes.
    SimTime nextCompletion() { return m_network.nextCompletion(); }
    /// Ends the flows that end at `now`.
    void complete(SimTime now, std::vector<Arrival>& arrivals);

    /// A job that has no transfers left: its streams and, under the rate model, its links.
    void forget(JobId job);
    /// True once after something may have changed nextCompletion() or a load.
    bool takeTouched() { return std::exchange(m_touched, false); }
    bool touched() const { return m_touched; }
    /// Loads that have changed since the last call, by link; none under the rate model.
    void takeLoads(std::vector<LinkReport>& loads);
    /// What crossed links since the last call; one entry for all messages of a job over one link.
    std::vector<Carried> takeCarried() { return std::exchange(m_carried, {}); }

    /// The present way between two vertices; nothing: there is none.
    const std::optional<RouteTable::Route>& routeBetween(std::uint32_t from, std::uint32_t to);
    bool live(Id transfer) const { return m_transfers[transfer].live; }
    JobId job(Id transfer) const { return m_transfers[transfer].job; }
    /// Tells a transfer from another that had its Id before.
    std::uint32_t serial(Id transfer) const { return m_transfers[transfer].serial; }
    std::size_t size() const { return m_transfers.size(); } ///< Ids are below
    std::size_t flows() const { return m_network.activeFlows(); }
    std::size_t vertexCount() const { return m_routes.vertexCount(); }
    std::uint32_t vertexOf(std::string_view key) const { return m_routes.vertexOf(key); }

private:
    static constexpr Id none = ~Id{0};
    /// The messages from one node of a job to another, kept with the lower-numbered of the two: a worker has few
    /// streams, to and from servers, where a server has as many as there are workers.
    struct Stream {
        std::uint64_t key = 0;    ///< the other node, and the direction; 0: free
        Id last = none;           ///< its latest message, unless that is over
        std::uint32_t serial = 0; ///< of that message
    };
    struct NodeStreams {
        std::array<Stream, 2> first; ///< to and from one other: all that most nodes have
        std::vector<Stream> more;    ///< ascending by key
    };
    struct OfJob {
        std::vector<std::pair<DirectedLink, DirectedLink>>
            links; ///< rate model: those that it uses, ascending, and the number of its own copy in `m_network`
        std::vector<NodeStreams> streams; ///< by node
    };
    struct Transfer {
        bool live = false, inFlow = false, blocked = false, isThere = false, inStream = false;
        std::uint32_t serial = 0;
        JobId job;
        std::uint32_t from = 0, to = 0;
        double bytes = 0;
        std::uint32_t fromNode = 0, toNode = 0; ///< of a message
        Id before = none, after = none;         ///< in the stream
    };
    /// What only a transfer has that shares links with others (`inFlow`).
    struct Flow {
        FlowId id = 0;
        Duration latency{};
        std::vector<DirectedLink> links;
    };

    void carry(JobId job, DirectedLink link, double bytes);
    Stream& streamOf(const Transfer& message);
    OfJob& ofJob(JobId job);
    /// Rate model: the job's own copies of these links.
    std::vector<DirectedLink> copiesOf(JobId job, std::span<const DirectedLink> links, SimTime now);

    const Cluster* m_cluster;
    NetworkModel m_model;
    FlowNetwork m_network; ///< of the cluster's links; under the rate model, of copies of them that one job each has
    std::vector<DirectedLink> m_freeLinks; ///< rate model: copies that no job has
    RouteTable m_routes;
    std::unordered_map<std::uint64_t, std::optional<RouteTable::Route>> m_knownRoutes; ///< asked for so far
    std::vector<Transfer> m_transfers;
    std::vector<Flow> m_flows; ///< by transfer, as far as needed
    std::vector<Id> m_free;
    std::vector<OfJob> m_jobs; ///< by job, as far as needed
    std::vector<Carried> m_carried;
    std::vector<std::uint32_t> m_carriedAt; ///< by directed link: its last entry there, if it still is one
    std::uint32_t m_serial = 0;
    bool m_touched = false;
};

} // namespace trainyard
