#include "waiting/TradeOffPainter.h"

#include "analysis/ResponseTimes.h"
#include "waiting/RatePainter.h"
#include "waiting/WaitingValues.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace trade_off_painter {

constexpr double slowest = 4; ///< courses that take longer than so many times the fastest are not shown

double share(double value, double whole) {
    return whole > 0 ? 100 * value / whole : 0;
}

struct Family {
    const std::vector<Trajectory>* courses;
    bool dashed;
};
std::vector<Family> familiesOf(const TradeOffs& offs) {
    return {{&offs.sample, false}, {&offs.message, true}};
}

QColor colourOf(const Theme& theme, bool samples) {
    return theme.activity(samples ? Activity::compute : Activity::transfer);
}

double shareOf(const TradeOffs& offs, const Trajectory& course, bool samples) {
    return samples ? share(course.samples, offs.fastest.samples)
                   : share(course.messages, offs.fastest.messages);
}

QString percent(double value) {
    return waitingText("%1 %").arg(numberText(value, 3));
}

} // namespace trade_off_painter

using namespace trade_off_painter;

std::optional<TradeOffs> tradeOffsAt(const RunFold& run, JobId job, SimTime at) {
    const auto question = tradeOffInputs(run, job, at);
    return question ? tradeOffs(*question) : std::nullopt;
}

QString TradeOffPainter::title() const {
    return waitingText("Time against work");
}
QString TradeOffPainter::axisTitle(const LaneInput&) const {
    return waitingText("of the fastest course, %");
}
QString TradeOffPainter::horizontalTitle(const LaneInput&) const {
    return waitingText("expected time to the target (s)");
}

QString TradeOffPainter::meaning(const LaneInput&) const {
    return waitingText(
        "What the whole course to the target is expected to cost. Solid: samples get a price λ₁ (cost of "
        "computation), dashed: messages get one, λ₂ (cost of communication); from left to right it rises, "
        "the course "
        "takes longer and needs less of what is dear. The dots are the prices of now: move the sliders under "
        "Policies.");
}

QString TradeOffPainter::whyEmpty(const RunFold& run, JobId job, const LaneInput& input) const {
    if (QString why = whyNoRates(run, job, input); !why.isEmpty()) return why;
    if (const Value* value = valueOf(input, false); value && !*value)
        return waitingText(
            "What the policy has told at this instant does not say how the error falls, or no option "
            "reaches the target.");
    return {};
}

const TradeOffPainter::Value* TradeOffPainter::valueOf(const LaneInput& input, bool wait) const {
    if (m_workload.lock() != input.run->run().workload) {
        m_workload = input.run->run().workload;
        m_known.clear();
    }
    const JobId job = jobOf(input);
    const auto now = choiceAt(*input.run, job, input.at).choice;
    if (!now) return nullptr;
    const Key key{job.value, now->explanation};
    if (const Value* there = m_known.known(key)) return there;
    const auto question = tradeOffInputs(*input.run, job, input.at);
    if (!question) return nullptr;
    return m_known.get(key, wait,
                       [question](const std::stop_token&) { return tradeOffs(*question); });
}

const TradeOffs* TradeOffPainter::latest(const LaneInput& input) const {
    if (const Value* value = valueOf(input, false)) return *value ? &**value : nullptr;
    const std::uint32_t job = jobOf(input).value;
    const TradeOffs* found = nullptr; // of another choice of the same job, until that of now is there
    for (const auto& [key, value] : m_known.all())
        if (key.first == job && value) found = &*value;
    return found;
}

ChartArea TradeOffPainter::areaOf(const LaneCanvas& canvas, const TradeOffs& offs) const {
    ChartArea area;
    area.rect = canvas.plot.adjusted(0, 4, -8, -numbersHeight(canvas));
    double longest = 1.05 * offs.now.seconds, most = 105;
    for (const Family& family : familiesOf(offs))
        for (const Trajectory& course : *family.courses) {
            if (course.seconds > slowest * offs.fastest.seconds) continue;
            longest = std::max(longest, course.seconds);
            for (const bool samples : {true, false}) most = std::max(most, shareOf(offs, course, samples));
        }
    const double margin = 0.02 * (longest - offs.fastest.seconds);
    area.x = {offs.fastest.seconds - margin, std::max(longest, 1.02 * offs.fastest.seconds)};
    area.y = axisFromZero(1.03 * most);
    return area;
}

