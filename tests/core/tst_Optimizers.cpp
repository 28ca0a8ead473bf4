// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Update rules: two steps worked by hand for each, and independence of how the parameters are cut over
// servers.
#include "learning/Model.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;

namespace {

std::shared_ptr<const Optimizer> optimizer(const std::string& id, ParamValues values) {
    return makeOptimizer({id, std::move(values)}).value();
}

/// w after each of the gradients, one parameter from 1.
std::vector<double> steps(const Optimizer& rule, const std::vector<double>& gradients,
                          const std::vector<double>& curvatures = {}) {
    std::vector<double> w{1}, state(rule.stateSize()), out;
    for (std::size_t t = 0; t < gradients.size(); ++t) {
        const std::span<const double> h =
            curvatures.empty() ? std::span<const double>{} : std::span(curvatures).subspan(t, 1);
        rule.step(w, std::span(gradients).subspan(t, 1), h, state, t + 1);
        out.push_back(w[0]);
    }
    return out;
}

bool close(const std::vector<double>& a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < b.size(); ++i)
        if (!(std::abs(a[i] - b[i]) < 1e-14)) {
            qWarning("[%zu] %.17g, expected %.17g", i, a[i], b[i]);
            return false;
        }
    return a.size() == b.size();
}

} // namespace

class tst_Optimizers : public QObject {
    Q_OBJECT
private slots:
    void stepsByHand();
    void schedule();
    void weightedMeanLeavesUntouched();
    void cutsChangeNothing();
    void learningRates();
    void badChoices();
};

void tst_Optimizers::stepsByHand() {
    // 1 − 0.5·2 = 0; 0 − 0.5·(−4) = 2.
    QVERIFY(close(steps(*optimizer("sgd", {{"learning_rate", 0.5}}), {2, -4}), {0, 2}));
    // v = 2, w = 1 − 0.2 = 0.8; v = 0.5·2 + 4 = 5, w = 0.3.
    QVERIFY(close(steps(*optimizer("momentum", {{"learning_rate", 0.1}, {"momentum", 0.5}}), {2, 4}), {0.8, 0.3}));
    // s = 9, w = 1 − 0.6·3/(3 + 1) = 0.55; s = 25, w = 0.55 − 0.6·4/(5 + 1) = 0.15.
    QVERIFY(close(steps(*optimizer("adagrad", {{"learning_rate", 0.6}, {"epsilon", 1.0}}), {3, 4}), {0.55, 0.15}));
    // β = (½, ¾). t = 1: m = 1, v = 1; m̂ = 1/(1−½) = 2, v̂ = 1/(1−¾) = 4: w = 1 − 0.1·2/(2 + ε).
    // t = 2: m = ½ − 2 = −3/2, v = ¾ + 4 = 19/4; m̂ = −2, v̂ = (19/4)/(7/16) = 76/7: w += 0.1·2/(√(76/7) + ε).
    // ε = 10⁻¹⁶ ≈ 0.
    QVERIFY(
        close(steps(*optimizer("adam", {{"learning_rate", 0.1}, {"beta1", 0.5}, {"beta2", 0.75}, {"epsilon", 1e-16}}),
                    {2, -4}),
              {0.9, 0.9 + 0.2 / std::sqrt(76.0 / 7)}));
    // Adam's first step has length η whatever the gradient.
    QVERIFY(close(steps(*optimizer("adam", {}), {1e-3}), {1 - 0.001 * 1e-3 / (1e-3 + 1e-8)}));
    // 1 − 2/4 = 0.5; 0.5 − (−3)/2 = 2.
    QVERIFY(close(steps(*optimizer("em", {}), {2, -3}, {4, 2}), {0.5, 2}));
}

// η/√t at t = 1, 4 (through 2 and 3 with gradient 0): 1 − 0.8 = 0.2; 0.2 − 0.8/2 = −0.2.
void tst_Optimizers::schedule() {
    for (const char* id : {"sgd", "momentum"}) {
        ParamValues values{{"learning_rate", 0.8}, {"schedule", std::string("inverse-sqrt")}};
        if (std::string(id) == "momentum") values.emplace("momentum", 0.0);
        QVERIFY(close(steps(*optimizer(id, values), {1, 0, 0, 1}), {0.2, 0.2, 0.2, -0.2}));
    }
}

void tst_Optimizers::weightedMeanLeavesUntouched() {
    const auto em = optimizer("em", {});
    QVERIFY(em->needsCurvature());
    QVERIFY(close(steps(*em, {5, 5, 5}, {0, -1, 1e-310}), {1, 1, 1}));
    std::vector<double> w{1}, g{1};
    bool refused = false;
    try {
        em->step(w, g, {}, {}, 1);
    } catch (const InvariantError&) { refused = true; }
    QVERIFY(refused);
}

// 17 parameters in one piece, and cut at 1, 6, 7 and 13 with their parts of the state: the same bits after 5
// updates.
void tst_Optimizers::cutsChangeNothing() {
    for (const auto& info : optimizers()) {
        const auto rule = optimizer(info.id, {});
        if (rule->needsWhole()) continue; // tst_Learners
        const std::size_t n = 17, s = rule->stateSize();
        RandomStream random(4, Purpose::test);
        std::vector<double> whole(n), state(n * s), cutState(n * s), g(n), h(n);
        for (double& v : whole) v = random.normal();
        auto cut = whole;
        const auto start = whole;
        for (std::uint64_t t = 1; t <= 5; ++t) {
            for (double& v : g) v = random.normal();
            for (double& v : h) v = random.unit();
            rule->step(whole, g, h, state, t);
            const std::size_t ends[] = {1, 6, 7, 13, n};
            std::size_t from = 0;
            for (std::size_t to : ends) {
                rule->step(std::span(cut).subspan(from, to - from), std::span(g).subspan(from, to - from),
                           std::span(h).subspan(from, to - from),
                           std::span(cutState).subspan(from * s, (to - from) * s), t);
                from = to;
            }
        }
        QVERIFY2(whole == cut && state == cutState && whole != start, info.id.c_str());
    }
}

void tst_Optimizers::learningRates() {
    QCOMPARE(optimizer("sgd", {})->learningRate(), 0.1);
    QCOMPARE(optimizer("adam", {})->learningRate(), 0.001);
    QCOMPARE(optimizer("em", {})->learningRate(), 1.0);
    QCOMPARE(optimizer("sgd", {{"learning_rate", std::int64_t{2}}})->learningRate(), 2.0);
}

void tst_Optimizers::badChoices() {
    const auto place = [](const Choice& c) { return QString::fromStdString(makeOptimizer(c).problems().at(0).text()); };
    QVERIFY(place({"sdg", {}})
                .startsWith("/id: there is no optimizer \"sdg\"; known are sgd, momentum, adagrad, adam, em"));
    QVERIFY(place({"sgd", {{"momentum", 0.5}}}).startsWith("/parameters/momentum"));
    QVERIFY(place({"sgd", {{"learning_rate", 0.0}}}).startsWith("/parameters/learning_rate"));
    QVERIFY(place({"momentum", {{"momentum", 1.0}}}).startsWith("/parameters/momentum"));
}

TRAINYARD_TEST(tst_Optimizers)
#include "tst_Optimizers.moc"
