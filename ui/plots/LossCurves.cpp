// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/LossCurves.h"

#include "analysis/LossCeiling.h"
#include "plots/JobColours.h"
#include "plots/LostToWaiting.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

void LossRange::include(const LinePoints& points) {
    for (const double y : points.y)
        if (std::isfinite(y)) {
            low = std::min({low, y, ceiling});
            high = std::max(high, std::min(y, ceiling));
        }
}

void LossRange::pad(bool logarithmic) {
    if (!(low < high)) { // nothing, or one value
        const double middle = std::isfinite(low) && std::isfinite(high) ? low : 1;
        low = middle - std::max(0.1, std::abs(middle) * 0.1);
        high = middle + std::max(0.1, std::abs(middle) * 0.1);
        if (logarithmic) low = middle / 2, high = middle * 2;
    }
    if (logarithmic) {
        const double pad = std::pow(high / low, 0.06);
        low /= pad;
        high *= pad;
    } else {
        const double pad = (high - low) * 0.06;
        const bool nearZero = low >= 0 && low < 0.35 * high;
        low = nearZero ? 0 : low - pad;
        high += pad;
    }
    high = std::min(high, ceiling); // at which curves leave
}

bool fallsTenfold(const RunFold& run) {
    return std::any_of(run.jobs().begin(), run.jobs().end(), [](const JobHistory& job) {
        const std::vector<double>& loss = job.losses.loss;
        return !loss.empty() && loss.back() > 0 && loss.front() > 10 * loss.back();
    });
}

std::vector<LossLine> lossLines(const LaneInput& input, JobId selected) {
    constexpr std::size_t mostPale = 24; // of more curves, the raw ones behind the smoothed would only blur the picture
    std::vector<LossLine> curves;
    for (const RunFold* run : {input.ghost, input.run}) {
        if (!run) continue;
        const auto add = [&](std::size_t j) {
            if (run->jobs()[j].losses.size() > 0) curves.push_back({run, j, run == input.ghost});
        };
        for (const bool coloured : {false, true}) // those lie above
            for (std::size_t j = 0; j < run->jobs().size(); ++j)
                if (JobId(j) != selected && run->isColoured(JobId(j)) == coloured) add(j);
        if (selected.valid() && selected.index() < run->jobs().size()) add(selected.index());
    }
    if (input.smoothing > 0 && curves.size() <= mostPale) {
        std::vector<LossLine> pale;
        for (const LossLine& curve : curves)
            if (!curve.ghost) pale.push_back({curve.run, curve.job, false, LossLine::Kind::pale});
        curves.insert(curves.begin(), pale.begin(), pale.end());
    }
    if (const JobId job = jobLostToWaiting(input); job.valid())
        curves.push_back({input.run, job.index(), false, LossLine::Kind::unwaited});
    return curves;
}

QPen lossPen(const LossLine& curve, const LaneCanvas& canvas, JobId job, bool dashes) {
    const JobId id(curve.job);
    const bool selected = job == id, dimmed = job.valid() && !selected;
    QColor colour = jobColour(canvas.theme, *curve.run, id, job);
    using Kind = LossLine::Kind;
    if (curve.kind == Kind::unwaited) colour = canvas.theme.activity(Activity::waiting);
    if (curve.ghost) colour = canvas.theme.ghost(colour);
    if (curve.kind == Kind::pale) colour = Theme::mix(colour, canvas.theme.surface, 0.3);
    if (dimmed && curve.kind != Kind::unwaited) colour = Theme::mix(colour, canvas.theme.surface, 0.32);
    const bool strong = selected && curve.kind == Kind::usual;
    QPen pen(colour, strong ? canvas.lineWidth * 4 / 3 : canvas.lineWidth);
    pen.setJoinStyle(Qt::RoundJoin);
    if (curve.kind == Kind::unwaited && dashes)
        pen.setDashPattern({2, 2});
    else if (curve.ghost && dashes)
        pen.setDashPattern({4, 3});
    else if (curve.run->isColoured(id) && canvas.theme.jobStriped(id) && dashes)
        pen.setDashPattern({10, 2});
    return pen;
}

