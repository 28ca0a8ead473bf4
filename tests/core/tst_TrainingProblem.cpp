// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// One trained job's numbers: which rows a task gets, reproducibility, evaluation, and training against closed
// forms.
#include "learning/TrainingProblem.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <thread>

using namespace trainyard;

namespace {

using ProblemPointer = std::shared_ptr<const TrainingProblem>;

ResourcePaths resources() { return {std::filesystem::path(TRAINYARD_SOURCE_DIR) / "resources"}; }

TrainedWork work(Choice model, Choice data, Choice optimizer = {"sgd", {}}) {
    TrainedWork w;
    w.model = std::move(model);
    w.dataset = std::move(data);
    w.optimizer = std::move(optimizer);
    return w;
}

ProblemPointer make(const TrainedWork& w, std::uint64_t seed = 1, JobId job = JobId(0u)) {
    auto made = TrainingProblem::make(w, seed, job, resources());
    for (const auto& p : made.problems()) qCritical("%s", p.text().c_str());
    return made.value();
}

Choice regression(std::int64_t rows, std::int64_t features, ParamValues more = {}) {
    more.emplace("rows", rows);
    more.emplace("features", features);
    return {"synthetic-regression", more};
}

/// At w = 0 the loss of a row is ½ y²: different for every row, so that losses tell which rows were used.
ProblemPointer numbered(std::int64_t rows) { return make(work({"linear-regression", {}}, regression(rows, 1))); }

double lossAtZero(const TrainingProblem& p, TrainingProblem::Task task) {
    const std::vector<double> w(p.parameterCount());
    std::vector<double> message(p.messageSize());
    return p.gradient(w, task, message);
}

/// Steps of the job's optimizer with gradients of the whole data set.
void train(const TrainingProblem& p, std::vector<double>& w, int steps, const std::function<void(double)>& each = {}) {
    const auto n = static_cast<int>(p.data().rows());
    std::vector<double> message(p.messageSize()), state(w.size() * p.optimizer().stateSize());
    for (int t = 1; t <= steps; ++t) {
        const double loss = p.gradient(w, {.samples = n}, message);
        if (each) each(loss);
        const std::span<const double> all(message);
        p.optimizer().step(w, all.first(w.size()), all.subspan(w.size()), state, static_cast<std::uint64_t>(t));
    }
}

} // namespace

class tst_TrainingProblem : public QObject {
    Q_OBJECT
private slots:
    void sharesCutTheDataIntoEqualParts();
    void rowsAreDrawnWithoutReplacement();
    void everyPairIsEquallyLikely();
    void tasksAreKeyedByCoordinates();
    void sameBitsFromAnyThread();
    void initialParametersDependOnSeedAndJob();
    void evaluateIsTheMeanOverAllRows();
    void exactRiskOfTheStream();
    void streamsWithoutExactRisk();
    void gradientDescentContractsAsItMust();
    void noisyDescentFollowsTheExactRecursion();
    void softmaxLearnsDigits();
    void networkLearnsDigits();
    void expectationMaximisationNeverWorsens();
    void lloydNeverWorsensAndStops();
    void weightedMeansOfWorkersAreExact();
    void factorizationFindsTheFactors();
    void problemsNameTheirPlace();
    void cacheShares();
};

// 10 rows in 4 shares: 2, 3, 2, 3. A task that asks for as many rows as its share has gets the share.
void tst_TrainingProblem::sharesCutTheDataIntoEqualParts() {
    const auto p = numbered(10);
    const int sizes[] = {2, 3, 2, 3};
    double sum = 0;
    for (std::uint32_t s = 0; s < 4; ++s) {
        const double atLeast = lossAtZero(*p, {.partition = s, .partitions = 4, .samples = sizes[s]});
        QCOMPARE(lossAtZero(*p, {.worker = 3, .task = 8, .partition = s, .partitions = 4, .samples = 99}), atLeast);
        sum += atLeast * sizes[s];
    }
    const std::vector<double> zero(1);
    QVERIFY(std::abs(sum / 10 - p->evaluate(zero)) < 1e-14);
    // More shares than rows: every task still has a row.
    for (std::uint32_t s = 0; s < 25; ++s)
        QVERIFY(lossAtZero(*p, {.partition = s, .partitions = 25, .samples = 4}) > 0);
}

