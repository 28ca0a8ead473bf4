#include "waiting/ChoicePainter.h"

#include "waiting/WaitingValues.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace choice_painter {

constexpr double leastForTwo = 34; // heights of a line: narrower, there is one column

const UpdateLog& updatesOf(const LaneInput& input, JobId job) {
    return input.run->jobs()[job.index()].updates;
}

/// From a power of ten below the least value to one above the greatest, if they are far apart.
ChartAxis axisAround(double low, double high, bool logarithmic) {
    if (!(high > low))
        return logarithmic && low > 0 ? ChartAxis{low / 2, low * 2, true} : ChartAxis{low - 1, low + 1};
    if (logarithmic && low > 0 && high > 3 * low) return {low / 1.25, high * 1.25, true};
    return {low - 0.08 * (high - low), high + 0.08 * (high - low)};
}

ChartAxis lossAxis(const LossSeries& losses) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double y : losses.loss)
        if (std::isfinite(y)) {
            low = std::min(low, y);
            high = std::max(high, y);
        }
    return std::isfinite(low) ? axisAround(low, high, true) : ChartAxis{0, 1};
}

} // namespace choice_painter

using namespace choice_painter;

QString ChoicePainter::title() const {
    return waitingText("k and β over time");
}

QString ChoicePainter::axisTitle(const LaneInput&) const {
    return waitingText("loss, k, β");
}

QString ChoicePainter::horizontalTitle(const LaneInput&) const {
    return waitingText("time (s); on the right, updates");
}

QString ChoicePainter::meaning(const LaneInput&) const {
    return waitingText(
        "k: gradients that an update was made of. β: samples of each, as a share of the job's batch. "
        "Above them the evaluated loss. Left against time, right against updates: few gradients make "
        "quick updates, many make good ones.");
}

QString ChoicePainter::whyEmpty(const RunFold& run, JobId job, const LaneInput&) const {
    const UpdateLog& updates = run.jobs()[job.index()].updates;
    if (updates.size() == 0) return waitingText("No update has been made yet. Press play.");
    return updates.gradients().empty() ? waitingText("This job's updates are made of no single gradients: "
                                                     "only trained jobs, and analytic ones "
                                                     "whose tasks are played out, have a k.")
                                       : QString();
}

double ChoicePainter::across(const LaneInput& input, JobId job, Across which, std::size_t update) {
    return which == Across::updates ? static_cast<double>(update + 1)
                                    : timeOfUpdate(*input.run, job, update).toSeconds();
}

std::vector<ChoicePainter::Column> ChoicePainter::columnsOf(const LaneCanvas& canvas,
                                                            const LaneInput& input) const {
    const JobId job = jobOf(input);
    const UpdateLog& updates = updatesOf(input, job);
    const LossSeries& losses = input.run->jobs()[job.index()].losses;
    const double line = canvas.lineHeight();
    const double between = QFontMetricsF(canvas.font).horizontalAdvance(QStringLiteral("0.00000")) + 12;
    const bool two = canvas.plot.width() > leastForTwo * line;
    const double width = two ? (canvas.plot.width() - between) / 2 : canvas.plot.width();
    const double gap = 0.6 * line;
    const double height = canvas.plot.height() - numbersHeight(canvas) - 2 * gap - 4;
    double mostK = 1, mostLoad = 1;
    for (const UpdateLog::Step& step : updates.steps()) {
        mostK = std::max(mostK, static_cast<double>(step.gradients));
        mostLoad = std::max(mostLoad, loadOfUpdate(*input.run, job, step.update));
    }
    // The run may go on long after the job.
    const SimTime end = std::min(input.end, input.run->jobs()[job.index()].endedAt());
    std::vector<Column> columns;
    for (int c = 0; c < (two ? 2 : 1); ++c) {
        Column column{.across = c == 0 ? Across::time : Across::updates};
        const double last =
            c == 0 ? std::max(end.toSeconds(), 1e-9) : std::max(1.0, static_cast<double>(updates.size()));
        const double left = canvas.plot.left() + c * (width + between);
        double top = canvas.plot.top() + 2;
        const auto area = [&](double share, const ChartAxis& y) {
            const ChartArea made{QRectF(left, top, width, share * height), {0, last}, y};
            top += share * height + gap;
            return made;
        };
        column.loss = area(0.42, lossAxis(losses));
        column.k = area(0.33, axisAround(1, mostK, mostK > 4));
        if (mostK <= 1) column.k.y = {0, 2};
        column.load = area(0.25, {0, 1.08 * mostLoad});
        columns.push_back(column);
    }
    return columns;
}

