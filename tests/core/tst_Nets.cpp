// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Layers of neural networks against finite differences, and that they learn.
#include "learning/nets/Adam.h"
#include "learning/nets/MaskedSoftmax.h"
#include "learning/nets/Mlp.h"
#include "support/FiniteDifferences.h"
#include "support/TestMain.h"

#include <cmath>
#include <numeric>

using namespace trainyard;
using namespace trainyard::nets;
using namespace trainyard::test;

class tst_Nets : public QObject {
    Q_OBJECT
private slots:
    void denseFollowsItsGradient();
    void layerNormFollowsItsGradient();
    void segmentMeanFollowsItsGradient();
    void mlpFollowsItsGradient();
    void softmaxFollowsItsGradient();
    void whatIsNotAllowedIsNotChosen();
    void xorIsLearned();
    void adamByHand();
};

template <class Layer>
static void checkLayer(const Layer& layer, std::size_t inputs, std::size_t outputs) {
    RandomStream random(1, Purpose::test);
    std::vector<double> parameters(layer.parameters() + 3), gradient(parameters.size(), 0.0);
    for (double& p : parameters) p = random.normal();
    M x = drawn(5, inputs, random), y, dx;
    const M c = drawn(5, outputs, random);
    const auto loss = [&] {
        layer.forward(parameters, x, y);
        return product(c, y);
    };
    loss();
    layer.backward(parameters, x, c, gradient, &dx);
    QVERIFY(agree(gradient, differences(parameters, loss)));
    QVERIFY(agree(dx.numbers, differences(x.numbers, loss)));
}

void tst_Nets::denseFollowsItsGradient() { checkLayer(Dense<double>(4, 3, 2), 4, 3); }
void tst_Nets::layerNormFollowsItsGradient() { checkLayer(LayerNorm<double>(6, 1), 6, 6); }

void tst_Nets::segmentMeanFollowsItsGradient() {
    RandomStream random(2, Purpose::test);
    M x = drawn(4, 3, random), y, dx(4, 3);
    const M c = drawn(3, 3, random);
    const std::vector<std::vector<std::size_t>> segments{{0, 2}, {}, {1, 2, 3}};
    const auto loss = [&] {
        segmentMean<double>(x, segments, y);
        return product(c, y);
    };
    loss();
    QVERIFY(y.row(1)[0] == 0 && y.row(1)[1] == 0 && y.row(1)[2] == 0);
    segmentMeanBackward<double>(segments, c, dx);
    QVERIFY(agree(dx.numbers, differences(x.numbers, loss)));
}

void tst_Nets::mlpFollowsItsGradient() {
    RandomStream random(3, Purpose::test);
    const Mlp<double> net({5, 7, 6, 2}, 4);
    std::vector<double> parameters(net.parameters() + 4), gradient(parameters.size(), 0.0);
    net.initialise(parameters, random);
    M x = drawn(6, 5, random), dx;
    const M c = drawn(6, 2, random);
    Mlp<double>::Tape tape;
    const auto loss = [&] { return product(c, net.forward(parameters, x, tape)); };
    loss();
    M dy = c;
    net.backward(parameters, tape, dy, gradient, &dx);
    QVERIFY(agree(gradient, differences(parameters, loss)));
    QVERIFY(agree(dx.numbers, differences(x.numbers, loss)));
}

void tst_Nets::softmaxFollowsItsGradient() {
    RandomStream random(4, Purpose::test);
    std::vector<double> scores(6);
    for (double& s : scores) s = random.normal();
    const bool allowed[] = {true, false, true, true, false, true};
    const auto value = [&] {
        const auto p = maskedSoftmax<double>(scores, allowed);
        return 1.7 * std::log(p[3]) + 0.4 * entropyOf(p);
    };
    std::vector<double> gradient(6, 0.0);
    addScoreGradients(maskedSoftmax<double>(scores, allowed), 3, 1.7, 0.4, gradient);
    QVERIFY(agree(gradient, differences(scores, value)));
}

void tst_Nets::whatIsNotAllowedIsNotChosen() {
    const std::vector<float> scores{1000, 3, 2, 1000};
    const bool allowed[] = {false, true, true, false};
    const auto p = maskedSoftmax<float>(scores, allowed);
    QCOMPARE(p[0] + p[3], 0.0);
    QVERIFY(std::abs(p[1] - 1 / (1 + std::exp(-1.0))) < 1e-12);
}

void tst_Nets::xorIsLearned() {
    RandomStream random(5, Purpose::test);
    const Mlp<float> net({2, 16, 1});
    std::vector<float> parameters(net.parameters()), gradient(net.parameters());
    net.initialise(parameters, random);
    Adam<float> adam(net.parameters());
    Matrix<float> x(4, 2), error(4, 1);
    x.numbers = {0, 0, 0, 1, 1, 0, 1, 1};
    const float wanted[] = {0, 1, 1, 0};
    Mlp<float>::Tape tape;
    const auto missBy = [&] {
        const auto& y = net.forward(parameters, x, tape);
        float most = 0;
        for (std::size_t r = 0; r < 4; ++r) {
            error.numbers[r] = y.numbers[r] - wanted[r];
            most = std::max(most, std::abs(error.numbers[r]));
        }
        return most;
    };
    for (int i = 0; i < 500; ++i) {
        missBy();
        std::ranges::fill(gradient, 0.0f);
        auto dy = error;
        net.backward(parameters, tape, dy, gradient);
        adam.step({.rate = 0.02, .mostNorm = 1}, parameters, gradient);
    }
    QVERIFY(missBy() < 0.05f);
}

// First step: moments are (1 − β) g and (1 − β) g², so that each parameter moves by the rate, against its gradient.
void tst_Nets::adamByHand() {
    Adam<double> adam(2);
    std::vector<double> parameters{1, 2}, gradient{3, -4};
    adam.step({.rate = 0.1, .epsilon = 0}, parameters, gradient);
    QVERIFY(std::abs(parameters[0] - 0.9) < 1e-12 && std::abs(parameters[1] - 2.1) < 1e-12);
    gradient = {3, -4};
    adam.step({.rate = 0.1, .epsilon = 0, .mostNorm = 1}, parameters, gradient);
    QVERIFY(std::abs(gradient[0] - 0.6) < 1e-12 && std::abs(gradient[1] + 0.8) < 1e-12);
}

TRAINYARD_TEST(tst_Nets)
#include "tst_Nets.moc"
