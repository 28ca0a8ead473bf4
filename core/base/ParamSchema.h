// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Declared parameters. A policy, model or data set says once which fields it has; from that come the form in
// the window, JSON reading with ranges and reported problems, `trainyard-cli list`, the sweep axes and the
// help page.
#include "base/Result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace trainyard {

/// file: the name of a file that is read before a run; what a policy learned, say.
enum class ParamType { boolean, integer, real, choice, file };
using ParamValue = std::variant<bool, std::int64_t, double, std::string>;

/// Which jobs a parameter changes something for; forms disable it in a scenario without any of them.
enum class ParamScope {
    everyJob,
    elastic,  ///< jobs with a choice of numbers of workers
    gradients ///< jobs whose workers send gradients
};

struct ParamField {
    std::string key;   ///< snake_case, as in files
    std::string label; ///< as on forms
    ParamType type = ParamType::real;
    std::string unit;                ///< "s", "bytes/s", "" = a pure number
    double minimum = 0, maximum = 0; ///< inclusive; integer and real only
    ParamValue defaultValue;
    std::vector<std::string> choices; ///< choice: the words; file: names of those that ship
    bool open = false;                ///< choice, file: other words are taken as well, and `choices` may be empty
    std::string help;                 ///< one sentence: what it is
    std::string effect;               ///< one sentence: what changes when it grows
    bool logarithmic = false;         ///< sliders move on a log scale
    double usual = 0;                 ///< where a slider ends if the maximum is only a guard; 0: at the maximum
    bool amongWorkers = false;        ///< counts workers of a job: a slider ends at the most that one has
    ParamScope scope = ParamScope::everyJob;
};

/// Values by key, in key order. Only keys that differ from the default need be present.
using ParamValues = std::map<std::string, ParamValue, std::less<>>;

class ParamSchema {
public:
    ParamSchema() = default;
    explicit ParamSchema(std::vector<ParamField> fields) : m_fields(std::move(fields)) {}

    const std::vector<ParamField>& fields() const { return m_fields; }
    const ParamField* find(std::string_view key) const;
    /// Unknown keys, wrong types and values out of range; `pointer` prefixes the place of each.
    Problems check(const ParamValues& values, const std::string& pointer = {}) const;
    /// The given values with every default filled in; integers are widened where a real is declared. Call
    /// check() first.
    ParamValues complete(const ParamValues& values) const;

private:
    std::vector<ParamField> m_fields;
};

std::string toString(const ParamValue& value);

// --- Binding a schema to a plain struct
// ------------------------------------------------------------------------------

struct Range {
    double minimum, maximum;
};

/// Declares member `member` of P. bool, integral, floating point; the default is the member's initial value.
template <class P, class T>
struct BoundField {
    T P::*member;
    ParamField field;

    BoundField& effect(std::string text) {
        field.effect = std::move(text);
        return *this;
    }
    BoundField& logarithmic() {
        field.logarithmic = true;
        return *this;
    }
    BoundField& usual(double end) {
        field.usual = end;
        return *this;
    }
    BoundField& amongWorkers() {
        field.amongWorkers = true;
        return *this;
    }
    BoundField& of(ParamScope jobs) {
        field.scope = jobs;
        return *this;
    }
};

template <class P, class T>
BoundField<P, T> field(T P::*member, std::string key, std::string label, Range range, std::string unit,
                       std::string help) {
    ParamField f{.key = std::move(key),
                 .label = std::move(label),
                 .unit = std::move(unit),
                 .minimum = range.minimum,
                 .maximum = range.maximum,
                 .help = std::move(help)};
    if constexpr (std::is_integral_v<T>) {
        f.type = ParamType::integer;
        f.defaultValue = static_cast<std::int64_t>(P{}.*member);
    } else {
        f.type = ParamType::real;
        f.defaultValue = static_cast<double>(P{}.*member);
    }
    return {member, std::move(f)};
}

template <class P>
BoundField<P, bool> flag(bool P::*member, std::string key, std::string label, std::string help) {
    return {member, ParamField{.key = std::move(key),
                               .label = std::move(label),
                               .type = ParamType::boolean,
                               .defaultValue = P{}.*member,
                               .help = std::move(help)}};
}

/// A std::string member that holds one of `choices`.
template <class P>
BoundField<P, std::string> choice(std::string P::*member, std::string key, std::string label,
                                  std::vector<std::string> choices, std::string help) {
    return {member, ParamField{.key = std::move(key),
                               .label = std::move(label),
                               .type = ParamType::choice,
                               .defaultValue = P{}.*member,
                               .choices = std::move(choices),
                               .help = std::move(help)}};
}

/// A std::string member that holds any word, as the key of a machine; `known` are offered.
template <class P>
BoundField<P, std::string> word(std::string P::*member, std::string key, std::string label, std::string help,
                                std::vector<std::string> known = {}) {
    auto bound = choice(member, std::move(key), std::move(label), std::move(known), std::move(help));
    bound.field.open = true;
    return bound;
}

/// A std::string member that names a file; `known` ship and are offered, the first is the default.
template <class P>
BoundField<P, std::string> file(std::string P::*member, std::string key, std::string label, std::string help,
                                std::vector<std::string> known) {
    auto bound = choice(member, std::move(key), std::move(label), std::move(known), std::move(help));
    bound.field.type = ParamType::file;
    bound.field.open = true;
    return bound;
}

/// The schema and the function that turns values into a P.
template <class P>
struct BoundSchema {
    ParamSchema schema;
    std::function<P(const ParamValues&)> read;
};

template <class P, class... T>
BoundSchema<P> bindSchema(BoundField<P, T>... fields) {
    auto read = [fields...](const ParamValues& given) {
        P params;
        [[maybe_unused]] const auto assign = [&](const auto& f) {
            const auto it = given.find(f.field.key);
            if (it == given.end()) return;
            using M = std::remove_reference_t<decltype(params.*(f.member))>;
            if constexpr (std::is_same_v<M, std::string>) {
                params.*(f.member) = std::get<std::string>(it->second);
            } else if constexpr (std::is_same_v<M, bool>) {
                params.*(f.member) = std::get<bool>(it->second);
            } else if (const auto* i = std::get_if<std::int64_t>(&it->second)) {
                params.*(f.member) = static_cast<M>(*i);
            } else {
                params.*(f.member) = static_cast<M>(std::get<double>(it->second));
            }
        };
        (assign(fields), ...);
        return params;
    };
    return {ParamSchema(std::vector<ParamField>{fields.field...}), std::move(read)};
}

} // namespace trainyard
