// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/TradeOffs.h"

#include "analysis/UpdateValues.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace trade_offs {

constexpr int pricesTried = 25, everyKUpTo = 64;
/// The highest price makes the dearest update cost so many times its time.
constexpr double highestPrice = 30;
/// Where the job names no loss that can be reached: so far above the lowest floor.
constexpr double aboveTheFloor = 1.5;

double samplesOf(double batch, double load) { return std::max(1.0, std::round(batch * load)); }

struct Plan {
    ErrorModel model;
    double workers = 1;
    std::vector<StepOption> options;
    std::vector<double> assigned; ///< samples of all tasks, by option

    std::vector<StepOption> priced(const Prices& prices) const {
        std::vector<StepOption> out = options;
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i].cost += prices.sample * assigned[i] + prices.message * (out[i].waitFor + workers);
        return out;
    }
    double lowestFloor() const {
        double least = std::numeric_limits<double>::infinity();
        for (const StepOption& option : options)
            if (model.stable(option.samples)) least = std::min(least, model.floor(option.samples));
        return least;
    }
    std::optional<Trajectory> trajectory(const Prices& prices, double from, double to) const {
        std::vector<RateLine> lines;
        for (const StepOption& option : priced(prices)) lines.push_back(rateLine(model, option));
        Trajectory out{.prices = prices};
        double error = from;
        for (const EnvelopeStep& step : upperEnvelope(lines)) {
            const double end = std::max(step.downTo, to);
            if (end >= error) continue;
            const StepOption& option = options[step.line];
            const double floor = model.floor(option.samples);
            if (end <= floor) return std::nullopt;
            const double updates = std::log((error - floor) / (end - floor)) / -std::log(model.factor(option.samples));
            out.updates += updates;
            out.seconds += updates * option.cost;
            out.samples += updates * assigned[step.line];
            out.messages += updates * (option.waitFor + workers);
            error = end;
        }
        if (error > to) return std::nullopt;
        return out;
    }
};

Plan makePlan(const ErrorModel& model, const std::vector<ResponseTimeCurve>& curves, double batch) {
    Plan plan{
        .model = model, .workers = static_cast<double>(curves.front().means.size()), .options = {}, .assigned = {}};
    for (const ResponseTimeCurve& curve : curves) {
        const double samples = samplesOf(batch, curve.load);
        const int n = static_cast<int>(curve.means.size());
        for (int k = 1; k <= n; k = std::min(k < n ? n : n + 1, k < everyKUpTo ? k + 1 : k + k / 20)) {
            const double mean = curve.means[static_cast<std::size_t>(k) - 1];
            if (!std::isfinite(mean)) continue;
            plan.options.push_back({k, curve.load, k * samples, mean});
            plan.assigned.push_back(n * samples);
        }
    }
    return plan;
}

/// The prices that make a difference: from nothing to where the dearest update costs many times its time.
std::vector<double> pricesFor(const std::vector<double>& amounts, const std::vector<StepOption>& options) {
    double most = 0;
    for (std::size_t i = 0; i < options.size(); ++i) most = std::max(most, options[i].cost / amounts[i]);
    std::vector<double> prices{0};
    for (int i = 0; i < pricesTried; ++i)
        prices.push_back(highestPrice * most * std::pow(1e-4, 1 - double(i) / (pricesTried - 1)));
    return prices;
}

} // namespace trade_offs

std::optional<ErrorModel> modelOf(const RateChoice& choice, double batch) {
    struct Told {
        double samples, factor;
    };
    std::optional<Told> least, most;
    for (const RateOption& option : choice.options) {
        const Told told{option.waitFor * trade_offs::samplesOf(batch, option.load),
                        std::exp(-option.line.slope * option.cost)};
        if (!least || told.samples < least->samples) least = told;
        if (!most || told.samples > most->samples) most = told;
    }
    if (!least) return std::nullopt;
    ErrorModel model;
    if (most->samples > least->samples)
        model.growth = (least->factor - most->factor) / (1 / least->samples - 1 / most->samples);
    if (std::abs(model.growth) < 1e-9 * least->samples) model.growth = 0; // the bound's has none
    model.shrink = 1 - most->factor + model.growth / most->samples;
    const RateOption& chosen = choice.options[choice.chosen];
    const double samples = chosen.waitFor * trade_offs::samplesOf(batch, chosen.load);
    model.noise = chosen.floor * samples * (1 - model.factor(samples));
    return model;
}

std::optional<TradeOffInputs> tradeOffInputs(const RunIndex& run, JobId job, SimTime at) {
    const auto policy = synchronizationPolicyOf(run, job);
    const auto rule = policy ? policy->rateRule() : std::nullopt;
    const auto now = choiceAt(run, job, at).choice;
    if (!rule || !now) return std::nullopt;
    return TradeOffInputs{run.source().workload,
                          job,
                          responseInputs(run, job),
                          *rule,
                          run.fold<RateChoices>().of(job).front().choice,
                          now};
}

std::optional<TradeOffs> tradeOffs(const TradeOffInputs& inputs) {
    using namespace trade_offs;
    const Job& spec = inputs.workload->job(inputs.job);
    const double batch = batchOf(spec);
    const auto model = modelOf(*inputs.choice, batch);
    if (!model) return std::nullopt;
    const auto curves = placedResponseTimes(inputs.workload, inputs.job, inputs.responses.placement,
                                            inputs.responses.messageBytes, inputs.rule.loads);
    if (curves.empty()) return std::nullopt;
    const Plan plan = makePlan(*model, curves, batch);
    if (plan.options.empty()) return std::nullopt;

    TradeOffs out{.from = inputs.first->error};
    out.to = spec.stop.loss ? *spec.stop.loss - inputs.rule.leastLoss : 0;
    out.ownTarget = out.to > plan.lowestFloor();
    if (!out.ownTarget) out.to = aboveTheFloor * std::max(plan.lowestFloor(), 1e-6 * out.from);
    if (!(out.to < out.from)) return std::nullopt;
    const auto fastest = plan.trajectory({}, out.from, out.to);
    if (!fastest) return std::nullopt;
    out.fastest = *fastest;
    out.now = plan.trajectory({inputs.rule.sampleCost, inputs.rule.messageCost}, out.from, out.to).value_or(*fastest);
    std::vector<double> messages;
    for (const StepOption& option : plan.options) messages.push_back(option.waitFor + plan.workers);
    for (const double price : pricesFor(plan.assigned, plan.options))
        if (const auto found = plan.trajectory({price, 0}, out.from, out.to)) out.sample.push_back(*found);
    for (const double price : pricesFor(messages, plan.options))
        if (const auto found = plan.trajectory({0, price}, out.from, out.to)) out.message.push_back(*found);
    return out;
}

} // namespace trainyard
