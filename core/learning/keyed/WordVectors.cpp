// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/keyed/WordVectors.h"

#include "learning/keyed/KeyedChoices.h"
#include "learning/keyed/ModelParts.h"

#include <algorithm>

namespace trainyard {

namespace {

class WordVectorModel final : public KeyedModel {
public:
    WordVectorModel(std::shared_ptr<const Corpus> corpus, const WordVectorSettings& settings);

    std::uint32_t keys() const override { return 2 * m_words; }
    std::uint32_t valuesPerKey() const override { return m_set.dimension; }
    std::vector<KeyTable> tables() const override {
        return {{"read", 0, m_words}, {"predicted", m_words, 2 * m_words}};
    }
    std::vector<double> accesses() const override;
    void initialise(std::uint32_t key, float* values) const override {
        RandomStream random(m_set.seed, Purpose::initialWeights, key);
        for (std::uint32_t k = 0; k < m_set.dimension; ++k)
            values[k] = key < m_words ? static_cast<float>((random.unit() - 0.5) / m_set.dimension) : 0.0f;
    }
    /// Pairs stay in the order of the text: what a worker reads ahead is what it needs.
    std::vector<std::uint32_t> share(std::uint32_t worker, std::uint32_t workers) const override;
    std::uint32_t examples() const override { return static_cast<std::uint32_t>(m_pairs.size()); }
    void keysOf(std::uint32_t example, std::vector<std::uint32_t>& out) const override {
        out.insert(out.end(), {m_pairs[example].read, m_words + m_pairs[example].predicted});
    }
    std::uint32_t samplesPerExample() const override { return m_set.negatives; }
    SampleLaw sampleLaw() const override;
    double step(std::uint32_t example, std::span<const float* const> values, std::span<float* const> deltas,
                double progress) const override;
    std::vector<Quality> evaluate(const ReadValues& values) const override;

private:
    struct Pair {
        std::uint32_t read, predicted;
    };
    double heldOutLoss(const ReadValues& values) const;
    std::vector<float> directions(const ReadValues& values) const;
    double similarity(const std::vector<float>& directions) const;
    double analogies(const std::vector<float>& directions) const;

