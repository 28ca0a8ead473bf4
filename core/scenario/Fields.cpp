#include "scenario/Fields.h"

#include <array>

namespace trainyard {

namespace {

constexpr std::array<const char*, 11> lawWords{
    "constant",        "uniform", "exponential", "shifted-exponential",
    "hypoexponential", "pareto",  "log-normal",  "gamma",
    "weibull",         "bimodal", "empirical"};

constexpr NumberRule positive(double fallback) {
    return {.minimum = 0, .maximum = 1e12, .fallback = fallback, .aboveMinimum = true};
}

void lawFields(Fields& f, Law law, Distribution& d) {
    const Member mean{"mean", "Mean (of the exponential part, if shifted)", true};
    switch (law) {
    case Law::constant:
        f.number({"value", "The value", true}, d.value, {.maximum = 1e12, .fallback = 1});
        break;
    case Law::uniform:
        f.number({"low", "Least value", true}, d.low, {.maximum = 1e12});
        f.number({"high", "Greatest value", true}, d.high, {.maximum = 1e12, .fallback = 1});
        break;
    case Law::exponential:
        f.number(mean, d.mean, positive(1));
        break;
    case Law::shiftedExponential:
        f.number({"shift", "Least value; the exponential part is added", true}, d.shift, {.maximum = 1e12});
        f.number(mean, d.mean, positive(1));
        break;
    case Law::hypoexponential:
        f.numbers({"means", "Means of the independent exponentials that are added", true}, d.means,
                  positive(1));
        break;
    case Law::pareto:
        f.number({"shape", "Tail index α; the mean is finite above 1", true}, d.shape, positive(2));
        f.number({"scale", "Least value x_m", true}, d.scale, positive(1));
        break;
    case Law::logNormal:
        f.number(mean, d.mean, positive(1));
        f.number({"sigma", "Standard deviation of the logarithm", true}, d.sigma,
                 {.maximum = 20, .fallback = 0.5});
        break;
    case Law::gamma:
    case Law::weibull:
        f.number({"shape", "Shape; 1 is the exponential", true}, d.shape, positive(2));
        f.number(mean, d.mean, positive(1));
        break;
    case Law::bimodal:
        f.number({"probability", "Of the slow mode", true}, d.probability, {.maximum = 1, .fallback = 0.05});
        f.number({"factor", "How many times slower the slow mode is", true}, d.factor, positive(5));
        f.number({"shape", "Of the gamma noise around both modes; greater = less noise", true}, d.shape,
                 positive(2));
        break;
    case Law::empirical:
        f.numbers({"quantiles", "Measured quantiles at equal steps of probability, ascending", true},
                  d.quantiles, {.maximum = 1e12});
        break;
    }
}

} // namespace

void Fields::count(Member key, int& value, IntegerRule rule) {
    std::int64_t wide = value;
    integer(key, wide, rule);
    value = static_cast<int>(wide);
}

void Fields::choice(Member key, Choice& value) {
    if (bareText(key, value.id)) return;
    const bool present = !value.id.empty() || !value.parameters.empty() || key.required;
    if (!beginObject(key, "choice", present)) return;
    text({"id", "What is chosen; see trainyard-cli list", true}, value.id);
    parameters({"parameters", "Its parameters that differ from their defaults; see trainyard-cli list"},
               value.parameters);
    endObject();
}

void Fields::bounds(Member key, Bounds& value, Bounds fallback, int minimum) {
    const IntegerRule rule{.minimum = minimum, .maximum = 100'000, .fallback = fallback.minimum};
    std::int64_t fixed = value.minimum;
    if (bareInteger(key, fixed, rule, value.fixed())) {
        value.minimum = value.maximum = static_cast<int>(fixed);
        return;
    }
    if (!beginObject(key, "bounds", !(value == fallback))) return;
    count({"min", "Fewest", true}, value.minimum, rule);
    count({"max", "Most", true}, value.maximum, rule);
    if (value.minimum > value.maximum)
        complain("min", "bounds-reversed",
                 {TRAINYARD_TEXT("\"min\" is {0} and \"max\" {1}; \"min\" must be at most \"max\""),
                  {std::to_string(value.minimum), std::to_string(value.maximum)}});
    endObject();
}

bool Fields::distribution(Member key, Distribution& value, bool present) {
    if (bareNumber(key, value.value, {.maximum = 1e12, .fallback = 1},
                   value.law == Law::constant && present)) {
        value.law = Law::constant;
        return true;
    }
    if (!beginObject(key, "distribution", present)) return false;
    word({"law", "Which law", true}, value.law, lawWords, Law::constant);
    for (std::size_t i = 0; i < lawWords.size(); ++i)
        alternative("law", lawWords[i], value.law == static_cast<Law>(i),
                    [&] { lawFields(*this, static_cast<Law>(i), value); });
    if (value.law == Law::uniform && value.low > value.high)
        complain("low", "bounds-reversed", {TRAINYARD_TEXT("\"low\" must be at most \"high\""), {}});
    if (value.law == Law::hypoexponential && value.means.empty() && !describing())
        complain("means", "too-few", {TRAINYARD_TEXT("at least one mean is needed"), {}});
    if (value.law == Law::empirical && !describing()) {
        if (value.quantiles.size() < 2)
            complain("quantiles", "too-few", {TRAINYARD_TEXT("at least two quantiles are needed"), {}});
        for (std::size_t i = 1; i < value.quantiles.size(); ++i)
            if (value.quantiles[i] < value.quantiles[i - 1]) {
                complain("quantiles", "not-ascending",
                         {TRAINYARD_TEXT("quantiles must ascend; number {0} is less than the one before"),
                          {std::to_string(i + 1)}});
                break;
            }
    }
    endObject();
    return true;
}

} // namespace trainyard
