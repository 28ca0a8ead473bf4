// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/keyed/TaskWorker.h"

#include "base/Result.h"

#include <algorithm>
#include <bit>

namespace trainyard {

TaskWork::TaskWork(std::shared_ptr<const KeyedModel> made, const KeyedTask& task, bool relocates, std::uint64_t seed,
                   std::uint32_t workers, double iterationsInAll)
    : model(std::move(made)), sampling(std::make_shared<const KeySampling>(*model, task.sampling, relocates)),
      seed(seed), iterationsInAll(iterationsInAll) {
    for (std::uint32_t w = 0; w < workers; ++w) shares.push_back(model->share(w, workers));
}

TaskWorker::TaskWorker(std::shared_ptr<const TaskWork> work, std::uint32_t number)
    : m_work(std::move(work)), m_number(number), m_length(m_work->model->valuesPerKey()),
      m_sampler(m_work->sampling, m_work->seed, number) {}

void TaskWorker::prepare(std::uint64_t iteration, std::vector<std::uint32_t>& out) {
    if (share().empty()) return;
    m_work->model->keysOf(exampleOf(iteration), out);
    if (iteration >= m_prepared)
        prepareSamples(iteration, out);
    else if (iteration >= m_begun)
        m_sampler.prepared(iteration - m_begun, out);
}

void TaskWorker::prepareSamples(std::uint64_t iteration, std::vector<std::uint32_t>& out) {
    m_sampler.prepare(out);
    m_prepared = iteration + 1;
}

/// The place in the table of a key, or an empty one.
std::size_t TaskWorker::slotOf(std::uint32_t key) const {
    const std::size_t mask = m_table.size() - 1;
    std::size_t slot = key * std::size_t{0x9e3779b97f4a7c15u} >> 32 & mask;
    while (m_table[slot] != 0 && m_keys[m_table[slot] - 1] != key) slot = (slot + 1) & mask;
    return slot;
}

std::uint32_t TaskWorker::placeOf(std::uint32_t key) const {
    if (!isShort()) return m_table[slotOf(key)] - 1;
    for (std::uint32_t n = 0; n < m_keys.size(); ++n)
        if (m_keys[n] == key) return n;
    return none;
}

void TaskWorker::findDistinct() {
    m_keys.clear();
    m_distinct.clear();
    if (isShort()) {
        for (const std::uint32_t key : m_all) {
            const std::uint32_t place = placeOf(key);
            m_distinct.push_back(place == none ? static_cast<std::uint32_t>(m_keys.size()) : place);
            if (place == none) m_keys.push_back(key);
        }
    } else {
        m_table.assign(std::bit_ceil(2 * m_all.size() + 1), 0);
        for (const std::uint32_t key : m_all) {
            const std::size_t slot = slotOf(key);
            if (m_table[slot] == 0) {
                m_keys.push_back(key);
                m_table[slot] = static_cast<std::uint32_t>(m_keys.size());
            }
            m_distinct.push_back(m_table[slot] - 1);
        }
    }
    m_values.resize(m_keys.size() * m_length);
    m_at.assign(m_keys.size(), nullptr);
    m_deltas.resize(m_all.size() * m_length);
}

void TaskWorker::receive(std::uint32_t key, const float* values) {
    const std::uint32_t place = placeOf(key);
    require(place != none, "a key was received that the iteration does not need");
    std::copy_n(values, m_length, this->values(place).begin());
}

void TaskWorker::copyValues() {
    for (std::size_t n = 0; n < m_at.size(); ++n)
        if (const float* from = std::exchange(m_at[n], nullptr)) std::copy_n(from, m_length, values(n).begin());
}

void TaskWorker::step(std::uint64_t done) {
    m_read.resize(m_all.size());
    m_written.resize(m_all.size());
    for (std::size_t n = 0; n < m_all.size(); ++n) {
        const std::uint32_t place = m_distinct[n];
        m_read[n] = m_at[place] ? m_at[place] : &m_values[std::size_t{place} * m_length];
        m_written[n] = &m_deltas[n * m_length];
    }
    const double progress = static_cast<double>(done * workers()) / m_work->iterationsInAll;
    m_loss += m_work->model->step(m_example, m_read, m_written, std::min(progress, 1.0));
    ++m_examples;
}

void TaskWorker::leave(std::uint32_t place, const float* delta) {
    if (m_away.empty()) m_awayAt.assign(m_keys.size(), none);
    if (m_awayAt[place] == none) {
        m_awayAt[place] = static_cast<std::uint32_t>(m_away.size());
        m_away.push_back(m_keys[place]);
        m_awayDeltas.insert(m_awayDeltas.end(), delta, delta + m_length);
        return;
    }
    float* sum = &m_awayDeltas[std::size_t{m_awayAt[place]} * m_length];
    for (std::uint32_t i = 0; i < m_length; ++i) sum[i] += delta[i];
}

} // namespace trainyard
