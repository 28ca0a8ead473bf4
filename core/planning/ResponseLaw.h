// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How long a worker takes to answer: communication plus load × computation, independent of each other and
// over workers and iterations (Egger et al., ISIT 2023, abstract; the load scales the computation's time, not
// its law's shape). Used by the order statistics and by the synchronizations that choose whom to wait for.
#include "base/Distribution.h"

#include <optional>

namespace trainyard {

class ResponseLaw {
public:
    /// Z = C + load × P, load > 0; both laws are of seconds.
    ResponseLaw(Distribution communication, Distribution computation, double load = 1);

    /// P(Z > t).
    double survival(double t) const;
    /// E[Z]; infinite for tails heavier than 1/t.
    double mean() const;
    /// Z is never less.
    double minimum() const { return m_minimum; }
    /// α of the heaviest tail P(Z > t) ~ t^−α; infinite for laws whose tail falls faster than every power.
    double tailIndex() const { return m_tailIndex; }
    /// Whether Z − minimum is a sum of exponentials (or 0): its survival is smooth and in closed form.
    bool isSumOfExponentials() const { return m_phases.has_value(); }
    /// A typical value: the mean, or the median where there is none.
    double scale() const { return m_scale; }

    /// Of survival(): rounding for sums of exponentials and where one part is constant, else better than 1e-5
    /// (where one part begins there is a kink that no rule on fixed nodes follows exactly).
    double precision() const { return m_isExact ? 1e-13 : 1e-5; }

private:
    struct Node {
        double quantile, weight;
    };
    void placeNodes();
    double convolution(double t) const;

    Distribution m_communication, m_computation;
    double m_load, m_minimum = 0, m_tailIndex = 0, m_scale = 1;
    bool m_isExact = true;
    std::vector<Node> m_nodes;                   ///< of the communication's law, where there is no closed form
    std::optional<std::vector<double>> m_phases; ///< means, where Z − minimum is a sum of exponentials
};

} // namespace trainyard
