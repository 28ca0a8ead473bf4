// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/Response.h"

#include "base/Format.h"
#include "scenario/EntityFields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

namespace trainyard {

namespace response {

std::optional<double> numberOf(const std::string& text) {
    double value = 0;
    const auto end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return text.empty() || read.ec != std::errc{} || read.ptr != end ? std::nullopt : std::optional<double>(value);
}

std::optional<double> numberOf(const ParamValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return std::nullopt;
}

void addPolicies(std::vector<VariedField>& out, const Scenario& scenario, const Registry& registry) {
    for (const PolicyFamily family : {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters,
                                      PolicyFamily::partitioner}) {
        const Choice& choice = scenario.policies.of(family);
        const PolicyInfo* info = registry.find(family, choice.id);
        if (!info || ownChoices(scenario, family).all == 0) continue;
        const ParamValues values = info->schema.complete(choice.parameters);
        for (const ParamField& field : info->schema.fields()) {
            if (field.type != ParamType::integer && field.type != ParamType::real) continue;
            const auto present = numberOf(values.at(field.key));
            out.push_back({"/policies/" + std::string(familyName(family)) + "/parameters/" + field.key,
                           field.label + " (" + info->label + ")", info->label, field.unit, present.value_or(0),
                           field.minimum, field.maximum, field.type == ParamType::integer});
        }
    }
}

/// "Evaluation: Interval in updates" where another field of the entity is called alike, else "Interval in updates".
std::string nameWithin(const std::vector<FieldInfo>& fields, const FieldInfo& field) {
    const bool alike = std::ranges::count_if(fields, [&](const FieldInfo& other) {
                           return other.kind == field.kind && other.label == field.label;
                       }) > 1;
    const FieldInfo* group = nullptr;
    for (const FieldInfo& other : fields)
        if (alike && other.kind == FieldInfo::Kind::group && field.path.starts_with(other.path + "/")) group = &other;
    return group ? group->label + ": " + field.label : field.label;
}

void addEntity(std::vector<VariedField>& out, const Scenario& scenario, EntityRef entity, const std::string& of) {
    const auto fields = fieldsOf(scenario, entity);
    for (const FieldInfo& field : fields) {
        const bool whole = field.kind == FieldInfo::Kind::integer;
        const auto present = numberOf(field.value);
        if ((!whole && field.kind != FieldInfo::Kind::number) || !present || field.key == "seed") continue;
        const bool isNoEnd = field.key == "horizon_s" && *present == Scenario().horizonSeconds; // none to vary around
        if (isNoEnd) continue;
        out.push_back({pointerTo(entity) + field.path, nameWithin(fields, field) + (of.empty() ? "" : " (" + of + ")"),
                       of, field.unit, *present, field.minimum, field.maximum, whole});
    }
}

/// Values of two points over the seeds that both have.
std::vector<double> pairedDifferences(const ResponsePoint& a, const ResponsePoint& b) {
    std::vector<double> out;
    for (std::size_t s = 0; s < a.metrics.size(); ++s)
        if (a.metrics[s] && b.metrics[s]) out.push_back(*a.metrics[s] - *b.metrics[s]);
    return out;
}

Text pointNote(const ResponseView& view, const ResponsePoint& point) {
    std::string at;
    for (std::size_t a = 0; a < point.values.size(); ++a)
        at += (a ? ", " : "") + view.fields[a].label + " = " + point.values[a];
    if (point.diverged > 0)
        at += ": " + std::to_string(point.diverged) + (point.diverged == 1 ? " run" : " runs") + " diverged, left out";
    if (!point.estimate) return {TRAINYARD_TEXT("{0}: no run has this value yet"), {at}};
    const Estimate& e = *point.estimate;
    if (!e.halfWidth) return {TRAINYARD_TEXT("{0}: {1}, one run"), {at, formatNumber(e.mean, 4)}};
    return {TRAINYARD_TEXT("{0}: {1} ± {2}, {3} {3:run|runs}"),
            {at, formatNumber(e.mean, 4), formatNumber(*e.halfWidth, 3), std::to_string(e.n)}};
}

Axis fieldAxis(const VariedField& field) {
    return {.title = nameText(field.label), .unit = field.unit, .key = field.pointer, .whole = field.whole};
}

/// So far apart that equal steps would crowd most of them at one end.
bool goesByRatios(const std::vector<double>& values) {
    return values.size() > 2 && values.front() > 0 && values.back() / values.front() >= 50 &&
           values[1] - values[0] < 0.5 * (values.back() - values[values.size() - 2]);
}

std::vector<double> numbersOf(const std::vector<std::string>& values) {
    std::vector<double> out;
    for (const auto& text : values) out.push_back(numberOf(text).value_or(NAN));
    return out;
}

/// Several means, and all are the same but for rounding: the numbers that were varied change nothing.
bool areAlike(const std::vector<ResponsePoint>& points) {
    double least = INFINITY, greatest = -INFINITY;
    std::size_t count = 0;
    for (const ResponsePoint& point : points) {
        if (!point.estimate) continue;
        least = std::min(least, point.estimate->mean);
        greatest = std::max(greatest, point.estimate->mean);
        ++count;
    }
    return count > 1 && greatest - least <= 1e-12 * std::max(std::abs(least), std::abs(greatest));
}

void addCurve(Chart& chart, const ResponseView& view, const std::vector<ResponsePoint>& points,
              const std::optional<ResponseBest>& best) {
    Plot& plot = chart.plot();
    const auto* metric = metricWithId(view.metric);
    plot.x = fieldAxis(view.fields.front());
    plot.y = {.title = metric ? Text{metric->label, {}} : nameText(view.metric),
              .unit = metric ? metric->unit : "",
              .key = view.metric};
    const auto values = numbersOf(view.request.axes.front().values);
    if (goesByRatios(values)) plot.x.kind = Axis::Kind::logarithmic;
    Series line{.kind = Series::Kind::line, .key = "course", .role = Role::muted(), .weight = 0.7};
    Series intervals{.kind = Series::Kind::line, .key = "interval", .role = Role::hue(0), .weight = 1.3};
    Series mean{.kind = Series::Kind::points, .key = "mean", .role = Role::hue(0), .weight = 1.6};
    for (std::size_t p = 0; p < points.size(); ++p) {
        mean.notes.push_back(pointNote(view, points[p]));
        mean.x.push_back(values[p]);
        mean.y.push_back(points[p].estimate ? points[p].estimate->mean : NAN);
        if (!points[p].estimate) continue;
        line.x.push_back(values[p]);
        line.y.push_back(points[p].estimate->mean);
        if (!points[p].estimate->halfWidth) continue;
        const double half = *points[p].estimate->halfWidth, at = points[p].estimate->mean;
        intervals.x.insert(intervals.x.end(), {values[p], values[p], NAN});
        intervals.y.insert(intervals.y.end(), {at - half, at + half, NAN});
    }
    if (best) {
        Series good{.kind = Series::Kind::points, .key = "as good as the best", .role = Role::hue(1), .weight = 1.6};
        for (const std::size_t p : best->asGood)
            good.x.push_back(values[p]), good.y.push_back(points[p].estimate->mean);
        plot.lines.push_back({.value = values[best->point],
                              .role = Role::hue(1),
                              .dash = Dash::dotted,
                              .label = {TRAINYARD_TEXT("best"), {}}});
        plot.series = {line, intervals, mean, good};
    } else {
        plot.series = {line, intervals, mean};
    }
    const double now = view.fields.front().present;
    if (best && values[best->point] == now)
        plot.lines.back().label = {TRAINYARD_TEXT("now, best"), {}};
    else
        plot.lines.push_back(
            {.value = now, .role = Role::muted(), .dash = Dash::dashed, .label = {TRAINYARD_TEXT("now"), {}}});
}

/// Equal cells over categories of values: a grid need not be even.
void addMap(Chart& chart, const ResponseView& view, const std::vector<ResponsePoint>& points) {
    Plot& plot = chart.plot();
    const auto x = numbersOf(view.request.axes[0].values), y = numbersOf(view.request.axes[1].values);
    plot.x = fieldAxis(view.fields[0]);
    plot.y = fieldAxis(view.fields[1]);
    const auto edges = [](const std::vector<double>& v) {
        const double step = v.size() > 1 ? (v.back() - v.front()) / static_cast<double>(v.size() - 1) : 1;
        return std::pair(v.front() - step / 2, v.back() + step / 2);
    };
    Series map{.kind = Series::Kind::cells, .key = "mean"};
    Cells& cells = map.cells;
    cells.columns = x.size();
    cells.rows = y.size();
    std::tie(cells.x0, cells.x1) = edges(x);
    std::tie(cells.y0, cells.y1) = edges(y);
    double low = INFINITY, high = -INFINITY;
    cells.values.assign(x.size() * y.size(), NAN);
    map.notes.resize(cells.values.size());
    for (std::size_t p = 0; p < points.size(); ++p) {
        const std::size_t cell = (p % y.size()) * x.size() + p / y.size(); // the last axis varies fastest
        map.notes[cell] = pointNote(view, points[p]);
        if (!points[p].estimate) continue;
        cells.values[cell] = points[p].estimate->mean;
        low = std::min(low, cells.values[cell]);
        high = std::max(high, cells.values[cell]);
    }
    cells.scale.from = low;
    cells.scale.to = high;
    plot.series.push_back(std::move(map));
    plot.lines.push_back({.value = view.fields[0].present,
                          .role = Role::muted(),
                          .dash = Dash::dashed,
                          .label = {TRAINYARD_TEXT("now"), {}}});
    plot.lines.push_back({.way = ReferenceLine::Way::horizontal,
                          .value = view.fields[1].present,
                          .role = Role::muted(),
                          .dash = Dash::dashed});
    const auto* metric = metricWithId(view.metric);
    const std::string unit = metric && !metric->unit.empty() ? " " + metric->unit : "";
    const std::string label = metric ? metric->label : view.metric, least = formatNumber(low, 4) + unit,
                      most = formatNumber(high, 4) + unit;
    chart.meaning =
        least == most
            ? Text{TRAINYARD_TEXT("{0}: mean over the seeds, {1} for all values."), {label, least}}
            : Text{TRAINYARD_TEXT("{0}: mean over the seeds, from {1} (dark) to {2} (bright)."), {label, least, most}};
}

} // namespace response

std::vector<VariedField> variedFields(const Scenario& scenario, const Registry& registry) {
    std::vector<VariedField> out;
    response::addPolicies(out, scenario, registry);
    constexpr std::size_t most = 12; // of each list: the others are alike
    const auto count = [&](EntityRef::Kind kind) { return std::min(most, entityCount(scenario, kind)); };
    const auto nameOf = [](const auto& each) { return each.name.empty() ? each.key : each.name; };
    const Cluster& cluster = scenario.cluster;
    const auto endsOf = [&](const Link& link) {
        const bool parallel = std::ranges::count_if(cluster.links, [&](const Link& other) {
                                  return other.from == link.from && other.to == link.to;
                              }) > 1;
        if (parallel) return link.key;
        const auto end = [&](const std::string& key) {
            for (const Machine& machine : cluster.machines)
                if (machine.key == key) return nameOf(machine);
            for (const Switch& each : cluster.switches)
                if (each.key == key) return nameOf(each);
            return key;
        };
        return end(link.from) + " – " + end(link.to);
    };
    for (std::size_t i = 0; i < count(EntityRef::Kind::job); ++i)
        response::addEntity(out, scenario, {EntityRef::Kind::job, i}, nameOf(scenario.jobs[i]));
    for (std::size_t i = 0; i < count(EntityRef::Kind::generator); ++i)
        response::addEntity(out, scenario, {EntityRef::Kind::generator, i}, scenario.generators[i].key);
    for (std::size_t i = 0; i < count(EntityRef::Kind::machine); ++i)
        response::addEntity(out, scenario, {EntityRef::Kind::machine, i}, nameOf(cluster.machines[i]));
    for (std::size_t i = 0; i < count(EntityRef::Kind::link); ++i)
        response::addEntity(out, scenario, {EntityRef::Kind::link, i}, endsOf(cluster.links[i]));
    response::addEntity(out, scenario, {EntityRef::Kind::cluster, 0}, {});
    response::addEntity(out, scenario, {EntityRef::Kind::settings, 0}, {});
    return out;
}

std::string answeringMetric(const Scenario& scenario) {
    const std::vector<const Job*> jobs = jobsAndTemplates(scenario);
    const auto all = [&](auto&& holds) { return !jobs.empty() && std::ranges::all_of(jobs, holds); };
    const auto isAdmitted = [](const Job* job) {
        const auto* graph = std::get_if<GraphWork>(&job->work);
        return graph && graph->admission == Admission::immediate;
    };
    const auto isTimed = [](const Job* job) {
        const StoppingRule& stop = job->stop;
        return job->kind() != JobKind::graph && stop.seconds && !stop.iterations && !stop.epochs && !stop.loss;
    };
    if (all(isAdmitted)) return "blocking_rate";
    if (!all(isTimed)) return "mean_jct_s";
    return all([](const Job* job) { return job->keyedAccess() != nullptr; }) ? "iterations_per_s" : "final_loss";
}

std::vector<std::string> valuesBetween(double from, double to, std::size_t count, bool whole, bool byRatios) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < count; ++i) {
        const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0;
        double value = byRatios && from > 0 ? from * std::pow(to / from, share) : from + (to - from) * share;
        if (whole) value = std::round(value);
        std::string text = formatNumber(value, 6);
        if (out.empty() || out.back() != text) out.push_back(std::move(text));
    }
    return out;
}

