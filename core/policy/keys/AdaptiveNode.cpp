// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/keys/AdaptiveNode.h"

#include "base/Result.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

AdaptiveNode::AdaptiveNode(std::shared_ptr<const KeyJob> job, std::uint32_t self)
    : KeyNode(std::move(job), self), m_wanted(m_store.keys()), m_announced(m_store.keys()) {
    m_touched.assign(m_store.keys(), 0);
}

KeyMessage& AdaptiveNode::gathered(KeyMessageType type, std::uint32_t to, KeyOutbox& out) {
    return messageTo(m_gathered, type, to, m_self, out);
}

void AdaptiveNode::flush(KeyOutbox& out) {
    for (KeyMessage* message : std::exchange(m_gathered, {})) out.send(*message);
}

/// The key will come: operations on it wait.
std::uint32_t AdaptiveNode::expect(std::uint32_t key) {
    const std::uint32_t number = newTransfer(key);
    m_store.setSlot(key, KeySlot::of(KeySlot::State::underWay, number));
    return number;
}

/// Of a copy whose key this node will own.
KeyNode::Transfer& AdaptiveNode::deferred(std::uint32_t key, Copy& copy) {
    if (copy.transfer == none) copy.transfer = newTransfer(key);
    return m_transfers[copy.transfer];
}

// --- What workers say

void AdaptiveNode::localize(std::span<const std::uint32_t> keys, KeyOutbox& out, std::uint64_t progress) {
    if (m_job->nodes == 1) return;
    m_progress = std::max(m_progress, progress);
    for (const std::uint32_t key : keys)
        if (m_wanted[key]++ == 0 && !m_announced[key]) announce(key, out);
    flush(out);
}

void AdaptiveNode::release(std::span<const std::uint32_t> keys) {
    for (const std::uint32_t key : keys)
        if (m_wanted[key] > 0 && --m_wanted[key] == 0) m_unwanted.push_back(key);
}

std::uint32_t AdaptiveNode::lookAhead(std::uint32_t) const {
    return static_cast<std::uint32_t>(std::min(2 * m_needed, static_cast<double>(mostLookAhead)));
}

void AdaptiveNode::announce(std::uint32_t key, KeyOutbox& out) {
    m_announced[key] = 1;
    m_asked[key] = {++m_number, m_progress};
    if (m_store.slot(key).state() == KeySlot::State::away) expect(key);
    const std::uint32_t home = m_job->homes.of(key);
    if (home == m_self) return onIntent(m_self, m_number, key, out);
    KeyMessage& message = gathered(KeyMessageType::intent, home, out);
    message.keys.push_back(key);
    message.numbers.push_back(m_number);
}

void AdaptiveNode::endIntent(std::uint32_t key, KeyOutbox& out) {
    m_announced[key] = 0;
    m_asked.erase(key);
    const std::uint32_t home = m_job->homes.of(key);
    if (home == m_self) return onIntentEnd(m_self, key, out);
    gathered(KeyMessageType::intentEnd, home, out).keys.push_back(key);
}

/// What was asked for has come: how long that took, in iterations.
void AdaptiveNode::arrived(std::uint32_t key) {
    const auto asked = m_asked.find(key);
    if (asked == m_asked.end()) return;
    m_needed = std::max(m_needed, static_cast<double>(m_progress - std::min(m_progress, asked->second.second)));
    if (m_wanted[key] == 0) m_unwanted.push_back(key);
}

// --- As a home

void AdaptiveNode::onIntent(std::uint32_t node, std::uint32_t number, std::uint32_t key, KeyOutbox& out) {
    auto& nodes = m_intents[key];
    if (const auto at = std::ranges::lower_bound(nodes, node); at == nodes.end() || *at != node) nodes.insert(at, node);
    const std::uint32_t owner = ownerOf(key);
    if (owner == node) return;
    if (nodes.size() == 1) return relocate(key, node, out);
    if (owner == m_self) return giveCopy(key, node, number, out);
    KeyMessage& message = gathered(KeyMessageType::replicate, owner, out);
    message.keys.push_back(key);
    message.numbers.insert(message.numbers.end(), {node, number});
}

