// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/keyed/KeyedCounts.h"

#include "learning/keyed/KeyedChoices.h"

#include <algorithm>

namespace trainyard {

std::vector<Event> countEvents(JobId job, std::uint32_t node, const KeyedCounts& counts) {
    std::vector<Event> out;
    const auto add = [&](KeyCounter counter, std::size_t bucket, double count) {
        if (count != 0)
            out.push_back(events::keysCounted(job, counter, node, static_cast<std::uint32_t>(bucket), count));
    };
    const auto from = [](KeyCounter first, std::size_t n) {
        return static_cast<KeyCounter>(static_cast<std::size_t>(first) + n);
    };
    for (std::size_t kind = 0; kind < 3; ++kind) {
        for (std::size_t b = 0; b < rankBuckets; ++b)
            add(from(KeyCounter::localPulls, kind), b, static_cast<double>(counts.pulls[kind][b]));
        add(from(KeyCounter::localPushes, kind), 0, static_cast<double>(counts.pushes[kind]));
    }
    for (std::size_t type = 0; type < keyMessageTypes; ++type) {
        add(KeyCounter::messages, type, static_cast<double>(counts.messages[type]));
        add(KeyCounter::messageBytes, type, static_cast<double>(counts.bytes[type]));
    }
    add(KeyCounter::serverSeconds, 0, static_cast<double>(counts.serverNs) * 1e-9);
    add(KeyCounter::sendingSeconds, 0, static_cast<double>(counts.sendingNs) * 1e-9);
    add(KeyCounter::receivingSeconds, 0, static_cast<double>(counts.receivingNs) * 1e-9);
    add(KeyCounter::keysReceived, 0, static_cast<double>(counts.received));
    add(KeyCounter::replicaRounds, 0, static_cast<double>(counts.rounds));
    for (const Event& event : heldEvents(job, node, counts.held)) out.push_back(event);
    add(KeyCounter::deliverySeconds, 0, static_cast<double>(counts.deliveryNs) * 1e-9);
    add(KeyCounter::replicaStaleness, 0, static_cast<double>(counts.stalenessNs) * 1e-9);
    add(KeyCounter::copySeconds, 0, static_cast<double>(counts.copyNs) * 1e-9);
    add(KeyCounter::copyAge, 0, static_cast<double>(counts.copyAgeNs) * 1e-9);
    for (std::size_t b = 0; b < copyAgeBuckets; ++b)
        add(KeyCounter::copyRefreshes, b, static_cast<double>(counts.copyRefreshes[b]));
    add(KeyCounter::sampleDispersion, 0, counts.sampleDispersion);
    return out;
}

std::vector<Event> heldEvents(JobId job, std::uint32_t node, const std::array<std::int64_t, rankBuckets>& held) {
    std::vector<Event> out;
    for (std::uint32_t b = 0; b < rankBuckets; ++b)
        if (held[b] != 0)
            out.push_back(events::keysCounted(job, KeyCounter::keysHeld, node, b, static_cast<double>(held[b])));
    return out;
}

std::array<std::int64_t, rankBuckets> heldReplicas(const KeyJob& job) {
    std::array<std::int64_t, rankBuckets> held{};
    for (const std::uint32_t key : job.replicated) ++held[job.buckets[key]];
    return held;
}

std::array<std::int64_t, rankBuckets> heldKeys(const KeyNode& node) {
    std::array<std::int64_t, rankBuckets> held{};
    for (std::uint32_t key = 0; key < node.store().keys(); ++key)
        if (node.store().slot(key).state() == KeySlot::State::here) ++held[node.job().buckets[key]];
    return held;
}

std::vector<Event> byteEvents(JobId job, const KeyedRoutes& routes, const std::vector<std::uint64_t>& bytes,
                              std::size_t links) {
    std::vector<double> carried(2 * links, 0);
    for (std::size_t a = 0; a < routes.nodes(); ++a)
        for (std::size_t b = 0; b < routes.nodes(); ++b)
            for (const DirectedLink link : routes.between(a, b).links)
                carried[link] += static_cast<double>(bytes[a * routes.nodes() + b]);
    std::vector<Event> out;
    for (DirectedLink link = 0; link < carried.size(); ++link)
        if (carried[link] > 0) out.push_back(events::linkCarried(job, link, carried[link]));
    return out;
}

std::vector<Event> evaluationEvents(JobId job, const KeyedAccess& access, std::uint64_t done,
                                    const KeyedEvaluation& found) {
    std::vector<Event> out{events::lossEvaluated(job, done, found.loss)};
    const KeyedModelInfo* info = findKeyedModel(access.task->model.id);
    for (const Quality& quality : found.qualities) {
        const auto it = std::ranges::find(info->qualities, quality.name, &QualityInfo::id);
        require(it != info->qualities.end(), "a keyed model has a quality that it does not declare");
        out.push_back(events::qualityEvaluated(job, static_cast<std::uint16_t>(it - info->qualities.begin()), done,
                                               quality.value));
    }
    return out;
}

} // namespace trainyard
