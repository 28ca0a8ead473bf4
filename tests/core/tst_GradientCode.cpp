// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Gradient codes: by hand, every pattern of a small code, a thousand random patterns of larger ones, and what
// cannot be.
#include "base/Random.h"
#include "planning/GradientCode.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace trainyard;

class tst_GradientCode : public QObject {
    Q_OBJECT
private slots:
    void repetitionByHand();
    void cyclicByHand();
    void cyclicSurvivesEveryPattern();
    void cyclicResidualsOfAThousandPatterns_data();
    void cyclicResidualsOfAThousandPatterns();
    void decodesRealGradients();
    void namesWhatIsWrong();
};

namespace {

constexpr auto cyclic = GradientCode::Kind::cyclic, repetition = GradientCode::Kind::fractionalRepetition;

std::vector<int> survivors(RandomStream& random, int workers, int lost) {
    std::vector<int> all(std::size_t(workers), 0);
    std::iota(all.begin(), all.end(), 0);
    for (int i = 0; i < lost; ++i) all.erase(all.begin() + long(random.below(all.size())));
    return all;
}

} // namespace

void tst_GradientCode::repetitionByHand() {
    // Four workers, one straggler: teams {0, 1} with groups 0 and 1, {2, 3} with 2 and 3; all coefficients 1.
    const auto made = GradientCode::make(repetition, 4, 1);
    QVERIFY(made.ok());
    const GradientCode& code = *made;
    for (int w = 0; w < 4; ++w) {
        QCOMPARE(code.row(w).size(), std::size_t{2});
        QCOMPARE(code.row(w)[0], std::pair(std::uint32_t(w / 2 * 2), 1.0));
        QCOMPARE(code.row(w)[1], std::pair(std::uint32_t(w / 2 * 2 + 1), 1.0));
    }
    QCOMPARE(code.decode(std::vector<int>{1, 0, 3}).value(), (std::vector<double>{1, 0, 1}));
    QCOMPARE(code.decode(std::vector<int>{0, 2}).value(), (std::vector<double>{1, 1})); // two of four will do here
    QVERIFY(!code.decode(std::vector<int>{0, 1}).ok());
}

void tst_GradientCode::cyclicByHand() {
    // Three workers, one straggler: H = (h0, h1, −h0−h1), row i = 1 at i and −h_i/h_{i+1} at i + 1. Each row
    // is orthogonal to H, and so is (1, 1, 1): any two rows span it.
    const auto made = GradientCode::make(cyclic, 3, 1);
    QVERIFY(made.ok());
    double product = 1;
    for (int w = 0; w < 3; ++w) {
        const auto row = made->row(w);
        QCOMPARE(row.size(), std::size_t{2});
        QCOMPARE(row[0], std::pair(std::uint32_t(w), 1.0));
        QCOMPARE(row[1].first, std::uint32_t((w + 1) % 3));
        product *= -row[1].second;
    }
    QVERIFY(std::abs(product - 1) < 1e-12); // Π h_i/h_{i+1} around the circle
    // By hand for workers 0 and 1: a_0 = 1 (group 0), a_0 c_0 + a_1 = 1 (group 1), a_1 c_1 = 1 (group 2).
    const auto a = made->decode(std::vector<int>{0, 1}).value();
    QVERIFY(std::abs(a[0] - 1) < 1e-12 && std::abs(a[1] - 1 / made->row(1)[1].second) < 1e-12);
}

void tst_GradientCode::cyclicSurvivesEveryPattern() {
    for (int n = 1; n <= 7; ++n)
        for (int s = 0; s < n; ++s) {
            const auto code = GradientCode::make(cyclic, n, s).value();
            for (int mask = 0; mask < 1 << n; ++mask) {
                std::vector<int> responders;
                for (int w = 0; w < n; ++w)
                    if (mask >> w & 1) responders.push_back(w);
                const auto weights = code.decode(responders);
                QCOMPARE(weights.ok(), int(responders.size()) >= n - s);
                if (weights) QVERIFY(code.residual(responders, *weights) < 1e-9);
            }
        }
}

void tst_GradientCode::cyclicResidualsOfAThousandPatterns_data() {
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("s");
    QTest::addRow("16, 3") << 16 << 3;
    QTest::addRow("50, 4") << 50 << 4;
    QTest::addRow("50, 8") << 50 << 8;
}

void tst_GradientCode::cyclicResidualsOfAThousandPatterns() {
    QFETCH(int, n);
    QFETCH(int, s);
    const auto code = GradientCode::make(cyclic, n, s).value();
    RandomStream random(1, Purpose::test, 601);
    double worst = 0;
    for (int pattern = 0; pattern < 1000; ++pattern) {
        const auto responders = survivors(random, n, s);
        const auto weights = code.decode(responders);
        QVERIFY2(weights.ok(), weights.ok() ? "" : weights.problems()[0].text().c_str());
        worst = std::max(worst, code.residual(responders, *weights));
    }
    QVERIFY2(worst < 1e-8, qPrintable(QString::number(worst)));
    qInfo("n = %d, s = %d: worst residual %g", n, s, worst);
}

void tst_GradientCode::decodesRealGradients() {
    // Random gradients of 20 groups in 7 dimensions, encoded, three messages lost: the decoded sum is the
    // sum.
    RandomStream random(2, Purpose::test, 602);
    const int n = 20, s = 3, d = 7;
    std::vector<std::vector<double>> gradients(n, std::vector<double>(d));
    std::vector<double> sum(d, 0.0);
    for (auto& g : gradients)
        for (int i = 0; i < d; ++i) sum[std::size_t(i)] += g[std::size_t(i)] = random.normal();
    for (const auto kind : {cyclic, repetition}) {
        const auto code = GradientCode::make(kind, n, s).value();
        const auto responders = survivors(random, n, s);
        const auto weights = code.decode(responders).value();
        std::vector<double> decoded(d, 0.0);
        for (std::size_t r = 0; r < responders.size(); ++r)
            for (const auto& [group, coefficient] : code.row(responders[r]))
                for (std::size_t i = 0; i < d; ++i) decoded[i] += weights[r] * coefficient * gradients[group][i];
        for (std::size_t i = 0; i < d; ++i) QVERIFY(std::abs(decoded[i] - sum[i]) < 1e-8);
    }
}

void tst_GradientCode::namesWhatIsWrong() {
    const auto indivisible = GradientCode::make(repetition, 10, 2);
    QVERIFY(!indivisible.ok());
    QCOMPARE(indivisible.problems()[0].code, std::string("indivisible"));
    QVERIFY(indivisible.problems()[0].message.english().find("teams of 3 workers") != std::string::npos);
    QCOMPARE(GradientCode::make(cyclic, 4, 4).problems()[0].code, std::string("out-of-range"));
    const auto few = GradientCode::make(cyclic, 6, 2).value().decode(std::vector<int>{0, 1, 2});
    QCOMPARE(few.problems()[0].code, std::string("undecodable"));
    QVERIFY(few.problems()[0].message.english().find("3 of 6 workers have answered; 4 are needed") !=
            std::string::npos);
    const auto team = GradientCode::make(repetition, 6, 2).value().decode(std::vector<int>{0, 1, 2});
    QVERIFY(team.problems()[0].message.english().find("1 of 2 teams") != std::string::npos);
}

TRAINYARD_TEST(tst_GradientCode)
#include "tst_GradientCode.moc"
