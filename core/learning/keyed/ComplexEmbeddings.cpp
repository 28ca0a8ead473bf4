// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/keyed/ComplexEmbeddings.h"

#include "learning/keyed/KeyedChoices.h"
#include "learning/keyed/ModelParts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace trainyard {

namespace {

struct AdaGrad {
    float rate, penalty;

    /// What is added to `count` numbers of a key with these gradients, which may lie where that is written; and to their sums of squares.
    [[gnu::noinline]] void change(const float* __restrict values, const float* __restrict sums,
                                  float* __restrict gradient, float* __restrict squares, std::uint32_t count) const {
        for (std::uint32_t k = 0; k < count; ++k) {
            const float g = gradient[k] + penalty * values[k], squared = g * g;
            squares[k] = squared;
            gradient[k] = -rate * g / std::sqrt(sums[k] + squared + 1e-10f);
        }
    }
};

/// Adds to the gradient of a query that of a key that was drawn against it, and writes that of the key. Apart, so that it is known what does
/// not overlap.
[[gnu::noinline]] void pushApart(float push, const float* __restrict query, const float* __restrict drawn,
                                 float* __restrict ofQuery, float* __restrict gradient, std::uint32_t count) {
    for (std::uint32_t k = 0; k < count; ++k) {
        gradient[k] = push * query[k];
        ofQuery[k] += push * drawn[k];
    }
}

class ComplexModel final : public KeyedModel {
public:
    ComplexModel(std::shared_ptr<const Triples> facts, const ComplexSettings& settings)
        : m_facts(std::move(facts)), m_set(settings), m_d(settings.dimension), m_numbers(2 * settings.dimension) {}

    std::uint32_t keys() const override { return m_facts->entities + m_facts->relations; }
    std::uint32_t valuesPerKey() const override { return 2 * m_numbers; }
    std::vector<KeyTable> tables() const override {
        return {{"entities", 0, m_facts->entities}, {"relations", m_facts->entities, keys()}};
    }
    std::vector<double> accesses() const override;
    void initialise(std::uint32_t key, float* values) const override {
        drawInitial(m_set.seed, key, m_set.spread, {values, m_numbers});
        std::fill_n(values + m_numbers, m_numbers, 0.0f);
    }
    std::vector<std::uint32_t> share(std::uint32_t worker, std::uint32_t workers) const override {
        return shuffledShare(examples(), worker, workers, m_set.seed);
    }
    std::uint32_t examples() const override { return static_cast<std::uint32_t>(m_facts->train.size()); }
    void keysOf(std::uint32_t example, std::vector<std::uint32_t>& out) const override {
        const Triple& fact = m_facts->train[example];
        out.insert(out.end(), {fact.subject, m_facts->entities + fact.relation, fact.object});
    }
    std::uint32_t samplesPerExample() const override { return 2 * m_set.negatives; }
    SampleLaw sampleLaw() const override { return {0, std::vector<double>(m_facts->entities, 1.0)}; }
    double step(std::uint32_t example, std::span<const float* const> values, std::span<float* const> deltas,
                double progress) const override;
    std::vector<Quality> evaluate(const ReadValues& values) const override;

private:
    // Vectors are m_d real parts, then m_d imaginary ones.
    /// s ∘ r: the score is its product with o.
    void objectQuery(const float* s, const float* r, float* query) const {
        for (std::uint32_t k = 0; k < m_d; ++k) {
            query[k] = s[k] * r[k] - s[m_d + k] * r[m_d + k];
            query[m_d + k] = s[k] * r[m_d + k] + s[m_d + k] * r[k];
        }
    }
    /// r̄ ∘ o: the score is its product with s.
    void subjectQuery(const float* r, const float* o, float* query) const {
        for (std::uint32_t k = 0; k < m_d; ++k) {
            query[k] = r[k] * o[k] + r[m_d + k] * o[m_d + k];
            query[m_d + k] = r[k] * o[m_d + k] - r[m_d + k] * o[k];
        }
    }
    void addQueryGradients(const float* s, const float* r, const float* o, const float* ofObjects,
                           const float* ofSubjects, float* gs, float* gr, float* go) const;
    double meanRank(const ReadValues& values, const Triple& fact, bool object, const std::set<Triple>& known) const;

