// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Losses and messages at points small enough to work out by hand; the arithmetic is beside each.
#include "learning/MatrixProducts.h"
#include "learning/Model.h"
#include "support/TestMain.h"

#include <cmath>
#include <numbers>

using namespace trainyard;

namespace {

/// A data set that is only what makeModel asks about, with the rows it is given.
class GivenData final : public DataSet {
public:
    GivenData(Batch batch, int classes, std::size_t users = 0)
        : m_batch(std::move(batch)), m_classes(classes), m_users(users) {}
    std::size_t rows() const override { return m_batch.rows; }
    std::size_t features() const override { return m_batch.features; }
    int classes() const override { return m_classes; }
    std::size_t users() const override { return m_users; }
    void gather(std::span<const std::uint32_t> rows, Batch& out) const override {
        out.features = m_batch.features;
        for (auto row : rows) {
            for (std::size_t j = 0; j < m_batch.features; ++j) out.x.push_back(m_batch.x[row * m_batch.features + j]);
            out.y.push_back(m_batch.y[row]);
            ++out.rows;
        }
    }
    void draw(RandomStream&, std::size_t, Batch&) const override {}

private:
    Batch m_batch;
    int m_classes;
    std::size_t m_users;
};

struct Worked {
    double loss;
    std::vector<double> message;
};

Worked evaluate(const Choice& choice, const Batch& batch, int classes, const std::vector<double>& w,
                std::size_t users = 0) {
    const GivenData data(batch, classes, users);
    const auto made = makeModel(choice, data);
    for (const auto& p : made.problems()) qCritical("%s", p.text().c_str());
    const Model& model = **made;
    if (model.parameterCount() != w.size()) qFatal("wrong number of parameters");
    Worked out{0, std::vector<double>(model.messageSize(), 1e300)};
    out.loss = model.gradient(w, batch, out.message);
    return out;
}

bool close(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!(std::abs(a[i] - b[i]) < 1e-14)) {
            qWarning("[%zu] %.17g, expected %.17g", i, a[i], b[i]);
            return false;
        }
    return true;
}

bool close(double a, double b) { return close(std::vector{a}, std::vector{b}); }

const Batch twoRows{.rows = 2, .features = 2, .x = {1, 2, 3, -1}, .y = {1, 0}};

} // namespace

class tst_ModelLosses : public QObject {
    Q_OBJECT
private slots:
    void leastSquares();
    void penalties();
    void logistic();
    void hinge();
    void softmax();
    void noOverflowAtLargeScores();
    void network();
    void kMeans();
    void mixture();
    void mixtureStaysFiniteOffItsDomain();
    void clusterStartsAreRows();
    void factorization();
    void yardstickRuns();
};

// w = (1, ½), b = 1: scores 1 + 1 + 1 = 3 and 3 − ½ + 1 = 3.5; residuals 2 and 3.5; loss ½ (4 + 12.25)/2
// = 4.0625. Gradient: ½ (2·(1,2) + 3.5·(3,−1)) = (6.25, 0.25); intercept ½ (2 + 3.5) = 2.75.
void tst_ModelLosses::leastSquares() {
    const auto r = evaluate({"linear-regression", {{"intercept", true}}}, twoRows, 0, {1, 0.5, 1});
    QVERIFY(close(r.loss, 4.0625));
    QVERIFY(close(r.message, {6.25, 0.25, 2.75}));
}

