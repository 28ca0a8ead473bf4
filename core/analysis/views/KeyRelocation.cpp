// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A relocation of a watched key, message by message: machines side by side, time downwards.
#include "analysis/KeyedCourse.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>

namespace trainyard {

namespace key_relocation {

using Message = KeyedCourse::Message;
constexpr std::size_t mostMessages = 24;

constexpr std::array names{TRAINYARD_TEXT("pull request"), TRAINYARD_TEXT("pull answer"),   TRAINYARD_TEXT("push"),
                           TRAINYARD_TEXT("push answer"),  TRAINYARD_TEXT("localize"),      TRAINYARD_TEXT("hand over"),
                           TRAINYARD_TEXT("transfer"),     TRAINYARD_TEXT("replica round"), TRAINYARD_TEXT("clock")};

/// Of the key that was asked for last before the instant: its messages from there to the transfer that ends the relocation, and
/// from the first one if none has begun by then.
std::vector<Message> relocationAt(const std::vector<Message>& all, SimTime at) {
    const Message* begin = nullptr;
    for (const Message& m : all)
        if (m.type == KeyMessageType::localize && (m.sent <= at || !begin)) begin = &m;
    std::vector<Message> out;
    if (!begin) return out;
    for (const Message& m : all) {
        if (m.key != begin->key || m.sent < begin->sent || out.size() == mostMessages) continue;
        out.push_back(m);
        if (m.type == KeyMessageType::transfer && m.to == begin->from) break;
    }
    return out;
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

Computation compute(const ViewRequest& request) {
    const auto messages = relocationAt(request.run.fold<KeyedCourse>().messages(request.job), request.at);
    Diagram diagram;
    diagram.meaning = {
        TRAINYARD_TEXT(
            "The messages by which a watched key moves, and those about it meanwhile: from its sender at the left "
            "or right to its receiver, one below the other in the order in which they were sent. The home "
            "names the new owner at once."),
        {}};
    if (messages.empty()) {
        diagram.empty = {
            TRAINYARD_TEXT("No watched key has relocated. Watch some (watched_ranks) of a job whose keys relocate."),
            {}};
        return diagram;
    }
    std::vector<std::uint32_t> machines;
    for (const Message& m : messages)
        for (const std::uint32_t node : {m.from, m.to})
            if (std::ranges::find(machines, node) == machines.end()) machines.push_back(node);
    std::ranges::sort(machines);
    const auto column = [&](std::uint32_t node) {
        return 3.0 * static_cast<double>(std::ranges::find(machines, node) - machines.begin());
    };
    for (const std::uint32_t node : machines)
        addNode(diagram, "machine-" + std::to_string(node), column(node), 0,
                {TRAINYARD_TEXT("node {0}"), {std::to_string(node + 1)}}, SimTime::never(), 1.2);
    for (std::size_t n = 0; n < messages.size(); ++n) {
        const Message& m = messages[n];
        const double y = 1.5 + 1.2 * static_cast<double>(n);
        const std::string number = std::to_string(n);
        const std::size_t from = addNode(diagram, "sent-" + number, column(m.from), y, {}, m.sent, 0.25);
        const std::size_t to = addNode(diagram, "received-" + number, column(m.to), y + 0.6, {}, m.received, 0.25);
        const bool moves = m.type == KeyMessageType::localize || m.type == KeyMessageType::handOver ||
                           m.type == KeyMessageType::transfer;
        diagram.edges.push_back({.from = from,
                                 .to = to,
                                 .role = moves ? Role::accent() : Role::muted(),
                                 .dash = moves ? Dash::solid : Dash::dashed,
                                 .label = {names[static_cast<std::size_t>(m.type)], {}},
                                 .ref = {.at = m.sent}});
    }
    const double seconds = (messages.back().received - messages.front().sent).toSeconds();
    diagram.legend = {legendItem({TRAINYARD_TEXT("key"), {}}, count(messages.front().key)),
                      legendItem({TRAINYARD_TEXT("messages"), {}}, count(messages.size())),
                      legendItem({TRAINYARD_TEXT("duration"), {}}, Quantity{seconds, "s"})};
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
