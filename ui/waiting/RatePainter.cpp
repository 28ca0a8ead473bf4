#include "waiting/RatePainter.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace rate_painter {

constexpr int mostPoints = 48;   // of a curve
constexpr double leastPart = 12; // pixels of the envelope's parts that are told apart
constexpr double room = 1.6;     // beyond what is asked for, on logarithmic axes

ChoiceNow nowOf(const LaneInput& input, JobId job) {
    return choiceAt(*input.run, job, input.at);
}

/// The greatest and the least error that the course needs, as far as it is known: the same at every instant,
/// so that only the marker moves.
std::pair<double, double> errors(const LaneInput& input, JobId job, const ChoiceNow& now) {
    double high = now.error, low = now.error;
    const auto all = rateChoicesOf(*input.run)->ofJob(job);
    for (const auto& choice : all) {
        high = std::max(high, choice->error);
        low = std::min(low, choice->error);
    }
    for (const EnvelopeStep& step : all.back()->envelope)
        if (step.downTo > 0) low = std::min(low, step.downTo);
    low = std::clamp(low, 1e-12 * high, 1e-2 * high);
    return {high * rate_painter::room, low / rate_painter::room};
}

} // namespace rate_painter

using namespace rate_painter;

QString optionText(const RateOption& option) {
    return waitingText("k = %1, β = %2").arg(option.waitFor).arg(numberText(option.load, 3));
}

QString RatePainter::title() const {
    return waitingText("Rates and envelope");
}

QString RatePainter::axisTitle(const LaneInput& input) const {
    return input.straight ? waitingText("fall of the error per second")
                          : waitingText("share of the error per second");
}

QString RatePainter::horizontalTitle(const LaneInput&) const {
    return waitingText("expected error e = F − F* (training goes to the right)");
}

QString RatePainter::meaning(const LaneInput& input) const {
    const QString what =
        waitingText("Each option (k, β) lowers the error e at the rate α·(e − floor)/cost, a line "
                    "in e; the policy takes the one on top. ");
    return what +
           (input.straight
                ? waitingText("Drawn as it is, around the error of now. Cost: expected seconds of an update, "
                              "and what the sliders add.")
                : waitingText("Drawn as a share of the error, over the whole course of training. Cost: "
                              "expected seconds of an update, and what the sliders add."));
}

QString whyNoRates(const RunFold& run, JobId job, const LaneInput& input) {
    if (choiceAt(run, job, input.at).choice) return {};
    const std::string id = synchronizationId(run, job);
    if (const auto policy = synchronizationPolicyOf(run, job); !policy || !policy->rateRule())
        return waitingText(
                   "This job's synchronization (%1) does not choose by rates. Choose adaptive-load or "
                   "adaptive-k under Policies → Synchronization, or open the scenario "
                   "papers/stragglers/c1.json.")
            .arg(id.empty() ? waitingText("not known") : QString::fromStdString(id));
    if (rateChoicesOf(run)->ofJob(job).empty())
        return waitingText(
            "No choice by rates has been explained. The first comes when the gradients have told "
            "what the plan needs. With a rule that goes by a test (Pflug, distance), and with "
            "explanations off, there are none.");
    return waitingText("At this instant nothing had been chosen yet: go on in time.");
}

QString RatePainter::whyEmpty(const RunFold& run, JobId job, const LaneInput& input) const {
    return whyNoRates(run, job, input);
}

double RatePainter::shown(double rate, double error, const LaneInput& input) {
    return input.straight ? rate : rate / error;
}

