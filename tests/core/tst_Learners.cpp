// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Optimizers that need the whole vector, and the models that they train: steps by hand, optima that they reach, losses that never rise
// where theory says so, and what they refuse.
#include "learning/TrainingProblem.h"
#include "learning/data/StoredDataSet.h"
#include "support/TestMain.h"
#include "support/WholeBatch.h"

#include <cmath>

using namespace trainyard;
using trainyard::test::wholeBatch;

Q_DECLARE_METATYPE(trainyard::Choice)

class tst_Learners : public QObject {
    Q_OBJECT
private slots:
    void lbfgsByHand();
    void lbfgsReachesOptima_data();
    void lbfgsReachesOptima();
    void polynomialFeaturesAreTheKernel();
    void alternatingByHand();
    void alternatingNeverRises();
    void topicStepIsEm();
    void topicLossIsSShaped();
    void unlikePairsAreRefused();
};

namespace {

ResourcePaths resources() { return {TRAINYARD_SOURCE_DIR "/resources"}; }

/// Full batches.
struct Trained {
    std::shared_ptr<const DataSet> data;
    std::shared_ptr<const Model> model;
    std::shared_ptr<const Optimizer> optimizer;
    std::vector<double> w, losses; ///< losses: before each update, and at the end
    double gradientNorm = 0;       ///< at the end
};

Trained train(const Choice& data, const Choice& model, const Choice& optimizer, int updates) {
    Trained out{loadDataSet(data, 3, resources()).value(), {}, makeOptimizer(optimizer).value(), {}, {}};
    out.model = makeModel(model, *out.data).value();
    out.w.resize(out.model->parameterCount());
    RandomStream random(3, Purpose::initialWeights);
    out.model->initialise(out.w, random);
    const Batch all = wholeBatch(*out.data);
    const std::size_t n = out.w.size();
    std::vector<double> message(out.model->messageSize()), state(out.optimizer->stateSize() * n);
    for (int t = 1; t <= updates; ++t) {
        out.losses.push_back(out.model->gradient(out.w, all, message));
        if (out.optimizer->needsWhole())
            out.optimizer->wholeStep(*out.model, out.w, message, state, static_cast<std::uint64_t>(t));
        else
            out.optimizer->step(out.w, std::span(message).first(n), std::span(message).subspan(n), state,
                                static_cast<std::uint64_t>(t));
    }
    out.losses.push_back(out.model->gradient(out.w, all, message));
    for (std::size_t i = 0; i < n; ++i) out.gradientNorm += message[i] * message[i];
    out.gradientNorm = std::sqrt(out.gradientNorm);
    return out;
}

/// ½ a w², or whatever the test gives as gradients: L-BFGS asks the model nothing.
class NoModel final : public Model {
public:
    std::size_t parameterCount() const override { return 1; }
    void initialise(std::span<double>, RandomStream&) const override {}
    double gradient(std::span<const double>, const Batch&, std::span<double>) const override { return 0; }
    double loss(std::span<const double>, const Batch&) const override { return 0; }
};

const ParamValues smallSets{{"rows", std::int64_t{300}}, {"features", std::int64_t{10}}, {"condition_number", 100.0}};

} // namespace

// f = 2 w², g = 4 w, from w = 1, steps of at most ½. First against the gradient: w = ½. Then s = −½, y = −2, H₀ = sy/y² = ¼: the step is
// −¼·2 = −½, Newton's, and w = 0.
void tst_Learners::lbfgsByHand() {
    const auto rule = makeOptimizer({"lbfgs", {{"longest_step", 0.5}}}).value();
    QVERIFY(rule->needsWhole() && rule->stateSize() == 22);
    std::vector<double> w{1}, g{4}, state(22);
    rule->wholeStep(NoModel(), w, g, state, 1);
    QVERIFY(std::abs(w[0] - 0.5) < 1e-15);
    g = {2};
    rule->wholeStep(NoModel(), w, g, state, 2);
    QVERIFY(std::abs(w[0]) < 1e-15);
    bool refused = false;
    try {
        rule->step(w, g, {}, state, 3);
    } catch (const InvariantError&) { refused = true; }
    QVERIFY(refused);
}

void tst_Learners::lbfgsReachesOptima_data() {
    QTest::addColumn<Choice>("data");
    QTest::addColumn<Choice>("model");
    QTest::addColumn<double>("rate"); // of SGD, near the largest that does not diverge
    QTest::newRow("ridge, condition 100") << Choice{"synthetic-regression", smallSets} << Choice{"ridge", {}} << 1.0;
    QTest::newRow("logistic, breast cancer")
        << Choice{"breast-cancer", {}} << Choice{"logistic-regression", {{"regularisation", 0.01}}} << 0.5;
    QTest::newRow("softmax, wine") << Choice{"wine", {}} << Choice{"softmax", {{"regularisation", 0.01}}} << 1.0;
}

