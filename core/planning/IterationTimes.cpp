// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/IterationTimes.h"

#include "planning/OrderStatistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace iteration_times {

constexpr int mostWorkersByQuadrature = 256;
constexpr std::size_t variates = 60000; // per kind
constexpr std::uint64_t sampleEntity = 0x74696d6573ull;

bool sameLaw(const WorkerResponse& a, const WorkerResponse& b) {
    const bool laws = a.straggler == b.straggler || (a.straggler && b.straggler && *a.straggler == *b.straggler);
    return laws && a.secondsPerSample == b.secondsPerSample && a.transferSeconds == b.transferSeconds;
}

double tailOf(const StragglerLaw* law) {
    double tail = std::numeric_limits<double>::infinity();
    if (!law) return tail;
    if (law->factor.law == Law::pareto) tail = law->factor.shape;
    if (law->delay && law->delay->law == Law::pareto) tail = std::min(tail, law->delay->shape);
    return tail;
}

/// Sums of exponentials: smooth laws, for which one pass of quadrature gives all k.
bool closedForm(const WorkerResponse& w) {
    if (!w.straggler) return true;
    if (w.straggler->burst) return false;
    const auto phases = [](const Distribution& d) {
        return d.law == Law::constant || d.law == Law::exponential || d.law == Law::shiftedExponential ||
               d.law == Law::hypoexponential;
    };
    return phases(w.straggler->factor) && (!w.straggler->delay || phases(*w.straggler->delay));
}

Distribution shifted(const std::optional<Distribution>& delay, double seconds) {
    Distribution out = delay ? *delay : Distribution{.value = 0};
    switch (out.law) {
    case Law::constant: out.value += seconds; break;
    case Law::exponential:
        out.law = Law::shiftedExponential;
        out.shift = seconds;
        break;
    case Law::shiftedExponential: out.shift += seconds; break;
    default: break; // hypoexponential: the caller adds the constant to the result
    }
    return out;
}

} // namespace iteration_times

using namespace iteration_times;

IterationTimes::IterationTimes(std::vector<WorkerResponse> workers)
    : m_workers(std::move(workers)), m_tailIndex(std::numeric_limits<double>::infinity()) {
    for (const auto& w : m_workers) {
        m_alike = m_alike && sameLaw(w, m_workers.front());
        m_alike = m_alike && std::isfinite(w.transferSeconds);
        m_tailIndex = std::min(m_tailIndex, tailOf(w.straggler));
    }
    const std::size_t n = m_workers.size();
    if (n == 0 || (m_alike && n <= mostWorkersByQuadrature && closedForm(m_workers.front()))) return;
    const std::size_t draws = std::max<std::size_t>(8, variates / n);
    m_delays.reserve(draws * n);
    m_factors.reserve(draws * n);
    for (std::size_t d = 0; d < draws; ++d)
        for (std::size_t w = 0; w < n; ++w) {
            RandomStream random(0, Purpose::policy, sampleEntity ^ w, static_cast<std::uint32_t>(d));
            const StragglerLaw* law = m_workers[w].straggler;
            double factor = law ? law->factor.sample(random) : 1;
            if (law && law->burst && random.unit() < law->burst->stationaryShare()) factor *= law->burst->factor;
            m_factors.push_back(factor);
            m_delays.push_back(m_workers[w].transferSeconds + (law && law->delay ? law->delay->sample(random) : 0));
        }
}

std::vector<double> IterationTimes::means(double samples) const {
    if (m_workers.empty()) return {};
    auto out = m_factors.empty() ? quadrature(samples) : sampled(samples);
    const double n = static_cast<double>(out.size());
    for (std::size_t k = 1; k <= out.size(); ++k)
        if ((n - static_cast<double>(k) + 1) * m_tailIndex <= 1) out[k - 1] = std::numeric_limits<double>::infinity();
    return out;
}

std::vector<double> IterationTimes::quadrature(double samples) const {
    const WorkerResponse& w = m_workers.front();
    const StragglerLaw law = w.straggler ? *w.straggler : StragglerLaw{};
    const double load = samples * w.secondsPerSample;
    const bool added = law.delay && law.delay->law == Law::hypoexponential;
    const Distribution communication = shifted(law.delay, w.transferSeconds);
    // A task that takes no time has no law to integrate.
    const ResponseLaw response(communication, load > 0 ? law.factor : Distribution{.value = 0}, load > 0 ? load : 1);
    auto out = orderStatisticMeans(response, workers());
    if (added)
        for (double& mean : out) mean += w.transferSeconds;
    return out;
}

std::vector<double> IterationTimes::sampled(double samples) const {
    const std::size_t n = m_workers.size(), draws = m_factors.size() / n;
    std::vector<double> sum(n, 0.0), times(n);
    for (std::size_t d = 0; d < draws; ++d) {
        for (std::size_t w = 0; w < n; ++w)
            times[w] = m_delays[d * n + w] + samples * m_workers[w].secondsPerSample * m_factors[d * n + w];
        std::sort(times.begin(), times.end());
        for (std::size_t k = 0; k < n; ++k) sum[k] += times[k];
    }
    for (double& s : sum) s /= static_cast<double>(draws);
    return sum;
}

} // namespace trainyard
