// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Probabilistic latent semantic analysis (Hofmann 1999): words of documents as mixtures of topics. Parameters: P(topic | document),
// then P(word | topic), row-major. Messages are [gradient | curvature] such that w − gradient/curvature is the EM step, element by
// element, as for the Gaussian mixture. The loss is S-shaped: EM leaves its start, where all topics are alike, slowly.
#include "learning/models/ModelEntry.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace topic_model {

struct Params {
    int topics = 10;
    double smoothing = 1e-3;
};

class TopicModel final : public Model {
public:
    TopicModel(std::size_t documents, std::size_t words, std::size_t topics, double smoothing)
        : m_documents(documents), m_words(words), m_topics(topics), m_smoothing(smoothing) {}

    std::size_t parameterCount() const override { return (m_documents + m_words) * m_topics; }
    bool hasCurvature() const override { return true; }
    /// Nearly uniform: equal topics would stay equal.
    void initialise(std::span<double> parameters, RandomStream& random) const override {
        const auto fill = [&random](std::span<double> out) {
            double sum = 0;
            for (double& p : out) sum += p = 1 + 0.1 * random.unit();
            for (double& p : out) p /= sum;
        };
        for (std::size_t d = 0; d < m_documents; ++d) fill(parameters.subspan(d * m_topics, m_topics));
        for (std::size_t z = 0; z < m_topics; ++z) fill(parameters.subspan(word(z, 0), m_words));
    }

    double gradient(std::span<const double> parameters, const Batch& batch, std::span<double> message) const override {
        std::fill(message.begin(), message.end(), 0.0);
        const auto g = message.first(parameterCount()), h = message.subspan(parameterCount());
        const double share = 1.0 / static_cast<double>(batch.rows);
        std::vector<double> ofTopic(m_topics, m_smoothing); // expected words of a topic
        double loss = 0;
        for (std::size_t i = 0; i < batch.rows; ++i) {
            const Cell cell = at(parameters, batch, i);
            loss += cell.loss;
            const double count = share * batch.y[i];
            for (std::size_t z = 0; z < m_topics; ++z) {
                const std::size_t t = cell.document + z, w = word(z, cell.word);
                const double expected = count * parameters[t] * parameters[w] / cell.probability;
                g[t] -= expected;
                g[w] -= expected;
                h[t] += count;
                ofTopic[z] += expected;
            }
        }
        for (std::size_t t = 0; t < m_documents * m_topics; ++t) g[t] += h[t] * parameters[t];
        for (std::size_t z = 0; z < m_topics; ++z)
            for (std::size_t w = word(z, 0); w < word(z + 1, 0); ++w) {
                h[w] = ofTopic[z];
                g[w] += h[w] * parameters[w] - m_smoothing / static_cast<double>(m_words);
            }
        return loss * share + penalty(parameters);
    }

    double loss(std::span<const double> parameters, const Batch& batch) const override {
        double loss = 0;
        for (std::size_t i = 0; i < batch.rows; ++i) loss += at(parameters, batch, i).loss;
        return loss * (1.0 / static_cast<double>(batch.rows)) + penalty(parameters);
    }

private:
    static constexpr double least = 1e-300; ///< of a probability whose logarithm is taken
    struct Cell {
        std::size_t document = 0, word = 0; ///< where the document's topics begin; number of the word
        double probability = 0, loss = 0;
    };
    std::size_t word(std::size_t topic, std::size_t number) const {
        return m_documents * m_topics + topic * m_words + number;
    }
    Cell at(std::span<const double> parameters, const Batch& batch, std::size_t i) const {
        Cell out{static_cast<std::size_t>(batch.x[2 * i]) * m_topics, static_cast<std::size_t>(batch.x[2 * i + 1])};
        for (std::size_t z = 0; z < m_topics; ++z)
            out.probability += parameters[out.document + z] * parameters[word(z, out.word)];
        out.probability = std::max(out.probability, least);
        out.loss = -batch.y[i] * std::log(out.probability);
        return out;
    }
    /// A Dirichlet prior on the topics: no word becomes impossible because a batch lacks it.
    double penalty(std::span<const double> parameters) const {
        if (m_smoothing == 0) return 0;
        double sum = 0;
        for (std::size_t w = word(0, 0); w < parameters.size(); ++w) sum -= std::log(std::max(parameters[w], least));
        return sum * m_smoothing / static_cast<double>(m_words);
    }

    std::size_t m_documents, m_words, m_topics;
    double m_smoothing;
};

} // namespace topic_model

ModelEntry topicModelEntry() {
    using namespace topic_model;
    return modelEntry<Params>(
        {.id = "plsa",
         .label = "Topic model (pLSA)",
         .summary = "Words of documents as mixtures of topics; trained by EM.",
         .formula = "−mean over counts n(d,w) of n log Σ P(z|d) P(w|z) − (s/words) Σ log P(w|z)",
         .needsRatings = true},
        [](const Params& p, const DataSet& data) -> Result<std::shared_ptr<const Model>> {
            Batch all;
            std::vector<std::uint32_t> rows(data.rows());
            std::iota(rows.begin(), rows.end(), 0u);
            data.gather(rows, all);
            if (std::any_of(all.y.begin(), all.y.end(), [](double count) { return count < 0; }))
                return Problem{.code = "unusable-data",
                               .message = {TRAINYARD_TEXT("a topic model needs counts, none below 0; choose "
                                                          "synthetic-documents"),
                                           {}},
                               .pointer = "/id"};
            return std::shared_ptr<const Model>(
                std::make_shared<const TopicModel>(data.users(), static_cast<std::size_t>(data.classes()),
                                                   static_cast<std::size_t>(p.topics), p.smoothing));
        },
        field(&Params::topics, "topics", "Topics", {1, 1000}, "", "How many."),
        field(&Params::smoothing, "smoothing", "Smoothing s", {0, 1e3}, "",
              "Weight of a uniform prior on the words of a topic."));
}

} // namespace trainyard
