// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/keys/ReplicaRounds.h"

#include "base/Result.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace trainyard {

namespace {

/// Changes that are counted before any is clipped.
constexpr std::uint64_t warmUpChanges = 1000;

double normOf(const float* values, std::uint32_t count) {
    double sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) sum += double{values[i]} * values[i];
    return std::sqrt(sum);
}

} // namespace

ReplicaRounds::ReplicaRounds(std::shared_ptr<const KeyJob> job, std::uint32_t self, KeyStore& store)
    : m_job(std::move(job)), m_self(self), m_power(std::bit_floor(m_job->nodes)),
      m_steps(static_cast<std::uint32_t>(std::countr_zero(m_power))),
      m_state(m_job->replicated.size() * m_job->update.stored(), 0.0f), m_dirty(m_job->replicated.size(), 0) {
    for (const std::uint32_t key : m_job->replicated)
        store.setSlot(key, KeySlot::of(KeySlot::State::replica, store.allocate()));
}

void ReplicaRounds::restore(const KeyStore& store) {
    for (std::uint32_t place = 0; place < count(); ++place)
        std::copy_n(store.values(place), m_job->update.stored(), &m_state[std::size_t{place} * m_job->update.stored()]);
}

void ReplicaRounds::begin(bool all, KeyStore& store, KeyOutbox& out) {
    require(!active(), "a round of replicas began before the last one had ended");
    ++m_round;
    collect(all, store);
    m_idle = all && m_sum.places.empty();
    m_step = 0;
    if (m_self >= m_power) {
        sendChanges(m_self - m_power, 0, out);
        m_step = m_steps + 1;
    } else if (m_self + m_power >= m_job->nodes) {
        m_step = 1;
        sendChanges(m_self ^ 1, 1, out);
    }
    proceed(store, out);
}

void ReplicaRounds::collect(bool all, KeyStore& store) {
    const std::uint32_t length = m_job->update.stored();
    const double threshold = all ? 0 : m_job->plan.replication->threshold;
    m_collected.places.clear();
    m_collected.values.clear();
    m_sum.places.clear();
    m_sum.values.clear();
    for (std::uint32_t place = 0; !isClean() && place < m_dirty.size(); ++place) {
        const std::atomic_ref dirty(m_dirty[place]);
        if (dirty.load(std::memory_order_relaxed) == 0) continue;
        const KeyStore::Guard guard(store, m_job->replicated[place]);
        const float* values = store.values(place);
        const float* state = &m_state[std::size_t{place} * length];
        const std::size_t at = m_sum.values.size();
        for (std::uint32_t i = 0; i < length; ++i) m_sum.values.push_back(values[i] - state[i]);
        if (threshold > 0 && normOf(&m_sum.values[at], length) < threshold) {
            m_sum.values.resize(at); // stays dirty
            continue;
        }
        dirty.store(0, std::memory_order_relaxed);
        std::atomic_ref(m_dirtyCount).fetch_sub(1, std::memory_order_relaxed);
        m_sum.places.push_back(place);
        m_collected.places.push_back(place);
        m_collected.values.insert(m_collected.values.end(), values, values + length);
    }
}

void ReplicaRounds::sendChanges(std::uint32_t to, std::uint32_t step, KeyOutbox& out) {
    KeyMessage& message = out.compose(KeyMessageType::replicaDelta, to);
    message.round = m_round;
    message.step = step;
    message.idle = m_idle;
    for (const std::uint32_t place : m_sum.places) message.keys.push_back(m_job->replicated[place]);
    message.values = m_sum.values;
    out.send(message);
}

ReplicaRounds::Changes ReplicaRounds::changesOf(const KeyMessage& message) const {
    Changes changes{{}, message.values};
    auto from = m_job->replicated.begin();
    for (const std::uint32_t key : message.keys) {
        from = std::lower_bound(from, m_job->replicated.end(), key);
        changes.places.push_back(static_cast<std::uint32_t>(from - m_job->replicated.begin()));
    }
    return changes;
}

