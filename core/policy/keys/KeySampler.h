// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Samples of one worker of a keyed job, in three steps: prepare() says ahead of time how many will be needed, and which keys should be
// moved here; pull() gives them, when it is known which keys are here; finish() ends what prepare() began. Drawn from a stream of the
// worker's own. A scheme keeps to a level of conformity (model/KeyedTask.h): independent and pre-localized samples are conform;
// those of reuse are bounded by G·U; postponed ones are all used in the end, hence right in the long run; local and repurposed ones
// promise nothing. Source: NuPS, SIGMOD 2022; the group is a worker's here, not a node's.
#include "base/Random.h"
#include "learning/keyed/AliasTable.h"
#include "learning/keyed/KeyedModel.h"
#include "model/KeyedTask.h"
#include "policy/keys/KeyPlan.h"

#include <deque>

namespace trainyard {

/// Never byLevel.
SamplingScheme schemeOf(const KeyedSampling& sampling, bool relocates);
Conformity conformityOf(SamplingScheme scheme);

/// What the samplers of all workers share: never changes.
struct KeySampling {
    KeySampling(const KeyedModel& model, const KeyedSampling& wanted, bool relocates);
    SamplingScheme scheme;
    std::uint32_t perExample = 0;     ///< samples that a step needs
    std::uint32_t first = 0, end = 0; ///< keys that can be drawn: [first, end)
    std::uint32_t group = 1, reuse = 1;
    AliasTable law; ///< empty where perExample is 0
    std::vector<float>
        inverse; ///< by key from `first` on: 1 / its probability; 0 where it has none; empty: too many to count
    std::uint32_t possible = 0; ///< keys with a probability

    /// More keys than this are not counted, of which each worker would keep 4 bytes.
    static constexpr std::size_t mostCounted = 1u << 20;
};

class KeySampler {
public:
    KeySampler(std::shared_ptr<const KeySampling> shared, std::uint64_t seed, std::uint32_t worker);

    /// For the next iteration that has not been prepared: appends the keys that it will need as far as that is known.
    void prepare(std::vector<std::uint32_t>& wanted);
    /// Appends what was prepared for the iteration so many after the first that has not been pulled, as far as it is still so.
    void prepared(std::uint64_t after, std::vector<std::uint32_t>& wanted) const {
        for (std::uint64_t n = after * m_shared->perExample; n < (after + 1) * m_shared->perExample; ++n)
            if (n < m_queue.size()) wanted.push_back(m_queue[n]);
    }
    /// Appends perExample keys, for the first iteration that has been prepared and not finished. isHere(key): the node has it.
    template <class IsHere>
    void pull(std::vector<std::uint32_t>& out, IsHere isHere) {
        const std::size_t before = out.size();
        choose(out, isHere);
        for (std::size_t n = before; n < out.size(); ++n) count(out[n]);
    }
    /// Ends the iteration whose samples were pulled. `keysOfExample`: what repurposing draws from.
    void finish(std::span<const std::uint32_t> keysOfExample);
    /// Samples that were put off so far, of scheme postponed.
    std::uint64_t postponements() const { return m_postponements; }
    /// How unevenly keys were pulled so far: Σ (n − N·p)² / (N·p) over keys, less one degree of freedom in the mean: the index of
    /// dispersion (chi-square over its degrees of freedom). 1 in the mean for independent samples, U for groups used U times; where
    /// samples are biased it grows with N. 0: not known.
    double dispersion() const;

private:
    template <class IsHere>
    void choose(std::vector<std::uint32_t>& out, IsHere isHere) {
        const std::uint32_t count = m_shared->perExample;
        switch (m_shared->scheme) {
        case SamplingScheme::local:
            for (std::uint32_t n = 0; n < count; ++n) out.push_back(drawHere(isHere));
            return;
        case SamplingScheme::repurposed:
            for (std::uint32_t n = 0; n < count; ++n) out.push_back(m_recent.empty() ? draw() : fromRecent());
            return;
        case SamplingScheme::postponed:
            for (std::uint32_t n = 0; n < count; ++n) out.push_back(takeOrPostpone(isHere));
            return;
        case SamplingScheme::independent:
            for (std::uint32_t n = 0; n < count; ++n) out.push_back(draw());
            return;
        default: // prepared, and used in that order
            for (std::uint32_t n = 0; n < count; ++n) out.push_back(take());
        }
    }
    /// Of a local draw: after so many keys that are not here it takes what it has drawn.
    static constexpr int mostTries = 200;
    /// Examples whose keys repurposing draws from.
    static constexpr std::size_t mostRecent = 64;

    std::uint32_t draw() { return m_shared->first + m_shared->law.draw(m_random); }
    template <class IsHere>
    std::uint32_t drawHere(IsHere isHere) {
        std::uint32_t key = draw();
        for (int tries = 1; tries < mostTries && !isHere(key); ++tries) key = draw();
        return key;
    }
    std::uint32_t take() {
        const std::uint32_t key = m_queue.front();
        m_queue.pop_front();
        return key;
    }
    /// A sample that is not here goes to the end of what is prepared, and the next one is used wherever it is.
    template <class IsHere>
    std::uint32_t takeOrPostpone(IsHere isHere) {
        if (m_queue.size() < 2 || isHere(m_queue.front())) return take();
        ++m_postponements;
        m_away.push_back(m_queue.front()); // asked for again with the next ones
        m_queue.push_back(take());
        return take();
    }
    void count(std::uint32_t key) {
        if (m_counts.empty()) return;
        std::uint32_t& n = m_counts[key - m_shared->first];
        m_squares += (2.0 * n + 1) * static_cast<double>(m_shared->inverse[key - m_shared->first]);
        ++n;
        ++m_pulled;
    }
    std::uint32_t fromRecent() { return m_recent[m_random.below(m_recent.size())]; }
    /// The next slot of the groups: G keys drawn, then U − 1 times the same in another order.
    std::uint32_t nextOfGroup();

    std::shared_ptr<const KeySampling> m_shared;
    RandomStream m_random;
    std::deque<std::uint32_t> m_queue; ///< prepared, not yet used
    std::vector<std::uint32_t> m_away; ///< put off since the last were prepared
    std::vector<std::uint32_t> m_group;
    std::uint32_t m_place = 0, m_use = 0; ///< in the group
    std::deque<std::uint32_t> m_recent;
    std::uint64_t m_postponements = 0;
    std::vector<std::uint32_t> m_counts; ///< pulls of each key that can be drawn
    double m_squares = 0;                ///< Σ n²/p
    std::uint64_t m_pulled = 0;          ///< N
};

} // namespace trainyard
