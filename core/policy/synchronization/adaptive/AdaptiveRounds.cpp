// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/synchronization/adaptive/AdaptiveRounds.h"

#include "base/Format.h"
#include "policy/RateSeries.h"
#include "policy/synchronization/Averaging.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace trainyard {

namespace adaptive_rounds {

/// An estimated plan changes a little with every round; it is worth changing the option from this gain on.
constexpr double worthwhile = 1.02;
constexpr double looksApart = 1.5;
/// Beyond so many, the k considered are about 5 % apart.
constexpr int everyKUpTo = 64;
/// Options that are noted, of a plan that stays and of one that is made anew at every choice.
constexpr std::size_t mostNotedOnce = 1024, mostNotedAgain = 64;

std::vector<int> kSequence(const AdaptiveParams& params, int workers) {
    std::vector<int> ks;
    for (int k = std::min(params.firstK, workers); k < workers;) {
        ks.push_back(k);
        const int next = params.sequence == "double" ? 2 * k : k + params.kStep;
        k = std::max(next, k > everyKUpTo ? k + k / 20 : k + 1);
    }
    ks.push_back(workers);
    return ks;
}

std::vector<double> loadGrid(const AdaptiveParams& params) {
    std::vector<double> loads;
    for (int i = 0; i + 1 < params.loads; ++i)
        loads.push_back(params.leastLoad + (1 - params.leastLoad) * i / (params.loads - 1));
    loads.push_back(1);
    return loads;
}

/// As the cluster declares them; where it does not (no engine), exponential times of mean 1 for a whole
/// batch.
IterationTimes timesOf(const TrainingView& view) {
    static const StragglerLaw unknown{.factor = {.law = Law::exponential, .mean = 1}};
    std::vector<WorkerResponse> workers;
    for (std::size_t w = 0; w < view.workers.size(); ++w)
        if (view.workers[w].present)
            workers.push_back(w < view.responses.size() ? view.responses[w]
                                                        : WorkerResponse{&unknown, 1.0 / view.batch, 0});
    return IterationTimes(std::move(workers));
}

} // namespace adaptive_rounds

using namespace adaptive_rounds;

AdaptiveRounds::AdaptiveRounds(std::string id, AdaptiveParams params, Settings settings)
    : RoundSync(id, params.timeout), m_policy(std::move(id)), m_params(std::move(params)), m_settings(settings),
      m_loss({.smoothness = m_params.smoothness,
              .convexity = m_params.convexity,
              .noise = m_params.noise,
              .growth = m_params.growth}),
      m_signs(m_params.threshold, m_params.burnIn), m_distance(m_params.burnIn, looksApart, m_params.slope) {}

IterationShape AdaptiveRounds::shape(int workers) const {
    IterationShape out = RoundSync::shape(workers);
    if (m_current) out.load = m_options[*m_current].load;
    return out;
}

std::optional<RateRule> AdaptiveRounds::rateRule() const {
    return RateRule{loadGrid(m_params), m_params.computeCost, m_params.communicationCost, m_params.leastLoss};
}

// Without gradients nothing can be estimated: with unknown constants it waits for the first k, for ever.
std::optional<Text> AdaptiveRounds::hasNoRate() const {
    if (!m_settings.envelope || !m_loss.isFixed()) return std::nullopt;
    return Text{TRAINYARD_TEXT("with fixed constants its k and load change as the error falls, and with them "
                               "the time of an update"),
                {}};
}

int AdaptiveRounds::wanted(int launchedNow) const {
    if (m_current) return m_options[*m_current].waitFor;
    // Two gradients at one point tell their variance; a fifth of the workers tells it well and costs little.
    return probing() ? std::max(2, (launchedNow + 4) / 5) : m_params.firstK;
}

Assignment AdaptiveRounds::work(const TrainingView&, std::uint32_t) const {
    return {.samples = m_current ? m_options[*m_current].taskSamples : 0};
}

