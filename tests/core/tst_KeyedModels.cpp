// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Models of many keys: steps against finite differences of their losses, shares, and what they learn of planted structure.
#include "learning/keyed/CellFactorization.h"
#include "learning/keyed/ComplexEmbeddings.h"
#include "learning/keyed/ModelParts.h"
#include "learning/keyed/PlainTraining.h"
#include "learning/keyed/WordVectors.h"
#include "support/TestMain.h"

#include <cmath>
#include <set>

using namespace trainyard;
using namespace trainyard::test;

namespace {

std::shared_ptr<const KeyedModel> modelOf(const QString& name) {
    if (name == "knowledge graph") {
        auto facts = std::make_shared<const Triples>(plantTriples({.entities = 60, .relations = 4, .facts = 400}, 3));
        return makeComplexModel(facts, {.dimension = 5, .negatives = 3, .penalty = 0.01, .spread = 0.5});
    }
    if (name == "word vectors") {
        auto corpus = std::make_shared<const Corpus>(plantCorpus({.topics = 3, .stems = 6, .sentences = 100}, 3));
        return makeWordVectorModel(corpus, {.dimension = 7, .negatives = 4});
    }
    auto cells = std::make_shared<const KnownCells>(plantCells({.rows = 40, .columns = 20, .cells = 300}, 3));
    return makeFactorizationModel(cells, {.rank = 6, .penalty = 0.02});
}

void addModels() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"knowledge graph", "word vectors", "factorization"}) QTest::newRow(name) << QString(name);
}

double qualityOf(const std::vector<Quality>& all, const char* name) {
    for (const Quality& quality : all)
        if (quality.name == name) return quality.value;
    return NAN;
}

} // namespace

class tst_KeyedModels : public QObject {
    Q_OBJECT
private slots:
    void stepsFollowTheGradient_data() { addModels(); }
    void stepsFollowTheGradient();
    void sharesAreAllExamplesOnce_data() { addModels(); }
    void sharesAreAllExamplesOnce();
    void accessesAreThoseOfAnEpoch_data() { addModels(); }
    void accessesAreThoseOfAnEpoch();
    void knowledgeIsLearned();
    void topicsAreLearned();
    void factorsAreLearned();
    void rightRankOfAFewEntities();
    void productsAddInAStatedOrder();
    void longVectorsAsShortOnes();
    void namesAreRead();
    void textIsRead();
    void aliasTableFollowsItsWeights();
};

// ∂ loss / ∂ value by central differences, and the gradient that the step's deltas stand for.
void tst_KeyedModels::stepsFollowTheGradient() {
    QFETCH(QString, name);
    const auto model = modelOf(name);
    const std::uint32_t length = model->valuesPerKey(), example = model->examples() / 2;
    std::vector<std::uint32_t> keys;
    model->keysOf(example, keys);
    const std::size_t direct = keys.size();
    const SampleLaw law = model->sampleLaw();
    RandomStream random(5, Purpose::test);
    for (std::uint32_t n = 0; n < model->samplesPerExample(); ++n) // other keys than the example's, each once
        for (;;) {
            const auto key = law.first + static_cast<std::uint32_t>(random.below(law.weights.size()));
            if (std::ranges::find(keys, key) != keys.end()) continue;
            keys.push_back(key);
            break;
        }
    std::vector<std::vector<float>> values(keys.size(), std::vector<float>(length)), deltas = values;
    for (auto& of : values)
        for (float& v : of) v = static_cast<float>(0.5 * random.normal());
    const bool adagrad = name == "knowledge graph";
    const std::uint32_t numbers = adagrad ? length / 2 : length;
    for (auto& of : values) // sums of squares, so large that what is added hardly counts
        for (std::uint32_t k = numbers; k < length; ++k) of[k] = 1e4f;
    const auto loss = [&] {
        std::vector<const float*> read;
        std::vector<float*> written;
        for (std::size_t n = 0; n < keys.size(); ++n)
            read.push_back(values[n].data()), written.push_back(deltas[n].data());
        return model->step(example, read, written, 0);
    };
    loss();
    const auto given = deltas;
    QVERIFY(direct >= 2);
    for (std::size_t n = 0; n < keys.size(); ++n)
        for (std::uint32_t k = 0; k < numbers; ++k) {
            const float v = values[n][k], h = 1e-2f;
            values[n][k] = v + h;
            const double above = loss();
            values[n][k] = v - h;
            const double below = loss();
            values[n][k] = v;
            double expected = (above - below) / (2.0 * h), gradient = -given[n][k];
            if (adagrad) {
                gradient = -given[n][k] * std::sqrt(1e4 + given[n][numbers + k]) / 0.1;
                expected += 0.01 * v;
                QVERIFY(std::abs(given[n][numbers + k] - gradient * gradient) < 1e-3 * (1 + gradient * gradient));
            } else if (name == "word vectors") {
                gradient /= 0.025;
            } else {
                gradient /= 0.05;
                expected += 0.02 * v;
            }
            QVERIFY2(std::abs(gradient - expected) < 2e-3 * (1 + std::abs(expected)),
                     qPrintable(QString("key %1 value %2: %3 for %4").arg(n).arg(k).arg(gradient).arg(expected)));
        }
}