// No intercept: scores 2 and 2.5, residuals 1 and 2.5; loss ½ (1 + 6.25)/2 = 1.8125; gradient ½ ((1,2) + 2.5
// (3,−1)) = (4.25, −0.25). Ridge λ = 0.4: + 0.2·(1 + ¼) = 0.25, gradient + (0.4, 0.2). Lasso λ = 0.4: +
// 0.4·1.5 = 0.6, gradient + 0.4 each. An intercept is not penalised.
void tst_ModelLosses::penalties() {
    const auto ridge = evaluate({"ridge", {{"regularisation", 0.4}}}, twoRows, 0, {1, 0.5});
    QVERIFY(close(ridge.loss, 1.8125 + 0.25));
    QVERIFY(close(ridge.message, {4.65, -0.05}));
    const auto lasso = evaluate({"lasso", {{"regularisation", 0.4}}}, twoRows, 0, {1, 0.5});
    QVERIFY(close(lasso.loss, 1.8125 + 0.6));
    QVERIFY(close(lasso.message, {4.65, 0.15}));
    // Subgradient 0 at a zero weight: w = (0, −1): scores −2, 1; residuals −3, 1; gradient ½ (−3·(1,2) +
    // (3,−1)) = (0, −3.5).
    QVERIFY(close(evaluate({"lasso", {{"regularisation", 0.4}}}, twoRows, 0, {0, -1}).message, {0, -3.9}));
    const auto free = evaluate({"ridge", {{"regularisation", 0.4}, {"intercept", true}}}, twoRows, 0, {0, 0, 3});
    QVERIFY(close(free.loss, 0.5 * (4 + 9) / 2.0)); // residuals 2 and 3
}

// w = 0: both classes have probability ½: loss ln 2; slopes −½ (t = +1) and +½: gradient ½ (−½ (1,2) + ½
// (3,−1)) = (0.5, −0.75), b: 0.
void tst_ModelLosses::logistic() {
    const auto r = evaluate({"logistic-regression", {}}, twoRows, 2, {0, 0, 0});
    QVERIFY(close(r.loss, std::numbers::ln2));
    QVERIFY(close(r.message, {0.5, -0.75, 0}));
    // Scores ln 3 and 0: −log ¾ and ln 2. w = (0, ½ ln 3) without intercept gives ln 3 and −½ ln 3.
    const double l3 = std::log(3.0);
    const auto s = evaluate({"logistic-regression", {{"intercept", false}}}, twoRows, 2, {0, l3 / 2});
    QVERIFY(close(s.loss, 0.5 * (std::log(4.0 / 3) + std::log1p(1 / std::sqrt(3.0)))));
    // The other class as positive turns the signs.
    QVERIFY(
        close(evaluate({"logistic-regression", {{"positive_class", std::int64_t{0}}}}, twoRows, 2, {0, 0, 0}).message,
              {-0.5, 0.75, 0}));
}

// w = (1, ½), b = 0: margins +2 (outside: no loss) and −2.5 (loss 3.5, slope +1): loss 1.75 + ½·0.1·1.25
// = 1.8125; gradient ½ (3,−1) + 0.1 (1, ½) = (1.6, −0.45), b: ½.
void tst_ModelLosses::hinge() {
    const auto r = evaluate({"linear-svm", {{"regularisation", 0.1}}}, twoRows, 2, {1, 0.5, 0});
    QVERIFY(close(r.loss, 1.8125));
    QVERIFY(close(r.message, {1.6, -0.45, 0.5}));
}

// W = 0, b = (0, ln 2, ln 3): probabilities 1/6, 2/6, 3/6. Labels 1 and 0: loss ½ (ln 3 + ln 6).
// Mean derivative of the scores: row 1 ½ (1/6, −4/6, 3/6), row 2 ½ (−5/6, 2/6, 3/6); gradient = Xᵀ of that:
// feature 1: ½ (1/6 − 15/6, −4/6 + 6/6, 3/6 + 9/6) = (−7/6, 1/6, 1); feature 2: ½ (2/6 + 5/6, −8/6 − 2/6, 6/6
// − 3/6) = (7/12, −5/6, ¼); intercepts: ½ (−4/6, −2/6, 1) = (−1/3, −1/6, ½).
void tst_ModelLosses::softmax() {
    const auto r = evaluate({"softmax", {}}, twoRows, 3, {0, 0, 0, 0, 0, 0, 0, std::log(2.0), std::log(3.0)});
    QVERIFY(close(r.loss, 0.5 * std::log(18.0)));
    QVERIFY(close(r.message, {-7.0 / 6, 1.0 / 6, 1, 7.0 / 12, -5.0 / 6, 0.25, -1.0 / 3, -1.0 / 6, 0.5}));
}

