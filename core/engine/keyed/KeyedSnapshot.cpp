// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/keyed/KeyedSnapshot.h"

#include "base/Result.h"

#include <algorithm>

namespace trainyard {

namespace {

std::ptrdiff_t offsetOf(std::uint32_t key, std::uint32_t length) {
    return static_cast<std::ptrdiff_t>(std::size_t{key} * length);
}

} // namespace

std::uint32_t keyOwner(const KeyJob& job, const std::vector<const KeyNode*>& nodes, std::uint32_t key) {
    if (std::ranges::binary_search(job.replicated, key)) return everyNode;
    return nodes[job.homes.of(key)]->ownerOf(key);
}

std::vector<float> keyValues(const KeyJob& job, const std::vector<const KeyNode*>& nodes) {
    const std::uint32_t length = job.update.stored(), keys = job.keys->keys();
    std::vector<float> out(std::size_t{keys} * length);
    for (std::uint32_t key = 0; key < keys; ++key) {
        const std::uint32_t owner = keyOwner(job, nodes, key);
        const KeyStore& store = nodes[owner == everyNode ? 0 : owner]->store();
        const KeySlot slot = store.slot(key);
        require(slot.isLocal(), "a key was nowhere at a quiet point");
        std::copy_n(store.values(slot.index()), length, out.begin() + offsetOf(key, length));
    }
    return out;
}

KeyedEvaluation evaluateKeyed(const KeyedModel& model, const KeyJob& job, const std::vector<const KeyNode*>& nodes,
                              std::span<const std::pair<double, std::uint64_t>> losses) {
    KeyedEvaluation out;
    double sum = 0, examples = 0;
    for (const auto& [loss, count] : losses) sum += loss, examples += static_cast<double>(count);
    if (examples > 0) out.loss = sum / examples;
    const std::vector<float> values = keyValues(job, nodes);
    const std::uint32_t length = job.update.stored();
    out.qualities = model.evaluate([&](std::uint32_t key) { return &values[std::size_t{key} * length]; });
    return out;
}

std::vector<float> initialValues(const KeyedModel& model) {
    const std::uint32_t length = model.valuesPerKey();
    std::vector<float> out(std::size_t{model.keys()} * length);
    for (std::uint32_t key = 0; key < model.keys(); ++key) model.initialise(key, &out[std::size_t{key} * length]);
    return out;
}

void restoreValues(KeyNode& node, const std::vector<float>& values) {
    KeyStore& store = node.store();
    const std::uint32_t length = store.valuesPerKey();
    for (std::uint32_t key = 0; key < store.keys(); ++key)
        if (const KeySlot slot = store.slot(key); slot.isLocal())
            std::copy_n(values.begin() + offsetOf(key, length), length, store.writable(slot.index()));
    node.replicas().restore(store);
}

} // namespace trainyard
