// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/ResponseLaw.h"

#include "base/Hypoexponential.h"
#include "base/Result.h"

#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {

constexpr int panels = 256;

double leastValue(const Distribution& d) {
    switch (d.law) {
    case Law::constant: return d.value;
    case Law::uniform: return d.low;
    case Law::shiftedExponential: return d.shift;
    case Law::pareto: return d.scale;
    case Law::empirical: return d.quantiles.front();
    default: return 0;
    }
}

double tailOf(const Distribution& d) {
    return d.law == Law::pareto ? d.shape : std::numeric_limits<double>::infinity();
}

/// The means of the exponentials whose sum d is, apart from its shift; nothing for other laws.
std::optional<std::vector<double>> phasesOf(const Distribution& d) {
    switch (d.law) {
    case Law::constant: return std::vector<double>{};
    case Law::exponential:
    case Law::shiftedExponential: return std::vector<double>{d.mean};
    case Law::hypoexponential: return d.means;
    default: return std::nullopt;
    }
}

} // namespace

ResponseLaw::ResponseLaw(Distribution communication, Distribution computation, double load)
    : m_communication(std::move(communication)), m_computation(std::move(computation)), m_load(load) {
    require(load > 0, "a load is positive");
    m_minimum = leastValue(m_communication) + load * leastValue(m_computation);
    m_tailIndex = std::min(tailOf(m_communication), tailOf(m_computation));
    auto first = phasesOf(m_communication);
    const auto second = phasesOf(m_computation);
    if (first && second) {
        for (const double mean : *second) first->push_back(load * mean);
        std::erase_if(*first, [](double mean) { return mean <= 0; });
        m_phases = std::move(first);
    }
    m_isExact = m_phases || m_communication.law == Law::constant || m_computation.law == Law::constant;
    if (!m_isExact) placeNodes();
    m_scale = mean();
    if (!std::isfinite(m_scale)) m_scale = m_communication.quantile(0.5) + load * m_computation.quantile(0.5);
    if (!(m_scale > 0)) m_scale = 1;
}

double ResponseLaw::mean() const { return m_communication.expectation() + m_load * m_computation.expectation(); }

double ResponseLaw::survival(double t) const {
    if (t < m_minimum) return 1;
    if (m_phases) return m_phases->empty() ? 0 : hypoexponentialSurvival(*m_phases, t - m_minimum);
    if (m_communication.law == Law::constant) return m_computation.survival((t - m_communication.value) / m_load);
    if (m_computation.law == Law::constant) return m_communication.survival(t - m_load * m_computation.value);
    return convolution(t);
}

// P(C + βP > t) = ∫₀¹ P(βP > t − Q(u)) du over the quantiles Q(u) of C: no density is needed. Gauss's rule on
// 64 equal panels and on ever narrower ones towards both ends, where quantiles may run away; the quantiles
// are computed once.
void ResponseLaw::placeNodes() {
    std::vector<double> edges;
    for (int i = 1; i < panels; ++i) edges.push_back(static_cast<double>(i) / panels);
    for (double d = 0.5 / panels; d > 1e-12; d /= 2) edges.insert(edges.end(), {d, 1 - d});
    edges.insert(edges.end(), {0.0, 1.0});
    std::sort(edges.begin(), edges.end());
    using Rule = boost::math::quadrature::gauss<double, 7>;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const double middle = 0.5 * (edges[i] + edges[i + 1]), half = 0.5 * (edges[i + 1] - edges[i]);
        for (std::size_t j = 0; j < Rule::abscissa().size(); ++j)
            for (const double side : {-1.0, 1.0}) {
                const double x = Rule::abscissa()[j];
                if (x == 0 && side < 0) continue;
                const double p = std::clamp(middle + side * half * x, 1e-300, 1 - 1e-16);
                m_nodes.push_back({m_communication.quantile(p), half * Rule::weights()[j]});
            }
    }
}

double ResponseLaw::convolution(double t) const {
    double sum = 0;
    for (const Node& node : m_nodes) sum += node.weight * m_computation.survival((t - node.quantile) / m_load);
    return std::clamp(sum, 0.0, 1.0);
}

} // namespace trainyard
