// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "training/TrainingCharts.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace training_charts {

constexpr double halfGroup = 0.34; // of the width of a law: candidates within, rules a little beyond

double thousands(std::uint64_t count) { return static_cast<double>(count) / 1000; }

std::string percent(double share) { return quantityText(100 * share, "%"); }

LegendItem item(Text label, LegendItem::Swatch swatch, Role role, Text text = {}) {
    return {.label = std::move(label), .value = {}, .text = std::move(text), .swatch = swatch, .role = role};
}

/// Position of the law among those of its task: its colour.
std::size_t lawNumber(const WatchedTraining& watched, std::size_t stage) {
    std::size_t number = 0;
    for (std::size_t s = 0; s < stage; ++s)
        number += watched.stages[s].task == watched.stages[stage].task && !watched.stages[s].law.empty() ? 1 : 0;
    return number;
}

Role roleOf(const WatchedTraining& watched, std::size_t stage) {
    return watched.stages[stage].law.empty() ? Role::muted(1) : Role::hue(lawNumber(watched, stage));
}

/// Two tasks may have the same laws.
std::string stageKey(const WatchedStage& stage) {
    return (stage.law.empty() ? "distillation" : stage.law) + " " + rulesName(stage.rules);
}

/// A stroke across the place of a law.
void addRule(Plot& plot, std::size_t law, const RuleOnValidation& rule, const Role& role, Dash dash) {
    const double at = static_cast<double>(law), y = 100 * rule.blocking;
    plot.series.push_back({.kind = Series::Kind::line,
                           .key = ruleName(rule.rule) + " " + std::to_string(law),
                           .role = role,
                           .weight = 1.3,
                           .dash = dash,
                           .x = {at - halfGroup - 0.1, at + halfGroup + 0.1},
                           .y = {y, y},
                           .notes = std::vector<Text>(2, Text{TRAINYARD_TEXT("best {0}: {1} blocked"),
                                                              {ruleName(rule.rule), percent(rule.blocking)}})});
}

void addCandidates(Plot& plot, std::size_t law, const WatchedStage& stage, const Role& role) {
    if (stage.candidates.empty()) return;
    Series line{.kind = Series::Kind::line, .key = "course " + stage.law, .role = role};
    Series points{.kind = Series::Kind::points, .key = stage.law, .role = role, .weight = 0.9};
    Series best = points;
    best.key = "best " + stage.law;
    best.weight = 1.7;
    for (const WatchedCandidate& each : stage.candidates) {
        const double way = stage.all > 0 ? static_cast<double>(each.steps) / static_cast<double>(stage.all) : 1;
        const bool isBest = stage.best && stage.best->steps == each.steps;
        Series& to = isBest ? best : points;
        line.x.push_back(static_cast<double>(law) + halfGroup * (2 * way - 1));
        line.y.push_back(100 * each.blocking);
        to.x.push_back(line.x.back());
        to.y.push_back(line.y.back());
        const std::vector<std::string> said{percent(each.blocking), std::to_string(each.steps)};
        const char* words =
            each.steps > 0    ? isBest ? TRAINYARD_TEXT("after {1} {1:arrival|arrivals}: {0} blocked, the best so far")
                                       : TRAINYARD_TEXT("after {1} {1:arrival|arrivals}: {0} blocked")
               : stage.distilled ? isBest ? TRAINYARD_TEXT("distilled: {0} blocked, the best so far")
                                          : TRAINYARD_TEXT("distilled: {0} blocked")
               : isBest ? TRAINYARD_TEXT("untrained: {0} blocked, the best so far")
                              : TRAINYARD_TEXT("untrained: {0} blocked");
        to.notes.push_back({words, said});
    }
    plot.series.push_back(std::move(line));
    plot.series.push_back(std::move(points));
    plot.series.push_back(std::move(best));
}

} // namespace training_charts

using namespace training_charts;

std::string ruleName(const DegreeRule& rule) {
    return (rule.kind == DegreeRule::Kind::floor ? "floor " : "constant ") + std::to_string(rule.degree);
}

std::string rulesName(GraphRules rules) { return rules == GraphRules::faithful ? "faithful" : "corrected"; }