    std::shared_ptr<const Corpus> m_corpus;
    WordVectorSettings m_set;
    std::uint32_t m_words;
    std::vector<double> m_counts; ///< by word
    std::vector<Pair> m_pairs, m_heldOut;
};

WordVectorModel::WordVectorModel(std::shared_ptr<const Corpus> corpus, const WordVectorSettings& settings)
    : m_corpus(std::move(corpus)), m_set(settings), m_words(m_corpus->words), m_counts(m_words, 0.0) {
    for (const std::uint32_t word : m_corpus->text) ++m_counts[word];
    RandomStream random(m_set.seed, Purpose::batch, 0xffffffffu);
    const auto total = static_cast<double>(m_corpus->text.size());
    std::vector<std::uint32_t> kept;
    for (std::size_t s = 0; s + 1 < m_corpus->sentences.size(); ++s) {
        kept.clear();
        for (std::uint64_t i = m_corpus->sentences[s]; i < m_corpus->sentences[s + 1]; ++i) {
            const std::uint32_t word = m_corpus->text[i];
            const double times = m_set.subsample > 0 ? m_counts[word] / total / m_set.subsample : 0;
            const double keep = times > 1 ? (std::sqrt(times) + 1) / times : 1; // as word2vec
            if (random.unit() < keep) kept.push_back(word);
        }
        auto& into = s % 50 == 49 ? m_heldOut : m_pairs; // two sentences of a hundred
        for (std::size_t i = 0; i < kept.size(); ++i) {
            const std::size_t reach = 1 + random.below(m_set.window);
            for (std::size_t j = i - std::min(i, reach); j <= std::min(i + reach, kept.size() - 1); ++j)
                if (j != i) into.push_back({kept[j], kept[i]});
        }
    }
}

std::vector<double> WordVectorModel::accesses() const {
    std::vector<double> out(keys(), 0.0);
    for (const Pair& pair : m_pairs) {
        ++out[pair.read];
        ++out[m_words + pair.predicted];
    }
    const SampleLaw law = sampleLaw();
    const double sum = std::accumulate(law.weights.begin(), law.weights.end(), 0.0);
    for (std::uint32_t w = 0; w < m_words; ++w)
        out[m_words + w] += static_cast<double>(m_pairs.size()) * m_set.negatives * law.weights[w] / sum;
    return out;
}

std::vector<std::uint32_t> WordVectorModel::share(std::uint32_t worker, std::uint32_t workers) const {
    const auto bound = [&](std::uint64_t w) { return static_cast<std::uint32_t>(w * m_pairs.size() / workers); };
    std::vector<std::uint32_t> out(bound(worker + 1ull) - bound(worker));
    std::iota(out.begin(), out.end(), bound(worker));
    return out;
}

SampleLaw WordVectorModel::sampleLaw() const {
    SampleLaw law{m_words, std::vector<double>(m_words)};
    for (std::uint32_t w = 0; w < m_words; ++w) law.weights[w] = std::pow(m_counts[w], 0.75);
    return law;
}

double WordVectorModel::step(std::uint32_t, std::span<const float* const> values, std::span<float* const> deltas,
                             double progress) const {
    const std::uint32_t d = m_set.dimension;
    const double rate = m_set.rate * std::max(1 - progress, 0.01);
    double loss = 0;
    std::fill_n(deltas[0], d, 0.0f);
    for (std::size_t n = 1; n < values.size(); ++n) { // the predicted word, then negatives
        const double score = product(values[0], values[n], d);
        loss += softplus(n == 1 ? -score : score);
        const auto pace = static_cast<float>(rate * (n == 1 ? sigmoid(-score) : -sigmoid(score)));
        for (std::uint32_t k = 0; k < d; ++k) {
            deltas[0][k] += pace * values[n][k];
            deltas[n][k] = pace * values[0][k];
        }
    }
    return loss;
}

double WordVectorModel::heldOutLoss(const ReadValues& values) const {
    constexpr std::size_t most = 20'000;
    const SampleLaw law = sampleLaw();
    const AliasTable table(law.weights);
    RandomStream random(m_set.seed, Purpose::batch, 0xfffffffeu);
    double loss = 0;
    const std::size_t count = std::min(most, m_heldOut.size());
    std::vector<float> read(m_set.dimension);
    for (std::size_t n = 0; n < count; ++n) {
        std::copy_n(values(m_heldOut[n].read), m_set.dimension, read.begin());
        loss += softplus(-product(read.data(), values(m_words + m_heldOut[n].predicted), m_set.dimension));
        for (std::uint32_t i = 0; i < m_set.negatives; ++i)
            loss += softplus(product(read.data(), values(law.first + table.draw(random)), m_set.dimension));
    }
    return loss / static_cast<double>(count);
}

/// Vectors of words as read, of length 1.
std::vector<float> WordVectorModel::directions(const ReadValues& values) const {
    const std::uint32_t d = m_set.dimension;
    std::vector<float> out(std::size_t{m_words} * d);
    for (std::uint32_t w = 0; w < m_words; ++w) {
        const float* vector = values(w);
        const double length = std::sqrt(product(vector, vector, d));
        for (std::uint32_t k = 0; k < d; ++k)
            out[std::size_t{w} * d + k] = length > 0 ? static_cast<float>(vector[k] / length) : 0.0f;
    }
    return out;
}

double WordVectorModel::similarity(const std::vector<float>& directions) const {
    const std::uint32_t d = m_set.dimension, asked = std::min(m_words, 200u), nearest = std::min(m_words - 1, 10u);
    double right = 0;
    std::vector<std::pair<double, std::uint32_t>> others;
    for (std::uint32_t n = 0; n < asked; ++n) {
        const auto word = static_cast<std::uint32_t>(std::uint64_t{n} * m_words / asked);
        others.clear();
        for (std::uint32_t w = 0; w < m_words; ++w)
            if (w != word)
                others.emplace_back(-product(&directions[std::size_t{word} * d], &directions[std::size_t{w} * d], d),
                                    w);
        std::partial_sort(others.begin(), others.begin() + nearest, others.end());
        for (std::uint32_t i = 0; i < nearest; ++i)
            right += m_corpus->topics[others[i].second] == m_corpus->topics[word];
    }
    return right / (static_cast<double>(asked) * nearest);
}

double WordVectorModel::analogies(const std::vector<float>& directions) const {
    const std::uint32_t d = m_set.dimension;
    double right = 0;
    std::vector<float> query(d);
    for (const auto& [a, b, c, answer] : m_corpus->analogies) {
        const auto at = [&](std::uint32_t w) { return &directions[std::size_t{w} * d]; };
        for (std::uint32_t k = 0; k < d; ++k) query[k] = at(b)[k] - at(a)[k] + at(c)[k];
        double best = -1e9;
        std::uint32_t found = 0;
        for (std::uint32_t w = 0; w < m_words; ++w) {
            if (w == a || w == b || w == c) continue;
            const double score = product(query.data(), at(w), d);
            if (score > best) best = score, found = w;
        }
        right += found == answer;
    }
    return right / static_cast<double>(m_corpus->analogies.size());
}

std::vector<Quality> WordVectorModel::evaluate(const ReadValues& values) const {
    std::vector<Quality> out;
    if (!m_heldOut.empty()) out.push_back({"held_out_loss", heldOutLoss(values), false});
    if (m_corpus->topics.empty() || m_words < 2) return out;
    const std::vector<float> known = directions(values);
    out.push_back({"similarity", similarity(known)});
    if (!m_corpus->analogies.empty()) out.push_back({"analogies", analogies(known)});
    return out;
}

} // namespace

std::shared_ptr<const KeyedModel> makeWordVectorModel(std::shared_ptr<const Corpus> corpus,
                                                      const WordVectorSettings& settings) {
    return std::make_shared<WordVectorModel>(std::move(corpus), settings);
}

KeyedModelEntry wordVectorEntry() {
    using S = WordVectorSettings;
    return keyedModelEntry<S, Corpus>(
        {.id = "word-vectors",
         .label = "Word vectors (skip-gram)",
         .summary = "A word's vector predicts the words around it, told from drawn ones. The step falls linearly.",
         .formula = "log(1 + exp(−v·u)) + Σ log(1 + exp(v·u′)) over drawn words",
         .needs = "text",
         .qualities = {{"held_out_loss", "Loss of pairs that are not trained on", false},
                       {"similarity", "Nearest words of the same topic"},
                       {"analogies", "Analogies answered right"}},
         .schema = {}},
        makeWordVectorModel,
        [](const S& set, const KeyedDataSize& data) {
            // Pairs, of which a position has window + 1 in the mean; directions of words are made for evaluations.
            return KeyedTaskSize{2 * data.names, static_cast<double>(set.dimension),
                                 data.bytes + 16 * data.examples * (1.0 + set.window) +
                                     data.names * (16 + 4.0 * set.dimension)};
        },
        field(&S::dimension, "dimension", "Dimension", {1, 10'000}, "", "Numbers of a vector."),
        field(&S::negatives, "negatives", "Negative samples", {1, 10'000}, "", "For each pair of words."),
        field(&S::window, "window", "Window", {1, 1000}, "words",
              "Farthest word that is predicted; drawn at each position."),
        field(&S::rate, "rate", "Step", {1e-6, 10}, "", "At the start; it falls to a hundredth."),
        field(&S::subsample, "subsample", "Subsampling", {0, 1}, "",
              "Words of a greater share of the text are left out at times; 0: never."));
}

} // namespace trainyard