// All but one of a share's 8 rows: the mean leaves out exactly one of the rows seen one by one.
void tst_TrainingProblem::rowsAreDrawnWithoutReplacement() {
    const auto p = numbered(16);
    const double whole = lossAtZero(*p, {.partition = 1, .partitions = 2, .samples = 8}) * 8;
    std::set<double> single;
    for (std::uint32_t t = 0; t < 400; ++t)
        single.insert(lossAtZero(*p, {.task = t, .partition = 1, .partitions = 2, .samples = 1}));
    QCOMPARE(single.size(), std::size_t{8});
    std::set<double> left;
    for (std::uint32_t t = 0; t < 400; ++t) {
        const double missing = whole - 7 * lossAtZero(*p, {.task = t, .partition = 1, .partitions = 2, .samples = 7});
        const auto which =
            std::find_if(single.begin(), single.end(), [&](double l) { return std::abs(l - missing) < 1e-12; });
        QVERIFY(which != single.end());
        left.insert(*which);
    }
    QCOMPARE(left.size(), std::size_t{8}); // and each is left out at times
}

// χ² over the 10 pairs of 5 rows, 9 degrees of freedom: above 33.7 once in 10,000 seeds.
void tst_TrainingProblem::everyPairIsEquallyLikely() {
    const auto p = numbered(5);
    std::map<double, int> counts;
    const int n = 5000;
    for (std::uint32_t t = 0; t < n; ++t) ++counts[std::round(lossAtZero(*p, {.task = t, .samples = 2}) * 1e12)];
    QCOMPARE(counts.size(), std::size_t{10});
    double chi = 0;
    for (const auto& [pair, count] : counts) chi += (count - n / 10.0) * (count - n / 10.0) / (n / 10.0);
    QVERIFY2(chi < 33.7, qPrintable(QString::number(chi)));
}

void tst_TrainingProblem::tasksAreKeyedByCoordinates() {
    const auto w = work({"linear-regression", {}}, regression(500, 3));
    const auto a = make(w), b = make(w), otherJob = make(w, 1, JobId(1u));
    const TrainingProblem::Task task{.worker = 2, .task = 7, .samples = 5};
    const double loss = lossAtZero(*a, task);
    QCOMPARE(lossAtZero(*b, task), loss);
    std::set<double> losses{loss};
    losses.insert(lossAtZero(*a, {.worker = 3, .task = 7, .samples = 5}));
    losses.insert(lossAtZero(*a, {.worker = 2, .task = 8, .samples = 5}));
    losses.insert(lossAtZero(*otherJob, task));
    losses.insert(lossAtZero(*make(w, 2), task));
    QCOMPARE(losses.size(), std::size_t{5});
    // The data are the seed's, whatever the job.
    const std::vector<double> zero(3);
    QCOMPARE(otherJob->evaluate(zero), a->evaluate(zero));
}

void tst_TrainingProblem::sameBitsFromAnyThread() {
    const auto p = make(work({"softmax", {}}, {"digits", {}}));
    std::vector<double> w(p->parameterCount());
    RandomStream random(1, Purpose::test);
    for (double& v : w) v = 0.1 * random.normal();
    std::vector<double> messages[4];
    double losses[4], evaluated[4];
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&, i] {
                messages[i].resize(p->messageSize());
                for (int repeat = 0; repeat < 5; ++repeat)
                    losses[i] = p->gradient(w, {.worker = 1, .task = 2, .samples = 64}, messages[i]);
                evaluated[i] = p->evaluate(w);
            });
    }
    for (int i = 1; i < 4; ++i) {
        QCOMPARE(losses[i], losses[0]);
        QCOMPARE(evaluated[i], evaluated[0]);
        QVERIFY(messages[i] == messages[0]);
    }
}

void tst_TrainingProblem::initialParametersDependOnSeedAndJob() {
    const auto w = work({"mlp", {}}, {"iris", {}});
    QCOMPARE(make(w)->parameterCount(), std::size_t{(4 + 1) * 32 + (32 + 1) * 3});
    QVERIFY(make(w)->initialParameters() == make(w)->initialParameters());
    QVERIFY(make(w)->initialParameters() != make(w, 2)->initialParameters());
    QVERIFY(make(w)->initialParameters() != make(w, 1, JobId(1u))->initialParameters());
}