Chart rewardChart(const WatchedTraining& watched) {
    Chart chart;
    Plot& plot = chart.plot();
    plot.x = {.title = {TRAINYARD_TEXT("arrivals learned from"), {}},
              .unit = "thousand",
              .key = "arrivals_thousand",
              .from = 0,
              .to = thousands(watched.stages.back().from + watched.stages.back().all)};
    plot.y = {.title = {TRAINYARD_TEXT("in time"), {}}, .unit = "%", .key = "in_time_percent"};
    for (std::size_t s = 0; s < watched.stages.size(); ++s) {
        const WatchedStage& stage = watched.stages[s];
        const bool newTask = s > 0 && stage.task != watched.stages[s - 1].task;
        if (newTask)
            plot.lines.push_back({.value = thousands(stage.from),
                                  .role = Role::muted(),
                                  .dash = Dash::dotted,
                                  .label = {TRAINYARD_TEXT("{0} rules"), {rulesName(stage.rules)}}});
        if (stage.rewards.empty()) continue;
        const Text label = stage.law.empty() ? Text{TRAINYARD_TEXT("distillation"), {}} : nameText(stage.title);
        const Role role = roleOf(watched, s);
        const bool distillation = stage.law.empty();
        Series line{.kind = Series::Kind::line,
                    .key = stageKey(stage),
                    .label = label,
                    .role = role,
                    .dash = distillation ? Dash::dashed : Dash::solid};
        for (const TrainingPoint& point : stage.rewards) {
            line.x.push_back(thousands(stage.from + point.steps));
            line.y.push_back(100 * point.reward);
        }
        plot.series.push_back(std::move(line));
        const bool shown = std::ranges::any_of(chart.legend, [&](const LegendItem& i) { return i.label == label; });
        if (s == watched.stage || !shown) {
            std::erase_if(chart.legend, [&](const LegendItem& i) { return i.label == label; });
            chart.legend.push_back(item(label, distillation ? LegendItem::Swatch::dashes : LegendItem::Swatch::line,
                                        role, nameText(percent(stage.rewards.back().reward))));
        }
    }
    if (plot.series.empty())
        return emptyChart({TRAINYARD_TEXT("The reward is shown from the first iteration on."), {}});
    chart.meaning = {
        TRAINYARD_TEXT("Share of each iteration's training arrivals placed in time; its loads and graphs vary."), {}};
    return chart;
}

Chart validationChart(const WatchedTraining& watched, std::size_t task) {
    Chart chart;
    Plot& plot = chart.plot();
    plot.x = {.kind = Axis::Kind::categories, .title = {TRAINYARD_TEXT("law of deadlines"), {}}, .key = "law"};
    plot.y = {.title = {TRAINYARD_TEXT("blocked"), {}}, .unit = "%", .key = "blocked_percent"};
    const Role constant = Role::muted(), floor = Role::hue(4);
    std::string constants, floors; // their degrees, by law
    double most = 0;
    bool any = false;
    for (std::size_t s = 0; s < watched.stages.size(); ++s) {
        const WatchedStage& stage = watched.stages[s];
        if (stage.task != task || stage.law.empty()) continue;
        const std::size_t law = plot.x.categories.size();
        plot.x.categories.push_back({nameText(stage.title), {}});
        const bool rules = stage.constant && stage.floor;
        if (rules) {
            addRule(plot, law, *stage.constant, constant, Dash::longDashed);
            addRule(plot, law, *stage.floor, floor, Dash::dotted);
            constants += (constants.empty() ? "" : ", ") + std::to_string(stage.constant->rule.degree);
            floors += (floors.empty() ? "" : ", ") + std::to_string(stage.floor->rule.degree);
            most = std::max({most, stage.constant->blocking, stage.floor->blocking});
        }
        addCandidates(plot, law, stage, Role::accent());
        for (const WatchedCandidate& each : stage.candidates) most = std::max(most, each.blocking);
        any = any || rules || !stage.candidates.empty();
    }
    if (!any)
        return emptyChart(
            {TRAINYARD_TEXT("Candidates are compared on the validation seeds once the first law is trained."), {}});
    rangeFromZero(plot.y, 110 * most);
    plot.y.from = -0.05 * *plot.y.to; // points at 0 are whole
    chart.legend = {
        item({TRAINYARD_TEXT("candidates"), {}}, LegendItem::Swatch::line, Role::accent()),
        item({TRAINYARD_TEXT("best constant"), {}}, LegendItem::Swatch::longDashes, constant, nameText(constants)),
        item({TRAINYARD_TEXT("best floor"), {}}, LegendItem::Swatch::dots, floor, nameText(floors))};
    chart.meaning = {
        TRAINYARD_TEXT("Arrivals blocked, seeds {0} to {1}. Candidates from left to right; the large point is kept."),
        {std::to_string(watched.validation.first),
         std::to_string(watched.validation.first + watched.validation.count - 1)}};
    return chart;
}