void ReplicaRounds::onMessage(KeyMessage& message, KeyStore& store, KeyOutbox& out) {
    m_early.push_back({message.round, message.step, changesOf(message), message.idle});
    if (active()) proceed(store, out);
}

std::optional<ReplicaRounds::Early> ReplicaRounds::take() {
    const auto it = std::find_if(m_early.begin(), m_early.end(),
                                 [&](const Early& e) { return e.round == m_round && e.step == m_step; });
    if (it == m_early.end()) return std::nullopt;
    Early out = std::move(*it);
    m_early.erase(it);
    return out;
}

void ReplicaRounds::proceed(KeyStore& store, KeyOutbox& out) {
    while (m_self >= m_power || m_step <= m_steps) {
        std::optional<Early> other = take();
        if (!other) return;
        if (m_self >= m_power) {
            std::swap(m_sum, other->changes);
            m_idle = other->idle;
            break;
        }
        merge(other->changes);
        m_idle = m_idle && other->idle;
        ++m_step;
        if (m_step <= m_steps) sendChanges(m_self ^ (1u << (m_step - 1)), m_step, out);
    }
    if (m_self < m_power && m_self + m_power < m_job->nodes) sendChanges(m_self + m_power, m_steps + 1, out);
    apply(store, out);
}

void ReplicaRounds::merge(const Changes& other) {
    const std::uint32_t length = m_job->update.stored();
    m_merged.places.clear();
    m_merged.values.clear();
    std::size_t a = 0, b = 0;
    const auto append = [&](const Changes& from, std::size_t n) {
        m_merged.places.push_back(from.places[n]);
        const auto first = from.values.begin() + static_cast<std::ptrdiff_t>(n * length);
        m_merged.values.insert(m_merged.values.end(), first, first + length);
    };
    while (a < m_sum.places.size() || b < other.places.size()) {
        const std::uint32_t left = a < m_sum.places.size() ? m_sum.places[a] : none,
                            right = b < other.places.size() ? other.places[b] : none;
        if (left < right) {
            append(m_sum, a++);
        } else if (right < left) {
            append(other, b++);
        } else {
            append(m_sum, a++);
            addValues(&m_merged.values[m_merged.values.size() - length], &other.values[b++ * length], length);
        }
    }
    std::swap(m_sum, m_merged);
}

/// What a change of this norm is shortened to; the same at all nodes, since all see the same changes.
double ReplicaRounds::limitOf(double norm) {
    const double clip = m_job->plan.replication->clip;
    if (clip <= 0) return norm;
    const double most = m_norms >= warmUpChanges ? clip * (m_normSum / static_cast<double>(m_norms)) : norm;
    const double limited = std::min(norm, most);
    m_normSum += limited;
    ++m_norms;
    return limited;
}

void ReplicaRounds::apply(KeyStore& store, KeyOutbox& out) {
    const std::uint32_t length = m_job->update.stored();
    const ReplicationPlan& plan = *m_job->plan.replication;
    std::size_t collected = 0;
    for (std::size_t n = 0; n < m_sum.places.size(); ++n) {
        const std::uint32_t place = m_sum.places[n];
        float* change = &m_sum.values[n * length];
        float scale = plan.average ? 1.0f / static_cast<float>(m_job->nodes) : 1.0f;
        if (plan.clip > 0) {
            const double norm = normOf(change, length) * scale, limit = limitOf(norm);
            if (limit < norm) scale *= static_cast<float>(limit / norm);
        }
        float* state = &m_state[std::size_t{place} * length];
        const KeyStore::Guard guard(store, m_job->replicated[place]);
        float* values = store.writable(place);
        const bool own = collected < m_collected.places.size() && m_collected.places[collected] == place;
        const float* before = own ? &m_collected.values[collected++ * length] : nullptr;
        for (std::uint32_t i = 0; i < length; ++i) {
            const float since = values[i] - (before ? before[i] : state[i]);
            state[i] += scale == 1.0f ? change[i] : scale * change[i];
            values[i] = state[i] + since;
        }
    }
    m_step = none;
    if (m_self == 0) out.note(changedReplicas, static_cast<double>(m_sum.places.size()), m_round);
    out.roundDone();
}

} // namespace trainyard
