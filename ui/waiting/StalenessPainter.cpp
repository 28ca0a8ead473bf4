#include "waiting/StalenessPainter.h"

#include "analysis/ResponseTimes.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace staleness_painter {

std::optional<double> exactOf(const RunFold& run, JobId job) {
    const auto policy = synchronizationPolicyOf(run, job);
    if (!policy) return std::nullopt;
    return policy->exactMeanStaleness(static_cast<int>(run.jobs()[job.index()].workers.size()));
}

double shareOf(const StalenessCounts& counts, std::size_t staleness) {
    return counts.total > 0
               ? static_cast<double>(counts.gradients[staleness]) / static_cast<double>(counts.total)
               : 0;
}

} // namespace staleness_painter

using namespace staleness_painter;

QString StalenessPainter::title() const {
    return waitingText("Staleness");
}
QString StalenessPainter::axisTitle(const LaneInput&) const {
    return waitingText("share of the gradients used");
}
QString StalenessPainter::horizontalTitle(const LaneInput&) const {
    return waitingText("staleness (updates between read and use)");
}

QString StalenessPainter::meaning(const LaneInput&) const {
    return waitingText(
        "Updates applied between a worker's reading of the parameters and the use of its gradient, of all "
        "gradients used so far. Where theory knows the exact mean, whatever the law of the times, it is "
        "dashed: 0 in rounds, (n − k)/k for k-async, (n − 1)/k for k-batch-async, n − 1 for async.");
}

QString StalenessPainter::whyEmpty(const RunFold& run, JobId job, const LaneInput&) const {
    const UpdateLog& updates = run.jobs()[job.index()].updates;
    return updates.gradients().empty() ? waitingText("No gradient has been used yet. Press play.")
                                       : QString();
}

const StalenessPainter::Kept& StalenessPainter::valuesOf(const LaneInput& input) const {
    const JobId job = jobOf(input);
    const RunFold& run = *input.run;
    const std::size_t until = updatesUntil(run, job, input.at);
    const bool same = m_kept.log.lock() == run.run().log && m_kept.job == job;
    if (same && m_kept.updates == until) return m_kept;
    if (!same || until < m_kept.updates)
        m_kept = {run.run().log, job, until, stalenessOf(run, job, 0, until), exactOf(run, job)};
    else { // only what is new is counted
        const StalenessCounts more = stalenessOf(run, job, m_kept.updates, until);
        StalenessCounts& all = m_kept.counts;
        const double sum =
            all.mean * static_cast<double>(all.total) + more.mean * static_cast<double>(more.total);
        all.gradients.resize(std::max(all.gradients.size(), more.gradients.size()), 0);
        for (std::size_t i = 0; i < more.gradients.size(); ++i) all.gradients[i] += more.gradients[i];
        all.total += more.total;
        all.mean = all.total > 0 ? sum / static_cast<double>(all.total) : 0;
        m_kept.updates = until;
    }
    return m_kept;
}

ChartArea StalenessPainter::areaOf(const LaneCanvas& canvas, const LaneInput& input) const {
    const Kept& values = valuesOf(input);
    ChartArea area;
    area.rect = canvas.plot.adjusted(0, 4, -6, -numbersHeight(canvas));
    double most = 0, right = std::max(4.0, values.exact.value_or(0) * 1.2);
    for (std::size_t i = 0; i < values.counts.gradients.size(); ++i)
        most = std::max(most, shareOf(values.counts, i));
    right = std::max(right, static_cast<double>(values.counts.gradients.size()));
    area.x = {-0.5, right + 0.5, false, true};
    area.y = axisFromZero(most);
    return area;
}

void StalenessPainter::paint(LaneCanvas& canvas, const LaneInput& input) {
    const Kept& values = valuesOf(input);
    const ChartArea area = areaOf(canvas, input);
    area.drawAxes(canvas);
    const double width = area.rect.width() / (area.x.to - area.x.from), gap = width > 6 ? 0.12 * width : 0;
    for (std::size_t i = 0; i < values.counts.gradients.size(); ++i) {
        if (values.counts.gradients[i] == 0) continue;
        const double x = area.px(static_cast<double>(i)), top = area.py(shareOf(values.counts, i));
        canvas.box(QRectF(x - width / 2 + gap, top, width - 2 * gap, area.rect.bottom() - top),
                   canvas.theme.activity(Activity::compute));
    }
    if (values.counts.total > 0)
        area.drawVertical(canvas, values.counts.mean,
                          QPen(canvas.theme.activity(Activity::waiting), 1.6 * canvas.lineWidth));
    if (values.exact) {
        QPen dashed(canvas.theme.text, 1.4 * canvas.lineWidth);
        dashed.setDashPattern({4, 3});
        area.drawVertical(canvas, *values.exact, dashed);
    }
}

std::vector<LegendEntry> StalenessPainter::legend(const Theme& theme, const LaneInput& input) const {
    if (!emptyText(input).isEmpty()) return {};
    const Kept& values = valuesOf(input);
    std::vector<LegendEntry> entries{{.label = waitingText("gradients used"),
                                      .value = countText(static_cast<qint64>(values.counts.total)),
                                      .colour = theme.activity(Activity::compute)},
                                     {.label = waitingText("mean, measured"),
                                      .value = numberText(values.counts.mean, 3),
                                      .swatch = LegendEntry::Swatch::line,
                                      .colour = theme.activity(Activity::waiting)}};
    if (values.exact)
        entries.push_back({.label = waitingText("mean, exact"),
                           .value = numberText(*values.exact, 3),
                           .swatch = LegendEntry::Swatch::dashes,
                           .colour = theme.text});
    if (!values.counts.gradients.empty())
        entries.push_back({.label = waitingText("greatest"),
                           .value = QString::number(values.counts.gradients.size() - 1),
                           .swatch = LegendEntry::Swatch::none});
    return entries;
}

LaneHit StalenessPainter::hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
    LaneHit result;
    const Kept& values = valuesOf(input);
    const ChartArea area = areaOf(canvas, input);
    const double staleness = std::round(area.xAt(pointer.x()));
    if (!area.rect.contains(pointer) || staleness < 0 ||
        staleness >= static_cast<double>(values.counts.gradients.size()))
        return result;
    const auto i = static_cast<std::size_t>(staleness);
    result.text = waitingText("%1 updates old: %2 gradients, %3 %")
                      .arg(staleness)
                      .arg(countText(static_cast<qint64>(values.counts.gradients[i])),
                           numberText(100 * shareOf(values.counts, i), 3));
    return result;
}

} // namespace trainyard