void AdaptiveNode::onIntentEnd(std::uint32_t node, std::uint32_t key, KeyOutbox& out) {
    const auto known = m_intents.find(key);
    if (known == m_intents.end()) return;
    std::erase(known->second, node);
    if (known->second.empty())
        m_intents.erase(known);
    else if (known->second.size() == 1 && known->second[0] != ownerOf(key))
        relocate(key, known->second[0], out);
}

void AdaptiveNode::relocate(std::uint32_t key, std::uint32_t to, KeyOutbox& out) {
    const std::uint32_t from = changeOwner(key, to);
    if (from == m_self) return handOver(key, to, out);
    KeyMessage& message = gathered(KeyMessageType::handOver, from, out);
    message.keys.push_back(key);
    message.numbers.push_back(to);
}

// --- As an owner

/// Of a key that is here, or on its way here.
void AdaptiveNode::giveCopy(std::uint32_t key, std::uint32_t node, std::uint32_t number, KeyOutbox& out) {
    const Operation operation{.node = node, .kind = Operation::Kind::copy, .number = number};
    if (const KeySlot slot = m_store.slot(key); slot.state() == KeySlot::State::here)
        carryOutHere(operation, key, slot.index(), nullptr, out);
    else
        defer(key, operation, nullptr, 0);
}

/// An operation on a key that this node owns, or will own, and does not have.
void AdaptiveNode::defer(std::uint32_t key, const Operation& operation, const float* delta, std::uint32_t length) {
    const KeySlot slot = m_store.slot(key);
    if (slot.state() == KeySlot::State::replica) {
        Transfer& transfer = deferred(key, m_copies.at(key));
        add(transfer, operation, delta, length);
        return;
    }
    const std::uint32_t number = slot.state() == KeySlot::State::underWay ? slot.index() : expect(key);
    add(m_transfers[number], operation, delta, length);
}

/// Of a key in this place. Answers are gathered.
void AdaptiveNode::carryOutHere(const Operation& operation, std::uint32_t key, std::uint32_t place, const float* delta,
                                KeyOutbox& out, Messages* answers) {
    using Kind = Operation::Kind;
    if (operation.kind == Kind::access) return carryOut(operation, key, place, delta, out, answers);
    const std::uint32_t length = m_job->update.stored();
    const KeyStore::Guard guard(m_store, key);
    if (operation.kind == Kind::refresh && operation.isPush) addValues(m_store.writable(place), delta, length);
    if (operation.node == m_self || operation.number == 0) return; // it wants no answer
    const bool isCopy = operation.kind == Kind::copy;
    KeyMessage& answer = gathered(isCopy ? KeyMessageType::copy : KeyMessageType::refreshed, operation.node, out);
    answer.keys.push_back(key);
    answer.numbers.push_back(operation.number);
    answer.values.insert(answer.values.end(), m_store.values(place), m_store.values(place) + length);
    if (isCopy && m_wanted[key] == 0 && m_announced[key]) m_unowned.push_back(key);
}

void AdaptiveNode::handOver(std::uint32_t key, std::uint32_t to, KeyOutbox& out) {
    const KeySlot slot = m_store.slot(key);
    if (slot.state() == KeySlot::State::here) {
        release(key, gathered(KeyMessageType::transfer, to, out));
        out.departed(key);
        if (m_announced[key]) expect(key); // it will get a copy
        return;
    }
    std::uint32_t number = slot.index();
    if (slot.state() == KeySlot::State::replica)
        deferred(key, m_copies.at(key)), number = m_copies.at(key).transfer;
    else if (slot.state() == KeySlot::State::away)
        number = expect(key);
    require(m_transfers[number].onward == none, "a key under way was to be handed over twice");
    m_transfers[number].onward = to;
}

