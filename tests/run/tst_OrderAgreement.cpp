// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The order of executed arms beside that of the simulated ones, on values made up by hand.
#include "run/compare/OrderAgreement.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;

namespace {

/// Arms a, b, … with these values of "t" by seed, and iteration times ten times as long.
ComparisonResult resultOf(const std::vector<std::vector<double>>& arms) {
    ComparisonResult out;
    for (std::size_t a = 0; a < arms.size(); ++a) {
        ArmResult arm{.name = std::string(1, static_cast<char>('a' + a))};
        for (const double value : arms[a]) {
            arm.runs.emplace_back();
            if (std::isfinite(value)) arm.runs.back() = MetricValues({{"t", value}, {"mean_iteration_s", 10 * value}});
        }
        out.arms.push_back(std::move(arm));
    }
    return out;
}

} // namespace

class tst_OrderAgreement : public QObject {
    Q_OBJECT
private slots:
    void byHand();
    void certainOrdersHaveNoSpread();
    void intervalTellsUncertainOrders();
    void missingValuesLeaveArmsOut();
};

void tst_OrderAgreement::byHand() {
    // Executed means 2, 4, 3, 8, simulated 1, 2, 4, 5: ranks 1 3 2 4 and 1 2 3 4, Σd² = 2, ρ = 1 − 12/60.
    const auto executed = resultOf({{2}, {4}, {3}, {8}}), simulated = resultOf({{1}, {2}, {4}, {5}});
    const OrderAgreement agreement = orderAgreement(executed, simulated, "t");
    QVERIFY(std::abs(agreement.ranks.rho - 0.8) < 1e-12);
    QCOMPARE(agreement.ranks.n, std::size_t{4});
    QVERIFY(!agreement.interval);                          // one seed says nothing of others
    QCOMPARE(agreement.arms[1].name, std::string("c"));    // in executed order
    QCOMPARE(agreement.arms[0].iterationGap->mean, 1.0);   // 20 / 10 − 1
    QCOMPARE(agreement.arms[1].iterationGap->mean, -0.25); // 30 / 40 − 1
}

void tst_OrderAgreement::certainOrdersHaveNoSpread() {
    const auto executed = resultOf({{1, 1.1}, {2, 2.1}, {3, 3.1}}), simulated = resultOf({{2, 2}, {4, 4}, {9, 9}});
    const OrderAgreement agreement = orderAgreement(executed, simulated, "t");
    QCOMPARE(agreement.ranks.rho, 1.0);
    QVERIFY(agreement.interval && agreement.interval->first == 1.0 && agreement.interval->second == 1.0);
}

void tst_OrderAgreement::intervalTellsUncertainOrders() {
    // Two arms that change places from seed to seed: the correlation of a resample is −1 or 1.
    const auto executed = resultOf({{1, 4, 1, 4, 1}, {2, 2, 2, 2, 2}}),
               simulated = resultOf({{1, 1, 1, 1, 1}, {2, 2, 2, 2, 2}});
    const OrderAgreement agreement = orderAgreement(executed, simulated, "t");
    QVERIFY(agreement.interval && agreement.interval->first == -1.0 && agreement.interval->second == 1.0);
}

void tst_OrderAgreement::missingValuesLeaveArmsOut() {
    const auto executed = resultOf({{1, 1}, {2, NAN}, {3, 3}}), simulated = resultOf({{1, 1}, {2, 2}, {3, 3}});
    const OrderAgreement agreement = orderAgreement(executed, simulated, "t");
    QCOMPARE(agreement.leftOut, std::vector<std::string>{"b"});
    QCOMPARE(agreement.ranks.n, std::size_t{2});
    QVERIFY(orderAgreement(executed, simulated, "nothing").arms.empty());
}

TRAINYARD_TEST(tst_OrderAgreement)
#include "tst_OrderAgreement.moc"
