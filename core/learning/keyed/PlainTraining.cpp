// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/keyed/PlainTraining.h"

namespace trainyard {

PlainTraining::PlainTraining(const KeyedModel& model, std::uint64_t seed, int epochs)
    : m_model(model), m_length(model.valuesPerKey()), m_values(std::size_t{model.keys()} * m_length),
      m_order(model.share(0, 1)), m_law(model.sampleLaw()), m_random(seed, Purpose::keySample),
      m_steps(static_cast<double>(m_order.size()) * epochs) {
    for (std::uint32_t key = 0; key < model.keys(); ++key)
        model.initialise(key, &m_values[std::size_t{key} * m_length]);
    if (model.samplesPerExample() > 0) m_samples = AliasTable(m_law.weights);
}

double PlainTraining::epoch() {
    std::vector<std::uint32_t> keys;
    std::vector<float> deltas;
    std::vector<const float*> read;
    std::vector<float*> written;
    double loss = 0;
    for (const std::uint32_t example : m_order) {
        keys.clear();
        m_model.keysOf(example, keys);
        for (std::uint32_t n = 0; n < m_model.samplesPerExample(); ++n)
            keys.push_back(m_law.first + m_samples.draw(m_random));
        deltas.resize(keys.size() * m_length);
        read.clear();
        written.clear();
        for (std::size_t n = 0; n < keys.size(); ++n) {
            read.push_back(values(keys[n]));
            written.push_back(&deltas[n * m_length]);
        }
        loss += m_model.step(example, read, written, m_done / m_steps);
        m_done += 1;
        for (std::size_t n = 0; n < keys.size(); ++n) {
            float* to = &m_values[std::size_t{keys[n]} * m_length];
            for (std::uint32_t i = 0; i < m_length; ++i) to[i] += written[n][i];
        }
    }
    return loss / static_cast<double>(m_order.size());
}

std::vector<Quality> PlainTraining::evaluate() const {
    return m_model.evaluate([this](std::uint32_t key) { return values(key); });
}

} // namespace trainyard
