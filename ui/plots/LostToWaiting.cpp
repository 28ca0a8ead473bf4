// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/LostToWaiting.h"

#include "base/PartitionPoint.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace lost_to_waiting {
constexpr std::size_t mostCorners = 4000; // of one area: more evaluations are taken in even steps
} // namespace lost_to_waiting

JobId jobLostToWaiting(const LaneInput& input) {
    if (!input.lostToWaiting || input.byUpdate || input.gradientNorm || !input.run) return {};
    const JobId job = input.job.valid() ? input.job : input.run->jobWithWorkers({});
    return job.valid() && input.run->jobs()[job.index()].losses.size() > 0 ? job : JobId{};
}

std::vector<double> timesWithoutWaiting(const LossSeries& series) {
    std::vector<double> times(series.size());
    for (std::size_t i = 0; i < times.size(); ++i) times[i] = series.time[i] - series.waited[i];
    return times;
}

std::optional<WaitingCost> waitingCost(const LossSeries& series, const std::vector<double>& y, double seconds) {
    const std::size_t now = series.indexAt(seconds);
    if (now >= series.size()) return std::nullopt;
    // Times without waiting do not decrease either: no second is lost twice.
    const std::size_t after = partitionPoint(now + 1, series.size(), [&](std::size_t i) {
        return series.time[i] - series.waited[i] <= seconds;
    }); // the first that would not have been there by now
    return WaitingCost{y[now] - y[after - 1], series.waited[now]};
}

void paintWaitingCost(LaneCanvas& canvas, const LaneInput& input, const LossRange& range, const LossSeries& series,
                      const std::vector<double>& y) {
    const auto first = static_cast<std::size_t>(std::lower_bound(series.time.begin(), series.time.end(), range.left) -
                                                series.time.begin());
    std::size_t last = first;
    for (std::size_t step = 1; last < series.size() && series.time[last] - series.waited[last] <= range.right;
         step *= 2)
        last = std::min(series.size(), last + step);
    const std::size_t from = first > 0 ? first - 1 : 0;
    const std::size_t step = std::max<std::size_t>(1, (last - from) / lost_to_waiting::mostCorners);
    QColor ground = canvas.theme.activity(Activity::waiting);
    ground.setAlphaF(canvas.theme.dark ? 0.3f : 0.24f);
    QBrush dots = canvas.theme.activityPattern(Activity::waiting);
    QColor dot = canvas.theme.activity(Activity::waiting);
    dot.setAlphaF(0.55f);
    dots.setColor(dot);
    canvas.painter.setPen(Qt::NoPen);
    canvas.painter.setRenderHint(QPainter::Antialiasing, true);
    QPolygonF area, back;
    const auto finish = [&] {
        std::reverse(back.begin(), back.end());
        area += back;
        if (area.size() > 2) {
            canvas.painter.setBrush(ground);
            canvas.painter.drawPolygon(area, Qt::WindingFill);
            if (!canvas.vector) {
                canvas.painter.setBrush(dots);
                canvas.painter.drawPolygon(area, Qt::WindingFill);
            }
            ++canvas.items;
        }
        area.clear();
        back.clear();
    };
    for (std::size_t i = from; i < last; i += step) {
        // While the job was interrupted there is no curve, and nothing lost.
        const auto gap = std::upper_bound(series.breaks.begin(), series.breaks.end(), i >= step ? i - step : 0);
        if (i > from && gap != series.breaks.end() && *gap <= i) finish();
        if (!std::isfinite(y[i]) || (input.logarithmic && !(y[i] > 0))) continue;
        area << lossPlace(range, canvas, input, series.time[i], y[i]);
        back << lossPlace(range, canvas, input, std::max(series.time[i] - series.waited[i], 1e-12), y[i]);
    }
    finish();
    canvas.painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace trainyard