std::vector<ResponsePoint> responsePoints(const ResponseView& view) {
    std::size_t count = 1;
    for (const SweepAxis& axis : view.request.axes) count *= axis.values.size();
    std::vector<ResponsePoint> out(count);
    const std::size_t seeds = view.request.seeds.size();
    for (std::size_t p = 0; p < count; ++p) {
        out[p].metrics.resize(seeds);
        std::size_t rest = p;
        for (std::size_t a = view.request.axes.size(); a-- > 0;) { // the last axis varies fastest
            const auto& values = view.request.axes[a].values;
            out[p].values.insert(out[p].values.begin(), values[rest % values.size()]);
            rest /= values.size();
        }
    }
    for (const SweepRow& row : view.rows)
        if (const auto it = row.metrics.find(view.metric); it != row.metrics.end() && row.number / seeds < count) {
            ResponsePoint& point = out[row.number / seeds];
            if (isDiverged(row.metrics))
                ++point.diverged;
            else
                point.metrics[row.number % seeds] = it->second;
        }
    for (ResponsePoint& point : out) {
        std::vector<double> values;
        for (const auto& v : point.metrics)
            if (v) values.push_back(*v);
        if (!values.empty()) point.estimate = estimateMean(values);
    }
    return out;
}

std::optional<ResponseBest> bestOf(const ResponseView& view, const std::vector<ResponsePoint>& points) {
    std::optional<ResponseBest> best;
    for (std::size_t p = 0; p < points.size(); ++p) {
        if (!points[p].estimate) continue;
        const double mean = points[p].estimate->mean;
        if (!best || (view.smallerIsBetter ? mean < points[best->point].estimate->mean
                                           : mean > points[best->point].estimate->mean))
            best = ResponseBest{p, {}};
    }
    if (!best || response::areAlike(points)) return std::nullopt;
    std::vector<std::size_t> tested;
    std::vector<double> pValues;
    for (std::size_t p = 0; p < points.size(); ++p) {
        const auto differences = response::pairedDifferences(points[p], points[best->point]);
        const auto tests = p == best->point || differences.empty() ? std::nullopt : pairedTest(differences);
        if (!tests) continue;
        tested.push_back(p);
        pValues.push_back(*tests);
    }
    const auto worse = holmRejections(pValues, 0.05);
    best->asGood.push_back(best->point);
    for (std::size_t i = 0; i < tested.size(); ++i)
        if (!worse[i]) best->asGood.push_back(tested[i]);
    std::sort(best->asGood.begin(), best->asGood.end());
    return best;
}

