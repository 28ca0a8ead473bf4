// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whole runs of full-batch training on the shipped data and on seeded synthetic data: support vector machines of degree 2, boosted
// regression, and how a set condition number slows gradient descent.
#include "learning/Model.h"
#include "learning/data/StoredDataSet.h"
#include "support/TestMain.h"
#include "support/WholeBatch.h"

#include <algorithm>
#include <cmath>

using namespace trainyard;
using trainyard::test::wholeBatch;

using DataPointer = std::shared_ptr<const DataSet>;
Q_DECLARE_METATYPE(trainyard::Choice)

class tst_Convergence : public QObject {
    Q_OBJECT
private slots:
    void polynomialSvm_data();
    void polynomialSvm();
    void polynomialSvmTellsProducts();
    void boostedRegression_data();
    void boostedRegression();
    void conditionNumberSetsThePace_data();
    void conditionNumberSetsThePace();
};

namespace {

DataPointer load(const Choice& choice, std::uint64_t seed = 3) {
    return loadDataSet(choice, seed, {TRAINYARD_SOURCE_DIR "/resources"}).value();
}

struct Course {
    std::vector<double> losses, gradientNorms; ///< before each update, and at the end
};

Course train(const DataSet& data, const Choice& modelChoice, const Choice& optimizerChoice, int updates) {
    const auto model = makeModel(modelChoice, data).value();
    const auto optimizer = makeOptimizer(optimizerChoice).value();
    const Batch all = wholeBatch(data);
    std::vector<double> w(model->parameterCount()), message(model->messageSize());
    std::vector<double> state(optimizer->stateSize() * w.size());
    RandomStream random(3, Purpose::initialWeights);
    model->initialise(w, random);
    Course out;
    for (int t = 1; t <= updates + 1; ++t) {
        out.losses.push_back(model->gradient(w, all, message));
        double square = 0;
        for (std::size_t i = 0; i < model->gradientSize(); ++i) square += message[i] * message[i];
        out.gradientNorms.push_back(std::sqrt(square));
        if (t > updates) break;
        if (optimizer->needsWhole())
            optimizer->wholeStep(*model, w, message, state, static_cast<std::uint64_t>(t));
        else
            optimizer->step(w, message, {}, state, static_cast<std::uint64_t>(t));
    }
    return out;
}

/// Updates until so much of the drop from the first loss to the least is done.
std::size_t updatesTo(double share, const std::vector<double>& losses) {
    const double least = *std::min_element(losses.begin(), losses.end());
    std::size_t k = 0;
    while (losses[k] > losses[0] - share * (losses[0] - least)) ++k;
    return k;
}

Choice stepsFallingByRoot(double rate) {
    return {"sgd", {{"learning_rate", rate}, {"schedule", std::string("inverse-sqrt")}}};
}

/// One feature of the data as the target, the others as features: the shipped sets have classes only.
StoredDataSet predicting(const DataSet& data, std::size_t target) {
    const Batch all = wholeBatch(data);
    Batch out{.rows = all.rows, .features = all.features - 1};
    for (std::size_t i = 0; i < all.rows; ++i)
        for (std::size_t j = 0; j < all.features; ++j)
            (j == target ? out.y : out.x).push_back(all.x[i * all.features + j]);
    return StoredDataSet(std::move(out), 0);
}

} // namespace

void tst_Convergence::polynomialSvm_data() {
    QTest::addColumn<Choice>("data");
    QTest::addColumn<double>("rate");
    QTest::newRow("breast cancer") << Choice{"breast-cancer", {}} << 0.02;
    QTest::newRow("wine") << Choice{"wine", {}} << 0.05;
    QTest::newRow("synthetic") << Choice{"synthetic-classification", {}} << 0.05;
}

// From 1 (w = 0). Subgradient steps may rise, so the least so far counts: after 150 steps it is within a tenth of the drop from the
// least of 3,000, and nine tenths of the drop until then are done in a fifth of the steps.
void tst_Convergence::polynomialSvm() {
    QFETCH(Choice, data);
    QFETCH(double, rate);
    const auto set = load(data);
    std::vector<double> losses = train(*set, {"polynomial-svm", {}}, stepsFallingByRoot(rate), 3000).losses;
    const double least = *std::min_element(losses.begin(), losses.end());
    QCOMPARE(losses[0], 1.0);
    QVERIFY2(least < 0.3, qPrintable(QString::number(least)));
    losses.resize(151);
    const double early = *std::min_element(losses.begin(), losses.end());
    qInfo("least loss of 150 steps %.4f, of 3000 %.4f; 90 %% after %zu, 95 %% after %zu", early, least,
          updatesTo(0.9, losses), updatesTo(0.95, losses));
    QVERIFY(early - least < 0.1 * (1 - least));
    QVERIFY(updatesTo(0.9, losses) <= 30);
}

