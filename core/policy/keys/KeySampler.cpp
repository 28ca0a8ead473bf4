// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/keys/KeySampler.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace trainyard {

SamplingScheme schemeOf(const KeyedSampling& sampling, bool relocates) {
    if (sampling.scheme != SamplingScheme::byLevel) return sampling.scheme;
    switch (sampling.level) {
    case Conformity::conform: return relocates ? SamplingScheme::preLocalized : SamplingScheme::independent;
    case Conformity::bounded: return SamplingScheme::reuse;
    case Conformity::longTerm: return SamplingScheme::postponed;
    case Conformity::nonConform: break;
    }
    return SamplingScheme::local;
}

Conformity conformityOf(SamplingScheme scheme) {
    switch (scheme) {
    case SamplingScheme::reuse: return Conformity::bounded;
    case SamplingScheme::postponed: return Conformity::longTerm;
    case SamplingScheme::local:
    case SamplingScheme::repurposed: return Conformity::nonConform;
    default: return Conformity::conform;
    }
}

KeySampling::KeySampling(const KeyedModel& model, const KeyedSampling& wanted, bool relocates)
    : scheme(schemeOf(wanted, relocates)), perExample(model.samplesPerExample()),
      group(static_cast<std::uint32_t>(std::max(1, wanted.group))),
      reuse(static_cast<std::uint32_t>(std::max(1, wanted.reuse))) {
    if (perExample == 0) return;
    const SampleLaw weights = model.sampleLaw();
    first = weights.first;
    end = first + static_cast<std::uint32_t>(weights.weights.size());
    law = AliasTable(weights.weights);
    if (weights.weights.size() > mostCounted) return;
    const double sum = std::accumulate(weights.weights.begin(), weights.weights.end(), 0.0);
    for (const double weight : weights.weights) {
        inverse.push_back(weight > 0 ? static_cast<float>(sum / weight) : 0);
        if (weight > 0) ++possible;
    }
}

KeySampler::KeySampler(std::shared_ptr<const KeySampling> shared, std::uint64_t seed, std::uint32_t worker)
    : m_shared(std::move(shared)), m_random(seed, Purpose::keySample, worker), m_counts(m_shared->inverse.size()) {}

double KeySampler::dispersion() const {
    if (m_pulled == 0 || m_shared->possible < 2) return 0;
    const auto n = static_cast<double>(m_pulled);
    return (m_squares / n - n) / (m_shared->possible - 1.0);
}

void KeySampler::prepare(std::vector<std::uint32_t>& wanted) {
    const SamplingScheme scheme = m_shared->scheme;
    const bool inGroups = scheme == SamplingScheme::reuse || scheme == SamplingScheme::postponed;
    if (!inGroups && scheme != SamplingScheme::preLocalized) return;
    wanted.insert(wanted.end(), m_away.begin(), m_away.end());
    m_away.clear();
    for (std::uint32_t n = 0; n < m_shared->perExample; ++n) {
        m_queue.push_back(inGroups ? nextOfGroup() : draw());
        wanted.push_back(m_queue.back());
    }
}

std::uint32_t KeySampler::nextOfGroup() {
    if (m_place == m_group.size()) {
        m_place = 0;
        if (m_group.empty() || ++m_use == m_shared->reuse) {
            m_group.resize(m_shared->group);
            for (std::uint32_t& key : m_group) key = draw();
            m_use = 0;
        } else {
            for (std::size_t i = m_group.size(); i > 1; --i) std::swap(m_group[i - 1], m_group[m_random.below(i)]);
        }
    }
    return m_group[m_place++];
}

void KeySampler::finish(std::span<const std::uint32_t> keysOfExample) {
    if (m_shared->scheme != SamplingScheme::repurposed) return;
    for (const std::uint32_t key : keysOfExample)
        if (key >= m_shared->first && key < m_shared->end) m_recent.push_back(key);
    while (m_recent.size() > mostRecent) m_recent.pop_front();
}

} // namespace trainyard
