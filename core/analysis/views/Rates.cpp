// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The options of an adaptive synchronization as lines: how fast each lowers the error, at every error, their
// upper envelope, and where the run is on it. Lines and numbers are those that the policy notes.
#include "analysis/UpdateValues.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace rates_view {

constexpr int pointsOfALine = 48;  // across the whole axis
constexpr double room = 1.6;       // beyond what is asked for, on logarithmic axes
constexpr double leastPart = 0.02; // of the axis: of the envelope's parts that are told apart

struct Options {
    bool straight = false;
};

const BoundSchema<Options>& options() {
    static const auto schema =
        bindSchema<Options>(flag(&Options::straight, "straight", "Straight lines",
                                 "The lines on linear axes around the current error, instead of the whole course "
                                 "of training on logarithmic axes."));
    return schema;
}

/// The greatest and the least error that training needs, as far as it is known: the same at every instant, so
/// that only the marker moves.
std::pair<double, double> errors(const ViewRequest& request, const ChoiceNow& now) {
    double high = now.error, low = now.error;
    const auto& all = request.run.fold<RateChoices>().of(request.job);
    for (const auto& made : all) {
        high = std::max(high, made.choice->error);
        low = std::min(low, made.choice->error);
    }
    for (const EnvelopeStep& step : all.back().choice->envelope)
        if (step.downTo > 0) low = std::min(low, step.downTo);
    low = std::clamp(low, 1e-12 * high, 1e-2 * high);
    return {high * room, low / room};
}

class Drawing {
public:
    Drawing(const ViewRequest& request, ChoiceNow now)
        : m_now(std::move(now)), m_choice(*m_now.choice), m_straight(options().read(request.options).straight) {
        setAxes(request);
    }

    Chart take() && {
        for (std::size_t i = 0; i < m_choice.options.size(); ++i)
            if (i != m_choice.chosen) addLine(i, Role::muted(2), 2.0 / 3);
        addEnvelope();
        addLine(m_choice.chosen, {}, 1);
        addMarker();
        addLegend();
        return std::move(m_chart);
    }

private:
    Axis& x() { return m_chart.plot().x; }
    Axis& y() { return m_chart.plot().y; }

    double shown(const RateOption& option, double error) const {
        return m_straight ? option.line.at(error) : option.line.at(error) / error;
    }
    double top(double error) const {
        double most = 0;
        for (const RateOption& option : m_choice.options) most = std::max(most, shown(option, error));
        return most;
    }

    void setAxes(const ViewRequest& request) {
        x() = {.title = {TRAINYARD_TEXT("expected error e = F − F* (training goes to the right)"), {}}, .key = "error"};
        y() = {.title = m_straight ? Text{TRAINYARD_TEXT("decrease of the error per second"), {}}
                                   : Text{TRAINYARD_TEXT("share of the error per second"), {}},
               .key = m_straight ? "fall_per_s" : "share_per_s"};
        if (m_straight) {
            const double most = 2 * std::max(m_now.error, 1e-300);
            x().from = most, x().to = 0;
            y().from = -0.25 * top(most), y().to = 1.05 * top(most);
            return;
        }
        const auto [high, low] = errors(request, m_now);
        x().kind = y().kind = Axis::Kind::logarithmic;
        x().from = high, x().to = low;
        // Far above its floor an option takes its slope: the flattest worth using says how low it gets.
        double least = top(high);
        for (const EnvelopeStep& step : m_choice.envelope)
            least = std::min(least, m_choice.options[step.line].line.slope);
        y().from = least / 5, y().to = top(high) * room;
    }

    void addPoint(Series& series, const RateOption& option, double error) const {
        const double value = shown(option, error);
        series.x.push_back(error);
        // Below its floor an option raises the error: on a logarithmic axis the line leaves at the bottom.
        const double least = *m_chart.plots.front().y.from;
        series.y.push_back(m_straight ? value : std::max(value, 1e-3 * least));
    }

    void addPart(Series& series, const RateOption& option, double from, double to) const {
        addPoint(series, option, from);
        if (!m_straight) { // closer together the nearer the floor: there the curve bends
            const double floor = -option.line.intercept / option.line.slope;
            const double least = std::max(to, floor * (1 + 1e-3));
            const int points = static_cast<int>(std::ceil(pointsOfALine * (place(to) - place(from))));
            for (int i = 1; i < points && least < from; ++i)
                addPoint(series, option,
                         floor + (from - floor) * std::pow((least - floor) / (from - floor), double(i) / points));
            if (least > to && least < from) addPoint(series, option, least);
        }
        addPoint(series, option, to);
    }

    void addLine(std::size_t index, Role role, double weight) {
        const RateOption& option = m_choice.options[index];
        Series line{.key = "k=" + std::to_string(option.waitFor) + ",load=" + quantityText(option.load),
                    .label = nameText(optionName(option)),
                    .role = role,
                    .weight = weight,
                    .inRange = false};
        addPart(line, option, *x().from, *x().to);
        m_chart.plot().series.push_back(std::move(line));
    }