// Class 1 where x₀ x₁ > 0: half of the rows on either side of any line, so that scores of 0, a loss of 1, are nearly the best that a
// linear one finds. Products leave the rows beside the axes.
void tst_Convergence::polynomialSvmTellsProducts() {
    RandomStream random(5, Purpose::dataset);
    Batch rows{.rows = 500, .features = 2};
    for (std::size_t i = 0; i < rows.rows; ++i) {
        const double a = random.normal(), b = random.normal();
        rows.x.insert(rows.x.end(), {a, b});
        rows.y.push_back(a * b > 0 ? 1 : 0);
    }
    const StoredDataSet data(rows, 2);
    const auto leastOf = [&](const char* model) {
        const auto losses = train(data, {model, {}}, stepsFallingByRoot(0.5), 1000).losses;
        return *std::min_element(losses.begin(), losses.end());
    };
    const double linear = leastOf("linear-svm"), products = leastOf("polynomial-svm");
    QVERIFY2(linear > 0.9, qPrintable(QString::number(linear)));
    QVERIFY2(products < 0.3, qPrintable(QString::number(products)));
}

void tst_Convergence::boostedRegression_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("target"); // −1: as it is
    QTest::newRow("breast cancer: mean area") << "breast-cancer" << 3;
    QTest::newRow("wine: alcohol") << "wine" << 0;
    QTest::newRow("synthetic") << "synthetic-regression" << -1;
}

// η = 0.1: on the rows themselves each tree lowers half the mean squared error, and a hundred of them leave less than a tenth of it.
void tst_Convergence::boostedRegression() {
    QFETCH(QString, name);
    QFETCH(int, target);
    DataPointer set = load({name.toStdString(), {}});
    if (target >= 0) set = std::make_shared<const StoredDataSet>(predicting(*set, static_cast<std::size_t>(target)));
    constexpr int depth = 3, trees = 100;
    const Course course =
        train(*set, {"boosted-trees", {{"depth", std::int64_t{depth}}}}, {"boosting", {}}, depth * trees);
    std::vector<double> byTree;
    for (std::size_t t = 0; t <= trees; ++t) byTree.push_back(course.losses[t * depth]);
    qInfo("%.4f to %.4f; 90 %% after %zu trees, 95 %% after %zu", byTree[0], byTree.back(), updatesTo(0.9, byTree),
          updatesTo(0.95, byTree));
    for (std::size_t t = 1; t < byTree.size(); ++t) QVERIFY2(byTree[t] < byTree[t - 1], qPrintable(QString::number(t)));
    QVERIFY2(byTree.back() < 0.1 * byTree[0], qPrintable(QString::number(byTree.back() / byTree[0])));
}

void tst_Convergence::conditionNumberSetsThePace_data() {
    QTest::addColumn<bool>("logistic");
    QTest::addColumn<double>("condition");
    for (const bool logistic : {false, true})
        for (const double condition : {10.0, 100.0, 1000.0})
            QTest::addRow("%s, %g", logistic ? "logistic" : "linear", condition) << logistic << condition;
}

// Gradient descent with the rate 1/(largest curvature) shrinks the component of the least curvature by 1 − 1/κ an update, and all others
// faster: that is the pace of the gradient's length once they are gone. Without separation labels are drawn, all probabilities are near
// ½, and the logistic loss has a quarter of the features' covariance as its curvature. The least eigenvalue of 4,000 rows is off by
// √(2/4000) = 2.2 % (standard error), as the largest is: 10 % are three standard errors of their ratio.
void tst_Convergence::conditionNumberSetsThePace() {
    QFETCH(bool, logistic);
    QFETCH(double, condition);
    ParamValues values{{"rows", std::int64_t{4000}}, {"features", std::int64_t{3}}, {"condition_number", condition}};
    if (logistic) values.insert({{"separation", 0.0}, {"mislabelled", 0.0}});
    const auto set = load({logistic ? "synthetic-classification" : "synthetic-regression", values});
    const Choice model =
        logistic ? Choice{"logistic-regression", {{"intercept", false}}} : Choice{"linear-regression", {}};
    const auto from = static_cast<std::size_t>(4 * condition), to = 2 * from;
    const Course course = train(*set, model, {"sgd", {{"learning_rate", logistic ? 4.0 : 1.0}}}, static_cast<int>(to));
    const double byUpdate = std::log(course.gradientNorms[to] / course.gradientNorms[from]) / static_cast<double>(from);
    const double measured = 1 / (1 - std::exp(byUpdate));
    qInfo("condition number by the pace: %.1f", measured);
    QVERIFY2(std::abs(measured / condition - 1) < 0.1, qPrintable(QString::number(measured)));
}

TRAINYARD_TEST(tst_Convergence)
#include "tst_Convergence.moc"