Chart degreeChart(const WatchedTraining& watched, std::size_t number) {
    const WatchedStage& stage = watched.stages[number];
    if (!stage.netShares && !stage.constantShares)
        return emptyChart(
            {number == watched.stage && !watched.done
                 ? TRAINYARD_TEXT("Degrees are counted after the next iteration, beside those of the best constant.")
                 : TRAINYARD_TEXT("Degrees are counted once this law is trained."),
             {}});
    Chart chart;
    Plot& plot = chart.plot();
    plot.x = {.kind = Axis::Kind::categories, .title = {TRAINYARD_TEXT("degree"), {}}, .key = "degree"};
    plot.y = {.title = {TRAINYARD_TEXT("arrivals"), {}}, .unit = "%", .key = "arrivals_percent"};
    double most = 0;
    const auto add = [&](const DegreeShares& shares, const char* key, const Text& label, const Role& role,
                         double beside) {
        Series bars{.kind = Series::Kind::bars, .key = key, .label = label, .role = role, .width = 0.36};
        for (std::size_t d = 0; d <= shares.degrees.size(); ++d) {
            const bool placed = d < shares.degrees.size();
            const double share = placed ? shares.served[d] : shares.blocked;
            bars.x.push_back(static_cast<double>(d) + beside);
            bars.y.push_back(100 * share);
            const bool visible = share >= 0.005; // of the others there is no bar to label
            bars.labels.push_back(visible ? nameText(std::to_string(std::lround(100 * share))) : Text());
            bars.notes.push_back(placed ? Text{TRAINYARD_TEXT("degree {0}: {1} of the arrivals"),
                                               {std::to_string(shares.degrees[d]), percent(share)}}
                                        : Text{TRAINYARD_TEXT("blocked: {0} of the arrivals"), {percent(share)}});
            most = std::max(most, share);
        }
        plot.series.push_back(std::move(bars));
        chart.legend.push_back(item(label, LegendItem::Swatch::box, role));
    };
    const DegreeShares& any = stage.netShares ? *stage.netShares : *stage.constantShares;
    for (const int degree : any.degrees) plot.x.categories.push_back({nameText(std::to_string(degree)), {}});
    plot.x.categories.push_back({{TRAINYARD_TEXT("blocked"), {}}, {}});
    const bool ended = number < watched.stage || watched.done;
    if (stage.netShares)
        add(*stage.netShares, "net",
            ended ? Text{TRAINYARD_TEXT("best candidate"), {}} : Text{TRAINYARD_TEXT("present net"), {}},
            Role::accent(), -0.2);
    if (stage.constantShares)
        add(*stage.constantShares, "constant",
            {TRAINYARD_TEXT("best constant ({0})"), {std::to_string(stage.constant->rule.degree)}}, Role::muted(1),
            0.2);
    if (most > 0.85)
        plot.y.from = 0, plot.y.to = 112; // labels stand above bars
    else
        rangeFromZero(plot.y, 110 * most);
    chart.meaning = {
        TRAINYARD_TEXT("Arrivals served by each degree, and blocked; seeds {0} to {1}, first validation load."),
        {std::to_string(watched.shareSeeds.first),
         std::to_string(watched.shareSeeds.first + watched.shareSeeds.count - 1)}};
    return chart;
}

} // namespace trainyard
