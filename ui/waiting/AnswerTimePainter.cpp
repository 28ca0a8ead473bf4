#include "waiting/AnswerTimePainter.h"

#include "waiting/WaitingValues.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace answer_time_painter {

std::vector<double> loadsOf(double now) {
    return now < 1 ? std::vector<double>{1, now} : std::vector<double>{1};
}

QColor colourOf(const Theme& theme, const std::vector<ResponseTimeCurve>& curves, std::size_t i) {
    switch (curves[i].kind) {
    case ResponseTimeCurve::Kind::placed:
        return theme.activity(i == 0 ? Activity::compute : Activity::update);
    case ResponseTimeCurve::Kind::alike: // jobs have hues enough
        return theme.job(JobId(i + 1));
    case ResponseTimeCurve::Kind::reference:
        break;
    }
    std::size_t first = 0;
    while (curves[first].kind != ResponseTimeCurve::Kind::reference) ++first;
    return Theme::mix(theme.text, theme.surface, 0.7 - 0.2 * static_cast<double>(i - first));
}

QString nameOf(const ResponseTimeCurve& curve) {
    switch (curve.kind) {
    case ResponseTimeCurve::Kind::placed:
        return waitingText("as placed, β = %1").arg(numberText(curve.load, 3));
    case ResponseTimeCurve::Kind::alike:
        return waitingText("all like %1").arg(QString::fromStdString(curve.name));
    case ResponseTimeCurve::Kind::reference:
        break;
    }
    if (curve.name == "constant") return waitingText("constant, same mean");
    if (curve.name == "exponential") return waitingText("exponential, same mean");
    return waitingText("Pareto α = 2, same mean");
}

std::vector<double> dashesOf(const ResponseTimeCurve& curve) {
    if (curve.kind != ResponseTimeCurve::Kind::reference) return {};
    if (curve.name == "constant") return {6, 3};
    return curve.name == "exponential" ? std::vector<double>{3, 2} : std::vector<double>{1, 2};
}

} // namespace answer_time_painter

using namespace answer_time_painter;

QString AnswerTimePainter::title() const {
    return waitingText("Times until k answers");
}
QString AnswerTimePainter::axisTitle(const LaneInput&) const {
    return waitingText("expected time (s)");
}
QString AnswerTimePainter::horizontalTitle(const LaneInput&) const {
    return waitingText("answers waited for, k");
}

QString AnswerTimePainter::meaning(const LaneInput&) const {
    return waitingText(
        "μ(k), the expected time until k of n workers have answered: reading, computing β of the batch, "
        "sending, as the cluster declares them. Dashed: the same mean under other laws. Dots: measured, "
        "mean time between updates that waited for k.");
}

QString AnswerTimePainter::whyEmpty(const RunFold& run, JobId job, const LaneInput&) const {
    const UpdateLog& updates = run.jobs()[job.index()].updates;
    return updates.gradients().empty() ? waitingText("No gradient has been used yet. Press play.")
                                       : QString();
}

AnswerTimePainter::Key AnswerTimePainter::keyOf(const LaneInput& input) const {
    const JobId job = jobOf(input);
    const std::size_t until = std::max<std::size_t>(1, updatesUntil(*input.run, job, input.at));
    const double load = std::round(1000 * loadOfUpdate(*input.run, job, until - 1)) / 1000;
    return {job.value, load > 0 && load < 1 ? load : 1};
}

const AnswerTimePainter::Curves* AnswerTimePainter::known(const LaneInput& input) const {
    if (m_workload.lock() != input.run->run().workload) {
        m_workload = input.run->run().workload;
        m_store.clear();
    }
    return m_store.known(keyOf(input));
}

/// Those of another load of the same job stay until the new ones are there.
const AnswerTimePainter::Curves* AnswerTimePainter::latest(const LaneInput& input) const {
    if (const Curves* there = known(input)) return there;
    const auto it = m_store.all().lower_bound({keyOf(input).first, 0.0});
    return it != m_store.all().end() && it->first.first == keyOf(input).first ? &it->second : nullptr;
}

const AnswerTimePainter::Curves* AnswerTimePainter::curvesOf(const LaneInput& input, bool wait) const {
    if (const Curves* there = known(input)) return there;
    const Key key = keyOf(input);
    const JobId job = jobOf(input);
    const PlacedJob placed = responseInputs(*input.run, job);
    return m_store.get(key, wait,
                       [workload = input.run->run().workload, job, placed,
                        loads = loadsOf(key.second)](const std::stop_token&) {
                           return responseTimeCurves(workload, job, placed.placement, placed.messageBytes, loads);
                       });
}

ChartArea AnswerTimePainter::areaOf(const LaneCanvas& canvas, const Curves& curves) const {
    ChartArea area;
    area.rect = canvas.plot.adjusted(0, 4, -6, -numbersHeight(canvas));
    double most = 0;
    std::size_t n = 1;
    for (const ResponseTimeCurve& curve : curves) {
        n = std::max(n, curve.means.size());
        if (curve.kind == ResponseTimeCurve::Kind::reference) continue;
        for (const double mean : curve.means)
            if (std::isfinite(mean)) most = std::max(most, mean);
    }
    area.x = n > 1 ? ChartAxis{1, static_cast<double>(n), false, true} : ChartAxis{0.5, 1.5};
    area.y = axisFromZero(1.05 * most);
    return area;
}

