#include "waiting/ParticipationPainter.h"

#include "waiting/WaitingValues.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace participation_painter {

/// The same or a little less, so that a run that goes on asks only a few times as it gets twice as long.
std::size_t roundedDown(std::size_t updates) {
    std::size_t unit = 1;
    while (updates / unit >= 16) unit *= 2;
    return updates / unit * unit;
}

QString riskText(const ShardRisk& risk) {
    const QString number = numberText(risk.excess, 3);
    return risk.exact || risk.settled ? number : waitingText("about %1").arg(number);
}

} // namespace participation_painter

using namespace participation_painter;

QString ParticipationPainter::title() const {
    return waitingText("Participation");
}
QString ParticipationPainter::axisTitle(const LaneInput&) const {
    return waitingText("gradients used");
}
QString ParticipationPainter::horizontalTitle(const LaneInput&) const {
    return waitingText("worker");
}

QString ParticipationPainter::meaning(const LaneInput& input) const {
    const QString counts = waitingText(
        "Gradients of each worker that updates were made of, so far. The line is the equal share.");
    if (emptyText(input).isEmpty()) {
        const Kept& values = valuesOf(input);
        if (leans(input, values))
            return counts + QLatin1Char(' ') +
                   waitingText(
                       "Warning: no two workers have rows alike, and some take part more often than others. "
                       "Going "
                       "on so, training ends above the least loss by the excess risk. Remedies: fastest-k "
                       "with \"reweight\"; \"shards\": \"shared\"; dsag, which remembers the gradients of "
                       "the slow.");
        if (weightsOf(input, values) == ShardWeights::evenedOut)
            return counts + QLatin1Char(' ') +
                   waitingText(
                       "No two workers have rows alike, but the synchronization makes up for those that "
                       "come seldom: all data count the same.");
    }
    return counts + QLatin1Char(' ') +
           waitingText("Workers that are always slow hardly take part: where shares of the data differ, "
                       "training leans "
                       "towards the data of the fast.");
}

ShardWeights ParticipationPainter::weightsOf(const LaneInput& input, const Kept& values) {
    const RunData& run = input.run->run();
    return run.scenario
               ? shardWeights(*run.scenario, input.run->workload().job(jobOf(input)), values.counts.size())
               : ShardWeights::alike;
}

bool ParticipationPainter::leans(const LaneInput& input, const Kept& values) {
    return weightsOf(input, values) == ShardWeights::asCounted && differBeyondChance(values.counts);
}

const ParticipationPainter::Risk* ParticipationPainter::riskOf(const LaneInput& input, bool wait) const {
    const RunData& run = input.run->run();
    if (m_workload.lock() != run.workload) {
        m_workload = run.workload;
        m_risks.clear();
        m_biases.clear();
    }
    const Kept& values = valuesOf(input);
    if (weightsOf(input, values) != ShardWeights::asCounted) return nullptr;
    const JobId job = jobOf(input);
    const Key key{job.value, roundedDown(values.updates)};
    if (const Risk* there = m_risks.known(key)) return there;
    if (!wait && m_risks.busy()) return nullptr; // one after the other: a run that goes on asks for the newest
    auto& bias = m_biases[job.value];
    if (!bias)
        bias = std::make_shared<const ShardBias>(std::get<TrainedWork>(input.run->workload().job(job).work),
                                                 run.seed, job, ResourcePaths{run.resources});
    std::vector<std::size_t> counts;
    addUsedByWorker(counts, *input.run, job, 0, key.second);
    return m_risks.get(key, wait,
                       [bias, counts](const std::stop_token& stop) { return bias->of(counts, stop); });
}

std::vector<LegendEntry> ParticipationPainter::riskEntries(const Theme& theme, const LaneInput& input) const {
    const Kept& values = valuesOf(input);
    if (weightsOf(input, values) != ShardWeights::asCounted) return {};
    const Risk* risk = m_risks.known({jobOf(input).value, roundedDown(values.updates)}); // painting begins it
    if (!risk) { // of shares a little before, until those of now are there
        const Key now{jobOf(input).value, values.updates};
        const auto& all = m_risks.all();
        auto it = all.upper_bound(now);
        if (it != all.begin() && (--it)->first.first == now.first) risk = &it->second;
    }
    if (!risk) {
        if (!m_risks.busy()) return {};
        return {{.label = waitingText("excess risk"),
                 .value = waitingText("computing…"),
                 .swatch = LegendEntry::Swatch::none,
                 .colour = theme.text}};
    }
    if (!*risk) return {};
    const bool warning = differBeyondChance(values.counts);
    return {{.label = waitingText("excess risk"),
             .value = riskText(**risk),
             .swatch = warning ? LegendEntry::Swatch::line : LegendEntry::Swatch::none,
             .colour = warning ? theme.warning : theme.text},
            {.label = waitingText("least loss"),
             .value = numberText((*risk)->least, 3),
             .swatch = LegendEntry::Swatch::none,
             .colour = theme.text}};
}

QString ParticipationPainter::whyEmpty(const RunFold& run, JobId job, const LaneInput&) const {
    const UpdateLog& updates = run.jobs()[job.index()].updates;
    return updates.gradients().empty() ? waitingText("No gradient has been used yet. Press play.")
                                       : QString();
}