// 1797 rows are three shards of 512 and one of 261.
void tst_TrainingProblem::evaluateIsTheMeanOverAllRows() {
    const auto p = make(work({"softmax", {{"regularisation", 0.1}}}, {"digits", {}}));
    std::vector<double> w(p->parameterCount(), 0.0), message(p->messageSize());
    QVERIFY(std::abs(p->evaluate(w) - std::log(10.0)) < 1e-12); // ten equal probabilities
    RandomStream random(1, Purpose::test);
    for (double& v : w) v = 0.1 * random.normal();
    const double whole = p->gradient(w, {.samples = 1797}, message);
    QVERIFY(std::abs(p->evaluate(w) - whole) < 1e-12 * whole);
}

// ½ (‖w − w*‖² + b² + σ²): 100 coordinates off by 10, σ = 1: ½ (10000 + 1) = 5000.5.
void tst_TrainingProblem::exactRiskOfTheStream() {
    const auto p = make(work({"linear-regression", {}}, {"gaussian-stream", {}}));
    QCOMPARE(p->parameterCount(), std::size_t{100});
    auto w = p->initialParameters();
    QCOMPARE(p->evaluate(w), 5000.5);
    const auto truth = p->data().trueParameters();
    w.assign(truth.begin(), truth.end());
    QCOMPARE(p->evaluate(w), 0.5);
    const auto withIntercept = make(work({"linear-regression", {{"intercept", true}}}, {"gaussian-stream", {}}));
    w.push_back(2);
    QCOMPARE(withIntercept->evaluate(w), 0.5 * (4 + 1));
    // The rows that tasks draw have that risk: mean over 20,000 within 4 standard errors (Var ½r² = ½ at w*).
    w.pop_back();
    std::vector<double> message(100);
    const double sampled = p->gradient(w, {.samples = 20000}, message);
    QVERIFY(std::abs(sampled - 0.5) < 4 * std::sqrt(0.5 / 20000));
}

void tst_TrainingProblem::streamsWithoutExactRisk() {
    const Choice stream{"gaussian-stream", {{"features", std::int64_t{2}}, {"distance", 1.0}}};
    const auto p = make(work({"ridge", {{"regularisation", 0.5}}}, stream));
    const std::vector<double> truth{-1, -1};
    // σ²/2 + ½·0.5·2 = 1, from 10,000 rows: 4 standard errors of ½ε² (standard deviation √½).
    QVERIFY(std::abs(p->evaluate(truth) - 1.0) < 4 * std::sqrt(0.5 / 10000));
    QCOMPARE(p->evaluate(truth), make(work({"ridge", {{"regularisation", 0.5}}}, stream))->evaluate(truth));
}

// One feature: F is a parabola of curvature h = mean x², so that w_t − ŵ = (1 − ηh)^t (w_0 − ŵ).
void tst_TrainingProblem::gradientDescentContractsAsItMust() {
    const double rate = 0.3;
    const auto p = make(work({"linear-regression", {}}, regression(200, 1), {"sgd", {{"learning_rate", rate}}}));
    std::vector<double> g0(1), g1(1), w{0}, at1{1};
    p->gradient(w, {.samples = 200}, g0);
    p->gradient(at1, {.samples = 200}, g1);
    const double h = g1[0] - g0[0], best = -g0[0] / h;
    for (int t = 1; t <= 20; ++t) {
        train(*p, w, 1);
        QVERIFY(std::abs((w[0] - best) - std::pow(1 - rate * h, t) * (0 - best)) < 1e-13);
    }
}

// Streaming isotropic regression with batches of B: E e_{t+1} = ρ E e_t + q with ρ = 1 − 2η + η²(1 + (d+1)/B)
// and q = η² d σ²/(2B); e is the excess risk. d = 20, η = 0.05, B = 2, e_0 = 90: after 50 steps 2.4056. Mean
// of 400 runs within 4 of its standard errors: a false alarm once in 16,000 seeds.
void tst_TrainingProblem::noisyDescentFollowsTheExactRecursion() {
    const double rate = 0.05;
    const auto p =
        make(work({"linear-regression", {}}, {"gaussian-stream", {{"features", std::int64_t{20}}, {"distance", 3.0}}},
                  {"sgd", {{"learning_rate", rate}}}));
    double expected = 90;
    for (int t = 0; t < 50; ++t)
        expected = expected * (1 - 2 * rate + rate * rate * (1 + 21 / 2.0)) + rate * rate * 20 / 4.0;
    QVERIFY(std::abs(expected - 2.4056) < 1e-4);
    double sum = 0, squares = 0;
    const int runs = 400;
    std::vector<double> g(20);
    for (std::uint32_t run = 0; run < runs; ++run) {
        auto w = p->initialParameters();
        for (std::uint32_t t = 0; t < 50; ++t) {
            p->gradient(w, {.worker = run, .task = t, .samples = 2}, g);
            p->optimizer().step(w, g, {}, {}, t + 1);
        }
        const double excess = p->evaluate(w) - 0.5;
        sum += excess;
        squares += excess * excess;
    }
    const double mean = sum / runs, error = std::sqrt((squares / runs - mean * mean) / runs);
    QVERIFY2(std::abs(mean - expected) < 4 * error, qPrintable(QStringLiteral("%1 ± %2").arg(mean).arg(error)));
}