Chart responseChart(const ResponseView& view) {
    Chart chart;
    const auto points = responsePoints(view);
    std::size_t least = view.request.seeds.size(), with = 0;
    for (const ResponsePoint& point : points)
        if (point.estimate) ++with, least = std::min(least, point.estimate->n);
    if (with == 0) {
        chart.empty = {TRAINYARD_TEXT("no run has this value yet"), {}};
        return chart;
    }
    const auto best = bestOf(view, points);
    const std::string n = std::to_string(view.request.seeds.size());
    if (view.request.axes.size() == 1) {
        response::addCurve(chart, view, points, best);
        std::string good;
        for (std::size_t i = 0; best && i < best->asGood.size(); ++i)
            if (const std::size_t p = best->asGood[i]; p != best->point)
                good += (good.empty() ? "" : ", ") + points[p].values.front();
        chart.meaning =
            best
                ? Text{TRAINYARD_TEXT(
                           "Points: mean, n = {0} {0:seed|seeds}; bars: 95 % interval (Student's t). Best: {1}. No significant "
                           "difference from it (paired, Holm, 5 %): {2}."),
                       {n, points[best->point].values.front(), good.empty() ? "none" : good}}
                : Text{
                      TRAINYARD_TEXT(
                          "Points: mean, n = {0} {0:seed|seeds}; bars: 95 % interval (Student's t). All values give the same: none "
                          "is the best."),
                      {n}};
    } else {
        response::addMap(chart, view, points);
    }
    std::string caution;
    if (view.partial)
        caution = "Partial: " + std::to_string(view.rows.size()) + " of " +
                  std::to_string(points.size() * view.request.seeds.size()) + " runs are done. ";
    if (least == 1) caution += "One run is not evidence. ";
    if (with < points.size() && !view.partial)
        caution += std::to_string(points.size() - with) + " values have no such result. ";
    if (!caution.empty()) chart.caution = nameText(caution.substr(0, caution.size() - 1));
    return chart;
}

} // namespace trainyard