void AdaptiveRounds::starting(const PolicyContext& context, const TrainingView& view) {
    const bool goesOn = view.updates > 0 && m_plannedFor > 0;
    if (!goesOn) {
        m_error = m_params.initialError > 0 ? m_params.initialError : std::max(0.0, view.lastLoss - m_params.leastLoss);
        if (!std::isfinite(m_error)) m_error = 0;
        m_current.reset();
        m_signs.restart();
        m_distance.restart();
        m_lastGradient.clear();
    }
    m_blind = m_settings.envelope && view.parameters.empty() && !m_loss.isFixed();
    if (m_blind) explainBlindness(context, view);
    if (view.presentWorkers() == 0) return;
    planOptions(view);
    choose(context, view);
}

void AdaptiveRounds::roundOver(const PolicyContext& context, const TrainingView& view,
                               std::span<const HeldGradient> fresh) {
    const double samples = fresh.empty() ? 1 : fresh.front().samples;
    m_lastGradient = m_loss.gradient();
    m_loss.observe(view, fresh, samples, m_error);
    if (m_current && !m_envelope.empty())
        m_error = std::max(0.0, m_model.after(m_error, samples * static_cast<double>(fresh.size())));
    if (std::isfinite(view.lastLoss)) {
        const double measured = std::max(0.0, view.lastLoss - m_params.leastLoss);
        if (m_settings.advance == Advance::measured) m_error = measured;
        // Where the model is estimated, what has been measured bounds the error from above.
        else if (!m_loss.isFixed())
            m_error = std::min(m_error, measured);
    }
    const bool others = view.presentWorkers() != m_plannedFor || view.batch != m_plannedBatch;
    if (others && view.presentWorkers() > 0) planOptions(view);
    if (!m_current || others || m_settings.advance == Advance::model || m_settings.advance == Advance::measured)
        choose(context, view);
    else if (stationary(view))
        goOn(context, view);
}

void AdaptiveRounds::planOptions(const TrainingView& view) {
    const std::optional<Option> before = m_current ? std::optional(m_options[*m_current]) : std::nullopt;
    m_plannedFor = view.presentWorkers();
    m_plannedBatch = view.batch;
    m_options.clear();
    const IterationTimes times = timesOf(view);
    const auto ks = kSequence(m_params, m_plannedFor);
    for (const double load : loadGrid(m_params)) {
        const int samples = samplesOfLoad(view.batch, load);
        const auto means = times.means(samples);
        for (const int k : ks) {
            Option option;
            option.waitFor = k;
            option.load = load;
            option.taskSamples = samples;
            option.samples = static_cast<double>(k) * samples;
            option.cost = means[static_cast<std::size_t>(k) - 1] +
                          m_params.computeCost * static_cast<double>(m_plannedFor) * samples +
                          m_params.communicationCost * (k + m_plannedFor);
            m_options.push_back(option);
        }
    }
    m_current.reset();
    m_planned = false;
    m_reached = before ? before->samples : 0;
    if (!before || m_settings.envelope) return;
    // The sequence goes on where it was, as nearly as the workers that are left allow.
    std::size_t at = 0;
    while (at + 1 < m_options.size() && m_options[at].waitFor < before->waitFor) ++at;
    take(at);
}

bool AdaptiveRounds::feasible(std::size_t i) const {
    const double step = m_stepSize * m_constants.smoothness * (1 + m_constants.growth / m_options[i].samples);
    return step < 2 && std::isfinite(m_options[i].cost) && std::isfinite(m_lines[i].intercept);
}

void AdaptiveRounds::planLines(const TrainingView& view) {
    if (m_planned && m_stepSize == view.learningRate) return;
    m_planned = m_loss.isFixed();
    m_constants = m_loss.constants();
    // Another σ² moves all errors at which options succeed each other by one factor: their order needs none.
    const bool onlyOrder = m_settings.advance == Advance::signs || m_settings.advance == Advance::distance;
    if (onlyOrder && !(m_constants.noise > 0)) m_constants.noise = 1;
    m_stepSize = view.learningRate;
    m_model = m_settings.exact ? exactModel(m_constants, m_stepSize) : boundModel(m_constants, m_stepSize);
    m_lines.clear();
    for (const auto& option : m_options) m_lines.push_back(rateLine(m_model, option));
    std::vector<RateLine> usable = m_lines;
    for (std::size_t i = 0; i < usable.size(); ++i)
        if (!feasible(i)) usable[i].intercept = -std::numeric_limits<double>::infinity();
    m_envelope = upperEnvelope(usable);
    m_noted = false;
}