void tst_KeyedModels::sharesAreAllExamplesOnce() {
    QFETCH(QString, name);
    const auto model = modelOf(name);
    for (const std::uint32_t workers : {1u, 3u, 7u}) {
        std::vector<std::uint32_t> all;
        for (std::uint32_t w = 0; w < workers; ++w) {
            const auto share = model->share(w, workers);
            all.insert(all.end(), share.begin(), share.end());
        }
        std::ranges::sort(all);
        QCOMPARE(all.size(), std::size_t{model->examples()});
        for (std::uint32_t n = 0; n < all.size(); ++n) QCOMPARE(all[n], n);
    }
}

void tst_KeyedModels::accessesAreThoseOfAnEpoch() {
    QFETCH(QString, name);
    const auto model = modelOf(name);
    const auto expected = model->accesses();
    std::vector<double> counted(model->keys(), 0.0);
    const SampleLaw law = model->sampleLaw();
    const AliasTable table = model->samplesPerExample() > 0 ? AliasTable(law.weights) : AliasTable();
    RandomStream random(1, Purpose::keySample);
    constexpr int epochs = 50;
    std::vector<std::uint32_t> keys;
    for (int epoch = 0; epoch < epochs; ++epoch)
        for (std::uint32_t n = 0; n < model->examples(); ++n) {
            keys.clear();
            model->keysOf(n, keys);
            for (const std::uint32_t key : keys) ++counted[key];
            for (std::uint32_t s = 0; s < model->samplesPerExample(); ++s) ++counted[law.first + table.draw(random)];
        }
    for (std::uint32_t key = 0; key < model->keys(); ++key) {
        const double mean = counted[key] / epochs, deviation = std::sqrt(expected[key] / epochs);
        QVERIFY2(std::abs(mean - expected[key]) < 5 * deviation + 1e-9, qPrintable(QString::number(key))); // 6e-7 each
    }
}

void tst_KeyedModels::knowledgeIsLearned() {
    auto facts = std::make_shared<const Triples>(plantTriples({.entities = 300, .relations = 8, .facts = 2500}, 1));
    QVERIFY(facts->train.size() > 2000);
    const auto model = makeComplexModel(facts, {.dimension = 24, .negatives = 8});
    PlainTraining training(*model, 1, 12);
    const double before = qualityOf(training.evaluate(), "mrr"), first = training.epoch();
    double last = 0;
    for (int epoch = 1; epoch < 12; ++epoch) last = training.epoch();
    const auto after = training.evaluate();
    qInfo("mrr %.3f -> %.3f, hits@10 %.3f, loss %.2f -> %.2f", before, qualityOf(after, "mrr"),
          qualityOf(after, "hits_at_10"), first, last);
    QVERIFY(before < 0.05 && qualityOf(after, "mrr") > 0.25 && qualityOf(after, "hits_at_10") > 0.6);
    QVERIFY(last < first / 2);
}