ChartArea RatePainter::areaOf(const LaneCanvas& canvas, const LaneInput& input, const ChoiceNow& now) const {
    const RateChoice& choice = *now.choice;
    ChartArea area;
    area.rect = canvas.plot.adjusted(0, canvas.lineHeight() + 2, -4, -numbersHeight(canvas));
    const auto top = [&](double error) {
        double most = 0;
        for (const RateOption& option : choice.options) most = std::max(most, option.line.at(error));
        return shown(most, error, input);
    };
    if (input.straight) {
        const double most = 2 * std::max(now.error, 1e-300);
        area.x = {most, 0};
        area.y = {-0.25 * top(most), 1.05 * top(most)};
        return area;
    }
    const auto [high, low] = errors(input, jobOf(input), now);
    area.x = {high, low, true};
    // Far above its floor an option takes its slope: the flattest worth using says how low it gets.
    double least = top(high);
    for (const EnvelopeStep& step : choice.envelope)
        least = std::min(least, choice.options[step.line].line.slope);
    area.y = {least / 5, top(high) * rate_painter::room, true};
    return area;
}

QPolygonF RatePainter::lineOf(const ChartArea& area, const LaneInput& input, const RateLine& line,
                              double from, double to) const {
    QPolygonF out;
    const auto add = [&](double error) {
        const double value = shown(line.at(error), error, input);
        const bool drawable = !area.y.logarithmic || value > 0;
        out << QPointF(area.px(error),
                       drawable ? area.py(value) : area.rect.bottom() + 2 * area.rect.height());
    };
    if (input.straight) {
        add(from);
        add(to);
        return out;
    }
    // Closer together the nearer the floor: there the curve bends.
    const double floor = -line.intercept / line.slope;
    const double least = std::max(to, floor * (1 + 1e-3));
    const int points = std::clamp(static_cast<int>((area.px(to) - area.px(from)) / 3), 2, mostPoints);
    for (int i = 0; i <= points && least < from; ++i)
        add(floor + (from - floor) * std::pow((least - floor) / (from - floor), double(i) / points));
    if (least > to) add(to);
    return out;
}

void RatePainter::paintEnvelope(LaneCanvas& canvas, const ChartArea& area, const LaneInput& input,
                                const ChoiceNow& now) const {
    const RateChoice& choice = *now.choice;
    const double greatest = area.x.from, least = area.x.logarithmic ? area.x.to : 0;
    double from = greatest, free = area.rect.left();
    QPen thick(canvas.theme.accent, 2.5 * canvas.lineWidth);
    thick.setCapStyle(Qt::RoundCap);
    for (std::size_t i = 0; i < choice.envelope.size(); ++i) {
        const EnvelopeStep& step = choice.envelope[i];
        const double to = std::clamp(step.downTo, least, greatest);
        if (to >= from) continue;
        const RateOption& option = choice.options[step.line];
        area.drawLine(canvas, lineOf(area, input, option.line, from, to), thick);
        if (from < greatest && area.px(to) - area.px(from) >= leastPart)
            area.drawVertical(canvas, from, QPen(canvas.theme.hairline, 1, Qt::DashLine));
        // Which option it is, over its part, where there is room.
        const double left = area.px(from), right = area.px(to);
        const QString text = optionText(option);
        const double wide = QFontMetricsF(canvas.font).horizontalAdvance(text) + 10;
        if (right - left >= wide && left >= free) {
            area.drawText(canvas, (left + right) / 2, area.rect.top() - canvas.lineHeight() - 1, text,
                          step.line == choice.chosen ? canvas.theme.text : canvas.theme.muted,
                          step.line == choice.chosen);
            free = right;
        }
        from = to;
    }
}

