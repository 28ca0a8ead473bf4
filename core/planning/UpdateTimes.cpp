// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/UpdateTimes.h"

#include "planning/OrderStatistics.h"

#include <boost/math/quadrature/gauss.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace update_times {

using Rule = boost::math::quadrature::gauss<double, 15>;
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr int panels = 6, mostPieces = 400;
constexpr double exceeded = 1e-3; ///< where laws without variance are cut off

bool isConstant(const Distribution& d) { return d.law == Law::constant; }

/// Workers whose answers have one law: offset + C + load·P.
struct Group {
    double offset = 0;
    ResponseLaw law;
    std::size_t count = 0;
    std::vector<double> kinks; ///< where the survival is not smooth

    double survival(double t) const { return law.survival(t - offset); }
};

void addKinks(const Distribution& d, double from, double scale, std::vector<double>& kinks) {
    if (d.law == Law::uniform) kinks.push_back(from + scale * d.high);
    if (d.law == Law::empirical)
        for (const double q : d.quantiles) kinks.push_back(from + scale * q);
}

Group groupOf(const WorkerResponse& worker, double samples) {
    const StragglerLaw none;
    const StragglerLaw& law = worker.straggler ? *worker.straggler : none;
    const double load = samples * worker.secondsPerSample;
    const Distribution delay = law.delay ? *law.delay : Distribution{.value = 0};
    const Distribution factor = load > 0 ? law.factor : Distribution{.value = 0};
    Group group{worker.transferSeconds, ResponseLaw(delay, factor, load > 0 ? load : 1), 1, {}};
    group.kinks.push_back(group.offset + group.law.minimum());
    if (isConstant(delay)) addKinks(factor, group.offset + delay.value, load, group.kinks);
    if (isConstant(factor)) addKinks(delay, group.offset + load * factor.value, 1, group.kinks);
    return group;
}

bool alike(const WorkerResponse& a, const WorkerResponse& b) {
    const bool laws = a.straggler == b.straggler || (a.straggler && b.straggler && *a.straggler == *b.straggler);
    return laws && a.secondsPerSample == b.secondsPerSample && a.transferSeconds == b.transferSeconds;
}

/// By worker, its group.
struct Groups {
    std::vector<Group> all;
    std::vector<std::size_t> of;
};

Groups groupsOf(const JobTimes& job, double samples) {
    Groups out;
    std::vector<std::size_t> first;
    for (std::size_t w = 0; w < job.workers.size(); ++w) {
        const auto it = std::find_if(first.begin(), first.end(),
                                     [&](std::size_t f) { return alike(job.workers[f], job.workers[w]); });
        out.of.push_back(static_cast<std::size_t>(it - first.begin()));
        if (it != first.end()) {
            ++out.all[out.of.back()].count;
            continue;
        }
        first.push_back(w);
        out.all.push_back(groupOf(job.workers[w], samples));
    }
    return out;
}

/// P(fewer than k of the workers have answered), where a worker of group g has not with probability open[g]:
/// the law of the number that has, or of the number that has not, worker by worker, whichever is shorter.
class OrderRule {
public:
    OrderRule(const Groups& groups, int k) : m_groups(groups), m_n(static_cast<int>(groups.of.size())), m_k(k) {}
    double operator()(const std::vector<double>& open) {
        if (open.size() == 1) return orderStatisticSurvival(open.front(), m_n, m_k);
        const bool countOpen = m_n - m_k < m_k;
        m_law.assign(static_cast<std::size_t>(countOpen ? m_n - m_k + 1 : m_k), 0.0);
        m_law.front() = 1;
        for (const std::size_t g : m_groups.of) {
            const double p = countOpen ? open[g] : 1 - open[g];
            for (std::size_t j = m_law.size(); j-- > 1;) m_law[j] += p * (m_law[j - 1] - m_law[j]);
            m_law.front() *= 1 - p;
        }
        double few = 0;
        for (const double p : m_law) few += p;
        return std::clamp(countOpen ? 1 - few : few, 0.0, 1.0);
    }

private:
    const Groups& m_groups;
    int m_n, m_k;
    std::vector<double> m_law;
};

/// P(some team has not answered yet).
class TeamRule {
public:
    TeamRule(const Groups& groups, int size) : m_groups(groups), m_size(static_cast<std::size_t>(size)) {}
    double operator()(const std::vector<double>& open) const {
        double all = 1;
        for (std::size_t w = 0; w < m_groups.of.size(); w += m_size) {
            double none = 1;
            for (std::size_t i = w; i < std::min(w + m_size, m_groups.of.size()); ++i) none *= open[m_groups.of[i]];
            all *= 1 - none;
        }
        return 1 - all;
    }

private:
    const Groups& m_groups;
    std::size_t m_size;
};

