// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Draws the members of a scenario at random. It visits the field descriptions that the reader visits (scenario/Fields.h), so that
// a field of the format is drawn as soon as it is described. Every value keeps the declared range and type, references name what
// there is, and parameters of policies, models, data sets and optimizers are drawn from their schemas. Used by RandomScenario.h.
#include "learning/DataSet.h"
#include "learning/Model.h"
#include "learning/keyed/KeyedChoices.h"
#include "scenario/Scenario.h"
#include "scenario/ScenarioFields.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

namespace trainyard::test {

struct RandomScenarioOptions {
    int machines = 6;
    int jobs = 4;
    bool trained = true, analytic = true, graph = true; ///< kinds to choose among; at least one
    bool generators = true;
    bool faults = true;
    /// True: what `validate` accepts, of sizes that a test can run. False: any values that the format can hold.
    bool runnable = false;
    /// With `runnable`: numbers that do not decide how much there is to compute are drawn from their whole declared ranges.
    bool wide = false;
    const Registry* registry = nullptr;                              ///< null: what ships
    std::optional<std::pair<PolicyFamily, std::string>> policy = {}; ///< the scenario's of that family; none: drawn
};

/// An end of the range, or anything between: as likely small as large.
inline double drawnNumber(double low, double high, RandomStream& random) {
    if (random.below(8) == 0) return random.below(2) == 0 ? low : high;
    if (low < 0) return low + (high - low) * random.unit();
    const double from = std::max(low, high * 1e-9);
    return std::clamp(from * std::pow(high / from, random.unit()), low, high);
}

/// `most`: of integers and reals whose range is wider; sizes of models and data that a test can afford.
inline ParamValues drawnParameters(const ParamSchema& schema, RandomStream& random, double most = 1e300) {
    ParamValues out;
    for (const ParamField& field : schema.fields()) {
        if (random.below(3) == 0) continue; // the default
        const auto number = [&] {
            return drawnNumber(field.minimum, std::max(field.minimum, std::min(field.maximum, most)), random);
        };
        switch (field.type) {
        case ParamType::boolean: out[field.key] = random.below(2) == 0; break;
        case ParamType::file: // of those that ship
            if (field.choices.empty()) break;
            [[fallthrough]];
        case ParamType::choice: out[field.key] = field.choices[random.below(field.choices.size())]; break;
        case ParamType::integer: out[field.key] = static_cast<std::int64_t>(std::llround(number())); break;
        case ParamType::real: out[field.key] = number(); break;
        }
    }
    return out;
}

using KeyRanges = std::map<std::string_view, Range>;

/// Ranges of numbers that decide how much there is to compute, in the file's units.
inline const KeyRanges& affordableRanges() {
    static const KeyRanges ranges{
        {"steps", {1, 20}},
        {"iterations", {1, 40}},
        {"epochs", {0.01, 3}},
        {"batch", {1, 1e4}},
        {"count", {0, 4}},
        {"events", {20'000, 1e6}},
        {"wall_s", {1000, 1e9}},
        {"memory_gb", {64, 1e6}},
        {"min", {0, 3}},
        {"max", {0, 5}},
        {"workers", {1, 4}},
        {"servers", {0, 3}},
        {"workers_per_server", {1, 4}},
        {"updates", {0, 40}},
        {"group_size", {1, 400}},
    };
    return ranges;
}

/// Ranges of numbers between which most of what is interesting happens; others have their declared ranges.
inline const KeyRanges& usualRanges() {
    static const KeyRanges ranges{
        {"seconds_per_sample", {0, 0.02}},
        {"seconds_per_update", {0, 0.02}},
        {"bytes_per_parameter", {0, 1e5}},
        {"samples", {1, 5000}},
        {"parameter_bytes", {0, 1e7}},
        {"activation_bytes", {0, 1e6}},
        {"forward_s", {0, 0.05}},
        {"backward_s", {0, 0.05}},
        {"seconds", {0.001, 20}},
        {"every_iterations", {0, 12}},
        {"restart_s", {0, 3}},
        {"arrival_s", {0, 5}},
        {"latency_us", {0, 5000}},
        {"bandwidth_gbps", {0.01, 10}},
        {"at_s", {0, 5}},
        {"mean_between_s", {1, 100}},
        {"repair_after_s", {0, 3}},
        {"slowdown", {0.2, 5}},
        {"mean_gap_s", {0, 3}},
        {"gap_s", {0, 3}},
        {"start_s", {0, 5}},
        {"arrival_times_s", {0, 5}},
        {"horizon_s", {20, 1e9}},
        {"deadline_s", {0.1, 100}},
        {"fixed_s", {0, 0.05}},
        {"divided_s", {1e-4, 1}},
        {"per_worker_s", {0, 0.02}},
        {"local_per_s", {50, 1e5}},
        {"remote_per_s", {50, 1e5}},
        {"speed", {0.2, 4}},
        {"bin_s", {0.01, 5}},
        {"enter", {0, 1}},
        {"leave", {0, 1}},
        {"a", {0, 10}},
        {"b", {0, 1}},
        {"c", {-1, 1}},
        {"p", {0.1, 3}},
        {"losses", {-1, 5}},
        {"loss", {-1, 3}},
        {"noise_scale", {0, 1e4}},
        {"weight", {1e-3, 1e3}},
        {"deadline_fraction", {0.05, 10}},
        {"output", {0, 1}},
        {"time_factor", {0.1, 10}},
        {"node_bandwidth_gbps", {1, 1e4}},
        {"propagation_s", {0, 1e-3}},
        {"io_s", {0, 1e-3}},
        {"memory_bytes", {2e6, 1e11}},
        {"shape", {1.2, 8}},
        {"sigma", {0, 1.5}},
        {"probability", {0, 1}},
        {"factor", {1, 10}},
        {"batch", {1, 64}},
    };
    return ranges;
}

class FieldDrawer final : public Fields {
public:
    /// `world`: the scenario that is drawn, as far as it has been: what references may name.
    FieldDrawer(RandomStream& random, const Scenario& world, const RandomScenarioOptions& options)
        : m_random(random), m_world(world), m_options(options) {}

    bool reading() const override { return true; }

    void flag(Member key, bool& value, bool) override {
        if (present(key)) value = chance(0.5);
    }
    void text(Member key, std::string& value) override;
    void wholeSeed(Member key, std::uint64_t& value, std::uint64_t) override {
        if (present(key)) value = chance(0.5) ? m_random.bits() : m_random.below(100);
    }
    void integer(Member key, std::int64_t& value, IntegerRule rule) override {
        if (present(key)) value = drawnInteger(key, rule);
    }
    void optionalInteger(Member key, std::optional<std::int64_t>& value, IntegerRule rule) override {
        if (present(key)) value = drawnInteger(key, rule);
    }
    void number(Member key, double& value, NumberRule rule) override {
        if (present(key)) value = drawn(key, rule);
    }
    void optionalNumber(Member key, std::optional<double>& value, NumberRule rule) override {
        if (present(key)) value = drawn(key, rule);
    }
    void scaled(Member key, std::int64_t& value, ScaledRule rule) override {
        if (!present(key)) return;
        const double unit = std::pow(10, rule.power);
        value = static_cast<std::int64_t>(drawn(key, {.minimum = rule.minimum, .maximum = rule.maximum}) * unit);
    }
    void bandwidth(Member key, double& bytesPerSecond, NumberRule rule) override {
        if (present(key)) bytesPerSecond = drawn(key, rule) * 1e9 / 8;
    }
    using Fields::word;
    void word(Member key, int& index, WordList list) override;
    void numbers(Member key, std::vector<double>& values, NumberRule rule) override;
    void texts(Member key, std::vector<std::string>& values) override; ///< resources of the cluster
    void pair(Member key, std::optional<std::pair<double, double>>& value, NumberRule rule) override {
        if (present(key)) value.emplace(drawn(key, rule), drawn(key, rule));
    }
    void amounts(Member key, ResourceVector& value, const std::vector<std::string>& resources) override;
    void ranges(Member key, std::vector<std::tuple<std::string, double, double>>& values) override;
    void parameters(Member key, ParamValues& values) override;
    void dependencies(Member key, std::vector<Dependency>& values, const std::vector<Operation>& operations) override;

    bool bareText(Member key, std::string& value) override {
        const bool isFixed = isFixedPolicy(key.name);
        if (!key.required && !isFixed && !chance(isOwnPolicy(key.name) ? 0.2 : 0.7)) return m_absent = true;
        m_absent = false;
        m_isFixed = isFixed;
        if (!chance(0.3)) return false;
        value = idFor(key.name);
        return true;
    }
    bool bareNumber(Member key, double& value, NumberRule rule, bool) override {
        if (!(m_absent = !present(key)) && chance(0.3)) {
            value = amountOf(key.name, rule);
            return true;
        }
        return false;
    }
    bool bareInteger(Member key, std::int64_t& value, IntegerRule rule, bool) override {
        m_least = static_cast<double>(rule.minimum);
        if (!(m_absent = !present(key)) && chance(0.5)) {
            value = drawnInteger(key, rule);
            return true;
        }
        return false;
    }
    bool beginObject(Member key, const char* type, bool) override;
    void endObject() override { m_open.pop_back(); }
    std::size_t beginList(Member key, const char* type, std::size_t) override;
    bool beginElement(std::size_t index) override {
        m_open.back().index = index;
        return true;
    }
    void endElement() override {}
    void endList() override { m_open.pop_back(); }

private:
    struct Frame {
        std::string key, type;
        std::size_t index = 0;
    };

    bool chance(double p) { return m_random.unit() < p; }
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(m_random.below(n)); }
    bool present(const Member& key) { return key.required || chance(0.5); }
    bool isIn(std::string_view type) const { return !m_open.empty() && m_open.back().type == type; }
    bool isFixedPolicy(std::string_view key) const {
        return isIn("policies") && m_options.policy && key == familyName(m_options.policy->first);
    }
    bool isOwnPolicy(std::string_view key) const {
        return !isIn("policies") && (key == "synchronization" || key == "parameters" || key == "partitioner");
    }

    /// The narrower range of a number of that name; null: the declared one.
    const Range* rangeFor(std::string_view key) const {
        if (!m_options.runnable) return nullptr;
        for (const KeyRanges* ranges : {&usualRanges(), &affordableRanges()}) {
            if (m_options.wide && ranges == &usualRanges()) continue;
            if (const auto it = ranges->find(key); it != ranges->end()) return &it->second;
        }
        return nullptr;
    }
    /// Within the declared range, and the narrower one.
    double drawn(const Member& key, const NumberRule& rule);
    std::int64_t drawnInteger(const Member& key, const IntegerRule& rule) {
        if (m_options.runnable && isIn("ramp")) return sideOfRamp(key.name);
        return std::llround(drawn(key, {.minimum = double(rule.minimum), .maximum = double(rule.maximum)}));
    }
    /// Groups, racks or servers: as many as there are machines for.
    std::int64_t sideOfRamp(std::string_view key) {
        if (key == "groups")
            m_servers = m_groups = 1 + static_cast<std::int64_t>(below(m_world.cluster.machines.size()));
        if (key == "groups") return m_groups;
        std::int64_t most = static_cast<std::int64_t>(m_world.cluster.machines.size()) / m_servers;
        if (key == "racks") most = std::min(most, m_groups);
        const std::int64_t side = 1 + static_cast<std::int64_t>(below(static_cast<std::size_t>(most)));
        m_servers *= side;
        return side;
    }
    /// An amount of a law: as large as the quantity that it is of.
    double amountOf(std::string_view quantity, const NumberRule& rule);
    std::string sentence();
    std::string idFor(std::string_view key);
    const ParamSchema* schemaFor(std::string_view key, const std::string& id) const;
    template <class T>
    std::string keyOf(const std::vector<T>& list) {
        return list.empty() ? "" : list[below(list.size())].key;
    }
    std::string endOfLink(bool from);
    PolicyFamily familyFor(std::string_view key) const;

    RandomStream& m_random;
    const Scenario& m_world;
    const RandomScenarioOptions& m_options;
    std::vector<Frame> m_open;
    bool m_isFixed = false;                   ///< the choice that is drawn is the one that was asked for
    bool m_absent = false;                    ///< what the shorthand asked for last is left out
    double m_least = 0;                       ///< of bounds or a uniform law: the lower end, which came before
    std::string m_id;                         ///< of the choice whose parameters come next
    std::string m_keyedModel;                 ///< whose data come next
    std::string m_quantity;                   ///< whose law is drawn
    int m_word = 0;                           ///< drawn last: of a loss curve its family, of a variant the policies'
    bool m_onMachine = false;                 ///< the fault is one of a machine
    bool m_isGraph = false;                   ///< the job's kind, which says whether it has a stopping rule
    bool m_isPool = false;                    ///< the generator draws graphs from a pool
    std::int64_t m_groups = 1, m_servers = 1; ///< of the optical network, as far as it is drawn
    std::size_t m_listed = 0;                 ///< how many numbers the last list has
};

inline double FieldDrawer::drawn(const Member& key, const NumberRule& rule) {
    if (isIn("distribution") && rule.maximum >= 1e12) {
        double amount = amountOf(m_quantity, rule);
        if (std::strcmp(key.name, "low") == 0) m_least = amount /= 2;
        if (std::strcmp(key.name, "high") == 0 && amount <= m_least) amount = std::min(2 * m_least + 1, rule.maximum);
        return amount;
    }
    double low = rule.minimum, high = rule.maximum;
    if (const Range* range = rangeFor(key.name)) {
        low = std::max(low, range->minimum);
        high = std::max(low, std::min(high, range->maximum));
    }
    if (isIn("bounds") || isIn("bounds-from-0")) low = std::max(low, m_least);
    double value = drawnNumber(low, std::max(low, high), m_random);
    if (value > 1 && chance(0.3)) value = std::clamp(std::floor(value), low, high);
    if (rule.aboveMinimum && value <= rule.minimum) value = high;
    if (std::strcmp(key.name, "min") == 0) m_least = std::llround(value);
    return value;
}

inline double FieldDrawer::amountOf(std::string_view quantity, const NumberRule& rule) {
    double size = 1; // of factors
    if (const Range* range = rangeFor(quantity); range && quantity != "factor")
        size = std::sqrt(std::max(range->minimum, range->maximum * 1e-4) * range->maximum);
    if (quantity == "delay_s") size = 0.01;
    if (quantity.starts_with("theta")) size = 5;
    const bool usual = m_options.runnable && !(m_options.wide && affordableRanges().count(quantity) == 0);
    return usual ? drawnNumber(0.05 * size, 5 * size, m_random) : drawnNumber(rule.minimum, rule.maximum, m_random);
}

inline std::string FieldDrawer::sentence() {
    static const std::vector<std::string> pieces{"a", "Zürich", "\"quoted\"", "back\\slash", "学习", "a/b~c",
                                                 " ", "{}",     "…"};
    std::string out;
    for (std::size_t i = below(6) + 1; i > 0; --i) out += pieces[below(pieces.size())];
    return out;
}

inline std::string FieldDrawer::endOfLink(bool from) {
    // Every machine is on a switch, every switch but the first on an earlier one; further links connect anything.
    const std::vector<Machine>& machines = m_world.cluster.machines;
    const std::vector<Switch>& switches = m_world.cluster.switches;
    const std::size_t i = m_open.back().index, tree = machines.size() + switches.size() - 1;
    if (i < machines.size()) return from ? machines[i].key : keyOf(switches);
    if (i < tree) return switches[from ? i - machines.size() + 1 : below(i - machines.size() + 1)].key;
    return from ? keyOf(machines) : keyOf(switches);
}

inline PolicyFamily FieldDrawer::familyFor(std::string_view key) const {
    for (const auto family : {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters})
        if (key == familyName(family)) return family;
    return key == "variant" ? static_cast<PolicyFamily>(m_word) : PolicyFamily::partitioner;
}

inline std::string FieldDrawer::idFor(std::string_view key) {
    const auto any = [&](const auto& list) { return m_id = list[below(list.size())].id; };
    if (key == "model") return any(models());
    if (key == "dataset") return any(dataSets());
    if (key == "optimizer") return any(optimizers());
    if (key == "keyed_model") return m_keyedModel = any(keyedModels());
    if (key == "keyed_data") {
        const KeyedModelInfo* model = findKeyedModel(m_keyedModel);
        std::vector<KeyedDataInfo> fit = keyedDataSets();
        if (m_options.runnable && model)
            std::erase_if(fit, [&](const KeyedDataInfo& data) {
                const auto& fields = data.schema.fields(); // no file of data ships
                return data.dataKind != model->dataKind ||
                       std::ranges::any_of(fields, [](const ParamField& f) { return f.type == ParamType::file; });
            });
        return any(fit);
    }
    if (std::exchange(m_isFixed, false)) return m_id = m_options.policy->second;
    const auto policies = m_options.registry->list(familyFor(key));
    return m_id = policies[below(policies.size())]->id;
}

inline const ParamSchema* FieldDrawer::schemaFor(std::string_view key, const std::string& id) const {
    const auto of = [&](const auto& list) -> const ParamSchema* {
        for (const auto& entry : list)
            if (entry.id == id) return &entry.schema;
        return nullptr;
    };
    if (key == "model") return of(models());
    if (key == "dataset") return of(dataSets());
    if (key == "optimizer") return of(optimizers());
    if (key == "keyed_model") return of(keyedModels());
    if (key == "keyed_data") return of(keyedDataSets());
    const PolicyInfo* policy = m_options.registry->find(familyFor(key), id);
    return policy ? &policy->schema : nullptr;
}

inline void FieldDrawer::text(Member key, std::string& value) {
    const std::string_view name = key.name;
    const Cluster& cluster = m_world.cluster;
    const std::string number = m_open.empty() ? "1" : std::to_string(m_open.back().index + 1);
    const auto oneOf = [&](std::string id) {
        if (present(key)) value = std::move(id);
    };
    if (name == "id" && isIn("choice"))
        value = idFor(m_open.back().key);
    else if (name == "id" && isIn("variant"))
        value = idFor("variant");
    else if (name == "id" && isIn("link"))
        value = chance(0.2) ? "link-" + number : "";
    else if (name == "id")
        value = (m_open.empty() ? "only" : m_open.back().type) + "-" + number;
    else if (name == "device")
        oneOf(keyOf(cluster.devices));
    else if (name == "rack")
        oneOf(keyOf(cluster.racks));
    else if (name == "storage")
        oneOf(chance(0.5) ? keyOf(cluster.machines) : keyOf(cluster.switches));
    else if (name == "from" || name == "to")
        value = endOfLink(name == "from");
    else if (name == "machine") {
        m_onMachine = chance(0.7);
        value = !m_onMachine ? "" : chance(0.3) ? "*" : keyOf(cluster.machines);
    } else if (name == "link")
        value = m_onMachine ? "" : chance(0.3) ? "*" : keyOf(cluster.links);
    else if (name == "shipped")
        value = chance(0.2) ? "mlp" : "";
    else if (name == "graph_id")
        value = chance(0.3) ? "named-graph-1" : "";
    else if (name == "curve")
        value = m_word == static_cast<int>(LossCurve::Family::recorded) ? "curve-1" : "";
    else if (isIn("variant") && name == "name")
        value = "variant-" + number;
    else if (present(key))
        value = sentence();
}

inline void FieldDrawer::word(Member key, int& index, WordList list) {
    const std::string_view name = key.name;
    if (name == "arrivals") m_isPool = false; // of a generator, the first
    if (!present(key) && name != "family") return;
    index = static_cast<int>(below(list.words.size()));
    if (name == "kind") {
        const bool wanted[] = {m_options.trained, m_options.analytic, m_options.graph};
        while (!wanted[index]) index = (index + 1) % 3;
        if (m_isPool) index = static_cast<int>(JobKind::graph);
        m_isGraph = index == static_cast<int>(JobKind::graph);
    }
    if (name == "family") m_word = index;
}

inline void FieldDrawer::numbers(Member key, std::vector<double>& values, NumberRule rule) {
    const std::string_view name = key.name;
    values.clear();
    m_least = 0;
    if (name == "losses") { // as many as there are updates
        for (std::size_t i = 0; i < m_listed; ++i) values.push_back(drawn(key, rule));
        return;
    }
    if (name == "probabilities") { // likewise
        double sum = 0;
        for (std::size_t i = 0; i < m_listed; ++i) sum += values.emplace_back(0.1 + m_random.unit());
        for (double& p : values) p /= sum;
        return;
    }
    m_listed = 2 + below(3);
    if (name == "deadline_fractions") {
        for (std::size_t i = 0; i < m_listed; ++i)
            values.push_back((static_cast<double>(i) + 0.05 + 0.9 * m_random.unit()) / static_cast<double>(m_listed));
        return;
    }
    for (std::size_t i = 0; i < m_listed; ++i) values.push_back(std::max(1e-9, drawn(key, rule)));
    if (name != "updates") {
        if (name == "quantiles") std::sort(values.begin(), values.end());
        return;
    }
    values.front() = 0;
    std::sort(values.begin(), values.end());
    for (std::size_t i = 1; i < values.size(); ++i)
        if (values[i] <= values[i - 1]) values[i] = values[i - 1] + 1;
    if (values.back() > rule.maximum) values = {0, 1}, m_listed = 2;
}

inline void FieldDrawer::texts(Member key, std::vector<std::string>& values) {
    if (std::strcmp(key.name, "graphs") == 0) {
        values.clear();
        if (chance(0.5)) values.emplace_back("named-graph-1");
        return;
    }
    values = chance(0.5) ? std::vector<std::string>{"cpu"} : std::vector<std::string>{"cpu", "gpu", "memory_gb"};
}

inline void FieldDrawer::amounts(Member key, ResourceVector& value, const std::vector<std::string>& resources) {
    const bool offered = key.required;
    for (std::size_t r = 0; r < resources.size(); ++r) {
        if (!offered && chance(0.3)) continue;
        if (!m_options.runnable)
            value.setMicro(r, static_cast<std::int64_t>(m_random.below(100'000'000)));
        else if (offered)
            value.setMicro(r, (2 + std::int64_t(below(11))) * ResourceVector::unit);
        else
            value.setMicro(r, std::int64_t(below(9)) * ResourceVector::unit / 4);
    }
}

inline void FieldDrawer::ranges(Member key, std::vector<std::tuple<std::string, double, double>>& values) {
    values.clear();
    if (!present(key)) return;
    for (const char* metric : {"makespan_s", "mean_jct_s", "updates"}) {
        const double least = drawnNumber(-1e3, 1e3, m_random);
        if (chance(0.5)) values.emplace_back(metric, least, least + drawnNumber(0, 1e9, m_random));
    }
}

inline void FieldDrawer::parameters(Member, ParamValues& values) {
    const std::string owner = isIn("variant") ? "variant" : m_open.back().key;
    double most = 1e300;
    if (m_options.runnable && (owner == "model" || owner == "dataset")) most = 200;
    if (m_options.runnable && owner.starts_with("keyed_")) most = 24; // of which words are a product of three
    if (const ParamSchema* schema = schemaFor(owner, m_id)) values = drawnParameters(*schema, m_random, most);
    // Work of mixtures grows with the square of their clusters.
    if (const auto it = values.find("clusters"); m_options.runnable && it != values.end())
        it->second = std::min<std::int64_t>(std::get<std::int64_t>(it->second), 10);
}

inline void FieldDrawer::dependencies(Member, std::vector<Dependency>& values,
                                      const std::vector<Operation>& operations) {
    values.clear();
    for (std::size_t i = 1; i < operations.size(); ++i)
        values.push_back({static_cast<std::uint32_t>(below(i)), static_cast<std::uint32_t>(i)});
}

inline bool FieldDrawer::beginObject(Member key, const char* type, bool) {
    const std::string_view name = type;
    bool there = key.required || chance(0.6);
    if (name == "choice" || name == "bounds" || name == "bounds-from-0" || name == "distribution") there = !m_absent;
    if (std::strcmp(key.name, "stop") == 0) there = !m_isGraph;
    if (std::strcmp(key.name, "policies") == 0) there = true;
    if (name == "graph") there = true;
    if (name == "keyed-task") there = chance(0.6);
    if (name == "keyed-sampling") there = true; // few jobs are keyed, fewer train a model
    if (name == "graph-pool") m_isPool = there = m_options.graph && chance(0.15);
    if (!there) return false;
    m_least = 0;
    if (name == "distribution") m_quantity = key.name;
    m_open.push_back({key.name, type});
    return true;
}

inline std::size_t FieldDrawer::beginList(Member key, const char* type, std::size_t) {
    const std::string_view name = type;
    std::size_t size = below(3);
    if (name == "machine") size = 2 + below(static_cast<std::size_t>(std::max(1, m_options.machines - 1)));
    if (name == "job") size = 1 + below(static_cast<std::size_t>(m_options.jobs));
    if (name == "switch") size = 1 + below(2);
    if (name == "operation") size = 2 + below(6);
    if (name == "link") size = m_world.cluster.machines.size() + m_world.cluster.switches.size() - 1 + below(2);
    if (name == "generator") size = m_options.generators ? below(2) : 0;
    if (name == "fault" && !m_options.faults) size = 0;
    if (name == "curve") size = 1;                        // what analytic jobs may name
    if (name == "named-graph") size = 1 + below(2);       // the first is what graph jobs may name
    if (name == "weighted-template") size = 1 + below(3); // the rarest of all jobs
    if (name == "weighted-template" && m_isPool && m_options.runnable) size = 0;
    m_open.push_back({key.name, type});
    return size;
}

} // namespace trainyard::test
