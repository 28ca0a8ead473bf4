// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a worker of a keyed job does that trains a model: an iteration is one example, whose keys and samples it reads, and to each of
// which it adds what the model's step gives. A copyable value, without clock or messages; both modes of the engine drive it.
#include "policy/keys/KeySampler.h"

#include <deque>
#include <memory>

namespace trainyard {

/// What all workers of the job share: never changes.
struct TaskWork {
    TaskWork(std::shared_ptr<const KeyedModel> model, const KeyedTask& task, bool relocates, std::uint64_t seed,
             std::uint32_t workers, double iterationsInAll);
    std::shared_ptr<const KeyedModel> model;
    std::shared_ptr<const KeySampling> sampling;
    std::uint64_t seed;
    double iterationsInAll;                         ///< of all workers, to the end of the training
    std::vector<std::vector<std::uint32_t>> shares; ///< by worker: its examples, in the order of an epoch
};

class TaskWorker {
public:
    TaskWorker(std::shared_ptr<const TaskWork> work, std::uint32_t number);

    /// Appends the keys of this worker's iteration, as far as they are known ahead. To be asked for iterations in order, none twice but
    /// those that have not begun.
    void prepare(std::uint64_t iteration, std::vector<std::uint32_t>& out);
    /// Chooses the keys of an iteration. isHere(key): the node has it.
    template <class IsHere>
    void begin(std::uint64_t iteration, IsHere isHere) {
        m_example = exampleOf(iteration);
        m_all.clear();
        m_work->model->keysOf(m_example, m_all);
        m_own = m_all.size();
        if (iteration >= m_prepared) {
            m_ignored.clear();
            prepareSamples(iteration, m_ignored);
        }
        m_sampler.pull(m_all, isHere);
        m_begun = iteration + 1;
        m_sampler.finish({m_all.data(), m_own});
        findDistinct();
    }
    /// Of the present iteration, each once, in the order in which they are met.
    std::span<const std::uint32_t> keys() const { return m_keys; }
    /// Where the values of keys()[n] go as they are read.
    std::span<float> values(std::size_t n) { return {&m_values[n * m_length], m_length}; }
    /// keys()[n] is read there: in the step, or in copyValues().
    void readInPlace(std::size_t n, const float* values) { m_at[n] = values; }
    /// Values that were to be read in place may change before the step.
    void copyValues();
    void receive(std::uint32_t key, const float* values);
    /// The model's step on what was read; `done`: this worker's iterations before.
    void step(std::uint64_t done);
    /// add(key, delta) says whether the key was here; of the others, what is to be added together is left in the two that follow. The
    /// same key may be added to twice.
    template <class Add>
    void addAll(Add add) {
        m_away.clear();
        m_awayDeltas.clear();
        for (std::size_t n = 0; n < m_all.size(); ++n)
            if (const float* delta = &m_deltas[n * m_length]; !add(m_all[n], delta)) leave(m_distinct[n], delta);
    }
    std::span<const std::uint32_t> away() const { return m_away; }
    std::span<const float> awayDeltas() const { return m_awayDeltas; } ///< of away(), one after the other

    /// Sum of the losses of examples, and their number, since the last call.
    std::pair<double, std::uint64_t> takeLoss() { return {std::exchange(m_loss, 0), std::exchange(m_examples, 0)}; }
    /// Of its samples so far; 0: not known (policy/keys/KeySampler.h).
    double sampleDispersion() const { return m_sampler.dispersion(); }
    std::size_t shareSize() const { return share().size(); }
    std::uint32_t workers() const { return static_cast<std::uint32_t>(m_work->shares.size()); }

private:
    const std::vector<std::uint32_t>& share() const { return m_work->shares[m_number]; }
    std::uint32_t exampleOf(std::uint64_t iteration) const {
        const std::uint64_t examples = share().size();
        // the division of 32 bits takes a third of the time
        return share()[(iteration | examples) >> 32 == 0
                           ? static_cast<std::uint32_t>(iteration) % static_cast<std::uint32_t>(examples)
                           : iteration % examples];
    }
    void prepareSamples(std::uint64_t iteration, std::vector<std::uint32_t>& out);
    void findDistinct();
    /// The place in m_keys of a key of the iteration; none: it is not there.
    std::uint32_t placeOf(std::uint32_t key) const;
    std::size_t slotOf(std::uint32_t key) const;
    bool isShort() const { return m_all.size() <= 8; } ///< so few keys that looking at each is faster than a table
    void leave(std::uint32_t place, const float* delta);

    static constexpr std::uint32_t none = ~std::uint32_t{0};

    std::shared_ptr<const TaskWork> m_work;
    std::uint32_t m_number, m_length;
    KeySampler m_sampler;
    std::uint64_t m_prepared = 0; ///< iterations before this one have been prepared
    std::uint64_t m_begun = 0;    ///< the same, begun
    std::uint32_t m_example = 0;
    std::size_t m_own = 0;                 ///< keys of the example, of m_all
    std::vector<std::uint32_t> m_all;      ///< keys of the example, then samples; may repeat
    std::vector<std::uint32_t> m_keys;     ///< each once
    std::vector<std::uint32_t> m_distinct; ///< by place in m_all: the place in m_keys
    std::vector<std::uint32_t> m_table;    ///< a hash table: a place in m_keys and one, or 0
    std::vector<float> m_values, m_deltas; ///< of m_keys; of m_all
    std::vector<const float*> m_at;        ///< of m_keys: where their values lie; of no meaning between iterations
    std::vector<const float*> m_read;      ///< what step() gives to the model; of no meaning in between
    std::vector<float*> m_written;
    std::vector<std::uint32_t> m_away, m_ignored;
    std::vector<std::uint32_t> m_awayAt; ///< by place in m_keys: the place in m_away, or none
    std::vector<float> m_awayDeltas;
    double m_loss = 0;
    std::uint64_t m_examples = 0;
};

} // namespace trainyard