void tst_ModelLosses::noOverflowAtLargeScores() {
    for (double big : {1e3, 1e6, 1e150}) {
        const auto binary = evaluate({"logistic-regression", {{"intercept", false}}}, twoRows, 2, {0, big});
        QCOMPARE(binary.loss, 0.0); // scores +2 big for class 1, −big for class 0
        const auto wrong = evaluate({"logistic-regression", {{"intercept", false}}}, twoRows, 2, {0, -big});
        QVERIFY(std::abs(wrong.loss / (1.5 * big) - 1) < 1e-14);
        const auto many = evaluate({"softmax", {}}, twoRows, 3, {0, 0, 0, big, 0, 0, 0, 0, 0});
        QVERIFY(std::isfinite(many.loss));
        for (double g : many.message) QVERIFY(std::isfinite(g));
    }
}

// One hidden ReLU unit: W1 = (1, −1)ᵀ, b1 = 0.5, W2 = (2, 0), b2 = 0. Hidden: 1 − 2 + 0.5 < 0 → 0; 3 + 1 +
// 0.5 = 4.5. Scores (0,0) label 1: ln 2; (9,0) label 0: log(1 + e^{−9}). Row 1 passes nothing below:
// derivative of scores ½ (½, −½). Row 2: ½ (−p, p), p = 1/(1+e⁹).
void tst_ModelLosses::network() {
    const Choice one{"mlp", {{"hidden1", std::int64_t{1}}}};
    const auto r = evaluate(one, twoRows, 2, {1, -1, 0.5, 2, 0, 0, 0});
    const double p = 1 / (1 + std::exp(9.0));
    QVERIFY(close(r.loss, 0.5 * (std::numbers::ln2 + std::log1p(std::exp(-9.0)))));
    // Down to the hidden unit: row 2: ½ (−p·2 + p·0) = −p; times x = (3, −1).
    QVERIFY(close(r.message, {-3 * p, p, -p, -4.5 * p / 2, 4.5 * p / 2, 0.25 - p / 2, -0.25 + p / 2}));
}

// Centres (0,0) and (3,0): row (1,2) is at squared distance 5 from the first (8 from the second), (3,−1) at 1
// from the second (10): loss ½ (5 + 1)/2 = 1.5. Gradients ½ ((0,0) − (1,2)), ½ ((3,0) − (3,−1)); curvature ½
// each.
void tst_ModelLosses::kMeans() {
    const auto r = evaluate({"k-means", {}}, twoRows, 2, {0, 0, 3, 0});
    QVERIFY(close(r.loss, 1.5));
    QVERIFY(close(r.message, {-0.5, -1, 0, 0.5, 0.5, 0.5, 0.5, 0.5}));
    // A centre that no row is nearest to has neither gradient nor curvature.
    const auto far = evaluate({"k-means", {}}, twoRows, 2, {0, 0, 300, 0});
    QVERIFY(close({far.message[2], far.message[3], far.message[6], far.message[7]}, {0, 0, 0, 0}));
}