// Convex and smooth: the gradient vanishes at the optimum alone. After 100 updates it is below 1e-5, and the loss is below that of 100
// steps against the gradient.
void tst_Learners::lbfgsReachesOptima() {
    QFETCH(Choice, data);
    QFETCH(Choice, model);
    QFETCH(double, rate);
    const Trained newton = train(data, model, {"lbfgs", {}}, 100);
    const Trained plain = train(data, model, {"sgd", {{"learning_rate", rate}}}, 100);
    QVERIFY2(newton.gradientNorm < 1e-5, qPrintable(QString::number(newton.gradientNorm)));
    QVERIFY(plain.losses.back() < plain.losses.front());
    QVERIFY2(newton.losses.back() < plain.losses.back(),
             qPrintable(QStringLiteral("%1, %2").arg(newton.losses.back()).arg(plain.losses.back())));
}

// With weights φ(x'), the score of x is (1 + ⟨x, x'⟩)² − 1; the hinge of class 1 shows it: loss = 1 − score where that is positive.
void tst_Learners::polynomialFeaturesAreTheKernel() {
    const StoredDataSet data({1, 2, {0.3, -0.2}, {1}}, 2);
    const auto model = makeModel({"polynomial-svm", {{"intercept", false}, {"regularisation", 0.0}}}, data).value();
    const std::vector<double> other{0.5, 0.4};
    const double root = std::sqrt(2.0);
    const std::vector<double> w{root * other[0], root * other[1], other[0] * other[0], root * other[0] * other[1],
                                other[1] * other[1]};
    QCOMPARE(model->parameterCount(), w.size());
    const double inner = 0.3 * 0.5 - 0.2 * 0.4, score = (1 + inner) * (1 + inner) - 1;
    QVERIFY(std::abs(model->loss(w, wholeBatch(data)) - (1 - score)) < 1e-15);
}

// One user, two items, one factor. Minimising over p: p = Σ q y / Σ (q² + λ); then over each q alone: q = p y / (p² + λ).
void tst_Learners::alternatingByHand() {
    const StoredDataSet data({2, 2, {0, 0, 0, 1}, {3, -1}}, 2, 1);
    const double lambda = 0.1;
    const auto model = makeModel({"matrix-factorization",
                                  {{"rank", std::int64_t{1}}, {"regularisation", lambda}, {"alternating", true}}},
                                 data)
                           .value();
    const auto rule = makeOptimizer({"alternating", {}}).value();
    QCOMPARE(model->blocks(), std::size_t{2});
    const Batch all = wholeBatch(data);
    std::vector<double> w{0.5, 2, 1}, message(6);
    model->gradient(w, all, message);
    rule->wholeStep(*model, w, message, {}, 1);
    const double p = (2 * 3 - 1 * 1) / (4 + 1 + 2 * lambda);
    QVERIFY(std::abs(w[0] - p) < 1e-14);
    QVERIFY(w[1] == 2 && w[2] == 1);
    model->gradient(w, all, message);
    rule->wholeStep(*model, w, message, {}, 2);
    QVERIFY(w[0] == p || std::abs(w[0] - p) < 1e-14);
    QVERIFY(std::abs(w[1] - 3 * p / (p * p + lambda)) < 1e-13);
    QVERIFY(std::abs(w[2] + p / (p * p + lambda)) < 1e-13);
}

// Each update is exact over its block; after ten rounds over rank 3, ratings are explained up to little more than their noise, 0.1²/2.
void tst_Learners::alternatingNeverRises() {
    const Choice ratings{"synthetic-ratings",
                         {{"rows", std::int64_t{4000}},
                          {"users", std::int64_t{50}},
                          {"items", std::int64_t{60}},
                          {"rank", std::int64_t{3}}}};
    const Trained t = train(
        ratings, {"matrix-factorization", {{"rank", std::int64_t{3}}, {"regularisation", 1e-4}, {"alternating", true}}},
        {"alternating", {}}, 120);
    for (std::size_t i = 1; i < t.losses.size(); ++i)
        QVERIFY2(t.losses[i] <= t.losses[i - 1] * (1 + 1e-12), qPrintable(QString::number(i)));
    QVERIFY2(t.losses.back() < 0.02, qPrintable(QString::number(t.losses.back())));
}