int lossBuckets(double width, std::size_t curves) {
    // Many curves share a budget of about 24,000 corners: each is then drawn more coarsely.
    const int budget = static_cast<int>(6000 / std::max<std::size_t>(curves, 1));
    // Two pixels to a bucket: a line is no narrower.
    return std::clamp(static_cast<int>(width / 2), 4, std::max(4, budget));
}

namespace loss_curves {

/// decimated(), with buckets of equal width on the axis as it is drawn.
LinePoints thinned(const std::vector<double>& x, const std::vector<double>& y, const LaneInput& input,
                   const LossRange& range, int buckets, std::span<const std::size_t> breaks) {
    if (!input.logarithmicAcross) return decimated(x, y, range.left, range.right, buckets, breaks);
    // A zero has no place on a logarithmic axis: what is not after it is left out.
    const auto skipped = static_cast<std::size_t>(std::upper_bound(x.begin(), x.end(), 0.0) - x.begin());
    std::vector<double> across(x.begin() + static_cast<std::ptrdiff_t>(skipped), x.end());
    for (double& value : across) value = std::log10(value);
    const std::vector<double> values(y.begin() + static_cast<std::ptrdiff_t>(skipped), y.end());
    std::vector<std::size_t> moved;
    for (const std::size_t at : breaks)
        if (at >= skipped) moved.push_back(at - skipped);
    LinePoints points = decimated(across, values, std::log10(range.left), std::log10(range.right), buckets, moved);
    for (double& value : points.x) value = std::pow(10.0, value);
    return points;
}

} // namespace loss_curves

LinePoints thinnedLosses(const LossLine& curve, const LaneInput& input, const LossRange& range, int buckets,
                         LossValues& values) {
    const LossSeries& all = curve.run->jobs()[curve.job].losses;
    const std::vector<double>& y = curve.kind == LossLine::Kind::pale ? values.raw(*curve.run, curve.job, input)
                                                                      : values.of(*curve.run, curve.job, input);
    LinePoints points;
    if (input.byUpdate) {
        LossSeries shown;
        if (&y != &all.loss) shown = {.time = all.time, .update = all.update, .loss = y};
        const LossSeries kept = keptUpdates(&y != &all.loss ? shown : all);
        points = loss_curves::thinned(kept.update, kept.loss, input, range, buckets, {});
    } else {
        points = curve.kind == LossLine::Kind::unwaited
                     ? loss_curves::thinned(timesWithoutWaiting(all), y, input, range, buckets, all.breaks)
                     : loss_curves::thinned(all.time, y, input, range, buckets, all.breaks);
    }
    for (double& value : points.y) {
        value = LossCeiling::drawn(value, range.ceiling);
        // Nor has a zero a place on this axis; a line breaks at NaN.
        if (input.logarithmic && !(value > 0)) value = std::numeric_limits<double>::quiet_NaN();
    }
    return points;
}

void setLossCeiling(LossRange& range, const LaneInput& input, LossValues& values) {
    LossCeiling ceiling;
    for (const RunFold* run : {input.ghost, input.run})
        for (std::size_t j = 0; run && j < run->jobs().size(); ++j)
            if (run->jobs()[j].losses.size() > 0) ceiling.add(values.of(*run, j, input));
    range.ceiling = ceiling.value();
}