void RatePainter::paint(LaneCanvas& canvas, const LaneInput& input) {
    const ChoiceNow now = nowOf(input, jobOf(input));
    const RateChoice& choice = *now.choice;
    const ChartArea area = areaOf(canvas, input, now);
    area.drawAxes(canvas);
    const double to = area.x.logarithmic ? area.x.to : 0;
    const QPen thin(Theme::mix(canvas.theme.muted, canvas.theme.surface, 0.4), 1);
    for (std::size_t i = 0; i < choice.options.size(); ++i)
        if (i != choice.chosen)
            area.drawLine(canvas, lineOf(area, input, choice.options[i].line, area.x.from, to), thin);
    paintEnvelope(canvas, area, input, now);
    area.drawLine(canvas, lineOf(area, input, choice.options[choice.chosen].line, area.x.from, to),
                  QPen(canvas.theme.text, canvas.lineWidth));
    if (const auto at = marker(canvas, input)) {
        QPen down(canvas.theme.text, 1);
        down.setDashPattern({3, 3});
        canvas.painter.setPen(down);
        canvas.painter.drawLine(QPointF(at->x(), at->y()), QPointF(at->x(), area.rect.bottom()));
        canvas.painter.setRenderHint(QPainter::Antialiasing, true);
        canvas.painter.setPen(QPen(canvas.theme.surface, 2));
        canvas.painter.setBrush(canvas.theme.activity(Activity::waiting));
        canvas.painter.drawEllipse(*at, 3.6 * canvas.lineWidth, 3.6 * canvas.lineWidth);
        canvas.painter.setRenderHint(QPainter::Antialiasing, false);
        // To the right of it and above there is nothing but the envelope's far side.
        const QString text = optionText(choice.options[choice.chosen]);
        const double wide = QFontMetricsF(canvas.font).horizontalAdvance(text) + 12;
        area.drawText(canvas, at->x() + 10 + wide / 2,
                      std::max(area.rect.top(), at->y() - 1.4 * canvas.lineHeight()), text, canvas.theme.text,
                      true);
    }
}

std::optional<QPointF> RatePainter::marker(const LaneCanvas& canvas, const LaneInput& input) const {
    const ChoiceNow now = nowOf(input, jobOf(input));
    if (!now.choice) return std::nullopt;
    const ChartArea area = areaOf(canvas, input, now);
    const double value = shown(now.choice->options[now.choice->chosen].line.at(now.error), now.error, input);
    const double y = area.y.logarithmic && !(value > 0) ? area.rect.bottom() : area.py(value);
    return QPointF(area.px(now.error), std::clamp(y, area.rect.top(), area.rect.bottom()));
}

std::vector<LegendEntry> RatePainter::legend(const Theme& theme, const LaneInput& input) const {
    using Swatch = LegendEntry::Swatch;
    if (!emptyText(input).isEmpty()) return {};
    const ChoiceNow now = nowOf(input, jobOf(input));
    const RateOption& chosen = now.choice->options[now.choice->chosen];
    const auto share = [](double v) { return numberText(v, 3); };
    return {{.label = waitingText("error now"),
             .value = share(now.error),
             .swatch = Swatch::box,
             .colour = theme.activity(Activity::waiting)},
            {.label = waitingText("chosen"),
             .value = optionText(chosen),
             .swatch = Swatch::line,
             .colour = theme.text},
            {.label = waitingText("upper envelope"),
             .value = QString::number(now.choice->envelope.size()),
             .swatch = Swatch::line,
             .colour = theme.accent},
            {.label = waitingText("options told"),
             .value = QString::number(now.choice->options.size()),
             .swatch = Swatch::line,
             .colour = Theme::mix(theme.muted, theme.surface, 0.55)},
            {.label = waitingText("its floor"), .value = share(chosen.floor), .swatch = Swatch::none},
            {.label = waitingText("its cost"), .value = durationText(chosen.cost), .swatch = Swatch::none}};
}

LaneHit RatePainter::hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
    LaneHit result;
    const ChoiceNow now = nowOf(input, jobOf(input));
    const ChartArea area = areaOf(canvas, input, now);
    if (!area.rect.contains(pointer)) return result;
    const double error = area.xAt(pointer.x());
    const std::size_t best = now.choice->envelope[stepAt(now.choice->envelope, error)].line;
    const RateOption& option = now.choice->options[best];
    result.text =
        waitingText("at an error of %1: %2 is best, %3 of the error per second")
            .arg(numberText(error, 3), optionText(option), numberText(option.line.at(error) / error, 3));
    return result;
}

} // namespace trainyard
