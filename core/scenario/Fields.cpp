// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/Fields.h"

#include <algorithm>
#include <limits>

namespace trainyard {

namespace {

/// The member of a Distribution that a law's field is about.
double& lawNumber(Distribution& d, const std::string& key) {
    if (key == "value") return d.value;
    if (key == "low") return d.low;
    if (key == "high") return d.high;
    if (key == "mean") return d.mean;
    if (key == "shift") return d.shift;
    if (key == "shape") return d.shape;
    if (key == "scale") return d.scale;
    if (key == "sigma") return d.sigma;
    if (key == "probability") return d.probability;
    require(key == "factor", "a law has a number that the scenario format does not have");
    return d.factor;
}

void lawFields(Fields& f, Law law, Distribution& d) {
    const NumberRule amount{.minimum = 0, .maximum = 1e12};
    if (law == Law::hypoexponential)
        f.numbers({"means", "Means of the independent exponentials that are added, at most 64", true}, d.means, amount);
    if (law == Law::empirical)
        f.numbers({"quantiles", "Measured quantiles at equal steps of probability, ascending", true}, d.quantiles,
                  amount);
    const ParamSchema schema = lawSchema(law);
    for (const ParamField& field : schema.fields())
        f.number({field.key.c_str(), field.help.c_str(), true}, lawNumber(d, field.key),
                 {.minimum = field.minimum, .maximum = field.maximum});
}

} // namespace

void Fields::count(Member key, int& value, IntegerRule rule) {
    std::int64_t wide = value;
    integer(key, wide, rule);
    constexpr std::int64_t least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
    value = static_cast<int>(std::clamp(wide, least, most)); // out of range of the rule, and kept: see FieldReader
}

void Fields::choice(Member key, Choice& value, bool hasDefault) {
    if (bareText(key, value.id)) return;
    const bool present = !value.id.empty() || !value.parameters.empty() || key.required || hasDefault;
    if (!beginObject(key, "choice", present)) return;
    text({"id", "Id of the choice; see trainyard-cli list", true}, value.id);
    parameters({"parameters", "Its parameters that differ from their defaults; see trainyard-cli list"},
               value.parameters);
    endObject();
}

void Fields::bounds(Member key, Bounds& value, Bounds fallback, int minimum) {
    const IntegerRule rule{.minimum = minimum, .maximum = 100'000, .fallback = fallback.minimum};
    std::int64_t fixed = value.minimum;
    if (bareInteger(key, fixed, rule, value.fixed())) {
        value.minimum = value.maximum = static_cast<int>(std::clamp<std::int64_t>(fixed, -1'000'000, 1'000'000));
        return;
    }
    if (!beginObject(key, minimum > 0 ? "bounds" : "bounds-from-0", !(value == fallback))) return;
    count({"min", "Minimum", true}, value.minimum, rule);
    count({"max", "Maximum", true}, value.maximum, rule);
    if (value.minimum > value.maximum)
        complain("min", "bounds-reversed",
                 {TRAINYARD_TEXT("\"min\" is {0} and \"max\" is {1}; \"min\" must be at most \"max\""),
                  {std::to_string(value.minimum), std::to_string(value.maximum)}});
    endObject();
}

bool Fields::distribution(Member key, Distribution& value, bool present) {
    const NumberRule amount{.maximum = 1e12, .fallback = 1};
    if (bareNumber(key, value.value, amount, value.law == Law::constant && present)) {
        value.law = Law::constant;
        return true;
    }
    if (!beginObject(key, "distribution", present)) return false;
    std::vector<const char*> laws;
    for (const auto& name : lawNames()) laws.push_back(name.c_str());
    word({"law", "Which law", true}, value.law, laws, Law::constant);
    for (std::size_t i = 0; i < laws.size(); ++i)
        alternative("law", laws[i], value.law == static_cast<Law>(i),
                    [&] { lawFields(*this, static_cast<Law>(i), value); });
    if (!describing())
        for (const Problem& problem : value.check({})) {
            const auto end = problem.pointer.find('/', 1);
            complain(problem.pointer.substr(1, end == std::string::npos ? end : end - 1).c_str(), problem.code.c_str(),
                     problem.message);
        }
    endObject();
    return true;
}

} // namespace trainyard