void tst_KeyedModels::topicsAreLearned() {
    auto corpus = std::make_shared<const Corpus>(plantCorpus({}, 1));
    const auto model = makeWordVectorModel(corpus, {.dimension = 24, .subsample = 0});
    PlainTraining training(*model, 1, 10);
    const auto before = training.evaluate();
    for (int epoch = 0; epoch < 10; ++epoch) training.epoch();
    const auto after = training.evaluate();
    for (const char* name : {"similarity", "analogies", "held_out_loss"})
        qInfo("%s %.3f -> %.3f", name, qualityOf(before, name), qualityOf(after, name));
    QVERIFY(qualityOf(before, "similarity") < 0.2 && qualityOf(after, "similarity") > 0.5);
    QVERIFY(qualityOf(before, "analogies") < 0.1 && qualityOf(after, "analogies") > 0.45);
    QVERIFY(qualityOf(after, "held_out_loss") < 0.7 * qualityOf(before, "held_out_loss"));
}

void tst_KeyedModels::factorsAreLearned() {
    auto cells = std::make_shared<const KnownCells>(plantCells({}, 1));
    const auto model = makeFactorizationModel(cells, {});
    PlainTraining training(*model, 1, 20);
    const double before = qualityOf(training.evaluate(), "rmse");
    for (int epoch = 0; epoch < 20; ++epoch) training.epoch();
    const double after = qualityOf(training.evaluate(), "rmse");
    qInfo("rmse %.3f -> %.3f", before, after);
    QVERIFY(before > 0.9 && after < 0.5);
}

// Scores are set by hand: entity e scores e with (subject 0, relation 0), so that the right object 3 of 5 has rank 2; 4 is known to be a fact.
void tst_KeyedModels::rightRankOfAFewEntities() {
    auto facts = std::make_shared<Triples>();
    facts->entities = 6;
    facts->relations = 1;
    facts->train = {{0, 0, 4}};
    facts->test = {{0, 0, 3}};
    const auto model = makeComplexModel(facts, {.dimension = 1, .negatives = 0});
    std::vector<std::vector<float>> values(7, std::vector<float>(4, 0.0f));
    for (std::uint32_t e = 0; e < 6; ++e) values[e][0] = static_cast<float>(e);
    values[0][0] = 1; // subject: objects score their number
    values[6][0] = 1;
    const auto qualities = model->evaluate([&](std::uint32_t key) { return values[key].data(); });
    // Objects: only 5 is better, since 4 is known; rank 2. Subjects of (·, 0, 3): 2, 3, 4, 5 are better, entity 1 is equal; rank 5.5.
    QCOMPARE(qualityOf(qualities, "mrr"), (1 / 2.0 + 1 / 5.5) / 2);
    QCOMPARE(qualityOf(qualities, "hits_at_10"), 1.0);
}

// Eight partial sums, added in pairs, and the rest by itself: bit for bit, whatever the compiler makes of vectors.
void tst_KeyedModels::productsAddInAStatedOrder() {
    RandomStream random(7, Purpose::test);
    for (std::uint32_t count = 0; count < 70; ++count) {
        std::vector<float> a(count + 1), b(count + 1); // from the second on: not aligned
        for (auto* of : {&a, &b})
            for (float& v : *of) v = static_cast<float>(random.normal());
        float sums[8] = {}, rest = 0;
        for (std::uint32_t k = 0; k < count; ++k) {
            const float term = a[k + 1] * b[k + 1];
            (k < count - count % 8 ? sums[k % 8] : rest) += term;
        }
        const float expected =
            ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7])) + rest;
        QCOMPARE(product(a.data() + 1, b.data() + 1, count), double{expected});
    }
}