void paintLeavingLosses(LaneCanvas& canvas, const LaneInput& input, const LossRange& range, LossValues& values) {
    if (!std::isfinite(range.ceiling)) return;
    canvas.painter.save();
    canvas.painter.setRenderHint(QPainter::Antialiasing, true);
    canvas.painter.setPen(Qt::NoPen);
    for (const RunFold* run : {input.ghost, input.run})
        for (std::size_t j = 0; run && j < run->jobs().size(); ++j) {
            const LossSeries& losses = run->jobs()[j].losses;
            if (losses.size() == 0) continue;
            const std::size_t at = LossCeiling::leavesAt(values.of(*run, j, input), range.ceiling);
            if (at >= losses.size()) continue;
            const double x = input.byUpdate ? losses.update[at] : losses.time[at];
            const QPointF tip = lossPlace(range, canvas, input, x, range.ceiling);
            if (tip.x() < canvas.plot.left() || tip.x() > canvas.plot.right()) continue;
            const QColor colour = jobColour(canvas.theme, *run, JobId(j), input.job);
            canvas.painter.setBrush(run == input.ghost ? canvas.theme.ghost(colour) : colour);
            canvas.painter.drawPolygon(QPolygonF{tip, tip + QPointF(5, 8), tip + QPointF(-5, 8)});
        }
    canvas.painter.restore();
}

void setLossAxis(LossRange& range, const LaneCanvas& canvas, const LaneInput& input) {
    const double infinity = std::numeric_limits<double>::infinity();
    range = {.left = input.byUpdate ? 0 : canvas.time.from,
             .right = input.byUpdate ? 1 : canvas.time.to,
             .low = infinity,
             .high = -infinity};
    double least = infinity; // of what a logarithmic axis can show
    for (const RunFold* run : {input.ghost, input.run})
        if (run)
            for (const auto& job : run->jobs()) {
                const std::vector<double>& x = input.byUpdate ? job.losses.update : job.losses.time;
                if (x.empty()) continue;
                if (input.byUpdate) range.right = std::max(range.right, x.back());
                // Updates begin anew after a restore; the first above zero comes early all the same.
                if (const auto first = std::upper_bound(x.begin(), x.end(), 0.0); first != x.end())
                    least = std::min(least, *first);
            }
    if (!input.logarithmicAcross) return;
    if (!std::isfinite(least) || least >= range.right) least = range.right / 10;
    range.left = std::max({range.left, least, range.right * 1e-9});
}

double lossAcross(const LossRange& range, const LaneCanvas& canvas, const LaneInput& input, double pixel) {
    const double share = (pixel - canvas.plot.left()) / canvas.plot.width();
    if (input.logarithmicAcross) return range.left * std::pow(range.right / range.left, share);
    return range.left + share * (range.right - range.left);
}

void simplifyLosses(LinePoints& points, const LossRange& range, bool logarithmic, QSizeF plot) {
    constexpr double tolerance = 0.3; // pixels
    if (logarithmic)
        for (double& y : points.y) y = std::log(y);
    const double span = logarithmic ? std::log(range.high / range.low) : range.high - range.low;
    points = simplified(points, tolerance * span / std::max(1.0, plot.height()));
    if (logarithmic)
        for (double& y : points.y) y = std::exp(y);
}

double lossBottomMargin(const LaneCanvas& canvas, const LaneInput& input) {
    return hasOwnAxis(input) ? std::ceil(canvas.lineHeight()) + 2 : 0;
}

QPointF lossPlace(const LossRange& range, const LaneCanvas& canvas, const LaneInput& input, double x, double loss) {
    const double bottom = canvas.plot.bottom() - lossBottomMargin(canvas, input);
    loss = std::min(loss, range.ceiling);
    const double share = input.logarithmic
                             ? std::log(std::max(loss, 1e-300) / range.low) / std::log(range.high / range.low)
                             : (loss - range.low) / (range.high - range.low);
    const double across = input.logarithmicAcross
                              ? std::log(std::max(x, 1e-300) / range.left) / std::log(range.right / range.left)
                              : (x - range.left) / (range.right - range.left);
    return {canvas.plot.left() + across * canvas.plot.width(), bottom - share * (bottom - canvas.plot.top())};
}

} // namespace trainyard