void ChoicePainter::paintColumn(LaneCanvas& canvas, const LaneInput& input, const Column& column) const {
    const JobId job = jobOf(input);
    const UpdateLog& updates = updatesOf(input, job);
    for (const ChartArea* area : {&column.loss, &column.k, &column.load})
        area->drawAxes(canvas, area == &column.load);
    const LossSeries& all = input.run->jobs()[job.index()].losses;
    // Updates go back only where a job was interrupted.
    const bool back = column.across == Across::updates && !all.breaks.empty();
    const LossSeries kept = back ? keptUpdates(all) : LossSeries{};
    const LossSeries& losses = back ? kept : all;
    const auto thinned =
        decimated(column.across == Across::time ? losses.time : losses.update, losses.loss, 0,
                  column.loss.x.to, static_cast<int>(column.loss.rect.width()), losses.breaks);
    QPolygonF curve;
    for (std::size_t i = 0; i < thinned.x.size(); ++i) curve << column.loss.at(thinned.x[i], thinned.y[i]);
    column.loss.drawLine(canvas, curve, QPen(canvas.theme.job(job), canvas.lineWidth));

    QPolygonF ks, loads;
    const auto& steps = updates.steps();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        // An update begins where the one before has ended.
        const double from = steps[i].update == 0 ? 0 : across(input, job, column.across, steps[i].update - 1);
        const double to = i + 1 < steps.size() ? across(input, job, column.across, steps[i + 1].update - 1)
                                               : across(input, job, column.across, updates.size() - 1);
        const double load = loadOfUpdate(*input.run, job, steps[i].update);
        const auto k = static_cast<double>(steps[i].gradients);
        ks << column.k.at(from, k) << column.k.at(to, k);
        loads << column.load.at(from, load) << column.load.at(to, load);
    }
    QPen pen(canvas.theme.activity(Activity::compute), 1.4 * canvas.lineWidth);
    pen.setJoinStyle(Qt::MiterJoin);
    column.k.drawLine(canvas, ks, pen);
    pen.setColor(canvas.theme.activity(Activity::update));
    column.load.drawLine(canvas, loads, pen);
    // What each is stands in it, at the left, where the curves begin: at the top of loss and β, k at its top.
    const auto name = [&](const ChartArea& area, const QString& text) {
        canvas.painter.setFont(canvas.font);
        canvas.painter.setPen(canvas.theme.text);
        canvas.painter.drawText(area.rect.adjusted(6, 1, -8, 0), Qt::AlignRight | Qt::AlignTop, text);
    };
    const bool time = column.across == Across::time;
    name(column.loss, time ? waitingText("loss against time") : waitingText("loss against updates"));
    name(column.k, QStringLiteral("k"));
    name(column.load, QStringLiteral("β"));
}

void ChoicePainter::paint(LaneCanvas& canvas, const LaneInput& input) {
    const JobId job = jobOf(input);
    const std::size_t until = updatesUntil(*input.run, job, input.at);
    for (const Column& column : columnsOf(canvas, input)) {
        paintColumn(canvas, input, column);
        if (input.at >= input.end) continue;
        const double at = column.across == Across::time ? input.at.toSeconds() : static_cast<double>(until);
        for (const ChartArea* area : {&column.loss, &column.k, &column.load})
            area->drawVertical(canvas, at, QPen(canvas.theme.accent, canvas.lineWidth));
    }
}

