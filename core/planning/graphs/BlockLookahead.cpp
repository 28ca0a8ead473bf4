// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/graphs/BlockLookahead.h"

#include <algorithm>
#include <array>
#include <limits>
#include <queue>

namespace trainyard {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Messages that left one part at one instant and take equally long: those to the parts of one operation, or exchanges with parts that are
/// equally far.
struct Departure {
    double due = 0;
    std::uint32_t from = 0, to = 0; ///< operations; equal: exchanges
    std::uint16_t part = 0;         ///< of `from`
    std::uint8_t distance = 0;      ///< of exchanges
    bool operator>(const Departure& o) const { return due > o.due; }
};

/// On one channel; the shortest goes first, of equally long ones that of the later edge.
struct Message {
    double seconds = 0;
    std::size_t edge = 0;
    double due = 0;
    bool operator<(const Message& o) const { return seconds != o.seconds ? seconds > o.seconds : edge < o.edge; }
};

/// A part that is ready; the shortest goes first, of equally long ones that of the later operation.
struct ReadyPart {
    double seconds = 0;
    std::uint32_t operation = 0;
    std::uint16_t part = 0;
    bool operator<(const ReadyPart& o) const {
        return seconds != o.seconds ? seconds > o.seconds : operation < o.operation;
    }
    bool operator==(const ReadyPart&) const = default;
};

/// In which of group, rack and place two servers differ, as bits.
int distanceOf(const OpticalNetwork& network, int a, int b) {
    const ServerPlace p = placeOf(network, a), q = placeOf(network, b);
    return (p.group != q.group ? 1 : 0) | (p.rack != q.rack ? 2 : 0) | (p.place != q.place ? 4 : 0);
}

class StepRun {
public:
    StepRun(const SplitGraph& graph, const GraphPlacement& placement, const OpticalNetwork& network,
            const GraphSetting& setting, std::vector<PartTime>* parts)
        : m_graph(graph), m_placement(placement), m_network(network), m_setting(setting), m_record(parts),
          m_messageSeconds(messageSeconds(graph, placement, network, setting)), m_waiting(graph.partCount()),
          m_left(graph.partCount()), m_servers(static_cast<std::size_t>(network.serverCount())),
          m_channels(m_servers.size() * m_servers.size()), m_unfinished(graph.partCount()) {
        for (std::size_t a = 0; a < m_servers.size(); ++a)
            for (std::size_t b = 0; b < m_servers.size(); ++b)
                m_distances.push_back(
                    static_cast<std::uint8_t>(distanceOf(network, static_cast<int>(a), static_cast<int>(b))));
        for (std::size_t v = 0; v < graph.operations(); ++v)
            for (int i = 0; i < graph.parts(v); ++i) {
                const std::size_t p = graph.firstPart(v) + static_cast<std::size_t>(i);
                m_left[p] = graph.partSeconds(v);
                m_waiting[p] = graph.predecessors(v);
                if (m_waiting[p] == 0) makeReady(v, i);
            }
    }

    StepTimes run() {
        StepTimes times;
        while (m_unfinished > 0 || !m_departures.empty()) {
            const bool working = choose();
            const double next = std::min(endOfWork(), endOfMessages());
            if (!(next < never)) return {.seconds = never}; // a message takes for ever
            if (working) times.computationSeconds += next - m_now;
            if (!m_departures.empty()) times.communicationSeconds += next - m_now;
            m_now = next;
            finishMessages();
            finishParts();
        }
        times.seconds = m_now;
        return times;
    }

private:
    struct Server {
        std::priority_queue<ReadyPart> ready;
        bool working = false;
        ReadyPart chosen;
        double begun = 0, due = 0;
    };
    struct Channel {
        std::vector<Message> messages; ///< heap; some are done
        bool listed = false;
    };

    std::uint8_t serverOf(std::size_t operation, int part) const {
        return m_placement[operation % m_graph.forwardOperations()][static_cast<std::size_t>(part)];
    }
    std::size_t partIndex(const ReadyPart& p) const { return m_graph.firstPart(p.operation) + p.part; }

    void makeReady(std::size_t operation, int part) {
        m_servers[serverOf(operation, part)].ready.push(
            {m_graph.partSeconds(operation), static_cast<std::uint32_t>(operation), static_cast<std::uint16_t>(part)});
    }

    /// Each server takes the first of its ready parts; one that it has begun may have to wait.
    bool choose() {
        bool working = false;
        for (Server& s : m_servers) {
            if (s.ready.empty()) continue;
            working = true;
            if (s.working && s.chosen == s.ready.top()) continue;
            interrupt(s);
            s.chosen = s.ready.top();
            s.working = true;
            s.begun = m_now;
            s.due = m_now + m_left[partIndex(s.chosen)];
        }
        return working;
    }

    void interrupt(Server& s) {
        if (!s.working) return;
        m_left[partIndex(s.chosen)] = s.due - m_now;
        note(s);
        s.working = false;
    }

    void note(const Server& s) {
        if (m_record && m_now > s.begun)
            m_record->push_back(
                {s.chosen.operation, s.chosen.part, static_cast<std::uint8_t>(&s - m_servers.data()), s.begun, m_now});
    }

    double endOfWork() const {
        double end = never;
        for (const Server& s : m_servers)
            if (s.working) end = std::min(end, s.due);
        return end;
    }

    double endOfMessages() {
        if (!m_departures.empty() && m_departures.top().due <= m_now) return m_now; // one that takes no time
        double end = never;
        std::size_t kept = 0;
        for (const std::uint32_t c : m_busyChannels) {
            std::vector<Message>& messages = m_channels[c].messages;
            while (!messages.empty() && messages.front().due <= m_now) {
                std::pop_heap(messages.begin(), messages.end());
                messages.pop_back();
            }
            m_channels[c].listed = !messages.empty();
            if (messages.empty()) continue;
            end = std::min(end, messages.front().due);
            m_busyChannels[kept++] = c;
        }
        m_busyChannels.resize(kept);
        return end;
    }