// A vector whose other numbers are 0 moves as the short one, also where a step's work does not fit on the stack.
void tst_KeyedModels::longVectorsAsShortOnes() {
    auto facts = std::make_shared<Triples>();
    facts->entities = 3;
    facts->relations = 1;
    facts->train = {{0, 0, 1}};
    constexpr std::uint32_t shortOnes = 5, keys = 3 + 4;
    struct Step {
        std::vector<std::vector<float>> values, deltas;
        double loss = 0;
    };
    const auto stepOf = [&](std::uint32_t dimension) {
        const auto model = makeComplexModel(facts, {.dimension = dimension, .negatives = 2, .penalty = 0.01});
        Step out;
        RandomStream random(9, Purpose::test);
        for (std::uint32_t key = 0; key < keys; ++key) {
            std::vector<float> of(model->valuesPerKey(), 0.0f);
            for (std::uint32_t k = 0; k < 2 * shortOnes; ++k) // real parts, then imaginary ones
                of[k < shortOnes ? k : dimension + k - shortOnes] = static_cast<float>(random.normal());
            out.values.push_back(of);
            out.deltas.emplace_back(of.size(), 1e9f); // to be written whole
        }
        std::vector<const float*> read;
        std::vector<float*> written;
        for (std::uint32_t key = 0; key < keys; ++key)
            read.push_back(out.values[key].data()), written.push_back(out.deltas[key].data());
        out.loss = model->step(0, read, written, 0);
        return out;
    };
    const Step few = stepOf(shortOnes);
    for (const std::uint32_t dimension : {8u, 256u, 257u, 700u}) {
        const Step many = stepOf(dimension);
        QVERIFY(std::abs(many.loss - few.loss) < 1e-5 * few.loss);
        for (std::uint32_t key = 0; key < keys; ++key)
            for (std::uint32_t k = 0; k < 4 * dimension; ++k) {
                const std::uint32_t part = k / dimension, at = k % dimension;
                const float expected = at < shortOnes ? few.deltas[key][part * shortOnes + at] : 0;
                QVERIFY(std::abs(many.deltas[key][k] - expected) < 1e-4f * (1 + std::abs(expected)));
            }
    }
}

void tst_KeyedModels::namesAreRead() {
    const auto read = readTriples("a\tlikes\tb\nb\tlikes\tc\r\n\n", "a\tlikes\tc\n", "a\thates\tc\nd\tlikes\ta\n");
    QVERIFY(read);
    QCOMPARE(read->triples.entities, 3u);
    QCOMPARE(read->triples.relations, 1u);
    QCOMPARE(read->triples.train.size(), std::size_t{2});
    QVERIFY((read->triples.valid == std::vector<Triple>{{0, 0, 2}}));
    QCOMPARE(read->leftOut, std::size_t{2});
    for (const char* wrong : {"a\tb\n", "a\tb\tc\td\n", "a\t\tc\n", "\tb\tc\n", "a\tb\t\n", "a b c\n"}) {
        const auto refused = readTriples(std::string("x\ty\tz\n") + wrong, "", "");
        QVERIFY(!refused);
        QVERIFY(refused.problems()[0].text().find("train, line 2") != std::string::npos);
    }
    QVERIFY(!readTriples("", "a\tb\tc\n", ""));
}

void tst_KeyedModels::textIsRead() {
    const auto read = readCorpus("The cat. The dog!\n\nA cat\nand THE dog", 2);
    QVERIFY((read.vocabulary == std::vector<std::string>{"the", "cat", "dog"}));
    QVERIFY((read.corpus.text == std::vector<std::uint32_t>{0, 1, 0, 2, 1, 0, 2}));
    QVERIFY((read.corpus.sentences == std::vector<std::uint64_t>{0, 2, 4, 7}));
}

// χ² of 200,000 draws stays below its 1 − 1e-6 quantile.
void tst_KeyedModels::aliasTableFollowsItsWeights() {
    std::vector<double> weights{0, 1, 5, 0.25, 100, 3, 0, 12};
    const AliasTable table(weights);
    std::vector<double> counted(weights.size(), 0.0);
    RandomStream random(3, Purpose::test);
    constexpr int draws = 200'000;
    for (int n = 0; n < draws; ++n) ++counted[table.draw(random)];
    double sum = 0, chi = 0;
    for (const double w : weights) sum += w;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double expected = draws * weights[i] / sum;
        if (expected == 0)
            QCOMPARE(counted[i], 0.0);
        else
            chi += (counted[i] - expected) * (counted[i] - expected) / expected;
    }
    QVERIFY2(chi < 35.9, qPrintable(QString::number(chi))); // five degrees of freedom
}

TRAINYARD_TEST(tst_KeyedModels)
#include "tst_KeyedModels.moc"