/// Requests come by the home: this node owns the key, or will.
void AdaptiveNode::access(const KeyMessage& request, KeyOutbox& out) {
    const bool isPush = request.type == KeyMessageType::push, isRefresh = request.type == KeyMessageType::refresh;
    const std::uint32_t length = isPush ? m_job->valuesPerKey : m_job->update.stored();
    std::vector<KeyMessage*> forwarded;
    for (std::size_t n = 0; n < request.keys.size(); ++n) {
        const std::uint32_t key = request.keys[n];
        const bool adds = isPush || (isRefresh && n < request.clock);
        const float* delta = adds ? request.values.data() + n * length : nullptr;
        const Operation operation{.isPush = adds,
                                  .node = request.requester,
                                  .worker = request.worker,
                                  .kind = isRefresh ? Operation::Kind::refresh : Operation::Kind::access,
                                  .number = isRefresh ? request.numbers[n] : 0};
        const KeySlot slot = m_store.slot(key);
        if (slot.state() == KeySlot::State::here) {
            carryOutHere(operation, key, slot.index(), delta, out, &m_gathered);
        } else if (const std::uint32_t owner = destination(key); m_job->homes.of(key) == m_self && owner != m_self) {
            KeyMessage& onward = messageTo(forwarded, request.type, owner, request.requester, out);
            onward.worker = request.worker;
            if (adds) onward.clock = onward.keys.size() + 1; // those that add come first
            onward.keys.push_back(key);
            if (isRefresh) onward.numbers.push_back(operation.number);
            if (adds) onward.values.insert(onward.values.end(), delta, delta + length);
        } else {
            defer(key, operation, delta, length);
        }
    }
    for (KeyMessage* message : forwarded) out.send(*message);
}

// --- As a holder of copies

void AdaptiveNode::onCopy(const KeyMessage& message, KeyOutbox& out) {
    const std::uint32_t length = m_job->update.stored();
    for (std::size_t n = 0; n < message.keys.size(); ++n) {
        const std::uint32_t key = message.keys[n];
        const auto asked = m_asked.find(key);
        const KeySlot slot = m_store.slot(key);
        if (slot.state() != KeySlot::State::underWay || asked == m_asked.end() ||
            asked->second.first != message.numbers[n])
            continue; // the key itself has come, or the copy is of an intent that has ended
        const float* values = message.values.data() + n * length;
        const std::uint32_t place = m_store.allocate();
        std::copy_n(values, length, m_store.writable(place));
        Copy& copy = m_copies[key];
        copy = {.base = {values, values + length}, .sent = message.sent, .number = message.numbers[n]};
        Transfer& transfer = m_transfers[slot.index()];
        std::erase_if(transfer.operations, [&](const Operation& operation) {
            if (operation.node != m_self || operation.kind != Operation::Kind::access)
                return false; // of others: this node will own the key
            carryOut(operation, key, place, transfer.deltas.data() + operation.delta, out);
            if (operation.isPush) setTouched(key, true);
            return true;
        });
        if (transfer.operations.empty() && transfer.onward == none)
            freeTransfer(slot.index());
        else
            copy.transfer = slot.index();
        m_store.setSlot(key, KeySlot::of(KeySlot::State::replica, place));
        arrived(key);
    }
}

void AdaptiveNode::onTransfer(const KeyMessage& message, KeyOutbox& out) {
    const std::uint32_t length = m_job->update.stored();
    for (std::size_t n = 0; n < message.keys.size(); ++n) {
        const std::uint32_t key = message.keys[n];
        const float* values = message.values.data() + n * length;
        const KeySlot slot = m_store.slot(key);
        std::uint32_t place = slot.index(), number = none;
        if (slot.state() == KeySlot::State::replica) {
            const auto held = m_copies.find(key);
            const KeyStore::Guard guard(m_store, key);
            mergeInto(m_store.writable(place), values, held->second.base);
            number = held->second.transfer;
            out.refreshed(held->second.sent);
            if (held->second.asked) --m_refreshing;
            m_copies.erase(held);
            setTouched(key, false);
            if (number == none) m_store.setSlot(key, KeySlot::of(KeySlot::State::here, place));
        } else {
            require(slot.state() != KeySlot::State::here, "a key came that is here");
            if (slot.state() == KeySlot::State::underWay) number = slot.index();
            place = m_store.allocate();
            std::copy_n(values, length, m_store.writable(place));
        }
        std::uint32_t onward = none;
        if (number != none) {
            replay(m_transfers[number], place, out); // before the slot can be seen
            onward = m_transfers[number].onward;
            freeTransfer(number);
        }
        m_store.setSlot(key, KeySlot::of(KeySlot::State::here, place));
        arrived(key);
        out.located(key);
        if (onward != none) handOver(key, onward, out);
    }
}