void TradeOffPainter::paint(LaneCanvas& canvas, const LaneInput& input) {
    if (!canvas.gradual) valueOf(input, true);
    const TradeOffs* offs = latest(input);
    if (!offs) {
        canvas.painter.setPen(canvas.theme.muted);
        canvas.painter.setFont(canvas.font);
        canvas.painter.drawText(canvas.plot, Qt::AlignCenter, waitingText("Computing…"));
        return;
    }
    const ChartArea area = areaOf(canvas, *offs);
    area.drawAxes(canvas);
    for (const Family& family : familiesOf(*offs))
        for (const bool samples : {true, false}) {
            QPolygonF line;
            for (const Trajectory& course : *family.courses)
                if (course.seconds <= slowest * offs->fastest.seconds)
                    line << area.at(course.seconds, shareOf(*offs, course, samples));
            QPen pen(colourOf(canvas.theme, samples), 1.4 * canvas.lineWidth);
            if (family.dashed) pen.setDashPattern({4, 3});
            area.drawLine(canvas, line, pen);
        }
    canvas.painter.save();
    canvas.painter.setRenderHint(QPainter::Antialiasing, true);
    for (const bool samples : {true, false}) {
        canvas.painter.setPen(QPen(canvas.theme.surface, 2));
        canvas.painter.setBrush(colourOf(canvas.theme, samples));
        canvas.painter.drawEllipse(area.at(offs->now.seconds, shareOf(*offs, offs->now, samples)),
                                   3.6 * canvas.lineWidth, 3.6 * canvas.lineWidth);
    }
    canvas.painter.restore();
}

std::vector<LegendEntry> TradeOffPainter::legend(const Theme& theme, const LaneInput& input) const {
    using Swatch = LegendEntry::Swatch;
    if (!emptyText(input).isEmpty()) return {};
    const TradeOffs* offs = latest(input);
    if (!offs) return {};
    std::vector<LegendEntry> entries;
    for (const bool samples : {true, false})
        entries.push_back({.label = samples ? waitingText("samples assigned") : waitingText("messages"),
                           .value = percent(shareOf(*offs, offs->now, samples)),
                           .swatch = Swatch::line,
                           .colour = colourOf(theme, samples)});
    entries.push_back({.label = waitingText("price on messages"),
                       .value = {},
                       .swatch = Swatch::dashes,
                       .colour = theme.text});
    const auto plain = [&](const QString& label, const QString& value) {
        entries.push_back({.label = label, .value = value, .swatch = Swatch::none, .colour = theme.text});
    };
    plain(waitingText("time now"), durationText(offs->now.seconds));
    plain(waitingText("λ₁, λ₂ now"),
          waitingText("%1 s, %2 s")
              .arg(numberText(offs->now.prices.sample, 3), numberText(offs->now.prices.message, 3)));
    plain(offs->ownTarget ? waitingText("error, from and to")
                          : waitingText("error, from and to (no own target)"),
          waitingText("%1 → %2").arg(numberText(offs->from, 3), numberText(offs->to, 3)));
    return entries;
}

LaneHit TradeOffPainter::hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
    LaneHit result;
    const TradeOffs* offs = latest(input);
    if (!offs) return result;
    const ChartArea area = areaOf(canvas, *offs);
    if (!area.rect.contains(pointer)) return result;
    const Trajectory* nearest = nullptr;
    bool messages = false;
    double least = 0;
    for (const Family& family : familiesOf(*offs))
        for (const Trajectory& course : *family.courses)
            for (const bool samples : {true, false}) {
                const QPointF away = area.at(course.seconds, shareOf(*offs, course, samples)) - pointer;
                const double distance = std::hypot(away.x(), away.y());
                if (!nearest || distance < least)
                    nearest = &course, least = distance, messages = family.dashed;
            }
    if (!nearest) return result;
    result.job = jobOf(input);
    result.text = waitingText("%1 = %2 s: %3, samples %4, messages %5")
                      .arg(messages ? QStringLiteral("λ₂") : QStringLiteral("λ₁"),
                           numberText(messages ? nearest->prices.message : nearest->prices.sample, 3),
                           durationText(nearest->seconds), percent(shareOf(*offs, *nearest, true)),
                           percent(shareOf(*offs, *nearest, false)));
    return result;
}

} // namespace trainyard