std::vector<LegendEntry> ChoicePainter::legend(const Theme& theme, const LaneInput& input) const {
    if (!emptyText(input).isEmpty()) return {};
    const JobId job = jobOf(input);
    const UpdateLog& updates = updatesOf(input, job);
    const std::size_t until = updatesUntil(*input.run, job, input.at);
    const LossSeries& losses = input.run->jobs()[job.index()].losses;
    const std::size_t evaluated = losses.indexAt(input.at.toSeconds());
    const auto line = [](const QString& label, const QString& value, const QColor& colour) {
        return LegendEntry{
            .label = label, .value = value, .swatch = LegendEntry::Swatch::line, .colour = colour};
    };
    const bool any = until > 0;
    return {
        line(waitingText("loss"),
             evaluated < losses.size() ? numberText(losses.loss[evaluated], 4) : QString(), theme.job(job)),
        line(QStringLiteral("k"), any ? QString::number(updates.gradientsOf(until - 1)) : QString(),
             theme.activity(Activity::compute)),
        line(QStringLiteral("β"), any ? numberText(loadOfUpdate(*input.run, job, until - 1), 3) : QString(),
             theme.activity(Activity::update)),
        {.label = waitingText("updates"),
         .value = countText(static_cast<qint64>(until)),
         .swatch = LegendEntry::Swatch::none}};
}

std::optional<std::size_t> ChoicePainter::updateAt(const LaneInput& input, const Column& column,
                                                   double x) const {
    const JobId job = jobOf(input);
    const std::size_t size = updatesOf(input, job).size();
    if (x < column.loss.rect.left() || x > column.loss.rect.right() || size == 0) return std::nullopt;
    const double value = std::max(0.0, column.loss.xAt(x));
    if (column.across == Across::time)
        return std::min(size - 1, updatesUntil(*input.run, job, SimTime::seconds(value)));
    return std::min(size - 1, static_cast<std::size_t>(std::max(0.0, std::ceil(value) - 1)));
}

LaneHit ChoicePainter::hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
    LaneHit result;
    const JobId job = jobOf(input);
    const UpdateLog& updates = updatesOf(input, job);
    for (const Column& column : columnsOf(canvas, input)) {
        const auto update = updateAt(input, column, pointer.x());
        if (!update || pointer.y() > column.load.rect.bottom()) continue;
        const SimTime at = timeOfUpdate(*input.run, job, *update);
        const LossSeries& losses = input.run->jobs()[job.index()].losses;
        const std::size_t evaluated = losses.indexAt(at.toSeconds());
        result.text = waitingText("update %1 at %2 · k = %3 · β = %4")
                          .arg(countText(static_cast<qint64>(*update + 1)), durationText(at.toSeconds()))
                          .arg(updates.gradientsOf(*update))
                          .arg(numberText(loadOfUpdate(*input.run, job, *update), 3));
        if (evaluated < losses.size())
            result.text += waitingText(" · loss %1").arg(numberText(losses.loss[evaluated], 4));
    }
    return result;
}

std::optional<double> ChoicePainter::xOf(const LaneCanvas& canvas, const LaneInput& input, SimTime at) const {
    return columnsOf(canvas, input).front().loss.px(at.toSeconds());
}

double ChoicePainter::secondsAt(const LaneCanvas& canvas, const LaneInput& input, double x) const {
    for (const Column& column : columnsOf(canvas, input)) {
        if (x < column.loss.rect.left() || x > column.loss.rect.right()) continue;
        if (column.across == Across::time) return column.loss.xAt(x);
        if (const auto update = updateAt(input, column, x))
            return timeOfUpdate(*input.run, jobOf(input), *update).toSeconds();
    }
    return std::numeric_limits<double>::quiet_NaN();
}

} // namespace trainyard