/// values: the owner's, with what this node has sent; what was added to `place` since then, which is what it is beyond `base`, is kept.
void AdaptiveNode::mergeInto(float* place, const float* values, std::vector<float>& base) const {
    for (std::size_t i = 0; i < base.size(); ++i) place[i] = values[i] + (place[i] - base[i]);
}

void AdaptiveNode::onRefreshed(const KeyMessage& message, KeyOutbox& out) {
    const std::uint32_t length = m_job->update.stored();
    for (std::size_t n = 0; n < message.keys.size(); ++n) {
        const auto held = m_copies.find(message.keys[n]);
        if (held == m_copies.end() || !held->second.asked || held->second.number != message.numbers[n]) continue;
        const float* values = message.values.data() + n * length;
        Copy& copy = held->second;
        const KeyStore::Guard guard(m_store, held->first);
        mergeInto(m_store.writable(m_store.slot(held->first).index()), values, copy.base);
        copy.base.assign(values, values + length);
        out.refreshed(std::exchange(copy.sent, message.sent));
        copy.asked = false;
        --m_refreshing;
    }
    if (m_refreshing == 0 && std::exchange(m_awaits, false)) out.roundDone();
}

void AdaptiveNode::refresh(KeyOutbox& out) {
    if (m_refreshing > 0 || m_copies.empty()) return;
    std::vector<std::uint32_t> unchanged;
    for (auto& [key, copy] : m_copies) {
        if (destination(key) == m_self) continue; // the key itself is on its way
        copy.asked = true;
        ++m_refreshing;
        if (!isTouched(key))
            unchanged.push_back(key);
        else
            sendChange(key, copy, copy.number, out);
    }
    m_awaits = m_refreshing > 0;
    for (const std::uint32_t key : unchanged) {
        KeyMessage& message = gathered(KeyMessageType::refresh, destination(key), out);
        message.keys.push_back(key);
        message.numbers.push_back(m_copies.at(key).number);
    }
}

/// What has been added to the copy since it was told. `number` 0: no answer is wanted.
void AdaptiveNode::sendChange(std::uint32_t key, Copy& copy, std::uint32_t number, KeyOutbox& out) {
    KeyMessage& message = gathered(KeyMessageType::refresh, destination(key), out);
    message.keys.push_back(key);
    message.numbers.push_back(number);
    message.clock = message.keys.size();
    const KeyStore::Guard guard(m_store, key);
    const float* values = m_store.values(m_store.slot(key).index());
    for (std::size_t i = 0; i < copy.base.size(); ++i) message.values.push_back(values[i] - copy.base[i]);
    copy.base.assign(values, values + copy.base.size());
    setTouched(key, false);
}

/// The intent in a copy has ended.
void AdaptiveNode::drop(std::uint32_t key, KeyOutbox& out) {
    const auto held = m_copies.find(key);
    if (held == m_copies.end()) return;
    if (held->second.transfer != none || destination(key) == m_self) return; // this node will own it
    const std::uint32_t place = m_store.slot(key).index();
    {
        const KeyStore::Guard guard(m_store, key);
        m_store.setSlot(key, {});
    }
    if (isTouched(key)) { // nobody adds to it any more
        KeyMessage& message = gathered(KeyMessageType::refresh, destination(key), out);
        message.keys.push_back(key);
        message.numbers.push_back(0);
        message.clock = message.keys.size();
        const float* values = m_store.values(place);
        for (std::size_t i = 0; i < held->second.base.size(); ++i)
            message.values.push_back(values[i] - held->second.base[i]);
        setTouched(key, false);
    }
    m_store.free(place);
    if (held->second.asked) --m_refreshing;
    m_copies.erase(held);
    m_ended.push_back(key);
}