// All options that could be taken; where they are very many, those that are best at some error, which decide alone.
void AdaptiveRounds::noteOptions(const PolicyContext& context, std::size_t best) {
    std::vector<std::size_t> noted;
    for (std::size_t i = 0; i < m_options.size(); ++i)
        if (feasible(i) && m_lines[i].slope > 0) noted.push_back(i);
    m_noted = noted.size() <= (m_planned ? mostNotedOnce : mostNotedAgain);
    if (!m_noted) {
        noted = {best};
        for (const EnvelopeStep& step : m_envelope)
            if (step.line != best) noted.push_back(step.line);
    }
    for (const std::size_t i : noted) {
        const Option& option = m_options[i];
        const auto k = static_cast<std::uint32_t>(option.waitFor),
                   samples = static_cast<std::uint32_t>(option.taskSamples);
        context.note(rate_series::load, option.load, k, samples);
        context.note(rate_series::cost, option.cost, k, samples);
        context.note(rate_series::floor, m_model.floor(option.samples), k, samples);
        context.note(rate_series::slope, m_lines[i].slope, k, samples);
    }
}

void AdaptiveRounds::noteChoice(const PolicyContext& context, std::size_t best) {
    if (!context.notes) return;
    if (!m_noted) noteOptions(context, best);
    context.note(rate_series::choice, m_error, static_cast<std::uint32_t>(m_options[best].waitFor),
                 static_cast<std::uint32_t>(m_options[best].taskSamples));
}

void AdaptiveRounds::choose(const PolicyContext& context, const TrainingView& view) {
    if (!m_settings.envelope) {
        if (!m_current) take(0);
        return;
    }
    if (probing() || m_blind) return;
    planLines(view);
    if (m_envelope.empty()) {
        m_current.reset();
        return;
    }
    const bool tests = m_settings.advance == Advance::signs || m_settings.advance == Advance::distance;
    std::size_t best = bestOption();
    if (tests) {
        std::size_t step = 0;
        while (step + 1 < m_envelope.size() && m_options[m_envelope[step].line].samples < m_reached) ++step;
        best = m_envelope[step].line;
    }
    if (m_current == best) return;
    const bool kept = m_current && !m_loss.isFixed() && feasible(*m_current) &&
                      m_lines[best].at(m_error) <= worthwhile * m_lines[*m_current].at(m_error);
    if (kept) return;
    take(best);
    if (tests) return;
    noteChoice(context, best);
    explainEnvelope(context, view, best);
}

// The envelope's threshold and the lines themselves may differ in the last digit; what is explained is the
// lines.
std::size_t AdaptiveRounds::bestOption() const {
    std::size_t best = m_envelope[stepAt(m_envelope, m_error)].line;
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        if (!feasible(i)) continue;
        const double gain = m_lines[i].at(m_error) - m_lines[best].at(m_error);
        if (gain > 0 || (gain == 0 && i < best)) best = i;
    }
    return best;
}

bool AdaptiveRounds::stationary(const TrainingView& view) {
    const auto& gradient = m_loss.gradient();
    if (m_settings.advance == Advance::distance) return !view.parameters.empty() && m_distance.observe(view.parameters);
    if (gradient.empty() || m_lastGradient.size() != gradient.size()) return false;
    return m_signs.observe(std::inner_product(gradient.begin(), gradient.end(), m_lastGradient.begin(), 0.0));
}

void AdaptiveRounds::goOn(const PolicyContext& context, const TrainingView& view) {
    std::size_t next = *m_current + 1;
    if (m_settings.envelope) {
        const auto it = std::find_if(m_envelope.begin(), m_envelope.end(),
                                     [&](const EnvelopeStep& s) { return s.line == *m_current; });
        next = it == m_envelope.end() || it + 1 == m_envelope.end() ? m_options.size() : (it + 1)->line;
    }
    if (next < m_options.size()) {
        explainTest(context, view, next);
        take(next);
    }
    m_signs.restart();
    m_distance.restart();
}

void AdaptiveRounds::take(std::size_t option) { m_current = option; }

std::string AdaptiveRounds::labelOf(std::size_t i) const {
    const Option& option = m_options[i];
    return "k = " + std::to_string(option.waitFor) + ", β = " + formatNumber(option.load, 3);
}