// One feature, rows 1 and −1; components N(1, 1) and N(−1, 1), weights ½. The densities of row 1 are φ(0) and
// φ(2) = φ(0) e^{−2}: p = ½ φ(0) (1 + e^{−2}), for both rows; responsibilities r = 1/(1+e^{−2}) and 1 − r.
// Mean responsibility ½ each: weights stay. Mean of component 1: gradient ½ (r (1 − 1) + (1−r) (1 + 1)) = 1 −
// r, of component 2: −(1 − r); curvature ½. Second moments are 2; rows have x² = 1: gradient ½ (2 − 1) = ½.
void tst_ModelLosses::mixture() {
    const Batch rows{.rows = 2, .features = 1, .x = {1, -1}, .y = {0, 1}};
    const auto m = evaluate({"gaussian-mixture", {}}, rows, 2, {0.5, 0.5, 1, -1, 2, 2});
    const double e2 = std::exp(-2.0), r = 1 / (1 + e2);
    QVERIFY(close(m.loss, -std::log(0.5 / std::sqrt(2 * std::numbers::pi) * (1 + e2))));
    QVERIFY(close(m.message, {0, 0, 1 - r, r - 1, 0.5, 0.5, 1, 1, 0.5, 0.5, 0.5, 0.5}));
}

void tst_ModelLosses::mixtureStaysFiniteOffItsDomain() {
    const Batch rows{.rows = 2, .features = 1, .x = {1, -1}, .y = {0, 1}};
    // A negative weight and a variance of 0.5 − 9 < 0, as momentum could make them.
    const auto m = evaluate({"gaussian-mixture", {}}, rows, 2, {-0.2, 1.2, 3, -1, 0.5, 2});
    QVERIFY(std::isfinite(m.loss));
    for (double g : m.message) QVERIFY(std::isfinite(g));
}

void tst_ModelLosses::clusterStartsAreRows() {
    Batch rows{.rows = 50, .features = 1};
    for (int i = 0; i < 50; ++i) {
        rows.x.push_back(i % 5 * 10.0); // five places, ten rows each
        rows.y.push_back(0);
    }
    const auto model = makeModel({"k-means", {{"clusters", std::int64_t{5}}}}, GivenData(rows, 2)).value();
    for (std::uint32_t job = 0; job < 20; ++job) {
        std::vector<double> w(5);
        RandomStream random(1, Purpose::initialWeights, job);
        model->initialise(w, random);
        std::sort(w.begin(), w.end());
        QVERIFY(close(w, {0, 10, 20, 30, 40})); // a place already chosen has distance 0 and is never drawn again
    }
}

// 1 user, 2 items, rank 1: p = 2, q = (3, −1). Rating of item 0 is 5: residual 6 − 5 = 1; of item 1 is 0:
// residual −2. λ = 0.2: losses ½ + 0.1·(4 + 9) = 1.8 and 2 + 0.1·(4 + 1) = 2.5: mean 2.15. Gradient: p: ½
// (1·3 + 0.4 + (−2)(−1) + 0.4) = 2.9; q0: ½ (1·2 + 0.6) = 1.3; q1: ½ (−2·2 − 0.2) = −2.1.
void tst_ModelLosses::factorization() {
    const Batch ratings{.rows = 2, .features = 2, .x = {0, 0, 0, 1}, .y = {5, 0}};
    const auto r = evaluate({"matrix-factorization", {{"rank", std::int64_t{1}}, {"regularisation", 0.2}}}, ratings, 2,
                            {2, 3, -1}, 1);
    QVERIFY(close(r.loss, 2.15));
    QVERIFY(close(r.message, {2.9, 1.3, -2.1}));
}

// All entries 0.01: an output of the first layer is 64·10⁻⁴, of the second 32·0.01·64·10⁻⁴; the gradient of
// W1 (row 0, from the inputs and the deltas below the second layer, 10·10⁻⁴) is 64·0.01·10⁻³.
void tst_ModelLosses::yardstickRuns() {
    MatrixProducts products({64, 32, 10}, 64);
    const double expected = 64 * 0.01 * 1e-3 + 32 * 0.01 * 64e-4;
    QVERIFY(std::abs(products.run() - expected) < 1e-15);
    QVERIFY(std::abs(products.run() - expected) < 1e-15);
}

TRAINYARD_TEST(tst_ModelLosses)
#include "tst_ModelLosses.moc"
