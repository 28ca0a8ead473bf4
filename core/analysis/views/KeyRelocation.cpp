// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A relocation of a watched key, message by message: machines below each other, time to the right.
#include "analysis/KeyReason.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <optional>

namespace trainyard {

namespace key_relocation {

using Message = KeyedCourse::Message;
constexpr std::size_t mostOthers = 8; ///< messages beside those by which the key moves

constexpr std::array names{TRAINYARD_TEXT("pull request"), TRAINYARD_TEXT("pull answer"),   TRAINYARD_TEXT("push"),
                           TRAINYARD_TEXT("push answer"),  TRAINYARD_TEXT("localize"),      TRAINYARD_TEXT("hand over"),
                           TRAINYARD_TEXT("transfer"),     TRAINYARD_TEXT("replica round"), TRAINYARD_TEXT("clock")};

bool moves(const Message& m) {
    return m.type == KeyMessageType::localize || m.type == KeyMessageType::handOver ||
           m.type == KeyMessageType::transfer;
}

bool isWithin(const Message& m, SimTime from, SimTime to) { return m.sent >= from && m.sent <= to; }

/// Of the key that was asked for last before the instant, and of the first one if none has been by then: the messages of this one move,
/// from the request to the transfer to who asked, and the first of those by which others read and add meanwhile.
std::vector<Message> relocationAt(const std::vector<Message>& all, SimTime at) {
    const Message *begin = nullptr, *transfer = nullptr, *handOver = nullptr;
    for (const Message& m : all)
        if (m.type == KeyMessageType::localize && (m.sent <= at || !begin)) begin = &m;
    if (!begin) return {};
    for (const Message& m : all)
        if (!transfer && m.type == KeyMessageType::transfer && m.key == begin->key && m.to == begin->from &&
            m.sent >= begin->received)
            transfer = &m;
    const SimTime end = transfer ? transfer->sent : SimTime::never();
    // Of several the last to the machine that sends the key on: earlier ones are of other moves. A home that has it needs none.
    for (const Message& m : all)
        if (m.type == KeyMessageType::handOver && m.key == begin->key && m.from == begin->to &&
            isWithin(m, begin->received, end) && (transfer ? m.to == transfer->from : !handOver))
            handOver = &m;
    std::vector<Message> out;
    std::size_t others = 0;
    for (const Message& m : all) {
        if (m.key != begin->key || !isWithin(m, begin->sent, end)) continue;
        if (moves(m) ? &m == begin || &m == handOver || &m == transfer : ++others <= mostOthers) out.push_back(m);
        if (&m == transfer) break;
    }
    return out;
}

/// From 1; nothing: the key is neither followed nor watched.
std::optional<std::uint64_t> rankOf(const ViewRequest& request, std::uint32_t key) {
    const auto& followed = request.run.fold<KeyedCourse>().followed(request.job);
    const auto at = std::ranges::find(followed, key, &KeyedCourse::Followed::key);
    if (at != followed.end()) return static_cast<std::uint64_t>(at - followed.begin()) + 1;
    for (const double rank : request.run.workload().job(request.job).keyedAccess()->watchedRanks) {
        const auto reason = keyReason(request.run, request.job, static_cast<std::uint64_t>(rank), request.at);
        if (reason && reason->key == key) return reason->rank;
    }
    return std::nullopt;
}

Text whyNothing(const ViewRequest& request) {
    const KeyedAccess* access = request.run.workload().job(request.job).keyedAccess();
    if (!access) return {TRAINYARD_TEXT("The job has no keys: its iterations read all parameters."), {}};
    if (access->watchedRanks.empty())
        return {TRAINYARD_TEXT(
                    "No key of this job is watched: messages are counted, but not logged one by one. Which keys are "
                    "watched, by their ranks, is a property of the job."),
                {}};
    return {TRAINYARD_TEXT("No watched key has moved to another machine so far."), {}};
}

std::size_t addNode(Diagram& diagram, std::string id, double x, double y, Text label, SimTime at, double size) {
    diagram.nodes.push_back({.id = std::move(id),
                             .x = x,
                             .y = y,
                             .width = size,
                             .height = size,
                             .label = std::move(label),
                             .ref = {.at = at}});
    return diagram.nodes.size() - 1;
}

/// What a machine has to do with the relocation, which begins with a request to the home and ends with a transfer to who asked.
Text headOf(const std::vector<Message>& messages, std::uint32_t node, std::string name) {
    const bool asks = node == messages.front().from, home = node == messages.front().to;
    const auto handOver = std::ranges::find(messages, KeyMessageType::handOver, &Message::type);
    const auto transfer = std::ranges::find(messages, KeyMessageType::transfer, &Message::type);
    const bool had =
        handOver != messages.end() ? node == handOver->to : transfer != messages.end() && node == transfer->from;
    return {asks          ? TRAINYARD_TEXT("{0}: asks")
            : home && had ? TRAINYARD_TEXT("{0}: home, has it")
            : home        ? TRAINYARD_TEXT("{0}: home")
            : had         ? TRAINYARD_TEXT("{0}: has it")
                          : TRAINYARD_TEXT("{0}"),
            {std::move(name)}};
}

Computation compute(const ViewRequest& request) {
    const auto messages = relocationAt(request.run.fold<KeyedCourse>().messages(request.job), request.at);
    Diagram diagram;
    diagram.meaning = {
        TRAINYARD_TEXT(
            "One move of a watched key: the messages by which it moves (solid), and the first of those about it meanwhile "
            "(dashed), from the sender's row to the receiver's, in the order in which they were sent. The legend tells when "
            "each was sent and received, from the request on. The home names the new owner at once."),
        {}};
    if (messages.empty()) {
        diagram.empty = whyNothing(request);
        return diagram;
    }
    std::vector<std::uint32_t> machines;
    for (const Message& m : messages)
        for (const std::uint32_t node : {m.from, m.to})
            if (std::ranges::find(machines, node) == machines.end()) machines.push_back(node);
    std::ranges::sort(machines);
    const auto row = [&](std::uint32_t node) {
        return 2.6 * static_cast<double>(std::ranges::find(machines, node) - machines.begin());
    };
    const auto nodes = nodesOf(request.run, request.job);
    for (const std::uint32_t node : machines) {
        const std::size_t head =
            addNode(diagram, "machine-" + std::to_string(node), 0, row(node),
                    headOf(messages, node, nodeName(request.run, nodes, node)), SimTime::never(), 1);
        diagram.nodes[head].width = 4.4;
        diagram.nodes[head].shape = Node::Shape::box;
        if (node < nodes.size()) diagram.nodes[head].ref.machine = nodes[node];
    }
    for (std::size_t n = 0; n < messages.size(); ++n) {
        const Message& m = messages[n];
        const double x = 3.6 + 2.8 * static_cast<double>(n);
        const std::string number = std::to_string(n);
        const std::size_t from = addNode(diagram, "sent-" + number, x, row(m.from), {}, m.sent, 0.25);
        const std::size_t to = addNode(diagram, "received-" + number, x + 2.2, row(m.to), {}, m.received, 0.25);
        const bool moving = moves(m);
        diagram.edges.push_back(
            {.from = from,
             .to = to,
             .role = moving ? Role::accent() : Role::muted(),
             .dash = moving ? Dash::solid : Dash::dashed,
             .label = {names[static_cast<std::size_t>(m.type)], {}},
             .ref = {.at = m.sent},
             .note = {TRAINYARD_TEXT("{0}: sent at {1}, received {2} later"),
                      {names[static_cast<std::size_t>(m.type)], quantityText(m.sent.toSeconds(), "s", 6),
                       quantityText((m.received - m.sent).toSeconds(), "s")}}});
    }
    const SimTime begin = messages.front().sent;
    const std::uint32_t key = messages.front().key;
    diagram.legend = {
        legendItem({TRAINYARD_TEXT("key"), {}}), legendItem({TRAINYARD_TEXT("asked for at"), {}}),
        legendItem({TRAINYARD_TEXT("duration"), {}}, Quantity{(messages.back().received - begin).toSeconds(), "s"})};
    const auto rank = rankOf(request, key);
    diagram.legend[0].text = rank ? Text{TRAINYARD_TEXT("{0}, rank {1}"), {std::to_string(key), std::to_string(*rank)}}
                                  : nameText(std::to_string(key)); // a number, not a count
    diagram.legend[1].text = nameText(quantityText(begin.toSeconds(), "s", 6));
    for (const Message& m : messages) {
        diagram.legend.push_back(
            legendItem({TRAINYARD_TEXT("{0}, {1} to {2}"),
                        {names[static_cast<std::size_t>(m.type)], nodeName(request.run, nodes, m.from),
                         nodeName(request.run, nodes, m.to)}}));
        diagram.legend.back().text = {
            TRAINYARD_TEXT("{0} – {1}"),
            {quantityText((m.sent - begin).toSeconds(), "s"), quantityText((m.received - begin).toSeconds(), "s")}};
        diagram.legend.back().ref.at = m.sent;
    }
    return diagram;
}

} // namespace key_relocation

View keyRelocationView() {
    return {.id = "key-relocation",
            .group = keysGroup(),
            .title = {TRAINYARD_TEXT("Relocation of a key"), {}},
            .summary = {TRAINYARD_TEXT("The messages by which a watched key moves to another machine."), {}},
            .concerns = [](const RunIndex& run, JobId job) { return KeyedCourse::concerns(run, job); },
            .compute = key_relocation::compute};
}

} // namespace trainyard