// Without smoothing, an update is: expected counts of topics by document and by word, divided by their sums.
void tst_Learners::topicStepIsEm() {
    const Choice documents{"synthetic-documents",
                           {{"documents", std::int64_t{5}}, {"words", std::int64_t{7}}, {"length", std::int64_t{20}}}};
    const Choice plsa{"plsa", {{"topics", std::int64_t{3}}, {"smoothing", 0.0}}};
    const Trained start = train(documents, plsa, {"em", {}}, 0), after = train(documents, plsa, {"em", {}}, 1);
    const Batch all = wholeBatch(*start.data);
    double topic[5][3] = {}, word[3][7] = {};
    for (std::size_t i = 0; i < all.rows; ++i) {
        const auto d = static_cast<std::size_t>(all.x[2 * i]), v = static_cast<std::size_t>(all.x[2 * i + 1]);
        double p[3], sum = 0;
        for (std::size_t z = 0; z < 3; ++z) sum += p[z] = start.w[d * 3 + z] * start.w[15 + z * 7 + v];
        for (std::size_t z = 0; z < 3; ++z) {
            topic[d][z] += all.y[i] * p[z] / sum;
            word[z][v] += all.y[i] * p[z] / sum;
        }
    }
    for (std::size_t d = 0; d < 5; ++d)
        for (std::size_t z = 0; z < 3; ++z) {
            const double sum = topic[d][0] + topic[d][1] + topic[d][2];
            QVERIFY(std::abs(after.w[d * 3 + z] - topic[d][z] / sum) < 1e-12);
        }
    for (std::size_t z = 0; z < 3; ++z)
        for (std::size_t v = 0; v < 7; ++v)
            QVERIFY(std::abs(after.w[15 + z * 7 + v] - word[z][v] / std::accumulate(word[z], word[z] + 7, 0.0)) <
                    1e-12);
}

// EM never raises the loss, and probabilities stay such. Its largest step comes neither first nor near the first: the curve is S-shaped.
void tst_Learners::topicLossIsSShaped() {
    const Trained t = train({"synthetic-documents", {}}, {"plsa", {{"topics", std::int64_t{5}}}}, {"em", {}}, 100);
    std::size_t steepest = 2; // the first update finds the words' frequencies, all topics alike
    for (std::size_t i = 1; i < t.losses.size(); ++i) {
        const double step = t.losses[i - 1] - t.losses[i];
        QVERIFY2(step >= -1e-12 * t.losses[i], qPrintable(QString::number(i)));
        if (i > 2 && step > t.losses[steepest - 1] - t.losses[steepest]) steepest = i;
    }
    QVERIFY2(steepest >= 5, qPrintable(QString::number(steepest)));
    double sum = 0;
    for (std::size_t i = 0; i < 200 * 5; ++i) sum += t.w[i];
    QVERIFY(std::abs(sum - 200) < 1e-9);
}

void tst_Learners::unlikePairsAreRefused() {
    const auto refusal = [](const char* model, ParamValues values, const char* optimizer, const char* data) {
        TrainedWork work;
        work.model = {model, std::move(values)};
        work.optimizer = {optimizer, {}};
        work.dataset = {data, {}};
        const auto made = TrainingProblem::make(work, 1, JobId(0), resources());
        return made.ok() ? std::string() : made.problems().front().text();
    };
    const ParamValues alternating{{"alternating", true}};
    QVERIFY(refusal("k-means", {}, "boosting", "iris").find("the model \"k-means\" is none") != std::string::npos);
    QVERIFY(refusal("boosted-trees", {}, "em", "iris").find("choose boosting") != std::string::npos);
    QVERIFY(refusal("softmax", {}, "alternating", "iris").find("choose matrix-factorization") != std::string::npos);
    QVERIFY(refusal("matrix-factorization", alternating, "em", "synthetic-ratings").find("choose alternating") !=
            std::string::npos);
    QVERIFY(
        refusal("matrix-factorization", {}, "alternating", "synthetic-ratings").find("choose matrix-factorization") !=
        std::string::npos);
    QVERIFY(refusal("plsa", {}, "em", "synthetic-ratings").find("needs counts") != std::string::npos);
    QVERIFY(refusal("boosted-trees", {}, "boosting", "gaussian-stream").find("stream") != std::string::npos);
    QVERIFY(refusal("boosted-trees", {}, "sgd", "iris").find("choose boosting") != std::string::npos);
    QVERIFY(refusal("boosted-trees", {}, "boosting", "iris").empty());
    QVERIFY(refusal("matrix-factorization", alternating, "sgd", "synthetic-ratings").empty());
    QVERIFY(refusal("plsa", {}, "em", "synthetic-documents").empty());
    QVERIFY(refusal("softmax", {}, "lbfgs", "iris").empty());
}

TRAINYARD_TEST(tst_Learners)
#include "tst_Learners.moc"