void AdaptiveRounds::explainBlindness(const PolicyContext& context, const TrainingView& view) const {
    if (!context.explaining()) return;
    Explanation why{.family = PolicyFamily::synchronization, .policy = m_policy, .job = view.job};
    why.summary = {
        TRAINYARD_TEXT("this job has no gradients to estimate constants from: every update waits for {0}; fix "
                       "smoothness, convexity and noise to plan"),
        {std::to_string(m_params.firstK)}};
    why.candidates = {{.label = "k = " + std::to_string(m_params.firstK)}};
    why.chosen = {0};
    context.explain(std::move(why));
}

void AdaptiveRounds::explainEnvelope(const PolicyContext& context, const TrainingView& view, std::size_t best) const {
    if (!context.explaining()) return;
    Explanation why{.family = PolicyFamily::synchronization, .policy = m_policy, .job = view.job};
    why.summary = {
        TRAINYARD_TEXT("{0}, {1} samples per task: at an error of {2} no other of {3} options lowers it faster "
                       "(L {4}, c {5}, σ² {6}, η {7})"),
        {labelOf(best), std::to_string(m_options[best].taskSamples), formatNumber(m_error, 4),
         std::to_string(m_options.size()), formatNumber(m_constants.smoothness, 3),
         formatNumber(m_constants.convexity, 3), formatNumber(m_constants.noise, 3), formatNumber(m_stepSize, 3)}};
    why.rule = Rule::maximum;
    why.criterion = "rate";
    const auto add = [&](std::size_t i) {
        if (i == best) why.chosen = {why.candidates.size()};
        Candidate candidate{.label = labelOf(i)};
        const double growth = m_stepSize * m_constants.smoothness * (1 + m_constants.growth / m_options[i].samples);
        candidate.checks = {{"learning rate, as a share of the stability limit", growth / 2, Comparison::less, 1},
                            {"has a mean time", std::isfinite(m_options[i].cost) ? 1.0 : 0.0, Comparison::atLeast, 1},
                            {"lowers the error", m_lines[i].slope > 0 ? 1.0 : 0.0, Comparison::atLeast, 1}};
        if (candidate.feasible())
            candidate.numbers = {{"rate", m_lines[i].at(m_error)},
                                 {"cost of an update", m_options[i].cost},
                                 {"floor", m_model.floor(m_options[i].samples)},
                                 {"slope", m_lines[i].slope},
                                 {"k", static_cast<double>(m_options[i].waitFor)},
                                 {"load", m_options[i].load}};
        why.candidates.push_back(std::move(candidate));
    };
    // All options where everything is asked for; else those that are best at some error, which decide alone.
    if (explainingFully(context)) {
        for (std::size_t i = 0; i < m_options.size(); ++i) add(i);
    } else {
        add(best);
        for (const auto& step : m_envelope)
            if (step.line != best) add(step.line);
    }
    context.explain(std::move(why));
}

void AdaptiveRounds::explainTest(const PolicyContext& context, const TrainingView& view, std::size_t next) const {
    if (!context.explaining()) return;
    Explanation why{.family = PolicyFamily::synchronization, .policy = m_policy, .job = view.job};
    Candidate on{.label = labelOf(next)};
    if (m_settings.advance == Advance::signs) {
        why.summary = {TRAINYARD_TEXT("successive gradients oppose each other: change to the next option, {0}"),
                       {on.label}};
        on.checks = {{"opposed pairs in excess", static_cast<double>(m_signs.counter()), Comparison::greater,
                      static_cast<double>(m_params.threshold)},
                     {"updates since the last change", static_cast<double>(m_signs.observed()), Comparison::greater,
                      static_cast<double>(m_params.burnIn)}};
    } else {
        why.summary = {TRAINYARD_TEXT("the parameters move no further from the start: change to the next option, {0}"),
                       {on.label}};
        on.checks = {
            {"growth of the squared distance", m_distance.slope().value_or(0), Comparison::less, m_params.slope}};
    }
    why.candidates = {std::move(on), {.label = labelOf(*m_current)}};
    why.chosen = {0};
    context.explain(std::move(why));
}

} // namespace trainyard