// More than 90 % right, counted by the largest score.
void tst_TrainingProblem::softmaxLearnsDigits() {
    const auto p = make(work({"softmax", {}}, {"digits", {}}, {"sgd", {{"learning_rate", 0.5}}}));
    auto w = p->initialParameters();
    double before = 1e300;
    bool falls = true;
    train(*p, w, 60, [&](double loss) {
        falls = falls && loss < before;
        before = loss;
    });
    QVERIFY(falls);
    QVERIFY2(p->evaluate(w) < 0.35, qPrintable(QString::number(p->evaluate(w))));
    std::vector<std::uint32_t> rows(1797);
    for (std::uint32_t i = 0; i < 1797; ++i) rows[i] = i;
    Batch all;
    p->data().gather(rows, all);
    int right = 0;
    for (std::size_t i = 0; i < all.rows; ++i) {
        std::vector<double> score(w.end() - 10, w.end());
        for (std::size_t j = 0; j < 64; ++j)
            for (std::size_t c = 0; c < 10; ++c) score[c] += all.x[i * 64 + j] * w[j * 10 + c];
        right += std::max_element(score.begin(), score.end()) - score.begin() == static_cast<std::ptrdiff_t>(all.y[i]);
    }
    QVERIFY2(right > 0.9 * 1797, qPrintable(QString::number(right)));
}

// Small steps with batches: what a job does. 400 updates of Adam are far from the end, but well past
// softmax's start ln 10.
void tst_TrainingProblem::networkLearnsDigits() {
    const auto p = make(work({"mlp", {}}, {"digits", {}}, {"adam", {{"learning_rate", 0.01}}}));
    auto w = p->initialParameters();
    std::vector<double> message(p->messageSize()), state(2 * w.size());
    for (std::uint32_t t = 0; t < 400; ++t) {
        p->gradient(w, {.task = t, .samples = 64}, message);
        p->optimizer().step(w, message, {}, state, t + 1);
    }
    QVERIFY2(p->evaluate(w) < 0.1, qPrintable(QString::number(p->evaluate(w))));
}

void tst_TrainingProblem::expectationMaximisationNeverWorsens() {
    for (const Choice& data :
         {Choice{"synthetic-clusters", {{"rows", std::int64_t{400}}, {"spread", 2.0}}}, Choice{"iris", {}}}) {
        const auto p = make(work({"gaussian-mixture", {}}, data, {"em", {}}), 3);
        auto w = p->initialParameters();
        const auto clusters = static_cast<std::size_t>(p->data().classes());
        const double start = p->evaluate(w);
        double before = 1e300;
        train(*p, w, 40, [&](double loss) {
            QVERIFY(loss <= before + 1e-12 * std::abs(before));
            before = loss;
        });
        QVERIFY(before < start - 0.1);
        double total = 0;
        for (std::size_t c = 0; c < clusters; ++c) total += w[c];
        QVERIFY(std::abs(total - 1) < 1e-12);
    }
}

// Lloyd's algorithm ends after finitely many steps, at centres that are the means of their rows: gradient 0.
void tst_TrainingProblem::lloydNeverWorsensAndStops() {
    const auto p = make(work({"k-means", {}}, {"synthetic-clusters", {{"rows", std::int64_t{400}}}}, {"em", {}}), 3);
    auto w = p->initialParameters();
    double before = 1e300;
    train(*p, w, 60, [&](double loss) {
        QVERIFY(loss <= before + 1e-12);
        before = loss;
    });
    std::vector<double> message(p->messageSize());
    p->gradient(w, {.samples = 400}, message);
    for (std::size_t i = 0; i < w.size(); ++i) QVERIFY(std::abs(message[i]) < 1e-12);
}

