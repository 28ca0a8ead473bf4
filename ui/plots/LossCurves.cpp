#include "plots/LossCurves.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

void LossRange::include(const LinePoints& points) {
    for (const double y : points.y)
        if (std::isfinite(y)) {
            low = std::min(low, y);
            high = std::max(high, y);
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
}

std::vector<LossLine> lossLines(const LaneInput& input, JobId selected) {
    std::vector<LossLine> curves;
    for (const RunFold* run : {input.ghost, input.run}) {
        if (!run) continue;
        const auto add = [&](std::size_t j) {
            if (run->jobs()[j].losses.size() > 0) curves.push_back({run, j, run == input.ghost});
        };
        for (std::size_t j = 0; j < run->jobs().size(); ++j)
            if (JobId(j) != selected) add(j);
        if (selected.valid() && selected.index() < run->jobs().size()) add(selected.index());
    }
    return curves;
}

int lossBuckets(double width, std::size_t curves) {
    // Many curves share a budget of about 24,000 corners: each is then drawn more coarsely.
    const int budget = static_cast<int>(6000 / std::max<std::size_t>(curves, 1));
    // Two pixels to a bucket: a line is no narrower.
    return std::clamp(static_cast<int>(width / 2), 4, std::max(4, budget));
}

LinePoints thinnedLosses(const LossLine& curve, const LaneInput& input, const LossRange& range, int buckets) {
    const LossSeries& all = curve.run->jobs()[curve.job].losses;
    LinePoints points;
    if (input.byUpdate) {
        const LossSeries kept = keptUpdates(all);
        points = decimated(kept.update, kept.loss, range.left, range.right, buckets);
    } else {
        points = decimated(all.time, all.loss, range.left, range.right, buckets, all.breaks);
    }
    if (input.logarithmic) // a zero has no place on a logarithmic axis; a line breaks at NaN
        for (double& y : points.y)
            if (!(y > 0)) y = std::numeric_limits<double>::quiet_NaN();
    return points;
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
    return input.byUpdate ? std::ceil(canvas.lineHeight()) + 2 : 0;
}

QPointF lossPlace(const LossRange& range, const LaneCanvas& canvas, const LaneInput& input, double x,
                  double loss) {
    const double bottom = canvas.plot.bottom() - lossBottomMargin(canvas, input);
    const double share = input.logarithmic
                             ? std::log(std::max(loss, 1e-300) / range.low) / std::log(range.high / range.low)
                             : (loss - range.low) / (range.high - range.low);
    return {canvas.plot.left() + (x - range.left) / (range.right - range.left) * canvas.plot.width(),
            bottom - share * (bottom - canvas.plot.top())};
}

} // namespace trainyard
