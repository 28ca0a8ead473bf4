// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Axes, quantities and element references of charts.
#include "analysis/Chart.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;

class tst_Chart : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void instantsLieStraightBetweenKnots();
    void timeAxisIsItsOwnInstant();
    void rangesEndAtRoundNumbers();
    void quantitiesReadAsPeopleWriteThem();
    void oneReferenceStandsForAll();
};

void tst_Chart::instantsLieStraightBetweenKnots() {
    Axis axis{.knots = {{0, SimTime::seconds(10)}, {4, SimTime::seconds(12)}, {6, SimTime::seconds(20)}}};
    QCOMPARE(instantAt(axis, 2)->toSeconds(), 11.0);
    QCOMPARE(instantAt(axis, 5)->toSeconds(), 16.0);
    QCOMPARE(instantAt(axis, -3)->toSeconds(), 10.0); // held at the ends
    QCOMPARE(instantAt(axis, 99)->toSeconds(), 20.0);
    QCOMPARE(valueAt(axis, SimTime::seconds(11)).value(), 2.0);
    QCOMPARE(valueAt(axis, SimTime::seconds(16)).value(), 5.0);
    QCOMPARE(valueAt(axis, SimTime::seconds(0)).value(), 0.0);
    QVERIFY(!instantAt(Axis{}, 1));
    QVERIFY(!valueAt(Axis{}, SimTime::zero()));
}

void tst_Chart::timeAxisIsItsOwnInstant() {
    const Axis axis{.kind = Axis::Kind::time};
    QCOMPARE(instantAt(axis, 2.5)->ns, SimTime::seconds(2.5).ns);
    QCOMPARE(valueAt(axis, SimTime::seconds(2.5)).value(), 2.5);
    QCOMPARE(instantAt(axis, -1)->ns, 0);
}

void tst_Chart::rangesEndAtRoundNumbers() {
    Axis axis;
    for (const auto& [most, end] : {std::pair{0.0, 1.0}, {1.0, 1.0}, {0.73, 0.8}, {103.0, 150.0}, {1e-6, 1e-6}}) {
        rangeFromZero(axis, most);
        QCOMPARE(*axis.from, 0.0);
        QVERIFY2(std::abs(*axis.to / end - 1) < 1e-12, qPrintable(QString::number(*axis.to)));
    }
    axis.whole = true;
    rangeFromZero(axis, 1);
    QCOMPARE(*axis.to, 1.0);
    rangeFromZero(axis, 3);
    QCOMPARE(*axis.to, 3.0);
}

void tst_Chart::quantitiesReadAsPeopleWriteThem() {
    const auto text = [](double value, const char* unit) { return QString::fromStdString(quantityText(value, unit)); };
    QCOMPARE(text(0, "s"), QStringLiteral("0 s"));
    QCOMPARE(text(0.01234, "s"), QStringLiteral("12.3 ms"));
    QCOMPARE(text(0.9996, "s"), QStringLiteral("1 s"));
    QCOMPARE(text(250, "s"), QStringLiteral("4.17 min"));
    QCOMPARE(text(7200, "s"), QStringLiteral("2 h"));
    QCOMPARE(text(1234567, "count"), QStringLiteral("1234567"));
    QCOMPARE(text(12.5, "%"), QStringLiteral("12.5 %"));
    QCOMPARE(text(INFINITY, "s"), QStringLiteral("∞"));
    QCOMPARE(QString::fromStdString(nameText("a{0}b").english()), QStringLiteral("a{0}b"));
}

void tst_Chart::oneReferenceStandsForAll() {
    Series series{.x = {1, 2}, .y = {3, 4}, .refs = {{.worker = 7}}};
    QCOMPARE(series.size(), std::size_t{2});
    QCOMPARE(series.refOf(1).worker.value(), 7u);
    series.refs.push_back({.worker = 8});
    QCOMPARE(series.refOf(1).worker.value(), 8u);
    QVERIFY(!series.refOf(2).worker);
}

TRAINYARD_TEST(tst_Chart)
#include "tst_Chart.moc"