void AdaptiveNode::giveUp(std::span<const std::uint32_t> keys, KeyOutbox& out) {
    for (const std::uint32_t key : keys)
        if (m_wanted[key] == 0) drop(key, out);
    flush(out); // what was added goes to the owner before the key may move
    for (const std::uint32_t key : std::exchange(m_ended, {})) endIntent(key, out);
    flush(out);
}

std::vector<std::uint32_t> AdaptiveNode::keysOfCopies() const {
    std::vector<std::uint32_t> out;
    for (const auto& [key, copy] : m_copies) out.push_back(key);
    return out;
}

// --- Rounds

/// `all`: this node's workers are done.
void AdaptiveNode::beginRound(bool all, KeyOutbox& out) {
    ++m_tick;
    std::vector<std::uint32_t> unwanted;
    if (m_tick % ticksUnwanted == 0) {
        m_needed = std::max(16.0, 0.99 * m_needed);
        unwanted = std::exchange(m_longUnwanted, std::exchange(m_unwanted, {}));
    }
    if (all) {
        std::ranges::fill(m_wanted, 0);
        unwanted = keysOfCopies();
    }
    giveUp(unwanted, out);
    if (!all) refresh(out);
    flush(out);
    m_idle = all && m_copies.empty() && keysUnderWay() == 0;
    if (m_idle) out.roundDone();
}

void AdaptiveNode::beginStretch() {
    KeyNode::beginStretch();
    m_idle = false;
    m_progress = 0;
    m_asked.clear();
    std::ranges::fill(m_wanted, 0); // it may have been quiet before the round that would have done so
    m_unwanted.clear();
    m_longUnwanted.clear();
}

void AdaptiveNode::replay(Transfer& transfer, std::uint32_t place, KeyOutbox& out) {
    for (const Operation& operation : transfer.operations)
        carryOutHere(operation, transfer.key, place, transfer.deltas.data() + operation.delta, out);
}

void AdaptiveNode::onMessage(KeyMessage& message, KeyOutbox& out) {
    switch (message.type) {
    case KeyMessageType::pullRequest:
    case KeyMessageType::push:
    case KeyMessageType::refresh: access(message, out); break;
    case KeyMessageType::intent:
        for (std::size_t n = 0; n < message.keys.size(); ++n)
            onIntent(message.from, message.numbers[n], message.keys[n], out);
        break;
    case KeyMessageType::intentEnd:
        for (const std::uint32_t key : message.keys) onIntentEnd(message.from, key, out);
        break;
    case KeyMessageType::replicate:
        for (std::size_t n = 0; n < message.keys.size(); ++n)
            giveCopy(message.keys[n], message.numbers[2 * n], message.numbers[2 * n + 1], out);
        break;
    case KeyMessageType::handOver:
        for (std::size_t n = 0; n < message.keys.size(); ++n) handOver(message.keys[n], message.numbers[n], out);
        break;
    case KeyMessageType::transfer: onTransfer(message, out); break;
    case KeyMessageType::copy: onCopy(message, out); break;
    case KeyMessageType::refreshed: onRefreshed(message, out); break;
    default: KeyNode::onMessage(message, out);
    }
    for (const std::uint32_t key : std::exchange(m_unowned, {})) // owned, not wanted here, and wanted elsewhere
        if (m_wanted[key] == 0 && m_announced[key] && m_store.slot(key).state() == KeySlot::State::here)
            endIntent(key, out);
    flush(out);
    // A key that went while an intent was on its way comes back as a copy, and no further round would end that.
    if (m_idle && !m_copies.empty()) giveUp(keysOfCopies(), out);
}

} // namespace trainyard
