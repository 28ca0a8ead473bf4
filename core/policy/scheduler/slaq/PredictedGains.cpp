// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/slaq/PredictedGains.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

PredictedGains::Rules PredictedGains::Rules::of(const Job& job) const {
    Rules out = *this;
    if (curve == "last-change" || curve == "true") return out;
    if (job.lossFamily != LossFamilyHint::automatic)
        out.curve = job.lossFamily == LossFamilyHint::linear ? "linear" : "sublinear";
    else if (curve == "by-optimizer") {
        const auto* trained = std::get_if<TrainedWork>(&job.work);
        const std::string optimizer = trained ? trained->optimizer.id : "";
        const bool gradients =
            optimizer == "sgd" || optimizer == "momentum" || optimizer == "adagrad" || optimizer == "adam";
        const bool newton = optimizer == "lbfgs" || optimizer == "em" || optimizer == "alternating";
        out.curve = gradients ? "sublinear" : newton ? "linear" : "better";
    }
    return out;
}

void PredictedGains::take(const LossPoint& point) {
    const bool first = m_samples.empty();
    if (!first && point.update > m_last.update) {
        m_lastChange = std::max(0.0, (m_last.loss - point.loss) / static_cast<double>(point.update - m_last.update));
        m_greatestChange = std::max(m_greatestChange, m_lastChange);
    }
    m_least = first ? point.loss : std::min(m_least, point.loss);
    m_greatest = first ? point.loss : std::max(m_greatest, point.loss);
    m_last = point;
    const auto update = static_cast<double>(point.update);
    while (!m_samples.empty() && m_samples.back().update >= update) m_samples.pop_back();
    m_samples.push_back({update, point.loss});
}

void PredictedGains::follow(std::span<const LossPoint> losses, const Rules& rules, std::optional<double> finalLoss,
                            const LossCurve* known) {
    if (known && rules.curve == "true" && !m_true) m_true = *known;
    const std::size_t before = m_seen;
    for (; m_seen < losses.size(); ++m_seen)
        if (std::isfinite(losses[m_seen].loss)) take(losses[m_seen]);
    if (m_seen == before || m_samples.size() < fewestLosses) return;
    const auto window = static_cast<std::size_t>(rules.window);
    if (m_samples.size() > window)
        m_samples.erase(m_samples.begin(), m_samples.end() - static_cast<std::ptrdiff_t>(window));
    m_floor = rules.floor;
    m_byLastChange = rules.curve == "last-change";
    m_lowest = m_least - (m_greatest - m_least);
    if (finalLoss && *finalLoss < m_least) m_lowest = *finalLoss;
    if (m_byLastChange || m_true) return;
    const LossFitOptions options{.decay = rules.decay, .window = window, .asymptote = finalLoss};
    m_fit = rules.curve == "sublinear" ? fitSublinear(m_samples, options)
            : rules.curve == "linear"  ? fitLinear(m_samples, options)
                                       : fitLosses(m_samples, options);
}

double PredictedGains::lossAfter(double ahead) const {
    if (isYoung()) return m_last.loss;
    const auto from = static_cast<double>(m_last.update);
    if (m_true) return m_last.loss - std::max(0.0, m_true->at(from) - m_true->at(from + ahead));
    const double fall = m_byLastChange ? ahead * m_lastChange : m_fit.at(from) - m_fit.at(from + ahead);
    return std::clamp(m_last.loss - std::max(0.0, fall), std::min(m_lowest, m_last.loss), m_last.loss);
}

double PredictedGains::gain(double ahead) const {
    if (isYoung()) return (1 - std::pow(youngRatio, ahead)) / (1 - youngRatio);
    double unit = m_greatestChange;
    if (m_true) unit = std::max(unit, m_last.loss - lossAfter(1)); // before the first change is seen
    if (!(unit > 0)) return 0;
    const double predicted = m_last.loss - lossAfter(ahead);
    const double least = m_floor > 0 ? m_lastChange * (1 - std::pow(m_floor, ahead)) / (1 - m_floor) : 0;
    return std::max(predicted, least) / unit;
}

double PredictedGains::normalisedLossAfter(double ahead) const {
    if (isYoung()) return 1;
    const double lowest = m_true           ? std::min(m_least, m_true->at(1e9))
                          : m_byLastChange ? m_lowest
                                           : std::clamp(m_fit.asymptote, m_lowest, m_least);
    if (!(m_greatest > lowest)) return 0;
    return std::clamp((lossAfter(ahead) - lowest) / (m_greatest - lowest), 0.0, 1.0);
}

} // namespace trainyard