    std::shared_ptr<const Triples> m_facts;
    ComplexSettings m_set;
    std::uint32_t m_d, m_numbers;
};

std::vector<double> ComplexModel::accesses() const {
    std::vector<double> out(keys(), 0.0);
    for (const Triple& fact : m_facts->train) {
        ++out[fact.subject];
        ++out[fact.object];
        ++out[m_facts->entities + fact.relation];
    }
    const double sampled = static_cast<double>(examples()) * samplesPerExample() / m_facts->entities;
    for (std::uint32_t e = 0; e < m_facts->entities; ++e) out[e] += sampled;
    return out;
}

/// Adds the chain rule from the queries, whose gradients are given, to those of subject, relation and object.
void ComplexModel::addQueryGradients(const float* s, const float* r, const float* o, const float* ofObjects,
                                     const float* ofSubjects, float* gs, float* gr, float* go) const {
    for (std::uint32_t k = 0, i = m_d; k < m_d; ++k, ++i) {
        const float qr = ofObjects[k], qi = ofObjects[i], tr = ofSubjects[k], ti = ofSubjects[i];
        gs[k] += r[k] * qr + r[i] * qi;
        gs[i] += r[k] * qi - r[i] * qr;
        gr[k] += s[k] * qr + s[i] * qi + o[k] * tr + o[i] * ti;
        gr[i] += s[k] * qi - s[i] * qr + o[i] * tr - o[k] * ti;
        go[k] += r[k] * tr - r[i] * ti;
        go[i] += r[i] * tr + r[k] * ti;
    }
}

double ComplexModel::step(std::uint32_t, std::span<const float* const> values, std::span<float* const> deltas,
                          double) const {
    const float *s = values[0], *r = values[1], *o = values[2];
    // Queries and their gradients; on the stack where they are short. deltas hold gradients until the end.
    std::array<float, 2048> shortWork;
    std::vector<float> longWork(4 * std::size_t{m_numbers} > shortWork.size() ? 4 * std::size_t{m_numbers} : 0);
    float *object = longWork.empty() ? shortWork.data() : longWork.data(), *subject = object + m_numbers,
          *ofObject = subject + m_numbers, *ofSubject = ofObject + m_numbers;
    std::fill_n(ofObject, 2 * m_numbers, 0.0f);
    objectQuery(s, r, object);
    subjectQuery(r, o, subject);
    for (int n = 0; n < 3; ++n) std::fill_n(deltas[n], m_numbers, 0.0f);

    const double score = product(object, o, m_numbers);
    double loss = softplus(-score);
    const auto pull = static_cast<float>(-sigmoid(-score)); // ∂ loss / ∂ score
    for (std::uint32_t k = 0; k < m_numbers; ++k) {
        deltas[2][k] += pull * object[k];
        ofObject[k] += pull * o[k];
    }
    for (std::uint32_t n = 0; n < 2 * m_set.negatives; ++n) {
        const bool objects = n < m_set.negatives; // these first, then subjects
        const float *query = objects ? object : subject, *drawn = values[3 + n];
        float* ofQuery = objects ? ofObject : ofSubject;
        const double wrong = product(query, drawn, m_numbers);
        loss += softplus(wrong);
        const auto push = static_cast<float>(sigmoid(wrong));
        pushApart(push, query, drawn, ofQuery, deltas[3 + n], m_numbers);
    }
    addQueryGradients(s, r, o, ofObject, ofSubject, deltas[0], deltas[1], deltas[2]);
    const AdaGrad adagrad{static_cast<float>(m_set.rate), static_cast<float>(m_set.penalty)};
    for (std::size_t n = 0; n < values.size(); ++n)
        adagrad.change(values[n], values[n] + m_numbers, deltas[n], deltas[n] + m_numbers, m_numbers);
    return loss;
}

double ComplexModel::meanRank(const ReadValues& values, const Triple& fact, bool object,
                              const std::set<Triple>& known) const {
    std::vector<float> query(m_numbers),
        given(values(object ? fact.subject : fact.object), values(object ? fact.subject : fact.object) + m_numbers);
    const float* relation = values(m_facts->entities + fact.relation);
    object ? objectQuery(given.data(), relation, query.data()) : subjectQuery(relation, given.data(), query.data());
    const std::uint32_t right = object ? fact.object : fact.subject;
    const double score = product(query.data(), values(right), m_numbers);
    double better = 0;
    for (std::uint32_t e = 0; e < m_facts->entities; ++e) {
        if (e == right) continue;
        const double other = product(query.data(), values(e), m_numbers);
        if (other < score) continue;
        const Triple asked = object ? Triple{fact.subject, fact.relation, e} : Triple{e, fact.relation, fact.object};
        if (known.contains(asked)) continue;
        better += other > score ? 1 : 0.5;
    }
    return better + 1;
}

std::vector<Quality> ComplexModel::evaluate(const ReadValues& values) const {
    std::set<Triple> known;
    for (const auto* facts : {&m_facts->train, &m_facts->valid, &m_facts->test})
        known.insert(facts->begin(), facts->end());
    const std::size_t count = std::min<std::size_t>(m_set.asked, m_facts->test.size());
    if (count == 0) return {};
    double reciprocal = 0, hits = 0;
    for (std::size_t n = 0; n < count; ++n)
        for (const bool object : {true, false}) {
            const double rank = meanRank(values, m_facts->test[n], object, known);
            reciprocal += 1 / rank;
            hits += rank <= 10;
        }
    const double asked = 2 * static_cast<double>(count);
    return {{"mrr", reciprocal / asked}, {"hits_at_10", hits / asked}};
}

} // namespace