// Four workers, each with a quarter of the rows, averaged as a server does: the same M-step as over all rows
// at once.
void tst_TrainingProblem::weightedMeansOfWorkersAreExact() {
    for (const char* id : {"k-means", "gaussian-mixture"}) {
        const auto p = make(work({id, {}}, {"synthetic-clusters", {{"rows", std::int64_t{400}}}}, {"em", {}}));
        const auto start = p->initialParameters();
        auto together = start, apart = start;
        train(*p, together, 1);
        std::vector<double> mean(p->messageSize()), message(mean);
        for (std::uint32_t worker = 0; worker < 4; ++worker) {
            p->gradient(start, {.worker = worker, .partition = worker, .partitions = 4, .samples = 100}, message);
            for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += message[i] / 4;
        }
        const std::span<const double> all(mean);
        p->optimizer().step(apart, all.first(start.size()), all.subspan(start.size()), {}, 1);
        QVERIFY(together != start);
        for (std::size_t i = 0; i < start.size(); ++i)
            QVERIFY(std::abs(apart[i] - together[i]) < 1e-10 * (1 + std::abs(together[i])));
    }
}

// Ratings of variance 1 with noise 0.1 and the right rank: from ½·1.01 down to near the noise, ½·0.01.
void tst_TrainingProblem::factorizationFindsTheFactors() {
    const Choice data{"synthetic-ratings",
                      {{"rows", std::int64_t{3000}},
                       {"users", std::int64_t{30}},
                       {"items", std::int64_t{40}},
                       {"rank", std::int64_t{2}}}};
    const auto p = make(work({"matrix-factorization", {{"rank", std::int64_t{2}}, {"regularisation", 0.0}}}, data,
                             {"sgd", {{"learning_rate", 10.0}}}));
    auto w = p->initialParameters();
    QVERIFY(p->evaluate(w) > 0.3);
    train(*p, w, 500);
    QVERIFY2(p->evaluate(w) < 0.006, qPrintable(QString::number(p->evaluate(w))));
    const auto truth = p->data().trueParameters();
    QVERIFY(std::abs(p->evaluate({truth.data(), truth.size()}) - 0.005) < 4 * 0.005 * std::sqrt(2.0 / 3000));
}

void tst_TrainingProblem::problemsNameTheirPlace() {
    const auto places = [](const TrainedWork& w) {
        QStringList out;
        const auto made = TrainingProblem::make(w, 1, JobId(0u), resources());
        for (const auto& p : made.problems()) out << QString::fromStdString(p.code + " " + p.pointer);
        return out;
    };
    QCOMPARE(places(work({"perceptron", {}}, {"iris", {}})), QStringList{"unknown-model /model/id"});
    QCOMPARE(places(work({"softmax", {}}, {"mnist", {}}, {"sgdd", {}})),
             (QStringList{"unknown-data-set /dataset/id", "unknown-optimizer /optimizer/id"}));
    QCOMPARE(places(work({"softmax", {{"regularisation", -1.0}}}, {"iris", {}},
                         {"sgd", {{"learning_rate", std::string("fast")}}})),
             (QStringList{"wrong-type /optimizer/parameters/learning_rate",
                          "out-of-range /model/parameters/regularisation"}));
    QCOMPARE(places(work({"softmax", {}}, regression(10, 2))), QStringList{"unusable-data /model/id"});
    QCOMPARE(places(work({"linear-regression", {}}, {"synthetic-ratings", {}})),
             QStringList{"unusable-data /model/id"});
    QCOMPARE(places(work({"logistic-regression", {{"positive_class", std::int64_t{3}}}}, {"iris", {}})),
             QStringList{"out-of-range /model/parameters/positive_class"});
    QCOMPARE(places(work({"softmax", {}}, {"iris", {}}, {"em", {}})), QStringList{"unusable-optimizer /optimizer/id"});
    QCOMPARE(places(work({"linear-regression", {}}, regression(100'000'000, 100))),
             QStringList{"out-of-range /dataset/parameters/rows"});
}

void tst_TrainingProblem::cacheShares() {
    DataSetCache cache;
    const auto w = work({"softmax", {}}, {"iris", {}});
    const auto a = TrainingProblem::make(w, 1, JobId(0u), resources(), &cache).value();
    const auto b = TrainingProblem::make(w, 1, JobId(1u), resources(), &cache).value();
    const auto raw = TrainingProblem::make(work({"softmax", {}}, {"iris", {{"standardise", false}}}), 1, JobId(2u),
                                           resources(), &cache)
                         .value();
    QCOMPARE(&a->data(), &b->data());
    QVERIFY(&a->data() != &raw->data());
}

TRAINYARD_TEST(tst_TrainingProblem)
#include "tst_TrainingProblem.moc"
