// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/keys/CachingNode.h"

#include "base/Result.h"

#include <algorithm>
#include <atomic>

namespace trainyard {

CachingNode::CachingNode(std::shared_ptr<const KeyJob> job, std::uint32_t self)
    : KeyNode(std::move(job), self), m_bound(m_job->pace.bound.value_or(0)),
      m_step(std::max<std::uint64_t>(1, m_bound / 2)), m_eager(m_job->plan.caches && m_job->plan.caches->eager),
      m_tags(m_store.keys()), m_homeTags(m_job->nodes), m_heard(m_job->nodes), m_applied(m_job->nodes) {
    require(m_job->pace.bound.has_value(), "copies of keys were to be kept without a bound of clocks");
    m_touched.assign(m_store.keys(), 0);
}

// --- As a holder

bool CachingNode::mayRead(std::uint32_t key, std::uint64_t clock) const {
    if (m_store.slot(key).state() != KeySlot::State::replica) return true; // it is at its home, or not here at all
    const auto of = [](const std::uint64_t& tag) {
        return std::atomic_ref(const_cast<std::uint64_t&>(tag)).load(std::memory_order_acquire);
    };
    return std::max(of(m_tags[key]), of(m_homeTags[m_job->homes.of(key)])) >= neededAt(clock);
}

void CachingNode::pull(std::uint32_t worker, std::span<const std::uint32_t> keys, KeyOutbox& out, std::uint64_t clock) {
    Messages messages;
    for (const std::uint32_t key : keys) {
        KeyMessage& request = messageTo(messages, KeyMessageType::pullRequest, m_job->homes.of(key), m_self, out);
        request.worker = worker;
        request.clock = neededAt(clock);
        request.keys.push_back(key);
    }
    for (KeyMessage* message : messages) out.send(*message);
}

/// All copies that have been added to, and the clock, to every home.
void CachingNode::flush(std::uint64_t clock, KeyOutbox& out) {
    m_told = clock;
    ++m_flushes;
    Messages messages;
    for (std::uint32_t node = 0; node < m_job->nodes; ++node)
        if (node != m_self) messages.push_back(&out.compose(KeyMessageType::refresh, node));
    for (auto& [key, copy] : m_copies) {
        if (!isTouched(key)) continue;
        KeyMessage& message = messageTo(messages, KeyMessageType::refresh, m_job->homes.of(key), m_self, out);
        message.keys.push_back(key);
        const KeyStore::Guard guard(m_store, key);
        setTouched(key, false);
        const float* values = m_store.values(m_store.slot(key).index());
        std::vector<float> change(copy.base.size());
        for (std::size_t i = 0; i < change.size(); ++i) change[i] = values[i] - copy.base[i];
        copy.base.assign(values, values + change.size());
        message.values.insert(message.values.end(), change.begin(), change.end());
        copy.underWay.emplace_back(m_flushes, std::move(change));
    }
    for (KeyMessage* message : messages) {
        message->requester = m_self;
        message->clock = clock;
        message->round = m_flushes;
        out.send(*message);
    }
    hear(m_self, clock, out);
}

void CachingNode::advanceClock(std::uint64_t least, KeyOutbox& out) {
    if (least == m_told || (least != KeyClocks::done && least < m_told + m_step)) return;
    flush(least, out);
    KeyNode::advanceClock(least, out);
}

/// Values as their home had them when it had applied this node's flushes up to that of the message's round.
void CachingNode::install(std::uint32_t key, const float* values, const KeyMessage& from, KeyOutbox& out) {
    const std::uint32_t length = m_job->update.stored();
    const KeySlot slot = m_store.slot(key);
    const bool isNew = slot.state() != KeySlot::State::replica;
    Copy& copy = m_copies[key];
    std::erase_if(copy.underWay, [&](const auto& sent) { return sent.first <= from.round; });
    std::vector<float> base(values, values + length);
    for (const auto& [number, change] : copy.underWay)
        for (std::size_t i = 0; i < length; ++i) base[i] += change[i];
    if (isNew) {
        const std::uint32_t place = m_store.allocate();
        std::copy(base.begin(), base.end(), m_store.writable(place));
        copy.base = std::move(base);
        copy.sent = from.sent;
        m_store.setSlot(key, KeySlot::of(KeySlot::State::replica, place));
        return;
    }
    out.refreshed(std::exchange(copy.sent, from.sent));
    const KeyStore::Guard guard(m_store, key);
    float* place = m_store.writable(slot.index());
    for (std::size_t i = 0; i < length; ++i) place[i] = base[i] + (place[i] - copy.base[i]); // what is kept back
    copy.base = std::move(base);
}

void CachingNode::take(const KeyMessage& message, KeyOutbox& out) {
    const std::uint32_t length = m_job->update.stored();
    for (std::size_t n = 0; n < message.keys.size(); ++n) {
        install(message.keys[n], message.values.data() + n * length, message, out);
        std::atomic_ref(m_tags[message.keys[n]]).store(message.clock, std::memory_order_release);
    }
}

// --- As a home

void CachingNode::answer(const KeyMessage& request, KeyOutbox& out) {
    KeyMessage& answer = out.compose(KeyMessageType::pullAnswer, request.requester);
    answer.worker = request.worker;
    answer.clock = m_least;
    answer.round = m_applied[request.requester];
    const std::uint32_t length = m_job->update.stored();
    for (const std::uint32_t key : request.keys) {
        const KeyStore::Guard guard(m_store, key);
        const float* values = m_store.values(m_store.slot(key).index());
        answer.keys.push_back(key);
        answer.values.insert(answer.values.end(), values, values + length);
        if (m_eager) m_holders[key].insert(request.requester);
    }
    out.send(answer);
}

void CachingNode::onFlush(const KeyMessage& message, KeyOutbox& out) {
    const std::uint32_t length = m_job->update.stored();
    for (std::size_t n = 0; n < message.keys.size(); ++n) {
        const std::uint32_t key = message.keys[n];
        const KeyStore::Guard guard(m_store, key);
        addValues(m_store.writable(m_store.slot(key).index()), message.values.data() + n * length, length);
        setTouched(key, true);
    }
    m_applied[message.from] = message.round;
    hear(message.from, message.clock, out);
}

void CachingNode::hear(std::uint32_t node, std::uint64_t clock, KeyOutbox& out) {
    m_heard[node] = std::max(m_heard[node], clock);
    const std::uint64_t least = *std::ranges::min_element(m_heard);
    if (least <= m_least) return;
    m_least = least;
    for (const KeyMessage& request : std::exchange(m_waiting, {})) {
        if (request.clock <= m_least)
            answer(request, out);
        else
            m_waiting.push_back(request);
    }
    if (m_eager && m_least != KeyClocks::done) sendAgain(out);
}

/// To each node those of its copies that have changed, and the clock, which is that of its other copies, too.
void CachingNode::sendAgain(KeyOutbox& out) {
    Messages messages;
    for (std::uint32_t node = 0; node < m_job->nodes; ++node) {
        if (node == m_self) continue;
        messages.push_back(&out.compose(KeyMessageType::refreshed, node));
        messages.back()->clock = m_least;
        messages.back()->round = m_applied[node];
    }
    const std::uint32_t length = m_job->update.stored();
    for (const auto& [key, holders] : m_holders) {
        const KeyStore::Guard guard(m_store, key);
        if (!isTouched(key)) continue;
        setTouched(key, false);
        const float* values = m_store.values(m_store.slot(key).index());
        for (KeyMessage* message : messages) {
            if (!holders.contains(message->to)) continue;
            message->keys.push_back(key);
            message->values.insert(message->values.end(), values, values + length);
        }
    }
    for (KeyMessage* message : messages) out.send(*message);
}

// --- Both

void CachingNode::onMessage(KeyMessage& message, KeyOutbox& out) {
    switch (message.type) {
    case KeyMessageType::pullRequest:
        if (message.clock <= m_least)
            answer(message, out);
        else
            m_waiting.push_back(message);
        break;
    case KeyMessageType::pullAnswer:
        take(message, out);
        for (const std::uint32_t key : message.keys) {
            const KeyStore::Guard guard(m_store, key); // others of the node add to the copy
            out.pulled(message.worker, key, m_store.values(m_store.slot(key).index()));
        }
        break;
    case KeyMessageType::refresh: onFlush(message, out); break;
    case KeyMessageType::refreshed:
        take(message, out);
        std::atomic_ref(m_homeTags[message.from]).store(message.clock, std::memory_order_release);
        break;
    default: KeyNode::onMessage(message, out);
    }
}

void CachingNode::beginRound(bool, KeyOutbox& out) { flush(KeyClocks::done, out); }

bool CachingNode::isQuiet() const {
    return m_waiting.empty() &&
           std::ranges::none_of(m_copies, [&](const auto& entry) { return isTouched(entry.first); });
}

/// All copies are given up: clocks begin anew.
void CachingNode::beginStretch() {
    KeyNode::beginStretch();
    for (const auto& [key, copy] : m_copies) {
        const std::uint32_t place = m_store.slot(key).index();
        m_store.setSlot(key, {});
        m_store.free(place);
    }
    m_copies.clear();
    m_holders.clear();
    std::ranges::fill(m_tags, 0);
    std::ranges::fill(m_homeTags, 0);
    std::ranges::fill(m_touched, 0);
    std::ranges::fill(m_heard, 0);
    m_least = m_told = 0;
}

} // namespace trainyard