/// ∫ P(T > t) dt and 2 ∫ t P(T > t) dt, where the tail of T falls like t^−index.
template <class Tail>
class Moments {
public:
    Moments(const Groups& groups, Tail tail, double index) : m_groups(groups), m_tail(tail), m_index(index) {}
    OrderMoments compute() {
        if (m_index <= 1) return {infinite, infinite};
        std::vector<double> kinks;
        double scale = 0;
        for (const Group& g : m_groups.all) {
            kinks.insert(kinks.end(), g.kinks.begin(), g.kinks.end());
            scale = std::max(scale, g.law.scale() - g.law.minimum());
        }
        std::sort(kinks.begin(), kinks.end());
        kinks.erase(std::unique(kinks.begin(), kinks.end()), kinks.end());
        m_mean = kinks.front();
        m_square = m_mean * m_mean;
        for (std::size_t i = 0; i + 1 < kinks.size(); ++i) piece(kinks[i], kinks[i + 1]);
        double from = kinks.back(), before = 0, width = std::max(scale, 1e-12 * (from + scale)) / 8;
        for (int i = 0; i < mostPieces && scale > 0; ++i, width *= 2) {
            const double part = piece(from, from + width);
            from += width;
            if (i > 6 && part <= 1e-10 * m_mean) break;
            const double ratio = before > 0 ? part / before : 0;
            if (i > 60 && ratio < 1) { // a power: the rest is a geometric series
                m_mean += part * ratio / (1 - ratio);
                break;
            }
            before = part;
        }
        const double variance = m_index > 2 ? m_square - m_mean * m_mean : m_square - m_cutMean * m_cutMean;
        return {m_mean, std::max(0.0, variance)};
    }

private:
    double piece(double from, double to) {
        double sum = 0;
        const double half = (to - from) / (2 * panels);
        for (int p = 0; p < panels; ++p)
            for (std::size_t j = 0; j < Rule::abscissa().size(); ++j)
                for (const double side : {-1.0, 1.0}) {
                    const double x = Rule::abscissa()[j];
                    if (x == 0 && side < 0) continue;
                    const double t = from + half * (2 * p + 1 + side * x), weight = half * Rule::weights()[j];
                    m_open.clear();
                    for (const Group& g : m_groups.all) m_open.push_back(g.survival(t));
                    const double value = m_tail(m_open);
                    sum += weight * value;
                    if (m_index > 2 || value > exceeded) m_square += weight * 2 * t * value;
                    if (value > exceeded) m_cut = t;
                }
        m_mean += sum;
        if (m_cut > from) m_cutMean = m_mean;
        return sum;
    }

    const Groups& m_groups;
    Tail m_tail;
    double m_index, m_mean = 0, m_square = 0, m_cut = 0, m_cutMean = 0;
    std::vector<double> m_open;
};

template <class Tail>
OrderMoments momentsOf(const Groups& groups, Tail tail, double index) {
    return Moments<Tail>(groups, std::move(tail), index).compute();
}

bool hasClosedForm(const JobTimes& job, const Groups& groups, const RoundTask& task) {
    for (const WorkerResponse& w : job.workers) {
        if (!std::isfinite(w.transferSeconds)) return false;
        if (!w.straggler) continue;
        if (w.straggler->burst || (task.steps > 1 && !isConstant(w.straggler->factor))) return false;
    }
    return std::all_of(groups.all.begin(), groups.all.end(), [](const Group& g) { return g.law.precision() < 1e-10; });
}

/// The index of the tail of the time at which `left` of the workers, those of the heaviest tails, still work.
double heaviest(const Groups& groups, std::size_t left) {
    std::vector<double> indices;
    for (const std::size_t g : groups.of) indices.push_back(groups.all[g].law.tailIndex());
    std::sort(indices.begin(), indices.end());
    double sum = 0;
    for (std::size_t i = 0; i < left; ++i) sum += indices[i];
    return sum;
}

UpdateTime ofRound(const OrderMoments& moments, const JobTimes& job, double pushes, double samples) {
    const double n = static_cast<double>(job.workers.size());
    return {moments.mean + job.serverSeconds, moments.variance, pushes * samples, n, pushes};
}

} // namespace update_times

using namespace update_times;

std::optional<UpdateTime> roundTime(const JobTimes& job, int k, const RoundTask& task) {
    const Groups groups = groupsOf(job, task.samples);
    if (!hasClosedForm(job, groups, task)) return std::nullopt;
    const int n = static_cast<int>(job.workers.size());
    const auto moments = momentsOf(groups, OrderRule(groups, k), heaviest(groups, static_cast<std::size_t>(n - k + 1)));
    return ofRound(moments, job, k, task.samples);
}

std::optional<UpdateTime> teamRoundTime(const JobTimes& job, int size, const RoundTask& task) {
    const Groups groups = groupsOf(job, task.samples);
    if (!hasClosedForm(job, groups, task)) return std::nullopt;
    const auto moments = momentsOf(groups, TeamRule(groups, size), heaviest(groups, static_cast<std::size_t>(size)));
    return ofRound(moments, job, static_cast<double>(job.workers.size()) / size, task.samples);
}

std::optional<UpdateTime> streamTime(const JobTimes& job, int gradients) {
    const Groups groups = groupsOf(job, job.batch);
    if (job.serverSeconds > 0 || !hasClosedForm(job, groups, {})) return std::nullopt;
    double rate = 0, spread = 0; // of gradients: mean and variance per second
    for (const Group& group : groups.all) {
        const Groups one{{group}, {0}};
        const auto moments = momentsOf(one, OrderRule(one, 1), heaviest(one, 1));
        if (!(moments.mean > 0)) return std::nullopt;
        const double count = static_cast<double>(group.count);
        rate += count / moments.mean;
        if (std::isfinite(moments.mean)) spread += count * moments.variance / std::pow(moments.mean, 3);
    }
    const double k = gradients;
    return UpdateTime{k / rate, k * spread / std::pow(rate, 3), k * job.batch, k, k};
}

} // namespace trainyard
