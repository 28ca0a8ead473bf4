// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The names of the laws and the ranges of their numbers: one declaration serves forms, the reader and
// check().
#include "base/Distribution.h"
#include "base/Format.h"

#include <cmath>

namespace trainyard {

namespace {

// Wide enough for any simulated time; narrow enough that no quantile at 2⁻⁵⁴ overflows.
constexpr Range anyAmount{0, 1e12}, positiveAmount{1e-12, 1e12};
constexpr Range tailShape{0.1, 1000}, gammaShape{1e-3, 1e6}, weibullShape{0.05, 1000};

auto meanField(const char* help) {
    return field(&Distribution::mean, "mean", "Mean", positiveAmount, "", help).logarithmic();
}

Problem badNumber(const std::string& place, Text message) {
    return {.code = "out-of-range", .message = std::move(message), .pointer = place};
}

void checkMeans(const Distribution& d, const std::string& pointer, Problems& out) {
    if (d.means.empty() || d.means.size() > 64)
        out.push_back(badNumber(pointer + "/means",
                                {TRAINYARD_TEXT("\"means\" must list 1 to 64 means of exponential parts"), {}}));
    for (std::size_t i = 0; i < d.means.size(); ++i)
        if (!(d.means[i] >= positiveAmount.minimum && d.means[i] <= positiveAmount.maximum))
            out.push_back(badNumber(pointer + "/means/" + std::to_string(i),
                                    {TRAINYARD_TEXT("a mean must be greater than 0 and at most {0}"),
                                     {formatNumber(positiveAmount.maximum)}}));
}

void checkQuantiles(const Distribution& d, const std::string& pointer, Problems& out) {
    const auto& q = d.quantiles;
    if (q.size() < 2)
        out.push_back(badNumber(pointer + "/quantiles",
                                {TRAINYARD_TEXT("\"quantiles\" must list at least the minimum and the maximum"), {}}));
    for (std::size_t i = 0; i < q.size(); ++i) {
        const std::string place = pointer + "/quantiles/" + std::to_string(i);
        if (!(q[i] >= 0 && q[i] <= anyAmount.maximum))
            out.push_back(badNumber(
                place, {TRAINYARD_TEXT("a quantile must lie between 0 and {0}"), {formatNumber(anyAmount.maximum)}}));
        else if (i > 0 && q[i] < q[i - 1])
            out.push_back(badNumber(place, {TRAINYARD_TEXT("quantiles must not decrease, but {0} follows {1}"),
                                            {formatNumber(q[i]), formatNumber(q[i - 1])}}));
    }
}

/// The law's numbers under the keys of its schema.
ParamValues valuesOf(const Distribution& d) {
    switch (d.law) {
    case Law::constant: return {{"value", d.value}};
    case Law::uniform: return {{"low", d.low}, {"high", d.high}};
    case Law::exponential: return {{"mean", d.mean}};
    case Law::shiftedExponential: return {{"shift", d.shift}, {"mean", d.mean}};
    case Law::pareto: return {{"shape", d.shape}, {"scale", d.scale}};
    case Law::logNormal: return {{"mean", d.mean}, {"sigma", d.sigma}};
    case Law::gamma:
    case Law::weibull: return {{"shape", d.shape}, {"mean", d.mean}};
    case Law::bimodal: return {{"probability", d.probability}, {"factor", d.factor}, {"shape", d.shape}};
    case Law::hypoexponential:
    case Law::empirical: break;
    }
    return {};
}

} // namespace

const std::vector<std::string>& lawNames() {
    static const std::vector<std::string> names{"constant",        "uniform", "exponential", "shifted-exponential",
                                                "hypoexponential", "pareto",  "log-normal",  "gamma",
                                                "weibull",         "bimodal", "empirical"};
    return names;
}

std::string lawName(Law law) { return lawNames().at(static_cast<std::size_t>(law)); }

ParamSchema lawSchema(Law law) {
    using D = Distribution;
    const auto shape = [](Range range, const char* help, const char* effect) {
        return field(&D::shape, "shape", "Shape", range, "", help).effect(effect).logarithmic();
    };
    switch (law) {
    case Law::constant:
        return bindSchema(field(&D::value, "value", "Value", anyAmount, "", "The constant value.")).schema;
    case Law::uniform:
        return bindSchema(field(&D::low, "low", "Low", anyAmount, "", "Smallest value."),
                          field(&D::high, "high", "High", anyAmount, "", "Largest value; more than low."))
            .schema;
    case Law::exponential: return bindSchema(meanField("Mean of the exponential.")).schema;
    case Law::shiftedExponential:
        return bindSchema(field(&D::shift, "shift", "Shift", anyAmount, "", "Minimum, added to every value."),
                          meanField("Mean of the exponential part that is added."))
            .schema;
    case Law::pareto:
        return bindSchema(shape(tailShape, "Tail index α: P(X > x) = (scale/x)^α.",
                                "The tail becomes lighter; the mean is finite above 1."),
                          field(&D::scale, "scale", "Scale", positiveAmount, "", "Minimum.").logarithmic())
            .schema;
    case Law::logNormal:
        return bindSchema(meanField("Mean (of X, not of log X)."),
                          field(&D::sigma, "sigma", "Sigma", {1e-6, 10}, "", "Standard deviation of log X.")
                              .effect("The tail becomes heavier."))
            .schema;
    case Law::gamma:
        return bindSchema(shape(gammaShape, "Shape; the coefficient of variation is 1/√shape.",
                                "Values concentrate around the mean."),
                          meanField("Mean."))
            .schema;
    case Law::weibull:
        return bindSchema(shape(weibullShape, "Shape; below 1 the tail is heavier than an exponential's.",
                                "The tail becomes lighter."),
                          meanField("Mean."))
            .schema;
    case Law::bimodal:
        return bindSchema(
                   field(&D::probability, "probability", "Slow share", {0, 1}, "", "Probability of the slow mode."),
                   field(&D::factor, "factor", "Slow factor", {1e-6, 1e6}, "",
                         "The slow mode takes this many times longer.")
                       .logarithmic(),
                   shape(gammaShape, "Shape of the Gamma (mean 1) that multiplies both modes.",
                         "Both modes become narrower."))
            .schema;
    case Law::hypoexponential: // its means and the quantiles below are lists: read and drawn as such, checked
                               // by check()
    case Law::empirical: break;
    }
    return {};
}

Problems Distribution::check(const std::string& pointer) const {
    Problems out = lawSchema(law).check(valuesOf(*this), pointer);
    if (law == Law::uniform && out.empty() && !(low < high))
        out.push_back(
            badNumber(pointer + "/high", {TRAINYARD_TEXT("\"high\" is {0}; it must be more than \"low\", {1}"),
                                          {formatNumber(high), formatNumber(low)}}));
    if (law == Law::hypoexponential) checkMeans(*this, pointer, out);
    if (law == Law::empirical) checkQuantiles(*this, pointer, out);
    return out;
}

} // namespace trainyard
