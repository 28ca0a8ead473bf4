// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/keys/KeyNode.h"

#include "base/Result.h"

#include <algorithm>

namespace trainyard {

KeyNode::KeyNode(std::shared_ptr<const KeyJob> job, std::uint32_t self)
    : m_job(std::move(job)), m_self(self), m_store(m_job->keys->keys(), m_job->update.stored()),
      m_replicas(m_job, self, m_store), m_clocks(m_job->nodes, self, m_job->pace.bound) {
    const auto [first, end] = m_job->homes.candidates(self, m_store.keys());
    for (std::uint32_t key = first; key < end; ++key)
        if (m_job->homes.of(key) == self && !m_store.slot(key).isLocal())
            m_store.setSlot(key, KeySlot::of(KeySlot::State::here, m_store.allocate()));
    if (!m_job->plan.relocates) return;
    m_firstOwned = first;
    m_owners.assign(end - first, self);
}

std::size_t KeyNode::bytes() const {
    return m_store.bytes() + m_owners.capacity() * sizeof(m_owners[0]) + m_transfers.capacity() * sizeof(Transfer);
}

// --- Operations of workers

std::uint32_t KeyNode::destination(std::uint32_t key) const {
    const std::uint32_t home = m_job->homes.of(key);
    return home == m_self ? ownerOf(key) : home;
}

KeyNode::Addition KeyNode::addLocal(std::uint32_t key, const float* delta) {
    if (!m_store.slot(key).isLocal()) return Addition::none;
    const KeyStore::Guard guard(m_store, key);
    const KeySlot slot = m_store.slot(key); // it may have left
    if (!slot.isLocal()) return Addition::none;
    m_job->update.apply(m_store.writable(slot.index()), delta);
    if (!m_touched.empty()) {
        setTouched(key, true);
        return Addition::done;
    }
    const bool first = slot.state() == KeySlot::State::replica && m_replicas.touch(slot.index());
    return first ? Addition::firstOfReplica : Addition::done;
}

void KeyNode::pull(std::uint32_t worker, std::span<const std::uint32_t> keys, KeyOutbox& out, std::uint64_t) {
    request(KeyMessageType::pullRequest, worker, keys, nullptr, out);
}

void KeyNode::push(std::uint32_t worker, std::span<const std::uint32_t> keys, const float* deltas, KeyOutbox& out) {
    request(KeyMessageType::push, worker, keys, deltas, out);
}

void KeyNode::request(KeyMessageType type, std::uint32_t worker, std::span<const std::uint32_t> keys,
                      const float* deltas, KeyOutbox& out) {
    Messages& messages = m_messages;
    messages.clear();
    const bool isPush = type == KeyMessageType::push;
    const std::uint32_t length = isPush ? m_job->valuesPerKey : 0;
    for (std::size_t n = 0; n < keys.size(); ++n) {
        const float* delta = isPush ? deltas + n * length : nullptr;
        if (const KeySlot slot = m_store.slot(keys[n]); slot.state() == KeySlot::State::underWay) {
            queue(slot.index(), {.isPush = isPush, .node = m_self, .worker = worker}, delta);
            continue;
        }
        KeyMessage& message = messageTo(messages, type, destination(keys[n]), m_self, out);
        message.worker = worker;
        message.keys.push_back(keys[n]);
        message.values.insert(message.values.end(), delta, delta + length);
    }
    for (KeyMessage* message : messages) out.send(*message);
}

void KeyNode::queue(std::uint32_t number, Operation operation, const float* delta) {
    add(m_transfers[number], operation, delta, m_job->valuesPerKey);
}

void KeyNode::add(Transfer& transfer, Operation operation, const float* delta, std::uint32_t length) {
    operation.delta = static_cast<std::uint32_t>(transfer.deltas.size());
    if (operation.isPush) transfer.deltas.insert(transfer.deltas.end(), delta, delta + length);
    transfer.operations.push_back(operation);
}

std::uint32_t KeyNode::newTransfer(std::uint32_t key) {
    if (m_freeTransfers.empty()) {
        m_freeTransfers.push_back(static_cast<std::uint32_t>(m_transfers.size()));
        m_transfers.emplace_back();
    }
    const std::uint32_t number = m_freeTransfers.back();
    m_freeTransfers.pop_back();
    m_transfers[number].key = key;
    return number;
}

void KeyNode::freeTransfer(std::uint32_t number) {
    Transfer& transfer = m_transfers[number];
    transfer.onward = none;
    transfer.operations.clear();
    transfer.deltas.clear();
    m_freeTransfers.push_back(number);
}

KeyMessage& KeyNode::messageTo(Messages& messages, KeyMessageType type, std::uint32_t to, std::uint32_t requester,
                               KeyOutbox& out) {
    const auto it = std::find_if(messages.begin(), messages.end(),
                                 [&](const KeyMessage* m) { return m->type == type && m->to == to; });
    if (it != messages.end()) return **it;
    messages.push_back(&out.compose(type, to));
    messages.back()->requester = requester;
    return *messages.back();
}

void KeyNode::localize(std::span<const std::uint32_t> keys, KeyOutbox& out, std::uint64_t) {
    Messages messages;
    for (const std::uint32_t key : keys) {
        if (m_store.slot(key).state() != KeySlot::State::away) continue;
        const std::uint32_t number = newTransfer(key);
        m_store.setSlot(key, KeySlot::of(KeySlot::State::underWay, number));
        const std::uint32_t home = m_job->homes.of(key);
        if (home == m_self) // it asks the owner itself
            messageTo(messages, KeyMessageType::handOver, changeOwner(key, m_self), m_self, out).keys.push_back(key);
        else
            messageTo(messages, KeyMessageType::localize, home, m_self, out).keys.push_back(key);
    }
    for (KeyMessage* message : messages) out.send(*message);
}

// --- Messages

void KeyNode::onMessage(KeyMessage& message, KeyOutbox& out) {
    switch (message.type) {
    case KeyMessageType::pullRequest:
    case KeyMessageType::push: access(message, out); break;
    case KeyMessageType::pullAnswer:
        for (std::size_t n = 0; n < message.keys.size(); ++n)
            out.pulled(message.worker, message.keys[n], message.values.data() + n * m_job->valuesPerKey);
        break;
    case KeyMessageType::pushAnswer: out.pushed(message.worker, static_cast<std::uint32_t>(message.keys.size())); break;
    case KeyMessageType::localize: onLocalize(message, out); break;
    case KeyMessageType::handOver: onHandOver(message, out); break;
    case KeyMessageType::transfer: onTransfer(message, out); break;
    case KeyMessageType::replicaDelta: m_replicas.onMessage(message, m_store, out); break;
    case KeyMessageType::clock: m_clocks.onMessage(message, out); break;
    default: throw InvariantError("a node of a keyed job got a message that its policy does not know");
    }
}

/// Keys that are here are answered for together, those under way when they have come.
void KeyNode::access(const KeyMessage& request, KeyOutbox& out) {
    const bool isPush = request.type == KeyMessageType::push;
    const std::size_t length = isPush ? m_job->valuesPerKey : 0;
    require(!request.keys.empty() && request.values.size() == request.keys.size() * length,
            "a request is of keys, and an addition has as many values as a key");
    if (request.keys.size() > 1) {
        m_sorted = request.keys;
        std::ranges::sort(m_sorted);
        require(std::ranges::adjacent_find(m_sorted) == m_sorted.end(), "a request names each key once");
    }
    const Operation operation{.isPush = isPush, .node = request.requester, .worker = request.worker};
    Messages &answers = m_messages, &forwarded = m_forwarded;
    answers.clear();
    forwarded.clear();
    for (std::size_t n = 0; n < request.keys.size(); ++n) {
        const std::uint32_t key = request.keys[n];
        const float* delta = request.values.data() + n * length;
        const KeySlot slot = m_store.slot(key);
        if (slot.isLocal()) {
            carryOut(operation, key, slot.index(), delta, out, &answers);
            continue;
        }
        if (slot.state() == KeySlot::State::underWay) {
            queue(slot.index(), operation, delta);
            continue;
        }
        const std::uint32_t next = destination(key);
        require(next != m_self, "a node was asked for a key that it owns and does not have");
        KeyMessage& onward = messageTo(forwarded, request.type, next, request.requester, out);
        onward.worker = request.worker;
        onward.keys.push_back(key);
        onward.values.insert(onward.values.end(), delta, delta + length);
    }
    for (KeyMessage* message : answers) out.send(*message);
    for (KeyMessage* message : forwarded) out.send(*message);
}

void KeyNode::carryOut(const Operation& operation, std::uint32_t key, std::uint32_t place, const float* delta,
                       KeyOutbox& out, Messages* answers) {
    const std::uint32_t length = m_job->valuesPerKey;
    const KeyStore::Guard guard(m_store, key);
    if (operation.isPush) m_job->update.apply(m_store.writable(place), delta);
    if (operation.node == m_self) {
        if (operation.isPush)
            out.pushed(operation.worker, 1);
        else
            out.pulled(operation.worker, key, m_store.values(place));
        return;
    }
    out.applied(key);
    const KeyMessageType type = operation.isPush ? KeyMessageType::pushAnswer : KeyMessageType::pullAnswer;
    KeyMessage& answer =
        answers ? messageTo(*answers, type, operation.node, m_self, out) : out.compose(type, operation.node);
    answer.worker = operation.worker;
    answer.keys.push_back(key);
    if (!operation.isPush)
        answer.values.insert(answer.values.end(), m_store.values(place), m_store.values(place) + length);
    if (!answers) out.send(answer);
}

std::uint32_t KeyNode::changeOwner(std::uint32_t key, std::uint32_t requester) {
    return std::exchange(m_owners[ownerIndex(key)], requester);
}

void KeyNode::onLocalize(const KeyMessage& message, KeyOutbox& out) {
    Messages messages;
    for (const std::uint32_t key : message.keys) {
        const std::uint32_t owner = changeOwner(key, message.requester);
        require(owner != message.requester, "a node asked for a key that it owns");
        if (owner != m_self) {
            messageTo(messages, KeyMessageType::handOver, owner, message.requester, out).keys.push_back(key);
            continue;
        }
        const KeySlot slot = m_store.slot(key);
        if (slot.state() == KeySlot::State::underWay) {
            m_transfers[slot.index()].onward = message.requester;
            continue;
        }
        release(key, messageTo(messages, KeyMessageType::transfer, message.requester, message.requester, out));
        out.departed(key);
    }
    for (KeyMessage* each : messages) out.send(*each);
}

void KeyNode::release(std::uint32_t key, KeyMessage& into) {
    const KeySlot slot = m_store.slot(key);
    require(slot.state() == KeySlot::State::here, "a key was to be handed over by a node that does not have it");
    {
        const KeyStore::Guard guard(m_store, key);
        m_store.setSlot(key, {});
        const float* values = m_store.values(slot.index());
        into.keys.push_back(key);
        into.values.insert(into.values.end(), values, values + m_job->update.stored());
    }
    m_store.free(slot.index());
}

void KeyNode::onHandOver(const KeyMessage& message, KeyOutbox& out) {
    KeyMessage* transfer = nullptr;
    for (const std::uint32_t key : message.keys) {
        const KeySlot slot = m_store.slot(key);
        if (slot.state() == KeySlot::State::underWay) {
            std::uint32_t& onward = m_transfers[slot.index()].onward;
            require(onward == none, "a key under way was to be handed over twice");
            onward = message.requester;
            continue;
        }
        if (!transfer) {
            transfer = &out.compose(KeyMessageType::transfer, message.requester);
            transfer->requester = message.requester;
        }
        release(key, *transfer);
        out.departed(key);
    }
    if (transfer) out.send(*transfer);
}

void KeyNode::onTransfer(const KeyMessage& message, KeyOutbox& out) {
    const std::uint32_t length = m_job->update.stored();
    require(message.values.size() == message.keys.size() * length, "keys came with values of another length");
    for (std::size_t n = 0; n < message.keys.size(); ++n) {
        const std::uint32_t key = message.keys[n];
        const KeySlot slot = m_store.slot(key);
        require(slot.state() == KeySlot::State::underWay, "a key came that had not been asked for");
        const std::uint32_t place = m_store.allocate();
        std::copy_n(message.values.begin() + static_cast<std::ptrdiff_t>(n * length), length, m_store.writable(place));
        replay(m_transfers[slot.index()], place, out); // before the slot can be seen
        const std::uint32_t onward = m_transfers[slot.index()].onward;
        freeTransfer(slot.index());
        m_store.setSlot(key, KeySlot::of(KeySlot::State::here, place));
        if (onward == none) {
            out.located(key);
            continue;
        }
        KeyMessage& further = out.compose(KeyMessageType::transfer, onward);
        further.requester = onward;
        release(key, further);
        out.send(further);
    }
}

void KeyNode::replay(Transfer& transfer, std::uint32_t place, KeyOutbox& out) {
    for (const Operation& operation : transfer.operations)
        carryOut(operation, transfer.key, place, transfer.deltas.data() + operation.delta, out);
}

} // namespace trainyard