/// Of the updates that waited for the same number of workers in synchronous rounds.
void AnswerTimePainter::paintMeasured(LaneCanvas& canvas, const LaneInput& input,
                                      const ChartArea& area) const {
    const JobId job = jobOf(input);
    const auto measured = meanTimes(*input.run, job, updatesUntil(*input.run, job, input.at));
    canvas.painter.save();
    canvas.painter.setRenderHint(QPainter::Antialiasing, true);
    for (const MeanTime& mean : measured) {
        const bool whole = std::abs(mean.load - 1) < 1e-3;
        if (!whole && std::abs(mean.load - keyOf(input).second) > 2e-3) continue;
        const QPointF at = area.at(static_cast<double>(mean.k), mean.seconds);
        if (!area.rect.adjusted(-2, -2, 2, 2).contains(at)) continue;
        canvas.painter.setPen(QPen(canvas.theme.surface, 1.5));
        canvas.painter.setBrush(canvas.theme.activity(whole ? Activity::compute : Activity::update));
        canvas.painter.drawEllipse(at, 3 * canvas.lineWidth, 3 * canvas.lineWidth);
    }
    canvas.painter.restore();
}

void AnswerTimePainter::paint(LaneCanvas& canvas, const LaneInput& input) {
    const Curves* curves = curvesOf(input, !canvas.gradual);
    if (!curves) curves = latest(input);
    if (!curves) {
        canvas.painter.setPen(canvas.theme.muted);
        canvas.painter.setFont(canvas.font);
        canvas.painter.drawText(canvas.plot, Qt::AlignCenter, waitingText("Computing…"));
        return;
    }
    const ChartArea area = areaOf(canvas, *curves);
    area.drawAxes(canvas);
    for (std::size_t i = curves->size(); i-- > 0;) { // those as placed on top
        const ResponseTimeCurve& curve = (*curves)[i];
        QPolygonF line;
        for (std::size_t k = 0; k < curve.means.size(); ++k)
            line << (std::isfinite(curve.means[k]) ? area.at(static_cast<double>(k + 1), curve.means[k])
                                                   : QPointF(qQNaN(), qQNaN()));
        QPen pen(colourOf(canvas.theme, *curves, i),
                 canvas.lineWidth * (curve.kind == ResponseTimeCurve::Kind::placed ? 1.6 : 1));
        if (const auto dashes = dashesOf(curve); !dashes.empty())
            pen.setDashPattern(QList<qreal>(dashes.begin(), dashes.end()));
        area.drawLine(canvas, line, pen);
    }
    const JobId job = jobOf(input);
    if (const std::size_t until = updatesUntil(*input.run, job, input.at); until > 0) {
        const auto k = static_cast<double>(input.run->jobs()[job.index()].updates.gradientsOf(until - 1));
        QPen now(canvas.theme.text, 1);
        now.setDashPattern({3, 3});
        area.drawVertical(canvas, k, now);
    }
    paintMeasured(canvas, input, area);
}

std::vector<LegendEntry> AnswerTimePainter::legend(const Theme& theme, const LaneInput& input) const {
    std::vector<LegendEntry> entries;
    if (!emptyText(input).isEmpty()) return entries;
    const Curves* curves = latest(input);
    if (!curves) return entries;
    const JobId job = jobOf(input);
    const std::size_t until = updatesUntil(*input.run, job, input.at);
    const std::size_t k = until > 0 ? input.run->jobs()[job.index()].updates.gradientsOf(until - 1) : 0;
    for (std::size_t i = 0; i < curves->size(); ++i) {
        const ResponseTimeCurve& curve = (*curves)[i];
        const bool has = k >= 1 && k <= curve.means.size();
        const auto dashes = dashesOf(curve);
        entries.push_back({.label = nameOf(curve),
                           .value = !has                                ? QString()
                                    : std::isfinite(curve.means[k - 1]) ? durationText(curve.means[k - 1])
                                                                        : QStringLiteral("∞"),
                           .swatch = dashes.empty()     ? LegendEntry::Swatch::line
                                     : dashes[0] == 1.0 ? LegendEntry::Swatch::dots
                                                        : LegendEntry::Swatch::dashes,
                           .colour = colourOf(theme, *curves, i)});
    }
    entries.push_back({.label = waitingText("k now"),
                       .value = k > 0 ? QString::number(k) : QString(),
                       .swatch = LegendEntry::Swatch::dots,
                       .colour = theme.text});
    return entries;
}

LaneHit AnswerTimePainter::hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
    LaneHit result;
    const Curves* curves = latest(input);
    if (!curves || curves->empty()) return result;
    const ChartArea area = areaOf(canvas, *curves);
    if (!area.rect.contains(pointer)) return result;
    const double k = std::round(area.xAt(pointer.x()));
    const auto& means = curves->front().means;
    if (k < 1 || k > static_cast<double>(means.size())) return result;
    // The curve next to the pointer.
    const ResponseTimeCurve* nearest = &curves->front();
    const auto mean = [&](const ResponseTimeCurve& curve) { return curve.means[static_cast<std::size_t>(k) - 1]; };
    for (const ResponseTimeCurve& curve : *curves)
        if (std::abs(area.py(mean(curve)) - pointer.y()) < std::abs(area.py(mean(*nearest)) - pointer.y()))
            nearest = &curve;
    result.text = waitingText("%1 of %2 answers after %3 (%4)")
                      .arg(k)
                      .arg(means.size())
                      .arg(durationText(mean(*nearest)), nameOf(*nearest));
    return result;
}

} // namespace trainyard