    /// 0 at the left end of the axis, 1 at the right.
    double place(double error) const {
        const double from = *m_chart.plots.front().x.from, to = *m_chart.plots.front().x.to;
        return m_straight ? (error - from) / (to - from) : std::log(error / from) / std::log(to / from);
    }

    void addEnvelope() {
        Plot& plot = m_chart.plot();
        const double greatest = *x().from, least = m_straight ? 0 : *x().to;
        Series line{
            .key = "envelope", .label = {TRAINYARD_TEXT("upper envelope"), {}}, .role = Role::accent(), .weight = 2.5};
        double from = greatest;
        for (const EnvelopeStep& step : m_choice.envelope) {
            const double to = std::clamp(step.downTo, least, greatest);
            if (to >= from) continue;
            const RateOption& option = m_choice.options[step.line];
            addPart(line, option, from, to);
            while (line.notes.size() < line.x.size()) {
                const double error = line.x[line.notes.size()];
                line.notes.push_back(
                    {TRAINYARD_TEXT("at an error of {0}: {1} is best, {2} of the error per second"),
                     {quantityText(error), optionName(option), quantityText(option.line.at(error) / error)}});
            }
            if (from < greatest && place(to) - place(from) >= leastPart)
                plot.lines.push_back({.value = from, .role = Role::muted(2), .dash = Dash::dashed});
            const bool chosen = step.line == m_choice.chosen;
            plot.annotations.push_back({.x = from,
                                        .until = to,
                                        .anchor = Annotation::Anchor::top,
                                        .text = nameText(optionName(option)),
                                        .role = chosen ? Role{} : Role::muted(),
                                        .strong = chosen});
            from = to;
        }
        plot.series.push_back(std::move(line));
    }

    void addMarker() {
        const RateOption& option = m_choice.options[m_choice.chosen];
        Series marker{.kind = Series::Kind::points,
                      .key = "now",
                      .label = {TRAINYARD_TEXT("now"), {}},
                      .role = Role::of(Activity::waiting),
                      .weight = 1.2};
        addPoint(marker, option, m_now.error);
        Plot& plot = m_chart.plot();
        plot.lines.push_back({.value = m_now.error, .until = marker.y[0], .weight = 2.0 / 3, .dash = Dash::dotted});
        plot.annotations.push_back({.x = m_now.error,
                                    .y = marker.y[0],
                                    .anchor = Annotation::Anchor::right,
                                    .text = nameText(optionName(option)),
                                    .strong = true});
        plot.series.push_back(std::move(marker));
    }

    void addLegend() {
        const RateOption& chosen = m_choice.options[m_choice.chosen];
        auto& legend = m_chart.legend;
        legend.push_back(
            legendBox({TRAINYARD_TEXT("current error"), {}}, Quantity{m_now.error, ""}, Role::of(Activity::waiting)));
        legend.push_back(legendLine({TRAINYARD_TEXT("chosen"), {}}, {}, {}));
        legend.back().text = nameText(optionName(chosen));
        legend.push_back(
            legendLine({TRAINYARD_TEXT("upper envelope"), {}}, count(m_choice.envelope.size()), Role::accent()));
        legend.push_back(
            legendLine({TRAINYARD_TEXT("options plotted"), {}}, count(m_choice.options.size()), Role::muted(2)));
        legend.push_back(legendItem({TRAINYARD_TEXT("its floor"), {}}, Quantity{chosen.floor, ""}));
        legend.push_back(legendItem({TRAINYARD_TEXT("its cost"), {}}, Quantity{chosen.cost, "s"}));
    }

    ChoiceNow m_now;
    const RateChoice& m_choice;
    bool m_straight;
    Chart m_chart;
};

Text meaning(bool straight) {
    if (straight)
        return {TRAINYARD_TEXT("Each option (k, β) lowers the error e at the rate α·(e − floor)/cost, a line in "
                               "e; the policy takes the highest one. Drawn on linear axes around the current "
                               "error. Cost: expected seconds of an update plus the cost parameters."),
                {}};
    return {TRAINYARD_TEXT("Each option (k, β) lowers the error e at the rate α·(e − floor)/cost, a line in e; "
                           "the policy takes the highest one. Drawn as a share of the error, over the whole "
                           "course of training. Cost: expected seconds of an update plus the cost parameters."),
            {}};
}

Computation compute(const ViewRequest& request) {
    Text about = meaning(options().read(request.options).straight);
    if (Text why = whyNoRates(request.run, request.job, request.at); !why.empty())
        return emptyChart(std::move(why), std::move(about));
    Chart chart = Drawing(request, choiceAt(request.run, request.job, request.at)).take();
    chart.meaning = std::move(about);
    return chart;
}

} // namespace rates_view

View ratesView() {
    return {.id = "rates",
            .group = waitingGroup(),
            .title = {TRAINYARD_TEXT("Rates and envelope"), {}},
            .summary = {TRAINYARD_TEXT("How fast each option of an adaptive synchronization lowers the error, "
                                       "and which is fastest."),
                        {}},
            .options = rates_view::options().schema,
            .concerns = choosesByRates,
            .compute = rates_view::compute};
}

} // namespace trainyard
