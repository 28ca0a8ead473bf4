// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Seeded data of any size. Coordinates of the draws: entity 0 = the law (optimum, centres, factors), entity 1
// = the rows, so that more rows extend a data set and never change its law.
#include "learning/data/DataEntry.h"
#include "learning/data/StoredDataSet.h"

#include "base/Format.h"
#include "base/Stopped.h"

#include <cmath>

namespace trainyard {

namespace synthetic_data {

using Loaded = Result<std::shared_ptr<const DataSet>>;

constexpr double largestNumberCount = 2e8; // 1.6 GB

std::optional<Problem> tooLarge(std::int64_t rows, std::int64_t columns) {
    const double count = static_cast<double>(rows) * static_cast<double>(columns);
    if (count <= largestNumberCount) return std::nullopt;
    return Problem{.code = "out-of-range",
                   .message = {TRAINYARD_TEXT("{0} rows of {1} features are {2} numbers; at most {3} fit"),
                               {std::to_string(rows), std::to_string(columns), formatNumber(count, 3),
                                formatNumber(largestNumberCount)}},
                   .pointer = "/parameters/rows"};
}

RandomStream lawStream(std::uint64_t seed) { return {seed, Purpose::dataset, 0}; }
RandomStream rowStream(std::uint64_t seed) { return {seed, Purpose::dataset, 1}; }

/// Now and then, in a loop over rows.
void lookAt(const std::stop_token& stop, std::size_t row) {
    if (row % 1024 == 0) throwIfStopped(stop);
}

std::vector<double> normals(RandomStream& random, std::size_t n) {
    std::vector<double> out(n);
    for (double& v : out) v = random.normal();
    return out;
}

/// Gaussian rows whose covariance has eigenvalues 1 … 1/κ at equal ratios, in directions that mix all
/// coordinates (one Householder reflection), so that rules which scale each coordinate gain nothing from the
/// axes.
class Features {
public:
    Features(std::size_t count, double condition, RandomStream& law) : m_scale(count), m_mirror(normals(law, count)) {
        for (std::size_t j = 0; j < count; ++j)
            m_scale[j] =
                count > 1 ? std::pow(condition, -0.5 * static_cast<double>(j) / static_cast<double>(count - 1)) : 1.0;
        double norm = 0;
        for (double v : m_mirror) norm += v * v;
        for (double& v : m_mirror) v /= std::sqrt(norm);
    }
    /// Appends one row.
    void draw(RandomStream& random, std::vector<double>& out) const {
        const std::size_t begin = out.size();
        double along = 0;
        for (std::size_t j = 0; j < m_scale.size(); ++j) {
            out.push_back(m_scale[j] * random.normal());
            along += m_mirror[j] * out.back();
        }
        for (std::size_t j = 0; j < m_scale.size(); ++j) out[begin + j] -= 2 * along * m_mirror[j];
    }

private:
    std::vector<double> m_scale, m_mirror;
};

struct RegressionParams {
    int rows = 1000, features = 20;
    double conditionNumber = 10, noise = 0.1;
};

Loaded makeRegression(const RegressionParams& p, std::uint64_t seed, const std::stop_token& stop) {
    if (auto problem = tooLarge(p.rows, p.features)) return *problem;
    RandomStream law = lawStream(seed), random = rowStream(seed);
    const Features features(static_cast<std::size_t>(p.features), p.conditionNumber, law);
    std::vector<double> truth = normals(law, static_cast<std::size_t>(p.features));
    Batch data{.rows = static_cast<std::size_t>(p.rows), .features = truth.size()};
    data.x.reserve(data.rows * data.features);
    for (std::size_t i = 0; i < data.rows; ++i) {
        lookAt(stop, i);
        features.draw(random, data.x);
        double y = p.noise * random.normal();
        for (std::size_t j = 0; j < truth.size(); ++j) y += truth[j] * data.x[i * truth.size() + j];
        data.y.push_back(y);
    }
    return {std::make_shared<const StoredDataSet>(std::move(data), 0, 0, std::move(truth))};
}

struct ClassificationParams {
    int rows = 1000, features = 20, classes = 2;
    double conditionNumber = 10, separation = 2, mislabelled = 0.02;
};

Loaded makeClassification(const ClassificationParams& p, std::uint64_t seed, const std::stop_token& stop) {
    if (auto problem = tooLarge(p.rows, p.features)) return *problem;
    RandomStream law = lawStream(seed), random = rowStream(seed);
    const auto width = static_cast<std::size_t>(p.features);
    const auto classes = static_cast<std::uint64_t>(p.classes);
    const Features features(width, p.conditionNumber, law);
    std::vector<double> centres = normals(law, width * classes);
    for (double& c : centres) c *= p.separation / std::sqrt(static_cast<double>(width));
    Batch data{.rows = static_cast<std::size_t>(p.rows), .features = width};
    data.x.reserve(data.rows * width);
    for (std::size_t i = 0; i < data.rows; ++i) {
        lookAt(stop, i);
        const std::uint64_t own = random.below(classes);
        features.draw(random, data.x);
        for (std::size_t j = 0; j < width; ++j) data.x[i * width + j] += centres[own * width + j];
        const bool wrong = random.unit() < p.mislabelled;
        const std::uint64_t other = (own + 1 + random.below(classes - 1)) % classes;
        data.y.push_back(static_cast<double>(wrong ? other : own));
    }
    return {std::make_shared<const StoredDataSet>(std::move(data), p.classes)};
}

struct ClusterParams {
    int rows = 1000, features = 2, clusters = 4;
    double spread = 5;
};

Loaded makeClusters(const ClusterParams& p, std::uint64_t seed, const std::stop_token& stop) {
    if (auto problem = tooLarge(p.rows, p.features)) return *problem;
    RandomStream law = lawStream(seed), random = rowStream(seed);
    const auto width = static_cast<std::size_t>(p.features);
    const auto clusters = static_cast<std::uint64_t>(p.clusters);
    std::vector<double> centres = normals(law, width * clusters);
    Batch data{.rows = static_cast<std::size_t>(p.rows), .features = width};
    data.x.reserve(data.rows * width);
    for (std::size_t i = 0; i < data.rows; ++i) {
        lookAt(stop, i);
        const std::uint64_t own = random.below(clusters);
        for (std::size_t j = 0; j < width; ++j) data.x.push_back(p.spread * centres[own * width + j] + random.normal());
        data.y.push_back(static_cast<double>(own));
    }
    return {std::make_shared<const StoredDataSet>(std::move(data), p.clusters)};
}

struct RatingParams {
    int rows = 10000, users = 200, items = 300, rank = 4;
    double noise = 0.1, skew = 0;
};

/// Draws i with probability ∝ (i + 1)^−skew.
class Zipf {
public:
    Zipf(std::size_t count, double skew) {
        for (std::size_t i = 0; i < count; ++i)
            m_cumulated.push_back((i ? m_cumulated.back() : 0.0) + std::pow(static_cast<double>(i + 1), -skew));
    }
    std::size_t draw(RandomStream& random) const {
        const double target = random.unit() * m_cumulated.back();
        const auto at = std::upper_bound(m_cumulated.begin(), m_cumulated.end(), target) - m_cumulated.begin();
        return std::min(static_cast<std::size_t>(at), m_cumulated.size() - 1);
    }

private:
    std::vector<double> m_cumulated;
};

/// Rating = ⟨p_user, q_item⟩ + noise, entries of the factors N(0, 1/√rank): ratings then have variance 1.
Loaded makeRatings(const RatingParams& p, std::uint64_t seed, const std::stop_token& stop) {
    if (auto problem = tooLarge(p.rows, 2)) return *problem;
    if (auto problem = tooLarge(static_cast<std::int64_t>(p.users) + p.items, p.rank)) return *problem;
    RandomStream law = lawStream(seed), random = rowStream(seed);
    const auto users = static_cast<std::size_t>(p.users), items = static_cast<std::size_t>(p.items);
    const auto rank = static_cast<std::size_t>(p.rank);
    std::vector<double> truth = normals(law, (users + items) * rank);
    const double scale = std::pow(static_cast<double>(rank), -0.25);
    for (double& v : truth) v *= scale;
    const Zipf user(users, p.skew), item(items, p.skew);
    Batch data{.rows = static_cast<std::size_t>(p.rows), .features = 2};
    for (std::size_t i = 0; i < data.rows; ++i) {
        lookAt(stop, i);
        const std::size_t u = user.draw(random), v = item.draw(random);
        double y = p.noise * random.normal();
        for (std::size_t r = 0; r < rank; ++r) y += truth[u * rank + r] * truth[(users + v) * rank + r];
        data.x.push_back(static_cast<double>(u));
        data.x.push_back(static_cast<double>(v));
        data.y.push_back(y);
    }
    return {std::make_shared<const StoredDataSet>(std::move(data), p.items, users, std::move(truth))};
}

struct DocumentParams {
    int documents = 200, words = 100, topics = 5, length = 60;
};

/// Probabilities ∝ cubes of exponential variables: few large, many small.
std::vector<double> unevenShares(RandomStream& random, std::size_t n) {
    std::vector<double> out(n);
    double sum = 0;
    for (double& p : out) sum += p = std::pow(-std::log(1 - random.unit()), 3);
    for (double& p : out) p /= sum;
    return out;
}

std::size_t drawFrom(const std::vector<double>& shares, RandomStream& random) {
    double target = random.unit();
    std::size_t i = 0;
    while (i + 1 < shares.size() && (target -= shares[i]) >= 0) ++i;
    return i;
}

/// Each word of a document is drawn from one of its topics. Rows are (document, word) with how often the one has the other.
Loaded makeDocuments(const DocumentParams& p, std::uint64_t seed, const std::stop_token& stop) {
    if (auto problem = tooLarge(p.documents, std::min(p.words, p.length))) return *problem;
    if (auto problem = tooLarge(static_cast<std::int64_t>(p.documents) + p.words, p.topics)) return *problem;
    RandomStream law = lawStream(seed), random = rowStream(seed);
    const auto words = static_cast<std::size_t>(p.words), topics = static_cast<std::size_t>(p.topics);
    std::vector<std::vector<double>> ofTopic;
    for (std::size_t z = 0; z < topics; ++z) ofTopic.push_back(unevenShares(law, words));
    Batch data{.features = 2};
    for (int d = 0; d < p.documents; ++d) {
        throwIfStopped(stop);
        const std::vector<double> own = unevenShares(random, topics);
        std::vector<int> count(words, 0);
        for (int i = 0; i < p.length; ++i) ++count[drawFrom(ofTopic[drawFrom(own, random)], random)];
        for (std::size_t w = 0; w < words; ++w) {
            if (count[w] == 0) continue;
            ++data.rows;
            data.x.push_back(d);
            data.x.push_back(static_cast<double>(w));
            data.y.push_back(count[w]);
        }
    }
    return {std::make_shared<const StoredDataSet>(std::move(data), p.words, static_cast<std::size_t>(p.documents))};
}

DataSetInfo generated(std::string id, std::string label, std::string summary) {
    return {.id = std::move(id),
            .label = std::move(label),
            .summary = std::move(summary),
            .licence = "generated",
            .provenance = "Generated from the seed."};
}

template <class P>
auto rowsField() {
    return field(&P::rows, "rows", "Rows", {1, 1e8}, "", "How many.").logarithmic();
}
template <class P>
auto featuresField() {
    return field(&P::features, "features", "Features", {1, 1e5}, "", "Length of a row.").logarithmic();
}
template <class P>
auto conditionField() {
    return field(
               &P::conditionNumber, "condition_number", "Condition number κ", {1, 1e12}, "",
               "Largest over smallest eigenvalue of the features' covariance; where there are classes, within a class.")
        .effect("Gradient descent becomes slower.")
        .logarithmic();
}

} // namespace synthetic_data

std::vector<DataEntry> syntheticEntries() {
    using namespace synthetic_data;
    using R = RegressionParams;
    using C = ClassificationParams;
    using K = ClusterParams;
    using M = RatingParams;
    using D = DocumentParams;
    return {
        dataEntry<R>(
            generated("synthetic-regression", "Synthetic regression", "Gaussian rows and a linear target with noise."),
            makeRegression, rowsField<R>(), featuresField<R>(), conditionField<R>(),
            field(&R::noise, "noise", "Noise", {0, 1e6}, "", "Standard deviation of the noise on the target.")),
        dataEntry<C>(
            generated("synthetic-classification", "Synthetic classification",
                      "One Gaussian per class, some labels wrong."),
            makeClassification, rowsField<C>(), featuresField<C>(),
            field(&C::classes, "classes", "Classes", {2, 1000}, "", "How many."), conditionField<C>(),
            field(&C::separation, "separation", "Separation", {0, 1e3}, "",
                  "Typical distance of a class's centre from the origin.")
                .effect("Classes become easier to separate."),
            field(&C::mislabelled, "mislabelled", "Mislabelled", {0, 1}, "", "Share of rows with a wrong label.")),
        dataEntry<K>(
            generated("synthetic-clusters", "Synthetic clusters", "Round clusters of variance 1."), makeClusters,
            rowsField<K>(), featuresField<K>(), field(&K::clusters, "clusters", "Clusters", {2, 1000}, "", "How many."),
            field(&K::spread, "spread", "Spread", {0, 1e3}, "", "Standard deviation of the centres, per coordinate.")
                .effect("Clusters overlap less.")),
        dataEntry<M>(
            generated("synthetic-ratings", "Synthetic ratings",
                      "Ratings of items by users from hidden factors, for matrix factorization."),
            makeRatings, rowsField<M>(), field(&M::users, "users", "Users", {1, 1e6}, "", "How many.").logarithmic(),
            field(&M::items, "items", "Items", {1, 1e6}, "", "How many.").logarithmic(),
            field(&M::rank, "rank", "Rank", {1, 1000}, "", "Length of the hidden factors."),
            field(&M::noise, "noise", "Noise", {0, 1e3}, "", "Standard deviation of the noise on a rating."),
            field(&M::skew, "skew", "Skew", {0, 4}, "", "Zipf exponent: the i-th user and item appear ∝ i^−skew.")
                .effect("A few users and items take part in most ratings.")),
        dataEntry<D>(generated("synthetic-documents", "Synthetic documents",
                               "How often documents have words, from hidden topics; for topic models."),
                     makeDocuments,
                     field(&D::documents, "documents", "Documents", {1, 1e6}, "", "How many.").logarithmic(),
                     field(&D::words, "words", "Vocabulary", {1, 1e6}, "", "How many different words.").logarithmic(),
                     field(&D::topics, "topics", "Topics", {1, 1000}, "", "Of which documents are mixtures."),
                     field(&D::length, "length", "Length", {1, 1e6}, "words", "Of a document.").logarithmic()),
    };
}

} // namespace trainyard