const ParticipationPainter::Kept& ParticipationPainter::valuesOf(const LaneInput& input) const {
    const JobId job = jobOf(input);
    const std::size_t until = updatesUntil(*input.run, job, input.at);
    const bool same = m_kept.log.lock() == input.run->run().log && m_kept.job == job;
    if (same && m_kept.updates == until) return m_kept;
    if (!same || until < m_kept.updates) m_kept = {.log = input.run->run().log, .job = job};
    addUsedByWorker(m_kept.counts, *input.run, job, m_kept.updates, until); // only what is new
    m_kept.updates = until;
    m_kept.total = 0;
    for (const std::size_t count : m_kept.counts) m_kept.total += count;
    const auto [least, most] = std::minmax_element(m_kept.counts.begin(), m_kept.counts.end());
    if (!m_kept.counts.empty()) {
        m_kept.least = *least;
        m_kept.most = *most;
    }
    return m_kept;
}

ChartArea ParticipationPainter::areaOf(const LaneCanvas& canvas, const LaneInput& input) const {
    const Kept& values = valuesOf(input);
    ChartArea area;
    area.rect = canvas.plot.adjusted(0, canvas.lineHeight(), -6, -numbersHeight(canvas));
    area.x = {0.5, static_cast<double>(std::max<std::size_t>(1, values.counts.size())) + 0.5, false, true};
    area.y = axisFromZero(static_cast<double>(values.most), true);
    return area;
}

void ParticipationPainter::paint(LaneCanvas& canvas, const LaneInput& input) {
    riskOf(input, !canvas.gradual);
    const Kept& values = valuesOf(input);
    const ChartArea area = areaOf(canvas, input);
    area.drawAxes(canvas);
    const double width =
        area.rect.width() / static_cast<double>(std::max<std::size_t>(1, values.counts.size()));
    const double gap = width > 5 ? 0.12 * width : 0;
    const QFontMetricsF metrics(canvas.font);
    const QString widest = countText(static_cast<qint64>(values.most));
    const bool numbers = metrics.horizontalAdvance(widest) + 4 < width;
    const bool shares = metrics.horizontalAdvance(widest + QStringLiteral(" (00.0 %)")) + 4 < width;
    // Of workers that share a pixel the busiest is drawn.
    const auto every = static_cast<std::size_t>(std::max(1.0, std::floor(canvas.finest() / width)));
    for (std::size_t w = 0; w < values.counts.size(); w += every) {
        const std::size_t last = std::min(values.counts.size(), w + every);
        const std::size_t count =
            *std::max_element(values.counts.begin() + static_cast<std::ptrdiff_t>(w),
                              values.counts.begin() + static_cast<std::ptrdiff_t>(last));
        const double x = area.px(static_cast<double>(w + 1)), top = area.py(static_cast<double>(count));
        canvas.box(QRectF(x - width / 2 + gap, top, width * static_cast<double>(every) - 2 * gap,
                          area.rect.bottom() - top),
                   canvas.theme.activity(Activity::compute));
        if (!numbers) continue;
        QString text = countText(static_cast<qint64>(count));
        if (shares) text += QStringLiteral(" (%1 %)").arg(numberText(100 * values.share(w), 3));
        canvas.painter.setFont(canvas.font);
        canvas.painter.setPen(canvas.theme.muted);
        canvas.painter.drawText(QRectF(x - width / 2, top - canvas.lineHeight(), width, canvas.lineHeight()),
                                Qt::AlignCenter, text);
    }
    QPen dashed(canvas.theme.text, 1.3 * canvas.lineWidth);
    dashed.setDashPattern({4, 3});
    area.drawLine(canvas,
                  {QPointF(area.rect.left(), area.py(values.equal())),
                   QPointF(area.rect.right(), area.py(values.equal()))},
                  dashed);
}

std::vector<LegendEntry> ParticipationPainter::legend(const Theme& theme, const LaneInput& input) const {
    if (!emptyText(input).isEmpty()) return {};
    const Kept& values = valuesOf(input);
    const auto plain = [](const QString& label, std::size_t value) {
        return LegendEntry{.label = label,
                           .value = countText(static_cast<qint64>(value)),
                           .swatch = LegendEntry::Swatch::none};
    };
    std::vector<LegendEntry> entries{{.label = waitingText("gradients used"),
                                      .value = countText(static_cast<qint64>(values.total)),
                                      .colour = theme.activity(Activity::compute)},
                                     {.label = waitingText("equal share"),
                                      .value = numberText(values.equal(), 4),
                                      .swatch = LegendEntry::Swatch::dashes,
                                      .colour = theme.text},
                                     plain(waitingText("most of one worker"), values.most),
                                     plain(waitingText("fewest"), values.least)};
    for (LegendEntry& entry : riskEntries(theme, input)) entries.push_back(std::move(entry));
    return entries;
}

LaneHit ParticipationPainter::hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
    LaneHit result;
    const Kept& values = valuesOf(input);
    const ChartArea area = areaOf(canvas, input);
    const double number = std::round(area.xAt(pointer.x()));
    if (!area.rect.contains(pointer) || number < 1 || number > static_cast<double>(values.counts.size()))
        return result;
    const auto worker = static_cast<std::size_t>(number) - 1;
    result.job = jobOf(input);
    result.row = workerText(*input.run, result.job, static_cast<std::uint32_t>(worker));
    result.text = waitingText("%1: %2 gradients, %3 % of all")
                      .arg(result.row, countText(static_cast<qint64>(values.counts[worker])),
                           numberText(100 * values.share(worker), 3));
    return result;
}

} // namespace trainyard
