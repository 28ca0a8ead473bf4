// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The k-th of n independent response times: what an iteration takes that waits for the fastest k of n
// workers. Computed by quadrature of the regularised incomplete beta function, which is exact to rounding for
// every law and every n; the alternating sums of textbooks lose all digits from n ≈ 30 on. Used by adaptive
// synchronizations, previews and studies.
#include "planning/ResponseLaw.h"

#include <functional>

namespace trainyard {

/// P(Z_(k:n) > t) where P(Z > t) = survival; 1 ≤ k ≤ n.
double orderStatisticSurvival(double survival, int n, int k);

struct OrderMoments {
    double mean = 0;     ///< infinite where (n − k + 1) · tailIndex ≤ 1
    double variance = 0; ///< infinite where (n − k + 1) · tailIndex ≤ 2
};
/// E and Var of Z_(k:n) = ∫ P(Z_(k:n) > t) dt and 2 ∫ t P(Z_(k:n) > t) dt − mean². Relative error about
/// 1e-10.
OrderMoments orderStatistic(const ResponseLaw& law, int n, int k);
double orderStatisticMean(const ResponseLaw& law, int n, int k);
/// Means for k = 1 … n; for sums of exponentials in one pass over the nodes of a fixed rule, as precisely.
std::vector<double> orderStatisticMeans(const ResponseLaw& law, int n);

/// Renewal theory: mean and variance of the number of iterations completed by time t (t ≫ mean).
OrderMoments completedIterations(const OrderMoments& iteration, double t);

} // namespace trainyard