    void finishMessages() {
        m_arrived.clear();
        while (!m_departures.empty() && m_departures.top().due <= m_now) {
            m_arrived.push_back(m_departures.top());
            m_departures.pop();
        }
        for (const Departure& d : m_arrived) arrive(d);
    }

    void arrive(const Departure& d) {
        const std::uint8_t from = serverOf(d.from, d.part);
        const bool exchange = d.from == d.to;
        if (exchange && !m_setting.exchangesCountAsPredecessors) return;
        for (int j = 0; j < m_graph.parts(d.to); ++j) {
            if (exchange && j == d.part) continue;
            const std::uint8_t to = serverOf(d.to, j);
            if (to != from && (!exchange || distance(from, to) == d.distance)) countPredecessor(d.to, j);
        }
    }

    void countPredecessor(std::size_t operation, int part) {
        std::uint32_t& waiting = m_waiting[m_graph.firstPart(operation) + static_cast<std::size_t>(part)];
        if (waiting > 0 && --waiting == 0) makeReady(operation, part);
    }

    void finishParts() {
        // First all that end now, then what follows: a message that is sent at this instant begins with the next.
        m_ended.clear();
        for (Server& s : m_servers) {
            if (!s.working || s.due > m_now) continue;
            note(s);
            m_ended.push_back(s.chosen);
            removeChosen(s);
            s.working = false;
        }
        m_unfinished -= m_ended.size();
        for (const ReadyPart& p : m_ended) send(p);
    }

    /// It may be no longer the first of those that are ready, since messages have arrived.
    static void removeChosen(Server& s) {
        std::vector<ReadyPart> before;
        while (!(s.ready.top() == s.chosen)) {
            before.push_back(s.ready.top());
            s.ready.pop();
        }
        s.ready.pop();
        for (const ReadyPart& p : before) s.ready.push(p);
    }

    void send(const ReadyPart& p) {
        const std::uint8_t from = serverOf(p.operation, p.part);
        std::size_t index = m_graph.edgeIndex(p.operation);
        for (const SplitEdge& e : m_graph.after(p.operation)) {
            bool leaves = false;
            for (int j = 0; j < m_graph.parts(e.to); ++j) {
                const std::uint8_t to = serverOf(e.to, j);
                if (to == from || !(e.bytes > 0)) {
                    countPredecessor(e.to, j);
                } else {
                    leaves = true;
                    put(from, to, {m_messageSeconds[index], index, m_now + m_messageSeconds[index]});
                }
            }
            if (leaves) m_departures.push({m_now + m_messageSeconds[index], p.operation, e.to, p.part, 0});
            ++index;
        }
        if (m_graph.exchangeBytes(p.operation) > 0) exchange(p, from);
    }

    void exchange(const ReadyPart& p, std::uint8_t from) {
        const std::size_t edge = m_graph.edgeCount() + p.operation;
        std::array<double, 8> seconds{};
        seconds.fill(-1);
        for (int j = 0; j < m_graph.parts(p.operation); ++j) {
            const std::uint8_t to = serverOf(p.operation, j);
            if (j == p.part || to == from) continue;
            const std::uint8_t d = distance(from, to);
            if (seconds[d] < 0) {
                seconds[d] = allReduceSeconds(m_network, m_setting,
                                              spreadOf(m_network, ServerMask{1} << from | ServerMask{1} << to),
                                              2 * m_graph.exchangeBytes(p.operation));
                m_departures.push({m_now + seconds[d], p.operation, p.operation, p.part, d});
            }
            put(from, to, {seconds[d], edge, m_now + seconds[d]});
        }
    }

    std::uint8_t distance(std::uint8_t from, std::uint8_t to) const {
        return m_distances[from * m_servers.size() + to];
    }

    void put(std::uint8_t from, std::uint8_t to, const Message& message) {
        const std::size_t c = from * m_servers.size() + to;
        Channel& channel = m_channels[c];
        channel.messages.push_back(message);
        std::push_heap(channel.messages.begin(), channel.messages.end());
        if (channel.listed) return;
        channel.listed = true;
        m_busyChannels.push_back(static_cast<std::uint32_t>(c));
    }

    const SplitGraph& m_graph;
    const GraphPlacement& m_placement;
    const OpticalNetwork& m_network;
    const GraphSetting& m_setting;
    std::vector<PartTime>* m_record;
    std::vector<double> m_messageSeconds; ///< by edge
    std::vector<std::uint8_t> m_distances;
    std::vector<std::uint32_t> m_waiting; ///< predecessors that are not done, by part
    std::vector<double> m_left;           ///< seconds of work, by part
    std::vector<Server> m_servers;
    std::vector<Channel> m_channels; ///< by from · servers + to
    std::vector<std::uint32_t> m_busyChannels;
    std::priority_queue<Departure, std::vector<Departure>, std::greater<>> m_departures;
    std::vector<Departure> m_arrived;
    std::vector<ReadyPart> m_ended;
    std::size_t m_unfinished;
    double m_now = 0;
};

} // namespace

StepTimes lookAhead(const SplitGraph& graph, const GraphPlacement& placement, const OpticalNetwork& network,
                    const GraphSetting& setting, std::vector<PartTime>* parts) {
    require(placement.size() == graph.forwardOperations(), "a look-ahead needs a block for each operation");
    return StepRun(graph, placement, network, setting, parts).run();
}

} // namespace trainyard
