// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Least squares with non-negative coefficients: a case by hand, and random ones against every choice of the columns that are free.
#include "planning/NonNegativeFit.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace trainyard;

class tst_NonNegativeFit : public QObject {
    Q_OBJECT
private slots:
    void byHand();
    void equalsBruteForce();
    void degenerateColumns();
};

namespace {

double residual(const std::vector<double>& a, std::size_t columns, const std::vector<double>& b,
                const std::vector<double>& x) {
    double sum = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        double r = -b[i];
        for (std::size_t j = 0; j < columns; ++j) r += a[i * columns + j] * x[j];
        sum += r * r;
    }
    return sum;
}

/// Least squares over some columns by normal equations and Gaussian elimination with pivots.
std::vector<double> solveSubset(const std::vector<double>& a, std::size_t columns, const std::vector<double>& b,
                                unsigned subset) {
    std::vector<std::size_t> some;
    for (std::size_t j = 0; j < columns; ++j)
        if (subset >> j & 1) some.push_back(j);
    const std::size_t n = some.size();
    std::vector<std::vector<long double>> m(n, std::vector<long double>(n + 1, 0));
    for (std::size_t r = 0; r < n; ++r)
        for (std::size_t i = 0; i < b.size(); ++i) {
            for (std::size_t c = 0; c < n; ++c)
                m[r][c] += static_cast<long double>(a[i * columns + some[r]]) * a[i * columns + some[c]];
            m[r][n] += static_cast<long double>(a[i * columns + some[r]]) * b[i];
        }
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t r = k; r < n; ++r)
            if (std::abs(m[r][k]) > std::abs(m[pivot][k])) pivot = r;
        std::swap(m[k], m[pivot]);
        for (std::size_t r = 0; r < n; ++r) {
            if (r == k) continue;
            const long double factor = m[r][k] / m[k][k];
            for (std::size_t c = k; c <= n; ++c) m[r][c] -= factor * m[k][c];
        }
    }
    std::vector<double> x(columns, 0);
    for (std::size_t k = 0; k < n; ++k) x[some[k]] = static_cast<double>(m[k][n] / m[k][k]);
    return x;
}

} // namespace

// Columns (1, 1) and (0, 1). For b = (2, 1) free coefficients would be (2, −1); over the first alone, (2 + 1)/2 = 1.5.
void tst_NonNegativeFit::byHand() {
    const std::vector<double> a{1, 0, 1, 1}, b{2, 1};
    const auto x = nonNegativeFit(a, 2, b);
    QVERIFY(std::abs(x[0] - 1.5) < 1e-12 && x[1] == 0);
    const std::vector<double> up{1, 2};
    const auto both = nonNegativeFit(a, 2, up);
    QVERIFY(std::abs(both[0] - 1) < 1e-12 && std::abs(both[1] - 1) < 1e-12);
    const std::vector<double> down{-1, -2};
    for (const double v : nonNegativeFit(a, 2, down)) QCOMPARE(v, 0.0);
}

// 2,000 random problems of up to six columns, of sizes from 1e-3 to 1e3: none of the 2^n choices of free columns that gives
// non-negative coefficients has a smaller residual.
void tst_NonNegativeFit::equalsBruteForce() {
    std::mt19937 random(1);
    const auto real = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
    for (int round = 0; round < 2000; ++round) {
        const std::size_t columns = 1 + random() % 6, rows = columns + random() % 10;
        std::vector<double> a(rows * columns), b(rows);
        for (std::size_t j = 0; j < columns; ++j) {
            const double size = std::pow(10, real(-3, 3));
            for (std::size_t i = 0; i < rows; ++i) a[i * columns + j] = size * real(-0.2, 1);
        }
        for (double& v : b) v = real(-1, 1);
        const auto x = nonNegativeFit(a, columns, b);
        QVERIFY(std::all_of(x.begin(), x.end(), [](double v) { return v >= 0; }));
        double least = std::numeric_limits<double>::infinity();
        for (unsigned subset = 0; subset < 1u << columns; ++subset) {
            const auto other = solveSubset(a, columns, b, subset);
            if (std::all_of(other.begin(), other.end(), [](double v) { return v >= 0; }))
                least = std::min(least, residual(a, columns, b, other));
        }
        const double found = residual(a, columns, b, x);
        QVERIFY2(found <= least * (1 + 1e-9) + 1e-12,
                 qPrintable(QStringLiteral("%1: %2, %3").arg(round).arg(found).arg(least)));
    }
}

// Equal columns, columns of zeros, more columns than rows: an answer that fits as well as can be.
void tst_NonNegativeFit::degenerateColumns() {
    const std::vector<double> a{1, 1, 0, 2, 2, 0, 3, 3, 0}, b{2, 4, 6};
    const auto x = nonNegativeFit(a, 3, b);
    QVERIFY(std::abs(x[0] + x[1] - 2) < 1e-9 && x[2] == 0);
    const std::vector<double> wide{1, 2, 3}, one{6};
    QVERIFY(residual(wide, 3, one, nonNegativeFit(wide, 3, one)) < 1e-18);
}

TRAINYARD_TEST(tst_NonNegativeFit)
#include "tst_NonNegativeFit.moc"
