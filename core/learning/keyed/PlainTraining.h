// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Trains a keyed model by one loop over a plain array: what a parameter server with one node and one worker must equal bit for bit, and
// what its speed is compared with.
#include "learning/keyed/KeyedModel.h"

namespace trainyard {

class PlainTraining {
public:
    /// The model outlives it. Samples are drawn from streams of the seed, as by worker 0 of a keyed job.
    PlainTraining(const KeyedModel& model, std::uint64_t seed, int epochs);
    /// One epoch; the mean loss of its examples as they were met.
    double epoch();
    const float* values(std::uint32_t key) const { return &m_values[std::size_t{key} * m_length]; }
    std::vector<Quality> evaluate() const;

private:
    const KeyedModel& m_model;
    std::uint32_t m_length;
    std::vector<float> m_values;
    std::vector<std::uint32_t> m_order;
    SampleLaw m_law;
    AliasTable m_samples;
    RandomStream m_random;
    double m_steps, m_done = 0;
};

} // namespace trainyard