std::shared_ptr<const KeyedModel> makeComplexModel(std::shared_ptr<const Triples> facts,
                                                   const ComplexSettings& settings) {
    return std::make_shared<ComplexModel>(std::move(facts), settings);
}

KeyedModelEntry complexEntry() {
    using S = ComplexSettings;
    return keyedModelEntry<S, Triples>(
        {.id = "complex",
         .label = "Knowledge graph (ComplEx)",
         .summary = "Entities and relations are complex vectors; facts are told from drawn ones. Steps by AdaGrad.",
         .formula = "log(1 + exp(−Re⟨s, r, ō⟩)) + Σ log(1 + exp(Re⟨s, r, ō′⟩)) over drawn objects and subjects",
         .needs = "facts (a knowledge graph)",
         .qualities = {{"mrr", "Mean reciprocal rank (filtered)"}, {"hits_at_10", "Hits at 10 (filtered)"}},
         .schema = {}},
        makeComplexModel,
        [](const S& set, const KeyedDataSize& data) {
            constexpr double bytesOfKnown = 64; // a fact in the set of those that are not asked for
            return KeyedTaskSize{data.names, 4.0 * set.dimension, data.bytes + bytesOfKnown * data.examples};
        },
        field(&S::dimension, "dimension", "Dimension", {1, 10'000}, "", "Complex numbers of a vector."),
        field(&S::negatives, "negatives", "Negative samples", {1, 10'000}, "", "For each side of a fact."),
        field(&S::rate, "rate", "Step", {1e-6, 10}, "", "η of AdaGrad."),
        field(&S::penalty, "penalty", "Penalty", {0, 10}, "", "λ of ½ λ |v|², for each key that a step reads."),
        field(&S::spread, "spread", "Initial spread", {1e-6, 10}, "", "Standard deviation of initial values."),
        field(&S::asked, "asked", "Test facts", {1, 1e9}, "", "Evaluated at most."));
}

} // namespace trainyard
